/**
 * The settings out of the core's table: a field each, a slider where there is a range, and who
 * could turn this knob in a real system.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Refused } from '../core.js'
 */
import { html, nothing } from 'lit';
import {
  linearScale,
  logScale,
  roundNumber,
  roundSpan,
  STOPS,
  spanAsSet,
  spanOf,
  withUnitOf,
} from '../spans.js';
import desk from '../text/en/desk.json';
import { fill, settingName } from '../words.js';
import { kept, over } from './kept.js';

const { labels } = desk;

/** Controls of their own elsewhere in the lab. */
const ELSEWHERE = new Set(['guard', 'faults']);

/** A millisecond: what is shorter makes no difference that a slider is for. */
const LEAST_SPAN = 1000;
/** A range of more than this is walked through by factors. */
const WIDE = 100;

/**
 * @typedef {object} ControlsData
 * @property {SettingInfo[]} settings
 * @property {Map<string, Refused>} refused
 * @property {(path: string) => boolean} locked whether the reader cannot change a setting
 * @property {(path: string, text: string) => void} set
 * @property {(path: string) => void} reset
 * @property {() => void} newSeed
 */

/** Why a value was not taken. @param {Refused} error */
export const refusal = ({ field, value, limit }) =>
  fill(desk.refused, { value, name: settingName(field), allowed: limit });

/** Who can turn this knob: the runtime, the tool's author, or whoever is on call. @param {string} name */
const owner = (name) =>
  html`<span class="owner">${fill(desk.set_by, {
    owner: /** @type {Record<string, string>} */ (desk.owners)[name] ?? name,
  })}</span>`;

/** The settings that this experiment shows. @param {ControlsData} data */
export const controls = (data) => html`
  <div class="controls" role="group" aria-label=${labels.settings}>
    ${data.settings
      .filter(({ shown, path }) => shown && !ELSEWHERE.has(path))
      .map((setting) => control(setting, data))}
  </div>`;

/**
 * @param {SettingInfo} setting @param {ControlsData} data
 * @param {{ help?: string, prefix?: string }} [more] a line of help; what sets the ids apart from
 *   those of another control for the same setting
 */
export function control(
  setting,
  { refused, locked, set, reset, newSeed },
  { help, prefix = '' } = {},
) {
  const { path, kind, value, fixed } = setting;
  const id = prefix + setting.attribute;
  const error = refused.get(path);
  const name = settingName(path);
  const takes = (/** @type {string} */ text) =>
    set(path, kind === 'span' ? withUnitOf(text.trim(), value) : text.trim());
  const hints = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  const scale = scaleOf(setting);
  const back = fill(labels.reset, { name, value: setting.default });
  return html`
    <fieldset class="control ${kind}" ?disabled=${fixed || locked(path)}>
      <div class="control-head">
        <label for=${id}>${name}</label>
        ${owner(setting.owner)}
      </div>
      <div class="control-field">
        ${scale ? slider(scale, takes) : nothing}
        ${field(setting, id, hints || nothing, error, scale, takes)}
        ${
          kind === 'seed'
            ? html`<button type="button" @click=${newSeed}>${labels.new_seed}</button>`
            : nothing
        }
        ${
          value === setting.default && !error
            ? nothing
            : html`<button type="button" class="icon reset" aria-label=${back} title=${back}
                @click=${() => reset(path)}>
                <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
                  <path d="M3 8a5 5 0 1 1 1.5 3.5M3 8l-2 -2.5M3 8l2.5 -2"></path></svg></button>`
        }
      </div>
      ${help ? html`<p class="help" id="${id}-help">${help}</p>` : nothing}
      ${error ? html`<p class="refusal" id="${id}-error">${refusal(error)}</p>` : nothing}
    </fieldset>`;
}

const textOf = (/** @type {Event} */ event) =>
  /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/**
 * @param {SettingInfo} setting @param {string} id @param {unknown} hints
 * @param {Refused | undefined} error @param {Scale | undefined} scale
 * @param {(text: string) => void} takes
 */
