/**
 * Money: what leaves for the ledger and for the vendor, and what does not.
 *
 * @import { Brush } from './signs.js'
 */

import { nothing } from 'lit';
import { MarkKind } from '../../core.js';
import words from '../../text/en/timeline.json';
import { moneyLane } from '../flat.js';
import {
  bounced,
  bouncing,
  calling,
  drop,
  lostReply,
  paying,
  plate,
  row,
  SLOT,
  stub,
} from './shapes.js';

/** How far above its lane a reply gets lost: below all workers, whose own it is not. */
const LOST = SLOT + 15;

/** @param {Brush} brush @returns {boolean} whether it was one of these */
export function money(brush) {
  const { mark, g, x, record } = brush;
  const from = brush.y + g.bar / 2;
  const lane = g.y(moneyLane(mark));
  switch (mark.kind) {
    case MarkKind.Wrote:
      receipt(brush, from, lane, 'once');
      return true;
    case MarkKind.WroteAgain:
      receipt(brush, from, lane, 'again');
      return true;
    case MarkKind.Paid:
      underWay(brush, lane);
      receipt(brush, lane - SLOT, lane, 'once');
      return true;
    case MarkKind.PaidAgain:
      underWay(brush, lane);
      receipt(brush, lane - SLOT, lane, 'again');
      return true;
    case MarkKind.AlreadyWritten:
      nothingMoved(brush, from, lane, [words.already, words.already_short]);
      return true;
    case MarkKind.Replayed:
      underWay(brush, lane);
      nothingMoved(brush, replyFrom(brush, from, lane), lane, words.replayed);
      return true;
    case MarkKind.Called:
      brush.sheet.calls.set(mark.job, x);
      brush.draw(drop(x, from, lane - SLOT, 'call'), {
        layer: 'back',
        move: (part) => calling(x, from, lane - SLOT, part),
      });
      return true;
    case MarkKind.LateCall:
      brush.say(`below ${mark.lane}`, x, words.late_call, lane + 34, 'again', closeBy(brush));
      return true;
    case MarkKind.Started:
      brush.draw([drop(x, from, lane - 9, 'call'), plate(x, lane, words.outbox, 'outbox')]);
      return true;
    case MarkKind.RelaySent:
      brush.draw(drop(x, brush.y - 9, lane + SLOT, 'call'), {
        layer: 'back',
        move: (part) => calling(x, brush.y - 9, lane + SLOT, part),
      });
      return true;
    case MarkKind.Declined:
    case MarkKind.Unavailable: {
      const style = mark.kind === MarkKind.Declined ? 'declined' : 'unavailable';
      underWay(brush, lane);
      brush.draw(drop(x, lane - SLOT, lane - 9, 'call'), { layer: 'back' });
      brush.draw(plate(x, lane, `${record?.status ?? ''}`, style));
      return true;
    }
    case MarkKind.ReplyLost:
      underWay(brush, lane);
      brush.draw(lostReply(x, lane - SLOT, lane - LOST));
      brush.sayClear(`between ${mark.to}`, x + 8, words.reply_lost, lane - LOST + 4, 'again', {
        slide: 8,
      });
      return true;
  }
  return false;
}

/** A call is at the vendor until something comes of it. @param {Brush} brush @param {number} lane */
function underWay({ sheet, mark, x }, lane) {
  const from = sheet.calls.get(mark.job);
  if (from === undefined) return;
  sheet.calls.set(mark.job, x);
  sheet.spans.push({ from, to: x, y: lane - SLOT });
}

/**
 * Where a call came from that changed nothing. Where the reply is lost, nobody stands at its other
 * end; a relay stands on the ledger's lane, below the vendor's.
 * @param {Brush} brush @param {number} from @param {number} lane
 */
function replyFrom({ mark, y }, from, lane) {
  if (moneyLane(mark) === mark.lane) return lane - SLOT;
  return lane < y ? y - 9 : from;
}

/** How far a word may stray from what it is about. @param {Brush} brush */
const closeBy = ({ sheet, mark }) => ({
  middle: true,
  slide: sheet.crowded.has(moneyLane(mark)) ? 20 : 60,
});

/**
 * Money leaves where it is kept: at the vendor, if there is one; our own ledger then only notes it.
 * @param {Brush} brush @param {number} from @param {number} lane @param {'once' | 'again'} style
 */
function receipt(brush, from, lane, style) {
  const { sheet, mark, g, x } = brush;
  const noted = g.lanes.vendor > 0 && moneyLane(mark) === g.lanes.ledger;
  const [sign, path] = noted ? [row, `noted ${style}`] : [stub, style];
  const text = sheet.receipt(mark);
  const place = sheet.places.get(mark.event) ?? x;
  // It falls behind what stands on its way, another receipt for one.
  brush.draw(drop(x, from, lane - SLOT, path, place), { layer: 'back', move: () => nothing });
  brush.draw(sign(g, place, lane, text, style), {
    move: (part) => paying(g, x, from, place, lane, text, path, sign, part),
  });
  if (style === 'again') {
    brush.say(`below ${moneyLane(mark)}`, place, [words.again], lane + 34, 'again', closeBy(brush));
  }
}

/** @param {Brush} brush @param {number} from @param {number} lane @param {string[]} texts */
function nothingMoved(brush, from, lane, texts) {
  const { sheet, mark, x } = brush;
  const said = sheet.tight.has(moneyLane(mark)) ? texts.slice(-1) : texts;
  brush.draw(bounced(x, from, lane), {
    layer: 'back',
    move: (part) => bouncing(x, from, lane, part),
  });
  brush.say(`below ${moneyLane(mark)}`, x, said, lane + 20, 'ink', closeBy(brush));
}
