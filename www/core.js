/**
 * The only module that knows the wasm packages. It loads the small one once for all elements of a
 * page, the larger one in its place where somebody needs it, and turns a trap into a new instance
 * with the reader's settings. What goes in is checked on the other side, which answers with a
 * refusal.
 *
 * @import { ProgramLine, RunSummary, SettingInfo, Sight, View } from './pkg/at_least_once.js'
 */
import init, * as small from './pkg/at_least_once.js';
import { compiled } from './wasm.js';
import { whole } from './whole.js';

export const { BarKind, MarkKind } = small;

/** How a refusal ends that is the small module's alone. */
const LACKING = 'a build with everything can have more';

/** The module in use. */
let core = small;

/** An event as the log has it. @typedef {ReturnType<small.Session['events']>[number]} EventRecord */

/**
 * What the wasm refused: an error with these properties.
 * @typedef {Error & { field: string, value: string, limit: string, unit: string, typed?: string }} Refused
 */

/**
 * Everything about a whole run; it changes only when a setting does. Of its events, which may be
 * many, only those that are asked for cross.
 * @typedef {object} Run
 * @property {RunSummary} summary
 * @property {Float64Array} bars
 * @property {Float64Array} marks
 * @property {Float64Array} leases
 * @property {Float64Array} depth
 * @property {Float64Array} axis
 * @property {Float64Array} breaks
 * @property {SettingInfo[]} settings
 * @property {ProgramLine[]} program
 * @property {boolean[]} tasks
 * @property {number} asked
 * @property {number | null} forkedAt how many events it shares with the run before
 * @property {(i: number) => EventRecord | undefined} event
 * @property {(from: number, to: number) => EventRecord[]} events
 * @property {(us: number) => number} cursorAt how many events have happened by then
 */

/** So many events cross at a time. */
const BLOCK = 500;

/** How long an answer may take on the way to the first picture, in seconds. */
export const PATIENCE_S = 20;

/** Thrown when what was asked for does not come. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer');
    this.name = 'NoAnswer';
  }
}

/**
 * Waits for an answer, but not for ever: a fetch that nobody answers stays open without end. What
 * is late may still come, so asking again is not in vain.
 * @template T @param {Promise<T>} answer @returns {Promise<T>}
 */
export function patiently(answer) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), PATIENCE_S * 1000);
  });
  return /** @type {Promise<T>} */ (Promise.race([answer, late])).finally(() =>
    clearTimeout(timer),
  );
}

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

/** Whether the larger module can be had, as far as is known. */
let hasWhole = true;

/**
 * Whether something was refused that the larger module may take, which is not here yet.
 * @param {{ limit: string }} refused
 */
export const isLacking = ({ limit }) => hasWhole && core === small && limit.endsWith(LACKING);

/** @type {Promise<void> | undefined} */
let growing;

/** Puts the larger module in the place of the small one, once for all; where it cannot be had, that one stays. */
export const loadWhole = () => (growing ??= grow());

