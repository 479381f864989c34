// The parts of the lab, each as its user sees it: code and sight, the strip of faults, time
// travel with forks and undo, settings, verdict, tables.

import { enter, expect, lab, test } from './fixtures.js';

/** @typedef {import('@playwright/test').Page} Page */

const code = (/** @type {Page} */ page) => page.getByRole('region', { name: 'Handler code' });
const sight = (/** @type {Page} */ page) =>
  page.getByRole('region', { name: /What worker . can see/ });
const button = (/** @type {Page} */ page, /** @type {string | RegExp} */ name) =>
  page.getByRole('button', { name });

test.describe('the code and what a worker can see', () => {
  test('the running line follows the worker, the guard is struck out while it is off', async ({
    page,
  }) => {
    await page.goto('/#double-refund');
    const { guard, step } = lab(page);
    const guardLine = code(page).getByRole('deletion');
    await expect(guardLine).toHaveText(/ON CONFLICT/);
    await guard.click();
    await expect(guardLine).toHaveCount(0);
    await expect(code(page)).toContainText('ON CONFLICT');
    await guard.click();
    // Sent, leased: the worker thinks.
    await step.click();
    await step.click();
    const here = code(page).locator('.here');
    await expect(here).toContainText(/agent\.decide.*worker A is here/);
    await step.click();
    await expect(here.first()).toContainText('ledger.execute');
    // It has written, and dies before the checkpoint.
    await step.click();
    await step.click();
    await expect(here).toHaveCount(0);
    await expect(code(page)).toContainText('worker A was killed here');
  });

  test('other languages come when they are asked for', async ({ page }) => {
    await page.goto('/#double-refund');
    for (const [name, line] of [
      ['TypeScript', 'async function handle'],
      ['Go', 'func handle'],
      ['Rust', 'async fn handle'],
      ['Python', 'def handle'],
    ]) {
      await code(page).getByRole('button', { name }).click();
      await expect(code(page)).toContainText(line);
      await expect(code(page)).toContainText('ON CONFLICT (key) DO NOTHING');
    }
  });

  test('worker B has the message and no trace of what worker A did', async ({ page }) => {
    await page.goto('/#double-refund');
    const { step } = lab(page);
    const told = page.getByRole('table', { name: 'Log' });
    while (!(await told.textContent())?.includes('Worker B takes job_17')) await step.click();
    await expect(sight(page)).toContainText('What worker B can see');
    await expect(sight(page)).toContainText('job_17');
    await expect(sight(page).getByText('none', { exact: true })).toBeVisible();
    const hidden = sight(page).getByRole('listitem');
    await expect(hidden).toContainText(['Worker A writes ledger row 1']);
    // What it cannot see can be looked at by the reader.
    await hidden.first().getByRole('button').click();
    await expect(page.locator('.log-table tr.selected')).toContainText('Worker A writes');
    await sight(page).getByRole('button', { name: 'A', exact: true }).click();
    await expect(sight(page)).toContainText('What worker A can see');
  });

  test('at the end a worker has what it had until its last ack, or nothing', async ({ page }) => {
    await page.goto('/#double-refund');
    await lab(page).seekEnd();
    await expect(sight(page)).toContainText(/until its ack at \d/);
    await expect(sight(page)).toContainText('job_17');
    // The last that this one did is no ack.
    await page.goto('/#attempts');
    await lab(page).seekEnd();
    await expect(sight(page)).toContainText('What worker B can see');
    await expect(sight(page)).toContainText('no message: it waits for one');
    await expect(sight(page)).not.toContainText('until its ack');
  });

  test('who stops for a new version was not killed', async ({ page }) => {
    await page.goto('/#v=1&x=drain&deploy.kind=drain');
    const { step } = lab(page);
    const told = page.getByRole('table', { name: 'Log' });
    while (!(await told.textContent())?.includes('stops for the new version')) await step.click();
    await expect(sight(page)).toContainText('it has stopped for the new version');
    await expect(page.getByRole('note', { name: 'Where the run is' })).toContainText(
      'has stopped for the new version',
    );
  });
});

