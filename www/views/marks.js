/**
 * What happened, as signs and words in the timeline.
 *
 * @import { Run } from '../core.js'
 * @import { Geometry, Rows } from './geometry.js'
 */
import { nothing, svg } from 'lit';
import { BarKind, MarkKind, moneyText } from '../core.js';
import { fill, page, shortSpan } from '../words.js';
import { eachBar, eachMark } from './flat.js';
import { LETTER, tokenWidth } from './geometry.js';
import { already, curveDown, curveUp, disc, drop, stub, token, waiting } from './shapes.js';

const words = page.timeline;

/** @param {{ x: number, text: string } | undefined} at @param {number} y @param {string} kind */
export const label = (at, y, kind) =>
  at ? svg`<text class="label ${kind}" x=${at.x} y=${y}>${at.text}</text>` : nothing;

/**
 * A sign, the event that brings it, and the one after which it is history.
 * @typedef {{ event: number, shape: unknown, gone?: number }} Sign
 */

/**
 * Everything that the run will have to show, layer by layer; `back` and `tokens` lie behind
 * the bars. Words take their room at once, so nothing moves when the next ones appear.
 * @param {Run} run @param {Geometry} g @param {Rows} rows
 */
export function marks(run, g, rows) {
  /** @type {Sign[]} */
  const back = [];
  /** @type {Sign[]} */
  const tokens = [];
  /** @type {Sign[]} */
  const front = [];
  const y0 = g.y(0);
  const ledger = g.y(run.summary.workers + 1);
  const unattended = [...eachBar(run.bars)].filter((bar) => bar.kind === BarKind.Unattended);
  /** When the lease ends that a worker left behind; 0 if there is none. */
  const leaseEnd = (/** @type {number} */ lane, /** @type {number} */ at) =>
    unattended.find((bar) => bar.lane === lane && bar.start <= at && at < bar.end)?.end ?? 0;
  const all = [...eachMark(run.marks)];
  const leases = all.filter(({ kind }) => kind === MarkKind.Leased);
  const stillLeased = (/** @type {number} */ lane, /** @type {number} */ at, from = 0) => {
    const until = leaseEnd(lane, at);
    return {
      texts: words.unattended.slice(from).map((text) => fill(text, { until: shortSpan(until) })),
      how: { until: room(run, g, lane, until), slide: 4 },
    };
  };
  /** The longest words for an unattended lease that all of them have room for. */
  const form = words.unattended.findIndex((_, i) => {
    const trial = rows.copy();
    return all
      .filter(({ kind }) => kind === MarkKind.Crashed)
      .every(({ lane, at }) => {
        const { texts, how } = stillLeased(lane, at, i);
        return trial.place(`below ${lane}`, g.x(at) + 6, texts.slice(0, 1), how);
      });
  });
  const crowded = isCrowded(all, g);
  /** How far a word may stray from what it is about. */
  const slide = crowded ? 20 : 60;
  /** Where each lane's last crash stands. @type {Map<number, number>} */
  const crashes = new Map();
  /** Where the last message that came back stands. */
  let returned = 0;
  /** Where the last token ends: one that would cover it shrinks to a dot. */
  let taken = 0;
  for (const mark of all) {
    const { lane, kind, at, event } = mark;
    const record = run.event(event);
    const x = g.x(at);
    const y = g.y(lane);
    const draw = (/** @type {unknown} */ shape, layer = front) => layer.push({ event, shape });
    const message = (/** @type {number} */ left, /** @type {'full' | 'outline'} */ style) => {
      const lease = leases.find((next) => next.job === mark.job && next.event > event);
      const job = record?.job_id ?? '';
      const again = fill(words.job_again, { job });
      const room = (lease ? g.x(lease.at) - g.curve : g.width) - left;
      const text = style === 'outline' && tokenWidth(again) < room ? again : job;
      const shape = token(left, y0, left < taken ? '' : text, style);
      tokens.push({ event, shape, gone: lease?.event });
      taken = Math.max(taken, left + tokenWidth(text));
    };
    const say = (
      /** @type {string} */ row,
      /** @type {number} */ from,
      /** @type {string[]} */ texts,
      /** @type {number} */ height,
      style = '',
      how = {},
    ) => {
      const place = rows.place(row, from, texts, how);
      if (place) draw(label(place, height, style));
      return place;
    };
    const above = (/** @type {string} */ text, style = '') =>
      say(`above ${lane}`, x - text.length * LETTER - 5, [text], y - 19, style);
    switch (kind) {
      case MarkKind.Sent:
        message(x - g.curve - tokenWidth(record?.job_id ?? ''), 'full');
        break;
      case MarkKind.Leased:
        draw(curveDown(g, x, y0, g.y(mark.to), returned), back);
        if (x - g.curve > taken) draw(waiting(taken, x - g.curve, y0), back);
        break;
      case MarkKind.Expired:
        draw(curveUp(g, x, y, y0), back);
        returned = x + 10;
        message(Math.min(x + 10, g.width - tokenWidth(record?.job_id ?? '') - 1), 'outline');
        break;
      case MarkKind.Wrote:
      case MarkKind.WroteAgain: {
        const again = kind === MarkKind.WroteAgain;
        draw(drop(x, y + g.bar / 2, ledger, again), back);
        const text = crowded ? `${record?.row ?? ''}` : moneyText(record?.cents ?? 0);
        draw(stub(g, x, ledger, text, again));
        if (again) {
          say('below ledger', x, [words.again], ledger + 34, 'again', { middle: true, slide });
        }
        break;
      }
      case MarkKind.AlreadyWritten: {
        const texts = crowded ? [words.already_short] : [words.already, words.already_short];
        draw(already(x, y + g.bar / 2, ledger), back);
        say('below ledger', x, texts, ledger + 20, 'ink', { middle: true, slide });
        break;
      }
      case MarkKind.Crashed: {
        const killed = fill(words.killed, { at: shortSpan(at) });
        draw(disc(x, y, 'crash', 'cross'));
        crashes.set(lane, x);
        const end = leaseEnd(lane, at);
        say(`above ${lane}`, x + 4, [killed, words.killed_short], y - 19, 'again', {
          until: g.x(end) - 4,
        });
        const { texts, how } = stillLeased(lane, at, form < 0 ? words.unattended.length - 1 : form);
        say(`below ${lane}`, x + 6, texts, y + 30, '', how);
        break;
      }
      case MarkKind.Acked:
        draw(disc(x, y, 'acked', 'check'));
        above(words.acked, 'ink');
        break;
      case MarkKind.AckLost: {
        draw(disc(x, y, 'lost', 'cross'));
        above(words.ack_lost, 'again');
        const until = leaseEnd(lane, at);
        const forms = [words.still_leased, ...words.unattended.slice(2)];
        const texts = forms.map((text) => fill(text, { until: shortSpan(until) }));
        const how = { until: room(run, g, lane, until), slide: 40 };
        say(`below ${lane}`, x + 6, texts, y + 30, '', how);
        break;
      }
      case MarkKind.AckLate:
        draw(disc(x, y, 'lost', 'check'));
        above(words.ack_late);
        break;
      case MarkKind.Restarted:
        if (x - (crashes.get(lane) ?? -99) < 20) break;
        // A circle without its word would be a riddle.
        if (
          say(`above ${lane}`, x, words.restarted, y - 19, '', {
            middle: true,
            until: g.x(leaseEnd(lane, at) || run.summary.end_us) - 4,
            slide: 8,
          })
        ) {
          draw(svg`<circle class="restarted" cx=${x} cy=${y} r="4"></circle>`);
        }
        break;
      case MarkKind.Resumed:
        say(`below ${lane}`, x, words.resumed, y + 30);
        break;
      case MarkKind.Dead:
        draw(disc(x + 10, y, 'crash', 'cross'));
        say('below 0', x, [words.dead], y + 28, 'again', { slide: 120 });
        break;
    }
  }
  return { back, tokens, front, waits: waits(run, g, rows) };
}

