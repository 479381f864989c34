/**
 * The element's life: when a lab is built, out of what, and when it is drawn. What a page may use
 * of it is in `api.js`.
 *
 * @import { Refused } from './core.js'
 * @import { Substitute } from './embed/substitute.js'
 * @import { Chapter } from './words.js'
 */
import { html, LitElement } from 'lit';
import { Announcer } from './announce.js';
import {
  adopt,
  declareSettings,
  propertyOf,
  readAttributes,
  settingOf,
  settingsOf,
} from './attributes.js';
import { experiments, isRefusal, load, patiently, readLink } from './core.js';
import { Lab } from './lab.js';
import { isOn, lockOf, OPTIONS, partsOf } from './options.js';
import { Panels } from './panels.js';
import { PolicyError, underPolicy } from './policy.js';
import { styles } from './styles.js';
import { blocked } from './views/blocked.js';
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

/** How far below the screen a lab is made ready: one more screen. */
const AHEAD = '100% 0px';

/** What a page may ask a lab to do. */
const ACTS = {
  run: (/** @type {Lab} */ lab) => lab.play(),
  pause: (/** @type {Lab} */ lab) => lab.pause(),
  step: (/** @type {Lab} */ lab) => lab.step(1),
  reset: (/** @type {Lab} */ lab) => lab.restart(),
  seek: (/** @type {Lab} */ lab, /** @type {number} */ us) => lab.seek(lab.axis.toMs(us)),
  set: (/** @type {Lab} */ lab, /** @type {string} */ setting, /** @type {string} */ value) =>
    lab.set(setting, value),
};

export class LabElement extends LitElement {
  /** @override */
  static styles = styles;

