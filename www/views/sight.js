/**
 * What a worker can see, and beside it, pale, what it cannot: everything that other attempts of
 * its job have done. The message in its hand carries no trace of that.
 *
 * @import { Sight } from '../pkg/at_least_once.js'
 * @import { EventRecord } from '../core.js'
 */
import { html, nothing } from 'lit';
import { spanText } from '../core.js';
import desk from '../text/en/desk.json';
import { fill, sentence } from '../words.js';

const words = desk.sight;

/** More workers than these are chosen from a list. */
const FEW = 5;

/**
 * @typedef {object} SightData
 * @property {Sight} sight
 * @property {boolean} first whether nobody had a message of this job before
 * @property {string[]} workers their names
 * @property {number} worker the one shown
 * @property {boolean} follows whether that is whoever acts
 * @property {number} us the moment looked at
 * @property {number} [ackedUs] when it acked, if what it had until then is shown
 * @property {number} selected
 * @property {(place: number) => EventRecord | undefined} event
 * @property {(event: number) => void} select
 * @property {(worker: number | null) => void} watch
 */

/** @param {SightData} data */
export function sight(data) {
  const { sight, workers, worker } = data;
  return html`
    <section class="sight" aria-labelledby="sight">
      <div class="code-head">
        <h2 id="sight">${fill(words.title, { worker: workers[worker] })}</h2>
        ${chooser(data)}
      </div>
      <div class="halves">
        <div>${until(data)}${inHand(data)}</div>
        <div class="dark">${sight.job_id === null ? nothing : unseen(data)}</div>
      </div>
    </section>`;
}

/** @param {SightData} data */
function chooser({ workers, worker, follows, watch }) {
  if (workers.length > FEW) {
    return html`<label class="choice-of">${words.choose}
      <select @change=${(/** @type {Event} */ event) => {
        const { value } = /** @type {HTMLSelectElement} */ (event.target);
        watch(value === '' ? null : Number(value));
      }}>
        <option value="" ?selected=${follows}>${words.follow}</option>
        ${workers.map((name, i) => html`<option value=${i} ?selected=${!follows && i === worker}>${name}</option>`)}
      </select></label>`;
  }
  return html`<div class="tabs" role="group" aria-label=${words.choose}>
    ${workers.map(
      (
        name,
        i,
      ) => html`<button type="button" class="tab" aria-pressed=${i === worker ? 'true' : 'false'}
        @click=${() => watch(i === worker && !follows ? null : i)}>${name}</button>`,
    )}</div>`;
}

/** @param {SightData} data */
const until = ({ ackedUs }) =>
  ackedUs === undefined
    ? nothing
    : html`<p class="quiet">${fill(words.until_ack, { at: spanText(ackedUs) })}</p>`;

/** @param {SightData} data */
function inHand({ sight, us }) {
  const { state, job_id: job, attempt, receipt, lease_until_us: until, checkpoint } = sight;
  if (job === null) return html`<p class="quiet">${without[state] ?? words.nothing}</p>`;
  const row = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="in-hand">
    ${row(words.message, job)}
    ${row(words.attempt, attempt)}
    ${row(words.receipt, receipt)}
    ${row(words.lease, html`${spanText(until ?? 0)}${until !== null && until < us ? html` <span class="bad">(${words.over})</span>` : nothing}`)}
    ${row(words.checkpoint, checkpoints[checkpoint ?? 'none'])}
    ${sight.key === null ? nothing : row(words.key, sight.key)}
    ${sight.guard_saw === null ? nothing : row(words.guard, guardSaw[sight.guard_saw] ?? sight.guard_saw)}
    ${sight.vendor_said === null ? nothing : row(words.vendor, sight.vendor_said)}
  </dl>`;
}

/** What there is to say without a message. @type {Record<string, string>} */
const without = { down: words.down, stopped: words.stopped };
/** @type {Record<string, string>} */
const guardSaw = words.guard_saw;
/** @type {Record<string, string>} */
const checkpoints = words.checkpoints;

/** @param {SightData} data */
function unseen({ sight, first, selected, event, select }) {
  if (sight.unseen.length === 0)
    return html`<p class="quiet">${first ? words.none : words.none_again}</p>`;
  return html`<h3>${words.unseen}</h3>
    <p class="quiet">${words.no_trace}</p>
    <ul class="hidden-from-it">
      ${sight.unseen.map(({ event: place }) => {
        const record = event(place);
        return record
          ? html`<li><button type="button" class="pick" aria-pressed=${place === selected ? 'true' : 'false'}
              @click=${() => select(place)}>${spanText(record.at_us)}</button> ${sentence(record)}</li>`
          : nothing;
      })}
    </ul>`;
}
