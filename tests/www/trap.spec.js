// A trap inside the wasm ends that instance, not the page. The page under /trap/ stands
// on a module whose seed 13 panics: a fault that no reader can cause in the real one.

import { enter, expect, lab, test } from './fixtures.js';

test.use({ expected: /the injected fault/ });

test('after a trap the lab stands again, with the settings from before', async ({ page }) => {
  await page.goto('/trap/#double-refund');
  const { guard, ledger, run, runToEnd, seed, seekEnd, step } = lab(page);
  await expect(run).toBeVisible();
  await guard.click();
  await expect(guard).toBeChecked();
  const before = await seed.inputValue();

  await enter(seed, '13');
  await expect(page.getByText(/was started again/)).toBeVisible();

  await expect(guard).toBeChecked();
  await expect(seed).toHaveValue(before);
  await step.click();
  await runToEnd();
  await expect(ledger).toHaveCount(1);
  await guard.click();
  await seekEnd();
  await expect(ledger).toHaveCount(2);
});

test('it survives trap after trap', async ({ page }) => {
  await page.goto('/trap/#double-refund');
  const { ledger, seed, seekEnd } = lab(page);
  for (let times = 0; times < 3; times += 1) {
    await enter(seed, '13');
    await expect(page.getByText(/was started again/)).toBeVisible();
    await expect(seed).not.toHaveValue('13');
    await seed.blur();
  }
  await enter(seed, '14');
  await seekEnd();
  await expect(seed).toHaveValue('14');
  await expect(ledger).toHaveCount(2);
});
