// A smoke run in WebKit, by its WebDriver: every form in which an experiment comes onto a page,
// driven by keyboard and pointer. Start it where there is a display: xvfb-run -a node tests/www/webkit.js

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { serve } from './server.js';
import { Browser } from './webdriver.js';

const DRIVER = process.env.AT_LEAST_ONCE_WEBKIT ?? '/usr/bin/WebKitWebDriver';
const END = '\uE010';

/** The browser that comes with the driver, in the folder of its architecture. */
function miniBrowser() {
  for (const architecture of readdirSync('/usr/lib')) {
    for (const version of ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0']) {
      const folder = `/usr/lib/${architecture}/${version}`;
      try {
        if (readdirSync(folder).includes('MiniBrowser')) return `${folder}/MiniBrowser`;
      } catch {
        // Most folders have no WebKit in them.
      }
    }
  }
  throw new Error('WebKitGTK has no MiniBrowser here: install libwebkit2gtk-4.1-0 and its driver');
}

/** What is looked up in the lab, as a function for the page. */
const rows = (/** @type {string} */ name) => {
  const tables = document.querySelector('at-least-once')?.shadowRoot?.querySelectorAll('table');
  const table = [...(tables ?? [])].find((it) => {
    const label = it.getAttribute('aria-label') ?? it.caption?.textContent ?? '';
    const named = document
      .querySelector('at-least-once')
      ?.shadowRoot?.getElementById(it.getAttribute('aria-labelledby') ?? 'none');
    return label.trim() === name || named?.textContent?.trim() === name;
  });
  if (!table) return null;
  const body = [...table.querySelectorAll('tbody tr')];
  return String(body.filter((row) => !row.textContent?.includes('Nothing yet.')).length);
};
const focusTime = () => {
  const root = document.querySelector('at-least-once')?.shadowRoot;
  const time = /** @type {HTMLElement | null | undefined} */ (
    root?.querySelector('input[type="range"]')
  );
  time?.focus();
  return time !== undefined && time !== null && root?.activeElement === time;
};
const placeOf = (/** @type {string} */ label) => {
  const root = document.querySelector('at-least-once')?.shadowRoot;
  const button = [...(root?.querySelectorAll('button') ?? [])].find(
    (it) => it.textContent?.trim() === label,
  );
  button?.scrollIntoView({ block: 'center' });
  const box = button?.getBoundingClientRect();
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const alert = () =>
  document.querySelector('at-least-once')?.shadowRoot?.querySelector('[role="alert"]')?.textContent;
const frame = () =>
  document.querySelector('iframe') ??
  document.querySelector('at-least-once')?.shadowRoot?.querySelector('iframe');

const seekEnd = () => {
  const element = /** @type {any} */ (document.querySelector('at-least-once'));
  element?.seek?.(1e9);
  return element?.seek !== undefined;
};

/** Goes to the end by the keyboard, and counts the ledger. @param {string} count */
async function refunds(count) {
  await browser.until('the lab is there', focusTime);
  await browser.press(END);
  await counted(count);
}

/**
 * The same in a frame, by the element's method: WebKit lets no script of a sandboxed frame take
 * the focus, and the driver types only where the focus is.
 * @param {string} count
 */
async function refundsInFrame(count) {
  await browser.until('the element is there', seekEnd);
  await counted(count);
}

/** @param {string} count */
async function counted(count) {
  let seen = await browser.run(rows, 'Ledger');
  for (let tries = 0; seen !== count && tries < 100; tries += 1) {
    await new Promise((done) => setTimeout(done, 50));
    seen = await browser.run(rows, 'Ledger');
  }
  assert.equal(seen, count, 'rows in the ledger');
}

const server = await serve(0);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const at = (/** @type {string} */ path) => `http://127.0.0.1:${port}${path}`;
const disk = (/** @type {string} */ file) => new URL(`../../dist/${file}`, import.meta.url).href;

/** @type {[string, () => Promise<void>][]} */
const forms = [
  [
    'the module',
    async () => {
      await browser.open(at('/examples/plain/'));
      await refunds('3');
      await browser.click(await browser.until('Run', placeOf, 'Run'));
      await browser.until('it plays', placeOf, 'Pause');
    },
  ],
  [
    'the module under a strict policy with Trusted Types',
    async () => {
      await browser.open(at('/examples/strict-csp/'));
      await refunds('3');
    },
  ],
  [
    'the module where WebAssembly is forbidden: what is missing',
    async () => {
      await browser.open(at('/host/no-wasm.html'));
      const text = await browser.until('a message', alert);
      assert.match(text, /script-src.*'wasm-unsafe-eval'/);
    },
  ],
  [
    'the module where WebAssembly is forbidden: a frame instead',
    async () => {
      await browser.open(at('/examples/no-wasm/'));
      await browser.enter(await browser.until('a frame', frame));
      await refundsInFrame('3');
    },
  ],
  [
    'the frame in a sandbox, and its height',
    async () => {
      await browser.open(at('/examples/frame/'));
      const inside = await browser.until('a frame', frame);
      await browser.until('the height of the lab', () => {
        const height = document.querySelector('iframe')?.style.height;
        return height && height !== '900px';
      });
      await browser.enter(inside);
      await refundsInFrame('3');
    },
  ],
  [
    'the lesson as one file from a disk',
    async () => {
      await browser.open(`${disk('at-least-once.html')}#double-refund`);
      await refunds('2');
    },
  ],
  [
    'an experiment as one file from a disk',
    async () => {
      await browser.open(disk('experiments/double-refund.html'));
      await refunds('1');
    },
  ],
  [
    'a slide',
    async () => {
      await browser.open(`${at('/examples/reveal/')}#/1`);
      await refunds('3');
      assert.equal(await browser.run(() => location.hash), '#/1');
    },
  ],
  [
    'the lesson',
    async () => {
      await browser.open(at('/#double-refund'));
      await refunds('2');
    },
  ],
];

const browser = await Browser.start(DRIVER, {
  browserName: 'MiniBrowser',
  'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
});
let failed = 0;
for (const [name, form] of forms) {
  try {
    await browser.enter(null).catch(() => undefined);
    await form();
    process.stdout.write(`ok      ${name}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`failed  ${name}: ${error}\n`);
  }
}
await browser.close();
server.close();
if (failed) process.exitCode = 1;
