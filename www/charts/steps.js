/**
 * Numbers that stay as they are until they change, over time: how many wait, how many are done.
 */
import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line as path } from 'd3-shape';
import { svg } from 'lit';
import { dash, figure, numbers, plot, xAxis, yAxis } from './frame.js';

/** @typedef {{ name: string, points: [number, number][], loud?: boolean }} Steps */

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {Steps[]} data.lines
 * @param {number} data.width
 * @param {{ x: string, numbers: string }} data.words
 * @param {(x: number) => string} data.xText
 */
export function steps({ title, caption, lines, width, words, xText }) {
  const at = plot(width, 216, 34);
  // Room above for the names.
  at.top += lines.length * 16;
  at.height += lines.length * 16;
  at.bottom += lines.length * 16;
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([px]) => px)))].sort(
    (one, other) => one - other,
  );
  const end = Math.max(1, xs.at(-1) ?? 1);
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(([, py]) => py)));
  // What changes last is seen too.
  const x = scaleLinear([0, end * 1.04], [at.left, at.right]);
  const y = scaleLinear([0, most], [at.bottom, at.top + 6]).nice(4);
  const draw = path(
    (/** @type {[number, number]} */ [px]) => x(px),
    ([, py]) => y(py),
  ).curve(curveStepAfter);
  /** From the start, where it is 0 unless it says otherwise, to the end. */
  const whole = (/** @type {[number, number][]} */ points) =>
    /** @type {[number, number][]} */ ([
      ...(points[0]?.[0] === 0 ? [] : [[0, 0]]),
      ...points,
      [end * 1.04, points.at(-1)?.[1] ?? 0],
    ]);
  const content = svg`
    ${lines.map(
      ({ name, loud }, place) => svg`
        <path class="line ${loud ? 'loud' : ''}" d="M${at.left} ${place * 16 + 10}h26" stroke-dasharray=${dash(place)} />
        <text x=${at.left + 34} y=${place * 16 + 14}>${name}</text>`,
    )}
    ${yAxis(
      at,
      y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => ({ at: y(value), text: String(value) })),
    )}
    ${xAxis(
      at,
      x.ticks(6).map((value) => ({ at: x(value), text: xText(value) })),
      words.x,
    )}
    ${lines.map(
      ({ points, loud }, place) => svg`<path class="line ${loud ? 'loud' : ''}"
        d=${draw(whole(points)) ?? ''} stroke-dasharray=${dash(place)} />`,
    )}`;
  const value = (/** @type {[number, number][]} */ points, /** @type {number} */ px) =>
    points.findLast(([from]) => from <= px)?.[1] ?? 0;
  const table = numbers(
    words.numbers,
    [words.x, ...lines.map(({ name }) => name)],
    xs.map((px) => [xText(px), ...lines.map(({ points }) => value(points, px))]),
  );
  return figure({ at, title, caption, content, table });
}
