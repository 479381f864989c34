/**
 * What a lab has besides the run, its picture and what was paid: the plan, the code, what a worker
 * sees, settings and tables. Fetched together, and only where a page shows some of it.
 *
 * @import { Lab } from '../lab.js'
 * @import { Panels } from '../panels.js'
 * @import { Sight } from '../pkg/at_least_once.js'
 */
import { html, nothing } from 'lit';
import { retryOf } from '../code/retry.js';
import { retriable } from '../retriable.js';
import words from '../text/en/desk.json';
import { Watching } from '../watching.js';
import { code, languages } from './code.js';
import { controls } from './controls.js';
import { keyOf } from './key-of.js';
import { waitingFor } from './messages.js';
import { sight } from './sight.js';
import { slice } from './slice.js';
import { attemptsTable, ledgerTable, vendorTable } from './tables.js';

export { desk as styles } from '../styles/desk.js';
export { refusal } from './controls.js';
export { log } from './log.js';
export { plans } from './plans.js';
export { prediction } from './prediction.js';
export { tasks } from './tasks.js';
export { inTurn } from './turns.js';

const { labels } = words;

const fetchSettings = retriable(() => import('./all-settings.js'));

/** The steps of a relay behind its read, by its order. @type {Record<string, string[]>} */
const RELAY = {
  'publish-then-mark': ['relay-send', 'relay-mark'],
  'mark-then-publish': ['relay-mark', 'relay-send'],
};

/** @param {Lab} lab */
export const sliceOf = (lab) =>
  slice({
    program: lab.run.program,
    relay: RELAY[lab.value('relay.order')] ?? [],
    faults: lab.value('faults'),
    refused: lab.refused.get('faults'),
    guard: lab.value('guard'),
    effect: lab.value('effect'),
    key: keyOf(lab),
    attempt: lab.attempt,
    maxAttempts: Number(lab.value('queue.max_attempts')),
    jobs: lab.landmarks.jobs,
    locked: lab.locked,
    allows: (fault) => lab.allows(fault),
    set: (faults) => lab.set('faults', faults),
    choose: (attempt) => lab.choose(attempt),
    setGuard: (on) => lab.setGuard(on),
  });

/** @param {Lab} lab @param {Panels} panels */
export function codeOf(lab, panels) {
  const { language } = panels;
  return code({
    language,
    part: panels.part(`code/${language}`, languages[language]),
    program: lab.run.program,
    guard: lab.value('guard'),
    claim: lab.value('guard.claim'),
    key: lab.value('key'),
    checkpoint: lab.value('checkpoint'),
    relay: { order: lab.value('relay.order'), key: lab.value('relay.key') },
    retry: retryOf(lab.run.settings),
    worker: lab.view.workers[watching(lab, panels).worker]?.worker ?? '',
    ...watching(lab, panels).standing,
    open: panels.isOpen('code'),
    show: (open) => panels.show('code', open),
    choose: (next) => panels.choose(next),
  });
}

/** Whose eyes the reader looks through, in each lab. @type {WeakMap<Lab, Watching>} */
const watched = new WeakMap();

/** @param {Lab} lab @param {Panels} panels */
function watching(lab, panels) {
  const known = watched.get(lab) ?? new Watching(lab, () => panels.touch());
  watched.set(lab, known);
  return known;
}

/** @param {Lab} lab @param {Panels} panels */
export function sightOf(lab, panels) {
  const through = watching(lab, panels);
  return sight({
    sight: through.sight,
    first: isFirst(lab, through.sight),
    workers: lab.view.workers.map(({ worker }) => worker),
    worker: through.worker,
    follows: through.follows,
    us: through.us,
    ackedUs: through.ackedUs,
    selected: lab.selected,
    event: (place) => lab.event(place),
    select: (event) => lab.select(event),
    watch: (worker) => through.choose(worker),
  });
}

/** Whether the message in hand is the first that a worker got for its job. @param {Lab} lab @param {Sight} sight */
function isFirst({ view }, sight) {
  const deliveries = view.attempts.filter((row) => row.job_id === sight.job_id);
  return sight.attempt === 0 && deliveries.length === 1;
}

/** Runs, and brings what runs into view: settings are far below it. @param {Lab} lab @param {Event} event */
function runInView(lab, event) {
  const root = /** @type {ShadowRoot} */ (
    /** @type {Element} */ (event.currentTarget).getRootNode()
  );
  const transport = root.querySelector('.transport');
  /** @type {HTMLElement | null} */ (root.querySelector('button.run'))?.focus({
    preventScroll: true,
  });
  transport?.scrollIntoView({ block: 'start' });
  lab.play();
}

/** @param {Lab} lab @param {Panels} panels @param {boolean} runs whether there is something to run it with */
export function settingsOf(lab, panels, runs) {
  const data = {
    settings: lab.run.settings.filter(({ path }) => !lab.locked(path)),
    refused: lab.refused,
    locked: lab.locked,
    set: (/** @type {string} */ path, /** @type {string} */ text) => lab.set(path, text),
    reset: (/** @type {string} */ path) => lab.reset(path),
    newSeed: () => lab.newSeed(),
  };
  const open = panels.isOpen('settings');
  const all = open ? panels.part('settings', fetchSettings) : undefined;
  return html`<section class="settings" aria-labelledby="settings">
    <div class="settings-head">
      <h2 id="settings">${labels.settings}</h2>
      ${
        runs
          ? html`<button type="button" class="run-these"
              @click=${(/** @type {Event} */ event) => runInView(lab, event)}>${labels.run_these}</button>`
          : nothing
      }
      <button type="button" aria-expanded=${open ? 'true' : 'false'}
        @click=${() => panels.show('settings', !open)}>${labels.all_settings}</button>
    </div>
    <p class="quiet">${words.set_by_note}</p>
    ${controls(data)}
    ${
      all?.value
        ? all.value.allSettings({
            ...data,
            search: panels.search,
            find: (search) => panels.find(search),
          })
        : all && waitingFor(all)
    }
  </section>`;
}

/** @param {Lab} lab */
export function tablesOf(lab) {
  const { run, view } = lab;
  const selection = {
    selected: lab.selected,
    select: (/** @type {number} */ event) => lab.select(event),
  };
  return html`<div class="tables">
    <div>${attemptsTable(view.attempts, view.attempts_total, run.summary.jobs > 1, selection)}</div>
    <div>
      ${run.summary.lanes.vendor ? vendorTable(view.vendor, view.vendor_total, selection) : nothing}
      ${ledgerTable(view.ledger, view.ledger_total, selection)}
    </div>
  </div>`;
}
