/**
 * Tools and what a replay does to each; the five tests, green or red; a checklist to copy.
 *
 * @import { PictureText, Spec } from '../views/picture.js'
 */
import { html } from 'lit';
import { fill } from '../words.js';
import { byPlace, placeName, seriesName, titles, values } from './words.js';

/**
 * @typedef {PictureText & {
 *   happened: string[], advice: Record<string, string>, tests: Record<string, string>,
 *   holds: string, broken: string, silent: string,
 *   checklist: { title: string, copy: string, copied: string, lines: string[] },
 * }} Words
 */

/** @param {Words} words @param {number} count */
const times = ({ happened }, count) =>
  fill(happened[Math.min(count, happened.length - 1)] ?? '', { count });

/** @param {number} count a word and a shape, never the colour alone */
const kind = (count) => (count > 1 ? 'doubled' : 'right');

/** @param {Event} event @param {Words['checklist']} checklist */
async function copy({ currentTarget }, { lines, copied }) {
  if (!(currentTarget instanceof HTMLElement)) return;
  await navigator.clipboard.writeText(lines.map((line) => `- [ ] ${line}\n`).join(''));
  const status = currentTarget.nextElementSibling;
  if (status) status.textContent = copied;
}

/** @param {Words['checklist']} checklist */
const checklistView = (checklist) => html`
  <section class="checklist" aria-labelledby="checklist">
    <h3 id="checklist">${checklist.title}</h3>
    <ul>${checklist.lines.map((line) => html`<li>${line}</li>`)}</ul>
    <p>
      <button type="button" @click=${(/** @type {Event} */ event) => copy(event, checklist)}>
        ${checklist.copy}
      </button>
      <span role="status"></span>
    </p>
  </section>`;

/** @type {Spec} */
export const spec = {
  studies: {
    replays: {
      runs: 0,
      draw: ({ whole, text, id: study }) => {
        const words = /** @type {Words} */ (text);
        const { title, caption } = titles(text, study);
        return html`<figure class="chart replays">
          <figcaption><b>${title}</b> <span>${caption}</span></figcaption>
          ${byPlace(whole).map(({ id, values: [, without = 0, , with_key = 0] }, place) => {
            const outcome = (/** @type {string} */ where, /** @type {number} */ count) =>
              html`<span class="outcome ${kind(count)}">
                <small>${placeName(text, where)}</small> <strong>${times(words, count)}</strong>
              </span>`;
            return html`<details name="tool" ?open=${place === 0}>
              <summary>
                <b>${seriesName(text, id)}</b>
                ${outcome('effects-without', without)} ${outcome('effects-with', with_key)}
              </summary>
              <p>${words.advice[id]}</p>
            </details>`;
          })}
        </figure>`;
      },
    },
    checks: {
      runs: 0,
      draw: ({ whole, text, id: study }) => {
        const words = /** @type {Words} */ (text);
        const { title, caption } = titles(text, study);
        const points = values(whole)[0]?.points ?? [];
        return html`<figure class="chart">
            <figcaption><b>${title}</b> <span>${caption}</span></figcaption>
            <ol class="checks">
              ${whole.places.map((id, place) => {
                const held = points.find(([x]) => x === place)?.[1];
                const state = held === undefined ? 'silent' : held ? 'holds' : 'broken';
                return html`<li class=${state}>
                  <b>${placeName(text, id)}</b>
                  <strong>${{ holds: '✓', broken: '✗', silent: '–' }[state]} ${words[state]}</strong>
                  <span>${words.tests[id]}</span>
                </li>`;
              })}
            </ol>
          </figure>
          ${checklistView(words.checklist)}`;
      },
    },
  },
};
