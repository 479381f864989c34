/**
 * What words should not lie on: bars, and the lines between the lanes. They are where the signs
 * will be drawn, close enough to keep a word clear of them.
 *
 * @import { Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { MarkKind } from '../../core.js';
import { moneyLane } from '../flat.js';
import { SLOT } from './shapes.js';

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** The height of a word above its baseline, and below it. */
const ASCENT = 10;
const DESCENT = 3;

export class Obstacles {
  /** @type {Box[]} */
  #boxes;

  /** @param {Picture} picture @param {Geometry} g */
  constructor(picture, g) {
    this.#boxes = [...barsOf(picture, g), ...flagsOf(picture, g), ...linesOf(picture, g)];
  }

  /** Whether a word there would lie on nothing. @param {number} left @param {number} width @param {number} baseline */
  areClearOf(left, width, baseline) {
    const [right, top, bottom] = [left + width, baseline - ASCENT, baseline + DESCENT];
    return !this.#boxes.some(
      (box) => box.left < right && left < box.right && box.top < bottom && top < box.bottom,
    );
  }
}

/** @param {Picture} picture @param {Geometry} g @returns {Box[]} */
const barsOf = ({ bars }, g) =>
  bars
    .filter(({ lane }) => lane > 0 && lane <= g.lanes.workers)
    .map(({ lane, start, end }) => ({
      left: g.x(start),
      right: g.x(end),
      top: g.y(lane) - g.bar / 2,
      bottom: g.y(lane) + g.bar / 2,
    }));

/** @param {Picture} picture @param {Geometry} g @returns {Box[]} */
const flagsOf = ({ leases }, g) =>
  leases
    .filter(({ ended, deadline }) => ended >= deadline)
    .map(({ lane, deadline }) => ({
      left: g.x(deadline) - 8,
      right: g.x(deadline) + 1,
      top: g.y(lane) - g.bar / 2 - 8,
      bottom: g.y(lane) - g.bar / 2,
    }));

/** @param {Picture} picture @param {Geometry} g @returns {Box[]} */
function linesOf({ marks }, g) {
  /** Where each job's message came back to the queue. @type {Map<number, number>} */
  const returned = new Map();
  return marks.flatMap((mark) => {
    const x = g.x(mark.at);
    const queue = g.yOfJob(Math.max(0, mark.job));
    switch (mark.kind) {
      case MarkKind.Leased: {
        const back = returned.get(mark.job) ?? 0;
        const [top, bottom] = [queue + 8, g.y(mark.to) - g.bar / 2 - 6];
        if (x - g.curve >= back) {
          return { left: x - 0.65 * g.curve, right: x - 0.35 * g.curve, top, bottom };
        }
        // It begins aside, under its token, and is straight further down.
        const [aside, bend] = [Math.max(0, back + 8 - x), (top + bottom) / 2];
        return [
          { left: x, right: x + aside, top, bottom: bend },
          { left: x, right: x + 0.3 * aside, top: bend, bottom },
        ];
      }
      case MarkKind.Expired:
      case MarkKind.GaveBack:
        returned.set(mark.job, x + 10);
        return { left: x, right: x + 2, top: queue, bottom: g.y(mark.lane) - g.bar / 2 };
      case MarkKind.Deploy:
        return { left: x, right: x + 1, top: 14, bottom: g.axis };
      default: {
        const lane = moneyLane(mark);
        if (lane <= g.lanes.workers || mark.lane > g.lanes.workers || mark.lane === 0) return [];
        const [top, bottom] = [g.y(mark.lane) + g.bar / 2, g.y(lane) - SLOT];
        return { left: x - 1, right: x + 1, top, bottom };
      }
    }
  });
}
