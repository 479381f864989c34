/**
 * Where things are in the timeline: across in pixels of the whole run at a zoom, of which the
 * viewport shows a piece; down in pixels of the lanes. Text is never scaled by the width.
 *
 * @import { Run } from '../../core.js'
 * @import { Axis } from '../../playback.js'
 * @import { Viewport } from './viewport.js'
 */
import { firstFrom } from '../flat.js';

/** Below this width the lanes carry their names above themselves. */
const NARROW = 600;
/** A monospaced letter of the timeline's 12 px. */
export const LETTER = 7.3;

/** With more idle times than this they do not stand between the moments of the scale. */
const NAMED = 2;

/** From one row of words to the next. */
export const WORDS = 15;

/** A piece of idle time that the axis leaves out. @typedef {{ from: number, to: number }} Gap */
/** @typedef {ReturnType<typeof geometry>} Geometry */

/** @param {string} job empty where there is no room for its name */
export const tokenWidth = (job) => (job ? job.length * LETTER + 14 : 8);

/** The lanes of a run, by number. @param {Run} run */
export function lanesOf({ summary: { lanes } }) {
  const ledger = lanes.workers + 1 + Number(lanes.vendor);
  return { workers: lanes.workers, vendor: lanes.vendor ? lanes.workers + 1 : 0, ledger };
}

/**
 * @param {Run} run @param {Axis} axis @param {number} width @param {number} zoom
 * @param {string} job the name of the first job, for which there is room at the left
 */
export function geometry(run, axis, width, zoom, job) {
  const narrow = width < NARROW;
  const dense = run.summary.crowded;
  const lanes = lanesOf(run);
  const down = dense ? denseLanes(lanes) : detailedLanes(lanes, run.summary.jobs, narrow);
  const curve = narrow ? 12 : 24;
  const start = dense ? (narrow ? 26 : 92) : narrow ? 0 : 92;
  const left = dense ? start + 4 : start + tokenWidth(job) + curve + 4;
  const end = Math.max(left + 40, width - (narrow ? 14 : 22));
  const right = left + (end - left) * zoom;
  const scale = (right - left) / Math.max(1, axis.endMs);
  const idle = gaps(run.breaks);
  const idleRows = idle.length <= NAMED ? 0 : 2;
  const toMs = interpolation(axis.pairs);
  return {
    ...down,
    narrow,
    dense,
    lanes,
    width,
    zoom,
    curve,
    /** Where the lanes' lines begin, and time zero and the end of time. */
    start,
    left,
    right,
    /** As far as a name may reach. */
    edge: right + (width - end),
    /** @param {number} us */
    x: (us) => left + toMs(us) * scale,
    /** @param {number} ms */
    xOfMs: (ms) => left + ms * scale,
    /** How far the picture is moved to the left. @param {Viewport} view */
    offset: (view) => view.from * scale,
    gaps: idle,
    /** How many rows of their own the words have for what is left out, where it is much. */
    idleRows,
    height: down.height + WORDS * idleRows,
  };
}

/** From one job's row in the queue to the next. */
const ROW = 34;

/** @param {ReturnType<typeof lanesOf>} lanes @param {number} jobs @param {boolean} narrow */
function detailedLanes({ workers, vendor, ledger }, jobs, narrow) {
  // Below a lane and above the next there are words of their own where several jobs are told.
  const pitch = jobs > 1 || (narrow && workers <= 3) ? 72 : 58;
  const queue = 50 + ROW * (jobs - 1);
  const last = queue + pitch * workers;
  const money = last + 62 + (vendor ? 76 : 0);
  return {
    pitch,
    bar: 28,
    /** Each job has its own row in the queue. @param {number} job */
    yOfJob: (job) => 50 + ROW * job,
    axis: money + (narrow ? 50 : 44),
    height: money + (narrow ? 82 : 78),
    /** @param {number} lane */
    y: (lane) =>
      lane === ledger
        ? money
        : vendor && lane === vendor
          ? last + 66
          : queue + pitch * Math.min(lane, workers),
  };
}

/** The height of the queue's areas, and of the money's columns, where there are many jobs. */
export const DEPTH = 56;
export const COLUMN = 34;

/** @param {ReturnType<typeof lanesOf>} lanes */
function denseLanes({ workers, vendor, ledger }) {
  const pitch = workers <= 8 ? 30 : workers <= 16 ? 22 : workers <= 28 ? 15 : 11;
  const queue = 18 + DEPTH;
  const first = queue + 16 + pitch / 2;
  const last = first + pitch * (workers - 1) + pitch / 2;
  const money = last + 24 + (vendor ? COLUMN + 22 : 0);
  return {
    pitch,
    bar: pitch - (pitch > 14 ? 6 : 3),
    yOfJob: () => queue,
    axis: money + COLUMN + 12,
    height: money + COLUMN + 48,
    /** @param {number} lane */
    y: (lane) =>
      lane === 0
        ? queue
        : lane === ledger
          ? money
          : vendor && lane === vendor
            ? last + 24
            : first + pitch * (lane - 1),
  };
}

/** The axis as a function, for many questions. @param {ArrayLike<number>} pairs (at_us, play_ms) */
function interpolation(pairs) {
  const count = pairs.length / 2;
  return (/** @type {number} */ us) => {
    if (count < 2) return 0;
    const i = Math.max(
      1,
      Math.min(
        count - 1,
        firstFrom(count, (at) => pairs[2 * at], us),
      ),
    );
    // No list is made of them: this is asked for every mark.
    const left = pairs[2 * i - 2];
    const from = pairs[2 * i - 1];
    const right = pairs[2 * i];
    const to = pairs[2 * i + 1];
    if (us >= right) return to;
    return right > left ? from + ((us - left) / (right - left)) * (to - from) : from;
  };
}

/** @param {ArrayLike<number>} breaks pairs of from and to @returns {Gap[]} */
function gaps(breaks) {
  const found = [];
  for (let i = 0; i + 1 < breaks.length; i += 2) found.push({ from: breaks[i], to: breaks[i + 1] });
  return found;
}
