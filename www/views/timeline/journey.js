/**
 * One job's way through a crowded run: its leases, where its messages went, its money.
 *
 * @import { Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { svg } from 'lit';
import { MarkKind } from '../../core.js';

/** @type {Record<number, string>} */
const DROPS = {
  [MarkKind.Wrote]: 'once',
  [MarkKind.Paid]: 'once',
  [MarkKind.WroteAgain]: 'again',
  [MarkKind.PaidAgain]: 'again',
  [MarkKind.AlreadyWritten]: 'bounced',
  [MarkKind.Replayed]: 'bounced',
};

/** @param {Picture} picture @param {Geometry} g @param {number} job @param {number} cursor @param {number} now pixels */
export function journey({ marksOfJob, leasesOfJob }, g, job, cursor, now) {
  const half = g.bar / 2;
  const hulls = (leasesOfJob.get(job) ?? [])
    .filter(({ first }) => first < cursor)
    .map(({ lane, from, ended }) => {
      const [left, right] = [g.x(from), Math.min(g.x(ended), now)];
      return `M${left} ${g.y(lane) - half}H${right}v${g.bar}H${left}z`;
    });
  let ways = '';
  /** @type {Record<string, string>} */
  const drops = { once: '', again: '', bounced: '' };
  for (const { kind, lane, at, event, to } of marksOfJob.get(job) ?? []) {
    if (event >= cursor) break;
    const x = g.x(at);
    if (kind === MarkKind.Leased) ways += `M${x} ${g.y(0)}V${g.y(to) - half}`;
    if (kind === MarkKind.Expired || kind === MarkKind.GaveBack) {
      ways += `M${x} ${g.y(lane) - half}V${g.y(0)}l-4 8m4 -8l4 8`;
    }
    const drop = to > 0 && DROPS[kind];
    if (drop) drops[drop] += `M${x} ${g.y(lane) + half}V${g.y(to)}`;
  }
  return svg`<g class="journey">
    <path class="way" d=${ways}></path>
    ${Object.entries(drops).map(([kind, d]) => svg`<path class="drop ${kind}" d=${d}></path>`)}
    <path class="hull" d=${hulls.join('')}></path></g>`;
}

/** So long money falls, in playing time. */
const FALL_MS = 450;
/** More than this in the air at once tells nobody anything. */
const MOST_FALLING = 80;

/**
 * Money in the air: as many dots as there are, in a path a kind.
 * @param {Picture['marks']} marks that have happened @param {number} count how many of them
 * @param {Geometry} g @param {number} now @param {number} perMs pixels
 */
export function falling(marks, count, g, now, perMs) {
  /** @type {Record<string, string>} */
  const dots = { once: '', again: '', bounced: '' };
  let shown = 0;
  for (let i = count - 1; i >= 0 && shown < MOST_FALLING; i -= 1) {
    const { kind, lane, at, to } = marks[i];
    const part = (now - g.x(at)) / perMs / FALL_MS;
    if (part > 1) break;
    const drop = to > 0 && DROPS[kind];
    if (!drop) continue;
    const [from, until] = [g.y(lane), g.y(to)];
    dots[drop] += `M${g.x(at)} ${from + (until - from) * Math.max(0, part) ** 2}h0`;
    shown += 1;
  }
  return Object.entries(dots).map(([kind, d]) => svg`<path class="falling ${kind}" d=${d}></path>`);
}
