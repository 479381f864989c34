import { noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';

/** @import { ElementPart } from 'lit/directive.js' */

class AtLast extends Directive {
  #last = -1;

  /** @override @param {ElementPart} part @param {[number]} values */
  update({ element }, [last]) {
    if (last !== this.#last) {
      this.#last = last;
      // Its rows are drawn after this, in the same turn.
      queueMicrotask(() => toLast(element));
    }
    return noChange;
  }

  /** @override @param {number} _last */
  render(_last) {
    return noChange;
  }
}

/** Shows the last row, and above it whole rows only; the page itself stays where it is. @param {Element} log */
function toLast(log) {
  const table = /** @type {HTMLElement} */ (log.querySelector('table'));
  table.style.marginBottom = '';
  log.scrollTop = log.scrollHeight;
  if (log.scrollTop === 0) return;
  const top = log.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  for (const row of log.querySelectorAll('tbody tr')) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom <= top + 1) continue;
    const cut = row.getBoundingClientRect().top < top - 1;
    if (cut) table.style.marginBottom = `${Math.ceil(bottom - top)}px`;
    break;
  }
  log.scrollTop = log.scrollHeight;
}

/** Keeps what scrolls at its last row, whenever another is the last: `<div ${atLast(row)}>`. */
export const atLast = directive(AtLast);
