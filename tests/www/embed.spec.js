// What a course author does: one script tag from dist/ and one element on a plain page.

import { expect, lab, test } from './fixtures.js';

test('guard="off" refunds three times', async ({ page }) => {
  await page.goto('/host/embed.html');
  const { guard, ledger, runToEnd, verdict } = lab(page);
  await expect(guard).not.toBeChecked();
  await runToEnd();
  await expect(ledger).toHaveCount(3);
  await expect(verdict).toContainText('59.97');
});

test('by default the guard is on, and there is one row', async ({ page }) => {
  await page.goto('/host/default.html');
  const { attempts, guard, ledger, seekEnd, verdict } = lab(page);
  await expect(guard).toBeChecked();
  await seekEnd();
  await expect(ledger).toHaveCount(1);
  await expect(attempts).toHaveCount(3);
  await expect(verdict).toContainText('19.99');
});

test('nothing is scrolled or focused before the reader acts', async ({ page }) => {
  await page.goto('/host/embed.html');
  await expect(lab(page).run).toBeVisible();
  expect(await page.evaluate(() => [document.activeElement?.tagName, scrollY])).toEqual([
    'BODY',
    0,
  ]);
});

test('two labs on a page do not disturb each other', async ({ page }) => {
  await page.goto('/host/two.html');
  const off = lab(page.locator('#off'));
  const on = lab(page.locator('#on'));
  await off.seekEnd();
  await on.seekEnd();
  await expect(off.ledger).toHaveCount(3);
  await expect(on.ledger).toHaveCount(1);
});

test('a mistake in an attribute is named, and the lab still works', async ({ page }) => {
  await page.goto('/host/wrong.html');
  await expect(page.getByText(/workers-count.*many/)).toBeVisible();
  await lab(page).seekEnd();
  await expect(lab(page).ledger).toHaveCount(1);
});

test('an attribute that changes later changes the lab', async ({ page }) => {
  await page.goto('/host/embed.html');
  const { guard, ledger, seekEnd } = lab(page);
  await expect(guard).not.toBeChecked();
  await page.locator('at-least-once').evaluate((element) => element.setAttribute('guard', 'on'));
  await expect(guard).toBeChecked();
  await seekEnd();
  await expect(ledger).toHaveCount(1);
});

test('keys that a control uses do not reach the host page', async ({ page }) => {
  await page.goto('/host/embed.html');
  await page.evaluate(() => {
    document.addEventListener('keydown', ({ key }) => document.body.append(`[host: ${key}]`));
  });
  const { run, time } = lab(page);
  await time.focus();
  await time.press('ArrowRight');
  await run.focus();
  await run.press('Space');
  await page.keyboard.press('F8');
  await expect(page.getByText('[host: F8]')).toBeVisible();
  await expect(page.getByText(/host: (Arrow| )/)).toHaveCount(0);
});

test('an element that is moved while it plays stands still, and its button says so', async ({
  page,
}) => {
  await page.goto('/host/embed.html');
  const { pause, run, step } = lab(page);
  await run.click();
  await expect(pause).toBeVisible();
  await page.locator('at-least-once').evaluate((element) => document.body.prepend(element));
  await expect(run).toBeVisible();
  await step.click();
  await expect(run).toBeVisible();
});

test('what changes in the tag while it is off the page is not lost', async ({ page }) => {
  await page.goto('/host/embed.html');
  const { guard } = lab(page);
  await expect(guard).not.toBeChecked();
  await page.locator('at-least-once').evaluate((element) => {
    element.remove();
    element.setAttribute('guard', 'on');
    document.body.append(element);
  });
  await expect(guard).toBeChecked();
});

test('an attribute that is set to what it is leaves the run where it is', async ({ page }) => {
  await page.goto('/host/embed.html');
  const { log, step } = lab(page);
  for (let i = 0; i < 5; i += 1) await step.click();
  await expect(log).toHaveCount(5);
  await page.locator('at-least-once').evaluate((element) => element.setAttribute('guard', 'off'));
  await expect(log).toHaveCount(5);
});

test('where the slider stands after a step, it shows at least as much', async ({ page }) => {
  await page.goto('/host/embed.html');
  const { log, restart, step, time } = lab(page);
  await expect(step).toBeVisible();
  for (let count = 1; count <= 12; count += 1) {
    for (let i = 0; i < count; i += 1) await step.click();
    await expect(log).toHaveCount(count);
    const value = await time.inputValue();
    // The slider's first stop lies before everything, also before what happens at 0 s.
    if (value !== '0') {
      await time.fill(value);
      expect(await log.count()).toBeGreaterThanOrEqual(count);
    }
    await restart.click();
  }
});
