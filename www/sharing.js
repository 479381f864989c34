/**
 * The button at the lab's foot; what it opens is fetched when it is opened.
 *
 * @import { Lab } from './lab.js'
 */
import { html, nothing } from 'lit';
import { page } from './words.js';

export class Sharing {
  #changed;
  #open = false;
  /** @type {typeof import('./views/share.js') | 'failed' | undefined} */
  #part;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  async #toggle() {
    this.#open = !this.#open;
    this.#changed();
    if (!this.#open || typeof this.#part === 'object') return;
    this.#part = await import('./views/share.js').catch(() => /** @type {const} */ ('failed'));
    this.#changed();
  }

  /** @param {string} experiment @param {string} title of its chapter @param {Lab} lab */
  view(experiment, title, lab) {
    const part = this.#part;
    return html`<div class="share">
      <button type="button" aria-expanded=${this.#open ? 'true' : 'false'}
        @click=${() => this.#toggle()}>${page.labels.share}</button>
      ${this.#open && part === 'failed' ? html`<p role="alert">${page.failed.part}</p>` : nothing}
      ${
        this.#open && typeof part === 'object'
          ? part.share({ experiment, title, state: lab.link(), settings: lab.run.settings })
          : nothing
      }
    </div>`;
  }
}
