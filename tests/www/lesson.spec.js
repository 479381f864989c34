// The walk of a learner through the lesson: the ticket, the prediction, the double refund,
// the two tasks, and every way to move through time.

import { enter, expect, lab, test } from './fixtures.js';

test('from the ticket to the guard', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/#double-refund');
  const { attempt, attempts, crash, guard, ledger, prediction, runToEnd, tasks, verdict } =
    lab(page);
  await expect(page.locator('#story').getByText('job_17', { exact: true })).toBeVisible();
  await expect(guard).not.toBeChecked();
  await expect(crash('after the write', 0)).toHaveAttribute('aria-pressed', 'true');
  await expect(verdict.getByText('Paid')).toHaveCount(0);
  await expect(ledger).toHaveCount(0);
  const ticked = tasks.filter({ has: page.getByRole('img', { name: 'done' }) });
  await expect(tasks).toHaveCount(2);
  await expect(ticked).toHaveCount(0);

  await prediction.getByRole('radio', { name: 'one row' }).check();
  await runToEnd();
  await expect(ledger).toHaveCount(2);
  await expect(verdict).toContainText('39.98');
  await expect(verdict).toContainText('19.99');
  await expect(prediction).toContainText(/You said one row.*two rows/);
  await expect(prediction.getByRole('radio', { name: 'one row' })).toBeChecked();
  await expect(prediction.getByRole('radio', { name: 'two rows' })).toBeDisabled();
  await expect(ticked).toHaveCount(0);

  await attempt(1).click();
  await crash('after the write', 1).click();
  await runToEnd();
  await expect(ledger).toHaveCount(3);
  await expect(verdict).toContainText('59.97');
  await expect(ticked).toHaveCount(1);
  await expect(ticked).toContainText('second worker');

  await guard.click();
  await runToEnd();
  await expect(ledger).toHaveCount(1);
  await expect(attempts).toHaveCount(3);
  await expect(verdict).toContainText('Paid 19.99');
  await expect(verdict).toContainText('the key was already in the ledger');
  await expect(ticked).toHaveCount(2);
  await expect(prediction).toContainText('You said one row');
});

test('Run does not wait for a prediction', async ({ page }) => {
  await page.goto('/#double-refund');
  const { ledger, pause, run, seekEnd } = lab(page);
  await run.click();
  await expect(pause).toBeVisible();
  await seekEnd();
  await expect(ledger).toHaveCount(2);
});

test('stepping forth and back shows the same moments', async ({ page }) => {
  await page.goto('/#double-refund');
  const { log, restart, step, stepBack, time, verdict } = lab(page);
  const text = () => page.getByRole('table', { name: 'Log' }).textContent();
  /** @type {(string | null)[]} */
  const seen = [];
  await expect(log).toHaveCount(0);
  for (let cursor = 1; ; cursor += 1) {
    await step.click();
    await expect(log).toHaveCount(cursor);
    seen.push(await text());
    if ((await step.getAttribute('aria-disabled')) === 'true') break;
  }
  expect(seen.length).toBeGreaterThan(8);
  await expect(verdict).toContainText('39.98');
  for (let cursor = seen.length - 1; cursor > 0; cursor -= 1) {
    await stepBack.click();
    await expect(log).toHaveCount(cursor);
    expect(await text()).toBe(seen[cursor - 1]);
  }
  await expect(verdict.getByText('Paid')).toHaveCount(0);
  await restart.click();
  await expect(log).toHaveCount(0);
  await expect(time).toHaveValue('0');
});

test('the time slider scrubs both ways', async ({ page }) => {
  await page.goto('/#double-refund');
  const { ledger, time, verdict } = lab(page);
  const max = Number(await time.getAttribute('max'));
  /** @type {number[]} */
  const forth = [];
  /** @type {number[]} */
  const back = [];
  const stops = Array.from({ length: 21 }, (_, i) => Math.round((max * i) / 20 / 50) * 50);
  for (const stop of stops) {
    await time.fill(String(stop));
    forth.push(await ledger.count());
  }
  await expect(verdict).toContainText('39.98');
  for (const stop of stops.toReversed()) {
    await time.fill(String(stop));
    back.unshift(await ledger.count());
  }
  await expect(verdict.getByText('Paid')).toHaveCount(0);
  expect(back).toEqual(forth);
  expect(forth[0]).toBe(0);
  expect(forth.at(-1)).toBe(2);
});

test('a seed gives its run again, a new seed another', async ({ page }) => {
  await page.goto('/#double-refund');
  const { newSeed, seed, seekEnd } = lab(page);
  const log = async () => {
    await seekEnd();
    return page.getByRole('table', { name: 'Log' }).textContent();
  };
  const first = await seed.inputValue();
  const told = await log();
  await newSeed.click();
  await expect(seed).not.toHaveValue(first);
  expect(await log()).not.toBe(told);
  await enter(seed, first);
  expect(await log()).toBe(told);
});

test('what is refused is said, and nothing changes', async ({ page }) => {
  await page.goto('/#double-refund');
  const { ledger, seed, seekEnd, told } = lab(page);
  await enter(seed, 'nonsense');
  await expect(seed).toHaveAttribute('aria-invalid', 'true');
  await expect(seed).toHaveAccessibleDescription(/nonsense.*not possible for Seed/);
  await expect(told).toHaveText(/nonsense.*not possible for Seed/);
  await seekEnd();
  await expect(ledger).toHaveCount(2);
});

test('a press that changes the picture says so, a run that plays does not', async ({ page }) => {
  await page.goto('/#double-refund');
  const { attempt, crash, ledger, pause, restart, run, seekEnd, step, stepBack, told, verdict } =
    lab(page);
  await step.click();
  await expect(told).toHaveText('0 s. job_17 is put into the queue.');
  await stepBack.click();
  await expect(told).toContainText('Back at the start');
  await run.click();
  await expect(told).toHaveText('');
  await attempt(1).click();
  await crash('after the write', 1).click();
  await expect(told).toHaveText(/Attempt 1 is killed after the write.*The run goes on from here/);
  // A change in the middle of a run stops it.
  await expect(pause).toHaveCount(0);
  await expect(page.getByText(/^You changed this run at/)).toBeVisible();
  await seekEnd();
  await expect(ledger).toHaveCount(3);
  // The verdict says it, so that nothing else speaks at the same time.
  await expect(verdict).toHaveText(/^\s*Task done: Let the second worker crash too\./);
  await expect(told).toHaveText('');
  await restart.click();
  await expect(told).toContainText('Back at the start');
});
