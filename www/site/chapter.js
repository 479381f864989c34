/**
 * A chapter: its story and ticket, the lab, what to take away, and the way on.
 *
 * @import { Chapter } from '../words.js'
 */
import { html, nothing } from 'lit';
import site from '../text/en/site.json';
import { chapters } from './contents.js';
import { fill } from './fill.js';
import { addCopyLink, follow } from './link.js';
import { Terms } from './terms.js';

const words = site.chapter;

/**
 * @param {string} id @param {Chapter} text
 * @param {string | undefined} state a run that a link asks for
 */
export function chapterPage(id, text, state) {
  const terms = new Terms();
  const element = lab(id, text.opens ?? {}, state);
  follow(element);
  addCopyLink(element);
  const at = chapters.findIndex((chapter) => chapter.id === id);
  const paragraphs = (/** @type {string[]} */ list) =>
    list.map((paragraph) => html`<p>${terms.link(paragraph)}</p>`);
  return html`
    <header id="story">
      <p class="kicker">
        ${fill(words.kicker, { number: at + 1, count: chapters.length, name: text.name })}
      </p>
      <h1 tabindex="-1">${text.title}</h1>
      <div class="opening">
        <div class="prose">${paragraphs(text.story)}</div>
        ${text.ticket ? ticket(text.ticket) : nothing}
      </div>
    </header>
    ${element}
    <section id="takeaway">
      <h2>${text.takeaway.title}</h2>
      ${paragraphs(text.takeaway.text)}
      ${
        text.yours
          ? html`<h2>${text.yours.title}</h2>
              <ul>${text.yours.text.map((line) => html`<li>${terms.link(line)}</li>`)}</ul>`
          : nothing
      }
    </section>
    ${pager(at)}
    ${terms.popovers()}`;
}

/** @param {NonNullable<Chapter['ticket']>} ticket */
const ticket = ({ label, rows }) => html`
  <section class="ticket" aria-labelledby="ticket">
    <h2 id="ticket">${label}</h2>
    <dl>${rows.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
  </section>`;

/**
 * The element with what the chapter opens with. It is made by hand: which attributes there are
 * is data.
 * @param {string} id @param {Record<string, string>} opens @param {string | undefined} state
 */
function lab(id, opens, state) {
  const element = /** @type {import('../api.js').AtLeastOnce} */ (
    document.createElement('at-least-once')
  );
  element.setAttribute('experiment', id);
  // A link stands above them; where it is refused, the chapter opens as its story tells.
  for (const [path, value] of Object.entries(opens)) {
    element.setAttribute(path.replace(/[._]/g, '-'), value);
  }
  if (state) element.setAttribute('state', state);
  return element;
}

/** @param {number} at */
function pager(at) {
  const before = chapters[at - 1];
  const next = chapters[at + 1];
  return html`<nav class="pager" aria-label=${words.pager}>
    ${before ? html`<a href="#${before.id}">${fill(words.previous, before)}</a>` : nothing}
    <a href="#start">${words.all}</a>
    ${next ? html`<a class="go" href="#${next.id}">${fill(words.next, next)}</a>` : nothing}
  </nav>`;
}
