// The forms in which an experiment travels: one page, one frame, one module, one npm package.
// Start: node packaging/build.js [FOLDER]; the wasm package is built before.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundle, root, version } from './bundle.js';
import { integrity } from './integrity.js';
import { npmPackage } from './npm.js';
import { page } from './page.js';

const out = resolve(root, process.argv[2] ?? 'dist');
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** @type {string[]} */
const written = [];
function write(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  writeFileSync(join(out, file), text);
  written.push(file);
}

/** Code that was bundled, run here: it is the same that runs in the browser. */
async function run(/** @type {string} */ entry) {
  const code = await bundle(entry, 'es');
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

const { stories, settings } = await run('packaging/describe.js');
const experiments = await stories();

// The lesson.
const lesson = read('index.html');
const between = (/** @type {RegExp} */ part) => {
  const found = part.exec(lesson)?.[1];
  if (!found) throw new Error(`index.html has no ${part}`);
  return found.trim();
};
const styles = [...lesson.matchAll(/<link rel="stylesheet" href="\.\/([^"]+)"/g)];
if (styles.length === 0) throw new Error('index.html has no style sheets');
write(
  'at-least-once.html',
  page({
    head: `<title>${between(/<title>(.*)<\/title>/)}</title>`,
    body: between(/<body>([\s\S]*)<\/body>/),
    style: styles.map(([, file]) => read(file)).join('\n'),
    script: await bundle('www/page.js', 'iife'),
  }),
);

// The frame, and each experiment by itself.
const frame = await bundle('www/embed/frame.js', 'iife');
const style = read('www/embed/frame.css');
for (const { id, title, fallback } of experiments) {
  const parts = {
    head: `<title>${title}</title>`,
    body: `<at-least-once experiment="${id}">\n${fallback}\n</at-least-once>`,
    style,
    script: frame,
  };
  write(`experiments/${id}.html`, page(parts));
  if (id === experiments[0].id) write('embed.html', page(parts));
}

// One module, its name with its version: what SRI can protect whole.
write(`at-least-once-${version}.js`, await bundle('www/at-least-once.js', 'es'));
const host = await bundle('www/embed/host.js', 'es');
write('embed/host.js', host);
write('integrity.json', integrity(out, written));

const npm = join(out, 'npm');
rmSync(npm, { recursive: true, force: true });
npmPackage(npm, {
  element: await bundle('www/api.js', 'es'),
  host,
  frame: readFileSync(join(out, 'embed.html'), 'utf8'),
  settings: await settings(),
});
