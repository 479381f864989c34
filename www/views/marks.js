/**
 * What happened, as signs and words in the timeline.
 *
 * @import { Run } from '../core.js'
 * @import { Geometry, Rows } from './geometry.js'
 */
import { nothing, svg } from 'lit';
import { BarKind, MarkKind, spanText } from '../core.js';
import { fill, page } from '../words.js';
import { eachBar, eachMark } from './flat.js';
import { LETTER, tokenWidth } from './geometry.js';
import { already, curveDown, curveUp, disc, drop, stub, token, waiting } from './shapes.js';

const words = page.timeline;

/** @param {{ x: number, text: string } | undefined} at @param {number} y @param {string} kind */
export const label = (at, y, kind) =>
  at ? svg`<text class="label ${kind}" x=${at.x} y=${y}>${at.text}</text>` : nothing;

/**
 * A sign, and how many events must have happened before it is drawn.
 * @typedef {{ event: number, shape: unknown }} Sign
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
  /** Where each lane's last crash stands. @type {Map<number, number>} */
  const crashes = new Map();
  /** Where the last message that came back stands. */
  let returned = 0;
  /** Where the last token ends: one that would cover it shrinks to a dot. */
  let taken = 0;
  for (const mark of eachMark(run.marks)) {
    const { lane, kind, at, event } = mark;
    const record = run.events[event];
    const x = g.x(at);
    const y = g.y(lane);
    const draw = (/** @type {unknown} */ shape, layer = front) => layer.push({ event, shape });
    const message = (/** @type {number} */ left, /** @type {'full' | 'outline'} */ style) => {
      const job = record?.job_id ?? '';
      draw(token(left, y0, left < taken ? '' : job, style), tokens);
      taken = Math.max(taken, left + tokenWidth(job));
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
        draw(stub(g, x, ledger, record?.cents ?? 0, again));
        if (again) say('below ledger', x, [words.again], ledger + 34, 'again', { middle: true });
        break;
      }
      case MarkKind.AlreadyWritten:
        draw(already(x, y + g.bar / 2, ledger), back);
        say('below ledger', x, [words.already, words.already_short], ledger + 20, 'ink', {
          middle: true,
        });
        break;
      case MarkKind.Crashed: {
        const killed = fill(words.killed, { at: spanText(at) });
        draw(disc(x, y, 'crash', 'cross'));
        crashes.set(lane, x);
        const end = leaseEnd(lane, at);
        say(`above ${lane}`, x + 4, [killed, words.killed_short], y - 19, 'again', {
          until: g.x(end) - 4,
        });
        const texts = words.unattended.map((text) => fill(text, { until: spanText(end) }));
        say(`below ${lane}`, x + 6, texts, y + 30, '', {
          until: room(run, g, lane, end),
          slide: 4,
        });
        break;
      }
      case MarkKind.Acked:
        draw(disc(x, y, 'acked', 'check'));
        above(words.acked, 'ink');
        break;
      case MarkKind.AckLost:
        draw(disc(x, y, 'lost', 'cross'));
        above(words.ack_lost, 'again');
        say(
          `below ${lane}`,
          x + 6,
          [fill(words.still_leased, { until: spanText(leaseEnd(lane, at)) })],
          y + 30,
          '',
          { until: room(run, g, lane, leaseEnd(lane, at)), slide: 40 },
        );
        break;
      case MarkKind.AckLate:
        draw(disc(x, y, 'lost', 'check'));
        above(words.ack_late);
        break;
      case MarkKind.Restarted:
        if (x - (crashes.get(lane) ?? -99) < 20) break;
        draw(svg`<circle class="restarted" cx=${x} cy=${y} r="4"></circle>`);
        say(`above ${lane}`, x, words.restarted, y - 19, '', {
          middle: true,
          until: g.x(leaseEnd(lane, at) || run.summary.end_us) - 4,
          slide: 8,
        });
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

/** The waits of the backoff, with the words for each. @param {Run} run @param {Geometry} g @param {Rows} rows */
const waits = (run, g, rows) =>
  [...eachBar(run.bars)]
    .filter((bar) => bar.kind === BarKind.Backoff)
    .map(({ start, end }) => {
      const texts = words.backoff.map((text) => fill(text, { wait: spanText(end - start) }));
      return { from: g.x(start), to: g.x(end), place: rows.place('backoff', g.x(start), texts) };
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
