/**
 * The words of the lesson in a text: at its first use a word is a button that says what it means.
 */
import { html, nothing } from 'lit';
import glossary from '../text/en/glossary.json';
import site from '../text/en/site.json';
import { fill } from './fill.js';

const { terms } = glossary;

/** @type {Map<string, typeof terms[number]>} */
const byWord = new Map(terms.flatMap((term) => term.match.map((word) => [word, term])));

/** Longer ones first, so that "dead letter" is not taken for a letter. */
const pattern = new RegExp(
  `\\b(${[...byWord.keys()].sort((a, b) => b.length - a.length).join('|')})\\b`,
  'i',
);

/** Marks each word once. Its explanations stand in `popovers`. */
export class Terms {
  /** @type {Set<typeof terms[number]>} */
  #seen = new Set();

  /** @param {string} text @returns {unknown[]} */
  link(text) {
    const parts = [];
    let rest = text;
    let passed = '';
    for (;;) {
      const found = pattern.exec(rest);
      if (!found) break;
      const end = found.index + found[0].length;
      const term = byWord.get(found[0].toLowerCase());
      if (term && !this.#seen.has(term)) {
        this.#seen.add(term);
        parts.push(passed + rest.slice(0, found.index), button(term, found[0]));
        passed = '';
      } else {
        passed += rest.slice(0, end);
      }
      rest = rest.slice(end);
    }
    return [...parts, passed + rest];
  }

  /** What the marked words mean. */
  popovers() {
    return [...this.#seen].map(
      (term) => html`<div popover id="term-${term.id}" class="meaning" @beforetoggle=${place}>
        <p><b>${term.word}</b></p>
        <p>${term.text}</p>
        <p><a href="#words-${term.id}">${site.term.more}</a></p>
      </div>`,
    );
  }
}

/** How wide an explanation is, where there is room. */
const MEANING_REM = 22;
/** From a word to its explanation, and from that to the edge of the window. */
const BESIDE = 6;
const MARGIN = 12;

/**
 * Opens an explanation at its word: below it, or above where there is more room, and within the
 * window. It goes with the page when that is scrolled.
 * @param {ToggleEvent} event
 */
function place({ newState, currentTarget }) {
  const meaning = /** @type {HTMLElement} */ (currentTarget);
  const word = document.querySelector(`[popovertarget="${meaning.id}"]`);
  if (newState !== 'open' || !word) return;
  const { left, top, bottom } = word.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const width = Math.min(MEANING_REM * rem(), clientWidth - 2 * MARGIN);
  const below = clientHeight - bottom;
  const isBelow = below >= top;
  Object.assign(meaning.style, {
    width: `${width}px`,
    left: `${scrollX + Math.max(MARGIN, Math.min(left, clientWidth - MARGIN - width))}px`,
    top: isBelow ? `${scrollY + bottom + BESIDE}px` : 'auto',
    bottom: isBelow ? 'auto' : `${clientHeight - scrollY - top + BESIDE}px`,
    maxHeight: `${Math.max(below, top) - BESIDE - MARGIN}px`,
  });
}

// Its word is elsewhere by then.
addEventListener('resize', () => {
  const open = /** @type {HTMLElement | null} */ (document.querySelector('.meaning:popover-open'));
  open?.hidePopover();
});

/** The reader's text size. */
const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** @param {typeof terms[number]} term @param {string} text */
const button = (term, text) =>
  html`<button type="button" class="term" popovertarget="term-${term.id}">${text}</button>`;

/** Every word, with what it means. @param {string | undefined} asked the one that was asked for */
export const glossaryPage = (asked) => html`
  ${
    asked === undefined || terms.some(({ id }) => id === asked)
      ? nothing
      : html`<p class="notice" role="alert">${fill(site.term.unknown, { word: asked.slice(0, 40) })}</p>`
  }
  <h1 tabindex="-1">${glossary.title}</h1>
  <p>${glossary.text}</p>
  <dl class="glossary">
    ${[...terms]
      .sort((a, b) => a.word.localeCompare(b.word))
      .map(
        (term) => html`<div id="words-${term.id}" class=${term.id === asked ? 'asked' : nothing}>
          <dt>${term.word}</dt><dd>${term.text}</dd></div>`,
      )}
  </dl>`;
