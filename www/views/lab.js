/**
 * One lab, from its question to its log: which view gets what of the state.
 *
 * @import { Refused } from '../core.js'
 * @import { Lab } from '../lab.js'
 * @import { Part } from '../options.js'
 * @import { Panels } from '../panels.js'
 * @import { Chapter } from '../words.js'
 */
import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { spanText } from '../core.js';
import { SPEEDS } from '../lab.js';
import { retriable } from '../retriable.js';
import { page, sentence } from '../words.js';
import { code, languages } from './code.js';
import { controls } from './controls.js';
import { log } from './log.js';
import { messages, waitingFor } from './messages.js';
import { news } from './news.js';
import { feedback, prediction } from './prediction.js';
import { sight } from './sight.js';
import { slice } from './slice.js';
import { summary } from './summary.js';
import { attemptsTable, ledgerTable, vendorTable } from './tables.js';
import { tasks } from './tasks.js';
import { timeline } from './timeline.js';
import { forked, transport } from './transport.js';
import { verdict } from './verdict.js';

const { labels } = page;

const fetchSettings = retriable(() => import('./all-settings.js'));
const fetchHelp = retriable(() => import('./help.js'));

/**
 * @typedef {object} LabData
 * @property {Lab} lab
 * @property {Chapter} text
 * @property {Panels} panels what is open, and what of it is there
 * @property {Set<Part>} parts those that are shown
 * @property {Refused[]} refused attributes that were not taken
 * @property {number} width of the picture; 0 before it is known
 */

/** @param {LabData} data */
export function labView(data) {
  const { lab, text, panels, parts, refused, width } = data;
  const { run, view, cursor } = lab;
  /** @param {Part} name @param {() => unknown} draw */
  const part = (name, draw) => (parts.has(name) ? draw() : nothing);
  return html`
    ${messages({
      settings: run.settings,
      refused: refused,
      restarted: lab.restarted,
      close: () => lab.closeMessage(),
    })}
    <div class="lab" @keydown=${(/** @type {KeyboardEvent} */ event) => keys(event, lab, panels)}>
      ${summary(run, view, lab.event(cursor - 1))}
      ${part('prediction', () =>
        prediction({
          question: text.question,
          said: lab.said,
          outcome: lab.outcome,
          predict: (value) => lab.predict(value),
        }),
      )}
      ${part('slice', () =>
        slice({
          program: lab.program,
          faults: lab.value('faults'),
          guard: lab.value('guard'),
          key: lab.key,
          attempt: lab.attempt,
          maxAttempts: Number(lab.value('queue.max_attempts')),
          jobs: lab.jobs,
          locked: lab.locked,
          allows: (fault) => lab.allows(fault),
          set: (faults) => lab.set('faults', faults),
          choose: (attempt) => lab.choose(attempt),
          setGuard: (on) => lab.setGuard(on),
        }),
      )}
      ${part('transport', () => transportOf(lab))}
      ${
        parts.has('timeline') || parts.has('code')
          ? html`<div class="stage ${parts.has('timeline') && parts.has('code') ? '' : 'single'}">
              ${part('timeline', () => pictureOf(lab, width))}
              ${part('code', () => codeOf(lab, panels))}
            </div>`
          : nothing
      }
      ${part('sight', () => sightOf(lab))}
      ${part('verdict', () =>
        verdict({
          run,
          soFar: view.verdict,
          attempts: view.attempts,
          properties: view.properties,
          dead: view.queue.dead,
          ended: lab.ended,
          feedback: feedback(text.question, lab.said, run.asked),
          at: (event) => lab.event(event)?.at_us ?? 0,
          jump: (event) => lab.jump(event),
        }),
      )}
      ${part('tasks', () => tasks(text.tasks, lab.done))}
      ${part('settings', () =>
        guard([run, lab.refused, panels.state, lab.locked], () => settingsOf(lab, panels)),
      )}
      ${part('tables', () => tablesOf(lab))}
      ${part('log', () => html`<div class="log">${log(lab, panels, width)}</div>`)}
      ${part(
        'transport',
        () => html`<div class="foot">
        <button type="button" @click=${() => panels.show('help', true)}>${labels.keyboard}</button>
      </div>`,
      )}
      ${panels.isOpen('help') ? helpOf(panels) : nothing}
    </div>
    ${news(lab.news, lab, text)}`;
}

