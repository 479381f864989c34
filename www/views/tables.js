/**
 * What the timeline draws, as tables: attempts, ledgers and log. A row selects its event, here
 * and wherever else it stands.
 *
 * @import { AttemptRow, LedgerRow, VendorRow } from '../pkg/at_least_once.js'
 * @import { EventRecord } from '../core.js'
 */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { moneyText, spanText } from '../core.js';
import desk from '../text/en/desk.json';
import { fill, sentence } from '../words.js';
import { atLast } from './scroll.js';

const { labels, tables: words } = desk;

/** @type {Record<string, string>} */
const outcomes = desk.outcomes;

/**
 * The event that is selected, and how another is.
 * @typedef {{ selected: number, select: (event: number) => void }} Selection
 */

/** @param {(keyof typeof words)[]} columns */
const head = (columns) =>
  html`<thead><tr>
    ${columns.map((name) => html`<th scope="col" class="col-${name}">${words[name]}</th>`)}
  </tr></thead>`;

/** @param {number} columns */
const nothingYet = (columns) =>
  html`<tr><td class="quiet" colspan=${columns}>${words.nothing}</td></tr>`;

/** Lets a key break after its colons on a narrow screen. @param {string} key */
const breakable = (key) => key.split(':').map((part, i) => (i === 0 ? part : html`:<wbr>${part}`));

/** A row's name, pressed while the row's event is selected. @param {unknown} name @param {number} event @param {Selection} selection */
const pick = (name, event, { selected, select }) => html`<button type="button" class="pick"
  aria-pressed=${event === selected ? 'true' : 'false'}
  @click=${(/** @type {Event} */ click) => {
    // The row would take it back at once.
    click.stopPropagation();
    select(event);
  }}>${name}</button>`;

/**
 * A table under its name; where it is long it is scrolled, and stands at its newest row.
 * @param {object} data
 * @param {string} data.id @param {string} data.name @param {string} data.style
 * @param {(keyof typeof words)[]} data.columns
 * @param {unknown[]} data.rows those that are shown @param {number} data.total how many there are
 */
const table = ({ id, name, style, columns, rows, total }) => html`
  <div class="book">
    <h2 id=${id}>${name}</h2>
    <div class="rows" ${atLast(total)}>
      <table class=${style} aria-labelledby=${id}>
        ${head(columns)}
        <tbody>${rows.length === 0 ? nothingYet(columns.length) : rows}</tbody>
      </table>
    </div>
    ${latest(rows.length, total)}
  </div>`;

/** @param {number} shown @param {number} total */
const latest = (shown, total) =>
  shown < total ? html`<p class="quiet">${fill(words.latest, { shown, total })}</p>` : nothing;

/** @param {AttemptRow} row */
const ended = ({ outcome, point }) => {
  const text = outcomes[point ? `${outcome}.${point}` : outcome] ?? outcome;
  if (outcome === 'running') return html`<span class="quiet">${text}</span>`;
  if (outcome === 'acked') return html`<span aria-hidden="true">✓ </span>${text}`;
  return html`<span class="bad"><span aria-hidden="true">✕ </span>${text}</span>`;
};

/** @param {boolean | null} value */
const newWrite = (value) =>
  value === null
    ? html`<span class="quiet">${words.not_reached}</span>`
    : value
      ? words.true
      : words.false;

/** The wait for the next attempt, or for the dead letters. @param {AttemptRow} row */
const waitAfter = ({ backoff_us: next, wait_to_dead_us: dead }) => {
  if (next !== null) return spanText(next);
  if (dead === null) return words.none;
  return dead > 0 ? fill(words.wait_to_dead, { wait: spanText(dead) }) : words.dead;
};

/**
 * @param {AttemptRow[]} rows @param {number} total @param {boolean} many whether there is more
 *   than one job
 * @param {Selection} selection
 */
export function attemptsTable(rows, total, many, selection) {
  /** @type {(keyof typeof words)[]} */
  const job = many ? ['job'] : [];
  const { selected, select } = selection;
  return table({
    id: 'attempts',
    name: labels.attempts,
    style: 'attempts-table',
    columns: [...job, 'attempt', 'worker', 'new_write', 'outcome', 'backoff'],
    rows: rows.map((row) => {
      const { event_from: from, event_to: to } = row;
      const inside = selected >= from && selected <= (to ?? Number.POSITIVE_INFINITY);
      return html`<tr class=${selected >= 0 && inside ? 'selected' : ''} @click=${() => select(from)}>
        ${many ? html`<td>${row.job_id}</td>` : nothing}
        <th scope="row">${pick(row.attempt, from, selection)}</th>
        <td>${row.worker}</td>
        <td>${newWrite(row.new_write)}</td>
        <td>${ended(row)}</td>
        <td>${waitAfter(row)}</td>
      </tr>`;
    }),
    total,
  });
}

