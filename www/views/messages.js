/**
 * What the reader is told when something is not as it should be.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Refused } from '../core.js'
 * @import { Part } from '../panels.js'
 */
import { html, nothing } from 'lit';
import { NoAnswer, PATIENCE_S } from '../core.js';
import { fill, page } from '../words.js';

const words = page.failed;

export const loading = () => html`<div class="state loading" role="status">${page.loading}</div>`;

/** What to say about an error on the way to the first picture. @param {unknown} error */
function why(error) {
  if (error instanceof NoAnswer) return fill(words.slow, { seconds: PATIENCE_S });
  if (typeof WebAssembly === 'undefined') return words.missing;
  const text = String(error instanceof Error ? error.message : error);
  if (/unsafe-eval|content security|CSP/i.test(text)) return words.policy;
  // Firefox compiles what has come, and calls the end of it an error of its own, now and then.
  const internal = error instanceof Error && error.name === 'InternalError';
  if (internal || error instanceof WebAssembly.CompileError) return words.damaged;
  if (error instanceof WebAssembly.LinkError) return words.damaged;
  // Every engine has a sentence of its own for a fetch or an import that failed.
  if (/fetch|import|network|load/i.test(text)) return words.offline;
  return words.text;
}

/** @param {unknown} error @param {() => void} retry */
export const failed = (error, retry) => html`
  <div class="state failed" role="alert">
    <h2>${words.title}</h2>
    <p>${why(error)}</p>
    <button type="button" class="run" @click=${retry}>${words.retry}</button>
  </div>`;

/**
 * The simulation was there and is no more.
 * @param {unknown} error @param {() => void} again @param {() => void} defaults
 */
export const stopped = (error, again, defaults) => html`
  <div class="state failed" role="alert">
    <h2>${words.stopped.title}</h2>
    <p>${/memory|allocat/i.test(String(cause(error))) ? words.stopped.memory : words.stopped.text}</p>
    <button type="button" class="run" @click=${again}>${words.stopped.again}</button>
    <button type="button" @click=${defaults}>${words.stopped.defaults}</button>
  </div>`;

/** @param {unknown} error @returns {unknown} */
const cause = (error) => (error instanceof Error && error.cause ? cause(error.cause) : error);

/** In the place of a part that is late, or cannot be fetched; one that comes soon needs no words. @param {Part<unknown>} part */
export const waitingFor = (part) =>
  part.error === undefined
    ? html`<p class="quiet" role="status">${part.late ? page.fetching : nothing}</p>`
    : html`<div class="notice" part="notice" role="alert"><p>${words.part}</p>
        <button type="button" @click=${part.retry}>${words.retry}</button></div>`;

/**
 * @typedef {object} MessagesData
 * @property {SettingInfo[]} settings
 * @property {Refused[]} refused
 * @property {boolean} restarted
 * @property {() => void} close
 * @property {(refused: Refused) => void} closeRefused
 */

/** @param {MessagesData} data */
export const messages = ({ settings, refused, restarted, close, closeRefused }) => html`
  <div aria-live="polite">
    ${
      restarted
        ? html`<div class="notice" part="notice"><p>${page.restarted}</p>
            <button type="button" @click=${close}>${page.dismiss}</button></div>`
        : nothing
    }
    ${refused.map((error) => {
      const attribute = settings.find(({ path }) => path === error.field)?.attribute ?? error.field;
      return html`<div class="notice" part="notice"><p>
        ${fill(attribute === 'state' ? page.refused_link : page.refused_attribute, {
          attribute,
          value: error.value,
          allowed: error.limit,
        })}
      </p><button type="button" @click=${() => closeRefused(error)}>${page.dismiss}</button></div>`;
    })}
  </div>`;
