/**
 * What was paid, in money. While the run goes on it is a plain figure; the status beside it
 * speaks once, when the run has ended.
 *
 * @import { Verdict } from '../pkg/at_least_once.js'
 * @import { Run } from '../core.js'
 */
import { html, nothing } from 'lit';
import { MarkKind, moneyText } from '../core.js';
import { fill, page, refunds, times } from '../words.js';
import { eachMark } from './flat.js';

const words = page.verdict;

/** What the run ended with, and why. @param {Run} run */
function conclusion(run) {
  const { verdict, jobs, ended } = run.summary;
  const rows = verdict.ledger_rows;
  const said = [fill(words.owed, { owed: moneyText(verdict.owed_cents) })];
  if (jobs > 1) said.push(fill(words.jobs, { rows, jobs }));
  else if (rows === 0) said.push(words.none);
  else if (!verdict.ok) said.push(fill(words.over, { refunds: refunds(rows) }));
  else said.push(once(run));
  if (first(run, MarkKind.Dead)) said.push(words.dead);
  if (ended === 'cut') said.push(words.cut);
  return said.join(' ');
}

/** The first event of a run that left such a mark. @param {Run} run @param {number} kind */
function first(run, kind) {
  for (const mark of eachMark(run.marks)) if (mark.kind === kind) return run.event(mark.event);
  return undefined;
}

/** Why one refund is all there was. @param {Run} run */
function once(run) {
  const { redeliveries } = run.summary.verdict;
  if (redeliveries === 0) return words.ok;
  if (first(run, MarkKind.AlreadyWritten)) {
    return fill(words.ok_guard, { times: times(redeliveries + 1) });
  }
  if (first(run, MarkKind.Resumed)) return words.ok_resumed;
  const crash = first(run, MarkKind.Crashed);
  return crash?.point === 'before-write' ? words.ok_before : words.ok;
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
