/**
 * Bars with names and their values beside them: a few things that are counted, for a few kinds.
 */
import { scaleLinear } from 'd3-scale';
import { svg } from 'lit';
import { figure, numbers, plot } from './frame.js';

const BAR = 20;
const NAME = 18;

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {{ name: string, values: (number | undefined)[] }[]} data.rows
 * @param {string[]} data.columns what each value of a row is; nothing where there is one, which `words.value` names
 * @param {number} data.width
 * @param {{ numbers: string, kind: string, value?: string }} data.words
 * @param {(value: number) => string} data.text
 */
export function series({ title, caption, rows, columns, width, words, text }) {
  const lines = columns.length;
  const group = NAME + lines * BAR + 8;
  const at = { ...plot(width, rows.length * group + 8, 0), bottom: rows.length * group };
  const most = Math.max(1, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const x = scaleLinear([0, most], [0, Math.max(60, at.right - 150)]);
  const content = rows.map(
    ({ name, values }, place) => svg`
      <text class="row-name" x="0" y=${place * group + 12}>${name}</text>
      ${values.map((value, column) => {
        const y = place * group + NAME + column * BAR;
        const length = Math.max(1, x(value ?? 0));
        return value === undefined
          ? ''
          : svg`<rect class="bar ${column % 2 ? 'full' : ''}" x="0" y=${y} width=${length} height=${BAR - 5} />
            <text class="value" x=${length + 6} y=${y + 12}>${text(value)} ${columns[column]}</text>`;
      })}`,
  );
  const table = numbers(
    words.numbers,
    [words.kind, ...columns.map((name) => name || (words.value ?? ''))],
    rows.map(({ name, values }) => [
      name,
      ...values.map((value) => (value === undefined ? '–' : text(value))),
    ]),
  );
  return figure({ at, title, caption, content, table });
}
