// Whatever the network or the machine does, a reader gets a sentence and a way on, never a
// blank box.

import { expect, lab, test } from './fixtures.js';

/** @typedef {import('@playwright/test').Page} Page */

const WASM = /at_least_once_bg-.*\.wasm/;

/** What browsers themselves write about what is made to go wrong here. */
test.use({ expected: /Failed to load resource|error loading dynamically|wasm|Wasm|memory|ERR_/ });

const failed = (/** @type {Page} */ page) =>
  page.getByRole('alert').filter({ hasText: 'The simulation did not load' });
const tryAgain = (/** @type {Page} */ page) => page.getByRole('button', { name: 'Try again' });

/** After the fault is gone the lab comes up, and works. @param {Page} page */
async function recovers(page) {
  await page.unrouteAll();
  await tryAgain(page).click();
  const { ledger, run, seekEnd } = lab(page);
  await expect(run).toBeVisible();
  await seekEnd();
  await expect(ledger).toHaveCount(2);
}

test('a wasm that does not come', async ({ page }) => {
  await page.route(WASM, (route) => route.abort());
  await page.goto('/#double-refund');
  await expect(failed(page)).toContainText('could not be fetched');
  await recovers(page);
});

test('a wasm that is not there', async ({ page }) => {
  await page.route(WASM, (route) => route.fulfill({ status: 404, body: 'not found' }));
  await page.goto('/#double-refund');
  await expect(failed(page)).toContainText('could not be fetched');
  await recovers(page);
});

test('a wasm that is cut off', async ({ page }) => {
  await page.route(WASM, async (route) => {
    const response = await route.fetch();
    const whole = await response.body();
    const body = whole.subarray(0, whole.length / 2);
    await route.fulfill({ body, contentType: 'application/wasm' });
  });
  await page.goto('/#double-refund');
  await expect(failed(page)).toContainText('cut off');
  await recovers(page);
});

test('another file in the place of the wasm', async ({ page }) => {
  const body = '<!doctype html><title>Sign in</title>';
  await page.route(WASM, (route) => route.fulfill({ body, contentType: 'text/html' }));
  await page.goto('/#double-refund');
  await expect(failed(page)).toContainText('another file');
  await recovers(page);
});

test('a wasm that is served as another type works all the same', async ({ page }) => {
  await page.route(WASM, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ body: await response.body(), contentType: 'application/octet-stream' });
  });
  await page.goto('/#double-refund');
  await lab(page).seekEnd();
  await expect(lab(page).ledger).toHaveCount(2);
});

test('a wasm that never answers', async ({ page }) => {
  /** @type {(() => void) | undefined} */
  let answer;
  await page.clock.install();
  await page.route(WASM, async (route) => {
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  await page.goto('/#double-refund');
  await expect(page.getByText('Loading the simulation')).toBeVisible();
  await expect.poll(() => typeof answer).toBe('function');
  await page.clock.runFor(21_000);
  await expect(failed(page)).toContainText('no answer for 20 seconds');
  answer?.();
  await tryAgain(page).click();
  await expect(lab(page).run).toBeVisible();
});

test('a chapter whose text does not come', async ({ page }) => {
  await page.route(/double-refund-.*\.js/, (route) => route.abort());
  await page.goto('/host/default.html');
  await expect(failed(page)).toContainText('could not be fetched');
  await page.unrouteAll();
  await tryAgain(page).click();
  await expect(lab(page).run).toBeVisible();
});

test('a chapter whose text does not come when a lab begins to show it', async ({ page }) => {
  await page.goto('/');
  const { ledger, run, seekEnd, tasks } = lab(page);
  await expect(run).toBeVisible();
  await page.context().setOffline(true);
  await seekEnd();
  await page.locator('at-least-once').evaluate((it) => it.setAttribute('controls', 'tasks tables'));
  // The desk, and the text.
  await expect(page.getByText('This part could not be fetched')).toHaveCount(2);
  await page.context().setOffline(false);
  await tryAgain(page).last().click();
  await tryAgain(page).click();
  await expect(tasks).not.toHaveCount(0);
  await expect(ledger).not.toHaveCount(0);
});

test('a part that does not come when it is opened', async ({ page }) => {
  await page.goto('/#double-refund');
  const { run, seekEnd, ledger } = lab(page);
  await expect(run).toBeVisible();
  // All that is fetched without being asked for is there.
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'All settings' }).click();
  await expect(page.getByText('This part could not be fetched')).toBeVisible();
  // The rest goes on.
  await seekEnd();
  await expect(ledger).toHaveCount(2);
  await page.context().setOffline(false);
  await tryAgain(page).click();
  await expect(page.getByRole('searchbox', { name: 'Search the settings' })).toBeVisible();
});

/**
 * From the moment that `broken` is set, no session can be made any more: what a reader's machine
 * does that has no memory left.
 */
const withoutMemory = () => {
  const spoil = (/** @type {WebAssembly.Exports} */ exports) => {
    /** @type {Record<string, any>} */
    const all = { ...exports };
    for (const name of ['session_set', 'session_new']) {
      const real = all[name];
      all[name] = (/** @type {unknown[]} */ ...given) => {
        if (/** @type {any} */ (globalThis).broken) throw new RangeError('out of memory');
        return real(...given);
      };
    }
    return all;
  };
  const { instantiateStreaming, Instance } = WebAssembly;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const { instance, module } = await instantiateStreaming(source, imports);
    return /** @type {any} */ ({ instance: { exports: spoil(instance.exports) }, module });
  };
  /** @type {any} */ (WebAssembly).Instance = class {
    constructor(/** @type {WebAssembly.Module} */ module, /** @type {any} */ imports) {
      /** @type {any} */ (this).exports = spoil(new Instance(module, imports).exports);
    }
  };
};

test('no memory left: the settings are kept, and there is a way on', async ({ page }) => {
  await page.addInitScript(withoutMemory);
  await page.goto('/#double-refund');
  const { guard, ledger, run, seekEnd } = lab(page);
  await guard.click();
  await expect(guard).toBeChecked();
  await page.evaluate(() => Object.assign(globalThis, { broken: true }));
  await lab(page).newSeed.click();
  await expect(page.getByRole('alert')).toContainText('not enough memory');
  await page.evaluate(() => Object.assign(globalThis, { broken: false }));
  await page.getByRole('button', { name: 'Start over with your settings' }).click();
  await expect(run).toBeVisible();
  await expect(guard).toBeChecked();
  await seekEnd();
  await expect(ledger).toHaveCount(1);
});
