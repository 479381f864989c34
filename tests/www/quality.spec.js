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

test('a narrow screen asks where an attempt goes wrong, and tells two points apart', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  let pairs = 0;
  for (const chapter of ['keys', 'timeout-too-short', 'two-ledgers', 'open-transaction']) {
    await page.goto(`/#${chapter}`);
    await expect(page.getByText('Where does attempt 0 go wrong? Press +.')).toBeVisible();
    const looks = await page
      .locator('.point + .point')
      .evaluateAll((points) =>
        points.map((point) =>
          [point.previousElementSibling, point].map((it) =>
            [it?.className, it?.querySelector('.crash')?.classList.contains('lost')].join(),
          ),
        ),
      );
    pairs += looks.length;
    for (const [one, other] of looks) expect(one, chapter).not.toBe(other);
  }
  expect(pairs).toBeGreaterThan(0);
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

test("a word's explanation opens at the word, inside of the window", async ({ page }) => {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
    [320, 500],
  ]) {
    await page.setViewportSize({ width, height });
    await page.goto(`/?width=${width}#double-refund`);
    const words = page.locator('.term');
    await expect(words.first()).toBeVisible();
    for (const word of await words.all()) {
      await word.focus();
      await word.press('Enter');
      const meaning = page.locator('.meaning:popover-open');
      await expect(meaning).toBeVisible();
      const [at, open] = [await word.boundingBox(), await meaning.boundingBox()];
      if (!at || !open) throw new Error('it is not in the page');
      const apart = Math.max(open.y - at.y - at.height, at.y - open.y - open.height);
      expect(apart, 'it touches the word and does not cover it').toBeCloseTo(6, 0);
      expect(open.x).toBeLessThan(at.x + at.width);
      expect(open.x + open.width).toBeGreaterThan(at.x);
      expect(Math.min(open.x, open.y)).toBeGreaterThanOrEqual(0);
      expect(open.x + open.width).toBeLessThanOrEqual(width);
      expect(open.y + open.height).toBeLessThanOrEqual(height);
      await page.keyboard.press('Escape');
      await expect(meaning).toHaveCount(0);
      await expect(word).toBeFocused();
    }
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
  // What happened is read in lines, not in a column of single words.
  const log = page.getByRole('table', { name: 'Log' });
  await expect(log.getByRole('columnheader')).toHaveCount(2);
});

// Firefox takes the medium from what it really does.
test('on paper there is the code in force, the whole log and no controls', {
  tag: '@chromium',
}, async ({ page }) => {
  // As wide as a page of paper: the code is folded there.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.goto('/#keys');
  await lab(page).seekEnd();
  await expect(page.locator('.variant .receipt').first()).toBeVisible();
  await page.getByRole('button', { name: 'Filter and copy' }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toBeVisible();
  await expect(page.locator('.code .lines')).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.code .lines')).toBeVisible();
  const { shown, cut } = await page.evaluate(() => {
    const { shadowRoot } = /** @type {Element} */ (document.querySelector('at-least-once'));
    const all = [...document.querySelectorAll('*'), ...(shadowRoot?.querySelectorAll('*') ?? [])];
    const visible = all.filter((it) => it.checkVisibility());
    // A crash that is planned, a row's time, a word and what broke are read as text.
    const text = '.crash[aria-pressed="true"], .pick, .term, .badge button';
    return {
      shown: visible
        .filter((it) => it.matches('button, select, input, textarea') && !it.matches(text))
        .map((it) => it.outerHTML.slice(0, 80)),
      cut: visible
        .filter((it) => !['visible', 'clip'].includes(getComputedStyle(it).overflowY))
        .filter((it) => it.scrollHeight > it.clientHeight + 1 && !it.matches('.unseen'))
        .map((it) => it.className),
    };
  });
  expect(shown).toEqual([]);
  expect(cut).toEqual([]);
});