/** @param {{ cents: number, again: boolean }} row */
const amount = ({ cents, again }) => html`<td class=${again ? 'bad' : 'good'}>
  ${moneyText(cents)}${again ? ` ${words.again}` : nothing}</td>`;

/**
 * A payment's row: its number, its key, its money, and what else there is to say.
 * @param {LedgerRow | VendorRow} row @param {Selection} selection @param {unknown} [more]
 */
const paymentRow = (row, selection, more = nothing) => html`<tr
    class=${row.event === selection.selected ? 'selected' : ''}
    @click=${() => selection.select(row.event)}>
  <th scope="row">${pick(row.row, row.event, selection)}</th>
  <td>${breakable(row.key)}</td>
  ${amount(row)}${more}
</tr>`;

/** @param {LedgerRow[]} rows @param {number} total @param {Selection} selection */
export const ledgerTable = (rows, total, selection) =>
  table({
    id: 'ledger',
    name: labels.ledger,
    style: 'ledger-table',
    columns: ['row', 'key', 'amount'],
    rows: rows.map((row) => paymentRow(row, selection)),
    total,
  });

/** @param {VendorRow[]} rows @param {number} total @param {Selection} selection */
export const vendorTable = (rows, total, selection) =>
  table({
    id: 'vendor-ledger',
    name: labels.vendor_ledger,
    style: 'ledger-table',
    columns: ['payment', 'key', 'amount', 'replays'],
    rows: rows.map((row) =>
      paymentRow(row, selection, html`<td>${row.replays || words.none}</td>`),
    ),
    total,
  });

/** How many entries of the log stand in the page at once. */
export const PAGE = 100;

/** An event and its place in the run. @typedef {{ place: number, record: EventRecord }} Entry */

/**
 * @typedef {object} LogData
 * @property {Entry[]} entries a page of them
 * @property {number} before how many come before this page
 * @property {number} after how many come after it
 * @property {number} last the place of the last event that has happened
 * @property {boolean} narrow no room for columns: a row says the same in two lines
 * @property {Selection} selection
 * @property {(by: 1 | -1) => void} turn to another page
 * @property {unknown} tools
 */

/** The events so far, the last page of them. @param {LogData} data */
export function logTable({ entries, before, after, last, narrow, selection, turn, tools }) {
  const more = (
    /** @type {number} */ count,
    /** @type {string} */ text,
    /** @type {1 | -1} */ by,
  ) =>
    count > 0
      ? html`<button type="button" class="more" @click=${() => turn(by)}>
          ${fill(text, { count })}</button>`
      : nothing;
  return html`
  <div class="log-head"><h2 id="log">${labels.log}</h2>${tools}</div>
  ${more(before, labels.log_earlier, -1)}
  <div ${atLast(last)} class="log-scroll ${entries.length ? '' : 'empty'}" role="region" aria-label=${labels.log_scroll} tabindex="0">
    <table class="log-table" aria-labelledby="log">
      ${head(narrow ? ['time', 'event'] : ['time', 'event', 'job', 'attempt', 'key'])}
      <tbody>
        ${entries.length === 0 ? nothingYet(narrow ? 2 : 5) : nothing}
        ${repeat(
          entries,
          // While it plays most rows stay what they are, so they are not written anew.
          ({ place }) => place,
          (entry) => logRow(entry, last, narrow, selection),
        )}
      </tbody>
    </table>
  </div>
  ${more(after, labels.log_later, 1)}`;
}

/** @param {Entry} entry @param {number} last @param {boolean} narrow @param {Selection} selection */
function logRow({ place, record }, last, narrow, selection) {
  const { job_id: job, attempt, key } = record;
  const number = attempt === undefined ? undefined : `${words.attempt} ${attempt}`;
  const details = [job, number, key].filter((part) => part !== undefined);
  return html`<tr aria-current=${place === last ? 'true' : nothing}
      class=${place === selection.selected ? 'selected' : ''} @click=${() => selection.select(place)}>
    <th scope="row" class="when">${pick(spanText(record.at_us), place, selection)}</th>
    <td class="what">
      ${sentence(record)}
      ${narrow && details.length ? html`<small>${details.join(' · ')}</small>` : nothing}
    </td>
    ${
      narrow
        ? nothing
        : html`<td>${job ?? words.none}</td>
          <td>${attempt ?? words.none}</td>
          <td>${key ? breakable(key) : words.none}</td>`
    }
  </tr>`;
}
