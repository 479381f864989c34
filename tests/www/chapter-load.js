// What each chapter adds when it is opened and run to its end, from another chapter: its words and
// its pictures. What all chapters share is there by then. Fails when one is over the bar.

import { readFileSync } from 'node:fs';
import { KB, kb, line, sum, weighing } from './weight.js';

const MOST = 12 * KB;

const { contents } = JSON.parse(
  readFileSync(new URL('../../www/text/en/site.json', import.meta.url), 'utf8'),
);

/** @param {import('./weight.js').Weighed} weighed @param {string} id */
async function toTheEnd({ page }, id) {
  await page.evaluate((to) => {
    location.hash = to;
  }, id);
  await page.waitForSelector(`at-least-once[experiment='${id}']`);
  const time = page.getByRole('slider', { name: 'Time' });
  await time.press('End');
  await page.locator('.lab .log').waitFor();
  await page.waitForLoadState('networkidle');
  // A picture is fetched when what it shows is there.
  await page.locator('.lab .log').scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
}

await weighing(async (newPage) => {
  line(['chapter', `at most ${MOST / KB} KB`, 'files']);
  for (const [id] of contents) {
    const weighed = await newPage();
    const from = id === 'keys' ? 'two-ledgers' : 'keys';
    await weighed.open(`#${from}`);
    await toTheEnd(weighed, from);
    weighed.fetched();
    await toTheEnd(weighed, id);
    const files = weighed.fetched();
    const weight = sum(files);
    line([id, kb(weight), String(files.length)]);
    if (!files.some(({ name }) => name.includes(id))) throw new Error(`${id} fetched no words`);
    if (weight > MOST) process.exitCode = 1;
    await weighed.page.close();
  }
});
