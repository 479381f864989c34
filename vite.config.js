import { join, resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The element's file keeps its name: pages out there point at it. */
const ELEMENT = 'at-least-once';

export default defineConfig(({ mode }) => {
  const target = process.env.AT_LEAST_ONCE_TARGET ?? 'target';
  // `--mode trap` is for the browser tests: the same page over a module that can be
  // made to trap. It never goes into dist/.
  const trap = mode === 'trap';
  const pkg = resolve(target, 'pkg-trap', 'at_least_once.js');

  return {
    // Everything is found beside the file that asks for it, so dist/ works in any folder.
    base: './',
    publicDir: false,
    resolve: {
      alias: trap ? [{ find: /^\.\/pkg\/at_least_once\.js$/, replacement: pkg }] : [],
    },
    optimizeDeps: { entries: ['index.html'] },
    server: {
      host: '127.0.0.1',
      watch: { ignored: ['**/target/**', '**/dist/**'] },
    },
    build: {
      outDir: trap ? join(target, 'dist-trap') : 'dist',
      emptyOutDir: true,
      // A module inside a script would weigh a third more, and could not be streamed.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: 'index.html', [ELEMENT]: 'www/at-least-once.js' },
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: (chunk) =>
            chunk.name === ELEMENT ? '[name].js' : 'assets/[name]-[hash].js',
        },
      },
    },
  };
});
