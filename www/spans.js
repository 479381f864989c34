/** Lengths of time as the settings write them, `30s`, and as positions on a slider. */

const UNITS = /** @type {const} */ ([
  ['d', 86_400_000_000],
  ['h', 3_600_000_000],
  ['m', 60_000_000],
  ['s', 1_000_000],
  ['ms', 1000],
  ['us', 1],
]);

/** @param {string} text @returns {number} microseconds; NaN for what is no time */
export function spanOf(text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(us|ms|s|m|h|d)$/.exec(text) ?? [];
  const known = UNITS.find(([name]) => name === unit);
  return known ? Number(number) * known[1] : Number.NaN;
}

/**
 * A number alone means the unit that stood there before: 11 typed over 5s is 11s.
 * @param {string} text @param {string} before
 */
export function withUnitOf(text, before) {
  const [unit] = /(us|ms|s|m|h|d)$/.exec(before) ?? [];
  return unit && /^\d+(\.\d+)?$/.test(text) ? text + unit : text;
}

/** In the largest unit that needs no fraction. @param {number} us */
export function spanAsSet(us) {
  const [unit, length] = UNITS.find(([, length]) => us >= length && us % length === 0) ?? ['s', 1];
  return `${us / length}${unit}`;
}

/** Two digits that count. @param {number} exact */
export function roundNumber(exact) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return Math.round(exact / unit) * unit;
}

/** A span that one would say: 45 s, 90 s, 12 h. @param {number} exact */
export function roundSpan(exact) {
  const [, unit] = UNITS.find(([, length]) => exact >= length) ?? ['us', 1];
  const step = exact < 10 * unit && unit > 1000 ? unit / 2 : unit;
  return Math.round(exact / step) * step;
}

/** The positions of a slider. */
export const STOPS = 200;

/**
 * A scale on which each step is as large as the one before, times something; 0 is a stop of
 * its own.
 * @param {number} min @param {number} max @param {number} least the smallest above 0
 * @param {(exact: number) => number} round
 */
export function logScale(min, max, least, round) {
  const from = Math.max(min, least);
  const ratio = Math.log(max / from);
  const first = min < from ? 1 : 0;
  return {
    /** @param {number} value */
    stop: (value) =>
      value < from ? 0 : Math.round(first + ((STOPS - first) * Math.log(value / from)) / ratio),
    /** @param {number} stop */
    value: (stop) => {
      if (stop < first) return min;
      if (stop >= STOPS) return max;
      const exact = from * Math.exp((ratio * (stop - first)) / (STOPS - first));
      return Math.min(max, Math.max(from, round(exact)));
    },
  };
}

/** @param {number} min @param {number} max */
export const linearScale = (min, max) => ({
  /** @param {number} value */
  stop: (value) => Math.round(((value - min) / (max - min)) * STOPS),
  /** @param {number} stop */
  value: (stop) => Math.round(min + ((max - min) * stop) / STOPS),
});
