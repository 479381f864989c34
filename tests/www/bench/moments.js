// How long a moment of a long run takes in the page's wasm, wherever it lies: the reader drags the
// slider, and each frame asks for one.

import * as pkg from '../shipped.js';

const { Session } = pkg;
const STEPS = 400;

/** @type {Record<string, Record<string, string>>} */
const RUNS = {
  '50 workers, 1000 jobs': { 'workers.count': '50', 'job.count': '1000' },
  '50 workers, 2000 jobs': { 'workers.count': '50', 'job.count': '2000' },
  'one job for ever': { 'queue.max_attempts': '100000', faults: '*:after-write' },
};

/** @param {number[]} times */
function summed(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => sorted[Math.floor((sorted.length - 1) * part)];
  return { median_ms: at(0.5), p99_ms: at(0.99), most_ms: at(1) };
}

/** @param {() => unknown} work */
function ms(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const base = { guard: 'off', faults: '0:after-write' };
const out = Object.entries(RUNS).map(([name, settings]) => {
  const session = new Session('double-refund', { ...base, ...settings });
  const play_ms = ms(() => session.set('seed', '12'));
  const { events, end_us, workers } = session.summary();
  const cursors = Array.from({ length: STEPS }, (_, i) => Math.floor((events * i) / (STEPS - 1)));
  const times = (/** @type {(cursor: number) => unknown} */ work) =>
    summed(cursors.map((cursor) => ms(() => work(cursor))));
  const row = {
    name,
    events,
    play_ms,
    view: times((cursor) => session.view(cursor)),
    sight: times((cursor) => session.sight(cursor, cursor % workers)),
    cursor_at: times((cursor) => session.cursor_at(Math.floor((end_us * cursor) / events))),
    block: times((cursor) => session.events(cursor, cursor + 500)),
    picture_ms: ms(() => [session.bars(), session.marks(), session.leases(), session.depth()]),
  };
  session.free();
  return row;
});
process.stdout.write(`${JSON.stringify(out, null, 2)}\n`);
