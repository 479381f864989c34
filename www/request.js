/**
 * What a tag asks for: an experiment, settings, perhaps the moment that a link leads to.
 *
 * @import { Refused } from './core.js'
 */
import { readAttributes, settingsOf } from './attributes.js';
import { experiments, isLacking, isRefusal, readLink, Simulation } from './core.js';
import { hasChapter } from './words.js';

const DEFAULT = 'double-refund';

/** So much of a damaged part is shown. */
const MOST_SHOWN = 60;

/**
 * The experiment by name, as it is written: known or not.
 * @param {Element} element @param {string | null} link
 */
export const namedBy = (element, link) =>
  (link && new URLSearchParams(link).get('x')) || element.getAttribute('experiment') || DEFAULT;

/** The experiment that there is. @param {string} named */
export const known = (named) => (hasChapter(named) ? named : DEFAULT);

/**
 * @typedef {object} Request
 * @property {string} experiment
 * @property {Record<string, string>} settings path to text
 * @property {number | null} cursor the moment; null for the start
 * @property {string} [link] the link that they are from
 * @property {Refused[]} refused what was asked for and is not possible
 */

/**
 * Reads the tag. A link stands above the settings beside it.
 * @param {Element} element @param {string | null} link @returns {Request}
 */
export function readRequest(element, link) {
  /** @type {Refused[]} */
  const refused = [];
  if (link) {
    try {
      return { ...readLink(link), link, refused };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(
        Object.assign(error, { field: 'state', value: error.value.slice(0, MOST_SHOWN) }),
      );
    }
  }
  const named = element.getAttribute('experiment') ?? DEFAULT;
  const experiment = known(named);
  if (named !== experiment) refused.push(unknownExperiment(named));
  const settings = readAttributes(element, settingsOf(experiment));
  return { experiment, settings, cursor: null, refused };
}

/**
 * Whether the tag asks for more than the module at hand has, and the larger one may take it.
 * @param {Element} element @param {string | null} link
 * @param {Record<string, string>} [settings] in the place of what the tag says
 */
export function isTooLarge(element, link, settings) {
  const asked = readRequest(element, link);
  return (
    asked.refused.some(isLacking) ||
    Simulation.isTooLarge(asked.experiment, settings ?? asked.settings)
  );
}

/** @param {string} value @returns {Refused} */
const unknownExperiment = (value) =>
  Object.assign(new Error(`unknown experiment: ${value}`), {
    field: 'experiment',
    value,
    limit: experiments().join(', '),
    unit: '',
  });
