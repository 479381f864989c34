/**
 * The slice as a strip of steps. A button between two steps puts the crash exactly there, for
 * the attempt that is chosen.
 */
import { html, nothing, svg } from 'lit';
import { faultsOf, lastAttempt } from '../faults.js';
import { fill, page } from '../words.js';
import { owner } from './controls.js';

const words = page.slice;
const { labels } = page;

/** Steps and crash points in the order in which a worker passes them. */
const strip = /** @type {const} */ ([
  ['step', 'lease'],
  ['step', 'think'],
  ['step', 'check'],
  ['point', 'before-write'],
  ['step', 'write'],
  ['point', 'after-write'],
  ['step', 'checkpoint'],
  ['point', 'after-checkpoint'],
  ['between', 'saved'],
  ['point', 'before-ack'],
  ['step', 'ack'],
  ['point', 'ack-lost'],
]);

/** At least so many attempts can be chosen. */
const ATTEMPTS = 3;

const plus = svg`<path d="M8 4.5v7M4.5 8h7"></path>`;
const cross = svg`<path d="M5 5l6 6m0 -6l-6 6"></path>`;

/**
 * @typedef {object} SliceData
 * @property {string} faults the text of the fault rules
 * @property {string} guard
 * @property {string} key the idempotency key of this job
 * @property {number} attempt the one chosen
 * @property {number} maxAttempts
 * @property {(fault: string) => void} toggle
 * @property {(attempt: number) => void} choose
 * @property {(on: boolean) => void} setGuard
 */

/** @param {SliceData} data */
export function slice({ faults, guard, key, attempt, maxAttempts, toggle, choose, setGuard }) {
  const planned = faultsOf(faults, attempt);
  const shown = Math.min(maxAttempts, Math.max(ATTEMPTS, lastAttempt(faults) + 2, attempt + 1));
  const on = guard !== 'off';
  return html`
    <section class="slice" aria-label=${labels.slice}>
      <div class="plan">
        <div class="attempts" role="group" aria-label=${labels.attempt}>
          <span aria-hidden="true">${labels.attempt}</span>
          ${Array.from({ length: shown }, (_, i) => {
            const faulty = faultsOf(faults, i).length > 0;
            return html`<button type="button" class="attempt ${faulty ? 'faulty' : ''}"
              aria-pressed=${i === attempt ? 'true' : 'false'}
              aria-label=${fill(faulty ? words.name_with : words.name, { attempt: i })}
              @click=${() => choose(i)}>${i}</button>`;
          })}
        </div>
        <p class="where">${fill(words.question, { attempt })}</p>
        <ol class="strip">
          ${strip.map(([kind, name]) => {
            if (kind === 'point') return point(name, attempt, planned.includes(name), toggle);
            if (kind === 'between') return html`<li class="between">${words.saved}</li>`;
            if (name === 'check' && !['check-then-insert', 'ask-the-model'].includes(guard))
              return nothing;
            return html`<li class="step">${words.steps[name]}</li>`;
          })}
        </ol>
        <p class="planned">${plans(faults, attempt).join(' ')}</p>
      </div>
      <div class="guard">
        <button type="button" class="switch" id="guard" role="switch"
          aria-checked=${on ? 'true' : 'false'} aria-describedby="guard-help"
          @click=${() => setGuard(!on)}><span class="knob"></span></button>
        <label class="guard-name" for="guard">${labels.guard}</label>
        ${on && guard !== 'on' ? html`<code>${guard}</code>` : nothing}
        <p class="help" id="guard-help">${fill(guardHelp[guard] ?? '', { key })}</p>
        ${owner('domain tool')}
      </div>
    </section>`;
}

/** @type {Record<string, string>} */
const guardHelp = page.guard;

/** @type {Record<string, string>} */
const planText = words.planned;

/** What is planned for an attempt, in sentences. @param {string} faults @param {number} attempt */
export function plans(faults, attempt) {
  const planned = faultsOf(faults, attempt);
  return (planned.length ? planned : ['none']).map((fault) =>
    fill(planText[fault] ?? fault, { attempt }),
  );
}

/**
 * @param {keyof typeof words.points} name @param {number} attempt @param {boolean} pressed
 * @param {(fault: string) => void} toggle
 */
const point = (name, attempt, pressed, toggle) => html`
  <li class="point">
    <button type="button" class="crash" aria-pressed=${pressed ? 'true' : 'false'}
      aria-label=${fill(words.of_attempt, { point: words.points[name], attempt })}
      @click=${() => toggle(name)}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        ${pressed ? cross : plus}
      </svg>
    </button>
  </li>`;
