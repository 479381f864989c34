// The package's types: what TypeScript writes for the class, with the settings' properties and
// with what a page's own scripts know of elements and events.

import { declarations } from './source.js';

/** @import { Setting } from './manifest.js' */

/** @param {string} text */
const comment = (text) => `/** ${text.replaceAll('*/', '* /')} */`;

/** @param {Setting[]} settings @returns {Record<string, string>} */
export function types(settings) {
  const written = declarations();
  const api = written.get('api.d.ts') ?? '';
  const events = written.get('events.d.ts') ?? '';
  const within = 'extends LabElement';
  if (!api.includes(within)) throw new Error('the class is declared in a new way');
  const declared = api
    .replace(within, 'extends HTMLElement')
    .replaceAll(/^import .*\n/gm, '')
    .trim();
  const properties = settings.map(
    ({ property, help }) => `  ${comment(help)}\n  ${property}: string | null;`,
  );
  const element = `${declared}

import type { AtLeastOnceEventMap } from './events.js';

export type * from './events.js';

export interface AtLeastOnce {
${properties.join('\n')}
  addEventListener<Name extends keyof AtLeastOnceEventMap>(
    type: Name,
    listener: (this: AtLeastOnce, event: AtLeastOnceEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: AtLeastOnce, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'at-least-once': AtLeastOnce;
  }
}
`;
  return {
    'element.d.ts': element,
    'at-least-once.d.ts':
      "export { AtLeastOnce } from './element.js';\nexport type * from './events.js';\n",
    'host.d.ts': written.get('host.d.ts') ?? '',
    'events.d.ts': events.replaceAll('./pkg/at_least_once.js', './core.js'),
  };
}
