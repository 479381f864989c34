/**
 * What of the lab is open, and the parts that are fetched when they are opened, so that the
 * first Run does not wait for them. One that cannot be fetched says so and can be tried again.
 */

/**
 * @typedef {'settings' | 'logTools' | 'help' | 'code'} PanelName
 * @typedef {'python' | 'typescript' | 'go' | 'rust'} Language
 */

/**
 * A part: not there yet, there, or why it is not.
 * @template T
 * @typedef {{ value?: T, error?: unknown, late?: boolean, retry: () => void }} Part
 */

/** Who waits longer than this is told so. */
const LATE_MS = 1000;

export class Panels {
  /** The language of the handler's code. */
  language = /** @type {Language} */ ('python');
  /** What all settings are searched for. */
  search = '';
  /** How many pages of the log the reader has turned back. */
  back = 0;
  /** Another object after each change, so that a view can tell. */
  state = {};
  /** @type {Set<PanelName>} */
  #open = new Set();
  /** @type {Map<string, Part<any>>} */
  #parts = new Map();
  #changed;
  #arrived;

  /**
   * @param {() => void} changed called when there is something new to draw
   * @param {(module: any) => void} arrived called with what was fetched, before it is drawn
   */
  constructor(changed, arrived) {
    this.#changed = changed;
    this.#arrived = arrived;
  }

  /** @param {PanelName} name */
  isOpen(name) {
    return this.#open.has(name);
  }

  /** @param {PanelName} name @param {boolean} open */
  show(name, open) {
    if (open) this.#open.add(name);
    else this.#open.delete(name);
    this.touch();
  }

  /** @param {Language} language */
  choose(language) {
    this.language = language;
    this.touch();
  }

  /** @param {string} search */
  find(search) {
    this.search = search;
    this.touch();
  }

  /** @param {number} pages of the log, back */
  turn(pages) {
    this.back = Math.max(0, this.back + pages);
    this.touch();
  }

  /** Something of what is open has changed. */
  touch() {
    this.state = {};
    this.#changed();
  }

  /**
   * A part by its name; the first time that it is asked for, it is fetched.
   * @template M @template [T=M] @param {string} name @param {() => Promise<M>} fetch
   * @param {(module: M) => T} [make] what to make of it
   * @returns {Part<T>}
   */
  part(name, fetch, make = (module) => /** @type {any} */ (module)) {
    const known = this.#parts.get(name);
    if (known) return known;
    /** @type {Part<T>} */
    const part = { retry: () => this.#fetch(part, fetch, make) };
    this.#parts.set(name, part);
    this.#fetch(part, fetch, make);
    return part;
  }

  /** @template M, T @param {Part<T>} part @param {() => Promise<M>} fetch @param {(module: M) => T} make */
  async #fetch(part, fetch, make) {
    if (part.error !== undefined) {
      part.error = undefined;
      this.touch();
    }
    const late = setTimeout(() => {
      part.late = true;
      this.touch();
    }, LATE_MS);
    try {
      const module = await fetch();
      this.#arrived(module);
      part.value = make(module);
    } catch (error) {
      part.error = error;
    }
    clearTimeout(late);
    part.late = false;
    this.touch();
  }
}
