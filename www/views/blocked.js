/**
 * Instead of a lab that the page's policy forbids: which directive has to be there, and a link.
 *
 * @import { PolicyError } from '../policy.js'
 */
import { html } from 'lit';
import { placeOf } from '../embed/place.js';
import words from '../text/en/embed.json';
import { fill } from '../words.js';

/** @param {string} url */
const originOf = (url) => (URL.canParse(url) ? new URL(url).origin : url);

/** @param {PolicyError} error */
function remedy({ directive, blocked }) {
  const origin = originOf(blocked);
  if (directive.startsWith('frame')) return fill(words.policy.frame, { origin });
  if (directive.startsWith('connect')) return fill(words.policy.connect, { origin });
  if (/eval/.test(blocked)) return words.policy.wasm;
  return fill(words.policy.other, { directive });
}

/** @param {PolicyError} error @param {string | null} frame where the one-file build lives */
export function blocked(error, frame) {
  const place = frame && placeOf(frame);
  return html`
    <div class="state failed" role="alert">
      <h2>${words.policy.title}</h2>
      <p>${words.policy.text} ${remedy(error)}</p>
      ${
        place
          ? html`<p><a href=${place} target="_blank" rel="noopener">${words.policy.link}</a></p>`
          : html`<p>${words.policy.ask}</p>`
      }
    </div>`;
}
