/**
 * Two books side by side, time running down, and between them what could tear them apart.
 *
 * @import { EventRecord, Run } from '../core.js'
 * @import { PictureText, Spec } from '../views/picture.js'
 */
import { html, nothing } from 'lit';
import { moneyText } from '../core.js';
import { fill, shortSpan } from '../words.js';

/** A run without end shows its beginning. */
const MOST_EVENTS = 500;
const MOST_ROWS = 40;

/**
 * @typedef {PictureText & {
 *   vendor: string, local: string, paid: string, again: string, row: string, replayed: string,
 *   crash: string, forgotten: string, found: string, agree: string, differ: string,
 *   nothing: string, columns: string[],
 * }} Words
 */

/**
 * @typedef {object} Entry
 * @property {number} at
 * @property {'vendor' | 'gap' | 'local'} side
 * @property {string} text
 * @property {'right' | 'wrong' | 'note' | 'death'} kind
 * @property {number} [cents] what moved
 */

/** What an event writes into which book, or does between them. @param {EventRecord} record @param {Words} words @returns {Entry | undefined} */
function entry(record, words) {
  const { at_us: at, event, detail } = record;
  const amount = moneyText(record.cents ?? 0);
  switch (event) {
    case 'paid': {
      const again = detail === 'again';
      const text = fill(again ? words.again : words.paid, { amount });
      return {
        at,
        side: 'vendor',
        text,
        kind: again ? 'wrong' : 'right',
        cents: record.cents ?? 0,
      };
    }
    case 'key-forgotten':
      return { at, side: 'vendor', text: words.forgotten, kind: 'note' };
    case 'wrote':
      return {
        at,
        side: 'local',
        text: fill(words.row, { amount }),
        kind: 'right',
        cents: record.cents ?? 0,
      };
    case 'crashed':
      return { at, side: 'gap', text: fill(words.crash, { ...record }), kind: 'death' };
    case 'answer':
      return detail === 'replayed'
        ? { at, side: 'gap', text: words.replayed, kind: 'note' }
        : undefined;
    case 'checked':
      return detail === 'found' ? { at, side: 'gap', text: words.found, kind: 'note' } : undefined;
    default:
      return undefined;
  }
}

/** @param {Run} run @param {Words} words */
function books(run, words) {
  const entries = run
    .events(0, Math.min(MOST_EVENTS, run.summary.events))
    .flatMap((record) => entry(record, words) ?? [])
    .slice(0, MOST_ROWS);
  const total = (/** @type {Entry['side']} */ side) => {
    const moved = entries.filter((it) => it.side === side && it.cents !== undefined);
    const cents = moved.reduce((sum, it) => sum + (it.cents ?? 0), 0);
    return html`<td class=${side}>${moved.length ? moneyText(cents) : words.nothing}</td>`;
  };
  const agree = run.summary.verdict.books_agree;
  const cell = (/** @type {Entry} */ it, /** @type {Entry['side']} */ side) =>
    it.side === side
      ? html`<td class="${side} ${it.kind}">${it.text}</td>`
      : html`<td class=${side}></td>`;
  return html`<table class="books">
    <thead>
      <tr>
        <th scope="col">${words.columns[0]}</th>
        <th scope="col">${words.vendor}</th>
        <th scope="col" class="gap">${words.columns[2]}</th>
        <th scope="col">${words.local}</th>
      </tr>
    </thead>
    <tbody>
      ${entries.map(
        (it) => html`<tr class=${it.kind === 'death' ? 'torn' : nothing}>
          <th scope="row">${shortSpan(it.at)}</th>
          ${cell(it, 'vendor')} ${cell(it, 'gap')} ${cell(it, 'local')}
        </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">${shortSpan(run.summary.end_us)}</th>
        ${total('vendor')}
        <td class="gap ${agree ? 'right' : 'wrong'}">
          ${agree ? `= ${words.agree}` : `≠ ${words.differ}`}
        </td>
        ${total('local')}
      </tr>
    </tfoot>
  </table>`;
}

/** @type {Spec} */
export const spec = {
  own: (run, text) => {
    const words = /** @type {Words} */ (text);
    return html`<h2>${words.title}</h2>
      <p>${words.caption}</p>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${words.title}>
        ${books(run, words)}
      </div>`;
  },
};
