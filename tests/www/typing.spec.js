// The lab is drawn again while somebody enters something: a part of it arrives, a run goes on,
// the page around it sets something. What was begun is not lost by it.

import { expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

/** The page around the lab changes a setting. @param {Page} page @param {string} path @param {string} value */
const setFromOutside = (page, path, value) =>
  page
    .locator('at-least-once')
    .evaluate((it, [path, value]) => /** @type {any} */ (it).set(path, value), [path, value]);

test('what is begun in a field stays while the lab is drawn again', async ({ page }) => {
  await page.goto('/#double-refund');
  const { guard, seed } = lab(page);
  await seed.press('ControlOrMeta+a');
  await seed.press('1');
  await setFromOutside(page, 'guard', 'on');
  await expect(guard).toBeChecked();
  await expect(seed).toHaveValue('1');
  await seed.press('3');
  await seed.press('Enter');
  await expect(seed).toHaveValue('13');
  await expect(page).toHaveURL(/seed=13\b/);
});

test('a field that is left unchanged shows what was set meanwhile', async ({ page }) => {
  await page.goto('/#double-refund');
  const { seed } = lab(page);
  const before = await seed.inputValue();
  await seed.press('End');
  await seed.press('1');
  await setFromOutside(page, 'seed', '21');
  await expect(page).toHaveURL(/seed=21\b/);
  await expect(seed).toHaveValue(`${before}1`);
  await seed.press('Backspace');
  await seed.blur();
  await expect(seed).toHaveValue('21');
});

test('an arrow key goes on from the setting, whatever was begun', async ({ page }) => {
  await page.goto('/#double-refund');
  const timeout = page.getByRole('textbox', { name: 'Visibility timeout' });
  const before = await timeout.inputValue();
  await timeout.press('ArrowUp');
  await expect(timeout).not.toHaveValue(before);
  const next = await timeout.inputValue();
  await timeout.press('ArrowDown');
  await expect(timeout).toHaveValue(before);
  await timeout.press('ControlOrMeta+a');
  await timeout.press('7');
  await timeout.press('ArrowUp');
  await expect(timeout).toHaveValue(next);
});

test('a slider that is being dragged stays, with the number beside it', async ({ page }) => {
  await page.goto('/#double-refund');
  const { guard } = lab(page);
  const timeout = page.getByRole('textbox', { name: 'Visibility timeout' });
  const before = await timeout.inputValue();
  const slider = page.locator('.control-field', { has: timeout }).locator('input[type=range]');
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  if (!box) throw new Error('no slider');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await expect(timeout).not.toHaveValue(before);
  const [stop, dragged] = [await slider.inputValue(), await timeout.inputValue()];
  await setFromOutside(page, 'guard', 'on');
  await expect(guard).toBeChecked();
  await expect(slider).toHaveValue(stop);
  await expect(timeout).toHaveValue(dragged);
  await page.mouse.up();
  await expect(page).toHaveURL(/visibility_timeout=/);
  await expect(timeout).toHaveValue(dragged);
});
