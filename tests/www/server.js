// The server of the browser tests: dist/ as a plain web server would give it, and
// beside it what only the tests need. Start: node tests/www/server.js PORT

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = process.env.AT_LEAST_ONCE_TARGET ?? join(root, 'target');

/**
 * The first prefix that fits decides the folders; a file is taken from the first that has it. An
 * example finds what was built beside it, as on a course page that it was copied to.
 * @type {[string, ...string[]][]}
 */
const folders = [
  ['/examples/reveal/reveal.js/', join(root, 'node_modules/reveal.js/dist')],
  ...['plain', 'strict-csp', 'no-wasm', 'frame', 'reveal'].map(
    (name) =>
      /** @type {[string, string, string]} */ ([
        `/examples/${name}/`,
        join(root, 'examples/embed', name),
        join(root, 'dist'),
      ]),
  ),
  ['/built/', join(target, 'examples')],
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

/** The files that a path may stand for, inside their folders only. @param {string} path */
function filesOf(path) {
  const [prefix, ...places] = /** @type {[string, ...string[]]} */ (
    folders.find(([start]) => path.startsWith(start))
  );
  const inside = normalize(`/${path.slice(prefix.length)}`);
  return places.map((folder) =>
    join(folder, inside.endsWith('/') ? `${inside}index.html` : inside),
  );
}

/** The first of these that is a file. @param {string[]} files */
async function find(files) {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) return { file, size: found.size };
  }
  return undefined;
}

/** @param {number} port 0 takes a free one */
export function serve(port) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const found = await find(filesOf(decodeURIComponent(pathname)));
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(found.file)] ?? 'application/octet-stream',
      'content-length': found.size,
      'cache-control': 'max-age=3600',
    });
    createReadStream(found.file).pipe(response);
  });
  return new Promise((/** @type {(server: import('node:http').Server) => void} */ resolve) => {
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serve(Number(process.argv[2] ?? 0));
}
