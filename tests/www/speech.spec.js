// What is said to who cannot see: an act of the reader's has one voice, however much it changes.

import { enter, expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

/** Listens to what speaks by itself. @param {Page} page */
async function listen(page) {
  await page.locator('at-least-once').evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const live =
      ':is([role="status"], [role="alert"], output, [aria-live]):not([aria-live="off"], [aria-hidden="true"])';
    /** @type {Set<Element>} */
    const spoken = new Set();
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const place = target instanceof Element ? target : target.parentElement;
        const region = place?.closest(live);
        if (region) spoken.add(region);
        for (const added of addedNodes) {
          if (!(added instanceof Element)) continue;
          for (const alert of added.querySelectorAll('[role="alert"]')) spoken.add(alert);
        }
      }
    }).observe(root, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { spoken });
  });
  /** What an act has made them say. @param {() => Promise<unknown>} act */
  return async (act) => {
    await page.evaluate(() => /** @type {any} */ (globalThis).spoken.clear());
    await act();
    return page.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { spoken } = /** @type {{ spoken: Set<Element> }} */ (
        /** @type {unknown} */ (globalThis)
      );
      return [...spoken].map((it) => it.textContent?.replace(/\s+/g, ' ').trim()).filter(Boolean);
    });
  };
}

test('an act is told once', async ({ page }) => {
  await page.goto('/#double-refund');
  const { attempt, allSettings, crash, guard, runToEnd, seekEnd, step, verdict } = lab(page);
  await expect(verdict).toBeAttached();
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('8');
  const told = await listen(page);
  expect(await told(() => step.click())).toEqual(['0 s. job_17 is put into the queue.']);
  await attempt(1).click();
  expect(await told(() => crash('after the write', 1).click())).toHaveLength(1);
  // The run ends, and a task is done.
  const end = await told(seekEnd);
  expect(end).toEqual([expect.stringMatching(/^Task done: Let the second.*Paid 59\.97/)]);
  expect(await told(() => guard.click())).toHaveLength(1);
  expect(await told(runToEnd)).toEqual([expect.stringMatching(/Paid 19\.99/)]);
  // The last event, one step at a time.
  await lab(page).stepBack.click();
  expect(await told(() => step.click())).toEqual([expect.stringMatching(/acks.*Paid 19\.99/)]);
  expect(await told(() => page.keyboard.press('Control+z'))).toHaveLength(1);
  await allSettings.click();
  const workers = page.getByRole('textbox', { name: 'Workers', exact: true });
  await expect(workers).toHaveCount(2);
  const refused = await told(() => enter(workers.last(), '51'));
  expect(refused).toEqual([expect.stringMatching(/51.*not possible for Workers/)]);
  await expect(workers.first()).toHaveAccessibleDescription(/from 1 to 50 workers/);
});

test('what was refused is not told again by a search', async ({ page }) => {
  await page.goto('/#double-refund');
  await lab(page).allSettings.click();
  const all = page.locator('.all-settings');
  const search = all.getByRole('searchbox');
  const retries = all.getByRole('textbox', { name: 'Attempts at most' });
  await enter(retries, '0');
  await expect(retries).toHaveAttribute('aria-invalid', 'true');
  // The field is the same element, wherever it stands now.
  await retries.evaluate((field) => field.setAttribute('data-same', ''));
  const told = await listen(page);
  expect(await told(() => search.fill('attempts at most'))).toEqual(['One setting.']);
  await expect(retries).toHaveAttribute('data-same', '');
  await expect(retries).toHaveAccessibleDescription(/not possible/);
  expect(await told(() => search.fill(''))).toEqual([expect.stringMatching(/^\d+ settings/)]);
});

test('a filter tells what it has found, and not each entry that a run adds', async ({ page }) => {
  await page.goto('/#double-refund');
  const { seekEnd, step, stepBack } = lab(page);
  await seekEnd();
  await stepBack.click();
  await page.getByRole('button', { name: 'Filter and copy' }).click();
  const kind = page.getByRole('combobox', { name: 'Kind' });
  await expect(kind.getByRole('option', { name: 'acked' })).toBeAttached();
  const told = await listen(page);
  expect(await told(() => kind.selectOption('acked'))).toEqual([
    expect.stringMatching(/^0 of \d+ entries\.$/),
  ]);
  expect(await told(() => step.click())).toEqual([expect.stringMatching(/acks/)]);
  await expect(page.getByText(/^\s*1 of \d+ entries/)).toBeVisible();
});
