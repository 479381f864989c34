// Hashes for the `integrity` attribute of whoever loads a file from somewhere.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} folder @param {string[]} files */
export function integrity(folder, files) {
  const hashes = files.toSorted().map((file) => {
    const bytes = readFileSync(join(folder, file));
    return [file, `sha384-${createHash('sha384').update(bytes).digest('base64')}`];
  });
  return `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`;
}
