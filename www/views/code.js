/**
 * The handler's code: the line that the worker is at, the guard's line struck out while the
 * guard is off.
 *
 * @import { CodeLine, Language, Retry } from '../code/compose.js'
 * @import { Part } from '../panels.js'
 */
import { html, nothing } from 'lit';
import { compose } from '../code/compose.js';
import { retriable } from '../retriable.js';
import desk from '../text/en/desk.json';
import { fill } from '../words.js';
import { waitingFor } from './messages.js';

const { labels, code: words } = desk;

/** The languages, each a file of its own. */
export const languages = {
  python: retriable(() => import('../code/python.js')),
  typescript: retriable(() => import('../code/typescript.js')),
  go: retriable(() => import('../code/go.js')),
  rust: retriable(() => import('../code/rust.js')),
};

const names = /** @type {(keyof typeof languages)[]} */ (Object.keys(languages));

/**
 * @typedef {object} CodeData
 * @property {keyof typeof languages} language
 * @property {Part<{ default: Language }>} part the language's table
 * @property {string[]} program the names of the steps, in order
 * @property {string} guard
 * @property {string} key the policy for keys
 * @property {Retry | null} retry nothing where the experiment is not about it
 * @property {string} worker
 * @property {number} position the step that the worker is at; -1 for none
 * @property {number} died the step behind which it was killed; -1 for none
 * @property {boolean} open whether it is shown where there is little room
 * @property {(open: boolean) => void} show
 * @property {(language: keyof typeof languages) => void} choose
 */

/** @param {CodeData} data */
export const code = (data) => html`
  <section class="code ${data.open ? 'open' : ''}" aria-labelledby="code">
    <div class="code-head">
      <h2 id="code">${labels.code}</h2>
      <button type="button" class="fold" aria-expanded=${data.open ? 'true' : 'false'}
        @click=${() => data.show(!data.open)}>
        ${data.open ? labels.hide_code : labels.show_code}</button>
      <div class="tabs" role="group" aria-label=${labels.language}>
        ${names.map(
          (id) => html`<button type="button" class="tab"
            aria-pressed=${id === data.language ? 'true' : 'false'}
            @click=${() => data.choose(id)}>${words.languages[id]}</button>`,
        )}
      </div>
    </div>
    ${data.part.value ? lines(data, compose(data.part.value.default, data)) : waitingFor(data.part)}
  </section>`;

/** @param {CodeData} data @param {CodeLine[]} all */
function lines({ worker, position, died }, all) {
  const last = all.findLastIndex((line) => line.position === died);
  return html`<pre class="lines" tabindex="0" aria-labelledby="code"><code>${all.map((line, i) => {
    const here = position >= 0 && line.position === position;
    const first = here && all[i - 1]?.position !== position;
    // Each line ends itself: it is one in the text as well.
    return html`<span class="line ${here ? 'here' : ''} ${line.part ?? ''}"
      >${line.part === 'guard-off' ? struck(line.text) : line.text}${
        first ? html`<span class="unseen">  ← ${fill(words.running, { worker })}</span>` : nothing
      }
</span>${
      i === last
        ? html`<span class="line died">✕ ${fill(words.died, { worker })}
</span>`
        : nothing
    }`;
  })}</code></pre>`;
}

/** The line without its indent: a stroke through nothing would look like a rule. @param {string} text */
function struck(text) {
  const code = text.trimStart();
  return html`${text.slice(0, text.length - code.length)}<del title=${words.off}>${code}</del>`;
}
