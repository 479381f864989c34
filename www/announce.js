/**
 * What a page hears of a lab.
 *
 * @import { AtLeastOnceEventMap } from './events.js'
 * @import { Lab } from './lab.js'
 */

/**
 * @typedef {{ [Name in keyof AtLeastOnceEventMap]: AtLeastOnceEventMap[Name]['detail'] }} Details
 * @typedef {<Name extends keyof AtLeastOnceEventMap>(name: Name, detail: Details[Name]) => void} Tell
 */

/**
 * Reads off what has happened by comparing a lab with how it was a moment ago, so that no act of
 * the reader's needs to know who listens.
 */
export class Announcer {
  #tell;
  #experiment;
  #ended = false;
  /** @type {Lab['run'] | undefined} */
  #run;
  #said = /** @type {number | null} */ (null);
  #outcome = /** @type {number | null} */ (null);
  /** @type {boolean[]} */
  #done = [];
  #restarted = false;

  /** @param {string} experiment @param {Tell} tell */
  constructor(experiment, tell) {
    this.#experiment = experiment;
    this.#tell = tell;
  }

  /** @param {Lab} lab */
  look(lab) {
    if (this.#run && lab.run !== this.#run) this.#compare(this.#run, lab.run);
    if (lab.said !== this.#said || lab.outcome !== this.#outcome) {
      if (lab.said !== null) {
        const { said, outcome } = lab;
        this.#tell('at-least-once-prediction', { said, outcome });
      }
    }
    if (lab.ended && (!this.#ended || lab.run !== this.#run)) this.#end(lab);
    lab.done.forEach((done, task) => {
      if (!done || this.#done[task]) return;
      const count = lab.done.filter(Boolean).length;
      this.#tell('at-least-once-task', { task, done: count, of: lab.done.length });
    });
    if (lab.restarted && !this.#restarted) {
      const message = 'the simulation was started again';
      this.#tell('at-least-once-error', { kind: 'restarted', message, field: null });
    }
    this.#run = lab.run;
    this.#ended = lab.ended;
    this.#said = lab.said;
    this.#outcome = lab.outcome;
    this.#done = [...lab.done];
    this.#restarted = lab.restarted;
  }

  /** @param {Lab['run']} before @param {Lab['run']} now */
  #compare(before, now) {
    const values = new Map(before.settings.map(({ path, value }) => [path, value]));
    for (const { path, value } of now.settings) {
      if (values.get(path) === value) continue;
      this.#tell('at-least-once-setting', { setting: path, value });
    }
  }

  /** @param {Lab} lab */
  #end(lab) {
    const { verdict } = lab.run.summary;
    const experiment = this.#experiment;
    this.#tell('at-least-once-run-end', { experiment, state: lab.link(), verdict });
  }
}
