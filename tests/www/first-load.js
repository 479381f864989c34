// What the first load of the built lesson weighs: everything that a browser fetches for
// dist/index.html. Fails when it is over the bars.

import { KB, kb, line, sum, weighing } from './weight.js';

const TOTAL = 130 * KB;
const WASM = 90 * KB;

await weighing(async (newPage) => {
  const page = await newPage();
  await page.open('');
  const files = page.fetched();
  const wasm = sum(files.filter(({ name }) => name.endsWith('.wasm')));
  const total = sum(files);
  line(['file', 'raw', 'gzip -9']);
  for (const { name, raw, gzip } of files) line([name, kb(raw), kb(gzip)]);
  line(['wasm', `at most ${WASM / KB} KB`, kb(wasm)]);
  line(['everything', `at most ${TOTAL / KB} KB`, kb(total)]);
  if (wasm === 0) throw new Error('the lesson fetched no wasm');
  if (wasm > WASM || total > TOTAL) process.exitCode = 1;
});
