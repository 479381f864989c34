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
    const { guard, ledger, run, seekEnd } = lab(page);
    await expect(run).toBeVisible();
    const notice = page.locator('at-least-once .notice');
    await expect(notice).toBeVisible();
    // As the story tells it: one crash, and no guard yet.
    await expect(guard).not.toBeChecked();
    await seekEnd();
    await expect(ledger).toHaveCount(2);
    await expect(notice).toBeVisible();
    await guard.click();
    await expect(notice).toHaveCount(0);
  });
}

/** What the page's own module lacks; the larger one is fetched for it. */
const LARGE = [
  ['an ack before the work', 'queue.ack=before'],
  ['a fence', 'fencing=write'],
  ['a fault of its own', 'faults=0:replica'],
  ['a vendor with locks', 'vendor=rocket-rides'],
];

for (const [name, part] of LARGE) {
  test(`a link with ${name} is opened by the larger module`, async ({ page }) => {
    await page.goto(`/#v=1&x=double-refund&${part}`);
    const { log, run, seekEnd } = lab(page);
    await expect(run).toBeVisible();
    await seekEnd();
    await expect(log).not.toHaveCount(0);
    await expect(page.locator('at-least-once .notice')).toHaveCount(0);
    const state = await page
      .locator('at-least-once')
      .evaluate((/** @type {any} */ element) => decodeURIComponent(element.state));
    expect(state).toContain(part);
  });
}

test.describe('where the larger module is missing', () => {
  test.use({ expected: /Failed to load|NetworkError|error loading/i });

  test('a link says what is not possible', async ({ page }) => {
    await page.route('**/explorer/*', (route) => route.abort());
    await page.goto('/#v=1&x=double-refund&fencing=write');
    await expect(lab(page).run).toBeVisible();
    await expect(page.locator('at-least-once .notice')).toContainText('fencing');
  });
});

test('a setting that only the larger module has is taken from the tag, at first and later', async ({
  page,
}) => {
  await page.goto('/host/embed.html');
  const element = page.locator('at-least-once').first();
  await expect(lab(page).run.first()).toBeVisible();
  await element.evaluate((it) => it.setAttribute('fencing', 'write'));
  const state = () => element.evaluate((/** @type {any} */ it) => it.state);
  await expect.poll(state).toContain('fencing=write');
});

test('several labs that lack the same share one larger module', async ({ page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  // Slow enough for both to ask before it is there.
  await page.route('**/explorer/*.wasm', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await page.goto('/host/embed.html');
  await expect(lab(page).run.first()).toBeVisible();
  await page.evaluate(() => {
    const one = document.querySelector('at-least-once');
    for (const fencing of ['write', 'start']) {
      const other = document.createElement('at-least-once');
      other.setAttribute('fencing', fencing);
      one?.before(other);
    }
  });
  const states = () =>
    page
      .locator('at-least-once')
      .evaluateAll((all) => all.slice(0, 2).map((/** @type {any} */ it) => it.state));
  await expect
    .poll(states)
    .toEqual([expect.stringContaining('fencing=write'), expect.stringContaining('fencing=start')]);
  expect(asked.filter((url) => url.endsWith('/explorer/at_least_once_bg.wasm'))).toHaveLength(1);
});

test('a chapter is opened without the larger module', async ({ page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/#v=1&x=double-refund&workers.count=0');
  await expect(page.locator('at-least-once .notice')).toBeVisible();
  expect(asked.filter((url) => url.includes('/explorer/'))).toEqual([]);
});

test('a lab on another page leaves its address alone', async ({ page }) => {
  await page.goto('/host/embed.html');
  await lab(page).guard.click();
  await lab(page).seekEnd();
  await page.waitForTimeout(800);
  expect(new URL(page.url()).hash).toBe('');
});

test('the next chapter’s address is not that of the one before', async ({ page }) => {
  await page.route(/two-ledgers/, async (route) => {
    await new Promise((done) => setTimeout(done, 900));
    await route.continue();
  });
  await page.goto('/#double-refund');
  await lab(page).step.click();
  await page.evaluate(() => {
    location.hash = '#two-ledgers';
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/vendor says/);
  await page.waitForTimeout(600);
  await expect(page).toHaveURL(/#two-ledgers$/);
});

test('to pass by with the keyboard is no act', async ({ page }) => {
  await page.goto('/#double-refund');
  await expect(lab(page).run).toBeVisible();
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('Tab');
  await page.waitForTimeout(600);
  await expect(page).toHaveURL(/#double-refund$/);
});

test('a link that was written with percent signs is read', async ({ page }) => {
  await page.goto('/#v%3D1%26x%3Dkeys%26workers.count%3D2%26faults=0%3Areply-lost');
  await expect(page.locator('at-least-once .notice')).toHaveCount(0);
  await expect(page.getByText('worker B', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('worker C', { exact: true })).toHaveCount(0);
});

test('a huge damaged link is shown in short', async ({ page }) => {
  await page.goto(`/#v=1&x=keys&faults=${'0:after-write+'.repeat(4000)}`);
  const notice = page.locator('at-least-once .notice');
  await expect(notice).toBeVisible();
  expect((await notice.textContent())?.length).toBeLessThan(400);
});
