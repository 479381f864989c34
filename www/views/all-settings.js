/**
 * Every setting of the table with its help, grouped by the first part of its path, with a search.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { ControlsData } from './controls.js'
 */
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import words from '../text/en/settings.json';
import { fill, settingName } from '../words.js';
import { control } from './controls.js';

/** @type {Record<string, string>} */
const help = words.help;
/** @type {Record<string, string>} */
const groupNames = words.groups;

const groupOf = (/** @type {string} */ path) => (path.includes('.') ? path.split('.')[0] : '');

/** @param {SettingInfo} setting */
const helpOf = ({ path, fixed }) => (fixed ? `${help[path]} ${words.fixed}` : help[path]);

/** Whether each word of the search is in a setting's name, path or help. @param {SettingInfo} setting @param {string} search */
function fits({ path }, search) {
  const text = `${path} ${settingName(path)} ${help[path]}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** @param {ControlsData & { search: string, find: (search: string) => void }} data */
export function allSettings(data) {
  const found = data.settings.filter((setting) => fits(setting, data.search));
  // A group is called like its first setting where one has the group's own name: `guard`, `guard.at`.
  const groups = groupBy(found, ({ path }) => groupOf(path) || (groupNames[path] ? path : ''));
  return html`
    <div class="all-settings">
      <label class="search">${words.search}
        <input type="search" autocomplete="off" spellcheck="false" .value=${data.search}
          @input=${(/** @type {Event} */ event) =>
            data.find(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
      <p class="quiet" role="status">
        ${words.count[found.length] ?? fill(words.count_many, { count: found.length })}
      </p>
      ${repeat(
        groups,
        ([group]) => group,
        ([group, settings]) => html`<section aria-label=${groupNames[group] ?? group}>
          <h3>${groupNames[group] ?? group}</h3>
          <div class="controls">
            ${repeat(
              settings,
              ({ path }) => path,
              (setting) => control(setting, data, { help: helpOf(setting), prefix: 'all-' }),
            )}
          </div></section>`,
      )}
    </div>`;
}

/** @template T @param {T[]} items @param {(item: T) => string} name @returns {Map<string, T[]>} */
function groupBy(items, name) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(name(item));
    if (group) group.push(item);
    else groups.set(name(item), [item]);
  }
  return groups;
}
