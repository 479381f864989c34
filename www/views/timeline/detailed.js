/**
 * The picture of a run of a few jobs, sign by sign, up to the moment looked at. What comes later
 * has its place already, so nothing moves when it appears.
 *
 * @import { EventRecord } from '../../core.js'
 * @import { Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 * @import { Sign } from './signs.js'
 */
import { nothing, svg } from 'lit';
import { bars, hulls, leasesWithDeadlines, namedBars, ready } from './bars.js';
import { LETTER } from './geometry.js';
import { Rows } from './rows.js';
import { along, label, wait } from './shapes.js';
import { signs } from './signs.js';

/** So long a sign is on its way, in playing time. */
const WAY_MS = 500;

/**
 * Everything that the run will have to show.
 * @param {Picture} picture @param {Geometry} g @param {string[]} names of the lanes @param {number} jobs
 * @param {(i: number) => EventRecord | undefined} event
 */
export function plan(picture, g, names, jobs, event) {
  const rows = new Rows(g.narrow ? 2 : g.start, g.edge - 4);
  if (g.narrow) {
    for (const [lane, name] of names.entries()) {
      rows.take(`above ${lane}`, name.length * LETTER + 8);
    }
  }
  return {
    picture,
    bars: namedBars(picture, g),
    leases: leasesWithDeadlines(picture, event),
    signs: signs(picture, g, rows, jobs, event),
  };
}

/**
 * @typedef {object} Moment
 * @property {number} cursor
 * @property {number} us
 * @property {number} now world pixels
 * @property {number} perMs pixels for a millisecond of playing time
 * @property {boolean} moves whether signs are shown on their way
 */

/** @param {ReturnType<typeof plan>} plan @param {Geometry} g @param {Moment} moment @param {unknown} playhead @param {unknown} scale */
export function detailed(plan, g, moment, playhead, scale) {
  const { cursor, us, now } = moment;
  const { back, tokens, front, spans, waits } = plan.signs;
  return svg`
    ${seen(back, g, moment)}
    ${spans
      .filter(({ from }) => from < now)
      .map(({ from, to, y }) => along(from, Math.min(to, now), y))}
    ${playhead}
    ${cursor === 0 ? nothing : ready(plan.picture, g, now)}
    ${tokens
      .filter(({ event }) => event < cursor)
      .map(({ shape, gone = cursor }) =>
        gone < cursor ? svg`<g class="gone">${shape}</g>` : shape,
      )}
    ${cursor === 0 ? nothing : bars(plan.bars, g, now)}
    ${hulls(plan.leases, g, cursor, us)}
    ${scale}
    ${waits
      .filter(({ from }) => from < now)
      .map(({ from, to, y, place }) => [wait(from, Math.min(to, now), y), label(place, y - 10)])}
    ${seen(front, g, moment)}`;
}

/** @param {Sign[]} all @param {Geometry} g @param {Moment} moment */
const seen = (all, g, { cursor, now, perMs, moves }) =>
  all
    .filter(({ event }) => event < cursor)
    .map(({ at, shape, move }) => {
      const part = (now - g.x(at)) / perMs / WAY_MS;
      return moves && move && part < 1 ? move(Math.max(0, part)) : shape;
    });