  /** @type {Lab | undefined} */
  #lab;
  /** @type {Chapter | undefined} */
  #text;
  #panels = new Panels(() => this.requestUpdate());
  /** @type {unknown} why there is no lab */
  #error;
  /** The settings of a lab that has stopped. @type {Record<string, string> | undefined} */
  #kept;
  /** Counts the starts: a text that arrives late belongs to an earlier one. */
  #asked = 0;
  /** Ends the listening for words. */
  #deaf = () => {};
  /** @type {Refused[]} attributes that were not taken */
  #refused = [];
  #experiment = DEFAULT;
  /** The attributes as they were when the element left the page. @type {Map<string, string>} */
  #tag = new Map();
  #width = 0;
  #logged = 0;
  #measured = false;
  /** @type {Promise<void> | undefined} */
  #starting;
  /** @type {Announcer | undefined} */
  #announcer;
  /** The lab in a frame, where the page forbids it here. @type {Substitute | undefined} */
  #substitute;
  /** @type {IntersectionObserver | undefined} */
  #view;
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
    adopt(this, OPTIONS);
    // Which attributes there are is known only once the core is loaded, so all are watched.
    this.#attributes = new MutationObserver((changes) => this.#attributesChanged(changes));
    this.#attributes.observe(this, { attributes: true });
    this.#size = new ResizeObserver(() => this.#measure());
    this.#size.observe(this);
    this.#deaf = onNewWords(() => this.#panels.touch());
    if (this.#lab) this.#attributesChanged(this.#missed());
    else this.#startInView();
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.#attributesChanged(this.#attributes?.takeRecords() ?? []);
    this.#attributes?.disconnect();
    this.#size?.disconnect();
    this.#deaf();
    this.#view?.disconnect();
    this.#substitute?.leave();
    this.#substitute = undefined;
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

  #startInView() {
    this.#view = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) this.start();
      },
      { rootMargin: AHEAD },
    );
    this.#view.observe(this);
  }

  /** The lab, once there is one. @protected */
  get lab() {
    return this.#lab;
  }

  /** Builds the lab now, in view or not; resolves when it stands or cannot. @protected */
  start() {
    this.#view?.disconnect();
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /**
   * Does something with the lab, which is built first if it is not there yet.
   * @protected @template {keyof typeof ACTS} Name @param {Name} name
   * @param {(string | number)[]} values
   */
  async act(name, ...values) {
    if (!this.#lab && !this.#substitute) await this.start();
    if (this.#substitute) return this.#substitute.act(name, values);
    if (!this.#lab) return false;
    /** @type {(lab: Lab, ...values: any[]) => boolean | void} */
    const act = ACTS[name];
    return act(this.#lab, ...values) !== false;
  }

  async #start() {
    await this.#open(false);
    if (this.#lab && isOn(this.getAttribute('autoplay'))) this.#lab.play();
  }

  /**
   * Fetches what the lab needs and builds it.
   * @param {boolean} anew whether a link on the tag is passed over
   * @param {Record<string, string>} [settings] in the place of what the tag says
   */
  async #open(anew, settings) {
    this.#error = undefined;
    this.#kept = undefined;
    this.#asked += 1;
    const mine = this.#asked;
    this.requestUpdate();
    try {
      const named = this.#named(anew);
      const [text] = await patiently(Promise.all([chapter(named), underPolicy(load)]));
      if (mine !== this.#asked) return;
      this.#build(anew, settings);
      // A link that was refused may have named another one.
      this.#text = this.#experiment === named ? text : await chapter(this.#experiment);
      this.#greet();
    } catch (error) {
      if (mine !== this.#asked) return;
      this.#error = error;
      await this.#report(error);
    }
    this.requestUpdate();
  }

  /** The experiment that the tag names, if there is one of that name. @param {boolean} anew */
  #named(anew) {
    const link = anew ? null : this.getAttribute('state');
    const inLink = link && new URLSearchParams(link).get('x');
    const names = [inLink, this.getAttribute('experiment')];
    return names.find((name) => name && hasChapter(name)) || DEFAULT;
  }

  #greet() {
    declareSettings(Object.getPrototypeOf(this), this.#lab?.run.settings ?? []);
    adopt(this, this.#lab?.run.settings.map(({ attribute }) => propertyOf(attribute)) ?? []);
    const { version = '' } = /** @type {{ version?: string }} */ (this.constructor);
    this.#tell('at-least-once-ready', { experiment: this.#experiment, version });
    for (const { field, message } of this.#refused) {
      this.#tell('at-least-once-error', { kind: 'refused', message, field });
    }
  }

  /** Says why there is no lab, and puts a frame in its place if the page has named one. @param {unknown} error */
  async #report(error) {
    const kind = error instanceof PolicyError ? 'policy' : 'load';
    this.#tell('at-least-once-error', { kind, message: String(error), field: null });
    const frame = this.getAttribute('frame');
    if (kind !== 'policy' || !frame) return;
    const { Substitute } = await import('./embed/substitute.js');
    this.#substitute = new Substitute(
      this,
      frame,
      (name, detail) => this.#tell(name, detail),
      (again) => {
        this.#substitute = undefined;
        this.#error = again;
        this.requestUpdate();
      },
    );
  }

  /** @type {import('./announce.js').Tell} */
  #tell = (name, detail) => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  /**
   * Builds the lab from the attributes; one that is refused is left at its default.
   * @param {boolean} anew whether a link on the tag is passed over
   * @param {Record<string, string>} [kept] settings in the place of what the tag says
   */
  #build(anew, kept) {
    this.#lab?.free();
    this.#lab = undefined;
    this.#error = undefined;
    this.#refused = [];
    const { experiment: wanted, settings, link } = this.#wanted(anew || !!kept);
    this.#experiment = wanted;
    if (!experiments().includes(wanted) || !hasChapter(wanted)) {
      this.#experiment = DEFAULT;
      this.#refused.push(unknownExperiment(wanted, experiments()));
    }
    this.#announcer = new Announcer(this.#experiment, this.#tell);
    const given = kept ?? settings ?? readAttributes(this, settingsOf(this.#experiment));
    for (;;) {
      try {
        this.#lab = new Lab(
          this.#experiment,
          given,
          (path) => this.#changed(path),
          (error) => this.#fail(error),
          link,
        );
        this.#announcer.look(this.#lab);
        return;
      } catch (error) {
        if (!isRefusal(error) || !(error.field in given)) throw error;
        this.#refused.push(error);
        delete given[error.field];
      }
    }
  }

  /** What the tag asks for: a link stands above the settings beside it. @param {boolean} anew */
  #wanted(anew) {
    const link = anew ? null : this.getAttribute('state');
    try {
      if (link) return { ...readLink(link), link };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#refused.push(Object.assign(error, { field: 'state', value: link ?? '' }));
    }
    return {
      experiment: this.getAttribute('experiment') ?? DEFAULT,
      settings: undefined,
      link: undefined,
    };
  }

  /** @param {string} [path] the setting that the reader has given another value */
  #changed(path) {
    // What the reader has set stands above what the tag got wrong.
    if (path) this.#refused = this.#refused.filter((refused) => refused.field !== path);
    if (this.#lab) this.#announcer?.look(this.#lab);
    this.requestUpdate();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#kept = this.#lab?.changes;
    this.#lab?.stop();
    this.#lab = undefined;
    this.#error = error;
    this.#report(error);
    this.requestUpdate();
  }

  /** @param {{ attributeName: string | null }[]} changes */
  #attributesChanged(changes) {
    const lab = this.#lab;
    if (!lab) return;
    const names = new Set(changes.map((change) => change.attributeName ?? ''));
    if (names.has('experiment') || names.has('state')) {
      this.#open(!names.has('state'));
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
        if (refused) this.#refuse(refused);
      }
    }
    this.requestUpdate();
  }

  /** @param {Refused} refused */
  #refuse(refused) {
    this.#refused.push(refused);
    const { field, message } = refused;
    this.#tell('at-least-once-error', { kind: 'refused', message, field });
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
    if (this.#substitute) return this.#substitute.view();
    if (this.#error !== undefined) return this.#failed();
    // What a page has put between the tags stands until there is something to stand for it.
    if (!this.#lab || !this.#text) return html`<slot>${this.#starting ? loading() : ''}</slot>`;
    try {
      return labView({
        lab: this.#lab,
        text: this.#text,
        panels: this.#panels,
        parts: partsOf(this.getAttribute('controls')),
        locked: lockOf(this.getAttribute('locked')),
        predict: this.getAttribute('predict') !== 'off',
        refused: this.#refused,
        width: this.#width,
      });
    } catch (error) {
      // Whatever is wrong with a picture, the reader gets a message and a way on.
      this.#kept = this.#lab.changes;
      this.#lab.stop();
      this.#lab = undefined;
      this.#error = error;
      return this.#failed();
    }
  }

  #failed() {
    return html`${this.#failure(this.#error)}<slot></slot>`;
  }

  /** @param {unknown} error */
  #failure(error) {
    if (error instanceof PolicyError) return blocked(error, this.getAttribute('frame'));
    const kept = this.#kept;
    if (!kept) return failed(error, () => this.start());
    return stopped(
      error,
      () => this.#open(true, kept),
      () => this.#open(true, {}),
    );
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
