// What a page's own script can say to the element and hear from it.

import { expect, lab, test } from './fixtures.js';

/**
 * @import { Page } from '@playwright/test'
 * @typedef {{ name: string, detail: any }} Heard
 */

/** Writes down every event of the element that reaches the document. @param {Page} page */
async function listen(page) {
  await page.evaluate(() => {
    const heard = /** @type {Heard[]} */ ([]);
    Object.assign(globalThis, { heard });
    for (const name of ['ready', 'run-end', 'prediction', 'task', 'setting', 'error']) {
      document.addEventListener(`at-least-once-${name}`, (event) => {
        heard.push({ name, detail: /** @type {CustomEvent} */ (event).detail });
      });
    }
  });
  return (/** @type {string} */ name) =>
    page.evaluate(
      (wanted) =>
        /** @type {{ heard: Heard[] }} */ (/** @type {unknown} */ (globalThis)).heard
          .filter((event) => event.name === wanted)
          .map(({ detail }) => detail),
      name,
    );
}

/** Puts an element on an empty page. @param {Page} page @param {Record<string, string>} attributes */
async function place(page, attributes) {
  await page.goto('/host/empty.html');
  const heard = await listen(page);
  await page.evaluate((given) => {
    const element = document.createElement('at-least-once');
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    document.body.append(element);
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', src: '/at-least-once.js' });
    document.head.append(script);
  }, attributes);
  return heard;
}

const element = (/** @type {Page} */ page) => page.locator('at-least-once');

test('methods drive the lab, and resolve when it was done', async ({ page }) => {
  const heard = await place(page, { guard: 'off' });
  const { ledger, log, pause, run } = lab(page);
  const act = (/** @type {string} */ name, /** @type {unknown[]} */ ...values) =>
    element(page).evaluate((it, { name, values }) => /** @type {any} */ (it)[name](...values), {
      name,
      values,
    });
  await page.waitForFunction(() => customElements.get('at-least-once'));
  expect(await act('step')).toBe(true);
  await expect(log).toHaveCount(1);
  expect(await act('seek', 100e6)).toBe(true);
  await expect(ledger).toHaveCount(3);
  expect(await act('reset')).toBe(true);
  await expect(log).toHaveCount(0);
  expect(await act('run')).toBe(true);
  await expect(pause).toBeVisible();
  expect(await act('pause')).toBe(true);
  await expect(run).toBeVisible();
  expect(await act('set', 'guard', 'on')).toBe(true);
  expect(await act('set', 'guard', 'nonsense')).toBe(false);
  expect(await heard('ready')).toEqual([
    { experiment: 'double-refund', version: expect.any(String) },
  ]);
  expect(await heard('setting')).toEqual([{ setting: 'guard', value: 'on' }]);
});

test('the end of a run, a prediction, a task are told with what they are', async ({ page }) => {
  const heard = await place(page, { guard: 'off', faults: '0:after-write' });
  const { attempt, crash, prediction, seekEnd } = lab(page);
  await prediction.getByRole('radio', { name: 'one row' }).check();
  expect(await heard('prediction')).toEqual([{ said: 1, outcome: null }]);
  expect(await heard('run-end')).toEqual([]);
  await seekEnd();
  const [end, ...more] = await heard('run-end');
  expect(more).toEqual([]);
  expect(end.verdict).toMatchObject({
    ok: false,
    paid_cents: 3998,
    owed_cents: 1999,
    ledger_rows: 2,
  });
  expect(end.state).toMatch(/^v=\d+&x=double-refund/);
  expect(await heard('prediction')).toEqual([
    { said: 1, outcome: null },
    { said: 1, outcome: 2 },
  ]);
  await attempt(1).click();
  await crash('after the write', 1).click();
  await seekEnd();
  expect(await heard('task')).toEqual([{ task: 0, done: 1, of: 2 }]);
});

test('what is refused is an event, too', async ({ page }) => {
  const heard = await place(page, { 'workers-count': 'many' });
  await expect(lab(page).run).toBeVisible();
  expect(await heard('error')).toEqual([
    { kind: 'refused', message: expect.stringContaining('many'), field: 'workers.count' },
  ]);
});

