/**
 * The core hands a run's picture over as rows of numbers; here each becomes an object again, once
 * for a run, with what is looked up in them by lane and by job.
 *
 * @import { Run } from '../core.js'
 *
 * @typedef {{ lane: number, kind: number, at: number, job: number, attempt: number, event: number, to: number }} Mark
 * @typedef {{ lane: number, kind: number, start: number, end: number, job: number, attempt: number, event: number, flags: number }} Bar
 * @typedef {{ lane: number, job: number, attempt: number, from: number, deadline: number, ended: number, receipt: number, first: number, last: number }} Lease
 * @typedef {{ at: number, ready: number, leased: number, waiting: number, done: number, dead: number }} Depth
 * @typedef {ReturnType<typeof read>} Picture
 */
import { BarKind } from '../core.js';

/** Bit 0 of a bar's flags: the lease was over. */
export const LATE = 1;

/** @type {WeakMap<Run, Picture>} */
const known = new WeakMap();

/** @param {Run} run */
export function pictureOf(run) {
  const picture = known.get(run) ?? read(run);
  known.set(run, picture);
  return picture;
}

/** @param {Run} run */
function read(run) {
  const marks = [...eachMark(run.marks)];
  const leases = [...eachLease(run.leases)];
  const leasesOfJob = grouped(leases, (lease) => lease.job);
  const bars = cutAtLeases([...eachBar(run.bars)], leasesOfJob);
  return {
    marks,
    bars,
    leases,
    depth: [...eachDepth(run.depth)],
    /** What each lane works on, and what it leaves alone, in the order in which they begin. */
    workOf: byLane(bars.filter(({ lane, kind }) => lane > 0 && kind !== BarKind.Unattended)),
    aloneOf: byLane(bars.filter(({ kind }) => kind === BarKind.Unattended)),
    waitsOfJob: grouped(
      bars.filter(({ kind }) => kind === BarKind.Backoff),
      (bar) => bar.job,
    ),
    marksOfJob: grouped(marks, (mark) => mark.job),
    leasesOfJob,
  };
}

/**
 * A step goes on when its lease is over, also where no other worker has taken the job meanwhile:
 * from there on its bar is late.
 * @param {Bar[]} bars @param {Map<number, Lease[]>} leasesOfJob in the order in which they begin
 */
function cutAtLeases(bars, leasesOfJob) {
  return bars.flatMap((bar) => {
    if (bar.lane === 0 || bar.kind === BarKind.Unattended || bar.flags & LATE) return [bar];
    const lease = leasesOfJob
      .get(bar.job)
      ?.findLast(
        ({ lane, attempt, from }) =>
          lane === bar.lane && attempt === bar.attempt && from <= bar.start,
      );
    if (!lease || lease.ended >= bar.end) return [bar];
    const late = { ...bar, start: Math.max(bar.start, lease.ended), flags: bar.flags | LATE };
    return lease.ended > bar.start ? [{ ...bar, end: lease.ended }, late] : [late];
  });
}

/** @param {Bar[]} bars */
const byLane = (bars) =>
  grouped(
    bars.toSorted((a, b) => a.start - b.start),
    (bar) => bar.lane,
  );

/** The lane at which a mark's money, or its refusal, shows. @param {Mark} mark */
export const moneyLane = ({ lane, to }) => (to > 0 ? to : lane);

/** @template T @template {number | string} K @param {T[]} all @param {(one: T) => K} key @returns {Map<K, T[]>} */
export function grouped(all, key) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const one of all) {
    const name = key(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

/** The first place in a sorted list whose value is not below. @param {number} length @param {(i: number) => number} at @param {number} value */
export function firstFrom(length, at, value) {
  let [low, high] = [0, length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (at(half) < value) low = half + 1;
    else high = half;
  }
  return low;
}

/** @param {ArrayLike<number>} flat */
export function* eachMark(flat) {
  for (let i = 0; i + 6 < flat.length; i += 7) {
    yield {
      lane: flat[i],
      kind: flat[i + 1],
      at: flat[i + 2],
      job: flat[i + 3],
      attempt: flat[i + 4],
      event: flat[i + 5],
      to: flat[i + 6],
    };
  }
}

/** @param {ArrayLike<number>} flat */
export function* eachBar(flat) {
  for (let i = 0; i + 7 < flat.length; i += 8) {
    yield {
      lane: flat[i],
      kind: flat[i + 1],
      start: flat[i + 2],
      end: flat[i + 3],
      job: flat[i + 4],
      attempt: flat[i + 5],
      event: flat[i + 6],
      flags: flat[i + 7],
    };
  }
}

/** @param {ArrayLike<number>} flat */
function* eachLease(flat) {
  for (let i = 0; i + 8 < flat.length; i += 9) {
    yield {
      lane: flat[i],
      job: flat[i + 1],
      attempt: flat[i + 2],
      from: flat[i + 3],
      deadline: flat[i + 4],
      ended: flat[i + 5],
      receipt: flat[i + 6],
      first: flat[i + 7],
      last: flat[i + 8],
    };
  }
}

/** @param {ArrayLike<number>} flat */
function* eachDepth(flat) {
  for (let i = 0; i + 5 < flat.length; i += 6) {
    yield {
      at: flat[i],
      ready: flat[i + 1],
      leased: flat[i + 2],
      waiting: flat[i + 3],
      done: flat[i + 4],
      dead: flat[i + 5],
    };
  }
}
