// Nothing that comes in is ever more than text: not from attributes, links, addresses, messages,
// fields or what stands between the tags. Under a strict policy with Trusted Types the browser
// itself says so, and says it if it is not.

import { expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

const HOSTILE = [
  '<img src=x onerror="globalThis.hit=1">',
  '<script>globalThis.hit=1</script>',
  '"><svg onload=globalThis.hit=1>',
  "';globalThis.hit=1;//",
  '$' + '{globalThis.hit=1}',
  '{{constructor.constructor("globalThis.hit=1")()}}',
  'javascript:globalThis.hit=1',
  'data:text/html,<script>globalThis.hit=1</script>',
  '//evil.example/x.js',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '</at-least-once><img src=x onerror=globalThis.hit=1>',
  '<!--?lit$--><img src=x>',
  '__proto__',
  'constructor',
  '\u202Etxet\u202C \u0000 \uFFFF',
  `${'9'.repeat(5000)}`,
  '%3Cimg%20src=x%20onerror=globalThis.hit=1%3E',
  '&lt;img src=x onerror=globalThis.hit=1&gt;',
];

/** Writes down what the policy had to forbid, and what became of the page. @param {Page} page */
async function watch(page) {
  await page.addInitScript(() => {
    const reports = /** @type {string[]} */ ([]);
    Object.assign(globalThis, { reports, hit: 0 });
    document.addEventListener('securitypolicyviolation', (event) => {
      reports.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
}

/** @param {Page} page @param {string} what */
async function untouched(page, what) {
  const seen = await page.evaluate(() => {
    const { reports, hit } = /** @type {any} */ (globalThis);
    const roots = [
      document,
      ...[...document.querySelectorAll('*')].flatMap((it) => it.shadowRoot ?? []),
    ];
    const strange = roots.flatMap((root) =>
      [
        ...root.querySelectorAll('img, iframe, object, embed, svg[onload], [onerror], [onload]'),
      ].map((it) => it.outerHTML.slice(0, 80)),
    );
    const polluted = /** @type {any} */ ({}).hit;
    return { reports, hit, strange, polluted };
  });
  expect(seen, what).toEqual({ reports: [], hit: 0, strange: [], polluted: undefined });
}

const element = (/** @type {Page} */ page) => page.locator('at-least-once');

test('attributes and properties', async ({ page }) => {
  await watch(page);
  await page.goto('/examples/strict-csp/');
  await expect(lab(page).run).toBeVisible();
  const names = [
    'guard',
    'seed',
    'faults',
    'experiment',
    'state',
    'theme',
    'controls',
    'locked',
    'predict',
    'lang',
    'frame',
    'queue-visibility-timeout',
  ];
  for (const text of HOSTILE) {
    await element(page).evaluate(
      async (it, { names, text }) => {
        for (const name of names) {
          it.setAttribute(name, text);
          await new Promise((done) => setTimeout(done));
        }
        for (const name of names) it.removeAttribute(name);
      },
      { names, text },
    );
    await untouched(page, text);
  }
  await lab(page).seekEnd();
  await expect(lab(page).ledger).toHaveCount(1);
});

test('every field of the lab', async ({ page }) => {
  test.setTimeout(120_000);
  await watch(page);
  await page.goto('/examples/strict-csp/');
  await expect(lab(page).run).toBeVisible();
  await page.getByRole('button', { name: 'All settings' }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  const fields = page.locator(
    'at-least-once input:not([type]), at-least-once input[type="text"], at-least-once input[type="search"]',
  );
  await expect(fields.nth(2)).toBeVisible();
  const count = await fields.count();
  expect(count).toBeGreaterThan(3);
  for (let i = 0; i < count; i += 1) {
    for (const text of HOSTILE.slice(0, 4)) {
      const field = fields.nth(i);
      if (!(await field.isVisible())) continue;
      await field.fill(text);
      await field.press('Enter');
    }
    await untouched(page, `field ${i}`);
  }
});

test('what stands between the tags stays what it was', async ({ page }) => {
  await watch(page);
  await page.goto('/examples/strict-csp/');
  await expect(lab(page).run).toBeVisible();
  await element(page).evaluate((it, hostile) => it.replaceChildren(...hostile), HOSTILE);
  expect(await element(page).evaluate((it) => it.children.length)).toBe(0);
  await untouched(page, 'slot');
});

test('the address of the frame, and of the lesson', async ({ page }) => {
  test.setTimeout(120_000);
  await watch(page);
  for (const text of HOSTILE.filter((it) => it.length < 2000)) {
    const query = new URLSearchParams({
      guard: text,
      state: text,
      theme: text,
      experiment: text,
      [text]: text,
    });
    await page.goto(`/embed.html?${query}`);
    await expect(lab(page).run, text).toBeVisible({ timeout: 20_000 });
    await untouched(page, `frame, ${text}`);
    await page.goto('/host/empty.html');
    await page.goto(`/#v=1&x=double-refund&guard=${text}`);
    await expect(lab(page).run, text).toBeVisible({ timeout: 20_000 });
    await untouched(page, `lesson, ${text}`);
  }
});

test('messages to the frame', async ({ page }) => {
  await watch(page);
  await page.goto('/host/frames.html');
  const frame = lab(/** @type {Page} */ (/** @type {unknown} */ (page.frameLocator('#one'))));
  await expect(frame.run).toBeVisible();
  await page.evaluate((hostile) => {
    const { contentWindow } = /** @type {HTMLIFrameElement} */ (document.getElementById('one'));
    for (const text of hostile) {
      for (const fields of [
        { type: 'set', setting: text, value: text },
        { type: 'set', setting: 'guard', value: text },
        { type: 'open', state: text },
        { type: text },
      ]) {
        contentWindow?.postMessage({ source: 'at-least-once', version: 1, ...fields }, '*');
      }
    }
  }, HOSTILE);
  await expect(frame.run).toBeVisible();
  const strange = await page
    .frameLocator('#one')
    .locator('at-least-once')
    .evaluate((it) => ({
      hit: /** @type {any} */ (globalThis).hit,
      count: it.shadowRoot?.querySelectorAll('img, iframe, object, embed').length,
      reports: /** @type {any} */ (globalThis).reports,
    }));
  expect(strange).toEqual({ hit: 0, count: 0, reports: [] });
});

test.describe('where WebAssembly is forbidden', () => {
  test.use({ expected: /violates the following|Content Security Policy|wasm-unsafe-eval/i });

  test('the address of a frame is never a script', async ({ page }) => {
    await page.goto('/host/no-wasm.html');
    const framed = page.locator('#framed');
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' java\nscript:alert(1)',
      'blob:x',
    ]) {
      await framed.evaluate((it, frame) => {
        it.setAttribute('frame', frame);
        it.remove();
        document.body.append(it);
      }, text);
      await expect(framed.getByRole('alert')).toBeVisible();
      const addresses = await framed.evaluate((it) =>
        [...(it.shadowRoot?.querySelectorAll('iframe, a') ?? [])].map(
          (at) => at.getAttribute('src') ?? at.getAttribute('href'),
        ),
      );
      expect(addresses.filter((address) => address !== 'about:blank')).toEqual([]);
    }
  });
});

test("the site's own pages carry a policy that forbids other origins", async ({ page }) => {
  for (const place of [
    '/',
    '/embed.html',
    '/at-least-once.html',
    '/experiments/double-refund.html',
  ]) {
    await page.goto(place);
    const policy = await page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  }
});
