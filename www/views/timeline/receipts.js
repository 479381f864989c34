/**
 * Where receipts stand: each as near as can be to where its money falls, none over another, all of
 * them within the picture.
 *
 * @import { Mark } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { grouped, moneyLane } from '../flat.js';
import { RECEIPTS } from './kinds.js';
import { stubWidth } from './shapes.js';

/** Between two receipts; each comes out of a slot that is a little wider. */
const BETWEEN = 8;
/** From the last one to the edge. */
const MARGIN = 4;

/**
 * The middle of each receipt, by its event.
 * @param {Mark[]} marks @param {Geometry} g @param {(mark: Mark) => string} textOf what is on it
 * @returns {Map<number, number>}
 */
export function receipts(marks, g, textOf) {
  /** @type {Map<number, number>} */
  const places = new Map();
  const paid = marks.filter(({ kind }) => RECEIPTS.has(kind));
  for (const lane of grouped(paid, moneyLane).values()) {
    const boxes = lane.map((mark) => ({
      event: mark.event,
      x: g.x(mark.at),
      half: stubWidth(g, textOf(mark)) / 2,
    }));
    let free = Number.NEGATIVE_INFINITY;
    for (const box of boxes) {
      box.x = Math.max(box.x, free + box.half);
      free = box.x + box.half + BETWEEN;
    }
    let edge = g.edge - MARGIN;
    for (const { event, x, half } of boxes.toReversed()) {
      const place = Math.min(x, edge - half);
      places.set(event, place);
      edge = place - half - BETWEEN;
    }
  }
  return places;
}
