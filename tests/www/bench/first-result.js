// From the page's first script line to the first result on screen, in Chromium: cold
// (a new browser, nothing cached) and warm (the same page again). Medians of ten.

import { chromium } from '@playwright/test';
import { serve } from '../server.js';

const TIMES = 10;

const server = await serve(0);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** @param {import('@playwright/test').Page} page */
async function load(page) {
  await page.goto(`http://127.0.0.1:${port}/`);
  return page.evaluate(async () => {
    const at = (/** @type {string} */ name) => performance.getEntriesByName(name)[0]?.startTime;
    while (at('at-least-once:first-result') === undefined) {
      await new Promise((done) => setTimeout(done, 5));
    }
    const result = /** @type {number} */ (at('at-least-once:first-result'));
    return { script: result - /** @type {number} */ (at('at-least-once:start')), all: result };
  });
}

/** @type {{ script: number, all: number }[]} */
const cold = [];
/** @type {{ script: number, all: number }[]} */
const warm = [];
for (let time = 0; time < TIMES; time += 1) {
  const executablePath = process.env.AT_LEAST_ONCE_CHROMIUM;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  cold.push(await load(page));
  warm.push(await load(page));
  await browser.close();
}
server.close();

/** @param {number[]} values */
const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (
    (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
  );
};
for (const [name, loads] of /** @type {const} */ ([
  ['cold', cold],
  ['warm', warm],
])) {
  const script = median(loads.map((load) => load.script)).toFixed(0);
  const all = median(loads.map((load) => load.all)).toFixed(0);
  process.stdout.write(
    `  ${name}  ${script.padStart(5)} ms  (${all} ms from the click on the link)\n`,
  );
}
