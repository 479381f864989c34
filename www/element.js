/**
 * `<at-least-once>`: one experiment as a lab, wherever a page has room for it.
 *
 * Attributes: `experiment`, and every setting of the experiment under its path with hyphens
 * (`queue-visibility-timeout="30s"`). Text inside the tag is what readers see without script.
 *
 * @import { Refused } from './core.js'
 */
import { LitElement } from 'lit';
import { readAttributes, settingOf } from './attributes.js';
import { experiments, isRefusal, load } from './core.js';
import { Lab } from './lab.js';
import { styles } from './styles.js';
import { labView } from './views/lab.js';
import { failed, loading } from './views/messages.js';
import { scrollToLast } from './views/tables.js';
import { chapter } from './words.js';

const DEFAULT = 'double-refund';

/** Keys that slide decks and books act on, and that the controls in here need. */
const KEYS = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  ' ',
  'Enter',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

export class AtLeastOnce extends LitElement {
  /** @override */
  static styles = styles;

  /** @type {Lab | undefined} */
  #lab;
  /** @type {unknown} why there is no lab */
  #error;
  /** @type {Refused[]} attributes that were not taken */
  #refused = [];
  #experiment = DEFAULT;
  /** The attributes as they were when the element left the page. @type {Map<string, string>} */
  #tag = new Map();
  #width = 0;
  #logged = 0;
  #measured = false;
  /** @type {MutationObserver | undefined} */
  #attributes;
  /** @type {ResizeObserver | undefined} */
  #size;

  constructor() {
    super();
    this.addEventListener('keydown', (event) => {
      if (KEYS.has(event.key)) event.stopPropagation();
    });
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    // Which attributes there are is known only once the core is loaded, so all are watched.
    this.#attributes = new MutationObserver((changes) => this.#attributesChanged(changes));
    this.#attributes.observe(this, { attributes: true });
    this.#size = new ResizeObserver(() => this.#measure());
    this.#size.observe(this);
    if (this.#lab) this.#attributesChanged(this.#missed());
    else this.#start();
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.#attributesChanged(this.#attributes?.takeRecords() ?? []);
    this.#attributes?.disconnect();
    this.#size?.disconnect();
    // An element that is moved stands still, and its button says so.
    this.#lab?.pause();
    this.#tag = attributesOf(this);
  }

  /** The attributes that have changed while nobody watched. @returns {{ attributeName: string }[]} */
  #missed() {
    const now = attributesOf(this);
    const names = new Set([...now.keys(), ...this.#tag.keys()]);
    return [...names]
      .filter((name) => now.get(name) !== this.#tag.get(name))
      .map((attributeName) => ({ attributeName }));
  }

  async #start() {
    this.#error = undefined;
    this.requestUpdate();
    try {
      await load();
      this.#build();
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  /** Builds the lab from the attributes; one that is refused is left at its default. */
  #build() {
    this.#lab?.free();
    this.#lab = undefined;
    this.#error = undefined;
    this.#refused = [];
    const wanted = this.getAttribute('experiment') ?? DEFAULT;
    this.#experiment = wanted;
    if (!experiments().includes(wanted) || !chapter(wanted)) {
      this.#experiment = DEFAULT;
      this.#refused.push(unknownExperiment(wanted, experiments()));
    }
    const settings = readAttributes(this, this.#experiment);
    for (;;) {
      try {
        this.#lab = new Lab(
          this.#experiment,
          settings,
          (path) => this.#changed(path),
          (error) => this.#fail(error),
        );
        return;
      } catch (error) {
        if (!isRefusal(error) || !(error.field in settings)) throw error;
        this.#refused.push(error);
        delete settings[error.field];
      }
    }
  }

  /** @param {string} [path] the setting that the reader has given another value */
  #changed(path) {
    // What the reader has set stands above what the tag got wrong.
    if (path) this.#refused = this.#refused.filter((refused) => refused.field !== path);
    this.requestUpdate();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#lab?.stop();
    this.#lab = undefined;
    this.#error = error;
    this.requestUpdate();
  }

  /** @param {{ attributeName: string | null }[]} changes */
  #attributesChanged(changes) {
    const lab = this.#lab;
    if (!lab) return;
    const names = new Set(changes.map((change) => change.attributeName ?? ''));
    if (names.has('experiment')) {
      try {
        this.#build();
      } catch (error) {
        this.#fail(error);
      }
      this.requestUpdate();
      return;
    }
    for (const name of names) {
      const path = settingOf(lab.run.settings, name);
      if (!path) continue;
      this.#refused = this.#refused.filter((refused) => refused.field !== path);
      const text = this.getAttribute(name);
      if (text === null) lab.reset(path);
      else if (!lab.set(path, text)) {
        const refused = lab.refused.get(path);
        lab.reset(path);
        if (refused) this.#refused.push(refused);
      }
    }
    this.requestUpdate();
  }

  #measure() {
    const picture = this.renderRoot.querySelector('.picture');
    if (!picture) return;
    const style = getComputedStyle(picture);
    const width = Math.floor(
      picture.clientWidth -
        Number.parseFloat(style.paddingLeft) -
        Number.parseFloat(style.paddingRight),
    );
    if (width > 0 && width !== this.#width) {
      this.#width = width;
      this.requestUpdate();
    }
  }

  /** @override */
  updated() {
    if (!this.#lab) return;
    this.#measure();
    const log = this.renderRoot.querySelector('.log-scroll');
    if (log && this.#logged !== this.#lab.cursor) {
      // Only the log's own scrolling: the page stays where its reader put it.
      scrollToLast(log);
      this.#logged = this.#lab.cursor;
    }
    if (!this.#measured && this.#width > 0) {
      this.#measured = true;
      requestAnimationFrame(() => performance.mark('at-least-once:first-result'));
    }
  }

  /** @override */
  render() {
    const retry = () => this.#start();
    if (this.#error !== undefined) return failed(this.#error, retry);
    const text = chapter(this.#experiment);
    if (!this.#lab || !text) return loading();
    try {
      return labView({ lab: this.#lab, text, refused: this.#refused, width: this.#width });
    } catch (error) {
      // Whatever is wrong with a picture, the reader gets a message and a way on.
      this.#lab.stop();
      this.#lab = undefined;
      this.#error = error;
      return failed(error, retry);
    }
  }
}

/** @param {Element} element */
const attributesOf = (element) =>
  new Map([...element.attributes].map(({ name, value }) => [name, value]));

/** @param {string} value @param {string[]} known @returns {Refused} */
const unknownExperiment = (value, known) =>
  Object.assign(new Error('unknown experiment'), {
    field: 'experiment',
    value,
    limit: known.join(', '),
    unit: '',
  });
