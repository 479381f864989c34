/**
 * What the workers' lanes show besides their bars: crashes, acks, heartbeats, leases left alone.
 *
 * @import { Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 * @import { Rows } from './rows.js'
 * @import { Brush } from './signs.js'
 */

import { svg } from 'lit';
import { MarkKind } from '../../core.js';
import words from '../../text/en/timeline.json';
import { fill, shortSpan } from '../../words.js';
import { firstFrom } from '../flat.js';
import { disc, heartbeat } from './shapes.js';

/** From where a lease ends to the words before it: its flag is there. */
const FLAG = 12;

/** Who works on after a lease. @param {Brush} brush */
export function late(brush) {
  const { y } = brush;
  // What comes before is under a lease, so these words stand behind.
  brush.below(words.stale, 'again', { clear: brush.clear(y + 30) }) ??
    brush.below(words.stale.slice(-1), 'again');
}

/** @param {Brush} brush @returns {boolean} whether it was one of these */
export function work(brush) {
  const { sheet, mark, g, x, y } = brush;
  switch (mark.kind) {
    case MarkKind.Crashed: {
      brush.draw(disc(x, y, 'crash', 'cross'));
      sheet.crashes.set(mark.lane, x);
      if (mark.lane > g.lanes.workers) {
        brush.below([words.relay_killed, words.killed_short], 'again');
        return true;
      }
      const until = g.x(sheet.unattended.until(mark.lane, mark.at)) - FLAG;
      const killed = [fill(words.killed, { at: shortSpan(mark.at) }), words.killed_short];
      brush.say(brush.row(mark.lane, -1), x + 4, killed, y - 19, 'again', { until });
      const { texts, how } = sheet.unattended.words(mark.lane, mark.at);
      brush.below(texts, '', how);
      return true;
    }
    case MarkKind.Acked:
      brush.draw(disc(x, y, 'acked', 'check'));
      brush.above([words.acked], 'ink');
      return true;
    case MarkKind.AckLost: {
      brush.draw(disc(x, y, 'lost', 'cross'));
      brush.above([words.ack_lost], 'again');
      const { texts, how } = sheet.unattended.afterAck(mark.lane, mark.at);
      brush.below(texts, '', how);
      return true;
    }
    case MarkKind.AckLate:
      brush.draw(disc(x, y, 'lost', 'check'));
      brush.above([words.ack_late]);
      return true;
    case MarkKind.Restarted: {
      if (x - (sheet.crashes.get(mark.lane) ?? -99) < 20) return true;
      const until = g.x(sheet.unattended.until(mark.lane, mark.at) || Infinity) - FLAG;
      const how = { middle: true, until, slide: 8 };
      // A circle without its word would be a riddle.
      if (brush.say(brush.row(mark.lane, -1), x, words.restarted, y - 19, '', how)) {
        brush.draw(svg`<circle class="restarted" cx=${x} cy=${y} r="4"></circle>`);
      }
      return true;
    }
    case MarkKind.Resumed:
      brush.below(words.resumed);
      return true;
    case MarkKind.Heartbeat:
      brush.draw(heartbeat(x, y - g.bar / 2));
      return true;
    case MarkKind.HeartbeatRefused:
      brush.draw(heartbeat(x, y - g.bar / 2, true));
      brush.above(words.heartbeat_refused, 'again');
      return true;
    case MarkKind.Stale:
      late(brush);
      return true;
    case MarkKind.Stopped:
      brush.draw(disc(x, y, 'back', 'stop'));
      brush.above(words.stopped);
      return true;
    case MarkKind.Deploy:
      brush.draw(svg`<path class="deploy" d="M${x} 14V${g.axis}"></path>`, { layer: 'back' });
      brush.say('deploy', x, words.deploy, 10, '', { middle: true });
      return true;
  }
  return false;
}

/** So far words may stand from where a lease was left alone. */
const ASIDE = 32;

/** Leases that nobody works on, and the words for them. */
export class Unattended {
  #g;
  #picture;
  /** The longest words for an unattended lease that all of them have room for. */
  #form;

  /** @param {Picture} picture @param {Geometry} g @param {Rows} rows */
  constructor(picture, g, rows) {
    this.#g = g;
    this.#picture = picture;
    const crashes = picture.marks.filter(({ kind }) => kind === MarkKind.Crashed);
    const form = words.unattended.findIndex((_, i) => {
      const trial = rows.copy();
      return crashes.every(({ lane, at }) => {
        const { texts, how } = this.#say(lane, at, [words.unattended[i]], ASIDE);
        return trial.place(`below ${lane}`, g.x(at) + 6, texts, how);
      });
    });
    this.#form = form < 0 ? words.unattended.length - 1 : form;
  }

  /** When the lease ends that was left alone there; 0 if there is none. @param {number} lane @param {number} at */
  until(lane, at) {
    const bars = this.#picture.aloneOf.get(lane) ?? [];
    const bar = bars[firstFrom(bars.length, (i) => bars[i].start, at + 1) - 1];
    return bar && at < bar.end ? bar.end : 0;
  }

  /** @param {number} lane @param {number} at */
  words(lane, at) {
    return this.#say(lane, at, words.unattended.slice(this.#form), ASIDE);
  }

  /** @param {number} lane @param {number} at */
  afterAck(lane, at) {
    return this.#say(lane, at, [words.still_leased, ...words.unattended.slice(2)], 40);
  }

  /** @param {number} lane @param {number} at @param {string[]} forms @param {number} slide */
  #say(lane, at, forms, slide) {
    const until = this.until(lane, at);
    return {
      texts: forms.map((text) => fill(text, { until: shortSpan(until) })),
      how: { until: this.#room(lane, at), slide },
    };
  }

  /** How far words below a lane may reach: to its next bar, or to a lease that passes by. @param {number} lane @param {number} at */
  #room(lane, at) {
    const g = this.#g;
    const ends = Math.max(at, this.until(lane, at));
    const bars = this.#picture.workOf.get(lane) ?? [];
    const bar = bars[firstFrom(bars.length, (i) => bars[i].start, ends)];
    const passing = this.#picture.leases.find((lease) => lease.from >= ends && lease.lane > lane);
    return (
      Math.min(
        bar ? g.x(bar.start) : g.right,
        passing ? g.x(passing.from) - g.curve / 2 : g.right,
      ) - 6
    );
  }
}
