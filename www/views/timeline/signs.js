/**
 * What happened in a run, sign by sign: for runs of a few jobs. Words take their room at once, so
 * nothing moves when the next ones appear.
 *
 * @import { EventRecord } from '../../core.js'
 * @import { Mark, Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 * @import { Rows } from './rows.js'
 */
import { MarkKind, moneyText } from '../../core.js';
import { LATE, moneyLane } from '../flat.js';
import { LETTER } from './geometry.js';
import { MONEY } from './kinds.js';
import { money } from './money.js';
import { Obstacles } from './obstacles.js';
import { queue, waits } from './queue.js';
import { receipts } from './receipts.js';
import { label } from './shapes.js';
import { late, Unattended, work } from './work.js';

/**
 * A sign, the event that brings it, and the one after which it is history. `move` is the sign on
 * its way, by how much of the way is made.
 * @typedef {{ event: number, at: number, shape: unknown, gone?: number, move?: (part: number) => unknown }} Sign
 */

/**
 * What a painter of signs has at hand.
 * @typedef {object} Sheet
 * @property {Geometry} g
 * @property {Rows} rows
 * @property {Picture} picture
 * @property {number} jobs
 * @property {(i: number) => EventRecord | undefined} event
 * @property {Sign[]} back behind the bars
 * @property {Sign[]} tokens behind the bars, in front of the ways
 * @property {Sign[]} front
 * @property {Obstacles} obstacles
 * @property {Unattended} unattended
 * @property {Map<number, Mark>} nextLease by the event of a mark: the next lease of its job
 * @property {Map<number, { returned: number, taken: number }>} last where each job's last token begins, and ends
 * @property {Map<number, number>} calls where each job's call has been answered so far
 * @property {{ from: number, to: number, y: number }[]} spans calls under way
 * @property {Map<number, number>} crashes where each lane's last crash stands
 * @property {(mark: Mark) => string} receipt what is on a receipt: the amount, or where there is no room for it the row
 * @property {Map<number, number>} places where the receipts stand, by their events
 * @property {Set<number>} crowded lanes where receipts carry their rows
 * @property {Set<number>} tight lanes where there is none for words
 */

/**
 * @param {Picture} picture @param {Geometry} g @param {Rows} rows @param {number} jobs how many there are
 * @param {(i: number) => EventRecord | undefined} event
 */
export function signs(picture, g, rows, jobs, event) {
  // Where money leaves so fast that there is no room for amounts, receipts carry their rows.
  const crowded = crowdedLanes(picture.marks, g, STUB);
  /** @param {Mark} mark */
  const receipt = (mark) => {
    const { row = '', cents = 0 } = event(mark.event) ?? {};
    return crowded.has(moneyLane(mark)) ? `#${row}` : moneyText(cents);
  };
  /** @type {Sheet} */
  const sheet = {
    g,
    rows,
    picture,
    jobs,
    event,
    back: [],
    tokens: [],
    front: [],
    obstacles: new Obstacles(picture, g),
    unattended: new Unattended(picture, g, rows),
    nextLease: nextLeases(picture.marks),
    last: new Map(),
    calls: new Map(),
    spans: [],
    crashes: new Map(),
    receipt,
    places: receipts(picture.marks, g, receipt),
    crowded,
    tight: crowdedLanes(picture.marks, g, WORDS),
  };
  for (const mark of picture.marks) {
    const brush = new Brush(sheet, mark);
    queue(brush) || work(brush) || money(brush);
  }
  for (const mark of unnoticed(picture)) late(new Brush(sheet, mark));
  const { back, tokens, front } = sheet;
  return { back, tokens, front, spans: sheet.spans, waits: waits(picture, g, rows, jobs) };
}

/**
 * Where a worker goes on after its lease, and nobody has told: no one takes its job meanwhile.
 * @param {Picture} picture @returns {Mark[]}
 */
function unnoticed({ bars, leases, marks }) {
  const told = new Set(
    marks
      .filter(({ kind }) => kind === MarkKind.Stale)
      .map(({ lane, job, attempt }) => `${lane} ${job} ${attempt}`),
  );
  return leases
    .filter(({ lane, job, attempt }) => !told.has(`${lane} ${job} ${attempt}`))
    .filter(({ lane, ended }) =>
      bars.some((bar) => bar.flags & LATE && bar.lane === lane && bar.start === ended),
    )
    .map(({ lane, job, attempt, ended, last }) => {
      return { lane, kind: MarkKind.Stale, at: ended, job, attempt, event: last, to: 0 };
    });
}

/** From a mark to a word beside it. */
const BESIDE = 6;

/** One mark about to become signs. */
export class Brush {
  /** @param {Sheet} sheet @param {Mark} mark */
  constructor(sheet, mark) {
    this.sheet = sheet;
    this.mark = mark;
    this.g = sheet.g;
    this.x = sheet.g.x(mark.at);
    this.y = sheet.g.y(mark.lane);
    this.record = sheet.event(mark.event);
  }