async function grow() {
  try {
    const larger = await patiently(whole());
    await patiently(larger.default());
    core = larger;
    // The sessions that there are, are built anew in it.
    instance += 1;
  } catch {
    hasWhole = false;
  }
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
 * What a link says: an experiment, what differs from its defaults, and the moment that it leads
 * to. A damaged one throws.
 * @param {string} link
 */
export function readLink(link) {
  const session = free(() => core.Session.open(link));
  const differing = session.settings().filter(({ value, default: usual }) => value !== usual);
  const cursor = session.opened_at();
  session.free();
  return {
    experiment: new URLSearchParams(link).get('x') ?? '',
    settings: Object.fromEntries(differing.map(({ path, value }) => [path, value])),
    cursor,
  };
}

/** One experiment under one set of settings; outlives the instance it was built in. */
export class Simulation {
  #experiment;
  /** @type {Record<string, string>} what differs from the experiment's defaults */
  #changed = {};
  /** The link that it was opened from; what is set later stands above it. @type {string | undefined} */
  #link;
  /** @type {small.Session | undefined} */
  #session;
  #instance = -1;
  /** @type {Map<number, EventRecord[]>} */
  #blocks = new Map();

  /**
   * @param {string} experiment
   * @param {Record<string, string>} settings path to text; refused ones throw
   * @param {string} [link] what else there is to the run: its order of events, and a moment
   */
  constructor(experiment, settings, link) {
    this.#experiment = experiment;
    this.#link = link;
    for (const [path, value] of Object.entries(settings)) this.#changed[path] = value;
    try {
      this.#alive();
    } catch (error) {
      if (isRefusal(error)) throw error;
      renew();
      throw new Restarted(error);
    }
  }

  /** Whether an experiment takes these settings. @param {string} experiment @param {Record<string, string>} settings */
  static takes(experiment, settings) {
    try {
      new Simulation(experiment, settings).free();
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  }

  /**
   * Whether these settings are more than the module at hand has, and the larger one may take them.
   * @param {string} experiment @param {Record<string, string>} settings
   */
  static isTooLarge(experiment, settings) {
    const left = { ...settings };
    for (;;) {
      try {
        new Simulation(experiment, left).free();
        return false;
      } catch (error) {
        if (!isRefusal(error) || isLacking(error)) return isRefusal(error);
        if (!(error.field in left)) return false;
        // Refused by either.
        delete left[error.field];
      }
    }
  }

  /** The session, built anew if its instance is gone. */
  #alive() {
    if (!this.#session || this.#instance !== instance) {
      this.#session = this.#play();
      this.#instance = instance;
    }
    return this.#session;
  }

  #play() {
    if (this.#link === undefined) return new core.Session(this.#experiment, this.#changed);
    const session = core.Session.open(this.#link);
    const values = new Map(session.settings().map(({ path, value }) => [path, value]));
    for (const [path, value] of Object.entries(this.#changed)) {
      if (values.get(path) !== value) session.set(path, value);
    }
    return session;
  }

  /** @template T @param {(session: small.Session) => T} use @returns {T} */
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

  /** @param {string} path @param {string} value */
  set(path, value) {
    this.#use((session) => session.set(path, value));
    this.#changed[path] = value;
    this.#blocks.clear();
  }

  /** @param {string} path */
  reset(path) {
    const settings = this.#use((session) => {
      session.reset(path);
      return session.settings();
    });
    delete this.#changed[path];
    const value = settings.find((setting) => setting.path === path)?.value;
    // Its link may say otherwise, and a new instance is built from that.
    if (this.#link !== undefined && value !== undefined) this.#changed[path] = value;
    this.#blocks.clear();
  }

  /** @returns {Run} */
  run() {
    return this.#use((session) => ({
      summary: session.summary(),
      bars: session.bars(),
      marks: session.marks(),
      leases: session.leases(),
      depth: session.depth(),
      axis: session.axis(),
      breaks: session.breaks(),
      settings: session.settings(),
      program: session.program(),
      tasks: session.tasks(),
      asked: session.asked(),
      forkedAt: session.forked_at(),
      event: (i) => this.event(i),
      events: (from, to) => this.events(from, to),
      cursorAt: (us) => this.cursorAt(us),
    }));
  }

  /** @param {number} i its position, from 0 */
  event(i) {
    if (i < 0) return undefined;
    const block = Math.floor(i / BLOCK);
    let events = this.#blocks.get(block);
    if (!events) {
      events = this.#use((session) => session.events(block * BLOCK, (block + 1) * BLOCK));
      this.#blocks.set(block, events);
    }
    return events[i % BLOCK];
  }

  /** The events from one position to before another. @param {number} from @param {number} to */
  events(from, to) {
    const events = [];
    for (let i = Math.max(0, from); i < to; i += 1) {
      const event = this.event(i);
      if (!event) break;
      events.push(event);
    }
    return events;
  }

  /** @param {number} cursor @param {number} worker from 0 @returns {Sight} */
  sight(cursor, worker) {
    return this.#use((session) => session.sight(cursor, worker));
  }

  /** @param {number} [cursor] the moment that it is to lead to */
  link(cursor) {
    return this.#use((session) => session.link(cursor));
  }

  /** @param {number} cursor how many events have happened @returns {View} */
  view(cursor) {
    return this.#use((session) => session.view(cursor));
  }

  /** What the chapter puts side by side. */
  variants() {
    return this.#use((session) => session.variants());
  }

  /** @param {string} id @param {number} part */
  study(id, part) {
    return this.#use((session) => session.study(id, part));
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
