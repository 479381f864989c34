/**
 * Every start of the work over its lease: where the work sticks out, nobody guards it.
 *
 * @import { Run } from '../core.js'
 */
import { scaleLinear } from 'd3-scale';
import { svg } from 'lit';
import { fill, shortSpan } from '../words.js';
import { figure, numbers, plot, timeTicks, xAxis } from './frame.js';

const ROW = 40;
/** A run without end shows its beginning. */
const MOST = 8;
const MOST_EVENTS = 500;

/** The events with which the work of an attempt is over. */
const ENDS = new Set([
  'acked',
  'ack-late',
  'ack-lost',
  'crashed',
  'gave-back',
  'failed',
  'stepped-back',
]);

/**
 * @typedef {object} Start
 * @property {string} worker
 * @property {number} from
 * @property {number} to when its worker was done
 * @property {number} lease when its lease was over, or would have been
 * @property {{ at: number, refused: boolean }[]} beats
 */

/** @param {Run} run @returns {Start[]} */
function starts(run) {
  /** @type {Map<string, Start>} */
  const all = new Map();
  for (const record of run.events(0, Math.min(MOST_EVENTS, run.summary.events))) {
    const { at_us: at, event, worker = '', attempt } = record;
    const name = `${record.job_id}/${record.copy ?? 0}/${attempt}`;
    if (event === 'leased') {
      const lease = record.deadline_us ?? at;
      all.set(name, { worker, from: at, to: run.summary.end_us, lease, beats: [] });
    }
    const start = all.get(name);
    if (!start) continue;
    if (event === 'beat') {
      const refused = record.detail !== 'extended';
      start.beats.push({ at, refused });
      if (!refused && record.deadline_us !== undefined) start.lease = record.deadline_us;
    }
    if (ENDS.has(event)) start.to = at;
  }
  return [...all.values()].slice(0, MOST);
}

/**
 * @param {object} data
 * @param {Run} data.run
 * @param {number} data.width
 * @param {{ title: string, caption: string, work: string, lease: string, beat: string, refused: string, outside: string, columns: string[] }} data.words
 * @param {string} data.numbersName
 */
export function startsChart({ run, width, words, numbersName }) {
  const rows = starts(run);
  const at = plot(width, rows.length * ROW + 54, 26);
  const end = Math.max(1, ...rows.flatMap(({ to, lease }) => [to, Math.min(lease, to * 1.5 + 1)]));
  const x = scaleLinear([0, end], [at.left, at.right]);
  const content = svg`
    ${rows.map(({ worker, from, to, lease, beats }, place) => {
      const y = at.top + place * ROW;
      const held = Math.min(lease, end);
      return svg`
        <text class="row-name" x="2" y=${y + 17}>${worker}</text>
        <rect class="lease-band" x=${x(from)} y=${y + 2} width=${Math.max(1, x(held) - x(from))} height="24" rx="3" />
        <rect class="attempt-bar" x=${x(from)} y=${y + 9} width=${Math.max(1, x(to) - x(from))} height="10" rx="2" />
        ${
          to > lease
            ? svg`<rect class="outside" x=${x(lease)} y=${y + 9} width=${x(to) - x(lease)} height="10" rx="2" />
          <text class="outside-name" x=${x(to) - 4} y=${y + 33} text-anchor="end">${fill(words.outside, { time: shortSpan(to - lease) })}</text>`
            : ''
        }
        ${beats.map(({ at: when, refused }) =>
          refused
            ? svg`<path class="crash-mark" d="M${x(when) - 4} ${y + 2}l8 8m0 -8l-8 8" />`
            : svg`<path class="beat-mark" d="M${x(when)} ${y}v8" />`,
        )}`;
    })}
    ${xAxis(
      at,
      timeTicks(end, 1e6).map((value) => ({ at: x(value), text: shortSpan(value) })),
      '',
    )}`;
  const table = numbers(
    numbersName,
    words.columns,
    rows.map(({ worker, from, to, lease }) => [
      shortSpan(from),
      worker,
      shortSpan(to),
      shortSpan(lease),
      shortSpan(Math.max(0, to - lease)),
    ]),
  );
  return figure({ at, title: words.title, caption: words.caption, content, table });
}
