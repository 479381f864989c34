/**
 * A chapter's own picture below its lab: fetched when the chapter is opened, played anew when a
 * setting has changed.
 *
 * @import { Lab } from './lab.js'
 * @import { Picture } from './views/picture.js'
 * @import { Chapter } from './words.js'
 */
import { html, nothing } from 'lit';
import { dress } from './dress.js';
import { retriable } from './retriable.js';
import { page } from './words.js';

const fetchPictures = retriable(() => import('./views/picture.js'));

export class Pictures {
  #changed;
  #root;
  /** @type {Picture | 'failed' | undefined} */
  #picture;
  /** Counts the chapters: a picture that arrives late belongs to an earlier one. */
  #opened = 0;
  #again = () => {};
  /** The run that the picture was played for. @type {Lab['run'] | undefined} */
  #run;

  /** @param {() => void} changed @param {() => DocumentOrShadowRoot} root where it is drawn */
  constructor(changed, root) {
    this.#changed = changed;
    this.#root = root;
  }

  /** @param {string} experiment @param {Chapter} text @param {Lab} lab */
  async open(experiment, text, lab) {
    this.close();
    if (!text.picture && !text.compare) return;
    const mine = this.#opened;
    this.#again = () => this.open(experiment, text, lab);
    try {
      const { charts, pictureOf } = await fetchPictures();
      dress(this.#root(), charts);
      const picture = await pictureOf(experiment, text, lab.simulation, this.#changed);
      if (mine !== this.#opened) return;
      this.#picture = picture;
    } catch {
      if (mine !== this.#opened) return;
      this.#picture = 'failed';
    }
    this.#changed();
  }

  /** Nobody looks: nothing is played until it is drawn again. */
  rest() {
    if (typeof this.#picture === 'object') this.#picture.stop();
    this.#run = undefined;
  }

  close() {
    this.#opened += 1;
    this.rest();
    this.#picture = undefined;
  }

  /** @param {Lab} lab @param {number} width */
  view(lab, width) {
    const picture = this.#picture;
    if (picture === undefined) return nothing;
    if (picture === 'failed') {
      return html`<div class="chapter-picture" role="alert">
        <p>${page.failed.part} <button type="button" @click=${this.#again}>${page.failed.retry}</button></p>
      </div>`;
    }
    if (this.#run !== lab.run) {
      this.#run = lab.run;
      // What it plays tells about itself when it is done, not while it is drawn.
      queueMicrotask(() => picture.play(lab.value('seed')));
    }
    return width ? picture.view(lab.run, width) : nothing;
  }
}
