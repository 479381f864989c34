/**
 * The keys of the timeline. A key that does something here goes no further: the lab and the page
 * around it have keys of their own.
 *
 * @typedef {object} Acts
 * @property {(by: number) => void} walk through the marks
 * @property {(end: 'first' | 'last') => void} walkTo
 * @property {() => void} choose
 * @property {() => boolean} leave
 * @property {(by: 1 | -1) => void} enlarge
 * @property {() => void} whole
 * @property {(part: number) => void} pan
 */

/** With Page Up and Page Down. */
const FAR = 10;

export class Keys {
  #acts;

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
  }

  handle = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    const inList = target.role === 'listbox' || target.getAttribute('role') === 'listbox';
    const taken = this.#everywhere(event.key) || (inList && this.#inList(event));
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** @param {string} key */
  #everywhere(key) {
    const { enlarge, whole, leave } = this.#acts;
    if (key === '+' || key === '=') enlarge(1);
    else if (key === '-' || key === '_') enlarge(-1);
    else if (key === '0') whole();
    else return key === 'Escape' && leave();
    return true;
  }

  /** @param {KeyboardEvent} event */
  #inList({ key, shiftKey }) {
    const { walk, walkTo, choose, pan } = this.#acts;
    if (key === 'ArrowRight' || key === 'ArrowDown') shiftKey ? pan(0.25) : walk(1);
    else if (key === 'ArrowLeft' || key === 'ArrowUp') shiftKey ? pan(-0.25) : walk(-1);
    else if (key === 'PageDown') walk(FAR);
    else if (key === 'PageUp') walk(-FAR);
    else if (key === 'Home') walkTo('first');
    else if (key === 'End') walkTo('last');
    else if (key === 'Enter' || key === ' ') choose();
    else return false;
    return true;
  }
}
