// The frame and the page around it: heights, messages, and what is not listened to.

import { expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

const framed = (/** @type {Page} */ page, /** @type {string} */ frame) =>
  lab(/** @type {Page} */ (/** @type {unknown} */ (page.frameLocator(frame))));

const height = async (/** @type {Page} */ page, /** @type {string} */ frame) =>
  (await page.locator(frame).boundingBox())?.height ?? 0;

/** How tall the lab in a frame is. */
const inside = (/** @type {Page} */ page, /** @type {string} */ frame) =>
  page
    .frameLocator(frame)
    .locator('body')
    .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));

test('a frame grows and shrinks with its lab', async ({ page }) => {
  await page.goto('/host/frames.html');
  const { allSettings, run } = framed(page, '#one');
  await expect(run).toBeVisible();
  await expect.poll(() => height(page, '#one')).toBe(await inside(page, '#one'));
  const before = await height(page, '#one');
  await allSettings.click();
  await expect.poll(() => height(page, '#one')).toBeGreaterThan(before);
  await allSettings.click();
  await expect.poll(() => height(page, '#one')).toBe(before);
  await page.locator('#one').evaluate((frame) => frame.setAttribute('width', '400'));
  await expect.poll(() => height(page, '#one')).toBeGreaterThan(before);
});

