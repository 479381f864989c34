/**
 * A table of outcomes that is read at a glance: a word and a shape in each field, never the colour
 * alone. It is its own table of numbers.
 */
import { html } from 'lit';

/** A shape for each count: nothing, one, more. @param {number | undefined} count */
const kind = (count) =>
  count === undefined ? 'absent' : count === 0 ? 'lost' : count === 1 ? 'right' : 'doubled';

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {string} data.corner what the rows are
 * @param {string[]} data.columns
 * @param {{ name: string, values: (number | undefined)[] }[]} data.rows
 */
export const matrix = ({ title, caption, corner, columns, rows }) => html`
  <figure class="chart">
    <figcaption><b>${title}</b> ${caption ? html`<span>${caption}</span>` : ''}</figcaption>
    <div class="matrix-scroll" tabindex="0" role="group" aria-label=${title}>
      <table class="matrix">
        <thead>
          <tr><th scope="col">${corner}</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, values }) => html`<tr>
              <th scope="row">${name}</th>
              ${values.map((value) => html`<td class=${kind(value)}>${value ?? '–'}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </figure>`;
