// The pages around the lab: start, chapters, words, what is simulated; and what is remembered.

import AxeBuilder from '@axe-core/playwright';
import { expect, lab, test } from './fixtures.js';

test('the start page says what this is, and Run is on the first screen', async ({ page }) => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'What happens if this runs twice?',
    );
    const { run } = lab(page);
    await expect(run).toBeInViewport({ ratio: 1 });
  }
  const { runToEnd, verdict } = lab(page);
  await runToEnd();
  await expect(verdict).toContainText('39.98');
  await page.getByRole('link', { name: /^Chapter 1/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL(/#double-refund$/);
});

test('a chapter is opened from the menu, by its address, and by going back', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Chapters' }).click();
  const menu = page.locator('#contents-menu');
  await menu.getByRole('link', { name: /At least once/ }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveTitle(/The worker died/);
  await page.getByRole('link', { name: 'Words' }).click();
  await expect(page).toHaveTitle(/^Words/);
  await page.goBack();
  await expect(page).toHaveTitle(/The worker died/);
  await page.goto('/#nothing-of-that-name');
  await expect(page.getByRole('alert')).toContainText('nothing-of-that-name');
  await expect(lab(page).run).toBeVisible();
});

test('a word of the story says what it means', async ({ page }) => {
  await page.goto('/#double-refund');
  const story = page.locator('#story');
  const lease = story.getByRole('button', { name: 'lease', exact: true });
  await expect(lease).toHaveCount(1);
  await lease.press('Enter');
  const meaning = page.locator('#term-lease');
  await expect(meaning).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(meaning).toBeHidden();
  await expect(lease).toBeFocused();
  // In a window of another width its word is elsewhere.
  await lease.click();
  await expect(meaning).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(meaning).toBeHidden();
  await lease.click();
  await meaning.getByRole('link', { name: 'All words' }).click();
  await expect(page.locator('#words-lease')).toBeInViewport();
});

test('a word that is not among the words is said not to be', async ({ page }) => {
  await page.goto('/#words-nope');
  await expect(page.getByRole('alert')).toHaveText('The word “nope” is not among these.');
  await page.goto('/#words-lease');
  await expect(page.locator('#words-lease')).toBeInViewport();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.goto('/#simulated-nope');
  await expect(page.getByRole('alert')).toContainText('no page “simulated-nope”');
});

test('the skip link leads to the page and leaves the address alone', async ({ page }) => {
  await page.goto('/#double-refund');
  await expect(lab(page).run).toBeVisible();
  await page.getByRole('link', { name: 'Skip to the page' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL(/#double-refund$/);
});

for (const address of ['#start', '#words', '#simulated']) {
  test(`${address}: nothing that axe finds, no sideways scroll at 320 px`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`/${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
}
