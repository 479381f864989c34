/** Run, step, scrub; take back what was changed. */
import { html, svg } from 'lit';
import { live } from 'lit/directives/live.js';
import { fill, page } from '../words.js';

const { labels } = page;

/** What an arrow key moves the time by, in playing milliseconds. */
const NOTCH = 50;

/**
 * The first stop of the slider at which a moment has come. Moments are whole microseconds, so one
 * that was looked up at a stop may lie a hair behind it.
 * @param {number} ms
 */
const reached = (ms) => String(Math.ceil(ms / NOTCH - 0.01) * NOTCH);

/**
 * @typedef {object} TransportData
 * @property {boolean} playing
 * @property {boolean} atStart
 * @property {boolean} atEnd
 * @property {number} ms
 * @property {number} endMs
 * @property {string} time the moment in words
 * @property {string} last the last event's sentence
 * @property {number} speed
 * @property {readonly number[]} speeds
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} before whether something turns before this moment
 * @property {boolean} after whether something turns after it
 * @property {string} refused what was typed and is not in force, in words
 * @property {string | null} fork what the last change did to the run, in words
 * @property {() => void} run
 * @property {() => void} pause
 * @property {() => void} step
 * @property {() => void} stepBack
 * @property {() => void} previous
 * @property {() => void} next
 * @property {() => void} restart
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} closeFork
 * @property {(speed: number) => void} setSpeed
 * @property {(ms: number) => void} seek
 */

const icons = {
  previous: svg`<path d="M3 3v10M13 3l-7 5l7 5z"></path>`,
  next: svg`<path d="M13 3v10M3 3l7 5l-7 5z"></path>`,
  undo: svg`<path d="M6 3L2.5 6.5L6 10M3 6.5h6a4 3.5 0 0 1 0 7h-3"></path>`,
  redo: svg`<path d="M10 3l3.5 3.5L10 10M13 6.5h-6a4 3.5 0 0 0 0 7h3"></path>`,
};

/** @param {keyof typeof icons} name @param {boolean} there @param {() => void} press */
const icon = (name, there, press) => html`<button type="button" class="icon"
  aria-label=${labels[name]} title=${labels[name]} aria-disabled=${there ? 'false' : 'true'}
  @click=${press}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    ${icons[name]}</svg></button>`;

/** @param {string} label @param {boolean} there @param {() => void} press */
const button = (label, there, press) => html`<button type="button"
  aria-disabled=${there ? 'false' : 'true'} @click=${press}>${label}</button>`;

/** @param {TransportData} data */
export function transport(data) {
  const { playing, atStart, atEnd, ms, endMs, time, last, fork, refused } = data;
  // The second click of a double click is not meant to pause.
  const toggle = (/** @type {MouseEvent} */ event) => {
    if (event.detail > 1 && playing) return;
    if (playing) data.pause();
    else data.run();
  };
  const max = Math.max(NOTCH, Math.ceil(endMs / NOTCH) * NOTCH);
  return html`
    <section class="transport" aria-label=${labels.transport}>
      <button type="button" class="run" @click=${toggle}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d=${playing ? 'M2 1h3v10H2zM7 1h3v10H7z' : 'M2 1l9 5l-9 5z'}></path></svg>
        ${playing ? labels.pause : labels.run}
      </button>
      ${button(labels.step_back, !atStart, data.stepBack)}
      ${button(labels.step, !atEnd, data.step)}
      ${button(labels.restart, !atStart, data.restart)}
      <div class="scrub">
        ${icon('previous', data.before, data.previous)}
        <input class="time" type="range" min="0" max=${max} step=${NOTCH} .value=${live(reached(ms))}
          aria-label=${labels.time} aria-valuetext=${last ? `${time}. ${last}` : time}
          @input=${(/** @type {Event} */ event) =>
            data.seek(Number(/** @type {HTMLInputElement} */ (event.target).value))} />
        ${icon('next', data.after, data.next)}
        <output class="clock" aria-hidden="true">${time}</output>
      </div>
      <select class="speed" aria-label=${labels.speed} title=${labels.speed}
        @change=${(/** @type {Event} */ event) =>
          data.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
        ${data.speeds.map(
          (speed) =>
            html`<option value=${speed} ?selected=${speed === data.speed}>${speed}×</option>`,
        )}
      </select>
      ${icon('undo', data.canUndo, data.undo)}
      ${icon('redo', data.canRedo, data.redo)}
      ${refused ? html`<p class="fork refusal">${refused}</p>` : ''}
      ${
        fork
          ? html`<p class="fork"><span>${fork}</span>
              <button type="button" @click=${data.undo}>${page.fork.back}</button>
              <button type="button" @click=${data.closeFork}>${page.dismiss}</button></p>`
          : ''
      }
    </section>`;
}

/** What stands in a field and not in the run. @param {string} name @param {string} value @param {string} now */
export const notInForce = (name, value, now) => fill(page.fork.refused, { name, value, now });

/** What a change did to the run. @param {string} at the moment from which it differs */
export const forked = (at) => fill(page.fork.changed, { at });
