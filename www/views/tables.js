/**
 * What the timeline draws, as tables: attempts, ledger and log.
 *
 * @import { AttemptRow, LedgerRow } from '../pkg/at_least_once.js'
 * @import { EventRecord } from '../core.js'
 */
import { html, nothing } from 'lit';
import { moneyText, spanText } from '../core.js';
import { page, sentence } from '../words.js';

const words = page.tables;
const { labels } = page;

/** @type {Record<string, string>} */
const outcomes = page.outcomes;

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

/** @param {AttemptRow[]} rows @param {boolean} many whether there is more than one job */
export function attemptsTable(rows, many) {
  /** @type {(keyof typeof words)[]} */
  const job = many ? ['job'] : [];
  return html`
  <table class="attempts-table">
    <caption><h2>${labels.attempts}</h2></caption>
    ${head([...job, 'attempt', 'worker', 'new_write', 'outcome', 'backoff'])}
    <tbody>
      ${rows.length === 0 ? nothingYet(many ? 6 : 5) : nothing}
      ${rows.map(
        (row) => html`<tr>
          ${many ? html`<td>${row.job_id}</td>` : nothing}
          <th scope="row">${row.attempt}</th>
          <td>${row.worker}</td>
          <td>${newWrite(row.new_write)}</td>
          <td>${ended(row)}</td>
          <td>${row.backoff_us === null ? words.none : spanText(row.backoff_us)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {LedgerRow[]} rows */
export const ledgerTable = (rows) => html`
  <table class="ledger-table">
    <caption><h2>${labels.ledger}</h2></caption>
    ${head(['row', 'key', 'amount'])}
    <tbody>
      ${rows.length === 0 ? nothingYet(3) : nothing}
      ${rows.map(
        (row) => html`<tr>
          <th scope="row">${row.row}</th>
          <td>${breakable(row.key)}</td>
          <td class=${row.again ? 'bad' : 'good'}>
            ${moneyText(row.cents)}${row.again ? ` ${words.again}` : nothing}
          </td>
        </tr>`,
      )}
    </tbody>
  </table>`;

/**
 * The events so far. Where there is no room for columns, a row says the same in two lines.
 * @param {EventRecord[]} events @param {boolean} narrow
 */
export const logTable = (events, narrow) => html`
  <h2 id="log">${labels.log}</h2>
  <div class="log-scroll ${events.length ? '' : 'empty'}" role="region" aria-label=${labels.log_scroll} tabindex="0">
    <table class="log-table" aria-labelledby="log">
      ${head(narrow ? ['time', 'event'] : ['time', 'event', 'job', 'attempt', 'key'])}
      <tbody>
        ${events.length === 0 ? nothingYet(narrow ? 2 : 5) : nothing}
        ${events.map((record, i) => {
          const { job_id: job, attempt, key } = record;
          const details = [
            job,
            attempt === undefined ? undefined : `${words.attempt} ${attempt}`,
            key,
          ].filter((part) => part !== undefined);
          return html`<tr aria-current=${i === events.length - 1 ? 'true' : nothing}>
            <th scope="row" class="when">${spanText(record.at_us)}</th>
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
        })}
      </tbody>
    </table>
  </div>`;

/** Shows the last row, and above it whole rows only. @param {Element} log */
export function scrollToLast(log) {
  const table = /** @type {HTMLElement} */ (log.querySelector('table'));
  table.style.marginBottom = '';
  log.scrollTop = log.scrollHeight;
  if (log.scrollTop === 0) return;
  const top = log.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  for (const row of log.querySelectorAll('tbody tr')) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom <= top + 1) continue;
    const cut = row.getBoundingClientRect().top < top - 1;
    if (cut) table.style.marginBottom = `${Math.ceil(bottom - top)}px`;
    break;
  }
  log.scrollTop = log.scrollHeight;
}
