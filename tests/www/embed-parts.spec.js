// What a page shows of a lab, and what it keeps as it is.

import { expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

/** @param {Page} page @param {string} attributes */
async function place(page, attributes) {
  await page.goto('/host/empty.html');
  await page.evaluate((given) => {
    const holder = document.createElement('div');
    // A test page has no policy, and this is how an author writes it.
    holder.innerHTML = `<at-least-once ${given}></at-least-once>`;
    document.body.append(holder);
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', src: '/at-least-once.js' });
    document.head.append(script);
  }, attributes);
}

test('without a word about it, everything is shown', async ({ page }) => {
  await place(page, '');
  const { guard, prediction, run } = lab(page);
  await expect(run).toBeVisible();
  await expect(prediction).toBeVisible();
  await expect(guard).toBeVisible();
  await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Log' })).toBeVisible();
});

test('controls names the parts that are shown', async ({ page }) => {
  await place(page, 'controls="transport verdict tables"');
  const { guard, prediction, run, seekEnd, ledger, verdict } = lab(page);
  await expect(run).toBeVisible();
  await expect(prediction).toHaveCount(0);
  await expect(guard).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Log' })).toHaveCount(0);
  await seekEnd();
  await expect(ledger).toHaveCount(1);
  await expect(verdict).toBeVisible();
  await page.locator('at-least-once').evaluate((it) => it.setAttribute('controls', 'slice'));
  await expect(guard).toBeVisible();
  await expect(run).toHaveCount(0);
});

test('a bare lab fetches words when it has something to say in them', async ({ page }) => {
  /** @type {string[]} */
  const parts = [];
  page.on('request', (request) => {
    const [, name] = /assets\/(desk|double-refund)-/.exec(request.url()) ?? [];
    if (name) parts.push(name);
  });
  await place(page, 'controls="transport verdict" faults="0:after-write"');
  const { ledger, prediction, run, seekEnd, tasks, told, verdict } = lab(page);
  await expect(run).toBeVisible();
  expect(parts).toEqual([]);
  const set = (/** @type {string} */ name, /** @type {string} */ value) =>
    page
      .locator('at-least-once')
      .evaluate((it, [name, value]) => it.setAttribute(name, value), [name, value]);

  await set('faults', '0:after-write 1:after-write');
  await expect(told).toHaveText('Attempt 0 is killed after the write. The run starts over.');
  expect(parts).toEqual(['desk']);

  await set('guard', 'off');
  await seekEnd();
  await expect(verdict).toContainText('Paid 59.97');
  // Where no tasks are shown, none is said to be done.
  await expect(verdict).not.toContainText('Task done');
  expect(parts).toEqual(['desk']);

  await set('controls', 'prediction tasks tables');
  await expect(prediction).toBeVisible();
  await expect(tasks).not.toHaveCount(0);
  expect(parts).toEqual(['desk', 'double-refund']);
  await expect(ledger).toHaveCount(3);
});

test('predict="off" asks for none', async ({ page }) => {
  await place(page, 'predict="off"');
  await expect(lab(page).run).toBeVisible();
  await expect(lab(page).prediction).toHaveCount(0);
});

test('what is locked stays as it is for the reader, not for the page', async ({ page }) => {
  await place(page, 'guard="off" locked="guard faults"');
  const { crash, guard, ledger, seekEnd } = lab(page);
  await expect(guard).not.toBeChecked();
  await expect(guard).toBeDisabled();
  await expect(crash('after the write', 0)).toBeDisabled();
  await seekEnd();
  await expect(ledger).toHaveCount(3);
  await page.locator('at-least-once').evaluate((it) => it.setAttribute('guard', 'on'));
  await expect(guard).toBeChecked();
});

test('a locked setting has no control', async ({ page }) => {
  await place(page, 'locked');
  await expect(lab(page).run).toBeVisible();
  await expect(lab(page).seed).toHaveCount(0);
});

test('its language is said where the page has another', async ({ page }) => {
  await place(page, 'lang="de"');
  await expect(lab(page).run).toBeVisible();
  const language = await lab(page).run.evaluate((it) => it.closest('[lang]')?.getAttribute('lang'));
  expect(language).toBe('en');
});
