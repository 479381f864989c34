import { LETTER } from './geometry.js';

/** Puts words into rows, left to right, so that none covers another. */
export class Rows {
  /** @type {Map<string, number>} */
  #taken = new Map();

  /** @param {number} left @param {number} right */
  constructor(left, right) {
    this.left = left;
    this.right = right;
  }

  /** The same rows, to try words in. */
  copy() {
    const rows = new Rows(this.left, this.right);
    for (const [row, until] of this.#taken) rows.take(row, until);
    return rows;
  }

  /** @param {string} row @param {number} until */
  take(row, until) {
    this.#taken.set(row, Math.max(until, this.#taken.get(row) ?? this.left));
  }

  /**
   * The first of the texts that has room at x, moved aside by no more than `slide`.
   * @param {string} row
   * @param {number} x where it should begin, or its middle
   * @param {string[]} texts the longest first
   * @param {{ until?: number, middle?: boolean, slide?: number, clear?: (left: number, width: number) => boolean }} [how]
   * @returns {{ x: number, text: string } | undefined}
   */
  place(row, x, texts, { until = this.right, middle = false, slide = 60, clear } = {}) {
    const free = this.#taken.get(row) ?? this.left;
    for (const text of texts) {
      const width = text.length * LETTER;
      const wanted = middle ? x - width / 2 : x;
      const at = Math.max(Math.min(wanted, until - width), free);
      if (at + width > until + 0.5 || Math.abs(at - wanted) > slide) continue;
      if (clear && !clear(at, width)) continue;
      this.#taken.set(row, at + width + 10);
      return { x: at, text };
    }
    return undefined;
  }
}
