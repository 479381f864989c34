/**
 * Settings as attributes of the element. The core's table says which there are; everything
 * else on the tag (`id`, `class`, what a host puts there) is none of ours.
 *
 * @import { SettingInfo } from './pkg/at_least_once.js'
 */
import { Simulation } from './core.js';

/** @param {SettingInfo[]} settings @param {string} attribute */
export const settingOf = (settings, attribute) =>
  settings.find((setting) => setting.attribute === attribute)?.path;

/**
 * What the tag asks for, as path to text.
 * @param {Element} element @param {string} experiment @returns {Record<string, string>}
 */
export function readAttributes(element, experiment) {
  const plain = new Simulation(experiment, {});
  const { settings } = plain.run();
  plain.free();
  /** @type {Record<string, string>} */
  const asked = {};
  for (const { path, attribute } of settings) {
    const text = element.getAttribute(attribute);
    if (text !== null) asked[path] = text;
  }
  return asked;
}
