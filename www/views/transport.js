/** Run, step and scrub. */
import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { page } from '../words.js';

const { labels } = page;

/** What an arrow key moves the time by, in playing milliseconds. */
const NOTCH = 50;

/** The first stop of the slider at which a moment has come. @param {number} ms */
const reached = (ms) => String(Math.ceil(ms / NOTCH) * NOTCH);

/**
 * @typedef {object} TransportData
 * @property {boolean} playing
 * @property {boolean} atStart
 * @property {boolean} atEnd
 * @property {number} ms
 * @property {number} endMs
 * @property {string} time the moment in words
 * @property {string} last the last event's sentence
 * @property {() => void} run
 * @property {() => void} pause
 * @property {() => void} step
 * @property {() => void} stepBack
 * @property {() => void} restart
 * @property {(ms: number) => void} seek
 */

/** @param {TransportData} data */
export function transport(data) {
  const { playing, atStart, atEnd, ms, endMs, time, last } = data;
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
      <button type="button" aria-disabled=${atStart ? 'true' : 'false'}
        @click=${data.stepBack}>${labels.step_back}</button>
      <button type="button" aria-disabled=${atEnd ? 'true' : 'false'}
        @click=${data.step}>${labels.step}</button>
      <button type="button" aria-disabled=${atStart ? 'true' : 'false'}
        @click=${data.restart}>${labels.restart}</button>
      <input class="time" type="range" min="0" max=${max} step=${NOTCH} .value=${live(reached(ms))}
        aria-label=${labels.time} aria-valuetext=${last ? `${time}. ${last}` : time}
        @input=${(/** @type {Event} */ event) =>
          data.seek(Number(/** @type {HTMLInputElement} */ (event.target).value))} />
      <output class="clock" aria-hidden="true">${time}</output>
    </section>`;
}
