// Every chapter as a reader goes through it: the run to its end, then all that its picture can play.

import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, lab, test } from './fixtures.js';

const site = JSON.parse(
  readFileSync(new URL('../../www/text/en/site.json', import.meta.url), 'utf8'),
);
/** @type {string[]} */
const ids = site.contents.map((/** @type {string[]} */ chapter) => chapter[0]);

/** Chapters whose picture is the timeline alone. */
const NO_PICTURE = new Set(['double-refund']);

for (const id of ids) {
  test(`${id}: all of it plays, is accessible, and is there in words`, async ({ page }) => {
    await page.goto(`/#${id}`);
    const { log, seekEnd, verdict } = lab(page);
    await seekEnd();
    await expect(verdict).toContainText(/Paid \d/);
    await expect(log).not.toHaveCount(0);
    if (!NO_PICTURE.has(id)) {
      const picture = page.locator('.chapter-picture');
      await expect(picture.locator('.chart, .variant, table').first()).toBeVisible();
      for (const play of await picture.getByRole('button', { name: /^Play/ }).all()) {
        await play.click();
        await expect(play).toHaveText('Play again', { timeout: 60_000 });
      }
      for (const numbers of await picture.locator('.numbers summary').all()) {
        await numbers.click();
        await expect(numbers.locator('xpath=..').getByRole('table')).toBeVisible();
      }
      // What is drawn is there as numbers too, and what a variant has paid as a list.
      const images = await picture.locator('svg[role=img]').all();
      for (const image of images) {
        await expect(image).toHaveAccessibleName(/\w/);
        const words = image.locator(
          'xpath=ancestor::*[self::figure or self::section or self::tr][1]',
        );
        const rows = words.locator('tbody tr, .receipt li, td');
        expect(await rows.count(), (await image.getAttribute('aria-label')) ?? '').toBeGreaterThan(
          0,
        );
      }
      const tables = await picture.locator('table').all();
      expect(tables.length + (await picture.locator('.receipt, .checks').count())).toBeGreaterThan(
        0,
      );
      for (const table of tables) {
        expect(await table.locator('th[scope=col]').count()).toBeGreaterThan(1);
        expect(await table.locator('th[scope=row]').count()).toBeGreaterThan(0);
      }
    }
    const part = NO_PICTURE.has(id) ? '.lab' : '.chapter-picture';
    const { violations } = await new AxeBuilder({ page })
      .include(/** @type {any} */ ([['at-least-once', part]]))
      .analyze();
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual(
      [],
    );
  });
}

test('keys: a stable key is replayed twice, the first time to nobody', async ({ page }) => {
  await page.goto('/#keys');
  await lab(page).seekEnd();
  const stable = page.locator('.variant', { hasText: 'stable' });
  await expect(stable.locator('.replayed-mark')).toHaveCount(2);
  await expect(
    page.locator('.variant', { hasText: 'per-attempt' }).locator('.replayed-mark'),
  ).toHaveCount(0);
});
