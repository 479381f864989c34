/** The buttons that show more or less of a run. */

import { html } from 'lit';
import texts from '../../text/en/timeline.json';
import { fill } from '../../words.js';

const words = texts.tools;

/**
 * @typedef {object} ToolsData
 * @property {number} zoom
 * @property {number} most
 * @property {boolean} earlier whether there is something to the left
 * @property {boolean} later
 * @property {(by: 1 | -1) => void} enlarge
 * @property {(part: number) => void} pan
 * @property {() => void} whole
 */

/** @param {ToolsData} data */
export const tools = ({ zoom, most, earlier, later, enlarge, pan, whole }) => html`
  <div class="tools" role="group" aria-label=${words.name}>
    ${button(words.earlier, '‹', earlier, () => pan(-0.5))}
    ${button(words.later, '›', later, () => pan(0.5))}
    ${button(words.out, '−', zoom > 1, () => enlarge(-1))}
    ${button(words.whole, fill(words.times, { zoom }), zoom > 1, whole)}
    ${button(words.in, '+', zoom < most, () => enlarge(1))}
  </div>`;

/** A button that has nothing to do keeps its place and the focus. @param {string} name @param {string} sign @param {boolean} possible @param {() => void} act */
const button = (name, sign, possible, act) => html`<button type="button" aria-label=${name}
  title=${name} aria-disabled=${possible ? 'false' : 'true'}
  @click=${() => possible && act()}>${sign}</button>`;
