/**
 * The attributes that are no settings: how a page shapes the lab. The names are a contract with
 * pages out there.
 */

/** Attributes that are no settings. */
export const OPTIONS = /** @type {const} */ ([
  'experiment',
  'theme',
  'lang',
  'controls',
  'locked',
  'predict',
  'autoplay',
  'state',
  'frame',
]);

/** The parts of a lab that `controls` can name. */
export const PARTS = /** @type {const} */ ([
  'prediction',
  'slice',
  'transport',
  'timeline',
  'code',
  'sight',
  'verdict',
  'picture',
  'tasks',
  'settings',
  'tables',
  'log',
  'share',
]);

/** @typedef {typeof PARTS[number]} Part */

/** `light` and `dark`; whatever else a tag says is `auto`. @param {string | null} text */
export const themeOf = (text) => (text === 'light' || text === 'dark' ? text : 'auto');

/** A switch of HTML: there or not; `off` and `false` are what frameworks write for not. @param {string | null} text */
export const isOn = (text) => text !== null && text !== 'off' && text !== 'false';

/**
 * Which parts are shown: all, unless some are named.
 * @param {string | null} controls @param {string | null} predict
 * @returns {Set<Part>}
 */
export function partsOf(controls, predict) {
  const named = PARTS.filter((part) => controls?.split(/[\s,]+/).includes(part));
  const shown = named.length ? named : PARTS;
  return new Set(shown.filter((part) => part !== 'prediction' || predict !== 'off'));
}

/**
 * Which settings the reader cannot change: a list of paths or attributes, or all.
 * @param {string | null} text @returns {(path: string) => boolean}
 */
export function lockOf(text) {
  if (!isOn(text)) return () => false;
  const named = (text ?? '').split(/[\s,]+/).filter((word) => !['', 'on', 'true'].includes(word));
  if (!named.length) return () => true;
  return (path) => named.includes(path) || named.includes(path.replaceAll(/[._]/g, '-'));
}
