/**
 * What the reader has done so far: the run, the moment looked at, the prediction, the tasks.
 * Knows nothing of how it is drawn.
 *
 * @import { View } from './pkg/at_least_once.js'
 * @import { EventRecord, Refused, Run } from './core.js'
 * @import { Values } from './history.js'
 */
import { isRefusal, newSeed, Restarted, Simulation } from './core.js';
import { History } from './history.js';
import { Landmarks } from './landmarks.js';
import { Axis, Playback } from './playback.js';

/**
 * What a press has changed, for those who cannot see it.
 * @typedef {object} News
 * @property {number} [cursor] the moment that a step led to
 * @property {string} [path] a setting that was changed
 * @property {string} [value] what it is now
 * @property {number} [attempt] the attempt that was chosen
 * @property {boolean} [forked] whether the run goes on from the moment looked at
 * @property {number} [selected] the event that was selected
 * @property {number[]} [tasks] the tasks that this fulfilled
 * @property {string} [done] anything else, in words
 */

/** The speeds that a run can be played at. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Lab {
  /** A setting that was refused, with what was typed. @type {Map<string, Refused>} */
  refused = new Map();
  /** @type {Run} */
  run;
  axis = new Axis([]);
  /** @type {Landmarks} */
  landmarks;
  /** @type {View} */
  view;
  cursor = 0;
  /** The moment looked at, in playing and in simulated time. */
  ms = 0;
  us = 0;
  speed = 1;
  /** The attempt that the slice strip is about. */
  attempt = 0;
  /** The event that is looked at closely, here and in every table; -1 for none. */
  selected = -1;
  /** Where the run left the one before it, if the reader changed it on the way. @type {number | null} */
  forkedUs = null;
  /** What the reader answered to the chapter's question. @type {number | null} */
  said = null;
  /** What the first finished run answered. @type {number | null} */
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
  /** Whether it is the reader who changes something now, and may undo it. */
  byReader = true;

  /** The guard that the switch turns on again. */
  #guard = 'on';
  #history = new History();
  /** Whether the core takes a fault, by its text. @type {Map<string, boolean>} */
  #allowed = new Map();
  #experiment;
  #simulation;
  #changed;
  #failed;
  /** Where the wall clock is; under reduced motion `ms` stays at the last event. */
  #head = 0;
  #playback = new Playback((passed) => this.#advance(passed * this.speed));

  /**
   * @param {string} experiment
   * @param {Record<string, string>} settings
   * @param {(path?: string) => void} changed called when there is something new to draw; with
   *   the setting that was given a value, if one was
   * @param {(error: unknown) => void} failed called when even a new instance did not help
   * @param {string} [link] the link that the settings are from
   */
  constructor(experiment, settings, changed, failed, link) {
    this.#experiment = experiment;
    this.#changed = changed;
    this.#failed = failed;
    try {
      this.#simulation = new Simulation(experiment, settings, link);
    } catch (error) {
      if (!(error instanceof Restarted)) throw error;
      this.restarted = true;
      this.#simulation = new Simulation(experiment, {});
    }
    this.run = this.#simulation.run();
    this.axis = new Axis(this.run.axis);
    this.landmarks = new Landmarks(this.run);
    this.view = this.#simulation.view(0);
  }

  /** The simulation behind it, for pictures that play many runs from its settings. */
  get simulation() {
    return this.#simulation;
  }

  get playing() {
    return this.#playback.playing;
  }

  get ended() {
    return this.cursor === this.run.summary.events;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  /** An event of the run. @param {number} place @returns {EventRecord | undefined} */
  event(place) {
    return this.run.event(place);
  }

  /** The events of the run from a place to before another. @param {number} from @param {number} to */
  events(from, to) {
    return this.run.events(from, to);
  }

  /** The names of the steps of a slice, in order. */
  get program() {
    return this.run.program.map(({ step }) => step);
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
    const setting = this.run.settings.find((it) => it.path === path);
    if (setting?.value === setting?.default) {
      // Only what was typed and refused goes away.
      this.#refuse(path);
      this.#changed(path);
      return true;
    }
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

  undo() {
    this.#restore(this.#history.undo(this.#values()));
  }

  redo() {
    this.#restore(this.#history.redo(this.#values()));
  }

  /** Whether a fault is one that this build knows. @param {string} fault the text of a rule */
  allows(fault) {
    let known = this.#allowed.get(fault);
    if (known === undefined) {
      known = Simulation.takes(this.#experiment, { faults: fault });
      this.#allowed.set(fault, known);
    }
    return known;
  }

  /** @param {number} attempt */
  choose(attempt) {
    this.attempt = attempt;
    this.#changed();
  }

  /** What differs from the experiment's defaults, as path to text. @returns {Record<string, string>} */
  get changes() {
    const changed = this.run.settings.filter((setting) => setting.value !== setting.default);
    return Object.fromEntries(changed.map(({ path, value }) => [path, value]));
  }

  /** What is played and the moment looked at, as the fragment of an address. */
  link() {
    return this.#simulation.link(this.cursor > 0 ? this.cursor : undefined);
  }

  /** Looks at an event closely, or no more at the one that was selected. @param {number} event */
  select(event) {
    this.selected = this.selected === event ? -1 : event;
    this.news = this.selected < 0 ? {} : { selected: event };
    this.#changed();
  }

  /** @param {number} value */
  predict(value) {
    // A guess after the result is none.
    if (this.outcome !== null) return;
    this.said = value;
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
    this.forkedUs = null;
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

  /** The next event at which something turns, or the one before; -1 for none. @param {1 | -1} by */
  turn(by) {
    return this.landmarks.turn(this.cursor - 1, by);
  }

  /** Stands still where an event has just happened, and looks at it closely. @param {number} event */
  jump(event) {
    if (event < 0) return;
    this.selected = event;
    this.goTo(event + 1);
  }

  /** @param {number} ms */
  seek(ms) {
    this.#leave({});
    this.#head = ms;
    // Events happen at 0 s too: the slider's first stop lies before them.
    if (ms <= 0) this.#go(0);
    else this.#look(ms);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#changed();
  }

  closeMessage() {
    this.restarted = false;
    this.#changed();
  }

  /** The fork is no news any more. */
  closeFork() {
    this.forkedUs = null;
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
    this.outcome ??= this.run.asked;
    const tasks = this.run.tasks.flatMap((fulfilled, i) => (fulfilled && !this.done[i] ? [i] : []));
    if (tasks.length) this.news = { ...this.news, tasks };
    this.done = this.run.tasks.map((fulfilled, i) => fulfilled || !!this.done[i]);
  }

  /** @param {string} path @param {string} typed @param {() => void} change */
  #attempt(path, typed, change) {
    let taken = true;
    this.#safely(() => {
      const before = this.#values();
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
      if (this.byReader) this.#history.record(before);
      this.#fork({ path, attempt: this.attempt });
      this.#changed(path);
    });
    return taken;
  }

  /** How every setting stands. @returns {Values} */
  #values() {
    return new Map(this.run.settings.map(({ path, value }) => [path, value]));
  }

  /** @param {Values | undefined} then */
  #restore(then) {
    if (!then) return;
    this.#safely(() => {
      const now = this.#values();
      const differing = [...then].filter(
        ([path, value]) => now.get(path) !== value && !this.locked(path),
      );
      for (const [path, value] of differing) {
        this.#simulation.set(path, value);
        this.#refuse(path);
      }
      this.#fork({ path: differing[0]?.[0], attempt: this.attempt });
      // The way back is no new fork.
      this.forkedUs = null;
      this.#changed();
    });
  }

  /** A new map each time, so that a view can tell that it changed. @param {string} path @param {Refused} [error] */
  #refuse(path, error) {
    this.refused = new Map(this.refused);
    if (error) this.refused.set(path, error);
    else this.refused.delete(path);
  }

  /**
   * A setting was changed. Where nothing before the moment looked at is another, the reader stays
   * there and the run goes on differently; else it starts over, and waits for Run.
   * @param {News} news
   */
  #fork(news) {
    const { cursor, us } = this;
    this.#renew();
    const stays = cursor > 0 && cursor <= (this.run.forkedAt ?? 0);
    if (stays) {
      // An event may have come in between that was not there before.
      const same = this.#simulation.cursorAt(us) === cursor;
      this.#show(cursor, same ? us : this.#simulation.atUs(cursor));
      this.#head = this.ms;
    }
    this.forkedUs = stays && !this.ended ? us : null;
    this.touched = !stays;
    this.news = { ...news, value: this.value(news.path ?? ''), forked: stays };
  }

  /** A changed run starts over, and waits for Run. */
  #renew() {
    this.#playback.stop();
    this.run = this.#simulation.run();
    this.axis = new Axis(this.run.axis);
    this.landmarks = new Landmarks(this.run);
    this.view = this.#simulation.view(0);
    this.selected = -1;
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