/** Receipts with less room than this between them carry the number of their row instead. */
const STUB = 60;

const WRITES = new Set([MarkKind.Wrote, MarkKind.WroteAgain, MarkKind.AlreadyWritten]);

/** @param {ReturnType<typeof eachMark> extends Iterable<infer Mark> ? Mark[] : never} all @param {Geometry} g */
function isCrowded(all, g) {
  const writes = all.filter(({ kind }) => WRITES.has(kind)).map(({ at }) => g.x(at));
  return writes.some((x, i) => i > 0 && x - (writes[i - 1] ?? x) < STUB);
}

/** The waits of the backoff, with the words for each. @param {Run} run @param {Geometry} g @param {Rows} rows */
const waits = (run, g, rows) =>
  [...eachBar(run.bars)]
    .filter((bar) => bar.kind === BarKind.Backoff)
    .map(({ start, end }, i, all) => {
      const texts = words.backoff.map((text) => fill(text, { wait: shortSpan(end - start) }));
      const next = all[i + 1];
      const until = next ? g.x(next.start) - 6 : undefined;
      const how = until === undefined ? {} : { until, slide: 4 };
      return {
        from: g.x(start),
        to: g.x(end),
        place: rows.place('backoff', g.x(start), texts, how),
      };
    });

/**
 * How far words below a lane may reach: to the lane's next bar, or to a lease that passes by.
 * @param {Run} run @param {Geometry} g @param {number} lane @param {number} at
 */
function room(run, g, lane, at) {
  const bar = [...eachBar(run.bars)].find((next) => next.lane === lane && next.start >= at);
  const way = [...eachMark(run.marks)].find(
    ({ kind, at: when, to }) => kind === MarkKind.Leased && when >= at && to > lane,
  );
  const ends = [bar ? g.x(bar.start) : g.right, way ? g.x(way.at) - g.curve / 2 : g.right];
  return Math.min(...ends) - 6;
}
