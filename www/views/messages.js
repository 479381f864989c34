/**
 * What the reader is told when something is not as it should be.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Refused } from '../core.js'
 */
import { html, nothing } from 'lit';
import { fill, page } from '../words.js';

export const loading = () => html`<div class="state loading" role="status">${page.loading}</div>`;

/** @param {unknown} error @param {() => void} retry */
export function failed(error, retry) {
  const words = page.failed;
  const why = String(error instanceof Error ? error.message : error);
  const hint =
    typeof WebAssembly === 'undefined'
      ? words.missing
      : /unsafe-eval|content security|CSP/i.test(why)
        ? words.policy
        : words.text;
  return html`
    <div class="state failed" role="alert">
      <h2>${words.title}</h2>
      <p>${hint}</p>
      <button type="button" class="run" @click=${retry}>${words.retry}</button>
    </div>`;
}

/**
 * @typedef {object} MessagesData
 * @property {SettingInfo[]} settings
 * @property {Refused[]} refused
 * @property {boolean} restarted
 * @property {() => void} close
 */

/** @param {MessagesData} data */
export const messages = ({ settings, refused, restarted, close }) => html`
  <div aria-live="polite">
    ${
      restarted
        ? html`<div class="notice"><p>${page.restarted}</p>
            <button type="button" @click=${close}>${page.dismiss}</button></div>`
        : nothing
    }
    ${refused.map((error) => {
      const attribute = settings.find(({ path }) => path === error.field)?.attribute ?? error.field;
      return html`<div class="notice"><p>
        ${fill(page.refused_attribute, { attribute, value: error.value, allowed: error.limit })}
      </p></div>`;
    })}
  </div>`;
