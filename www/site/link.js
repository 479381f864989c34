/**
 * The address follows what the reader does in the lab of a chapter, so that it can be copied or
 * loaded again; and a button that copies it. The history of the browser is left as it is.
 *
 * @import { AtLeastOnce } from '../api.js'
 */
import { html, render } from 'lit';
import { copy } from '../copying.js';
import site from '../text/en/site.json';

const words = site.link;

/** How long the address waits for the reader to come to rest. */
const REST_MS = 400;

/** What the reader does, and the end of a run; in between nothing is worth an address. */
const ACTS = ['click', 'change', 'keyup', 'at-least-once-run-end'];

/** Keys that only lead from one control to the next. */
const PASSING = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Escape']);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** @param {AtLeastOnce} lab */
export function follow(lab) {
  const remember = (/** @type {Event} */ event) => {
    // To pass by is no act.
    if (event instanceof KeyboardEvent && PASSING.has(event.key)) return;
    clearTimeout(waiting);
    const { hash } = location;
    waiting = setTimeout(() => {
      const { state } = lab;
      // The reader may have gone on to another page.
      if (lab.isConnected && location.hash === hash && state) {
        history.replaceState(history.state, '', `#${state}`);
      }
    }, REST_MS);
  };
  for (const act of ACTS) lab.addEventListener(act, remember);
}

/** Puts the button into the foot of the lab. @param {AtLeastOnce} lab */
export function addCopyLink(lab) {
  const place = document.createElement('div');
  place.slot = 'foot';
  place.className = 'copy-link';
  render(
    html`<button type="button" @click=${(/** @type {Event} */ event) => press(event, lab)}>${words.copy}</button>
      <span role="status"></span>`,
    place,
  );
  lab.append(place);
}

/** @param {Event} event @param {AtLeastOnce} lab */
async function press(event, lab) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const said = /** @type {HTMLElement} */ (button.nextElementSibling);
  const link = new URL(`#${lab.state}`, location.href).href;
  const done = await copy(link, button);
  const field = html`${words.refused} <input readonly aria-label=${words.copy} .value=${link}
    @focus=${(/** @type {Event} */ focus) => /** @type {HTMLInputElement} */ (focus.target).select()} />`;
  render(done ? words.copied : field, said);
}
