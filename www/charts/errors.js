/**
 * A table that decides: what the vendor says, what it means, and what it costs.
 *
 * @import { PictureText, Spec } from '../views/picture.js'
 */
import { html, svg } from 'lit';
import { byPlace, seriesName, titles } from './words.js';

/** More calls than this are a number. */
const MOST = 8;

/**
 * @typedef {PictureText & {
 *   means: Record<string, string>, head: string[], failed: string, done: string, both: string, twice: string,
 * }} Words
 */

/** A dot for each call; the last ones moved money. @param {number} calls @param {number} payments */
const dots = (calls, payments) =>
  calls > MOST
    ? html`${calls}`
    : html`<svg class="calls" width=${calls * 14} height="12" aria-hidden="true">
        ${Array.from({ length: calls }, (_, i) => {
          const paid = i >= calls - payments;
          const kind = paid ? (i > calls - payments ? 'again' : 'paid') : 'call';
          return svg`<circle class="${kind}-mark" cx=${i * 14 + 6} cy="6" r="4.5" />`;
        })}
      </svg> ${calls}`;

/** @param {Words} words @param {number} payments @param {number} dead */
function fate(words, payments, dead) {
  if (dead > 0) return payments > 0 ? words.both : words.failed;
  if (payments > 1) return words.twice;
  return payments > 0 ? words.done : '–';
}

/** @type {Spec} */
export const spec = {
  studies: {
    answers: {
      runs: 0,
      draw: ({ whole, text, id: study }) => {
        const words = /** @type {Words} */ (text);
        const { title, caption } = titles(text, study);
        return html`<figure class="chart">
          <figcaption><b>${title}</b> <span>${caption}</span></figcaption>
          <div class="table-scroll" tabindex="0" role="group" aria-label=${title}>
            <table class="decisions">
              <thead><tr>${words.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>
                ${byPlace(whole).map(({ id, values: [calls = 0, payments = 0, dead = 0] }) => {
                  const right = payments === 1 ? dead === 0 : payments === 0 && calls === 1;
                  return html`<tr>
                    <th scope="row">${seriesName(text, id)}</th>
                    <td>${words.means[id] ?? ''}</td>
                    <td class="count">${dots(calls, payments)}</td>
                    <td class=${right ? 'right' : 'wrong'}>${fate(words, payments, dead)}</td>
                  </tr>`;
                })}
              </tbody>
            </table>
          </div>
        </figure>`;
      },
    },
  },
};