test('settings are properties, also those that were set too early', async ({ page }) => {
  await page.goto('/host/empty.html');
  await page.evaluate(() => {
    const early = document.createElement('at-least-once');
    Object.assign(early, { guard: 'off', queueMaxAttempts: 2, theme: 'dark' });
    document.body.append(early);
  });
  await page.addScriptTag({ type: 'module', url: '/at-least-once.js' });
  const { guard, ledger, seekEnd } = lab(page);
  await expect(guard).not.toBeChecked();
  await seekEnd();
  await expect(ledger).toHaveCount(2);
  const it = element(page);
  await expect(it).toHaveAttribute('queue-max-attempts', '2');
  await expect(it).toHaveCSS('color-scheme', 'dark');
  await it.evaluate((at) => Object.assign(at, { guard: true, theme: 'light' }));
  await expect(guard).toBeChecked();
  await expect(it).toHaveCSS('color-scheme', 'light');
  expect(await it.evaluate((at) => /** @type {any} */ (at).guard)).toBe('on');
});

test('the state is a link, and a link is a state', async ({ page }) => {
  await place(page, { guard: 'off', faults: '0:after-write' });
  const { guard, ledger, seekEnd } = lab(page);
  await expect(guard).not.toBeChecked();
  const state = await element(page).evaluate((it) => /** @type {any} */ (it).state);
  expect(state).toContain('guard=off');
  await page.reload();
  await place(page, { state });
  await expect(guard).not.toBeChecked();
  await seekEnd();
  await expect(ledger).toHaveCount(2);
  await element(page).evaluate((it) =>
    Object.assign(it, { state: 'v=1&x=double-refund&guard=on' }),
  );
  await expect(guard).toBeChecked();
});

test('the experiment is the one that is shown, whoever has named it', async ({ page }) => {
  await place(page, { state: 'v=1&x=keys' });
  await expect(lab(page).run).toBeVisible();
  const experiment = () => element(page).evaluate((it) => /** @type {any} */ (it).experiment);
  expect(await experiment()).toBe('keys');
  await element(page).evaluate((it) => Object.assign(it, { experiment: 'drain' }));
  expect(await experiment()).toBe('drain');
  await element(page).evaluate((it) => Object.assign(it, { state: 'v=1&x=backoff' }));
  await expect.poll(experiment).toBe('backoff');
  await element(page).evaluate((it) => Object.assign(it, { state: 'v=1&x=backoff&seed=nope' }));
  await expect(page.getByText('The link could not be opened')).toBeVisible();
  expect(await experiment()).toBe('drain');
});

test('a study stops when its lab leaves the page, and can be played again', async ({ page }) => {
  await place(page, { experiment: 'backoff', predict: 'off' });
  const study = page.getByRole('button', { name: /^Play 1,600 runs/ });
  await study.click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await element(page).evaluate((it) => {
    Object.assign(globalThis, { kept: it });
    it.remove();
  });
  // What it plays on without being drawn would be done by then.
  await page.waitForTimeout(3000);
  await page.evaluate(() => document.body.append(/** @type {any} */ (globalThis).kept));
  await expect(study).toBeVisible();
  await study.click();
  await expect(page.getByText(/^\s*1,600 runs played/)).toBeAttached({ timeout: 60_000 });
});

for (const [what, state] of [
  ['damaged', 'v=1&x=double-refund&guard=perhaps'],
  ['newer', 'v=999&x=double-refund'],
  ['too long', `v=1&x=double-refund&faults=${'0:after-write+'.repeat(200)}`],
]) {
  test(`a link that is ${what} is refused in words, and the lab works`, async ({ page }) => {
    const heard = await place(page, { state });
    await expect(page.getByText(/The link could not be opened: .*is not possible/)).toBeVisible();
    await lab(page).seekEnd();
    await expect(lab(page).ledger).not.toHaveCount(0);
    expect((await heard('error'))[0]).toMatchObject({ kind: 'refused', field: 'state' });
  });
}

