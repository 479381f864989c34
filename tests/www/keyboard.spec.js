// Every control is reached and worked by the keyboard alone.

import { expect, lab, test } from './fixtures.js';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('@playwright/test').Locator} Locator */

/** Finds the focused element through shadow roots, and all controls; lives in the page. */
const inPage = () => {
  /** @param {ParentNode} root @returns {Element[]} */
  const everything = (root) =>
    [...root.querySelectorAll('*')].flatMap((element) =>
      element.shadowRoot ? [element, ...everything(element.shadowRoot)] : [element],
    );
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const controls = () =>
    everything(document).filter(
      (element) =>
        element.matches(selector) &&
        !element.matches(':disabled, [tabindex="-1"]') &&
        element.checkVisibility({ visibilityProperty: true }),
    );
  const focused = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  // Of a group of radio buttons one is a stop; the arrows go to the others.
  const stop = (/** @type {Element | null} */ element) =>
    element instanceof HTMLInputElement && element.type === 'radio'
      ? `radio ${element.name}`
      : element;
  Object.assign(globalThis, { controls, focused, stop });
};

/** Tab, until this is focused. @param {Locator} control */
async function tabTo(control) {
  const page = control.page();
  for (let times = 0; times < 120; times += 1) {
    const here = await control.evaluate(
      (element) => /** @type {ShadowRoot} */ (element.getRootNode()).activeElement === element,
    );
    if (here) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${control}`);
}

/** Tab starts over at the top of the page. @param {Page} page */
const restartTabbing = (page) =>
  page.evaluate(() => {
    /** @type {any} */ (globalThis).focused()?.blur();
    getSelection()?.collapse(document.body, 0);
  });

test.beforeEach(async ({ page }) => {
  await page.addInitScript(inPage);
  await page.goto('/#double-refund');
  await expect(lab(page).run).toBeVisible();
});

test('Tab reaches every control and leaves the lab again', async ({ page }) => {
  // The controls of the timeline come when somebody turns to the lab.
  await page.locator('at-least-once').hover();
  await expect(page.getByRole('listbox', { name: 'Events in the timeline' })).toBeVisible();
  const { count } = await page.evaluate(() => {
    const all = /** @type {any} */ (globalThis);
    for (const details of all
      .controls()
      .filter((/** @type {Element} */ e) => e.matches('summary'))) {
      details.parentElement.open = true;
    }
    all.reached = new Set();
    return { count: all.controls().length };
  });
  expect(count).toBeGreaterThan(10);
  for (let times = 0; times < count + 2; times += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => {
      const all = /** @type {any} */ (globalThis);
      all.reached.add(all.stop(all.focused()));
    });
  }
  const missed = await page.evaluate(() => {
    const all = /** @type {any} */ (globalThis);
    return all
      .controls()
      .filter((/** @type {Element} */ element) => !all.reached.has(all.stop(element)))
      .map((/** @type {Element} */ element) => element.outerHTML);
  });
  expect(missed).toEqual([]);
});

test('playing, stepping and scrubbing', async ({ page }) => {
  const { ledger, log, pause, restart, run, step, stepBack, time } = lab(page);
  const { keyboard } = page;
  await tabTo(run);
  await keyboard.press('Enter');
  await expect(pause).toBeFocused();
  await keyboard.press('Space');
  await expect(run).toBeFocused();

  await tabTo(restart);
  await keyboard.press('Enter');
  await expect(log).toHaveCount(0);
  await restartTabbing(page);
  await tabTo(step);
  await keyboard.press('Enter');
  await keyboard.press('Space');
  await expect(log).toHaveCount(2);
  await restartTabbing(page);
  await tabTo(stepBack);
  await keyboard.press('Enter');
  await expect(log).toHaveCount(1);

  await tabTo(time);
  await keyboard.press('End');
  await expect(ledger).toHaveCount(2);
  const end = await time.inputValue();
  await keyboard.press('ArrowLeft');
  await expect(time).not.toHaveValue(end);
  await keyboard.press('ArrowRight');
  await expect(time).toHaveValue(end);
  await keyboard.press('Home');
  await expect(time).toHaveValue('0');
  await expect(ledger).toHaveCount(0);
});

test('predicting, crashing, guarding and seeding', async ({ page }) => {
  const { attempt, crash, guard, newSeed, prediction, seed } = lab(page);
  const { keyboard } = page;
  await tabTo(prediction.getByRole('radio').first());
  await keyboard.press('ArrowDown');
  await expect(prediction.getByRole('radio').nth(1)).toBeChecked();

  await tabTo(attempt(1));
  await keyboard.press('Enter');
  await expect(attempt(1)).toHaveAttribute('aria-pressed', 'true');
  await restartTabbing(page);
  await tabTo(crash('after the write', 1));
  await keyboard.press('Space');
  await expect(crash('after the write', 1)).toHaveAttribute('aria-pressed', 'true');
  await expect(crash('after the write', 1)).toBeFocused();
  await keyboard.press('Enter');
  await expect(crash('after the write', 1)).toHaveAttribute('aria-pressed', 'false');

  await tabTo(guard);
  await keyboard.press('Space');
  await expect(guard).toBeChecked();
  await keyboard.press('Enter');
  await expect(guard).not.toBeChecked();
  await tabTo(seed);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('4711');
  await keyboard.press('Enter');
  await expect(seed).toHaveValue('4711');
  await tabTo(newSeed);
  await keyboard.press('Enter');
  await expect(seed).not.toHaveValue('4711');
});
