/** The lesson's pages: which one the address asks for, drawn into the one document. */
import './at-least-once.js';
import { html, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { place } from './site/address.js';
import { chapters, contents, ids } from './site/contents.js';
import { chapterFailed } from './site/failed.js';
import { fill } from './site/fill.js';
import { doneIn, forget, hasProgress, taskDone } from './site/progress.js';
import { startPage } from './site/start.js';
import site from './text/en/site.json';
import { chapter } from './words.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const nav = /** @type {HTMLElement} */ (document.querySelector('#contents-menu'));

/** Counts what was asked for: a page that arrives late is not drawn over another. */
let asked = 0;

/** @returns {Promise<{ title: string, body: unknown }>} */
async function pageOf(/** @type {ReturnType<typeof place>} */ { page, word, state, unknown }) {
  if (page === 'start') {
    const message = unknown && fill(site.unknown, { name: unknown.slice(0, 40) });
    return { title: site.start.page, body: startPage(message) };
  }
  if (page === 'words') {
    const { glossaryPage } = await import('./site/terms.js');
    return { title: site.words, body: glossaryPage(word) };
  }
  if (page === 'simulated') {
    const { simulatedPage } = await import('./site/simulated.js');
    return { title: site.simulated, body: simulatedPage() };
  }
  const [{ chapterPage }, text] = await Promise.all([import('./site/chapter.js'), chapter(page)]);
  if (!text) throw new Error(`no text for ${page}`);
  return { title: text.title, body: chapterPage(page, text, state) };
}

/** @param {boolean} first whether the reader has just come, and the browser places the focus */
async function show(first) {
  asked += 1;
  const mine = asked;
  const where = place(location.hash, ids);
  document.documentElement.dataset.page = where.page;
  let shown;
  try {
    shown = await pageOf(where);
  } catch {
    shown = { title: site.chapter.failed, body: chapterFailed(() => show(false)) };
  }
  if (mine !== asked) return;
  document.title = fill(site.title, { page: shown.title });
  // A new page is a new tree: nothing of the lab before it is left behind.
  render(html`${keyed(mine, shown.body)}`, main);
  menu();
  const target = where.word && document.getElementById(`words-${where.word}`);
  if (target) target.scrollIntoView({ block: 'center' });
  else if (!first) {
    scrollTo(0, 0);
    main.querySelector('h1')?.focus({ preventScroll: true });
  }
}

/** The list of chapters behind the button at the top. */
function menu() {
  const { page } = place(location.hash, ids);
  render(
    html`${contents(page)}
      ${
        hasProgress()
          ? html`<p><button type="button" @click=${clear}>${site.progress.forget}</button></p>`
          : ''
      }`,
    nav,
  );
}

function clear() {
  forget();
  show(false);
}

nav.addEventListener('click', (event) => {
  // The chapter that is open already changes no address.
  if (/** @type {Element} */ (event.target).closest('a')) nav.hidePopover?.();
});

addEventListener('hashchange', () => {
  nav.hidePopover?.();
  show(false);
});

main.addEventListener('at-least-once-task', (event) => {
  const { experiment } = /** @type {import('./api.js').AtLeastOnce} */ (event.target);
  const { task } = /** @type {CustomEvent} */ (event).detail;
  if (!chapters.some(({ id }) => id === experiment)) return;
  const before = doneIn(experiment);
  taskDone(experiment, task);
  if (doneIn(experiment) !== before) menu();
});

document.querySelector('.skip')?.addEventListener('click', (event) => {
  // The fragment names pages; this one stays where it is.
  event.preventDefault();
  main.querySelector('h1')?.focus();
});

main.replaceChildren();
show(true);