/** @param {Lab} lab @param {number} width */
function pictureOf(lab, width) {
  const { axis, cursor, playing, run, selected, touched, us } = lab;
  const select = (/** @type {number} */ event) => lab.select(event);
  return html`<div class="picture">
    ${
      width
        ? timeline({ run, axis, cursor, us, playing, width, touched, selected, select })
        : nothing
    }
  </div>`;
}

/** Keys that mean something anywhere in the lab, and nothing outside it. @param {KeyboardEvent} event @param {Lab} lab @param {Panels} panels */
function keys(event, lab, panels) {
  const typing =
    event.target instanceof HTMLInputElement && !['range', 'radio'].includes(event.target.type);
  if (typing || event.target instanceof HTMLTextAreaElement || event.altKey) return;
  const held = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (event.key === '?' && !held) panels.show('help', true);
  else if (held && key === 'z') event.shiftKey ? lab.redo() : lab.undo();
  else if (held && key === 'y') lab.redo();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Lab} lab */
function transportOf(lab) {
  const { run, cursor } = lab;
  const last = lab.event(cursor - 1);
  return transport({
    playing: lab.playing,
    atStart: cursor === 0 && lab.ms === 0,
    atEnd: lab.ended,
    ms: lab.ms,
    endMs: lab.axis.endMs,
    time: spanText(last?.at_us === lab.us ? lab.us : rounded(lab.us, run.summary.end_us)),
    last: last ? sentence(last) : '',
    speed: lab.speed,
    speeds: SPEEDS,
    canUndo: lab.canUndo,
    canRedo: lab.canRedo,
    before: lab.turn(-1) >= 0,
    after: lab.turn(1) >= 0,
    fork: lab.forkedUs === null ? null : forked(spanText(lab.forkedUs)),
    run: () => lab.play(),
    pause: () => lab.pause(),
    step: () => lab.step(1),
    stepBack: () => lab.step(-1),
    previous: () => lab.jump(lab.turn(-1)),
    next: () => lab.jump(lab.turn(1)),
    restart: () => lab.restart(),
    undo: () => lab.undo(),
    redo: () => lab.redo(),
    closeFork: () => lab.closeFork(),
    setSpeed: (speed) => lab.setSpeed(speed),
    seek: (ms) => lab.seek(ms),
  });
}

/** A moment between two events, without digits that nobody can read. @param {number} us @param {number} end */
function rounded(us, end) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(end / 100)));
  // Cut off, never rounded up: a moment before an event never reads as the event's.
  return Math.floor(us / unit) * unit;
}

/** @param {Lab} lab @param {Panels} panels */
function codeOf(lab, panels) {
  const { language } = panels;
  return code({
    language,
    part: panels.part(`code/${language}`, languages[language]),
    program: lab.program,
    guard: lab.value('guard'),
    key: lab.value('key'),
    worker: lab.view.workers[lab.worker]?.worker ?? '',
    ...lab.standing,
    open: panels.isOpen('code'),
    show: (open) => panels.show('code', open),
    choose: (next) => panels.choose(next),
  });
}

/** @param {Lab} lab */
const sightOf = (lab) =>
  sight({
    sight: lab.sight,
    workers: lab.view.workers.map(({ worker }) => worker),
    worker: lab.worker,
    follows: lab.follows,
    us: lab.us,
    selected: lab.selected,
    event: (place) => lab.event(place),
    select: (event) => lab.select(event),
    watch: (worker) => lab.watch(worker),
  });

/** @param {Lab} lab @param {Panels} panels */
function settingsOf(lab, panels) {
  const data = {
    settings: lab.run.settings,
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
      <button type="button" aria-expanded=${open ? 'true' : 'false'}
        @click=${() => panels.show('settings', !open)}>${labels.all_settings}</button>
    </div>
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
function tablesOf(lab) {
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

/** @param {Panels} panels */
function helpOf(panels) {
  const part = panels.part('help', fetchHelp);
  return part.value ? part.value.help(() => panels.show('help', false)) : waitingFor(part);
}