function field({ kind, value, choices, unit }, id, hints, error, scale, takes) {
  if (kind === 'switch') {
    const on = value === 'on';
    return html`<button type="button" class="switch" id=${id} role="switch"
      aria-checked=${on ? 'true' : 'false'} aria-describedby=${hints}
      @click=${() => takes(on ? 'off' : 'on')}><span class="knob"></span></button>`;
  }
  if (kind === 'choice') {
    return html`<select id=${id} aria-describedby=${hints}
      @change=${(/** @type {Event} */ event) => takes(textOf(event))}>
      ${choices.map(
        (/** @type {string} */ choice) =>
          html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`,
      )}</select>`;
  }
  // What was refused stays in its field, so that it can be mended.
  return html`<input id=${id} class="value" type="text" autocomplete="off" spellcheck="false"
    inputmode=${kind === 'number' || kind === 'seed' ? 'numeric' : 'text'}
    .value=${kept(error ? (error.typed ?? error.value) : value)}
    aria-invalid=${error ? 'true' : 'false'} aria-describedby=${hints}
    @keydown=${(/** @type {KeyboardEvent} */ event) => scale && nudge(event, scale, takes)}
    @change=${(/** @type {Event} */ event) => takes(textOf(event))} />
    ${kind === 'number' && unit ? html`<span class="unit">${unit}</span>` : nothing}`;
}

/**
 * The positions of a setting's slider; nothing where there is no range to slide over.
 * @param {SettingInfo} setting
 */
function scaleOf({ kind, min, max, value }) {
  if (kind !== 'span' && kind !== 'number') return undefined;
  const span = kind === 'span';
  const [least, most, now] = [min, max, value].map(span ? spanOf : Number);
  if (!(most > least) || Number.isNaN(now)) return undefined;
  const wide = most > WIDE * Math.max(1, least);
  const scale = wide
    ? logScale(least, most, span ? LEAST_SPAN : 1, span ? roundSpan : roundNumber)
    : linearScale(least, most);
  return {
    now: scale.stop(now),
    /** @param {number} stop */
    text: (stop) => {
      const to = scale.value(Math.max(0, Math.min(STOPS, stop)));
      return span ? spanAsSet(to) : String(to);
    },
  };
}

/** @typedef {NonNullable<ReturnType<typeof scaleOf>>} Scale */

/**
 * For the pointer. The keyboard has the arrows in the field beside it, so the slider is no stop
 * of its own and is not read out a second time.
 * @param {Scale} scale @param {(text: string) => void} takes
 */
const slider = (scale, takes) => html`<input class="range" type="range" min="0" max=${STOPS}
  .value=${kept(String(scale.now))} aria-hidden="true" tabindex="-1"
  @input=${(/** @type {Event} */ event) => {
    // While it is dragged only the number beside it moves; the run is played once, at the end.
    const field = beside(event);
    if (!field) return;
    field.value = scale.text(Number(textOf(event)));
    field.dispatchEvent(new Event('input'));
  }}
  @change=${(/** @type {Event} */ event) => {
    const field = beside(event);
    if (field) over(field);
    takes(scale.text(Number(textOf(event))));
  }} />`;

/** The field that stands beside a slider. @param {Event} event of the slider */
const beside = ({ target }) =>
  /** @type {Element} */ (target).parentElement?.querySelector(
    /** @type {'input'} */ ('input.value'),
  );

/** @param {KeyboardEvent} event @param {Scale} scale @param {(text: string) => void} takes */
function nudge(event, scale, takes) {
  const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  // Two stops near the lower end may have the same text.
  const now = scale.text(scale.now);
  let stop = scale.now + by;
  while (stop > 0 && stop < STOPS && scale.text(stop) === now) stop += Math.sign(by);
  over(/** @type {HTMLInputElement} */ (event.target));
  takes(scale.text(stop));
}
