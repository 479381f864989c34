// Ten labs on a page, all in view, against one: the time until all are painted, from the click on
// the link. Medians of seven, each in a new browser.

import { chromium } from '@playwright/test';
import { serve } from '../server.js';

const TIMES = 7;

const server = await serve(0);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** @param {number} count */
async function paint(count) {
  const executablePath = process.env.AT_LEAST_ONCE_CHROMIUM;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  // Tall enough that every lab is in view.
  const page = await browser.newPage({ viewport: { width: 1280, height: 24_000 } });
  await page.addInitScript(() => {
    let compiled = 0;
    for (const name of /** @type {const} */ (['instantiate', 'instantiateStreaming'])) {
      const real = /** @type {Function} */ (WebAssembly[name]);
      Object.assign(WebAssembly, {
        [name]: (/** @type {unknown[]} */ ...given) => {
          compiled += 1;
          return real.apply(WebAssembly, given);
        },
      });
    }
    Object.assign(globalThis, { compiled: () => compiled });
  });
  await page.goto(`http://127.0.0.1:${port}/host/${count === 1 ? 'default' : 'ten'}.html`);
  const measured = await page.evaluate(async (wanted) => {
    const painted = () =>
      [...document.querySelectorAll('at-least-once')].filter((it) =>
        it.shadowRoot?.querySelector('.picture svg'),
      ).length;
    while (painted() < wanted) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return { ms: performance.now(), compiled: /** @type {any} */ (globalThis).compiled() };
  }, count);
  await browser.close();
  return measured;
}

/** @param {number} count */
async function median(count) {
  const runs = [];
  for (let time = 0; time < TIMES; time += 1) runs.push(await paint(count));
  runs.sort((a, b) => a.ms - b.ms);
  return { ms: runs[(TIMES - 1) / 2].ms, compiled: Math.max(...runs.map((run) => run.compiled)) };
}

const one = await median(1);
const ten = await median(10);
server.close();
process.stdout.write(`  one lab   ${one.ms.toFixed(0).padStart(6)} ms\n`);
process.stdout.write(
  `  ten labs  ${ten.ms.toFixed(0).padStart(6)} ms, ${ten.compiled} wasm compile\n`,
);
process.stdout.write(
  `  ten / one ${(ten.ms / one.ms).toFixed(2).padStart(6)}   (bar: at most 3)\n`,
);
if (ten.compiled !== 1) throw new Error(`the wasm was compiled ${ten.compiled} times`);
