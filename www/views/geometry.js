/**
 * Where things are in the timeline, in pixels of the width that there is: text is never scaled.
 *
 * @import { Run } from '../core.js'
 * @import { Axis } from '../playback.js'
 */

/** Below this width the lanes carry their names above themselves. */
const NARROW = 600;
/** A monospaced letter of the timeline's 12 px. */
export const LETTER = 7.3;
const BAR = 28;

/** A piece of idle time that the axis leaves out. @typedef {{ from: number, to: number }} Gap */

/** @param {number} job */
export const tokenWidth = (/** @type {string} */ job) => job.length * LETTER + 14;

/** @param {Run} run @param {Axis} axis @param {number} width */
export function geometry(run, axis, width) {
  const narrow = width < NARROW;
  const { workers } = run.summary;
  const pitch = workers <= 3 ? (narrow ? 72 : 56) : workers <= 8 ? 58 : 48;
  const token = tokenWidth(run.event(0)?.job_id ?? '');
  const curve = narrow ? 12 : 24;
  const left = (narrow ? 0 : 92) + token + curve + 4;
  const right = Math.max(left + 40, width - (narrow ? 14 : 22));
  const queue = 50;
  const ledger = queue + pitch * workers + 62;
  const scale = (right - left) / Math.max(1, axis.endMs);
  return {
    narrow,
    width,
    height: ledger + (narrow ? 74 : 66),
    bar: BAR,
    curve,
    /** Where the lanes' lines begin, and time zero and the end of time. */
    start: narrow ? 0 : 92,
    left,
    right,
    axis: ledger + (narrow ? 50 : 42),
    /** @param {number} lane */
    y: (lane) => (lane === 0 ? queue : lane > workers ? ledger : queue + pitch * lane),
    /** @param {number} us */
    x: (us) => left + axis.toMs(us) * scale,
    gaps: gaps(run.breaks),
  };
}

/** @typedef {ReturnType<typeof geometry>} Geometry */

/** @param {ArrayLike<number>} breaks pairs of from and to @returns {Gap[]} */
function gaps(breaks) {
  const found = [];
  for (let i = 0; i + 1 < breaks.length; i += 2) found.push({ from: breaks[i], to: breaks[i + 1] });
  return found;
}

/** Puts words into rows, left to right, so that none covers another. */
export class Rows {
  /** @type {Map<string, number>} */
  #taken = new Map();

  /** @param {number} left @param {number} right */
  constructor(left, right) {
    this.left = left;
    this.right = right;
  }

  /** The same rows, to try words in. */
  copy() {
    const rows = new Rows(this.left, this.right);
    for (const [row, until] of this.#taken) rows.take(row, until);
    return rows;
  }

  /** @param {string} row @param {number} until */
  take(row, until) {
    this.#taken.set(row, Math.max(until, this.#taken.get(row) ?? this.left));
  }

  /**
   * The first of the texts that has room at x, moved aside by no more than `slide`.
   * @param {string} row
   * @param {number} x where it should begin, or its middle
   * @param {string[]} texts the longest first
   * @param {{ until?: number, middle?: boolean, slide?: number }} [how]
   * @returns {{ x: number, text: string } | undefined}
   */
  place(row, x, texts, { until = this.right, middle = false, slide = 60 } = {}) {
    const free = this.#taken.get(row) ?? this.left;
    for (const text of texts) {
      const width = text.length * LETTER;
      const wanted = middle ? x - width / 2 : x;
      const at = Math.max(Math.min(wanted, until - width), free);
      if (at + width > until + 0.5 || Math.abs(at - wanted) > slide) continue;
      this.#taken.set(row, at + width + 10);
      return { x: at, text };
    }
    return undefined;
  }
}
