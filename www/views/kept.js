/**
 * The lab is drawn again whenever something in it changes, also while somebody types. What a
 * reader has begun to enter stays in its field until it is taken, or the field is left.
 */
import { noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';

/** The fields in which something is begun, each by the name that it had. @type {WeakMap<HTMLInputElement, string>} */
const begun = new WeakMap();

/** What was begun there is over: the next drawing shows the setting's value. @param {HTMLInputElement} field */
export const over = (field) => begun.delete(field);

class Kept extends Directive {
  /** What the lab would show. */
  #text = '';
  #isWatched = false;

  /** @override @param {string} _text */
  render(_text) {
    return noChange;
  }

  /** @override @param {import('lit').AttributePart} part @param {[string]} given */
  update(part, [text]) {
    const field = /** @type {HTMLInputElement} */ (part.element);
    const show = () => {
      // A list that grew shorter has given the field to another setting.
      if (begun.get(field) !== field.id && field.value !== this.#text) field.value = this.#text;
    };
    if (!this.#isWatched) {
      this.#isWatched = true;
      field.addEventListener('input', () => begun.set(field, field.id));
      field.addEventListener('change', () => over(field));
      field.addEventListener('blur', () => {
        over(field);
        show();
      });
    }
    this.#text = text;
    show();
    return noChange;
  }
}

/** What stands in a field: `.value=${kept(text)}`. */
export const kept = directive(Kept);
