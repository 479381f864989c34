/**
 * The settings that this experiment shows, out of the core's table.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Refused } from '../core.js'
 */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { fill, page, settingHelp, settingName } from '../words.js';

const { labels } = page;

/** Controls of their own elsewhere in the lab. */
const ELSEWHERE = new Set(['guard', 'faults']);

/**
 * @typedef {object} ControlsData
 * @property {SettingInfo[]} settings
 * @property {Map<string, Refused>} refused
 * @property {(path: string, text: string) => void} set
 * @property {() => void} newSeed
 */

/** Who can turn this knob: the runtime, the tool's author, or whoever is on call. @param {string} name */
export const owner = (name) =>
  html`<span class="owner">${fill(page.set_by, {
    owner: /** @type {Record<string, string>} */ (page.owners)[name] ?? name,
  })}</span>`;

/** @param {ControlsData} data */
export const controls = ({ settings, refused, set, newSeed }) => html`
  <details class="settings" ?open=${refused.size > 0}>
    <summary><h2>${labels.settings}</h2></summary>
    <div class="controls" role="group" aria-label=${labels.settings}>
      ${settings
        .filter(({ shown, path }) => shown && !ELSEWHERE.has(path))
        .map((setting) => control(setting, refused.get(setting.path), set, newSeed))}
    </div>
  </details>`;

/**
 * @param {SettingInfo} setting @param {Refused | undefined} error
 * @param {(path: string, text: string) => void} set @param {() => void} newSeed
 */
function control(setting, error, set, newSeed) {
  const { path, attribute, kind } = setting;
  const taken = (/** @type {Event} */ event) =>
    set(path, /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value.trim());
  const name = settingName(path);
  const hints = error ? `${attribute}-help ${attribute}-error` : `${attribute}-help`;
  return html`
    <div class="control ${kind}">
      <label for=${attribute}>${name}</label>
      <div class="control-field">
        ${
          kind === 'choice' || kind === 'switch'
            ? html`<select id=${attribute} aria-describedby=${hints} @change=${taken}>
                ${setting.choices.map(
                  (/** @type {string} */ choice) =>
                    html`<option value=${choice} ?selected=${choice === setting.value}>
                      ${choice}</option>`,
                )}
              </select>`
            : html`<input id=${attribute} type="text" autocomplete="off" spellcheck="false"
                inputmode=${kind === 'number' || kind === 'seed' ? 'numeric' : 'text'}
                .value=${live(error ? (error.typed ?? error.value) : setting.value)}
                aria-invalid=${error ? 'true' : 'false'} aria-describedby=${hints}
                @change=${taken} />`
        }
        ${
          kind === 'seed'
            ? html`<button type="button" @click=${newSeed}>${labels.new_seed}</button>`
            : nothing
        }
      </div>
      <p class="help" id="${attribute}-help">
        <span>${settingHelp(path)} ${kind === 'span' ? page.example.span : nothing}</span>
        ${owner(setting.owner)}
      </p>
      <p class="refusal" id="${attribute}-error" aria-live="polite">
        ${error ? fill(page.refused, { value: error.value, name, allowed: error.limit }) : nothing}
      </p>
    </div>`;
}
