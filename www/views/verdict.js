/**
 * What was paid, in money. While the run goes on it is a plain figure; the status beside it
 * speaks once, when the run has ended.
 *
 * @import { RunSummary, Verdict } from '../pkg/at_least_once.js'
 */
import { html, nothing } from 'lit';
import { moneyText } from '../core.js';
import { fill, page, refunds, times } from '../words.js';

const words = page.verdict;

/** @param {RunSummary} summary */
function conclusion({ verdict, jobs, ended }) {
  const { ok, ledger_rows: rows, redeliveries } = verdict;
  const said = [fill(words.owed, { owed: moneyText(verdict.owed_cents) })];
  if (jobs > 1) said.push(fill(words.jobs, { rows, jobs }));
  else if (rows === 0) said.push(words.none);
  else if (!ok) said.push(fill(words.over, { refunds: refunds(rows) }));
  else if (redeliveries > 0) said.push(fill(words.ok_again, { times: times(redeliveries + 1) }));
  else said.push(words.ok);
  if (ended === 'cut') said.push(words.cut);
  return said.join(' ');
}

/**
 * @typedef {object} VerdictData
 * @property {RunSummary} summary
 * @property {Verdict} soFar
 * @property {boolean} ended
 * @property {string | undefined} feedback what is to be said about the prediction
 */

/** @param {VerdictData} data */
export const verdict = ({ summary, soFar, ended, feedback }) => html`
  <section class="verdict ${ended ? (summary.verdict.ok ? 'ok' : 'not-ok') : 'open'}">
    ${
      ended
        ? nothing
        : html`<p class="so-far">${words.so_far} <b>${moneyText(soFar.paid_cents)}</b></p>`
    }
    <div role="status" aria-label=${page.labels.verdict}>
      ${
        ended
          ? html`<p class="paid">${words.paid} ${moneyText(summary.verdict.paid_cents)}</p>
              <p class="why">${conclusion(summary)}</p>
              ${feedback ? html`<p class="feedback">${feedback}</p>` : nothing}`
          : nothing
      }
    </div>
  </section>`;
