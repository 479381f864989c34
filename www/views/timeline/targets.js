/**
 * What can be pointed at and walked through: the marks where they are drawn, and the bars.
 *
 * @import { Bar, Mark, Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { MarkKind } from '../../core.js';
import { firstFrom, moneyLane } from '../flat.js';
import { DEPTH } from './geometry.js';

/** How far from a mark it still answers: its target is at least 24 px wide. */
const REACH = 14;
/** A mark may be drawn so far beside its moment. */
const ASIDE = 80;

/** Kinds that are drawn where something arrives. */
const MONEY = new Set([
  MarkKind.Wrote,
  MarkKind.WroteAgain,
  MarkKind.AlreadyWritten,
  MarkKind.Paid,
  MarkKind.PaidAgain,
  MarkKind.Replayed,
  MarkKind.Declined,
  MarkKind.Unavailable,
  MarkKind.Started,
]);

/** A mark with its place in world pixels, which is looked up when it is asked for. */
export class Target {
  #mark;
  #g;
  /** @type {{ x: number, y: number } | undefined} */
  #place;

  /** @param {Mark} mark @param {Geometry} g */
  constructor(mark, g) {
    this.#mark = mark;
    this.#g = g;
    this.event = mark.event;
    this.at = mark.at;
    this.job = mark.job;
    this.kind = mark.kind;
    this.lane = mark.lane;
    this.attempt = mark.attempt;
    this.to = mark.to;
  }

  get x() {
    return this.#at.x;
  }

  get y() {
    return this.#at.y;
  }

  get #at() {
    this.#place ??= place(this.#mark, this.#g);
    return this.#place;
  }
}

/** One for each event that shows, in the order in which they happen. @param {Picture} picture @param {Geometry} g */
export const targets = ({ marks }, g) =>
  marks.filter((mark, i) => mark.event !== marks[i - 1]?.event).map((mark) => new Target(mark, g));

/** @param {Mark} mark @param {Geometry} g */
function place(mark, g) {
  const { kind, lane, at, to } = mark;
  const x = g.x(at);
  if (MONEY.has(kind)) return { x, y: g.y(moneyLane(mark)) };
  if (kind === MarkKind.Called || kind === MarkKind.ReplyLost) {
    return { x, y: (g.y(lane) + g.y(to)) / 2 };
  }
  if (g.dense) {
    if (kind === MarkKind.Leased) return { x, y: g.y(to) };
    return { x, y: g.y(lane) - (lane === 0 ? 10 : 0) };
  }
  if (kind === MarkKind.Sent) return { x: (g.start + x - g.curve) / 2, y: g.y(0) };
  if (kind === MarkKind.Leased) return { x, y: g.y(to) - g.bar / 2 };
  if (kind === MarkKind.Expired) return { x, y: g.y(lane) - g.bar / 2 };
  if (kind === MarkKind.Dead) return { x: x + 10, y: g.y(0) };
  return { x, y: g.y(lane) };
}

/** How many of them have happened. @param {Target[]} all @param {number} cursor */
export const happened = (all, cursor) => firstFrom(all.length, (i) => all[i].event, cursor);

/** The place of an event's mark in the list; -1 if it has none. @param {Target[]} all @param {number} event */
export function placeOf(all, event) {
  const i = firstFrom(all.length, (at) => all[at].event, event);
  return all[i]?.event === event ? i : -1;
}

/**
 * The mark under a point, among the first so many.
 * @param {Target[]} all @param {number} count @param {Geometry} g @param {number} x @param {number} y
 */
export function markAt(all, count, g, x, y) {
  const high = Math.max(g.dense ? 6 : REACH + 4, Math.min(REACH, g.pitch / 2));
  let nearest = -1;
  let least = Infinity;
  // Their moments rise, so the ones nearby follow each other.
  let i = firstFrom(count, (at) => g.x(all[at].at), x - ASIDE);
  for (; i < count && g.x(all[i].at) <= x + ASIDE; i += 1) {
    const [dx, dy] = [Math.abs(all[i].x - x), Math.abs(all[i].y - y)];
    if (dx > REACH || dy > high) continue;
    const far = dx * dx + 2 * dy * dy;
    if (far <= least) [nearest, least] = [i, far];
  }
  return nearest;
}

/** The bar under a point. @param {Picture} picture @param {Geometry} g @param {number} x @param {number} y @returns {Bar | undefined} */
export function barAt({ workOf, aloneOf }, g, x, y) {
  for (let lane = 1; lane <= g.lanes.workers; lane += 1) {
    if (Math.abs(g.y(lane) - y) > g.bar / 2 + 1) continue;
    for (const bars of [workOf.get(lane) ?? [], aloneOf.get(lane) ?? []]) {
      const bar = bars[firstFrom(bars.length, (at) => g.x(bars[at].end), x)];
      if (bar && g.x(bar.start) <= x) return bar;
    }
  }
  return undefined;
}

/** How the queue is at a place of its areas. @param {Picture} picture @param {Geometry} g @param {number} x @param {number} y */
export function depthAt({ depth }, g, x, y) {
  if (!g.dense || y > g.y(0) || y < g.y(0) - DEPTH) return undefined;
  return depth[firstFrom(depth.length, (i) => g.x(depth[i].at), x + 0.5) - 1];
}
