/**
 * What every chart has: a plot with room for its axes, the axes, a title that names it, and the
 * same numbers as a table. Data goes in, a template comes out.
 */
import { html, nothing, svg } from 'lit';

/** @typedef {{ width: number, height: number, top: number, right: number, bottom: number, left: number }} Plot */

/**
 * A tick of an axis.
 * @typedef {{ at: number, text: string }} Tick
 */

/**
 * The plot inside a picture of this width.
 * @param {number} width @param {number} height @param {number} [left] room for the labels of y
 * @returns {Plot}
 */
export const plot = (width, height, left = 44) => ({
  width,
  height,
  top: 12,
  right: Math.max(left + 40, width - 12),
  bottom: height - 34,
  left,
});

/** Steps that people count time in, in seconds. */
const STEPS = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200,
  21_600, 43_200, 86_400,
];

/**
 * Moments from 0 to an end that are easy to read; in the unit of which `second` is a second.
 * @param {number} end @param {number} second @param {number} [most]
 */
export function timeTicks(end, second, most = 6) {
  const step = (STEPS.find((it) => end / (it * second) <= most) ?? end / second) * second;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, place) => place * step);
}

/** A digit or letter of a label is about so wide, and so much stands between two labels. */
export const LETTER = 6.5;
const BETWEEN = 10;

/** Labels for which there is room beside the one before, the first in any case. @param {Tick[]} ticks */
function roomy(ticks) {
  let until = Number.NEGATIVE_INFINITY;
  return ticks.map(({ at, text }) => {
    const half = (text.length * LETTER) / 2;
    if (at - half < until) return '';
    until = at + half + BETWEEN;
    return text;
  });
}

/** @param {Plot} at @param {Tick[]} ticks @param {string} label */
export function xAxis(at, ticks, label) {
  const texts = roomy(ticks);
  return svg`
  <g class="axis">
    <line x1=${at.left} x2=${at.right} y1=${at.bottom} y2=${at.bottom} />
    ${ticks.map(
      (tick, place) => svg`<line x1=${tick.at} x2=${tick.at} y1=${at.bottom} y2=${at.bottom + 4} />
        <text x=${tick.at} y=${at.bottom + 16} text-anchor="middle">${texts[place]}</text>`,
    )}
    <text class="axis-name" x=${at.right} y=${at.height - 2} text-anchor="end">${label}</text>
  </g>`;
}

/** @param {Plot} at @param {Tick[]} ticks */
export const yAxis = (at, ticks) => svg`
  <g class="axis">
    ${ticks.map(
      (tick) => svg`<line class="rule" x1=${at.left} x2=${at.right} y1=${tick.at} y2=${tick.at} />
        <text x=${at.left - 6} y=${tick.at + 4} text-anchor="end">${tick.text}</text>`,
    )}
  </g>`;

/**
 * A picture with its name, its caption and its numbers.
 * @param {object} data
 * @param {Plot} data.at
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {unknown} data.content
 * @param {unknown} data.table
 */
export const figure = ({ at, title, caption, content, table }) => html`
  <figure class="chart">
    <figcaption><b>${title}</b>${caption ? html` <span>${caption}</span>` : nothing}</figcaption>
    <svg viewBox="0 0 ${at.width} ${at.height}" width=${at.width} height=${at.height} role="img"
      aria-label=${title}>${content}</svg>
    ${table}
  </figure>`;

/**
 * The numbers of a picture, for whoever does not see it or wants them exactly.
 * @param {string} name what opens it
 * @param {string[]} head
 * @param {(string | number)[][]} rows each begins with the name of the row
 */
export const numbers = (name, head, rows) => html`
  <details class="numbers">
    <summary>${name}</summary>
    <div class="numbers-scroll" tabindex="0" role="group" aria-label=${name}>
      <table>
        <thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
        <tbody>
          ${rows.map(
            ([first, ...cells]) => html`<tr>
              <th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;

/** Four ways to draw a line, told apart without colour. */
const DASHES = ['none', '6 4', '2 3', '8 3 2 3'];
/** @param {number} place */
export const dash = (place) => DASHES[place % DASHES.length];
