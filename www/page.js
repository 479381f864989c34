/** The lesson page: the story around the element. */
import './at-least-once.js';
import { html, render } from 'lit';
import { chapter } from './words.js';

const lab = document.querySelector('at-least-once');

/** @param {string} id @param {unknown} content */
function put(id, content) {
  const place = document.getElementById(id);
  if (!place) return;
  // What stands there is for readers without script.
  place.replaceChildren();
  render(content, place);
}

/** The story and what to take away, around the lab. @param {string} id */
async function tell(id) {
  const { number, name, title, story, ticket, takeaway } = await chapter(id);
  put(
    'story',
    html`
      <p class="kicker">${number} · ${name}</p>
      <h1>${title}</h1>
      <div class="opening">
        <div class="prose">${story.map((paragraph) => html`<p>${paragraph}</p>`)}</div>
        <section class="ticket" aria-labelledby="ticket">
          <h2 id="ticket">${ticket.label}</h2>
          <dl>
            ${ticket.rows.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}
          </dl>
        </section>
      </div>`,
  );
  put(
    'takeaway',
    html`<h2>${takeaway.title}</h2>
      ${takeaway.text.map((paragraph) => html`<p>${paragraph}</p>`)}`,
  );
}

// Where the text cannot be fetched, the element says so, and the page's own words stand.
tell(lab?.getAttribute('experiment') ?? 'double-refund').catch(() => {});
