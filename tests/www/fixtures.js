// What every browser test shares: a page that is watched for errors and for requests to
// other origins, and the lab's controls by their accessible names, which are a contract.

import { test as base, expect } from '@playwright/test';

export { expect };

/**
 * @import { Locator, Page, PlaywrightTestArgs, PlaywrightTestOptions, TestType } from '@playwright/test'
 * @import { PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test'
 *
 * @typedef {PlaywrightTestArgs & PlaywrightTestOptions & { expected: RegExp }} Each
 * @typedef {PlaywrightWorkerArgs & PlaywrightWorkerOptions} Shared
 */

/** @type {TestType<Each, Shared>} */
export const test = base.extend({
  /** What the console may say in this test. */
  expected: [/^$/, { option: true }],
  page: async ({ page, baseURL, expected }, use) => {
    /** @type {Set<string>} */
    const wrong = new Set();
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected.test(message.text()))
        wrong.add(`console: ${message.text()}`);
    });
    // Firefox reports what a policy forbids as an error of the page.
    page.on('pageerror', ({ message }) => {
      if (!expected.test(message)) wrong.add(`page: ${message}`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== baseURL) wrong.add(request.url());
    });
    await use(page);
    expect([...wrong], 'errors, and requests to other origins').toEqual([]);
  },
});

/**
 * Types into a field as a reader does. (Firefox sends no change event for a field that was
 * filled by a script.)
 * @param {Locator} field @param {string} text
 */
export async function enter(field, text) {
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text);
  await field.press('Enter');
}

/** The lab on a page. @param {Page | Locator} page */
export function lab(page) {
  const button = (/** @type {string} */ name) => page.getByRole('button', { name, exact: true });
  const rows = (/** @type {string} */ name) =>
    page
      .getByRole('table', { name, exact: true })
      .locator('tbody tr', { hasNot: page.getByText('Nothing yet.') });
  const time = page.getByRole('slider', { name: 'Time' });
  const verdict = page.getByRole('status', { name: 'Verdict' });
  return {
    run: button('Run'),
    pause: button('Pause'),
    step: button('Step'),
    stepBack: button('Step back'),
    restart: button('Restart'),
    newSeed: button('New seed'),
    allSettings: button('All settings'),
    seed: page.getByRole('textbox', { name: 'Seed' }),
    time,
    verdict,
    guard: page.getByRole('switch', { name: 'Idempotency guard' }),
    tasks: page.getByRole('region', { name: 'Tasks' }).getByRole('listitem'),
    /** The button that puts a crash there. @param {string} point @param {number} attempt */
    crash: (point, attempt) => button(`Crash ${point}, attempt ${attempt}`),
    /** The button that chooses an attempt. @param {number} attempt */
    attempt: (attempt) =>
      page.getByRole('group', { name: 'Attempt', exact: true }).getByRole('button').nth(attempt),
    prediction: page.getByRole('group', { name: 'Prediction' }),
    attempts: rows('Attempts'),
    ledger: rows('Ledger'),
    log: rows('Log'),
    rows,
    /** What was last told to those who cannot see it. */
    told: page.locator('.unseen[role="status"]'),
    /** Runs to the end at the page's own speed. */
    async runToEnd() {
      await button('Run').click();
      await expect(button('Pause')).toBeVisible();
      await expect(button('Run')).toBeVisible({ timeout: 30_000 });
    },
    /** Goes to the end at once, by the slider. */
    async seekEnd() {
      await time.focus();
      await time.press('End');
    },
  };
}