test('a lab starts when it comes into view, or is asked for something', async ({ page }) => {
  await page.goto('/host/far.html');
  const far = page.locator('#far');
  await expect(lab(page.locator('#near')).run).toBeVisible();
  await expect(far.getByText('What stands between the tags')).toBeVisible();
  await expect(lab(far).run).toHaveCount(0);
  await far.scrollIntoViewIfNeeded();
  await expect(lab(far).run).toBeVisible();
  const farther = page.locator('#farther');
  await expect(lab(farther).run).toHaveCount(0);
  await farther.evaluate((it) => /** @type {any} */ (it).step());
  await expect(lab(farther).log).toHaveCount(1);
});

test('a run plays by itself only where the page asks for it', async ({ page }) => {
  await place(page, { autoplay: '' });
  await expect(lab(page).pause).toBeVisible();
  await place(page, {});
  await expect(lab(page).run).toBeVisible();
});

test('ten labs on a page compile the wasm once', async ({ page }) => {
  await page.addInitScript(() => {
    let count = 0;
    const watch = WebAssembly;
    for (const name of /** @type {const} */ ([
      'instantiate',
      'instantiateStreaming',
      'compile',
      'compileStreaming',
    ])) {
      const real = /** @type {Function} */ (watch[name]);
      Object.assign(watch, {
        [name]: (/** @type {unknown[]} */ ...given) => {
          count += 1;
          return real.apply(watch, given);
        },
      });
    }
    Object.assign(globalThis, { compiled: () => count });
  });
  await page.goto('/host/ten.html');
  await expect(page.locator('at-least-once')).toHaveCount(10);
  for (const it of await page.locator('at-least-once').all()) {
    await it.scrollIntoViewIfNeeded();
    await expect(lab(it).run).toBeVisible();
  }
  expect(await page.evaluate(() => /** @type {any} */ (globalThis).compiled())).toBe(1);
});

test('two copies on a page: the first keeps the name, both classes work', async ({ page }) => {
  await page.goto('/host/embed.html');
  await expect(lab(page).run).toBeVisible();
  await page.evaluate(async () => {
    const names = /** @type {Record<string, string>} */ (
      await (await fetch('/integrity.json')).json()
    );
    const file = Object.keys(names).find((name) => /^at-least-once-[\d.]+\.js$/.test(name));
    const { AtLeastOnce } = await import(`/${file}`);
    customElements.define('at-least-once-again', AtLeastOnce);
    document.body.append(document.createElement('at-least-once-again'));
  });
  await page.locator('at-least-once-again').scrollIntoViewIfNeeded();
  const again = lab(page.locator('at-least-once-again'));
  await page.locator('at-least-once-again').scrollIntoViewIfNeeded();
  await again.seekEnd();
  await expect(again.ledger).toHaveCount(1);
  await lab(page.locator('at-least-once')).seekEnd();
  await expect(lab(page.locator('at-least-once')).ledger).toHaveCount(3);
});

test('what the tag asks for while its lab is being built is not lost', async ({ page }) => {
  await page.route('**/*.wasm', async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await place(page, {});
  await page.waitForFunction(() => customElements.get('at-least-once'));
  await page.waitForTimeout(100);
  await element(page).evaluate((it) => it.setAttribute('state', 'v=1&x=double-refund&guard=off'));
  await expect(lab(page).guard).not.toBeChecked();
  await element(page).evaluate((it) => {
    it.setAttribute('experiment', 'nothing');
    it.setAttribute('experiment', 'double-refund');
  });
  await expect(lab(page).guard).toBeChecked();
});

test('a moment that is none is refused, and the lab stays as it is', async ({ page }) => {
  await place(page, { experiment: 'double-refund' });
  const { run, step, log } = lab(page);
  await expect(run).toBeVisible();
  await step.click();
  for (const moment of [Number.NaN, undefined, 'abc', -1]) {
    const done = await element(page).evaluate(
      (it, us) => /** @type {any} */ (it).seek(us),
      /** @type {any} */ (moment),
    );
    expect(done).toBe(false);
  }
  await expect(log).toHaveCount(1);
});

test('what the page sets is not the reader’s to undo', async ({ page }) => {
  await place(page, { experiment: 'double-refund', 'queue-visibility-timeout': '20s' });
  await expect(lab(page).run).toBeVisible();
  await element(page).evaluate((it) => it.setAttribute('queue-visibility-timeout', '25s'));
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true');
});
