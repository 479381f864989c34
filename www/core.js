/**
 * The only module that knows the wasm package. It loads it once for all elements of a page and
 * turns a trap into a new instance with the reader's settings. What goes in is checked on the
 * other side, which answers with a refusal.
 *
 * @import { RunSummary, SettingInfo, View } from './pkg/at_least_once.js'
 */
import init, * as core from './pkg/at_least_once.js';
import { compiled } from './wasm.js';

export const { BarKind, MarkKind } = core;

/** An event as the log has it. @typedef {ReturnType<core.Session['events']>[number]} EventRecord */

/**
 * What the wasm refused: an error with these properties.
 * @typedef {Error & { field: string, value: string, limit: string, unit: string, typed?: string }} Refused
 */

/**
 * Everything about a whole run; it changes only when a setting does.
 * @typedef {object} Run
 * @property {RunSummary} summary
 * @property {Float64Array} bars
 * @property {Float64Array} marks
 * @property {Float64Array} axis
 * @property {Float64Array} breaks
 * @property {EventRecord[]} events
 * @property {SettingInfo[]} settings
 * @property {boolean[]} tasks
 */

/** Thrown after a trap, when the new instance stands with the settings from before. */
export class Restarted extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super('the simulation was started again', { cause });
    this.name = 'Restarted';
  }
}

/** @param {unknown} error @returns {error is Refused} */
export const isRefusal = (error) => error instanceof Error && error.name === 'Refusal';

/** @type {Promise<unknown> | undefined} */
let loading;

/** Counts the instances: a session of an earlier one must not be touched any more. */
let instance = 0;

/** Loads the wasm once; after a failure the next call tries again. */
export function load() {
  loading ??= init({ module_or_path: compiled() }).catch((/** @type {unknown} */ error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** A trap leaves the memory in an unknown state, so the instance is never used again. */
function renew() {
  core.__wbg_reset_state();
  instance += 1;
}

/** @template T @param {() => T} read @returns {T} */
function free(read) {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) throw error;
    renew();
    throw new Restarted(error);
  }
}

/** @param {number} us */
export const spanText = (us) => free(() => core.span_text(us));
/** @param {number} cents */
export const moneyText = (cents) => free(() => core.money_text(cents));
export const newSeed = () => free(() => core.new_seed());
export const experiments = () => free(() => core.Session.experiments());

/**
 * What a link says: an experiment and what differs from its defaults. A damaged one throws.
 * @param {string} link
 */
export function readLink(link) {
  const session = free(() => core.Session.open(link));
  const differing = session.settings().filter(({ value, default: usual }) => value !== usual);
  session.free();
  return {
    experiment: new URLSearchParams(link).get('x') ?? '',
    settings: Object.fromEntries(differing.map(({ path, value }) => [path, value])),
  };
}

/** One experiment under one set of settings; outlives the instance it was built in. */
export class Simulation {
  #experiment;
  /** @type {Record<string, string>} what differs from the experiment's defaults */
  #changed = {};
  /** @type {InstanceType<typeof core.Session> | undefined} */
  #session;
  #instance = -1;

  /**
   * @param {string} experiment
   * @param {Record<string, string>} settings path to text; refused ones throw
   */
  constructor(experiment, settings) {
    this.#experiment = experiment;
    for (const [path, value] of Object.entries(settings)) this.#changed[path] = value;
    try {
      this.#alive();
    } catch (error) {
      if (isRefusal(error)) throw error;
      renew();
      throw new Restarted(error);
    }
  }

  /** The session, built anew if its instance is gone. */
  #alive() {
    if (!this.#session || this.#instance !== instance) {
      this.#session = new core.Session(this.#experiment, this.#changed);
      this.#instance = instance;
    }
    return this.#session;
  }

  /** @template T @param {(session: InstanceType<typeof core.Session>) => T} use @returns {T} */
  #use(use) {
    try {
      return use(this.#alive());
    } catch (error) {
      if (isRefusal(error)) throw error;
      renew();
      this.#alive();
      throw new Restarted(error);
    }
  }

  /** What is played, as the text of a link. */
  link() {
    return this.#use((session) => session.link());
  }

  /** @param {string} path @param {string} value */
  set(path, value) {
    this.#use((session) => session.set(path, value));
    this.#changed[path] = value;
  }

  /** @param {string} path */
  reset(path) {
    this.#use((session) => session.reset(path));
    delete this.#changed[path];
  }

  /** @returns {Run} */
  run() {
    return this.#use((session) => ({
      summary: session.summary(),
      bars: session.bars(),
      marks: session.marks(),
      axis: session.axis(),
      breaks: session.breaks(),
      events: session.events(),
      settings: session.settings(),
      tasks: session.tasks(),
    }));
  }

  /** @param {number} cursor how many events have happened @returns {View} */
  view(cursor) {
    return this.#use((session) => session.view(cursor));
  }

  /** @param {number} us */
  cursorAt(us) {
    return this.#use((session) => session.cursor_at(us));
  }

  /** @param {number} cursor */
  atUs(cursor) {
    return this.#use((session) => session.at_us(cursor));
  }

  free() {
    if (this.#instance === instance) this.#session?.free();
    this.#session = undefined;
  }
}
