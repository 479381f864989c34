/**
 * The picture of a run with many jobs: not a sign an event, but a path a kind, in tiles of a fixed
 * width that are made when they come into sight. What is thinner than a pixel or two is drawn
 * together. A moment reveals the tiles up to the playhead and draws nothing anew.
 *
 * @import { EventRecord } from '../../core.js'
 * @import { Bar, Mark, Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */
import { svg } from 'lit';
import { BarKind, MarkKind } from '../../core.js';
import { firstFrom, LATE, moneyLane } from '../flat.js';
import { areas } from './depth.js';
import { COLUMN, LETTER } from './geometry.js';

/** The width of a tile, in world pixels. */
export const TILE = 256;
/** Bars closer than this are one. */
const THIN = 2;
/** Of signs of a kind closer than this only the first is drawn. */
const CLOSE = 6;
/** The width of a column of money. */
const MONEY = 8;

/** What a sign on a worker's lane is drawn as. @type {Record<number, 'crash' | 'acked' | 'lost' | 'back' | 'beat' | 'edge'>} */
const SIGNS = {
  [MarkKind.Crashed]: 'crash',
  [MarkKind.Acked]: 'acked',
  [MarkKind.AckLost]: 'lost',
  [MarkKind.AckLate]: 'lost',
  [MarkKind.GaveBack]: 'back',
  [MarkKind.Heartbeat]: 'beat',
  [MarkKind.Expired]: 'edge',
};

/** What a column of money counts, from the bottom up. @type {Record<number, 'once' | 'again' | 'bounced' | 'refused'>} */
const COLUMNS = {
  [MarkKind.Wrote]: 'once',
  [MarkKind.Paid]: 'once',
  [MarkKind.WroteAgain]: 'again',
  [MarkKind.PaidAgain]: 'again',
  [MarkKind.AlreadyWritten]: 'bounced',
  [MarkKind.Replayed]: 'bounced',
  [MarkKind.Declined]: 'refused',
  [MarkKind.Unavailable]: 'refused',
};

/** @typedef {ReturnType<typeof index>} Index */

/**
 * What all tiles at a zoom have in common.
 * @param {Picture} picture @param {Geometry} g @param {(i: number) => EventRecord | undefined} event
 */
export function index(picture, g, event) {
  return {
    picture,
    g,
    event,
    most: mostMoney(picture.marks, g),
    /** What each lane shows, behind and in front. */
    lanes: [
      ...[...picture.aloneOf.values()].map((bars) => spans(bars)),
      ...[...picture.workOf.values()].map((bars) => spans(bars)),
    ],
    /** @type {Map<number, unknown>} */
    tiles: new Map(),
  };
}

/** What looks the same for a while: an attempt at work, late, or left alone. @typedef {{ lane: number, kind: string, start: number, end: number, job: number, attempt: number, event: number }} Stretch */

/** The bars of a lane, those of an attempt together. @param {Bar[]} bars */
function spans(bars) {
  /** @type {Stretch[]} */
  const all = [];
  for (const { lane, kind: of, start, end, job, attempt, event, flags } of bars) {
    const kind = looks(of, flags);
    const last = all.at(-1);
    if (
      last?.kind === kind &&
      last.job === job &&
      last.attempt === attempt &&
      last.end === start &&
      kind !== 'unattended'
    )
      last.end = end;
    else all.push({ lane, kind, start, end, job, attempt, event });
  }
  return all;
}

/** @param {number} kind @param {number} flags */
function looks(kind, flags) {
  if (kind === BarKind.Unattended) return 'unattended';
  if (kind === BarKind.Wait) return 'idle';
  return flags & LATE ? 'late' : 'work';
}

/** How high the highest column is. @param {Mark[]} marks @param {Geometry} g */
function mostMoney(marks, g) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  let most = 1;
  for (const mark of marks) {
    if (!COLUMNS[mark.kind]) continue;
    const column = `${moneyLane(mark)} ${Math.floor(g.x(mark.at) / MONEY)}`;
    const count = (columns.get(column) ?? 0) + 1;
    columns.set(column, count);
    most = Math.max(most, count);
  }
  return most;
}

/** A tile, made when it is first asked for. @param {Index} index @param {number} number */
export function tile(index, number) {
  const made = index.tiles.get(number) ?? make(index, number * TILE, (number + 1) * TILE);
  index.tiles.set(number, made);
  return made;
}

/** @param {Index} index @param {number} left @param {number} right */
function make({ picture, g, event, most, lanes }, left, right) {
  const paths = new Paths();
  /** @type {unknown[]} */
  const names = [];
  for (const lane of lanes) drawLane(paths, names, g, lane, left, right, event);
  drawMarks(paths, picture.marks, g, left, right, most);
  return svg`<g class="dense">${areas(picture, g, left, right)}${paths.drawn()}${names}</g>`;
}

/** Path data by kind. */
class Paths {
  /** @type {Map<string, string[]>} */
  #parts = new Map();

  /** @param {string} kind @param {string} data */
  add(kind, data) {
    const parts = this.#parts.get(kind);
    if (parts) parts.push(data);
    else this.#parts.set(kind, [data]);
  }

  /** In the order in which they lie on each other. */
  drawn() {
    return ORDER.filter((kind) => this.#parts.has(kind)).map(
      (kind) => svg`<path class=${kind} d=${this.#parts.get(kind)?.join('') ?? ''}></path>`,
    );
  }
}

