/**
 * The signs of the timeline. Each says with its form what it also says with its colour.
 *
 * @import { Geometry } from './geometry.js'
 */
import { nothing, svg } from 'lit';
import { LETTER } from './geometry.js';

/** @typedef {[number, number]} Point */
/** A way from the first point to the last, bent by the two between. @typedef {[Point, Point, Point, Point]} Curve */

/** @param {{ x: number, text: string } | undefined} at @param {number} y @param {string} kind */
export const label = (at, y, kind = '') =>
  at ? svg`<text class="label ${kind}" x=${at.x} y=${y}>${at.text}</text>` : nothing;

/** A message waits in the queue to be taken. @param {number} from @param {number} to @param {number} y */
export const waiting = (from, to, y) => svg`<path class="backoff" d="M${from} ${y}H${to}"></path>`;

/** A call at the vendor, as far as it has come. @param {number} from @param {number} to @param {number} y */
export const along = (from, to, y) => svg`<path class="drop call" d="M${from} ${y}H${to}"></path>`;

/** A wait, as far as it has come. @param {number} from @param {number} to @param {number} y */
export const wait = (from, to, y) => svg`<path class="backoff" d="M${from} ${y}H${to}"></path>
    <path class="tick" d="M${from} ${y - 4}v8M${to} ${y - 4}v8"></path>`;

/**
 * A lease: from the queue down to a worker; out of the token itself where that stands close by.
 * @param {Geometry} g @param {number} x @param {number} from @param {number} to
 * @param {number} token where the last one that came back begins
 * @returns {Curve}
 */
export function wayDown(g, x, from, to, token) {
  const end = to - g.bar / 2;
  if (x - g.curve >= token) {
    return [
      [x - g.curve, from],
      [x, from],
      [x - g.curve, end],
      [x, end + 5],
    ];
  }
  const bend = (from + end) / 2;
  return [
    [Math.max(x, token + 8), from],
    [Math.max(x, token + 8), bend],
    [x, bend],
    [x, end + 5],
  ];
}

/** The end of a lease: back up to the queue. @param {Geometry} g @param {number} x @param {number} from @param {number} to @returns {Curve} */
export function wayUp(g, x, from, to) {
  const start = from - g.bar / 2;
  return [
    [x, start],
    [x, (start + to) / 2],
    [x, to],
    [x + 10, to],
  ];
}

/** @param {Curve} curve @param {string} [style] */
export const way = ([a, b, c, d], style = '') =>
  svg`<path class="way ${style}" d="M${a}C${b} ${c} ${d}"></path>`;

/** A message on its way, with as much of the way as it has made. @param {Curve} curve @param {number} part */
export function travelling(curve, part) {
  const [x, y] = pointOn(curve, part);
  return [
    way(firstPart(curve, part)),
    svg`<rect class="traveller" x=${x - 6} y=${y - 5} width="12" height="10" rx="3"></rect>`,
  ];
}

/** @param {Point} a @param {Point} b @param {number} part @returns {Point} */
const between = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];

/** de Casteljau: the curve up to a part of it. @param {Curve} curve @param {number} part @returns {Curve} */
function firstPart([a, b, c, d], part) {
  const [ab, bc, cd] = [between(a, b, part), between(b, c, part), between(c, d, part)];
  const [abc, bcd] = [between(ab, bc, part), between(bc, cd, part)];
  return [a, ab, abc, between(abc, bcd, part)];
}

/** @param {Curve} curve @param {number} part */
export const pointOn = (curve, part) => firstPart(curve, part)[3];

/** Money on its way down, at the end aside to where there is room. @param {number} x @param {number} from @param {number} to @param {string} style @param {number} [aside] */
export const drop = (x, from, to, style, aside = x) =>
  svg`<path class="drop ${style}" d=${aside === x ? `M${x} ${from}V${to}` : `M${x} ${from}V${to - 12}L${aside} ${to}`}></path>`;

/** How far above its lane a receipt comes out, and how long it is. */
export const SLOT = 17;
const LENGTH = 35;

/** @param {Geometry} g @param {string} text */
export const stubWidth = (g, text) =>
  Math.max(text.startsWith('#') ? 20 : g.narrow ? 44 : 56, text.length * LETTER + 8);

/**
 * The torn-off receipt.
 * @param {Geometry} g @param {number} x @param {number} lane its height @param {string} text @param {string} style
 * @param {number} [part] how much of it has come out
 */
export function stub(g, x, lane, text, style, part = 1) {
  const width = stubWidth(g, text);
  const left = Math.max(1, Math.min(x - width / 2, g.edge - width - 1));
  const tooth = width / 8;
  const teeth = Array.from({ length: 8 }, (_, i) => `l${-tooth} ${i % 2 ? 5 : -5}`).join('');
  const top = lane - SLOT;
  // It comes out slowly, and is torn off with a jerk.
  const height = 6 + (LENGTH - 6) * Math.min(1, part / 0.8);
  const turn = part < 0.8 || part === 1 ? 0 : -5 * (1 - part) * 5;
  return svg`<g class="stub ${style}" transform="rotate(${turn} ${x} ${top})">
    <path d="M${left} ${top}h${width}v${height}${teeth}z"></path>
    <path class="slot" d="M${left - 3} ${top}h${width + 6}"></path>
    ${height >= LENGTH ? svg`<text x=${left + width / 2} y=${lane + 4}>${text}</text>` : nothing}</g>`;
}

