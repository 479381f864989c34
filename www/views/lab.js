/**
 * One lab, from its question to its log: which view gets what of the state.
 *
 * @import { Refused, Run } from '../core.js'
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
import { page, sentence, settingName } from '../words.js';
import { messages, waitingFor } from './messages.js';
import { isOfEnd, newsNeedsDesk, told } from './news.js';
import { summary } from './summary.js';
import { timeline } from './timeline.js';
import { forked, notInForce, transport } from './transport.js';
import { feedback, verdict } from './verdict.js';

const { labels } = page;

/** From here on the picture comes first, and what stands around it is drawn in turns. */
const MANY_EVENTS = 1000;

const fetchHelp = retriable(() => import('./help.js'));

/** The parts that a lab can do without. */
export const fetchDesk = retriable(() => import('./desk.js'));

/** Those that need nothing more. @type {Set<Part>} */
const BARE = new Set(['transport', 'timeline', 'verdict', 'picture', 'share']);

/** @param {Set<Part>} parts */
export const needsDesk = (parts) => [...parts].some((name) => !BARE.has(name));

/** Those that show something of the chapter's own, its title for one. @type {Part[]} */
const TOLD = ['prediction', 'tasks', 'picture', 'share'];

/** @param {Set<Part>} parts */
export const needsText = (parts) => TOLD.some((name) => parts.has(name));

/**
 * @typedef {object} LabData
 * @property {Lab} lab
 * @property {import('../panels.js').Part<Chapter>} text there, or on its way, where it is needed
 * @property {Panels} panels what is open, and what of it is there
 * @property {Set<Part>} parts those that are shown
 * @property {unknown} picture the chapter's own
 * @property {unknown} share what a reader takes along
 * @property {Refused[]} refused attributes that were not taken
 * @property {(refused: Refused) => void} close closes the message about one of them
 * @property {number} width of the picture; 0 before it is known
 */

/** @param {LabData} data */
export function labView(data) {
  const { lab, panels, parts, picture, share, refused, width } = data;
  const { run, view, cursor } = lab;
  const text = data.text.value;
  /** @param {Part} name @param {() => unknown} draw */
  const part = (name, draw) => (parts.has(name) ? draw() : nothing);
  const withDesk = needsDesk(parts);
  const desk = withDesk || newsNeedsDesk(lab.news) ? panels.part('desk', fetchDesk) : undefined;
  const news = told(lab, parts.has('tasks') ? text : undefined, desk);
  const atEnd = parts.has('verdict') && isOfEnd(lab);
  /** @param {Part} name @param {(module: typeof import('./desk.js')) => unknown} draw */
  const more = (name, draw) => (parts.has(name) && desk?.value ? draw(desk.value) : nothing);
  const crowded = run.summary.events > MANY_EVENTS;
  /** @param {Part} name @param {(module: typeof import('./desk.js')) => unknown} draw */
  const later = (name, draw) => more(name, (module) => module.inTurn(crowded, () => draw(module)));
  return html`
    ${messages({
      settings: run.settings,
      refused: refused,
      restarted: lab.restarted,
      close: () => lab.closeMessage(),
      closeRefused: data.close,
    })}
    <div class="lab ${cursor === 0 ? 'fresh' : ''}" part="lab" @keydown=${(/** @type {KeyboardEvent} */ event) => keys(event, lab, panels)}>
      ${summary(run, view, lab.event(cursor - 1))}
      ${more(
        'prediction',
        ({ prediction }) =>
          text &&
          prediction({
            question: text.question,
            said: lab.said,
            outcome: lab.outcome,
            predict: (value) => lab.predict(value),
          }),
      )}
      ${more('slice', ({ sliceOf }) => sliceOf(lab))}
      ${part('transport', () => transportOf(lab))}
      ${
        parts.has('timeline') || parts.has('code')
          ? html`<div class="stage ${parts.has('timeline') && parts.has('code') ? '' : 'single'}">
              ${part('timeline', () => pictureOf(lab, width))}
              ${later('code', ({ codeOf }) => codeOf(lab, panels))}
            </div>`
          : nothing
      }
      ${later('sight', ({ sightOf }) => sightOf(lab, panels))}
      ${part('verdict', () =>
        verdict({
          run,
          soFar: view.verdict,
          attempts: view.attempts,
          properties: view.properties,
          dead: view.queue.dead,
          ended: lab.ended,
          feedback: text && feedback(text.question, lab.said, run.asked),
          news: atEnd ? news : '',
          at: (event) => lab.event(event)?.at_us ?? 0,
          jump: (event) => lab.jump(event),
        }),
      )}
      ${more('tasks', ({ tasks }) => text && tasks(text.tasks, lab.done))}
      ${more('settings', ({ settingsOf }) =>
        guard([run, lab.refused, panels.state, lab.locked, parts.has('transport')], () =>
          settingsOf(lab, panels, parts.has('transport')),
        ),
      )}
      ${part('picture', () => picture)}
      ${later('tables', ({ tablesOf }) => tablesOf(lab))}
      ${later('log', ({ log }) => html`<div class="log">${log(lab, panels, width)}</div>`)}
      ${withDesk && desk && !desk.value ? waitingFor(desk) : nothing}
      ${needsText(parts) && !text ? waitingFor(data.text) : nothing}
      ${
        parts.has('transport') || parts.has('share')
          ? html`<div class="foot">
              ${part(
                'transport',
                () => html`<button type="button" @click=${() => panels.show('help', true)}>
                  ${labels.keyboard}</button>`,
              )}
              ${share}<slot name="foot"></slot>
            </div>`
          : nothing
      }
      ${panels.isOpen('help') ? helpOf(panels) : nothing}
    </div>
    <p class="unseen" role="status">${atEnd ? nothing : news}</p>`;
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
    time: momentText(run, lab.us),
    last: last ? sentence(last) : '',
    speed: lab.speed,
    speeds: SPEEDS,
    canUndo: lab.canUndo,
    canRedo: lab.canRedo,
    before: lab.turn(-1) >= 0,
    after: lab.turn(1) >= 0,
    refused: notTaken(lab),
    fork: lab.forkedUs === null ? null : forked(momentText(run, lab.forkedUs)),
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

/** What the reader typed and the run has not. @param {Lab} lab */
const notTaken = (lab) =>
  [...lab.refused.values()]
    .map(({ field, typed, value }) =>
      notInForce(settingName(field), typed ?? value, lab.value(field)),
    )
    .join(' ');

/** An event's moment; one between two events without digits that nobody can read. @param {Run} run @param {number} us */
function momentText({ summary, event, cursorAt }, us) {
  if (event(cursorAt(us) - 1)?.at_us === us) return spanText(us);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(summary.end_us / 100)));
  // Cut off, never rounded up: a moment before an event never reads as the event's.
  return spanText(Math.floor(us / unit) * unit);
}

/** @param {Panels} panels */
function helpOf(panels) {
  const part = panels.part('help', fetchHelp);
  return part.value ? part.value.help(() => panels.show('help', false)) : waitingFor(part);
}
