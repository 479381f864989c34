// The address of the lesson page reproduces what is on the screen, and a link that cannot be
// opened says why.

import { expect, lab, test } from './fixtures.js';

test('the address follows the reader, and brings back run and moment', async ({ page }) => {
  await page.goto('/#double-refund');
  const { guard, log, step } = lab(page);
  const entries = await page.evaluate(() => history.length);
  await guard.click();
  for (let i = 0; i < 6; i += 1) await step.click();
  await expect(page).toHaveURL(/#v=\d+&x=double-refund&.*m=6$/);
  const told = await page.getByRole('table', { name: 'Log' }).textContent();
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.reload();
  await expect(log).toHaveCount(6);
  expect(await page.getByRole('table', { name: 'Log' }).textContent()).toBe(told);
  await expect(guard).toBeChecked();
});

test('the link is copied, or shown where that is forbidden', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await page.goto('/#double-refund');
  await lab(page).step.click();
  await page.getByRole('button', { name: 'Copy link to this moment' }).click();
  await expect(page.getByRole('textbox', { name: 'Copy link to this moment' })).toHaveValue(
    /#v=\d+&x=double-refund&.*m=1$/,
  );
});

for (const [name, link] of [
  ['damaged', 'v=1&x=double-refund&guard'],
  ['of a newer version', 'v=999&x=double-refund'],
  ['with a value that is not allowed', 'v=1&x=double-refund&workers.count=0'],
]) {
  test(`a link that is ${name} opens the chapter, with a notice`, async ({ page }) => {
    await page.goto(`/#${link}`);
    const { ledger, run, seekEnd } = lab(page);
    await expect(run).toBeVisible();
    await expect(page.locator('at-least-once .notice')).toBeVisible();
    await seekEnd();
    await expect(ledger).not.toHaveCount(0);
  });
}

test('a lab on another page leaves its address alone', async ({ page }) => {
  await page.goto('/host/embed.html');
  await lab(page).guard.click();
  await lab(page).seekEnd();
  await page.waitForTimeout(800);
  expect(new URL(page.url()).hash).toBe('');
});
