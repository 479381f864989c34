/**
 * Undo and redo over the settings, faults among them. What is remembered is how all of them
 * stood, so that a profile which sets several is undone as one act.
 *
 * @typedef {Map<string, string>} Values path to text
 */

/** How many acts can be undone. */
const LONGEST = 100;

export class History {
  /** @type {Values[]} */
  #past = [];
  /** @type {Values[]} */
  #future = [];

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** An act has changed the settings; what was undone before it is gone. @param {Values} before */
  record(before) {
    this.#past.push(before);
    if (this.#past.length > LONGEST) this.#past.shift();
    this.#future = [];
  }

  /** @param {Values} now @returns {Values | undefined} how they stood before the last act */
  undo(now) {
    const then = this.#past.pop();
    if (then) this.#future.push(now);
    return then;
  }

  /** @param {Values} now @returns {Values | undefined} how they stood before the last undo */
  redo(now) {
    const then = this.#future.pop();
    if (then) this.#past.push(now);
    return then;
  }
}