test.describe('faults', () => {
  test('a fault is put there, changed, and taken away without dragging', async ({ page }) => {
    await page.goto('/#double-refund');
    const { attempt, crash } = lab(page);
    const planned = page.locator('.planned');
    await attempt(1).click();
    await button(page, 'Ack lost, attempt 1').click();
    await expect(planned).toContainText('The ack of attempt 1 gets lost');
    await expect(attempt(1)).toHaveAccessibleName('Attempt 1, with a fault');
    // A worker dies once: the crash takes the place of what ended the attempt before.
    await crash('before the ack', 1).click();
    await expect(planned).toContainText('Attempt 1 is killed before the ack.');
    await expect(button(page, 'Ack lost, attempt 1')).toHaveAttribute('aria-pressed', 'false');
    await crash('before the ack', 1).press('Enter');
    await expect(planned).toHaveText('Attempt 1 runs through.');
    await attempt(0).click();
    await expect(crash('after the write', 0)).toHaveAttribute('aria-pressed', 'true');
  });

  test('the reply to a relay may be lost', async ({ page }) => {
    await page.goto('/#v=1&x=checkpoint&effect=outbox&faults=none');
    const planned = page.locator('.planned');
    await button(page, 'Reply lost, attempt 0').click();
    await expect(planned).toContainText('reply');
    await expect(planned).not.toContainText('no such place');
    await lab(page).seekEnd();
    await expect(page.getByRole('table', { name: 'Log' })).toContainText('no reply');
  });

  test('with several jobs a fault is for one of them or for all', async ({ page }) => {
    await page.goto('/host/jobs.html');
    const { seekEnd } = lab(page);
    const rows = page.getByRole('table', { name: 'Attempts' });
    await seekEnd();
    await expect(rows.getByText('crashed after the write')).toHaveCount(3);
    await page.getByRole('combobox', { name: 'For' }).selectOption('job_18 only');
    await seekEnd();
    await expect(rows.getByText('crashed after the write')).toHaveCount(1);
    await expect(rows.getByRole('row', { name: /crashed/ })).toContainText('job_18');
  });
});

test.describe('time', () => {
  test('jumps from crash to write and back', async ({ page }) => {
    await page.goto('/#double-refund');
    const told = page.getByRole('table', { name: 'Log' }).locator('[aria-current]');
    const next = button(page, 'Next crash or write');
    const previous = button(page, 'Previous crash or write');
    await expect(previous).toHaveAttribute('aria-disabled', 'true');
    for (const event of ['writes ledger row 1', 'is killed', 'writes ledger row 2']) {
      await next.click();
      await expect(told).toContainText(event);
    }
    await expect(next).toHaveAttribute('aria-disabled', 'true');
    await previous.click();
    await expect(told).toContainText('is killed');
  });

  test('the speed changes how long a run takes, not what happens', async ({ page }) => {
    await page.goto('/#double-refund');
    const { ledger, run, pause } = lab(page);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8×');
    await run.click();
    await expect(pause).toBeVisible();
    // About a second of the eight that it takes at its own speed.
    await expect(run).toBeVisible({ timeout: 5000 });
    await expect(ledger).toHaveCount(2);
  });

  test('a change in the past forks the run, and there is a way back', async ({ page }) => {
    await page.goto('/#double-refund');
    const { attempt, crash, ledger, log, seekEnd, step } = lab(page);
    for (let i = 0; i < 5; i += 1) await step.click();
    const before = await page.getByRole('table', { name: 'Log' }).textContent();
    await attempt(1).click();
    await crash('after the write', 1).click();
    await expect(page.getByText('You changed this run at 2 s.')).toBeVisible();
    await expect(log).toHaveCount(5);
    expect(await page.getByRole('table', { name: 'Log' }).textContent()).toBe(before);
    await button(page, 'Back to the earlier run').click();
    await expect(page.getByText('You changed this run')).toHaveCount(0);
    await expect(log).toHaveCount(5);
    await seekEnd();
    await expect(ledger).toHaveCount(2);
    // What is changed before the moment looked at starts the run over.
    await attempt(0).click();
    await crash('before the write', 0).click();
    await expect(log).toHaveCount(0);
  });

  test('a fork between two events says the moment as the clock does', async ({ page }) => {
    await page.goto('/#double-refund');
    const { attempt, crash, time } = lab(page);
    await time.focus();
    for (let i = 0; i < 7; i += 1) await time.press('ArrowRight');
    await attempt(1).click();
    await crash('after the write', 1).click();
    const at = await page.locator('.clock').textContent();
    await expect(page.getByText(`You changed this run at ${at}.`)).toBeVisible();
  });

  test('undo and redo, by button and by key, over settings and faults', async ({ page }) => {
    await page.goto('/#double-refund');
    const { attempt, crash, guard, seed } = lab(page);
    const undo = button(page, 'Undo');
    const redo = button(page, 'Redo');
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await guard.click();
    await attempt(1).click();
    await crash('after the write', 1).click();
    await enter(seed, '12');
    await undo.click();
    await expect(seed).toHaveValue('11');
    await guard.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(crash('after the write', 1)).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(guard).not.toBeChecked();
    await expect(undo).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await expect(guard).toBeChecked();
    await redo.click();
    await redo.click();
    await expect(seed).toHaveValue('12');
    await expect(redo).toHaveAttribute('aria-disabled', 'true');
    // Another act is the end of what was undone.
    await undo.click();
    await guard.click();
    await expect(redo).toHaveAttribute('aria-disabled', 'true');
  });
});

