// How smooth the lab is with 50 workers and 1,000 jobs, in Chromium at 1280 px: the 95th
// percentile of the time between frames and the longest task, while it plays and while its slider
// is dragged from end to end.

import { chromium } from '@playwright/test';
import { serve } from '../server.js';

const PLAY_MS = 5_000;
const DRAG_STEPS = 100;
/** The load itself is not what is watched. */
const REST_MS = 1_000;

const server = await serve(0);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const browser = await chromium.launch({
  executablePath: process.env.AT_LEAST_ONCE_CHROMIUM,
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`http://127.0.0.1:${port}/host/crowd.html`);
// By class: to look for names would itself be a long task in the page.
const slider = page.locator('input.time');
const run = page.locator('button.run');
await slider.waitFor({ timeout: 120_000 });
await page.locator('.picture').scrollIntoViewIfNeeded();
await page.waitForTimeout(REST_MS);

/** Watches frames and tasks while something goes on. @param {() => Promise<void>} act */
async function watched(act) {
  await page.evaluate(() => {
    const seen = { frames: /** @type {number[]} */ ([]), longest: 0, going: true };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) seen.longest = Math.max(seen.longest, task.duration);
    }).observe({ type: 'longtask' });
    let last = performance.now();
    requestAnimationFrame(function frame(now) {
      seen.frames.push(now - last);
      last = now;
      if (seen.going) requestAnimationFrame(frame);
    });
  });
  await act();
  return page.evaluate(() => {
    const { seen } =
      /** @type {typeof window & { seen: { frames: number[], longest: number, going: boolean } }} */ (
        window
      );
    seen.going = false;
    const sorted = seen.frames.slice(1).toSorted((a, b) => a - b);
    return {
      count: sorted.length,
      middle: sorted[Math.floor(sorted.length / 2)] ?? 0,
      p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
      longest: seen.longest,
    };
  });
}

/** @param {string} name @param {Awaited<ReturnType<typeof watched>>} of */
const print = (name, { count, middle, p95, longest }) => {
  const task = longest ? `longest task ${longest.toFixed(0)} ms` : 'no task over 50 ms';
  process.stdout.write(
    `  ${name.padEnd(9)} p95 ${p95.toFixed(1)} ms, median ${middle.toFixed(1)} ms of ${count} frames; ${task}\n`,
  );
};

print(
  'playing',
  await watched(async () => {
    await run.click();
    await page.waitForTimeout(PLAY_MS);
    await run.click();
  }),
);
print(
  'scrubbing',
  await watched(async () => {
    const box = await slider.boundingBox();
    if (!box) throw new Error('the slider is not in the page');
    await page.mouse.move(box.x + 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2, { steps: DRAG_STEPS });
    await page.mouse.move(box.x + 8, box.y + box.height / 2, { steps: DRAG_STEPS });
    await page.mouse.up();
  }),
);
print(
  'zooming',
  await watched(async () => {
    const zoom = (/** @type {string} */ name) => page.locator(`[aria-label="${name}"]`);
    for (let time = 0; time < 5; time += 1) await zoom('Zoom in').click();
    for (let time = 0; time < 5; time += 1) await zoom('Zoom out').click();
  }),
);

await browser.close();
server.close();
