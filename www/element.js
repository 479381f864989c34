/**
 * The element's life: when a lab is built, out of what, and when it is drawn. What a page may use
 * of it is in `api.js`.
 *
 * @import { Refused } from './core.js'
 * @import { Substitute } from './embed/substitute.js'
 * @import { Part } from './panels.js'
 * @import { Request } from './request.js'
 * @import { Chapter } from './words.js'
 */
import { html, LitElement, nothing } from 'lit';
import { Announcer } from './announce.js';
import { adopt, declareSettings, propertyOf, settingOf } from './attributes.js';
import { isLacking, isRefusal, load, loadWhole, patiently } from './core.js';
import { dress } from './dress.js';
import { holdFocus } from './focus.js';
import { Lab } from './lab.js';
import { isOn, lockOf, OPTIONS, partsOf } from './options.js';
import { Panels } from './panels.js';
import { Pictures } from './pictures.js';
import { PolicyError, underPolicy } from './policy.js';
import { isTooLarge, known, namedBy, readRequest } from './request.js';
import { retriable } from './retriable.js';
import { Sharing } from './sharing.js';
import { styles } from './styles.js';
import { fetchDesk, labView, needsDesk, needsText } from './views/lab.js';
import { failed, loading, stopped } from './views/messages.js';
import { chapter, onNewWords, page } from './words.js';

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

const fetchInstead = retriable(() => import('./embed/instead.js'));

/** What lies left and right of a picture within the lab, in pixels. */
const PADDING = 36;

/** How far below the screen a lab is made ready: one more screen. */
const AHEAD = '100% 0px';

/** What a page may ask a lab to do. */
const ACTS = {
  run: (/** @type {Lab} */ lab) => lab.play(),
  pause: (/** @type {Lab} */ lab) => lab.pause(),
  step: (/** @type {Lab} */ lab) => lab.step(1),
  reset: (/** @type {Lab} */ lab) => lab.restart(),
  seek: (/** @type {Lab} */ lab, /** @type {number} */ us) =>
    Number.isFinite(us) && us >= 0 ? lab.seek(lab.axis.toMs(us)) : false,
  set: (/** @type {Lab} */ lab, /** @type {string} */ setting, /** @type {string} */ value) =>
    lab.set(String(setting), String(value)),
};

