/**
 * Settings as attributes and properties of the element. The core's table says which there are;
 * everything else on the tag (`id`, `class`, what a host puts there) is none of ours.
 *
 * @import { SettingInfo } from './pkg/at_least_once.js'
 */
import { Simulation } from './core.js';

/** @param {SettingInfo[]} settings @param {string} attribute */
export const settingOf = (settings, attribute) =>
  settings.find((setting) => setting.attribute === attribute)?.path;

/** `queue-visibility-timeout` as `queueVisibilityTimeout`. @param {string} attribute */
export const propertyOf = (attribute) =>
  attribute.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase());

/** @param {string} experiment @returns {SettingInfo[]} */
export function settingsOf(experiment) {
  const plain = new Simulation(experiment, {});
  const { settings } = plain.run();
  plain.free();
  return settings;
}

/**
 * What the tag asks for, as path to text.
 * @param {Element} element @param {SettingInfo[]} settings @returns {Record<string, string>}
 */
export function readAttributes(element, settings) {
  /** @type {Record<string, string>} */
  const asked = {};
  for (const { path, attribute } of settings) {
    const text = element.getAttribute(attribute);
    if (text !== null) asked[path] = text;
  }
  return asked;
}

/** What a framework gives for a switch is a truth value. @param {unknown} value */
const textOf = (value) => (value === true ? 'on' : value === false ? 'off' : String(value));

/** @type {WeakSet<object>} */
const declared = new WeakSet();

/**
 * Gives a class a property for every setting; it reads and writes the attribute.
 * @param {object} prototype @param {SettingInfo[]} settings
 */
export function declareSettings(prototype, settings) {
  if (declared.has(prototype)) return;
  declared.add(prototype);
  for (const { attribute } of settings) {
    Object.defineProperty(prototype, propertyOf(attribute), {
      configurable: true,
      enumerable: true,
      /** @this {Element} */
      get() {
        return this.getAttribute(attribute);
      },
      /** @this {Element} @param {unknown} value */
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(attribute);
        else this.setAttribute(attribute, textOf(value));
      },
    });
  }
}

/**
 * A property that was set before the class knew of it hides the class's: it is set again.
 * @param {Element} element @param {Iterable<string>} names
 */
export function adopt(element, names) {
  const object = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
  for (const name of names) {
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name];
    delete object[name];
    object[name] = value;
  }
}
