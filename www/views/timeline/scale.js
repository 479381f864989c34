/**
 * The scale: round times, and what the axis leaves out.
 *
 * @import { Run } from '../../core.js'
 * @import { Gap, Geometry } from './geometry.js'
 */

import { svg } from 'lit';
import { spanText } from '../../core.js';
import texts from '../../text/en/timeline.json';
import { fill, shortSpan } from '../../words.js';
import { firstFrom } from '../flat.js';
import { LETTER } from './geometry.js';
import { label, zigzag } from './shapes.js';

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Round steps of time, the largest first; each divides the one before, so that they mix. */
const STEPS = [
  ...[100, 50, 10, 5, 1].map((days) => days * DAY),
  ...[12, 6, 1].map((hours) => hours * HOUR),
  ...[30, 10, 5, 1].map((minutes) => minutes * MINUTE),
  ...[30, 10, 5, 1].map((seconds) => seconds * SECOND),
  ...[500, 100, 50, 10, 5, 1].map((ms) => ms * 1000),
];

/** So many times of one step are tried: more would stand too close. */
const MOST_TIMES = 2000;
/** So many idle times are named: the rest have only their sign. */
const NAMED = 4;
/** A step that divides the run into fewer parts is always a good one. */
const COARSE = 16;
/** Between two times of a step. */
const LEAST = 52;
/** Between two words. */
const ROOM = 14;
/** So far the words of an idle time may stand from its sign. */
const ASIDE = 36;

/**
 * Words and signs along the scale, at world pixels.
 * @typedef {{ x: number, from: number, text: string, gap: boolean }} Mark
 */

/** @param {Run} run @param {Geometry} g @param {number[]} notable times that are always named @returns {Mark[]} */
export function scale(run, g, notable) {
  const words = new Taken();
  const signs = new Taken();
  /** @type {Mark[]} */
  const marks = [];
  const put = (/** @type {number} */ x, /** @type {string} */ text, gap = false, aside = 0) => {
    const width = text.length * LETTER;
    const from = Math.max(g.narrow ? 2 : g.start, Math.min(x + aside - width / 2, g.edge - width));
    const half = gap ? 12 : 2;
    if (text && !words.has(from - ROOM / 2, from + width + ROOM / 2)) return false;
    if (!signs.has(x - half, x + half)) return false;
    if (text) words.take(from - ROOM / 2, from + width + ROOM / 2);
    signs.take(x - half, x + half);
    marks.push({ x, from, text, gap });
    return true;
  };
  put(g.left, spanText(0));
  const end = run.summary.end_us;
  for (const us of [end, ...notable]) put(g.x(us), shortSpan(us));
  // The longest idle times come first: their signs must have room.
  const gaps = g.gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const middle = (/** @type {Gap} */ { from, to }) => (g.x(from) + g.x(to)) / 2;
  for (const gap of gaps.slice(0, NAMED * g.zoom)) {
    const x = middle(gap);
    const text = fill(texts.idle, { idle: shortSpan(gap.to - gap.from) });
    // A sign without its word is better than none.
    [0, ASIDE, -ASIDE].some((aside) => put(x, text, true, aside)) || put(x, '', true);
  }
  for (const step of STEPS) {
    if (end / step > MOST_TIMES) break;
    const coarse = step * COARSE > end;
    for (let us = step; us <= end; us += step) {
      // In a picture of few jobs a time inside of what is left out would stand anywhere.
      if (!g.dense && isInGap(g, us)) continue;
      if (coarse || isWide(g, us, step)) put(g.x(us), spanText(us));
    }
  }
  for (const gap of gaps.slice(NAMED * g.zoom)) put(middle(gap), '', true);
  return marks.toSorted((a, b) => a.x - b.x);
}

/** Whether the times of a step have room around one of them: single odd ones are no scale. @param {Geometry} g @param {number} us @param {number} step */
const isWide = (g, us, step) =>
  g.x(us + step) - g.x(us) > LEAST || g.x(us) - g.x(us - step) > LEAST;

/** @param {Geometry} g @param {number} us */
const isInGap = (g, us) => {
  const { gaps } = g;
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (gaps[half].to <= us) low = half + 1;
    else high = half;
  }
  return low < gaps.length && gaps[low].from < us && us < gaps[low].to;
};

/** Stretches of a line that are taken, by cells, so that few are looked through. */
class Taken {
  /** @type {Map<number, [number, number][]>} */
  #cells = new Map();

  /** Whether a stretch is free. @param {number} from @param {number} to */
  has(from, to) {
    return cells(from, to).every(
      (cell) => !this.#cells.get(cell)?.some(([a, b]) => a < to && from < b),
    );
  }

  /** @param {number} from @param {number} to */
  take(from, to) {
    for (const cell of cells(from, to)) {
      this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), [from, to]]);
    }
  }
}

const CELL = 16;

/** @param {number} from @param {number} to */
function cells(from, to) {
  const first = Math.floor(from / CELL);
  return Array.from({ length: Math.floor(to / CELL) - first + 1 }, (_, i) => first + i);
}

/**
 * The scale between two places in world pixels.
 * @param {Mark[]} marks @param {Geometry} g @param {number} left @param {number} right
 */
export const scaleView = (marks, g, left, right) =>
  marks
    .slice(
      firstFrom(marks.length, (i) => marks[i].x, left),
      firstFrom(marks.length, (i) => marks[i].x, right),
    )
    .map(({ x, from, text, gap }) => [
      gap ? zigzag(x, g.axis) : svg`<path class="tick" d="M${x} ${g.axis - 4}v8"></path>`,
      label({ x: from, text }, g.axis + 24, gap ? '' : 'moment'),
    ]);
