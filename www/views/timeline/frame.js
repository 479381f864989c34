/**
 * The ground of the picture: its lanes, and before the run the messages that wait. It is all that
 * a lab needs at first; the rest of the timeline is fetched when somebody turns to it.
 *
 * @import { TimelineData } from '../timeline.js'
 */
import { html, nothing, svg } from 'lit';
import { fill, page } from '../../words.js';
import { geometry, tokenWidth } from './geometry.js';

const words = page.timeline;

/** @typedef {ReturnType<typeof groundOf>} Ground */

/** @param {TimelineData} data @param {number} zoom */
export function groundOf({ run, axis, width }, zoom) {
  const unit = textUnit();
  const g = geometry(run, axis, width / unit, zoom, run.event(0)?.job_id ?? '');
  return { width, zoom, unit, g, names: laneNames(run.summary.lanes, g.dense && g.narrow) };
}

/** How large the reader's text is against the usual 16 px: the whole picture grows with it. */
export const textUnit = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/** @param {{ workers: number, vendor: boolean }} lanes @param {boolean} short */
const laneNames = ({ workers, vendor }, short) => [
  words.queue,
  ...Array.from({ length: workers }, (_, i) =>
    short ? workerName(i) : fill(words.worker, { worker: workerName(i) }),
  ),
  ...(vendor ? [words.vendor] : []),
  words.ledger,
];

/** A to Z, then AA, AB, … as the core names them. @param {number} i @returns {string} */
const workerName = (i) =>
  (i >= 26 ? workerName(Math.floor(i / 26) - 1) : '') + String.fromCharCode(65 + (i % 26));

/** A drawing of the size of the picture. @param {Ground} ground @param {unknown} content */
export const frame = ({ g, unit }, content) => html`<svg class="timeline"
  width=${g.width * unit} height=${g.height * unit} viewBox="0 0 ${g.width} ${g.height}">
  ${content}</svg>`;

/** @param {Ground} ground */
export function lanes({ g, names }) {
  // Where lanes are thinner than their names, every tenth is named.
  const every = g.pitch < 14 ? 10 : 1;
  const { workers } = g.lanes;
  return names.map((name, lane) => {
    const y = g.y(lane);
    const money = lane > workers;
    const named = lane === 0 || money || (lane - 1) % every === 0;
    const above = g.narrow && (!g.dense || lane === 0 || money);
    const high = g.dense && money ? 13 : lane === 0 && g.dense ? 60 : 20;
    // The queue's name stands above its first message.
    const top = lane === 0 && !g.dense ? g.yOfJob(0) : y;
    return svg`<path class="lane ${every > 1 && !named ? 'unnamed' : ''}" d="M${g.start} ${y}H${g.width}"></path>
      ${named ? svg`<text class="lane-name" x="0" y=${above ? top - high : y + 4}>${name}</text>` : nothing}`;
  });
}

/**
 * The message, waiting in the queue: filled when it is new, outlined when it came back.
 * @param {number} left @param {number} y
 * @param {string} job empty where there is no room for its name
 * @param {'full' | 'outline'} style
 */
export function token(left, y, job, style) {
  const width = tokenWidth(job);
  return svg`<g class="token ${style}">
    <rect x=${left} y=${y - (job ? 11 : 4)} width=${width} height=${job ? 22 : 8} rx="4"></rect>
    <text x=${left + width / 2} y=${y + 4}>${job}</text></g>`;
}

/** The picture before the run: nothing of the result is there yet. @param {TimelineData} data @param {Ground} ground */
export function beforeRun({ run, touched }, ground) {
  const { g } = ground;
  const sent = g.dense ? [] : run.events(0, run.summary.jobs);
  const waiting = sent.map(({ event, at_us, job_id: job = '' }, row) =>
    event === 'sent' && at_us === 0 && g.zoom === 1
      ? token(g.left - g.curve - tokenWidth(job), g.yOfJob(row), job, 'full')
      : nothing,
  );
  return frame(
    ground,
    svg`${lanes(ground)}${waiting}
      <text class="label before" x=${g.start + (g.width - g.start) / 2}
        y=${g.narrow && !g.dense ? g.y(1) + 24 : (g.y(1) + g.y(2)) / 2 + 5}>${touched ? words.changed : words.before}</text>`,
  );
}
