/**
 * The queue over time, as areas on each other: what is leased, what is ready, what waits.
 *
 * @import { Depth, Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { svg } from 'lit';
import { firstFrom } from '../flat.js';
import { DEPTH } from './geometry.js';

/** From the bottom up. */
export const LAYERS = /** @type {const} */ (['leased', 'ready', 'waiting']);

/** @param {Depth} row */
const total = (row) => row.leased + row.ready + row.waiting;

/** @type {WeakMap<Picture, number>} */
const highest = new WeakMap();

/** The most messages that were in the queue at once. @param {Picture} picture */
export function mostMessages(picture) {
  const known =
    highest.get(picture) ?? picture.depth.reduce((most, row) => Math.max(most, total(row)), 1);
  highest.set(picture, known);
  return known;
}

/** @param {Picture} picture @param {Geometry} g @param {number} left @param {number} right world pixels */
export function areas(picture, g, left, right) {
  const { depth } = picture;
  const base = g.y(0);
  const scale = DEPTH / mostMessages(picture);
  /** The last row of each pixel. @type {{ x: number, row: Depth }[]} */
  const steps = [];
  let i = Math.max(0, firstFrom(depth.length, (at) => g.x(depth[at].at), left) - 1);
  for (; i < depth.length; i += 1) {
    const x = Math.max(left, Math.round(g.x(depth[i].at)));
    if (x > right) break;
    const step = steps.at(-1);
    if (step?.x === x) step.row = depth[i];
    else steps.push({ x, row: depth[i] });
  }
  const first = steps[0];
  if (!first) return [];
  const end = Math.min(right, g.right);
  const below = steps.map(() => 0);
  return LAYERS.map((layer) => {
    const floor = [...below];
    let top = '';
    let back = '';
    const to = end;
    steps.forEach(({ x, row }, at) => {
      below[at] += row[layer];
      top += `${at ? `H${x}` : ''}V${y(below[at])}`;
    });
    for (let at = steps.length - 1; at >= 0; at -= 1) {
      back += `V${y(floor[at])}H${steps[at].x}`;
    }
    return svg`<path class="depth ${layer}" d="M${first.x} ${y(floor[0])}${top}H${to}${back}z"></path>`;
  });

  /** @param {number} count */
  function y(count) {
    return Math.round((base - count * scale) * 10) / 10;
  }
}