/**
 * A row in our own books, where the money moves elsewhere: a slip with a margin, and nothing is torn.
 * @param {Geometry} g @param {number} x @param {number} lane its height @param {string} text @param {string} style
 */
export function row(g, x, lane, text, style) {
  const width = stubWidth(g, text);
  const left = Math.max(1, Math.min(x - width / 2, g.edge - width - 1));
  return svg`<g class="row ${style}">
    <rect x=${left} y=${lane - SLOT} width=${width} height=${LENGTH - 9} rx="2"></rect>
    <path d="M${left + 3.5} ${lane - SLOT}v${LENGTH - 9}"></path>
    <text x=${left + width / 2 + 1.5} y=${lane}>${text}</text></g>`;
}

/**
 * Money falls, and then its receipt comes out; or what is only noted, and then its row.
 * @param {Geometry} g @param {number} x @param {number} from @param {number} place where it then stands
 * @param {number} lane @param {string} text @param {string} style @param {typeof stub} sign @param {number} part
 */
export function paying(g, x, from, place, lane, text, style, sign, part) {
  const slot = lane - SLOT;
  if (part >= 0.5) {
    const fallen = drop(x, from, slot, style, place);
    return [fallen, sign(g, place, lane, text, style, (part - 0.5) / 0.5)];
  }
  const y = from + (slot - from) * (part / 0.5) ** 2;
  return [drop(x, from, y, style), coin(x, y, style)];
}

/** @param {number} x @param {number} y @param {string} style */
const coin = (x, y, style) => svg`<circle class="coin ${style}" cx=${x} cy=${y} r="5"></circle>`;

/** A call on its way. @param {number} x @param {number} from @param {number} to @param {number} part */
export function calling(x, from, to, part) {
  const y = from + (to - from) * part;
  return [drop(x, from, y, 'call'), coin(x, y, 'call')];
}

/** What came down bounces off: no money, no receipt. @param {number} x @param {number} from @param {number} lane */
export const bounced = (x, from, lane) => svg`
  <path class="drop bounced" d="M${x} ${from}V${lane - 6}"></path>
  <path class="bounce" d="M${x} ${lane - 4}c4 -20 14 -26 22 -14m1 -9l-1 10l-10 -2"></path>
  <path class="shield" d="M${x - 16} ${lane}h32"></path>`;

/** @param {number} x @param {number} from @param {number} lane @param {number} part */
export function bouncing(x, from, lane, part) {
  const shield = svg`<path class="shield" d="M${x - 16} ${lane}h32"></path>`;
  if (part < 0.5) {
    const y = from + (lane - 6 - from) * (part / 0.5) ** 2;
    return [shield, drop(x, from, y, 'bounced'), coin(x, y, 'bounced')];
  }
  const up = (part - 0.5) / 0.5;
  const [cx, cy] = pointOn(
    [
      [x, lane - 4],
      [x + 4, lane - 24],
      [x + 14, lane - 30],
      [x + 22, lane - 18],
    ],
    up,
  );
  return [shield, drop(x, from, lane - 6, 'bounced'), coin(cx, cy, 'bounced')];
}

/** @param {number} x @param {number} y @param {'crash' | 'acked' | 'lost' | 'back'} style @param {keyof typeof INSIDE} sign */
export const disc = (x, y, style, sign) => svg`<g class="disc ${style}">
  <circle cx=${x} cy=${y} r="10"></circle>
  <path transform="translate(${x} ${y})" d=${INSIDE[sign]}></path></g>`;

/** What stands inside of a disc. */
const INSIDE = {
  cross: 'M-3.5 -3.5l7 7m0 -7l-7 7',
  check: 'M-4.5 0l3 3.5l6 -7',
  back: 'M4 3.5h-5a3 3 0 0 1 0 -6h4m-2.5 -2.5l2.5 2.5l-2.5 2.5',
  stop: 'M-3 -3h6v6h-6z',
};

/** A heartbeat on the upper edge of a bar. @param {number} x @param {number} top @param {boolean} [refused] */
export const heartbeat = (x, top, refused = false) =>
  svg`<path class="heartbeat ${refused ? 'refused' : ''}" d="M${x} ${top - 5}v10"></path>`;

/** Where a lease ends: a post with a flag that points into the lease. @param {number} x @param {number} y @param {number} bar @param {string} [style] */
export const deadline = (x, y, bar, style = '') =>
  svg`<path class="deadline ${style}" d="M${x} ${y + bar / 2 + 3}V${y - bar / 2 - 7}l-7 3.5l7 3.5"></path>`;

/** A status that a call came back with, as a small sign. @param {number} x @param {number} y @param {string} status @param {string} style */
export function plate(x, y, status, style) {
  const width = status.length * LETTER + 8;
  return svg`<g class="plate ${style}">
    <rect x=${x - width / 2} y=${y - 9} width=${width} height="18" rx="3"></rect>
    <text x=${x} y=${y + 4}>${status}</text></g>`;
}

/** An answer that gets lost as soon as it is on its way. @param {number} x @param {number} from @param {number} y */
export function lostReply(x, from, y) {
  return svg`<path class="reply" d="M${x} ${from}V${y + 7}"></path>
    <path class="cross" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8"></path>`;
}

/** Time left out of the axis. @param {number} x @param {number} y @param {number} [half] of its width */
export const zigzag = (x, y, half = 10) => svg`
  <path class="gap" d="M${x - half} ${y}h${2 * half}"></path>
  <path class="zigzag" transform="translate(${x} ${y}) scale(${half / 10} 1)"
    d="M-10 0l4 -7l6 14l6 -14l4 7"></path>`;
