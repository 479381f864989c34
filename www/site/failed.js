/** What stands where a page did not arrive. */
import { html } from 'lit';
import site from '../text/en/site.json';

const words = site.chapter;

/** @param {() => void} again */
export const chapterFailed = (again) => html`
  <h1 tabindex="-1">${words.failed}</h1>
  <p><button type="button" class="go" @click=${again}>${words.again}</button></p>`;
