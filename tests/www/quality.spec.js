// What holds for the page as a whole, light and dark (the projects of the configuration):
// accessibility, narrow screens, reduced motion, no storage.

import AxeBuilder from '@axe-core/playwright';
import { expect, lab, test } from './fixtures.js';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** @param {import('@playwright/test').Page} page */
async function expectAccessible(page) {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
  expect(found).toEqual([]);
}

/** @param {import('@playwright/test').Page} page */
const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('the page is seen in the colours of its project', async ({ page }, { project }) => {
  await page.goto('/#double-refund');
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  expect(dark).toBe(project.name.endsWith('dark'));
});

test('axe finds nothing: before, in the middle, at the end', async ({ page }) => {
  await page.goto('/#double-refund');
  const { seekEnd, step, guard, run } = lab(page);
  await expect(run).toBeVisible();
  await expectAccessible(page);
  for (let times = 0; times < 6; times += 1) await step.click();
  await expectAccessible(page);
  await seekEnd();
  await expectAccessible(page);
  await guard.click();
  await seekEnd();
  await expectAccessible(page);
});

test('axe finds nothing on a course page', async ({ page }) => {
  await page.goto('/host/embed.html');
  await lab(page).seekEnd();
  await expectAccessible(page);
});

test('320 px wide: no sideways scroll, nothing that axe finds', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/#double-refund');
  await expect(lab(page).run).toBeVisible();
  expect(await sideways(page)).toBe(0);
  await lab(page).seekEnd();
  expect(await sideways(page)).toBe(0);
  await expectAccessible(page);
});

test('no storage is needed', async ({ page }) => {
  await page.addInitScript(() => {
    const blocked = {
      get() {
        throw new DOMException('storage is blocked', 'SecurityError');
      },
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(globalThis, name, blocked);
    }
    Object.defineProperty(Document.prototype, 'cookie', blocked);
  });
  await page.goto('/#double-refund');
  await lab(page).seekEnd();
  await expect(lab(page).ledger).toHaveCount(2);
});

test('axe finds nothing while everything is open', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/#double-refund');
  const { allSettings, seekEnd } = lab(page);
  await seekEnd();
  await allSettings.click();
  await page.getByRole('button', { name: 'Filter and copy' }).click();
  await expect(page.getByRole('searchbox')).toHaveCount(2);
  // A dozen controls say as much as all of them, in a fraction of the time.
  await page.getByRole('searchbox', { name: 'Search the settings' }).fill('queue.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keyboard' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await expectAccessible(page);
});

test('with forced colours: nothing that axe finds, and what is on is marked', {
  tag: '@forced-colours',
}, async ({ browserName, page }) => {
  // Firefox is started with its own setting for it.
  if (browserName === 'chromium') await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/#double-refund');
  expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
  await lab(page).seekEnd();
  await expectAccessible(page);
  const outlined = await lab(page)
    .attempt(0)
    .evaluate((button) => getComputedStyle(button).outlineStyle);
  expect(outlined).toBe('solid');
});

test('everything that is pressed is at least 24 px wide and high', async ({ page }) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/?width=${width}#double-refund`);
    const { allSettings, seekEnd } = lab(page);
    await seekEnd();
    await allSettings.click();
    await expect(page.getByRole('searchbox')).toBeVisible();
    const small = await page.locator('at-least-once').evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll('button, select, input:not([type=radio])') ?? [])]
        .filter((control) => control.checkVisibility())
        .map((control) => ({
          html: control.outerHTML.slice(0, 80),
          box: control.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width < 23.9 || box.height < 23.9)
        .map(({ html, box }) => `${html}: ${box.width} × ${box.height}`),
    );
    expect(small).toEqual([]);
  }
});

test('text at 200 %: nothing runs off sideways', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%';
    });
  });
  await page.goto('/#double-refund');
  await lab(page).seekEnd();
  expect(await sideways(page)).toBe(0);
  await expect(lab(page).ledger).toHaveCount(2);
});