test.describe('settings', () => {
  test('a range is walked through by arrows, and set back', async ({ page }) => {
    await page.goto('/#double-refund');
    const timeout = page.getByRole('textbox', { name: 'Visibility timeout' });
    await expect(timeout).toHaveValue('30s');
    await timeout.press('ArrowUp');
    const longer = await timeout.inputValue();
    expect(Number.parseFloat(longer)).toBeGreaterThan(30);
    await timeout.press('ArrowDown');
    await timeout.press('ArrowDown');
    expect(Number.parseFloat(await timeout.inputValue())).toBeLessThan(30);
    await button(page, 'Set Visibility timeout back to 30s').click();
    await expect(timeout).toHaveValue('30s');
    await expect(button(page, /back to 30s/)).toHaveCount(0);
  });

  test('what is refused is kept in its field, with the limit beside it', async ({ page }) => {
    await page.goto('/#double-refund');
    const workers = page.getByRole('textbox', { name: 'Workers' });
    await enter(workers, '51');
    await expect(workers).toHaveValue('51');
    await expect(workers).toHaveAttribute('aria-invalid', 'true');
    await expect(workers).toHaveAccessibleDescription(/from 1 to 50 workers/);
    await enter(workers, '2');
    await expect(workers).toHaveAttribute('aria-invalid', 'false');
  });

  test('a number alone takes the unit that stood there; what is refused stands by Run', async ({
    page,
  }) => {
    await page.goto('/#timeout-too-short');
    const heartbeat = page.getByRole('textbox', { name: 'Heartbeat every' });
    const playback = page.getByRole('region', { name: 'Playback' });
    await enter(heartbeat, '5');
    await expect(heartbeat).toHaveValue('5s');
    await enter(heartbeat, 'five');
    await expect(playback).toContainText('Heartbeat every: “five” was not taken. The run has 5s.');
    await enter(heartbeat, '4s');
    await expect(playback).not.toContainText('not taken');
  });

  test('a run may be begun from the settings, and comes into view', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/#backoff');
    await expect(lab(page).run).toBeVisible();
    const fromSettings = button(page, 'Run with these');
    await fromSettings.scrollIntoViewIfNeeded();
    await expect(lab(page).run).not.toBeInViewport();
    await fromSettings.click();
    await expect(lab(page).pause).toBeInViewport();
    await expect(lab(page).pause).toBeFocused();
  });

  test('what this build cannot set is not offered, and says so', async ({ page }) => {
    await page.goto('/#double-refund');
    await button(page, 'All settings').click();
    const all = page.locator('.all-settings');
    await all.getByRole('searchbox').fill('fencing');
    const fencing = all.getByRole('combobox', { name: 'Fencing' });
    await expect(fencing).toBeDisabled();
    await expect(fencing).toHaveAccessibleDescription(/command line/);
    await all.getByRole('searchbox').fill('attempts at most');
    await expect(all.getByRole('textbox')).toBeEnabled();
  });

  test('a fault that is refused says why where it was put', async ({ page }) => {
    await page.goto('/#double-refund');
    await page.getByRole('combobox', { name: 'What goes wrong' }).selectOption('it stands still');
    await enter(page.getByRole('textbox', { name: 'For how long' }), 'a while');
    await expect(page.locator('.plan').getByText(/not possible for Faults/)).toBeVisible();
  });

  test('what a press takes away leaves the focus nearby', async ({ page }) => {
    await page.goto('/#double-refund');
    const { attempt, crash, run, step } = lab(page);
    const workers = page.getByRole('textbox', { name: 'Workers' });
    await enter(workers, '2');
    await button(page, /Set Workers back to/).press('Enter');
    await expect(workers).toBeFocused();
    for (let i = 0; i < 5; i += 1) await step.click();
    await attempt(1).click();
    await crash('after the write', 1).click();
    await button(page, 'Close').press('Enter');
    await expect(page.getByText('You changed this run')).toHaveCount(0);
    await expect(run).toBeFocused();
  });

  test('all settings are found by name, path and help', async ({ page }) => {
    await page.goto('/#double-refund');
    await button(page, 'All settings').click();
    const search = page.getByRole('searchbox', { name: 'Search the settings' });
    await expect(page.locator('.all-settings [role=status]')).toContainText(/\d\d settings\./);
    for (const [words, found] of [
      ['max_attempts', 'Attempts at most'],
      ['dead letter when', 'Dead letters'],
      ['restart after', 'Restart after'],
    ]) {
      await search.fill(words);
      await expect(page.locator('.all-settings label', { hasText: found })).toBeVisible();
    }
    await search.fill('no such thing');
    await expect(page.getByText('No setting fits.')).toBeVisible();
    await search.fill('attempts at most');
    await enter(page.locator('.all-settings').getByRole('textbox'), '2');
    await lab(page).seekEnd();
    await expect(lab(page).attempts).toHaveCount(2);
  });
});

