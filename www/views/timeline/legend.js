/**
 * The key to the signs: those that occur in this run, fetched when it is opened.
 *
 * @import { Run } from '../../core.js'
 */

import { html } from 'lit';
import { until } from 'lit/directives/until.js';
import { retriable } from '../../retriable.js';
import texts from '../../text/en/timeline.json';

const words = texts.key;

/** @param {Run} run @param {boolean} open @param {(open: boolean) => void} toggle */
export const legend = (run, open, toggle) => html`<details class="signs"
  @toggle=${(/** @type {Event} */ event) => toggle(/** @type {HTMLDetailsElement} */ (event.target).open)}>
  <summary>${words.title}</summary>
  ${open ? until(content(run), html`<p>${words.loading}</p>`) : ''}</details>`;

const fetchKey = retriable(() => import('./key.js'));

/** @type {WeakMap<Run, Promise<unknown>>} */
const known = new WeakMap();

/** @param {Run} run */
function content(run) {
  const made = known.get(run) ?? make(run);
  known.set(run, made);
  return made;
}

/** @param {Run} run */
async function make(run) {
  try {
    const { key } = await fetchKey();
    return key(run);
  } catch {
    // Opened again, it is asked for again.
    known.delete(run);
    return html`<p>${words.failed}</p>`;
  }
}
