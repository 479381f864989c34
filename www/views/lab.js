/**
 * One lab, from its question to its log: which view gets what of the state.
 *
 * @import { Refused } from '../core.js'
 * @import { Lab } from '../lab.js'
 * @import { Chapter } from '../words.js'
 */
import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { spanText } from '../core.js';
import { sentence } from '../words.js';
import { controls } from './controls.js';
import { messages } from './messages.js';
import { news } from './news.js';
import { feedback, prediction } from './prediction.js';
import { slice } from './slice.js';
import { attemptsTable, ledgerTable, logTable } from './tables.js';
import { tasks } from './tasks.js';
import { legend, timeline } from './timeline.js';
import { transport } from './transport.js';
import { verdict } from './verdict.js';

/** Below this width the log has two columns. */
const NARROW = 760;

/** So many rows of the log are shown: the newest. */
const ROWS = 200;

/**
 * @typedef {object} LabData
 * @property {Lab} lab
 * @property {Chapter} text
 * @property {Refused[]} refused attributes that were not taken
 * @property {number} width of the picture; 0 before it is known
 */

/** @param {LabData} data */
export function labView({ lab, text, refused, width }) {
  const { run, view, cursor } = lab;
  const last = run.event(cursor - 1);
  const narrow = width < NARROW;
  return html`
    ${messages({
      settings: run.settings,
      refused: refused,
      restarted: lab.restarted,
      close: () => lab.closeMessage(),
    })}
    <div class="lab">
      ${prediction({
        question: text.question,
        said: lab.said,
        outcome: lab.outcome,
        predict: (rows) => lab.predict(rows),
      })}
      ${slice({
        faults: lab.value('faults'),
        guard: lab.value('guard'),
        key: run.events(0, ROWS).find((record) => record.key)?.key ?? '',
        attempt: lab.attempt,
        maxAttempts: Number(lab.value('queue.max_attempts')),
        toggle: (fault) => lab.toggleFault(fault),
        choose: (attempt) => lab.choose(attempt),
        setGuard: (on) => lab.setGuard(on),
      })}
      ${transport({
        playing: lab.playing,
        atStart: cursor === 0 && lab.ms === 0,
        atEnd: lab.ended,
        ms: lab.ms,
        endMs: lab.axis.endMs,
        time: spanText(last?.at_us === lab.us ? lab.us : rounded(lab.us, run.summary.end_us)),
        last: last ? sentence(last) : '',
        run: () => lab.play(),
        pause: () => lab.pause(),
        step: () => lab.step(1),
        stepBack: () => lab.step(-1),
        restart: () => lab.restart(),
        seek: (ms) => lab.seek(ms),
      })}
      <div class="picture">
        ${
          width
            ? timeline({
                run,
                axis: lab.axis,
                cursor,
                us: lab.us,
                width: width,
                touched: lab.touched,
              })
            : nothing
        }
        ${legend(run)}
      </div>
      ${verdict({
        run,
        soFar: view.verdict,
        ended: lab.ended,
        feedback: feedback(text.question, lab.said, run.summary.verdict.ledger_rows),
      })}
      ${tasks(text.tasks, lab.done)}
      ${guard([run, lab.refused], () =>
        controls({
          settings: run.settings.filter(({ path }) => !lab.locked(path)),
          refused: lab.refused,
          set: (path, value) => lab.set(path, value),
          newSeed: () => lab.newSeed(),
        }),
      )}
      <div class="tables">
        <div>${attemptsTable(view.attempts, run.summary.jobs > 1)}</div>
        <div>${ledgerTable(view.ledger)}</div>
      </div>
      <div class="log">
        ${guard([run, cursor, narrow], () => logTable(run.events(cursor - ROWS, cursor), narrow))}
      </div>
    </div>
    ${news(lab.news, run, text)}`;
}

/** A moment between two events, without digits that nobody can read. @param {number} us @param {number} end */
function rounded(us, end) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(end / 100)));
  // Cut off, never rounded up: a moment before an event never reads as the event's.
  return Math.floor(us / unit) * unit;
}