test.describe('verdict and tables', () => {
  test('money at every moment; what broke says when, and leads there', async ({ page }) => {
    await page.goto('/#double-refund');
    const { log, seekEnd, step } = lab(page);
    const money = page.getByRole('region', { name: 'Verdict' });
    await expect(money).toContainText('Paid 0.00');
    for (let i = 0; i < 4; i += 1) await step.click();
    await expect(money).toContainText('Paid 19.99');
    await expect(money).toContainText('of 19.99 owed');
    await seekEnd();
    await expect(money).toContainText('Paid 39.98');
    await expect(
      money.getByRole('listitem').filter({ hasText: 'No message vanishes' }),
    ).toContainText('holds');
    const total = await log.count();
    await button(page, /Nobody is paid twice: broken at/).click();
    expect(await log.count()).toBeLessThan(total);
    await expect(page.locator('.log-table [aria-current]')).toContainText('one more refund');
  });

  test('a refund that a key swallowed is missing from both ledgers, and the verdict says why', async ({
    page,
  }) => {
    await page.goto('/#keys');
    await enter(page.getByRole('textbox', { name: 'Second refund' }), '1999');
    await page.getByRole('combobox', { name: 'Idempotency key' }).selectOption('job');
    await lab(page).seekEnd();
    await expect(lab(page).verdict).toContainText(
      'the vendor took one refund for a repeat of another',
    );
    // A crash that loses the refund is another matter.
    await page.goto('/#checkpoint');
    await lab(page).seekEnd();
    await expect(lab(page).verdict).not.toContainText('repeat of another');
  });

  test('a row selects its event in every table', async ({ page }) => {
    await page.goto('/#double-refund');
    await lab(page).seekEnd();
    const ledger = page.getByRole('table', { name: 'Ledger', exact: true });
    await ledger.getByRole('button', { name: '2' }).press('Enter');
    const selected = page.locator('.log-table tr.selected');
    await expect(selected).toContainText('writes ledger row 2');
    await expect(page.locator('.attempts-table tr.selected')).toContainText('B');
    await selected.getByRole('button').click();
    await expect(page.locator('tr.selected')).toHaveCount(0);
  });

  test('the log is filtered and copied', async ({ page }) => {
    await page.goto('/#double-refund');
    const { log, seekEnd } = lab(page);
    await seekEnd();
    const total = await log.count();
    await button(page, 'Filter and copy').click();
    await page.getByRole('searchbox', { name: 'Text' }).fill('ledger row');
    await expect(log).toHaveCount(2);
    await expect(page.getByText(`2 of ${total} entries.`)).toBeVisible();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('wrote');
    await expect(log).toHaveCount(2);
    await page.evaluate(() => {
      const all = /** @type {any} */ (globalThis);
      const writeText = async (/** @type {string} */ text) => {
        all.copied = text;
      };
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    });
    await button(page, 'Copy as JSON lines').click();
    await expect(page.getByText('Copied: 2 entries.')).toBeVisible();
    const copied = await page.evaluate(() => /** @type {any} */ (globalThis).copied);
    const spans = copied.trim().split('\n').map(JSON.parse);
    for (const [i, span] of spans.entries()) {
      expect(span).toMatchObject({ event: 'wrote', job_id: 'job_17', attempt: i, row: i + 1 });
      expect(span.key).toBe('job_17:step_3:refund');
    }
  });

  test('where copying is forbidden the text is there to be taken', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await page.goto('/#double-refund');
    await lab(page).step.click();
    await button(page, 'Filter and copy').click();
    await button(page, 'Copy as text').click();
    await expect(page.getByRole('textbox', { name: /Take it from here/ })).toHaveValue(
      /job_17 is put into the queue/,
    );
  });

  test('a long run never puts more than a page of its log into the document', async ({ page }) => {
    await page.goto('/host/many.html');
    const { log, seekEnd } = lab(page);
    await seekEnd();
    await expect(log).toHaveCount(100);
    const last = await log.last().textContent();
    const end = () => log.last().textContent();
    await button(page, /^\d+ earlier$/).click();
    await expect.poll(end).not.toBe(last);
    await expect(log).toHaveCount(100);
    await button(page, /^100 later$/).click();
    await expect.poll(end).toBe(last);
    await expect(lab(page).attempts).toHaveCount(100);
    await expect(page.getByText(/^The last 100 of \d+\.$/).first()).toBeVisible();
  });

  test('a crowded run draws what is out of view when it has come to rest', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/host/crowd.html');
    const { attempts, ledger, log, run, pause } = lab(page);
    const head = page.locator('.log-head');
    await run.click();
    await expect(page.locator('.clock')).not.toHaveText(/^\d+ ms$/);
    // It is far below, and nobody has seen it.
    await expect(head).not.toBeInViewport();
    await expect(log).toHaveCount(0);
    await expect(async () => {
      // The tables above it grow when they are drawn.
      await head.scrollIntoViewIfNeeded();
      await expect(log).toHaveCount(100, { timeout: 1000 });
    }).toPass();
    await page.evaluate(() => scrollTo(0, 0));
    // By then more than a hundred have paid.
    await expect(page.locator('.clock')).toContainText('min');
    await pause.click();
    await expect(ledger).toHaveCount(100);
    await expect(attempts).toHaveCount(100);
    // The log is at the moment of the summary: nothing old is left standing.
    const note = (await page.getByRole('note').textContent()) ?? '';
    await expect(page.locator('.log-table [aria-current]')).toContainText(
      note.match(/job_\d+/)?.[0] ?? 'no job',
    );
  });
});

test.describe('for those who cannot see the picture', () => {
  test('a summary in words is kept up to date', async ({ page }) => {
    await page.goto('/#double-refund');
    const { seekEnd, step } = lab(page);
    const summary = page.getByRole('note', { name: 'Where the run is' });
    await expect(summary).toHaveText(/Nothing has happened yet. In the queue: one job./);
    await step.click();
    await step.click();
    await expect(summary).toContainText('Worker A has job_17 (attempt 0) and is at “think”');
    await expect(summary).toContainText('Paid 0.00 of 19.99 owed');
    await seekEnd();
    await expect(summary).toContainText('The run is over.');
  });

  test('? lists the keys, Escape leaves the list, and keys stay inside', async ({ page }) => {
    await page.goto('/host/embed.html');
    const { run } = lab(page);
    await expect(run).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toHaveCount(0);
    await run.focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(run).toBeFocused();
  });
});
