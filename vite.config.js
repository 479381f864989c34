import { join, resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The element's file keeps its name: pages out there point at it. */
const ELEMENT = 'at-least-once';

/**
 * lit's build for Node runs in a browser as well, and can be imported where there is no page. What
 * it needs there is given by a few lines of our own.
 */
export const forAnyHost = {
  conditions: ['node', 'module', 'development|production'],
  alias: [
    { find: '@lit-labs/ssr-dom-shim', replacement: resolve(import.meta.dirname, 'www/node.js') },
  ],
};

/** What the page may load; a browser refuses everything else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

/** Only for what ships: the development server works with scripts and styles in the page. */
const policy = () => ({
  name: 'content-security-policy',
  apply: /** @type {const} */ ('build'),
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: /** @type {const} */ ('head-prepend'),
    },
  ],
});

/** @param {any} node @returns {any[]} every node in a syntax tree */
const nodesIn = (node) =>
  node && typeof node === 'object' ? [node, ...Object.values(node).flatMap(nodesIn)] : [];

/** Without what is there for those who read it: indents, and the comments of a style sheet. */
const squeezed = {
  html: (/** @type {string} */ text) => text.replace(/\n\s+/g, '\n'),
  svg: (/** @type {string} */ text) => text.replace(/\n\s+/g, '\n'),
  css: (/** @type {string} */ text) =>
    text
      .replace(/[/][*].*?[*][/]/gs, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,]) ?/g, '$1'),
};

/** lit's templates and style sheets are texts, which no minifier of scripts touches. */
const squeeze = () => ({
  name: 'squeeze-templates',
  apply: /** @type {const} */ ('build'),
  /** @this {import('vite').Rolldown.PluginContext} @param {string} code @param {string} id */
  transform(code, id) {
    if (!/[/]www[/](?!pkg).*[.]js$/.test(id)) return null;
    const texts = nodesIn(this.parse(code))
      .filter(({ type, tag }) => type === 'TaggedTemplateExpression' && tag.name in squeezed)
      .flatMap(({ tag, quasi }) =>
        quasi.quasis.map((/** @type {any} */ text) => ({ ...text, tag: tag.name })),
      );
    // From the last to the first, so that what is left to do stays where it is.
    texts.sort((one, other) => other.start - one.start);
    const short = texts.reduce((whole, { tag, start, end }) => {
      const text = squeezed[/** @type {keyof typeof squeezed} */ (tag)](whole.slice(start, end));
      return whole.slice(0, start) + text + whole.slice(end);
    }, code);
    return { code: short, map: null };
  },
});

/**
 * A part that is fetched later is imported and no more. vite would have the parts that it imports
 * itself fetched along with it, by code that weighs a kilobyte: nearly all of them are there.
 */
const plainImports = () => ({
  name: 'plain-imports',
  apply: /** @type {const} */ ('build'),
  enforce: /** @type {const} */ ('pre'),
  load: (/** @type {string} */ id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null,
});

/**
 * What the element needs at once, in one file: what is packed together weighs less. All of lit is
 * in it, so that a later part that could not be fetched can be: browsers remember what failed, and
 * only the part itself is asked for under another address. The element's own file stays outside:
 * under whatever address a page has it, the later parts find the same lab.
 * @param {string} id @param {import('vite').Rolldown.ChunkingContext} context
 */
function withElement(id, context) {
  const entry = resolve(import.meta.dirname, `www/${ELEMENT}.js`);
  const needed = new Set([entry]);
  for (const one of needed) {
    for (const other of context.getModuleInfo(one)?.importedIds ?? []) needed.add(other);
  }
  const together = needed.has(id) || /[/]node_modules[/](@lit|lit)/.test(id);
  return together && id !== entry ? 'lab' : null;
}

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
    plugins: [policy(), squeeze(), plainImports()],
    resolve: {
      conditions: forAnyHost.conditions,
      alias: [
        ...forAnyHost.alias,
        ...(trap ? [{ find: /^\.\/pkg\/at_least_once\.js$/, replacement: pkg }] : []),
      ],
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
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, parts, { hostType }) => (hostType === 'html' ? parts : []),
      },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: 'index.html', [ELEMENT]: 'www/at-least-once.js' },
        preserveEntrySignatures: 'allow-extension',
        output: {
          codeSplitting: { groups: [{ name: withElement, debugName: 'lab' }] },
          entryFileNames: (chunk) =>
            chunk.name === ELEMENT ? '[name].js' : 'assets/[name]-[hash].js',
        },
      },
    },
  };
});
