/**
 * Rows of thin bars over one time axis, a row for each series: where they are alike and where not.
 */
import { scaleLinear } from 'd3-scale';
import { svg } from 'lit';
import { figure, LETTER, numbers, plot, timeTicks, xAxis } from './frame.js';

/** The height of a strip, of each line of words in it above the bars, and between two strips. */
const ROW = 46;
const LINE = 16;
const BETWEEN = 12;
/** From the edge of a strip to its words. */
const INSIDE = 6;

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {{ name: string, points: [number, number][] }[]} data.rows x is where a bar begins
 * @param {number} data.bar how wide a bar is, in units of x
 * @param {number} data.width
 * @param {{ x: string, y: string, most: string, numbers: string }} data.words
 * @param {(x: number) => string} data.xText
 */
export function histogram({ title, caption, rows, bar, width, words, xText }) {
  const peakOf = (/** @type {[number, number][]} */ points) =>
    `${words.most} ${Math.max(0, ...points.map(([, count]) => count))}`;
  const longest = Math.max(...rows.map(({ name, points }) => `${name}  ${peakOf(points)}`.length));
  // The peak stands beside the name, or below it where there is no room.
  const lines = longest * LETTER > width - 54 ? 2 : 1;
  const strip = ROW + lines * LINE + 4;
  const pitch = strip + BETWEEN;
  const at = plot(width, rows.length * pitch - BETWEEN + 50, 12);
  const end = Math.max(bar, ...rows.flatMap(({ points }) => points.map(([x]) => x + bar)));
  const most = Math.max(1, ...rows.flatMap(({ points }) => points.map(([, count]) => count)));
  const x = scaleLinear([0, end], [at.left, at.right]);
  const height = scaleLinear([0, most], [0, ROW - 4]);
  const content = svg`
    ${rows.map(({ name, points }, place) => {
      const base = at.top + place * pitch + strip;
      const left = at.left + INSIDE;
      const [right, end] = lines === 1 ? [at.right - INSIDE, 'end'] : [left, 'start'];
      return svg`
        <rect class="strip" x=${at.left} y=${base - strip} width=${at.right - at.left} height=${strip} />
        <text class="row-name" x=${left} y=${base - strip + LINE}>${name}</text>
        <text class="row-peak" x=${right} y=${base - ROW - 4} text-anchor=${end}>${peakOf(points)}</text>
        <line class="base" x1=${at.left} x2=${at.right} y1=${base} y2=${base} />
        ${points.map(
          ([px, count]) => svg`<rect class="bar ${count === most ? 'full' : ''}" x=${x(px)}
            y=${base - height(count)} width=${Math.max(1.25, x(bar) - x(0))} height=${height(count)} />`,
        )}`;
    })}
    ${xAxis(
      at,
      timeTicks(end, 1000).map((value) => ({ at: x(value), text: xText(value) })),
      words.x,
    )}`;
  const used = [...new Set(rows.flatMap(({ points }) => points.map(([px]) => px)))].sort(
    (a, b) => a - b,
  );
  const table = numbers(
    words.numbers,
    [words.x, ...rows.map(({ name }) => name)],
    used.map((px) => [
      xText(px),
      ...rows.map(({ points }) => points.find(([other]) => other === px)?.[1] ?? 0),
    ]),
  );
  return figure({ at, title, caption, content, table });
}
