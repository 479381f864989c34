/** The start page: what this is, and a run to press at once. */
import { html } from 'lit';
import site from '../text/en/site.json';
import { contents, ids } from './contents.js';

const { start } = site;

/** @param {string | undefined} message */
export const startPage = (message) => html`
  <header class="hero">
    ${message ? html`<p class="notice" role="alert">${message}</p>` : ''}
    <h1 tabindex="-1">${start.title}</h1>
    <div class="prose">${start.text.map((text) => html`<p>${text}</p>`)}</div>
  </header>
  <at-least-once experiment=${ids[0]} guard="off" faults="0:after-write"
    controls="transport timeline verdict" predict="off"></at-least-once>
  <p class="on"><a class="go" href="#${ids[0]}">${start.next}</a></p>
  <section aria-labelledby="contents">
    <h2 id="contents">${start.contents}</h2>
    <p>${start.how}</p>
    ${contents(undefined)}
    <p class="small">${start.mine}</p>
  </section>`;
