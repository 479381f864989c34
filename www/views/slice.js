/**
 * The slice as a strip of steps. A button between two steps puts a fault exactly there, for
 * the attempt that is chosen; below it stands what was planned, and how to change it.
 *
 * @import { ProgramLine } from '../pkg/at_least_once.js'
 * @import { Refused } from '../core.js'
 * @import { Rule } from '../faults.js'
 */
import { html, nothing, svg } from 'lit';
import {
  kindsAt,
  lastAttempt,
  lasts,
  onlyFault,
  rulesAbout,
  usual,
  withChange,
  withFault,
} from '../faults.js';
import desk from '../text/en/desk.json';
import { fill, page } from '../words.js';
import { refusal } from './controls.js';
import { plans } from './plans.js';

const { labels, slice: words } = desk;

/** At least so many attempts can be chosen. */
const ATTEMPTS = 3;
/** A list of more jobs than this is no help. */
const JOBS = 50;

/** The points of what a step sends, and those of the relay, which no line of the program has. */
const BEHIND = /** @type {Record<string, string[]>} */ ({
  call: ['call'],
  ack: ['ack'],
  'relay-read': ['relay-before'],
  'relay-send': ['call', 'relay-between'],
  'relay-mark': ['relay-between'],
});

const plus = svg`<path d="M8 4.5v7M4.5 8h7"></path>`;
const cross = svg`<path d="M5 5l6 6m0 -6l-6 6"></path>`;

/** @typedef {Pick<ProgramLine, 'step' | 'point'>} Place */

/**
 * @typedef {object} SliceData
 * @property {Place[]} program the steps, in order, with the points before each
 * @property {string[]} relay its two steps, in their order
 * @property {string} faults the text of the fault rules
 * @property {Refused | undefined} refused why a fault was not taken
 * @property {string} guard
 * @property {string} effect where the money moves
 * @property {string} key the idempotency key of this job
 * @property {number} attempt the one chosen
 * @property {number} maxAttempts
 * @property {string[]} jobs their names
 * @property {(path: string) => boolean} locked whether the reader cannot change a setting
 * @property {(fault: string) => boolean} allows whether the core takes it
 * @property {(faults: string) => void} set
 * @property {(attempt: number) => void} choose
 * @property {(on: boolean) => void} setGuard
 */

/** @param {SliceData} data */
export function slice(data) {
  const { faults, guard, attempt, maxAttempts, choose, setGuard } = data;
  const shown = Math.min(maxAttempts, Math.max(ATTEMPTS, lastAttempt(faults) + 2, attempt + 1));
  const on = guard !== 'off';
  return html`
    <section class="slice" aria-label=${labels.slice}>
      <div class="plan">
        <div class="attempts" role="group" aria-label=${labels.attempt}>
          <span aria-hidden="true">${labels.attempt}</span>
          ${Array.from({ length: shown }, (_, i) => {
            const faulty = rulesAbout(faults, i).length > 0;
            return html`<button type="button" class="attempt ${faulty ? 'faulty' : ''}"
              aria-pressed=${i === attempt ? 'true' : 'false'}
              aria-label=${fill(faulty ? words.name_with : words.name, { attempt: i })}
              @click=${() => choose(i)}>${i}</button>`;
          })}
        </div>
        <p class="where">${fill(words.question, { attempt })}</p>
        <ol class="strip">${strip(data)}</ol>
        ${planned(data)}
        ${data.refused ? html`<p class="refusal">${refusal(data.refused)}</p>` : nothing}
      </div>
      <div class="guard">
        <button type="button" class="switch" id="guard" role="switch"
          aria-checked=${on ? 'true' : 'false'} aria-describedby="guard-help"
          ?disabled=${data.locked('guard')}
          @click=${() => setGuard(!on)}><span class="knob"></span></button>
        <label class="guard-name" for="guard">${labels.guard}</label>
        ${on && guard !== 'on' ? html`<code>${guard}</code>` : nothing}
        <p class="help" id="guard-help">${guardText(data)}</p>
      </div>
    </section>`;
}

/** Nobody's key is “none”: the row has one all the same. @param {string} key */
const named = (key) => (key === '' || key === 'none' ? words.same_key : key);

/** @type {Record<string, string>} */
const guardHelp = desk.guard;

/** What the guard does where the money moves. @param {SliceData} data */
function guardText({ guard, effect, key }) {
  if (guard !== 'off' && effect === 'outbox') return guardHelp.outbox;
  const asks = guard === 'ask-the-vendor';
  if (asks && effect === 'vendor' && named(key) !== key) return guardHelp['no-key'];
  // Where there is no vendor to ask, the ledger takes each key once.
  const used = asks && effect === 'ledger' ? 'on' : guard;
  return fill(guardHelp[used] ?? '', { key: named(key) });
}
/** @type {Record<string, string>} */
const stepNames = page.steps;
/** @type {Record<string, string>} */
const pointNames = words.points;
/** @type {Record<string, string>} */
const kindNames = words.kinds;
/** @type {Record<string, string>} */
const places = page.points;

/** The steps in their order; a relay sends what is put into the outbox. @param {SliceData} data */
function placesOf({ program, relay }) {
  const place = (/** @type {string} */ step) => ({ step, point: null });
  const sends = program.some(({ step }) => step === 'start');
  return [place('lease'), ...program, ...(sends ? ['relay-read', ...relay].map(place) : [])];
}

