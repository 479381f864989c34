// Simulated events per second in wasm under Node, with nothing recorded: prints one
// number, the median of seven sweeps. benches/sweep.rs is the same natively.

import { Session } from '../shipped.js';

const RUNS = 20_000;

const session = new Session('double-refund', {});
const rates = Array.from({ length: 7 }, () => {
  const start = performance.now();
  const { events } = session.sweep(RUNS);
  return (events / (performance.now() - start)) * 1000;
});
rates.sort((a, b) => a - b);
process.stdout.write(`${Math.round(rates[3])}\n`);
