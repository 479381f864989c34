// The wasm package as it ships, loaded under Node.

import { readFileSync } from 'node:fs';
import { initSync } from '../../www/pkg/at_least_once.js';

initSync({ module: readFileSync(new URL('../../www/pkg/at_least_once_bg.wasm', import.meta.url)) });

export * from '../../www/pkg/at_least_once.js';
