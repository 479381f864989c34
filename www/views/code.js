/**
 * The handler's code: the line that the worker is at, and what the guard puts into the insert
 * struck out while it is off.
 *
 * @import { CodeLine, Handler } from '../code/compose.js'
 * @import { Language } from '../code/language.js'
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
 * @typedef {object} Shown
 * @property {keyof typeof languages} language
 * @property {Part<{ default: Language }>} part the language's table
 * @property {string} worker
 * @property {number} position the step that the worker is at; -1 for none
 * @property {number} died the step behind which it was killed; -1 for none
 * @property {boolean} open whether it is shown where there is little room
 * @property {(open: boolean) => void} show
 * @property {(language: keyof typeof languages) => void} choose
 *
 * @typedef {Shown & Handler} CodeData
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
    ${data.part.value ? lines(data, compose(data.part.value.default, data, words)) : waitingFor(data.part)}
  </section>`;

/** @param {CodeData} data @param {CodeLine[]} all */
function lines({ worker, position, died }, all) {
  const last = all.findLastIndex((line) => line.positions?.includes(died));
  return html`<pre class="lines" tabindex="0" aria-labelledby="code"><code>${all.map((line, i) => {
    const here = line.positions?.includes(position) ?? false;
    const first = here && !all[i - 1]?.positions?.includes(position);
    // Each line ends itself: it is one in the text as well.
    return html`<span class="line ${here ? 'here' : ''} ${line.part ?? ''}"
      >${line.struck ? struck(line.text, line.struck) : line.text}${
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

/** What is left out has a stroke through it; what remains is what runs. @param {string} text @param {string} out */
function struck(text, out) {
  const [before, behind] = text.split(out);
  return html`${before}<del title=${words.off}>${out}</del>${behind}`;
}
