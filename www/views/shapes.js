/**
 * The signs of the timeline. Each says with its form what it also says with its colour.
 *
 * @import { Run } from '../core.js'
 * @import { Geometry } from './geometry.js'
 */
import { nothing, svg } from 'lit';
import { BarKind, MarkKind } from '../core.js';
import { page } from '../words.js';
import { eachBar, eachMark } from './flat.js';
import { LETTER, tokenWidth } from './geometry.js';

const { steps, steps_short: short } = page.timeline;

/** What a segment is called, the longest first. @type {Record<number, string[]>} */
const names = {
  [BarKind.Think]: [steps.think, short.think],
  [BarKind.Check]: [steps.check, short.check],
  [BarKind.Write]: [steps.write, short.write],
  [BarKind.Checkpoint]: [steps.checkpoint, short.checkpoint],
  [BarKind.Ack]: [steps.ack, short.ack],
};

/** Signs that stand at the end of a bar, over its last letters. */
const DISCS = new Set([MarkKind.Crashed, MarkKind.Acked, MarkKind.AckLost, MarkKind.AckLate]);

/** Bit 0 of a bar's flags: past the end of the lease. */
const LATE = 1;

/**
 * The bars up to now.
 * @param {Run} run @param {Geometry} g @param {number} cursor @param {number} now pixels
 */
export function bars({ bars: flat, marks }, g, cursor, now) {
  const drawn = [];
  const discs = [...eachMark(marks)].filter(({ kind }) => DISCS.has(kind));
  /** @type {Map<string, { lane: number, from: number, to: number }>} */
  const outlines = new Map();
  for (const { lane, kind, start, end, job, attempt, flags } of eachBar(flat)) {
    const from = g.x(start);
    const to = Math.min(g.x(end), now);
    if (cursor === 0 || from > now || kind === BarKind.Backoff) continue;
    const y = g.y(lane) - g.bar / 2;
    const width = Math.max(0, to - from);
    if (kind === BarKind.Ready) {
      drawn.push(svg`<path class="ready" d="M${from} ${g.y(lane)}H${to}"></path>`);
    } else if (kind === BarKind.Unattended) {
      drawn.push(svg`<rect class="unattended" x=${from} y=${y} width=${width} height=${g.bar}></rect>
        <rect class="unattended-edge" x=${from} y=${y} width=${width} height=${g.bar}></rect>`);
    } else {
      const name = `${lane} ${job} ${attempt}`;
      const outline = outlines.get(name) ?? { lane, from, to };
      outline.to = Math.max(outline.to, to);
      outlines.set(name, outline);
      const room = discs.some((disc) => disc.lane === lane && disc.at === end) ? 18 : 8;
      const text = names[kind]?.find((name) => g.x(end) - from > name.length * LETTER + room) ?? '';
      const roomy = text !== '' && now >= from + text.length * LETTER + 5;
      drawn.push(svg`<rect class="work ${flags & LATE ? 'late' : ''}"
          x=${from} y=${y} width=${width} height=${g.bar}></rect>
        <path class="seam" d="M${from} ${y}v${g.bar}"></path>
        ${roomy ? svg`<text class="bar-name" x=${from + 6} y=${y + 18}>${text}</text>` : nothing}`);
    }
  }
  for (const { lane, from, to } of outlines.values()) {
    drawn.push(svg`<rect class="hull" x=${from} y=${g.y(lane) - g.bar / 2}
      width=${Math.max(0, to - from)} height=${g.bar} rx="3"></rect>`);
  }
  return drawn;
}

/**
 * The message, waiting in the queue: filled when it is new, outlined when it came back.
 * @param {number} left @param {number} y
 * @param {string} job empty where there is no room for its name
 * @param {'full' | 'outline'} style
 */
export const token = (left, y, job, style) => {
  const width = job ? tokenWidth(job) : 8;
  return svg`<g class="token ${style}">
    <rect x=${left} y=${y - (job ? 11 : 4)} width=${width} height=${job ? 22 : 8} rx="4"></rect>
    <text x=${left + width / 2} y=${y + 4}>${job}</text></g>`;
};