export class LabElement extends LitElement {
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
  #experiment = '';
  /** There where the lab shows some of it. @type {Chapter | undefined} */
  #text;
  #panels = new Panels(
    () => this.requestUpdate(),
    ({ styles }) => styles && dress(this.#root(), styles),
  );
  #sharing = new Sharing(() => this.requestUpdate());
  #pictures = new Pictures(
    () => this.requestUpdate(),
    () => this.#root(),
  );
  /** Ends the listening for words. */
  #deaf = () => {};
  /** The attributes as they were when the element left the page. @type {Map<string, string>} */
  #tag = new Map();
  /** The link that the lab was opened with, as long as the tag asks for nothing else. @type {string | null} */
  #link = null;
  /** The places whose widths decide what is drawn: the timeline, and the lab. @type {Element[]} */
  #watched = [];
  #width = 0;
  /** The width of a picture across the whole lab. */
  #wide = 0;
  /** Called when something was drawn; there while somebody may have lost the focus. @type {(() => boolean) | undefined} */
  #focus;
  #measured = false;
  /** @type {Promise<void> | undefined} */
  #starting;
  /** Counts what was begun: a lab that is late does not take the place of another. */
  #builds = 0;
  /** @type {Announcer | undefined} */
  #announcer;
  /** Says what the page's policy forbids; there once it has forbidden something. @type {typeof import('./views/blocked.js').blocked | undefined} */
  #blocked;
  /** The lab in a frame, where the page forbids it here. @type {Substitute | undefined} */
  #substitute;
  /** @type {IntersectionObserver | undefined} */
  #view;
  /** @type {MutationObserver | undefined} */
  #attributes;
  /** @type {ResizeObserver | undefined} */
  #size;

  #root() {
    return /** @type {ShadowRoot} */ (this.renderRoot);
  }

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
    this.#size = new ResizeObserver((entries) => this.#sized(entries));
    this.#watch();
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
    this.#watched = [];
    this.#view?.disconnect();
    this.#deaf();
    this.#substitute?.leave();
    this.#substitute = undefined;
    // An element that is moved stands still, and its button says so.
    this.#lab?.pause();
    this.#pictures.rest();
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

  /** What is on the screen as the text of a link; nothing until it is there. @protected */
  get link() {
    return this.#lab?.link() ?? this.#substitute?.state;
  }

  /** The experiment that is shown, or will be. @protected */
  get shown() {
    const begun = this.#lab || this.#starting;
    return known(namedBy(this, begun ? this.#link : this.getAttribute('state')));
  }

  /** Builds the lab now, in view or not; resolves when it stands or cannot. @protected */
  async start() {
    if (this.#starting) return this.#starting;
    this.#view?.disconnect();
    this.#link = this.getAttribute('state');
    await this.#start();
    while (this.#starting) await this.#starting;
    if (isOn(this.getAttribute('autoplay'))) this.#lab?.play();
  }

  /**
   * Does something with the lab, which is built first if it is not there yet.
   * @protected @template {keyof typeof ACTS} Name @param {Name} name
   * @param {(string | number)[]} values
   */
  async act(name, ...values) {
    if (!this.#lab && !this.#substitute) await this.start();
    while (this.#starting) await this.#starting;
    if (this.#substitute) return this.#substitute.act(name, values);
    if (!this.#lab) return false;
    /** @type {(lab: Lab, ...values: any[]) => boolean | void} */
    const act = ACTS[name];
    if (act(this.#lab, ...values) !== false) return true;
    const refused = name === 'set' && this.#lab.refused.get(String(values[0]));
    if (refused) this.#tellRefused(refused);
    return false;
  }

  /** @param {Record<string, string>} [settings] in the place of what the tag says */
  #start(settings) {
    const started = this.#build(settings).finally(() => {
      if (this.#starting === started) this.#starting = undefined;
    });
    this.#starting = started;
    return started;
  }

  /** @param {Record<string, string>} [settings] */
  async #build(settings) {
    this.#builds += 1;
    const mine = this.#builds;
    this.#error = undefined;
    this.#kept = undefined;
    this.requestUpdate();
    const named = namedBy(this, this.#link);
    try {
      const parts = partsOf(this.getAttribute('controls'), this.getAttribute('predict'));
      // Where this fails, the lab says so in its place and asks again.
      const desk = needsDesk(parts) ? fetchDesk().catch(() => {}) : undefined;
      const told = needsText(parts) || this.#text !== undefined;
      const text = told ? chapter(known(named)) : undefined;
      await patiently(Promise.all([text, underPolicy(load), desk]));
      if (isTooLarge(this, this.#link, settings)) await loadWhole();
      // The tag may ask for something else by now.
      if (mine !== this.#builds) return;
      const { experiment } = readRequest(this, this.#link);
      this.#text = told ? await chapter(experiment) : undefined;
      if (mine !== this.#builds) return;
      // Read once more: the tag may have been given another setting meanwhile.
      const request = readRequest(this, this.#link);
      if (settings) request.settings = { ...settings };
      // A damaged link names nothing.
      if (request.link === undefined) this.#link = null;
      this.#stand(request);
      this.#greet();
    } catch (error) {
      if (mine !== this.#builds) return;
      this.#error = error;
      await this.#report(error);
    }
    this.requestUpdate();
  }

  /** Builds the lab; a setting that is refused is left at its default. @param {Request} request */
  #stand({ experiment, settings, cursor, link, refused }) {
    this.#lab?.free();
    this.#lab = undefined;
    this.#refused = refused;
    this.#experiment = experiment;
    this.#announcer = new Announcer(experiment, this.#tell);
    for (;;) {
      try {
        this.#lab = new Lab(
          experiment,
          settings,
          (path) => this.#changed(path),
          (error) => this.#fail(error),
          link,
        );
        break;
      } catch (error) {
        if (!isRefusal(error) || !(error.field in settings)) throw error;
        this.#refused.push(error);
        delete settings[error.field];
      }
    }
    this.#lab.locked = lockOf(this.getAttribute('locked'));
    this.#announcer.look(this.#lab);
    if (cursor !== null) this.#lab.goTo(cursor);
    if (this.#text) this.#pictures.open(experiment, this.#text, this.#lab);
  }

  /**
   * The chapter's text; fetched now if the lab was built without. @param {boolean} wanted
   * @returns {Part<Chapter>}
   */
  #textPart(wanted) {
    if (this.#text || !wanted) return { value: this.#text, retry: () => {} };
    const mine = this.#builds;
    const experiment = this.#experiment;
    return this.#panels.part(`text/${mine}`, async () => {
      const text = await chapter(experiment);
      if (this.#lab && mine === this.#builds) {
        this.#text = text;
        this.#pictures.open(experiment, text, this.#lab);
      }
      return text;
    });
  }

  #greet() {
    const settings = this.#lab?.run.settings ?? [];
    declareSettings(Object.getPrototypeOf(this), settings);
    adopt(
      this,
      settings.map(({ attribute }) => propertyOf(attribute)),
    );
    const { version = '' } = /** @type {{ version?: string }} */ (this.constructor);
    this.#tell('at-least-once-ready', { experiment: this.#experiment, version });
    for (const refused of this.#refused) this.#tellRefused(refused);
  }

  /** Says why there is no lab, and puts a frame in its place if the page has named one. @param {unknown} error */
  async #report(error) {
    const kind = error instanceof PolicyError ? 'policy' : 'load';
    this.#tell('at-least-once-error', { kind, message: String(error), field: null });
    if (kind === 'policy') await this.#replace();
  }

  /** Puts a frame in the place of the lab that the policy forbids, as the tag now asks for it. */
  async #replace() {
    try {
      const { blocked, placeOf, Substitute } = await fetchInstead();
      this.#blocked = blocked;
      const { title } = this.hasAttribute('frame') ? await chapter(this.shown) : { title: '' };
      if (this.#substitute?.stands()) return;
      this.#substitute?.leave();
      this.#substitute = undefined;
      this.requestUpdate();
      // Where it is to be is read last: the page may have changed its mind meanwhile.
      const frame = this.getAttribute('frame');
      if (!frame || !placeOf(frame)) return;
      this.#substitute = new Substitute(this, frame, title, this.#tell, (again) => {
        this.#substitute = undefined;
        this.#error = again;
        this.requestUpdate();
      });
    } catch {
      // Where this fails, the words for any failure have to do.
    }
  }

  /** @type {import('./announce.js').Tell} */
  #tell = (name, detail) => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  /** @param {Refused} refused */
  #tellRefused({ field, message }) {
    this.#tell('at-least-once-error', { kind: 'refused', message, field });
  }

  /** @param {string} [path] the setting that the reader has given another value */
  #changed(path) {
    // What the reader has set stands above what the tag got wrong.
    if (path) this.#refused = this.#refused.filter(({ field }) => ![path, 'state'].includes(field));
    if (this.#lab) this.#announcer?.look(this.#lab);
    this.requestUpdate();
  }

  /** There is no lab any more, but its settings are kept. @param {unknown} error */
  #drop(error) {
    this.#kept = this.#lab?.changes;
    this.#lab?.stop();
    this.#lab = undefined;
    this.#pictures.close();
    this.#error = error;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#drop(error);
    this.#report(error);
    this.requestUpdate();
  }

  /** @param {{ attributeName: string | null }[]} changes */
  #attributesChanged(changes) {
    const lab = this.#lab;
    if (this.#error instanceof PolicyError) this.#replace();
    if (!lab && !this.#starting) return;
    const names = new Set(changes.map((change) => change.attributeName ?? ''));
    if (names.has('experiment') || names.has('state')) {
      // A link that was opened before says nothing about another experiment.
      this.#link = names.has('state') ? this.getAttribute('state') : null;
      this.#start();
      return;
    }
    // One that is being built reads the rest of the tag by itself.
    if (!lab) return;
    // What the page itself changes is not locked for it, and not the reader's to undo.
    lab.locked = () => false;
    lab.byReader = false;
    for (const name of names) {
      const path = settingOf(lab.run.settings, name);
      if (path) this.#setFromTag(lab, path, this.getAttribute(name));
    }
    lab.locked = lockOf(this.getAttribute('locked'));
    lab.byReader = true;
    this.requestUpdate();
  }

  /** @param {Lab} lab @param {string} path @param {string | null} text */
  #setFromTag(lab, path, text) {
    this.#refused = this.#refused.filter((refused) => refused.field !== path);
    if (text === null) lab.reset(path);
    else if (!lab.set(path, text)) {
      const refused = lab.refused.get(path);
      lab.reset(path);
      if (!refused) return;
      if (isLacking(refused)) {
        this.#start();
        return;
      }
      this.#refused.push(refused);
      this.#tellRefused(refused);
    }
  }

  /** Watches the places that are there now; nothing is measured while a frame is drawn. */
  #watch() {
    const found = [...this.renderRoot.querySelectorAll('.picture, .lab')];
    if (found.every((place, i) => place === this.#watched[i])) return;
    this.#size?.disconnect();
    for (const place of found) this.#size?.observe(place);
    this.#watched = found;
  }

  /** @param {ResizeObserverEntry[]} entries */
  #sized(entries) {
    for (const { target, contentRect } of entries) {
      const width = Math.floor(contentRect.width);
      if (width === 0) continue;
      if (target.classList.contains('lab')) this.#wide = width - PADDING;
      else this.#width = width;
    }
    this.requestUpdate();
  }

  /** @override */
  willUpdate() {
    this.#focus ??= holdFocus(this.#root());
  }

  /** @override */
  updated() {
    if (this.#focus?.()) this.#focus = undefined;
    if (!this.#lab) return;
    this.#watch();
    if (!this.#measured && this.#width > 0) {
      this.#measured = true;
      requestAnimationFrame(() => performance.mark('at-least-once:first-result'));
    }
  }

  /** @override */
  render() {
    if (this.#substitute) return this.#substitute.view();
    if (this.#error !== undefined) return this.#failure(this.#error);
    // What a page has put between the tags stands until there is something to stand for it.
    if (!this.#lab) return html`<slot>${this.#starting ? loading() : ''}</slot>`;
    try {
      const parts = partsOf(this.getAttribute('controls'), this.getAttribute('predict'));
      const view = labView({
        lab: this.#lab,
        text: this.#textPart(needsText(parts)),
        panels: this.#panels,
        parts,
        // It answers the question, so it waits until the reader has seen a run.
        picture:
          parts.has('prediction') && this.#lab.outcome === null
            ? nothing
            : this.#pictures.view(this.#lab, this.#wide),
        share: parts.has('share')
          ? this.#sharing.view(this.#experiment, this.#text?.title ?? '', this.#lab)
          : nothing,
        refused: this.#refused,
        close: (refused) => {
          this.#refused = this.#refused.filter((other) => other !== refused);
          this.requestUpdate();
        },
        width: this.#width,
      });
      return html`<div lang=${page.language}>${view}</div>`;
    } catch (error) {
      // Whatever is wrong with a picture, the reader gets a message and a way on.
      this.#drop(error);
      return this.#failure(error);
    }
  }

  /** @param {unknown} error */
  #failure(error) {
    return html`${this.#message(error)}<slot></slot>`;
  }

  /** @param {unknown} error */
  #message(error) {
    const kept = this.#kept;
    if (error instanceof PolicyError && this.#blocked) {
      return this.#blocked(error, this.getAttribute('frame'));
    }
    if (!kept) return failed(error, () => this.#start());
    return stopped(
      error,
      () => this.#start(kept),
      () => this.#start({}),
    );
  }
}

/** @param {Element} element */
const attributesOf = (element) =>
  new Map([...element.attributes].map(({ name, value }) => [name, value]));