const ORDER = [
  'unattended',
  'idle',
  'work',
  'late',
  'seam',
  'edge',
  'beat',
  'acked',
  'back',
  'lost',
  'crash',
  'noted',
  'once',
  'bounced',
  'refused',
  'again',
];

/** A name that begins in the tile before may reach into this one. */
const NAME = 120;

/**
 * @param {Paths} paths @param {unknown[]} names @param {Geometry} g @param {Stretch[]} lane
 * @param {number} left @param {number} right @param {(i: number) => EventRecord | undefined} event
 */
function drawLane(paths, names, g, lane, left, right, event) {
  if (!lane.length) return;
  const y = r(g.y(lane[0].lane) - g.bar / 2);
  /** @type {{ kind: string, from: number, to: number } | undefined} */
  let run;
  const flush = () => {
    if (run) paths.add(run.kind, `M${r(run.from)} ${y}H${r(run.to)}v${g.bar}H${r(run.from)}z`);
    run = undefined;
  };
  const first = firstFrom(lane.length, (i) => g.x(lane[i].end), left - NAME);
  for (let i = first; i < lane.length; i += 1) {
    const { kind, start, end, event: last } = lane[i];
    const from = g.x(start);
    if (from >= right) break;
    const to = Math.max(g.x(end), from + 1);
    if (run && run.kind === kind && from - run.to < THIN) run.to = Math.max(run.to, to);
    else {
      flush();
      run = { kind, from, to };
    }
    if (to - from > THIN) paths.add('seam', `M${r(from)} ${y}v${g.bar}`);
    if (kind === 'unattended' || g.pitch < 20 || to - from < 40) continue;
    const job = event(last)?.job_id ?? '';
    if (to - from < job.length * LETTER + 8) continue;
    names.push(svg`<text class="bar-name" x=${r(from + 4)} y=${y + g.bar / 2 + 4}>${job}</text>`);
  }
  flush();
}

/**
 * @param {Paths} paths @param {Mark[]} marks @param {Geometry} g @param {number} left @param {number} right
 * @param {number} most how high the highest column of money is
 */
function drawMarks(paths, marks, g, left, right, most) {
  /** @type {Map<string, number>} */
  const last = new Map();
  /** @type {Map<string, number>} */
  const columns = new Map();
  // A column that the tile's edge cuts through is drawn by both tiles.
  let i = firstFrom(marks.length, (at) => g.x(marks[at].at), left - 8);
  for (; i < marks.length; i += 1) {
    const mark = marks[i];
    const { kind, lane } = mark;
    const x = g.x(mark.at);
    if (x > right + 8) break;
    const sign = SIGNS[kind];
    if (sign) {
      const place = `${sign} ${lane}`;
      if (x - (last.get(place) ?? -Infinity) < CLOSE) continue;
      last.set(place, x);
      paths.add(sign, drawSign(sign, r(x), r(g.y(lane)), g.bar));
    }
    const money = COLUMNS[kind];
    if (money) {
      const column = `${moneyLane(mark)} ${Math.floor(x / MONEY)} ${money}`;
      columns.set(column, (columns.get(column) ?? 0) + 1);
    }
  }
  drawColumns(paths, columns, g, most);
}

/** @param {keyof typeof SIGNS | string} sign @param {number} x @param {number} y @param {number} bar */
function drawSign(sign, x, y, bar) {
  const arm = Math.min(5, bar / 2);
  switch (sign) {
    case 'crash':
      return `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
    case 'lost':
      return `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}`;
    case 'back':
      return `M${x} ${y - arm}v${2 * arm}`;
    case 'beat':
      return `M${x} ${y - bar / 2}v${arm}`;
    case 'edge':
      return `M${x} ${y - bar / 2 - 1}v${bar + 2}`;
    default:
      return `M${x} ${y}h0`;
  }
}

/**
 * Money by columns: a receipt that hangs out of its lane, the longer the more; torn off below, what
 * was paid again at its end. What moved no money is a tick above.
 * @param {Paths} paths @param {Map<string, number>} columns @param {Geometry} g @param {number} most
 */
function drawColumns(paths, columns, g, most) {
  const unit = Math.min(9, (COLUMN - 6) / most);
  const width = MONEY - 2;
  const teeth = `l${-width / 4} 3l${-width / 4} -3l${-width / 4} 3l${-width / 4} -3`;
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const kind of ['once', 'again', 'bounced', 'refused']) {
    for (const [column, count] of columns) {
      const [lane, place, of] = column.split(' ');
      if (of !== kind) continue;
      const x = Number(place) * MONEY + 1;
      const top = g.y(Number(lane));
      if (kind === 'bounced' || kind === 'refused') {
        paths.add(kind, `M${x} ${top - (kind === 'bounced' ? 4 : 8)}h${width}`);
        continue;
      }
      const already = lengths.get(`${lane} ${place}`) ?? 0;
      const length = Math.max(3, count * unit);
      lengths.set(`${lane} ${place}`, already + length);
      // Our own ledger only notes what a vendor pays: nothing is torn off.
      const noted = g.lanes.vendor > 0 && Number(lane) === g.lanes.ledger;
      const style = noted && kind === 'once' ? 'noted' : kind;
      const foot = noted ? `h${-width}` : teeth;
      paths.add(style, `M${x} ${r(top + already)}h${width}v${r(length)}${foot}z`);
    }
  }
}

/** Tenths of a pixel are enough. @param {number} value */
const r = (value) => Math.round(value * 10) / 10;