test('a frame that was not shown gets its height when it is', async ({ page }) => {
  await page.goto('/host/frames.html');
  await expect.poll(() => height(page, '#one')).toBeGreaterThan(500);
  // The first one still grows: away from where a pointer would press, and pushing the second out
  // of view, where a lab does not start.
  await page.locator('summary').press('Enter');
  const { run } = framed(page, '#two');
  await expect(async () => {
    await page.locator('#two').scrollIntoViewIfNeeded();
    await expect(run).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect.poll(() => height(page, '#two')).toBeGreaterThan(500);
});

test('a frame is called what its lab is about', async ({ page }) => {
  await page.goto('/embed.html?experiment=keys');
  await expect(lab(page).run).toBeVisible();
  const named = page.locator('at-least-once');
  await expect(page).not.toHaveTitle(/^$|refund is paid/);
  const keys = await page.title();
  await named.evaluate((it) => it.setAttribute('experiment', 'drain'));
  await expect(page).not.toHaveTitle(keys);
});

test('no frame takes the focus or moves the page', async ({ page }) => {
  await page.goto('/host/frames.html');
  await expect(framed(page, '#one').run).toBeVisible();
  await expect.poll(() => height(page, '#one')).toBeGreaterThan(500);
  const place = await page.evaluate(() => [document.activeElement?.tagName, scrollY]);
  expect(place).toEqual(['BODY', 0]);
});

test('the page hears what happens, and of which frame', async ({ page }) => {
  await page.addInitScript(() => {
    const heard = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { heard });
    for (const type of ['ready', 'run', 'state', 'prediction', 'task', 'setting', 'error']) {
      addEventListener(`at-least-once-${type}`, (event) => {
        const { detail, target } = /** @type {CustomEvent} */ (event);
        heard.push(`${/** @type {Element} */ (target).id} ${type} ${JSON.stringify(detail)}`);
      });
    }
  });
  await page.goto('/host/frames.html');
  const { guard, prediction, seekEnd } = framed(page, '#one');
  await prediction.getByRole('radio', { name: 'one row' }).check();
  await seekEnd();
  await guard.click();
  const heard = () => page.evaluate(() => /** @type {any} */ (globalThis).heard.join('\n'));
  await expect.poll(heard).toMatch(/one setting \{"setting":"guard","value":"on"\}/);
  expect(await heard()).toMatch(/one ready \{"experiment":"double-refund"/);
  expect(await heard()).toMatch(/one prediction \{"said":1,"outcome":2\}/);
  expect(await heard()).toMatch(/one run .*"paid_cents":3998/);
  expect(await heard()).toMatch(/one state \{"state":"v=1&x=double-refund&/);
});

test('the page can drive the lab in a frame', async ({ page }) => {
  await page.goto('/host/frames.html');
  const { guard, ledger, log, pause, run } = framed(page, '#one');
  await expect(run).toBeVisible();
  const tell = (/** @type {string} */ type, /** @type {object} */ fields = {}) =>
    page.evaluate(
      async ({ type, fields }) => {
        const { tell } = await import(/** @type {any} */ ('/embed/host.js'));
        tell(document.getElementById('one'), type, fields);
      },
      { type, fields },
    );
  await tell('step');
  await expect(log).toHaveCount(1);
  await tell('seek', { us: 100e6 });
  await expect(ledger).toHaveCount(2);
  await tell('reset');
  await expect(log).toHaveCount(0);
  await tell('run');
  await expect(pause).toBeVisible();
  await tell('pause');
  await expect(run).toBeVisible();
  await tell('set', { setting: 'guard', value: 'on' });
  await expect(guard).toBeChecked();
  const refused = page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('at-least-once-error', (event) =>
          resolve(/** @type {CustomEvent} */ (event).detail),
        );
      }),
  );
  await tell('set', { setting: 'workers.count', value: '0' });
  expect(await refused).toMatchObject({ kind: 'refused', field: 'workers.count' });
  await tell('open', { state: 'v=1&x=double-refund&guard=off' });
  await expect(guard).not.toBeChecked();
  await expect(tell('seek', { us: 'soon' })).rejects.toThrow('no such message');
});

test('what does not fit is not listened to, on either side', async ({ page }) => {
  await page.goto('/host/frames.html');
  const { guard, log, run } = framed(page, '#one');
  await expect(run).toBeVisible();
  await expect.poll(() => height(page, '#one')).toBeGreaterThan(500);
  const before = await height(page, '#one');
  await page.evaluate(() => {
    const frame = /** @type {HTMLIFrameElement} */ (document.getElementById('one'));
    const good = { source: 'at-least-once', version: 1 };
    const bad = [
      null,
      'step',
      { ...good, source: 'somebody', type: 'step' },
      { ...good, version: 2, type: 'step' },
      { ...good, type: 'constructor' },
      { ...good, type: '__proto__' },
      { ...good, type: 'seek', us: -1 },
      { ...good, type: 'seek', us: '5' },
      { ...good, type: 'set', setting: 'guard', value: ['on'] },
      { ...good, type: 'set', setting: 'guard' },
      { ...good, type: 'open', state: 'x'.repeat(3000) },
      { ...good, type: 'open', state: { toString: 'no' } },
    ];
    for (const message of bad) frame.contentWindow?.postMessage(message, '*');
    // As if the frame had said it: the page itself is not the frame.
    postMessage({ ...good, type: 'resize', height: 5 }, '*');
  });
  await page.waitForTimeout(300);
  await expect(log).toHaveCount(0);
  await expect(guard).not.toBeChecked();
  expect(await height(page, '#one')).toBe(before);
});

test('a frame says what it needs to Canvas and to Open edX', async ({ page }) => {
  await page.addInitScript(() => {
    const heard = /** @type {any[]} */ ([]);
    Object.assign(globalThis, { heard });
    addEventListener('message', ({ data }) => heard.push(data));
  });
  await page.goto('/host/frames.html');
  await expect(framed(page, '#one').run).toBeVisible();
  const tall = await inside(page, '#one');
  const heard = () => page.evaluate(() => /** @type {any} */ (globalThis).heard);
  await expect.poll(heard).toContainEqual({ subject: 'lti.frameResize', height: tall });
  await expect.poll(heard).toContainEqual({
    type: 'plugin.resize',
    payload: { width: expect.any(Number), height: tall },
  });
});

test('what the address asks for and no setting is called is not put on the tag', async ({
  page,
}) => {
  await page.goto(
    '/embed.html?guard=off&onclick=alert(1)&style=color:red&frame=//example.org&id=x',
  );
  await expect(lab(page).guard).not.toBeChecked();
  const names = await page
    .locator('at-least-once')
    .evaluate((it) => it.getAttributeNames().filter((name) => name !== 'experiment'));
  expect(names).toEqual(['guard']);
});
