/**
 * Dots over two quantities, each with its name, joined in their order: a choice and its price.
 */
import { scaleLinear, scaleLog } from 'd3-scale';
import { line as path } from 'd3-shape';
import { svg } from 'lit';
import { figure, LETTER, numbers, plot, xAxis, yAxis } from './frame.js';

/** The height of a name. */
const LINE = 13;

/**
 * Names beside their dots, each as far up as it needs to be clear of those before it.
 * @param {{ name: string, x: number, y: number }[]} dots @param {number} right
 */
function names(dots, right) {
  /** @type {{ name: string, x: number, y: number, end: number }[]} */
  const placed = [];
  for (const { name, x, y } of dots) {
    const wide = name.length * LETTER;
    const left = Math.min(x + 6, right - wide);
    let high = y - 7;
    while (
      placed.some((it) => left < it.end && it.x < left + wide && Math.abs(it.y - high) < LINE)
    ) {
      high -= LINE;
    }
    placed.push({ name, x: left, y: high, end: left + wide + 4 });
  }
  return placed;
}

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {{ name: string, x: number, y: number }[]} data.dots
 * @param {number} data.width
 * @param {{ x: string, y: string, name: string, numbers: string }} data.words
 * @param {number[]} data.ticks places on the bottom that have a name
 * @param {(x: number) => string} data.xText
 */
export function scatter({ title, caption, dots, width, words, ticks, xText }) {
  const at = plot(width, 260, 52);
  const xs = [...dots.map((dot) => dot.x), ...ticks].filter((value) => value > 0);
  const x = scaleLog([Math.min(...xs), Math.max(...xs)], [at.left + 10, at.right - 22]);
  const y = scaleLinear(
    [0, Math.max(1, ...dots.map((dot) => dot.y))],
    [at.bottom, at.top + 14],
  ).nice(4);
  const joined = path(
    (/** @type {{ x: number, y: number }} */ dot) => x(dot.x),
    (dot) => y(dot.y),
  );
  const places = dots.map((dot) => ({ name: dot.name, x: x(dot.x), y: y(dot.y) }));
  const content = svg`
    ${yAxis(
      at,
      y.ticks(4).map((value) => ({ at: y(value), text: String(value) })),
    )}
    ${xAxis(
      at,
      ticks.map((value) => ({ at: x(value), text: xText(value) })),
      words.x,
    )}
    <text class="axis-name" x="0" y="9">${words.y}</text>
    <path class="line" d=${joined(dots) ?? ''} />
    ${places.map((dot) => svg`<circle class="dot" cx=${dot.x} cy=${dot.y} r="4" />`)}
    ${names(places, width).map(
      (it) => svg`<text class="dot-name" x=${it.x} y=${it.y}>${it.name}</text>`,
    )}`;
  const table = numbers(
    words.numbers,
    [words.name, words.x, words.y],
    dots.map((dot) => [dot.name, xText(dot.x), dot.y]),
  );
  return figure({ at, title, caption, content, table });
}
