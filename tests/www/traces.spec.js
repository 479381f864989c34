// The shipped wasm in each browser gives the trace that the native build gave, byte for
// byte: the same cases as trace.node.js.

import { expect, test } from './fixtures.js';

const CHUNK = 100;

test('the traces are those of the native build', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto('/host/empty.html');
  const count = await page.evaluate(async () => {
    const pkg = '/pkg/at_least_once.js';
    const { default: init, Session } = await import(pkg);
    const cases = await (await fetch('/traces/traces.json')).json();
    await init();
    Object.assign(globalThis, { Session, cases });
    return cases.length;
  });
  expect(count).toBeGreaterThanOrEqual(50 * 20);
  for (let from = 0; from < count; from += CHUNK) {
    const different = await page.evaluate(
      ([start, end]) => {
        const { Session, cases } = /** @type {any} */ (globalThis);
        for (const { settings, trace } of cases.slice(start, end)) {
          const session = new Session('double-refund', settings);
          const here = session.trace();
          session.free();
          if (here !== trace) return { settings, trace, here };
        }
        return null;
      },
      [from, from + CHUNK],
    );
    expect(different).toBeNull();
  }
});
