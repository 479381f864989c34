// The server of the browser tests: dist/ as a plain web server would give it, and
// beside it what only the tests need. Start: node tests/www/server.js PORT

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = process.env.AT_LEAST_ONCE_TARGET ?? join(root, 'target');

/** The first prefix that fits decides the folder. @type {[string, string][]} */
const folders = [
  ['/trap/', join(target, 'dist-trap')],
  ['/traces/', join(target, 'tmp')],
  ['/pkg/', join(root, 'www/pkg')],
  ['/host/', join(root, 'tests/www/host')],
  ['/', join(root, 'dist')],
];

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The file that a path stands for, inside its folder only. @param {string} path */
function fileOf(path) {
  const [prefix, folder] = /** @type {[string, string]} */ (
    folders.find(([start]) => path.startsWith(start))
  );
  const inside = normalize(`/${path.slice(prefix.length)}`);
  return join(folder, inside.endsWith('/') ? `${inside}index.html` : inside);
}

/** @param {number} port 0 takes a free one */
export function serve(port) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = fileOf(decodeURIComponent(pathname));
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': found.size,
      'cache-control': 'max-age=3600',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((/** @type {(server: import('node:http').Server) => void} */ resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serve(Number(process.argv[2] ?? 0));
}
