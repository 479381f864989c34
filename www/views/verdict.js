/**
 * What was paid, in money, at every moment, and what held. While the run goes on the sum is a
 * plain figure; the status beside it speaks once, when the run has ended.
 *
 * @import { AttemptRow, PropertyView, Verdict } from '../pkg/at_least_once.js'
 * @import { Run } from '../core.js'
 * @import { Chapter } from '../words.js'
 */
import { html, nothing } from 'lit';
import { MarkKind, moneyText, spanText } from '../core.js';
import { fill, page, refunds, times } from '../words.js';
import { eachMark } from './flat.js';

const words = page.verdict;

/** Those that always have something to say; of the others only what is broken is shown. */
const SHOWN = new Set(['paid-once', 'conserved', 'within-limit']);

/** @type {Record<string, string>} */
const propertyNames = page.properties;

/**
 * @typedef {object} VerdictData
 * @property {Run} run
 * @property {Verdict} soFar
 * @property {AttemptRow[]} attempts
 * @property {PropertyView[]} properties
 * @property {number} dead how many messages the queue has given up on
 * @property {boolean} ended
 * @property {string | undefined} feedback what is to be said about the prediction
 * @property {string} news what led to the end, for those who cannot see it
 * @property {(event: number) => number} at the moment of an event
 * @property {(event: number) => void} jump
 */

/** @param {VerdictData} data */
export function verdict(data) {
  const { run, soFar, attempts, properties, dead, ended, feedback, news, at, jump } = data;
  const owed = fill(words.owed_so_far, { owed: moneyText(run.summary.verdict.owed_cents) });
  const tooMuch = soFar.paid_cents > soFar.owed_cents;
  const state = ended ? (soFar.ok ? 'ok' : 'not-ok') : tooMuch ? 'not-ok' : 'open';
  return html`
  <section class="verdict ${state}" aria-labelledby="verdict">
    <h2 class="unseen" id="verdict">${page.labels.verdict}</h2>
    ${
      ended
        ? nothing
        : html`<p class="sum"><b class="paid">${words.paid} ${moneyText(soFar.paid_cents)}</b>
            <span class="owed">${owed}</span></p>`
    }
    <div role="status" aria-label=${page.labels.verdict}>
      ${
        ended
          ? html`<p class="unseen">${news}</p>
              <p class="sum"><b class="paid">${words.paid} ${moneyText(soFar.paid_cents)}</b>
                <span class="owed">${owed}.</span></p>
              <p class="why">${conclusion(run, attempts, dead)}</p>
              ${feedback ? html`<p class="feedback">${feedback}</p>` : nothing}`
          : nothing
      }
    </div>
    <ul class="badges" aria-label=${page.labels.properties}>
      ${properties
        .filter(({ property, held }) => !held || SHOWN.has(property))
        .map((property) => badge(property, at, jump))}
    </ul>
  </section>`;
}

/** @param {PropertyView} property @param {(event: number) => number} at @param {(event: number) => void} jump */
function badge({ property, held, broken_at: event }, at, jump) {
  const name = propertyNames[property] ?? property;
  if (held || event === null) {
    return html`<li class="badge"><span aria-hidden="true">✓</span> ${name}
      <span class="unseen">${words.holds}</span></li>`;
  }
  return html`<li class="badge broken"><button type="button" @click=${() => jump(event)}>
    <span aria-hidden="true">✕</span> ${name}:
    ${fill(words.broken_at, { at: spanText(at(event)) })}</button></li>`;
}

/** What the run ended with, and why. @param {Run} run @param {AttemptRow[]} attempts @param {number} dead */
function conclusion({ summary, marks }, attempts, dead) {
  const { verdict, jobs, ended } = summary;
  // Where there is a vendor, its ledger is the truth about who was paid.
  const paid = verdict.vendor_rows;
  const rows = paid ?? verdict.ledger_rows;
  const said = [];
  if (jobs > 1) said.push(fill(paid === null ? words.jobs : words.jobs_vendor, { rows, jobs }));
  else if (rows === 0) said.push(words.none);
  else if (verdict.paid_cents < verdict.owed_cents) {
    // One refund under the name of another: the books are in order, and the customer is not paid.
    const swallowed = verdict.books_agree && countOf(marks, MarkKind.Replayed) > 0;
    said.push(swallowed ? words.swallowed : words.under);
  } else if (!verdict.ok) said.push(fill(words.over, { refunds: refunds(rows) }));
  else if (paid !== null) said.push(words.ok);
  else said.push(once(attempts));
  if (verdict.books_agree === false) said.push(words.books);
  const calls = paid === null ? 0 : countOf(marks, MarkKind.Called);
  if (calls > 0) said.push(fill(words.calls, { times: times(calls) }));
  if (dead > 0) said.push(jobs === 1 ? words.dead : fill(deadOf(dead), { dead }));
  if (ended === 'cut') said.push(fill(words.cut, { events: summary.events }));
  return said.join(' ');
}

/** @param {number} dead */
const deadOf = (dead) => (dead === 1 ? words.dead_one : words.dead_many);

/** How often something happened. @param {Float64Array} marks @param {number} sought */
function countOf(marks, sought) {
  let count = 0;
  for (const { kind } of eachMark(marks)) count += Number(kind === sought);
  return count;
}

/** Why one refund is all there was. @param {AttemptRow[]} attempts */
function once(attempts) {
  if (attempts.length <= 1) return words.ok;
  if (attempts.some((row) => row.new_write === false)) {
    return fill(words.ok_guard, { times: times(attempts.length) });
  }
  const [first] = attempts;
  if (first.point === 'before-write') return words.ok_before;
  return first.new_write ? words.ok_resumed : words.ok;
}

/**
 * The sentence about an answer, for beside the result. It was written for the chapter's own
 * opening; a run that ends otherwise has no such sentence.
 * @param {Chapter['question']} question @param {number | null} said @param {number} found
 */
export const feedback = ({ answer: expected, choices }, said, found) =>
  found === expected ? choices.find((choice) => choice.value === said)?.feedback : undefined;
