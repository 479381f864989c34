/**
 * `<at-least-once>`: one experiment as a lab, wherever a page has room for it.
 *
 * Attributes: `experiment`, and every setting of the experiment under its path with hyphens
 * (`queue-visibility-timeout="30s"`). Text inside the tag is what readers see without script.
 *
 * @import { Refused } from './core.js'
 * @import { Chapter } from './words.js'
 */
import { LitElement } from 'lit';
import { readAttributes, settingOf } from './attributes.js';
import { experiments, isRefusal, load, patiently } from './core.js';
import { Lab } from './lab.js';
import { Panels } from './panels.js';
import { styles } from './styles.js';
import { labView } from './views/lab.js';
import { failed, loading, stopped } from './views/messages.js';
import { scrollToLast } from './views/tables.js';
import { chapter, hasChapter, onNewWords } from './words.js';

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
  /** @type {Record<string, string> | undefined} the settings of the lab that has stopped */
  #kept;
  /** @type {Refused[]} attributes that were not taken */
  #refused = [];
  #experiment = DEFAULT;
  /** @type {Chapter | undefined} */
  #text;
  #panels = new Panels(() => this.requestUpdate());
  /** Ends the listening for words. */
  #deaf = () => {};
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
    this.#deaf = onNewWords(() => this.#panels.touch());
    if (this.#lab) this.#attributesChanged(this.#missed());
    else this.#start();
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.#attributesChanged(this.#attributes?.takeRecords() ?? []);
    this.#attributes?.disconnect();
    this.#size?.disconnect();
    this.#deaf();
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

  /** @param {Record<string, string>} [settings] in the place of what the tag says */
  async #start(settings) {
    this.#error = undefined;
    this.#kept = undefined;
    this.requestUpdate();
    const wanted = this.getAttribute('experiment') ?? DEFAULT;
    const experiment = hasChapter(wanted) ? wanted : DEFAULT;
    try {
      const [text] = await patiently(Promise.all([chapter(experiment), load()]));
      // The tag may ask for another one by now.
      if (wanted !== (this.getAttribute('experiment') ?? DEFAULT)) return;
      this.#text = text;
      this.#build(wanted, experiment, settings);
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  /**
   * Builds the lab from the attributes; one that is refused is left at its default.
   * @param {string} wanted @param {string} experiment the one that there is
   * @param {Record<string, string>} [given] in the place of the attributes
   */
  #build(wanted, experiment, given) {
    this.#lab?.free();
    this.#lab = undefined;
    this.#refused = [];
    this.#experiment = experiment;
    if (wanted !== experiment) this.#refused.push(unknownExperiment(wanted, experiments()));
    const settings = given ? { ...given } : readAttributes(this, this.#experiment);
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
    this.#kept = this.#lab?.changes;
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
      this.#start();
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
    if (this.#error !== undefined) return this.#failure(this.#error);
    if (!this.#lab || !this.#text) return loading();
    try {
      return labView({
        lab: this.#lab,
        text: this.#text,
        panels: this.#panels,
        refused: this.#refused,
        width: this.#width,
      });
    } catch (error) {
      // Whatever is wrong with a picture, the reader gets a message and a way on.
      this.#kept = this.#lab.changes;
      this.#lab.stop();
      this.#lab = undefined;
      this.#error = error;
      return this.#failure(error);
    }
  }

  /** @param {unknown} error */
  #failure(error) {
    const kept = this.#kept;
    return kept
      ? stopped(
          error,
          () => this.#start(kept),
          () => this.#start({}),
        )
      : failed(error, () => this.#start());
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
