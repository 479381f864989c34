/**
 * What the queue's lane shows: messages that are sent, taken, come back and are given up.
 *
 * @import { Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 * @import { Rows } from './rows.js'
 * @import { Brush } from './signs.js'
 */

import { MarkKind } from '../../core.js';
import words from '../../text/en/timeline.json';
import { fill, shortSpan } from '../../words.js';
import { token } from './frame.js';
import { tokenWidth } from './geometry.js';
import { disc, travelling, waiting, way, wayDown, wayUp } from './shapes.js';

/** @param {Brush} brush @returns {boolean} whether it was one of these */
export function queue(brush) {
  const { sheet, mark, g, x, y } = brush;
  const y0 = g.yOfJob(Math.max(0, mark.job));
  const last = lastToken(brush);
  switch (mark.kind) {
    case MarkKind.Sent:
      message(brush, x - g.curve - tokenWidth(brush.record?.job_id ?? ''), 'full');
      return true;
    case MarkKind.Leased: {
      const curve = wayDown(g, x, y0, g.y(mark.to), last.returned);
      brush.draw(way(curve), { layer: 'back', move: (part) => travelling(curve, part) });
      if (sheet.jobs > 1) {
        const job = brush.record?.job_id ?? '';
        brush.sayAlong(brush.row(mark.to, -1), x + 2, worked(brush), job, g.y(mark.to) - 20);
      }
      if (x - g.curve > last.taken) {
        brush.draw(waiting(last.taken, x - g.curve, y0), { layer: 'back' });
      }
      return true;
    }
    case MarkKind.Expired:
    case MarkKind.GaveBack: {
      const curve = wayUp(g, x, y, y0);
      brush.draw(way(curve), { layer: 'back', move: (part) => travelling(curve, part) });
      const width = tokenWidth(brush.record?.job_id ?? '');
      last.returned = message(brush, Math.min(x + 10, g.edge - width - 1), 'outline');
      if (mark.kind === MarkKind.GaveBack) {
        brush.draw(disc(x, y, 'back', 'back'));
        if (!stops(brush)) brush.above(words.gave_back);
      }
      return true;
    }
    case MarkKind.Dead:
      brush.draw(disc(x + 10, y0, 'crash', 'cross'));
      brush.say(`below job ${mark.job}`, x, [words.dead], y0 + 26, 'again', { slide: 120 });
      return true;
    case MarkKind.Returned:
      return true;
  }
  return false;
}

/** Whether the worker stops as it gives its message back: that is what is said then. @param {Brush} brush */
const stops = ({ sheet, mark }) =>
  sheet.picture.marks.some(
    ({ kind, lane, at }) => kind === MarkKind.Stopped && lane === mark.lane && at === mark.at,
  );

/** How far to the right somebody works under the lease that begins here. @param {Brush} brush */
function worked({ sheet: { picture }, mark, g }) {
  const lease = picture.leases.find(({ lane, from }) => lane === mark.to && from === mark.at);
  const ended = lease?.ended ?? mark.at;
  const crash = picture.marks.find(
    ({ kind, lane, at }) =>
      kind === MarkKind.Crashed && lane === mark.to && at >= mark.at && at <= ended,
  );
  return g.x(crash?.at ?? ended);
}

/** Where the job's last token begins, and where it ends. @param {Brush} brush */
function lastToken({ sheet, mark }) {
  const last = sheet.last.get(mark.job) ?? { returned: 0, taken: 0 };
  sheet.last.set(mark.job, last);
  return last;
}

/** A message in its row; without its name where the last one still stands. @param {Brush} brush @param {number} from @param {'full' | 'outline'} style */
function message(brush, from, style) {
  const { sheet, mark, g } = brush;
  const lease = sheet.nextLease.get(mark.event);
  const job = brush.record?.job_id ?? '';
  const again = fill(words.job_again, { job });
  const room = (lease ? g.x(lease.at) - g.curve : g.width) - from;
  const last = lastToken(brush);
  const [left, text] =
    from < last.taken
      ? [Math.min(last.taken + 2, g.edge - tokenWidth('') - 1), '']
      : [from, style === 'outline' && tokenWidth(again) < room ? again : job];
  brush.draw(token(left, g.yOfJob(mark.job), text, style), { layer: 'tokens', gone: lease?.event });
  last.taken = left + tokenWidth(text);
  return left;
}

/**
 * The waits of the backoff: with words above the row of a single job, under each row of several.
 * @param {Picture} picture @param {Geometry} g @param {Rows} rows @param {number} jobs
 */
export const waits = ({ waitsOfJob }, g, rows, jobs) =>
  [...waitsOfJob].flatMap(([job, bars]) =>
    bars.map(({ start, end }, i) => {
      const [from, to] = [g.x(start), g.x(end)];
      const y = g.yOfJob(job) + (jobs > 1 ? 16 : -18);
      if (jobs > 1) return { from, to, y, place: undefined };
      const next = bars[i + 1];
      const texts = words.backoff.map((text) => fill(text, { wait: shortSpan(end - start) }));
      const how = next ? { until: g.x(next.start) - 6, slide: 4 } : {};
      return { from, to, y, place: rows.place('wait', from, texts, how) };
    }),
  );
