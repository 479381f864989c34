/**
 * The depth of the queue, and how many deliveries were which attempt: a job that is on its fifth
 * is seen at a glance.
 *
 * @import { Run } from '../core.js'
 * @import { PictureText, Spec } from '../views/picture.js'
 */
import { scaleLinear } from 'd3-scale';
import { html, svg } from 'lit';
import common from '../text/en/charts.json';
import { fill, shortSpan } from '../words.js';
import { figure, numbers, plot } from './frame.js';
import { steps } from './steps.js';

/** How many numbers a moment of the depth has, and a lease. */
const DEPTH = 6;
const LEASE = 9;
/** A run without end shows its beginning. */
const MOST_MOMENTS = 90;

/**
 * @typedef {PictureText & {
 *   depth: string, ready: string, leased: string, dead: string, histogram: string,
 *   attempt: string, one: string, columns: string[], moments: string[],
 * }} Words
 */

/** @param {Run} run @param {Words} words @param {number} width */
function depth({ depth: rows }, words, width) {
  /** @type {Record<'ready' | 'leased' | 'dead', [number, number][]>} */
  const lines = { ready: [], leased: [], dead: [] };
  for (let i = 0; i < Math.min(rows.length, MOST_MOMENTS * DEPTH); i += DEPTH) {
    const [at = 0, ready = 0, leased = 0, waiting = 0, , dead = 0] = rows.subarray(i, i + DEPTH);
    lines.ready.push([at, ready + waiting]);
    lines.leased.push([at, leased]);
    lines.dead.push([at, dead]);
  }
  return steps({
    title: words.depth,
    lines: [
      { name: words.ready, points: lines.ready },
      { name: words.leased, points: lines.leased },
      { name: words.dead, points: lines.dead, loud: true },
    ],
    width,
    words: { x: words.moments[0] ?? '', numbers: common.numbers },
    xText: shortSpan,
  });
}

/** Each attempt, with its deliveries and whose they were. @param {Run} run */
function attempts({ leases, event }) {
  /** @type {{ deliveries: number, jobs: Set<number>, event: number }[]} */
  const all = [];
  for (let i = 0; i < leases.length; i += LEASE) {
    const [, job = 0, attempt = 0] = leases.subarray(i, i + LEASE);
    while (all.length <= attempt) all.push({ deliveries: 0, jobs: new Set(), event: 0 });
    const one = all[attempt];
    if (!one) continue;
    one.deliveries += 1;
    one.jobs.add(job);
    one.event = leases[i + LEASE - 2] ?? 0;
  }
  return all.map(({ deliveries, jobs, event: position }) => ({
    deliveries,
    jobs: jobs.size,
    last: event(position)?.job_id ?? '',
  }));
}

/** @param {Run} run @param {Words} words @param {number} width */
function histogram(run, words, width) {
  const rows = attempts(run);
  const row = 26;
  const at = { ...plot(width, rows.length * row + 8, 76), bottom: rows.length * row };
  const most = Math.max(1, ...rows.map(({ deliveries }) => deliveries));
  const x = scaleLinear([0, most], [0, Math.max(40, at.right - at.left - 130)]);
  const content = rows.map(({ deliveries, jobs, last }, attempt) => {
    const y = attempt * row + 4;
    const alone = attempt > 0 && jobs === 1;
    return svg`
      <text class="row-name" x=${at.left - 8} y=${y + 13} text-anchor="end">${fill(words.attempt, { attempt })}</text>
      <rect class="bar ${alone ? 'full' : ''}" x=${at.left} y=${y} width=${Math.max(2, x(deliveries))} height=${row - 8} />
      <text class=${alone ? 'outside-name' : ''} x=${at.left + x(deliveries) + 8} y=${y + 13}>
        ${deliveries}${alone ? `, ${fill(words.one, { job: last })}` : ''}</text>`;
  });
  const table = numbers(
    common.numbers,
    words.columns,
    rows.map(({ deliveries, jobs }, attempt) => [attempt, deliveries, jobs]),
  );
  return figure({ at, title: words.histogram, content, table });
}

/** @type {Spec} */
export const spec = {
  own: (run, text, width) => {
    const words = /** @type {Words} */ (text);
    return html`<h2>${words.title}</h2>
      <p>${words.caption}</p>
      ${depth(run, words, width)} ${histogram(run, words, width)}`;
  },
};
