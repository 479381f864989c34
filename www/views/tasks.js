/**
 * What to try. A task ticks itself when a run has ended that fulfils it.
 *
 * @import { Chapter } from '../words.js'
 */
import { html, svg } from 'lit';
import desk from '../text/en/desk.json';

const { labels } = desk;

/** @param {Chapter['tasks']} list @param {boolean[]} done */
export const tasks = (list, done) => html`
  <section class="tasks" aria-labelledby="tasks">
    <h2 id="tasks">${labels.tasks}</h2>
    <ol>
      ${list.map(
        (task, i) => html`<li class=${done[i] ? 'done' : 'open'}>
          <svg viewBox="0 0 20 20" width="20" height="20" role="img"
            aria-label=${done[i] ? labels.done : labels.open}>
            <circle cx="10" cy="10" r="8.5"></circle>
            ${done[i] ? svg`<path d="M6 10.5l3 3l5.5 -7"></path>` : ''}
          </svg>
          <div><p>${task.text}</p><p class="hint">${task.hint}</p></div>
        </li>`,
      )}
    </ol>
  </section>`;
