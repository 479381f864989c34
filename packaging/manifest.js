// custom-elements.json: everything that an editor, a framework or a catalogue of elements has to
// know, from the source of the class and the core's table of settings.

import { element, eventList } from './source.js';

/**
 * A setting as an attribute.
 * @typedef {object} Setting
 * @property {string} attribute
 * @property {string} property
 * @property {string} path
 * @property {string} kind
 * @property {string} limit what it allows, in words
 * @property {string} usual
 * @property {string} help
 */

const MODULE = 'at-least-once.js';

/** @param {string} text */
const type = (text) => ({ text });

/** @param {Setting} setting */
const about = ({ help, limit }) => [help, limit && `Allowed: ${limit}.`].filter(Boolean).join(' ');

/** @param {Setting[]} settings */
export function manifest(settings) {
  const own = element.properties.map(({ name, attribute, usual, type: text, description }) => ({
    kind: 'field',
    name,
    type: type(text),
    default: usual,
    description,
    attribute,
  }));
  const set = settings.map((setting) => ({
    kind: 'field',
    name: setting.property,
    type: type('string | null'),
    description: about(setting),
    attribute: setting.attribute,
  }));
  const methods = element.methods.map(({ name, parameters, returns, description }) => ({
    kind: 'method',
    name,
    parameters: parameters.map(({ name, type: text, description }) => ({
      name,
      type: type(text),
      description,
    })),
    return: { type: type(returns) },
    description,
  }));
  const attributes = [
    ...own.map(({ name, attribute, description, type, default: usual }) => ({
      name: attribute,
      fieldName: name,
      type,
      default: usual,
      description,
    })),
    { name: 'lang', type: type('string'), description: 'The language of the lab.' },
    ...settings.map((setting) => ({
      name: setting.attribute,
      fieldName: setting.property,
      type: type('string'),
      default: setting.usual,
      description: about(setting),
    })),
  ];
  const reference = { name: element.name, module: MODULE };
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: MODULE,
        declarations: [
          {
            kind: 'class',
            customElement: true,
            tagName: 'at-least-once',
            name: element.name,
            description: element.description,
            superclass: { name: 'HTMLElement' },
            attributes,
            members: [...own, ...set, ...methods],
            events: eventList.map(({ name, type: text, description }) => ({
              name,
              type: type(text),
              description,
            })),
            slots: element.slots.map(({ description }) => ({ name: '', description })),
            cssParts: element.parts,
            cssProperties: element.colours,
          },
        ],
        exports: [
          { kind: 'js', name: element.name, declaration: reference },
          { kind: 'custom-element-definition', name: 'at-least-once', declaration: reference },
        ],
      },
    ],
  };
}