/** The points before a step, in their order. @param {Place} place */
const before = ({ step, point }) =>
  [point, step === 'ack' ? 'before-ack' : null].filter((name) => name !== null);

/** The points behind a step, in their order. @param {Place} place */
const behind = ({ step }) => BEHIND[step] ?? [];

/** The points that a worker or a relay passes in this slice. @param {SliceData} data */
const pointsOf = (data) =>
  new Set(placesOf(data).flatMap((place) => [...before(place), ...behind(place)]));

/** The steps, and between them the points that the core knows. @param {SliceData} data */
function strip(data) {
  const seen = new Set();
  const point = (/** @type {string} */ name) => {
    if (seen.has(name)) return nothing;
    seen.add(name);
    return data.allows(onlyFault(name, kindsAt(name)[0])) ? button(data, name) : nothing;
  };
  return placesOf(data).map((place) => [
    before(place).map((name, i) => [
      // Between the last deed and the ack two moments lie side by side.
      i > 0 ? html`<li class="between">${words.saved}</li>` : nothing,
      point(name),
    ]),
    html`<li class="step">${stepNames[place.step] ?? place.step}</li>`,
    behind(place).map(point),
  ]);
}

/** @param {SliceData} data @param {string} name */
function button({ faults, attempt, locked, set }, name) {
  const rule = rulesAbout(faults, attempt).find((rule) => rule.point === name);
  const pressed = rule !== undefined;
  // Of two that stand side by side, one belongs to the step before, one to the step behind; and
  // where a message gets lost, nobody is killed.
  const where = name.startsWith('before-') ? 'before' : '';
  return html`<li class="point ${where}">
    <button type="button" class="crash ${kindsAt(name).includes('crash') ? '' : 'lost'}" aria-pressed=${pressed ? 'true' : 'false'}
      aria-label=${fill(words.of_attempt, { point: faultName(name, rule), attempt })}
      ?disabled=${locked('faults')} @click=${() => set(withFault(faults, attempt, name))}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        ${pressed ? cross : plus}
      </svg>
    </button>
  </li>`;
}

/** What is there, or what a press puts there. @param {string} point @param {Rule} [rule] */
function faultName(point, rule) {
  if (!rule || rule.kind === usual(point)) return pointNames[point] ?? point;
  // What happens to a message that is sent says where by itself.
  const place = kindsAt(point).includes('crash') ? places[point] : undefined;
  const fault = nameOf(rule.kind);
  const name = place ? fill(words.fault_at, { fault, point: place }) : fault;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What goes wrong in this attempt, with the choices that there are. @param {SliceData} data */
function planned(data) {
  const rules = rulesAbout(data.faults, data.attempt);
  const sentences = plans(data.faults, data.attempt);
  const points = pointsOf(data);
  // What was put there before a setting took its place away can still be taken back.
  const isNowhere = (/** @type {Rule | undefined} */ rule) =>
    rule !== undefined && rule.point in pointNames && !points.has(rule.point);
  return html`<ul class="planned">
    ${sentences.map(
      (sentence, i) => html`<li>
        ${isNowhere(rules[i]) ? html`<span class="point">${button(data, rules[i].point)}</span>` : nothing}
        <span>${sentence}${isNowhere(rules[i]) ? ` ${words.nowhere}` : nothing}</span>
        ${rules[i] && !data.locked('faults') ? choices(data, rules[i]) : nothing}</li>`,
    )}
  </ul>`;
}

/** @param {SliceData} data @param {Rule} rule */
function choices({ faults, jobs, allows, set }, rule) {
  const change = (/** @type {Partial<Rule>} */ part) => set(withChange(faults, rule, part));
  const offered = kindsAt(rule.point).filter((kind) => allows(onlyFault(rule.point, kind)));
  const kinds = [...new Set([...offered, rule.kind])];
  return [
    kinds.length > 1
      ? select(words.what, kinds, rule.kind, nameOf, (kind) => change({ kind }))
      : nothing,
    lasts(rule.kind)
      ? html`<label class="choice-of">${words.span}
          <input type="text" .value=${rule.span}
            @change=${(/** @type {Event} */ event) => change({ span: enteredIn(event) })} /></label>`
      : nothing,
    jobs.length > 1
      ? select(
          words.for,
          ['', ...jobs.slice(0, JOBS).keys()].map(String),
          rule.job,
          (job) => (job === '' ? words.every_job : fill(words.one_job, { job: jobs[Number(job)] })),
          (job) => change({ job }),
        )
      : nothing,
  ];
}

const nameOf = (/** @type {string} */ kind) => {
  const status = kind.replace(/^answer-/, '');
  return status === kind ? (kindNames[kind] ?? kind) : fill(words.kinds.answer, { status });
};
const enteredIn = (/** @type {Event} */ event) =>
  /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value.trim();

/**
 * @param {string} label @param {string[]} values @param {string} chosen
 * @param {(value: string) => string} name @param {(value: string) => void} taken
 */
const select = (label, values, chosen, name, taken) => html`<label class="choice-of">${label}
  <select @change=${(/** @type {Event} */ event) => taken(enteredIn(event))}>
    ${values.map(
      (value) => html`<option value=${value} ?selected=${value === chosen}>${name(value)}</option>`,
    )}
  </select></label>`;
