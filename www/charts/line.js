/**
 * Lines over a quantity, each with its name at its end.
 */
import { scaleLinear } from 'd3-scale';
import { line as path } from 'd3-shape';
import { svg } from 'lit';
import { dash, figure, numbers, plot, xAxis, yAxis } from './frame.js';

/** From one name to the next. */
const NAME = 13;

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {[number, number][]} points
 * @property {boolean} [bound] drawn as the edge of what is possible
 */

/**
 * @param {object} data
 * @param {string} data.title
 * @param {string} [data.caption]
 * @param {Line[]} data.lines
 * @param {number} data.width
 * @param {{ x: string, y: string, numbers: string }} data.words
 * @param {(x: number) => string} data.xText
 * @param {(y: number) => string} data.yText
 */
export function line({ title, caption, lines, width, words, xText, yText }) {
  // Each line has its name at its end.
  const at = { ...plot(width, 220, 56), right: Math.max(120, width - 70) };
  const all = lines.flatMap(({ points }) => points);
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b);
  const x = scaleLinear([xs[0] ?? 0, xs.at(-1) ?? 1], [at.left + 8, at.right - 8]);
  const y = scaleLinear(
    [0, Math.max(1, ...all.map(([, value]) => value))],
    [at.bottom, at.top],
  ).nice(4);
  const draw = path(
    (/** @type {[number, number]} */ [at_x]) => x(at_x),
    ([, value]) => y(value),
  );
  const ends = apart(
    lines.map(({ points }) => y(points.at(-1)?.[1] ?? 0) + 4),
    at.bottom,
  );
  // Where all values are small, some that differ are written alike: only the first of them is.
  const ticks = y.ticks(4).filter((value, i, all) => i === 0 || yText(value) !== yText(all[i - 1]));
  const content = svg`
    ${yAxis(
      at,
      ticks.map((value) => ({ at: y(value), text: yText(value) })),
    )}
    ${xAxis(
      at,
      xs.map((value) => ({ at: x(value), text: xText(value) })),
      words.x,
    )}
    ${lines.map(
      ({ points, bound }, place) => svg`
        <path class=${bound ? 'bound' : 'line'} d=${draw(points) ?? ''}
          stroke-dasharray=${bound ? 'none' : dash(place)} />
        <text class="dot-name" x=${at.right + 4} y=${ends[place]}>${lines[place].name}</text>
        ${bound ? '' : points.map(([px, value]) => svg`<circle class="dot" cx=${x(px)} cy=${y(value)} r="2.5" />`)}`,
    )}`;
  const table = numbers(
    words.numbers,
    [words.x, ...lines.map(({ name }) => name)],
    xs.map((value) => [
      xText(value),
      ...lines.map(({ points }) => {
        const point = points.find(([px]) => px === value);
        return point ? yText(point[1]) : '–';
      }),
    ]),
  );
  return figure({ at, title, caption, content, table });
}

/** Moves names that would lie on each other apart, none of them below the last line. @param {number[]} ys @param {number} bottom */
function apart(ys, bottom) {
  const order = ys.map((y, place) => ({ y, place })).sort((one, other) => one.y - other.y);
  let last = Number.NEGATIVE_INFINITY;
  for (const name of order) {
    name.y = Math.max(name.y, last + NAME);
    last = name.y;
  }
  last = bottom + NAME;
  for (const name of order.toReversed()) {
    name.y = Math.min(name.y, last - NAME);
    last = name.y;
  }
  return ys.map((_, place) => order.find((name) => name.place === place)?.y ?? 0);
}
