/**
 * A run with many jobs at a moment: the tiles in sight, revealed up to the playhead, and over them
 * what is near the playhead or chosen. A frame moves two boxes, whose content stays what it is.
 * Fetched when the first such run is shown.
 *
 * @import { StageData } from './stage.js'
 * @import { Layout } from './layout.js'
 */
import { html, nothing, svg } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { index, TILE, tile } from './dense.js';
import { mostMessages } from './depth.js';
import { falling, journey } from './journey.js';
import { happened, placeOf } from './targets.js';

/** So long tiles are made in a frame; what is missing then follows in the next. */
const SLICE_MS = 10;

/** @type {WeakMap<Layout, ReturnType<typeof index>>} */
const indexes = new WeakMap();

/** @param {Layout} layout @param {StageData} data */
function indexOf(layout, { run }) {
  const made = indexes.get(layout) ?? index(layout.picture, layout.g, run.event);
  indexes.set(layout, made);
  return made;
}

/** @param {StageData} data @param {number} now world pixels */
export function tiles(data, now) {
  const { layout, offset, redraw } = data;
  const { g, unit } = layout;
  const all = indexOf(layout, data);
  const shown = Math.max(0, Math.min(now - offset, g.width) - g.start);
  const first = Math.max(0, Math.floor((offset + g.start) / TILE));
  const last = Math.floor((offset + g.start + shown) / TILE);
  const until = performance.now() + SLICE_MS;
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const made = numbers.filter((number) =>
    all.tiles.has(number) || performance.now() < until ? tile(all, number) : false,
  );
  if (made.length < numbers.length) requestAnimationFrame(redraw);
  return html`<div class="reveal"
      .style=${`left:${g.start * unit}px;width:${shown * unit}px;height:${g.height * unit}px`}>
    <div class="world" .style=${`transform:translateX(${-(offset + g.start) * unit}px)`}>
      ${repeat(
        made,
        (number) => number,
        (number) => html`<svg class="timeline tile" width=${TILE * unit} height=${g.height * unit}
          viewBox="${number * TILE} 0 ${TILE} ${g.height}"
          .style=${`left:${number * TILE * unit}px`}>${tile(all, number)}</svg>`,
      )}
    </div></div>`;
}

/** How many messages the highest place of the queue's areas stands for. @param {Layout} layout */
export const most = ({ g, picture }) =>
  svg`<text class="label most" x=${g.start - 6} y=${g.y(0) - 46}>${mostMessages(picture)}</text>`;

/**
 * The job that is chosen, and the money in the air.
 * @param {StageData} data @param {number} now @param {boolean} moves @param {number} perMs
 */
export function over({ layout, cursor, selected }, now, moves, perMs) {
  const { g, picture, targets } = layout;
  const target = targets[placeOf(targets, selected)];
  return [
    target && target.event < cursor && target.job >= 0
      ? journey(picture, g, target.job, cursor, now)
      : nothing,
    moves ? falling(targets, happened(targets, cursor), g, now, perMs) : nothing,
  ];
}
