// The forms in which an experiment comes onto a page, as `examples/embed/` has them: the module,
// the module under a strict policy, the frame, the one file, the slide deck.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, lab, test } from './fixtures.js';

/** @import { FrameLocator, Locator, Page } from '@playwright/test' */

const built = (/** @type {string} */ file) =>
  fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));

/** The lab in a frame. @param {Page | Locator | FrameLocator} within */
const framed = (within) => lab(/** @type {Page} */ (/** @type {unknown} */ (within)));

const bodyOf = (/** @type {Page} */ page) =>
  page.evaluate(() => [document.activeElement?.tagName, scrollY]);

test('plain HTML: the element, and a script of the page that hears of it', async ({ page }) => {
  await page.goto('/examples/plain/');
  const { ledger, seekEnd } = lab(page);
  await seekEnd();
  await expect(ledger).toHaveCount(3);
  await expect(page.locator('#paid')).toHaveText('59.97 of 19.99');
});

test('a strict policy with Trusted Types: no violation', async ({ page }) => {
  await page.addInitScript(() => {
    const reports = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { reports });
    document.addEventListener('securitypolicyviolation', (event) => {
      reports.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  await page.goto('/examples/strict-csp/');
  const { guard, ledger, seekEnd } = lab(page);
  await seekEnd();
  await expect(ledger).toHaveCount(3);
  await guard.click();
  await seekEnd();
  await expect(ledger).toHaveCount(1);
  expect(await page.evaluate(() => /** @type {any} */ (globalThis).reports)).toEqual([]);
});

test('a module that is protected whole by its hash', async ({ page }) => {
  const hashes = JSON.parse(readFileSync(built('integrity.json'), 'utf8'));
  const [file, hash] = /** @type {[string, string]} */ (
    Object.entries(hashes).find(([name]) => /^at-least-once-[\d.]+\.js$/.test(name))
  );
  await page.goto('/host/empty.html');
  await page.evaluate(
    ([src, integrity]) => {
      const script = document.createElement('script');
      Object.assign(script, { type: 'module', src, integrity });
      document.head.append(script);
      document.body.append(document.createElement('at-least-once'));
    },
    [`/${file}`, hash],
  );
  await lab(page).seekEnd();
  await expect(lab(page).ledger).toHaveCount(1);
});

test.describe('a page that forbids WebAssembly', () => {
  test.use({ expected: /violates the following|Content Security Policy|wasm-unsafe-eval/i });

  test('says which directive is missing, and what stands between the tags stays', async ({
    page,
  }) => {
    await page.goto('/host/no-wasm.html');
    const alone = page.locator('#alone');
    await expect(alone.getByRole('alert')).toContainText(/script-src.*'wasm-unsafe-eval'/);
    await expect(alone.getByText('What stands between the tags.')).toBeVisible();
  });

  test('is given a frame, if it is told where one is', async ({ page }) => {
    await page.goto('/examples/no-wasm/');
    const { ledger, run, seekEnd } = framed(page.frameLocator('at-least-once iframe'));
    await expect(run).toBeVisible();
    await seekEnd();
    await expect(ledger).toHaveCount(3);
    await page.locator('at-least-once').evaluate((it) => /** @type {any} */ (it).reset());
    await expect(ledger).toHaveCount(0);
    const frame = page.locator('at-least-once iframe');
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(500);
  });

  test('and the frame follows the tag', async ({ page }) => {
    await page.goto('/examples/no-wasm/');
    const element = page.locator('at-least-once');
    const inside = framed(page.frameLocator('at-least-once iframe'));
    await inside.seekEnd();
    await expect(inside.ledger).toHaveCount(3);
    const state = () => element.evaluate((it) => /** @type {any} */ (it).state);
    expect(await state()).toContain('guard');
    await element.evaluate((it) => it.setAttribute('guard', 'on'));
    await inside.seekEnd();
    await expect(inside.ledger).toHaveCount(1);
    expect(await state()).not.toContain('guard');
    const title = () => element.locator('iframe').getAttribute('title');
    const before = await title();
    await element.evaluate((it) => it.setAttribute('experiment', 'keys'));
    await expect.poll(title).not.toBe(before);
    // Where the frame is may be nowhere for a while.
    await element.evaluate((it) => it.removeAttribute('frame'));
    await expect(element.locator('iframe')).toHaveCount(0);
    await element.evaluate((it) => it.setAttribute('frame', 'embed.html'));
    await expect(inside.run).toBeVisible();
  });

  test('and says so where frames are forbidden, too', async ({ page }) => {
    await page.goto('/host/no-wasm.html');
    const framed = page.locator('#framed');
    await expect(framed.getByRole('alert')).toContainText('frame-src');
    await expect(framed.getByRole('link')).toHaveAttribute('href', /\/embed\.html$/);
    await expect(framed.getByText('What stands between the tags.')).toBeVisible();
  });

  test('a page that forbids fetches is told of connect-src', async ({ page }) => {
    await page.goto('/host/no-connect.html');
    await expect(page.getByRole('alert')).toContainText(/connect-src.*http:\/\/127\.0\.0\.1/);
    await expect(page.getByText('What stands between the tags.')).toBeVisible();
  });
});

test('the frame in a sandbox, as in the example', async ({ page }) => {
  await page.goto('/examples/frame/');
  const frame = page.locator('iframe');
  const { ledger, run, seekEnd } = framed(page.frameLocator('iframe'));
  await expect(run).toBeVisible();
  expect(await bodyOf(page)).toEqual(['BODY', 0]);
  await expect.poll(async () => (await frame.boundingBox())?.height).not.toBe(900);
  await seekEnd();
  await expect(ledger).toHaveCount(3);
});

test.describe('the one file from a disk', () => {
  test('the lesson', async ({ page }) => {
    await page.goto(`file://${built('at-least-once.html')}#double-refund`);
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(2);
  });

  test('an experiment', async ({ page }) => {
    await page.goto(`file://${built('experiments/double-refund.html')}`);
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(1);
  });

  test('the lesson in a sandbox, without storage', async ({ page }) => {
    await page.goto('/host/empty.html');
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      Object.assign(frame, {
        src: '/at-least-once.html#double-refund',
        width: '900',
        height: '700',
      });
      document.body.append(frame);
    });
    const { ledger, seekEnd } = framed(page.frameLocator('iframe'));
    await seekEnd();
    await expect(ledger).toHaveCount(2);
  });

  test('without a network it is the same', async ({ context, page }) => {
    await context.setOffline(true);
    await page.goto(`file://${built('at-least-once.html')}#double-refund`);
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(2);
  });
});

test.describe('slides', () => {
  test('keys stay in the lab, and move the slides outside it', async ({ page }) => {
    await page.goto('/examples/reveal/#/1');
    const { ledger, run, time } = lab(page);
    await expect(run).toBeVisible();
    await time.focus();
    await time.press('End');
    await expect(ledger).toHaveCount(3);
    await time.press('ArrowLeft');
    await run.focus();
    await run.press('Space');
    await expect(page).toHaveURL(/#\/1$/);
    await page.mouse.click(2, 2);
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/#\/2$/);
  });
});
