// What the element adds to the lab, and what the one-file builds weigh; gzip -9. Fails over the bars.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, root } from './bundle.js';

const KB = 1024;
const ADDED = 5 * KB;
const LESSON = 350 * KB;

const weigh = (/** @type {string | Buffer} */ text) => gzipSync(text, { level: 9 }).length;
/** Without the wasm, which is the same in both. @param {string} code */
const script = (code) => weigh(code.replace(/[A-Za-z0-9+/=]{10000,}/, ''));

// What is fetched only when it is wanted is in both, so that the difference is what every page
// loads with the element.
const lab = script(await bundle('packaging/lab-only.js', 'es'));
const added = script(await bundle('www/at-least-once.js', 'es')) - lab;
const lesson = weigh(readFileSync(join(root, 'dist/at-least-once.html')));

const line = (/** @type {string} */ name, /** @type {number} */ bytes, /** @type {string} */ bar) =>
  process.stdout.write(`${name.padEnd(34)}${(bytes / KB).toFixed(1).padStart(8)} KB  ${bar}\n`);
line('the lab, scripts', lab, '');
line('the element adds', added, `at most ${ADDED / KB} KB`);
line('at-least-once.html', lesson, `at most ${LESSON / KB} KB`);
if (added > ADDED || lesson > LESSON) process.exitCode = 1;
