/** The list of the chapters, with what of them is done. */
import { html, nothing } from 'lit';
import site from '../text/en/site.json';
import { fill } from './fill.js';
import { doneIn } from './progress.js';

/** Every chapter in order: id, name, one line. */
export const chapters = site.contents.map(([id, name, line]) => ({ id, name, line }));

export const ids = chapters.map(({ id }) => id);

/** How many tasks each chapter has; a test holds it against the core. */
const TASKS = /** @type {Record<string, number>} */ (site.tasks);

/** @param {string | undefined} current the chapter that is open */
export const contents = (current) => html`
  <ol class="contents">
    ${chapters.map(({ id, name, line }) => {
      const done = doneIn(id);
      const all = TASKS[id] ?? 0;
      return html`<li class=${done > 0 && done >= all ? 'done' : nothing}>
        <a href="#${id}" aria-current=${id === current ? 'page' : nothing}>
          <b>${name}</b>
          <span>${line}</span>
          ${
            done === 0
              ? nothing
              : html`<small>${
                  done >= all ? site.progress.done : fill(site.progress.some, { done, count: all })
                }</small>`
          }
        </a>
      </li>`;
    })}
  </ol>`;
