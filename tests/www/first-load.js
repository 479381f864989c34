// What the first load of the built lesson weighs: everything that a browser fetches for
// dist/index.html, file by file, gzip -9. Fails when it is over the bars.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { serve } from './server.js';

const KB = 1024;
const TOTAL = 130 * KB;
const WASM = 90 * KB;

const server = await serve(0);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const origin = `http://127.0.0.1:${port}`;
const browser = await chromium.launch({
  executablePath: process.env.AT_LEAST_ONCE_CHROMIUM,
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
/** @type {Set<string>} */
const fetched = new Set();
page.on('request', (request) => fetched.add(request.url()));
await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
await browser.close();
server.close();

const rows = [...fetched]
  .filter((url) => url.startsWith('http'))
  .map((url) => {
    if (!url.startsWith(`${origin}/`)) throw new Error(`the lesson asks another origin: ${url}`);
    const name = url.slice(origin.length + 1) || 'index.html';
    const bytes = readFileSync(new URL(`../../dist/${name}`, import.meta.url));
    return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  })
  .sort((a, b) => b.gzip - a.gzip);

const sum = (/** @type {typeof rows} */ some) => some.reduce((total, row) => total + row.gzip, 0);
const wasm = sum(rows.filter((row) => row.name.endsWith('.wasm')));
const total = sum(rows);

const width = Math.max(...rows.map((row) => row.name.length), 24);
const line = (/** @type {string[]} */ [name, raw, gzip]) =>
  process.stdout.write(`${name.padEnd(width)}  ${raw.padStart(9)}  ${gzip.padStart(9)}\n`);
const kb = (/** @type {number} */ bytes) => `${(bytes / KB).toFixed(1)} KB`;
line(['file', 'raw', 'gzip -9']);
for (const row of rows) line([row.name, kb(row.raw), kb(row.gzip)]);
line(['wasm', `at most ${WASM / KB} KB`, kb(wasm)]);
line(['everything', `at most ${TOTAL / KB} KB`, kb(total)]);

if (wasm === 0) throw new Error('the lesson fetched no wasm');
if (wasm > WASM || total > TOTAL) process.exitCode = 1;
