/**
 * The pointer in the timeline: over a mark it asks, a press chooses, and in an enlarged picture a
 * drag moves it. All of it can be done with buttons and keys too.
 *
 * @typedef {object} Acts
 * @property {(x: number, y: number) => void} point
 * @property {() => void} leave
 * @property {(by: number, start: number) => number} drag moved by so many pixels from where it
 *   was when `by` was 0, which is what it then answers
 * @property {(x: number, y: number) => boolean} take whether there was something
 */

/** How far a pointer may move and still mean the place where it went down. */
const SLIP = 6;

export class Pointer {
  #acts;
  /** @type {{ x: number, start: number, moved: boolean } | undefined} */
  #down;

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
  }

  move = (/** @type {PointerEvent} */ event) => {
    const down = this.#down;
    if (down) {
      const by = event.clientX - down.x;
      down.moved ||= Math.abs(by) > SLIP;
      if (down.moved) this.#acts.drag(by, down.start);
      return;
    }
    // What is said about a mark may be read with the pointer on it.
    if (event.target instanceof Element && event.target.closest('.tip')) return;
    this.#acts.point(...place(event));
  };

  leave = () => {
    this.#down = undefined;
    this.#acts.leave();
  };

  press = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    this.#down = { x: event.clientX, start: this.#acts.drag(0, 0), moved: false };
  };

  release = (/** @type {PointerEvent} */ event) => {
    const down = this.#down;
    this.#down = undefined;
    if (!down || down.moved) return;
    if (!this.#acts.take(...place(event))) return;
    /** @type {HTMLElement | null} */
    const list = /** @type {Element} */ (event.currentTarget).querySelector('[role=listbox]');
    list?.focus({ preventScroll: true });
  };
}

/** @param {PointerEvent} event @returns {[number, number]} */
function place(event) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}