  /**
   * @param {unknown} shape
   * @param {{ layer?: 'back' | 'tokens' | 'front', gone?: number | undefined, move?: (part: number) => unknown }} [how]
   */
  draw(shape, { layer = 'front', gone, move } = {}) {
    const { event, at } = this.mark;
    this.sheet[layer].push({
      event,
      at,
      shape,
      ...(gone === undefined ? {} : { gone }),
      ...(move ? { move } : {}),
    });
  }

  /** The row above or below a lane. @param {number} lane @param {1 | -1} side */
  row(lane, side) {
    return `${side > 0 ? 'below' : 'above'} ${lane}`;
  }

  /**
   * The first of the texts that has room.
   * @param {string} row @param {number} from @param {string[]} texts @param {number} height
   * @param {string} [style] @param {Parameters<Rows['place']>[3]} [how]
   */
  say(row, from, texts, height, style = '', how = {}) {
    const place = this.sheet.rows.place(row, from, texts, how);
    if (place) this.draw(label(place, height, style));
    return place;
  }

  /**
   * The first of the texts that has a place beside the mark which no line crosses; if none has, the
   * last, which is the shortest.
   * @param {string} row @param {number} from @param {string[]} texts @param {number} height
   * @param {string} style @param {Parameters<Rows['place']>[3]} how
   */
  sayClear(row, from, texts, height, style, how) {
    const clear = this.clear(height);
    for (const text of texts) {
      const before = this.x - BESIDE - text.length * LETTER;
      const place =
        this.say(row, from, [text], height, style, { ...how, clear }) ??
        this.#sayAfter(row, text, height, style, clear) ??
        this.say(row, before, [text], height, style, { clear, slide: 0 });
      if (place) return place;
    }
    return this.say(row, from, texts.slice(-1), height, style, how);
  }

  /** The text behind the mark, at the first place close by. @param {string} row @param {string} text @param {number} height @param {string} style @param {(left: number, width: number) => boolean} clear */
  #sayAfter(row, text, height, style, clear) {
    for (let aside = 1; aside <= 4; aside += 1) {
      const place = this.say(row, this.x + aside * BESIDE, [text], height, style, {
        clear,
        slide: 0,
      });
      if (place) return place;
    }
    return undefined;
  }

  /**
   * A text along a bar: at its beginning, or further on where no line crosses it.
   * @param {string} row @param {number} from @param {number} to @param {string} text @param {number} height
   */
  sayAlong(row, from, to, text, height) {
    const clear = this.clear(height);
    for (let x = from; x < to; x += BESIDE) {
      const place = this.say(row, x, [text], height, 'ink', { until: to, slide: 0, clear });
      if (place) return place;
    }
    return this.say(row, from, [text], height, 'ink', { slide: 8 });
  }

  /** Whether nothing crosses words at a height. @param {number} height @returns {(left: number, width: number) => boolean} */
  clear(height) {
    return (left, width) => this.sheet.obstacles.areClearOf(left, width, height);
  }

  /** The first of the texts that has room above the mark. @param {string[]} texts @param {string} [style] */
  above(texts, style = '') {
    const height = this.y - this.g.bar / 2 - 6;
    const row = this.row(this.mark.lane, -1);
    return this.sayClear(row, this.x, texts, height, style, { middle: true });
  }

  /** Words below the lane. @param {string[]} texts @param {string} [style] @param {Parameters<Rows['place']>[3]} [how] */
  below(texts, style = '', how = {}) {
    return this.say(this.row(this.mark.lane, 1), this.x + 6, texts, this.y + 30, style, how);
  }
}

/** @param {Mark[]} marks */
function nextLeases(marks) {
  /** @type {Map<number, Mark>} */
  const next = new Map();
  /** @type {Map<number, Mark>} */
  const latest = new Map();
  for (const mark of marks.toReversed()) {
    const lease = latest.get(mark.job);
    if (lease) next.set(mark.event, lease);
    if (mark.kind === MarkKind.Leased) latest.set(mark.job, mark);
  }
  return next;
}

/** Receipts with less room than this between them carry the number of their row instead. */
const STUB = 60;
/** With less than this, what moved no money says so in one word. */
const WORDS = 118;

/** @param {Mark[]} marks @param {Geometry} g @param {number} room */
function crowdedLanes(marks, g, room) {
  /** @type {Map<number, number>} */
  const last = new Map();
  /** @type {Set<number>} */
  const crowded = new Set();
  for (const mark of marks) {
    if (!MONEY.has(mark.kind)) continue;
    const x = g.x(mark.at);
    const lane = moneyLane(mark);
    if (x - (last.get(lane) ?? -room) < room) crowded.add(lane);
    last.set(lane, x);
  }
  return crowded;
}
