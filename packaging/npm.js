// The npm package: a module with its types, its manifest, and the frame for pages that need one.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, version } from './bundle.js';
import { manifest } from './manifest.js';
import { types } from './types.js';

/** @import { Setting } from './manifest.js' */

const REGISTERS = `import { AtLeastOnce } from './element.js';

if (typeof customElements !== 'undefined' && !customElements.get('at-least-once')) {
  customElements.define('at-least-once', AtLeastOnce);
}

export { AtLeastOnce };
`;

/** @param {string} name */
const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });

/** @param {Record<string, unknown>} own what the root's package.json says */
const description = ({ name, description, license }) => ({
  name,
  version,
  description,
  license,
  keywords: ['custom-element', 'web-component', 'idempotency', 'queue', 'simulation', 'education'],
  type: 'module',
  types: './at-least-once.d.ts',
  exports: {
    '.': entry('at-least-once'),
    './element.js': entry('element'),
    './host.js': entry('host'),
    './embed.html': './embed.html',
    './custom-elements.json': './custom-elements.json',
    './package.json': './package.json',
  },
  customElements: 'custom-elements.json',
  // Whoever imports only the class registers nothing.
  sideEffects: ['./at-least-once.js', './host.js'],
});

/**
 * @param {string} folder
 * @param {{ element: string, host: string, frame: string, settings: Setting[] }} parts
 */
export function npmPackage(folder, { element, host, frame, settings }) {
  mkdirSync(folder, { recursive: true });
  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(folder, file), text);
  const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('package.json', json(description(own)));
  write('element.js', element);
  write('at-least-once.js', REGISTERS);
  write('host.js', host);
  write('embed.html', frame);
  write('custom-elements.json', json(manifest(settings)));
  for (const [file, text] of Object.entries(types(settings))) write(file, text);
  copyFileSync(join(root, 'www/pkg/at_least_once.d.ts'), join(folder, 'core.d.ts'));
  copyFileSync(join(root, 'packaging/README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
