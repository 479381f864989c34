// What a browser fetches of the built lesson, file by file, and what that weighs with gzip -9.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { serve } from './server.js';

export const KB = 1024;
export const kb = (/** @type {number} */ bytes) => `${(bytes / KB).toFixed(1)} KB`;

/** @typedef {{ name: string, raw: number, gzip: number }} File */

/** @param {File[]} files */
export const sum = (files) => files.reduce((total, file) => total + file.gzip, 0);

/** @param {string[]} texts a line's cells: a name, and numbers */
export const line = ([name, ...rest]) =>
  process.stdout.write(`${name.padEnd(40)}${rest.map((cell) => cell.padStart(16)).join('')}\n`);

/**
 * Opens the built lesson for a while.
 * @param {(newPage: () => Promise<Weighed>) => Promise<void>} act
 */
export async function weighing(act) {
  const server = await serve(0);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({
    executablePath: process.env.AT_LEAST_ONCE_CHROMIUM,
    args: ['--no-sandbox'],
  });
  try {
    await act(async () => new Weighed(await browser.newPage(), `http://127.0.0.1:${port}`));
  } finally {
    await browser.close();
    server.close();
  }
}

/** A page that knows what it has fetched. */
export class Weighed {
  /** @type {Set<string>} */
  #fetched = new Set();
  #counted = 0;
  #origin;
  page;

  /** @param {import('@playwright/test').Page} page @param {string} origin */
  constructor(page, origin) {
    this.page = page;
    this.#origin = origin;
    page.on('request', (request) => this.#fetched.add(request.url()));
  }

  /** @param {string} path */
  async open(path) {
    await this.page.goto(`${this.#origin}/${path}`, { waitUntil: 'networkidle' });
  }

  /** What was fetched for the first time since this was asked last, the heaviest first. @returns {File[]} */
  fetched() {
    const urls = [...this.#fetched].slice(this.#counted);
    this.#counted = this.#fetched.size;
    return urls
      .filter((url) => url.startsWith('http'))
      .map((url) => {
        if (!url.startsWith(`${this.#origin}/`)) {
          throw new Error(`the lesson asks another origin: ${url}`);
        }
        const name = url.slice(this.#origin.length + 1) || 'index.html';
        const bytes = readFileSync(new URL(`../../dist/${name}`, import.meta.url));
        return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
      })
      .sort((a, b) => b.gzip - a.gzip);
  }
}
