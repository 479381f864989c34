/**
 * What the reader has done so far: the run, the moment looked at, the prediction, the tasks.
 * Knows nothing of how it is drawn.
 *
 * @import { View } from './pkg/at_least_once.js'
 * @import { Refused, Run } from './core.js'
 */
import { isRefusal, newSeed, Restarted, Simulation } from './core.js';
import { withFault } from './faults.js';
import { Axis, Playback } from './playback.js';

/**
 * What a press has changed, for those who cannot see it.
 * @typedef {object} News
 * @property {number} [cursor] the moment that a step led to
 * @property {string} [path] a setting that was changed
 * @property {string} [value] what it is now
 * @property {number} [attempt] the attempt that was chosen
 * @property {number[]} [tasks] the tasks that this fulfilled
 */

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Lab {
  /** A setting that was refused, with what was typed. @type {Map<string, Refused>} */
  refused = new Map();
  /** @type {Run} */
  run;
  axis = new Axis([]);
  /** @type {View} */
  view;
  cursor = 0;
  /** The moment looked at, in playing and in simulated time. */
  ms = 0;
  us = 0;
  /** The attempt that the slice strip is about. */
  attempt = 0;
  /** How many rows the reader predicted. @type {number | null} */
  said = null;
  /** How many rows the first finished run had. @type {number | null} */
  outcome = null;
  /** @type {boolean[]} */
  done = [];
  /** Empty while a run plays, which tells itself in the log. @type {News} */
  news = {};
  /** Whether a setting was changed and the run not yet looked at. */
  touched = false;
  /** Whether a trap has been survived since the reader last closed the message. */
  restarted = false;

  /** Whether the page keeps a setting as it is. @type {(path: string) => boolean} */
  locked = () => false;

  /** The guard that the switch turns on again. */
  #guard = 'on';
  #simulation;
  #changed;
  #failed;
  /** Where the wall clock is; under reduced motion `ms` stays at the last event. */
  #head = 0;
  #playback = new Playback((passed) => this.#advance(passed));

  /**
   * @param {string} experiment
   * @param {Record<string, string>} settings
   * @param {(path?: string) => void} changed called when there is something new to draw; with
   *   the setting that was given a value, if one was
   * @param {(error: unknown) => void} failed called when even a new instance did not help
   */
  constructor(experiment, settings, changed, failed) {
    this.#changed = changed;
    this.#failed = failed;
    try {
      this.#simulation = new Simulation(experiment, settings);
    } catch (error) {
      if (!(error instanceof Restarted)) throw error;
      this.restarted = true;
      this.#simulation = new Simulation(experiment, {});
    }
    this.run = this.#simulation.run();
    this.axis = new Axis(this.run.axis);
    this.view = this.#simulation.view(0);
  }

  /** What is on the screen, as the text of a link. */
  link() {
    return this.#simulation.link(this.cursor || undefined);
  }

  get playing() {
    return this.#playback.playing;
  }

  get ended() {
    return this.cursor === this.run.summary.events;
  }

  /** @param {string} path */
  value(path) {
    return this.run.settings.find((setting) => setting.path === path)?.value ?? '';
  }

  /** @param {string} path @param {string} text @returns {boolean} whether it was taken */
  set(path, text) {
    if (this.locked(path)) {
      this.#refuse(path, kept(path, text, this.value(path)));
      this.#changed();
      return false;
    }
    if (this.value(path) === text) {
      // Nothing changes: the run stays where it is.
      this.#refuse(path);
      this.#changed(path);
      return true;
    }
    return this.#attempt(path, text, () => this.#simulation.set(path, text));
  }

  /** @param {string} path */
  reset(path) {
    return this.#attempt(path, '', () => this.#simulation.reset(path));
  }

  /** @param {boolean} on */
  setGuard(on) {
    const guard = this.value('guard') || 'off';
    if (!on && guard !== 'off') this.#guard = guard;
    this.set('guard', on ? this.#guard : 'off');
  }

  newSeed() {
    this.#safely(() => this.set('seed', newSeed()));
  }

  /** Puts a fault at this point of the chosen attempt, or takes it away. @param {string} fault */
  toggleFault(fault) {
    this.set('faults', withFault(this.value('faults'), this.attempt, fault));
  }

  /** @param {number} attempt */
  choose(attempt) {
    this.attempt = attempt;
    this.#changed();
  }

  /** @param {number} rows */
  predict(rows) {
    // A guess after the result is none.
    if (this.outcome !== null) return;
    this.said = rows;
    this.#changed();
  }

  play() {
    this.#leave({});
    if (this.ended) this.#go(0);
    this.#head = this.ms;
    this.#playback.start();
    this.#changed();
  }

  pause() {
    this.#playback.stop();
    this.#changed();
  }

  restart() {
    this.#playback.stop();
    this.#leave({ cursor: 0 });
    this.#go(0);
  }

  /** @param {1 | -1} by */
  step(by) {
    this.goTo(this.cursor + by);
  }

  /** Stands still after so many events. @param {number} cursor */
  goTo(cursor) {
    this.#playback.stop();
    const to = this.#clamp(cursor);
    this.#leave({ cursor: to });
    this.#go(to);
  }

  /** @param {number} ms */
  seek(ms) {
    this.#leave({});
    this.#head = ms;
    // Events happen at 0 s too: the slider's first stop lies before them.
    if (ms <= 0) this.#go(0);
    else this.#look(ms);
  }

  closeMessage() {
    this.restarted = false;
    this.#changed();
  }

  stop() {
    this.#playback.stop();
  }

  free() {
    this.stop();
    this.#simulation.free();
  }

  /** @param {number} passed */
  #advance(passed) {
    this.#head = Math.min(this.#head + passed, this.axis.endMs);
    const over = this.#head >= this.axis.endMs;
    if (over) this.#playback.stop();
    this.#look(this.#head, !over && still());
  }

  /**
   * Shows a moment.
   * @param {number} ms
   * @param {boolean} [whole] show the last event's moment instead, so that nothing glides
   */
  #look(ms, whole = false) {
    this.#safely(() => {
      const us = this.axis.toUs(ms);
      const cursor = this.#simulation.cursorAt(us);
      if (whole && cursor === this.cursor) return;
      this.#show(cursor, whole ? this.#simulation.atUs(cursor) : us);
    });
  }

  /** @param {number} cursor */
  #clamp(cursor) {
    return Math.max(0, Math.min(cursor, this.run.summary.events));
  }

  /** The reader moves on through the run. @param {News} news */
  #leave(news) {
    this.news = news;
    this.touched = false;
  }

  /** Shows the state after so many events. @param {number} cursor */
  #go(cursor) {
    const to = this.#clamp(cursor);
    this.#safely(() => this.#show(to, this.#simulation.atUs(to)));
    this.#head = this.ms;
  }

  /** @param {number} cursor @param {number} us */
  #show(cursor, us) {
    if (cursor !== this.view.cursor) this.view = this.#simulation.view(cursor);
    this.cursor = cursor;
    this.us = us;
    this.ms = this.axis.toMs(us);
    if (this.ended) this.#finish();
    this.#changed();
  }

  #finish() {
    this.outcome ??= this.run.summary.verdict.ledger_rows;
    const tasks = this.run.tasks.flatMap((fulfilled, i) => (fulfilled && !this.done[i] ? [i] : []));
    if (tasks.length) this.news = { ...this.news, tasks };
    this.done = this.run.tasks.map((fulfilled, i) => fulfilled || !!this.done[i]);
  }

  /** @param {string} path @param {string} typed @param {() => void} change */
  #attempt(path, typed, change) {
    let taken = true;
    this.#safely(() => {
      try {
        change();
        this.#refuse(path);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        taken = false;
        this.#refuse(path, Object.assign(error, { typed }));
        this.#changed();
      }
      if (!taken) return;
      this.#renew();
      this.news = { path, value: this.value(path), attempt: this.attempt };
      this.touched = true;
      this.#changed(path);
    });
    return taken;
  }

  /** A new map each time, so that a view can tell that it changed. @param {string} path @param {Refused} [error] */
  #refuse(path, error) {
    this.refused = new Map(this.refused);
    if (error) this.refused.set(path, error);
    else this.refused.delete(path);
  }

  /** A changed run starts over, and waits for Run. */
  #renew() {
    this.#playback.stop();
    this.run = this.#simulation.run();
    this.axis = new Axis(this.run.axis);
    this.view = this.#simulation.view(0);
    this.attempt = Math.min(this.attempt, Number(this.value('queue.max_attempts')) - 1);
    this.#go(0);
  }

  /** After a trap the instance is new and the settings are as before: say so and go on. */
  #safely(/** @type {() => void} */ act) {
    try {
      act();
    } catch (error) {
      this.#playback.stop();
      if (!(error instanceof Restarted)) {
        this.#failed(error);
        return;
      }
      this.restarted = true;
      try {
        this.#renew();
      } catch (again) {
        this.#failed(again);
      }
    }
  }
}

/**
 * The answer to who changes what the page keeps.
 * @param {string} path @param {string} typed @param {string} value the one that stands
 * @returns {Refused}
 */
const kept = (path, typed, value) =>
  Object.assign(new Error(`${path} is kept at ${value}`), {
    field: path,
    value: typed,
    limit: value,
    unit: '',
    typed,
  });
