// The larger wasm build under Node, on the work of benches/w1.rs and benches/w2.rs: prints one
// line of JSON. A run goes on by slices, so that the engine's optimiser gets in between; the
// first of all, which pays for it, is told apart.

import { readFileSync } from 'node:fs';

const TURNS = 5;
/** Steps: about 20,000 events. */
const SLICE = 20_000;

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url));
/** @param {string} path */
const settings = (path) => Object.entries(JSON.parse(read(path).toString())).flat();

// By a name, so that type checks do not need this build.
const built = '../../../www/pkg-explorer/at_least_once.js';
const glue = await import(built);
const bytes = read('../../../www/pkg-explorer/at_least_once_bg.wasm');
const module = new WebAssembly.Module(bytes);
glue.initSync({ module });

/** @param {() => number} work */
function seconds(work) {
  const start = performance.now();
  const counted = work();
  return { counted, seconds: (performance.now() - start) / 1000 };
}

function w1() {
  const run = new glue.Count(settings('../../../benches/w1.json'));
  while (run.advance(SLICE) === SLICE);
  const events = run.events();
  run.free();
  return events;
}

const w2 = () => glue.explore_all(settings('../../../benches/w2.json'), 'paid-once');

/** @param {{ counted: number, seconds: number }[]} runs */
const median = (runs) => {
  const sorted = runs.map((run) => run.seconds).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
};

const first = seconds(w1);
const runs = Array.from({ length: TURNS }, () => seconds(w1));
const firstSearch = seconds(w2);
const searches = Array.from({ length: TURNS }, () => seconds(w2));
process.stdout.write(
  `${JSON.stringify({
    events: first.counted,
    w1_first_s: first.seconds,
    w1_s: median(runs),
    states: firstSearch.counted,
    w2_first_s: firstSearch.seconds,
    w2_s: median(searches),
  })}\n`,
);
