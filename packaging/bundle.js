// Bundles of which each is one file: the wasm inside, every part that is otherwise fetched on
// demand too. Nothing in them asks for an address.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { forAnyHost } from '../vite.config.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));

/** @import { Plugin } from 'vite' */

/** @returns {Plugin} */
function wasmInside() {
  const place = resolve(root, 'www/wasm.js');
  const whole = resolve(root, 'www/whole.js');
  const bytes = readFileSync(resolve(root, 'www/pkg/at_least_once_bg.wasm')).toString('base64');
  return {
    name: 'wasm-inside',
    enforce: 'pre',
    load(id) {
      // The larger module stays a file of its own, which these builds have none of.
      if (id === whole) return "export const whole = () => Promise.reject(new Error('one file'));";
      if (id !== place) return undefined;
      return `const text = '${bytes}';
        export const compiled = () => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));`;
    },
    transform(code, id) {
      if (!id.endsWith('/pkg/at_least_once.js')) return undefined;
      // Where the bindings would look for a file; nobody asks them to.
      const found = /new URL\('at_least_once_bg\.wasm', import\.meta\.url\)/;
      if (!found.test(code)) throw new Error('the bindings look for their module in a new way');
      return { code: code.replace(found, 'undefined'), map: null };
    },
  };
}

/**
 * One entry with all that it imports, as one text.
 * @param {string} entry from the root
 * @param {'es' | 'iife'} format
 * @returns {Promise<string>}
 */
export async function bundle(entry, format) {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [wasmInside()],
    resolve: forAnyHost,
    build: {
      write: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: resolve(root, entry),
        preserveEntrySignatures: 'strict',
        // Nothing is fetched, so nothing asks where the file is.
        ...(format === 'iife' && { transform: { define: { 'import.meta': '{}' } } }),
        output: { format, codeSplitting: false },
      },
    },
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (
    Array.isArray(built) ? built[0] : built
  );
  if (output.length !== 1 || output[0].type !== 'chunk') {
    const names = output.map(({ fileName }) => fileName).join(', ');
    throw new Error(`${entry} is not one file: ${names}`);
  }
  return output[0].code;
}