/** A message waits in the queue to be taken. @param {number} from @param {number} to @param {number} y */
export const waiting = (from, to, y) => svg`<path class="backoff" d="M${from} ${y}H${to}"></path>`;

/** A wait, as far as it has come. @param {Geometry} g @param {number} from @param {number} to */
export const wait = (g, from, to) => {
  const y = g.y(0) - 18;
  return svg`<path class="backoff" d="M${from} ${y}H${to}"></path>
    <path class="tick" d="M${from} ${y - 4}v8M${to} ${y - 4}v8"></path>`;
};

/**
 * A lease: from the queue down to a worker; out of the token itself where that stands close by.
 * @param {Geometry} g @param {number} x @param {number} from @param {number} to
 * @param {number} token where the last one that came back begins
 */
export const curveDown = (g, x, from, to, token) => {
  const end = to - g.bar / 2 + 5;
  if (x - g.curve < token) {
    const start = Math.max(x, token + 8);
    const bend = (from + end) / 2;
    return svg`<path class="way" d="M${start} ${from}C${start} ${bend} ${x} ${bend} ${x} ${end}"></path>`;
  }
  return svg`<path class="way" d="M${x - g.curve} ${from}C${x} ${from} ${x - g.curve} ${end} ${x} ${end}"></path>`;
};

/** The end of a lease: back up to the queue. @param {Geometry} g @param {number} x @param {number} from @param {number} to */
export const curveUp = (g, x, from, to) => {
  const start = from - g.bar / 2;
  return svg`<path class="way" d="M${x} ${start}C${x} ${(start + to) / 2} ${x} ${to} ${x + 10} ${to}"></path>`;
};

/** Money on its way from a worker to the ledger. @param {number} x @param {number} from @param {number} ledger @param {boolean} again */
export const drop = (x, from, ledger, again) =>
  svg`<path class="drop ${again ? 'again' : 'once'}" d="M${x} ${from}V${ledger - 17}"></path>`;

/** The torn-off receipt. @param {Geometry} g @param {number} x @param {number} ledger @param {string} text @param {boolean} again */
export const stub = (g, x, ledger, text, again) => {
  const wide = text.length > 2;
  const width = Math.max(wide ? (g.narrow ? 44 : 56) : 20, text.length * LETTER + 8);
  const left = Math.max(1, Math.min(x - width / 2, g.width - width - 1));
  const tooth = width / 8;
  const teeth = Array.from({ length: 8 }, (_, i) => `l${-tooth} ${i % 2 ? 5 : -5}`).join('');
  return svg`<g class="stub ${again ? 'again' : 'once'}">
    <path d="M${left} ${ledger - 17}h${width}v35${teeth}z"></path>
    <text x=${left + width / 2} y=${ledger + 4}>${text}</text></g>`;
};

/** The guard found the row: the second write bounces off. @param {number} x @param {number} from @param {number} ledger */
export const already = (x, from, ledger) => svg`
  <path class="drop bounced" d="M${x} ${from}V${ledger - 6}"></path>
  <path class="bounce" d="M${x} ${ledger - 4}c4 -20 14 -26 22 -14m1 -9l-1 10l-10 -2"></path>
  <path class="shield" d="M${x - 16} ${ledger}h32"></path>`;

/** @param {number} x @param {number} y @param {'crash' | 'acked' | 'lost'} style @param {'cross' | 'check'} sign */
export const disc = (x, y, style, sign) => svg`<g class="disc ${style}">
  <circle cx=${x} cy=${y} r="10"></circle>
  <path d=${sign === 'cross' ? `M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7` : `M${x - 4.5} ${y}l3 3.5l6 -7`}></path></g>`;

/** Time left out of the axis. @param {number} x @param {number} y */
export const zigzag = (x, y) => svg`
  <path class="gap" d="M${x - 10} ${y}h20"></path>
  <path class="zigzag" d="M${x - 10} ${y}l4 -7l6 14l6 -14l4 7"></path>`;
