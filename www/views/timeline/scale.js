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
import { LETTER, WORDS } from './geometry.js';
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
/** A step that divides the run into fewer parts is always a good one. */
const COARSE = 16;
/** Between two times of a step. */
const LEAST = 52;
/** Between two words. */
const ROOM = 14;
/** So far the words of an idle time may stand from its sign. */
const ASIDE = 36;

/**
 * Words and signs along the scale, at world pixels; `half` of the sign of an idle time.
 * @typedef {{ x: number, from: number, text: string, row: number, half: number }} Mark
 */

/** @param {Run} run @param {Geometry} g @param {number[]} notable times that are always named @returns {Mark[]} */
export function scale(run, g, notable) {
  const line = new Line(g);
  line.moment(g.left, spanText(0));
  const end = run.summary.end_us;
  for (const us of [end, ...notable]) line.moment(g.x(us), shortSpan(us));
  idle(line, g);
  for (const step of STEPS) {
    if (end / step > MOST_TIMES) break;
    const coarse = step * COARSE > end;
    for (let us = step; us <= end; us += step) {
      // A time inside of what is left out would stand anywhere.
      if (isInGap(g, us)) continue;
      if (coarse || isWide(g, us, step)) line.moment(g.x(us), spanText(us));
    }
  }
  return line.marks.toSorted((a, b) => a.x - b.x);
}

/**
 * What is left out, each with its length. They are told apart by it, so they are told alike: in
 * full where there is room for all of them.
 * @param {Line} line @param {Geometry} g
 */
function idle(line, g) {
  // The longest come first: their signs must have room.
  const gaps = g.gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const full = [texts.idle, '{idle}'].find((form) => {
    const trial = line.copy();
    return gaps.every((gap) => trial.gap(gap, form));
  });
  for (const gap of gaps) line.gap(gap, full ?? '{idle}') || line.gap(gap, '');
  // Where many waits follow each other, it is said when each of them is over.
  if (g.idleRows) for (const { to } of g.gaps) line.moment(g.x(to), shortSpan(to));
}

/** What stands along the scale so far. */
class Line {
  /** @type {Mark[]} */
  marks = [];
  #signs = new Taken();
  #rows = [new Taken(), new Taken(), new Taken()];
  #g;

  /** @param {Geometry} g */
  constructor(g) {
    this.#g = g;
  }

  /** The same line, to try words on. */
  copy() {
    const line = new Line(this.#g);
    for (const { x, text, row, half, from } of this.marks) line.#take(x, from, text, row, half);
    return line;
  }

  /** @param {number} x @param {string} text */
  moment(x, text) {
    return this.#put(x, text, 0, 0, 0);
  }

  /** An idle time, with words if there is room for them. @param {Gap} gap @param {string} form */
  gap({ from, to }, form) {
    const [left, right] = [this.#g.x(from), this.#g.x(to)];
    const half = Math.max(3, Math.min(10, (right - left) / 2 - 3));
    const text = fill(form, { idle: shortSpan(to - from) });
    const { idleRows } = this.#g;
    const rows = idleRows ? [1, 2].slice(0, idleRows) : [0];
    const asides = idleRows ? [0, ASIDE / 4, -ASIDE / 4] : [0, ASIDE, -ASIDE];
    return rows.some((row) =>
      asides.some((aside) => this.#put((left + right) / 2, text, aside, row, half)),
    );
  }

  /** @param {number} x @param {string} text @param {number} aside @param {number} row @param {number} half */
  #put(x, text, aside, row, half) {
    const { narrow, start, edge } = this.#g;
    const width = text.length * LETTER;
    const from = Math.max(narrow ? 2 : start, Math.min(x + aside - width / 2, edge - width));
    if (text && !this.#rows[row].has(from - ROOM / 2, from + width + ROOM / 2)) return false;
    const sign = half ? half + 2 : 2;
    if (!this.#signs.has(x - sign, x + sign)) return false;
    this.#take(x, from, text, row, half);
    return true;
  }

  /** @param {number} x @param {number} from @param {string} text @param {number} row @param {number} half */
  #take(x, from, text, row, half) {
    const sign = half ? half + 2 : 2;
    if (text) this.#rows[row].take(from - ROOM / 2, from + text.length * LETTER + ROOM / 2);
    this.#signs.take(x - sign, x + sign);
    this.marks.push({ x, from, text, row, half });
  }
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
    .map(({ x, from, text, row, half }) => [
      half ? zigzag(x, g.axis, half) : svg`<path class="tick" d="M${x} ${g.axis - 4}v8"></path>`,
      label({ x: from, text }, g.axis + 24 + WORDS * row, half ? '' : 'moment'),
    ]);
