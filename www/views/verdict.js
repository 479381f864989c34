/**
 * What was paid, in money. While the run goes on it is a plain figure; the status beside it
 * speaks once, when the run has ended.
 *
 * @import { Verdict } from '../pkg/at_least_once.js'
 * @import { Run } from '../core.js'
 */
import { html, nothing } from 'lit';
import { moneyText } from '../core.js';
import { fill, page, refunds, times } from '../words.js';

const words = page.verdict;

/** What the run ended with, and why. @param {Run} run */
function conclusion({ summary, events }) {
  const { verdict, jobs, ended } = summary;
  const rows = verdict.ledger_rows;
  const said = [fill(words.owed, { owed: moneyText(verdict.owed_cents) })];
  if (jobs > 1) said.push(fill(words.jobs, { rows, jobs }));
  else if (rows === 0) said.push(words.none);
  else if (!verdict.ok) said.push(fill(words.over, { refunds: refunds(rows) }));
  else said.push(once(events, verdict.redeliveries));
  if (events.some(({ event }) => event === 'dead')) said.push(words.dead);
  if (ended === 'cut') said.push(words.cut);
  return said.join(' ');
}

/** Why one refund is all there was. @param {Run['events']} events @param {number} redeliveries */
function once(events, redeliveries) {
  const happened = (/** @type {string} */ name) => events.find(({ event }) => event === name);
  if (redeliveries === 0) return words.ok;
  if (happened('already-written') || events.some(({ detail }) => detail === 'found')) {
    return fill(words.ok_guard, { times: times(redeliveries + 1) });
  }
  if (happened('resumed')) return words.ok_resumed;
  return happened('crashed')?.point === 'before-write' ? words.ok_before : words.ok;
}

/**
 * @typedef {object} VerdictData
 * @property {Run} run
 * @property {Verdict} soFar
 * @property {boolean} ended
 * @property {string | undefined} feedback what is to be said about the prediction
 */

/** @param {VerdictData} data */
export const verdict = ({ run, soFar, ended, feedback }) => html`
  <section class="verdict ${ended ? (run.summary.verdict.ok ? 'ok' : 'not-ok') : 'open'}"
    aria-labelledby="verdict">
    <h2 class="unseen" id="verdict">${page.labels.verdict}</h2>
    ${
      ended
        ? nothing
        : html`<p class="so-far">${words.so_far} <b>${moneyText(soFar.paid_cents)}</b></p>`
    }
    <div role="status" aria-label=${page.labels.verdict}>
      ${
        ended
          ? html`<p class="paid">${words.paid} ${moneyText(run.summary.verdict.paid_cents)}</p>
              <p class="why">${conclusion(run)}</p>
              ${feedback ? html`<p class="feedback">${feedback}</p>` : nothing}`
          : nothing
      }
    </div>
  </section>`;
