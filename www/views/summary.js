/**
 * Where the run is, in words, for those who cannot see the picture. It is kept up to date and
 * does not speak by itself.
 *
 * @import { View } from '../pkg/at_least_once.js'
 * @import { EventRecord, Run } from '../core.js'
 */
import { html } from 'lit';
import { moneyText, spanText } from '../core.js';
import { fill, page, rows, sentence } from '../words.js';

const words = page.summary;
/** @type {Record<string, string>} */
const steps = page.steps;

/** @param {string[]} few @param {string} many @param {number} count */
const counted = (few, many, count) => few[count] ?? fill(many, { count });
const workersText = (/** @type {number} */ count) =>
  counted(words.workers, words.workers_many, count);

/** @param {Run} run @param {View} view @param {EventRecord | undefined} last */
export const summary = (run, view, last) => html`
  <p class="unseen" role="note" aria-label=${page.labels.summary}>${told(run, view, last).join(' ')}</p>`;

/** @param {Run} run @param {View} view @param {EventRecord | undefined} last */
function told({ summary }, view, last) {
  if (!last) {
    const jobs = counted(words.jobs, words.jobs_many, summary.jobs);
    return [fill(words.start, { jobs, workers: workersText(summary.workers) })];
  }
  const said = [
    fill(words.at, {
      at: spanText(last.at_us),
      end: spanText(summary.end_us),
      event: sentence(last),
    }),
  ];
  let idle = 0;
  for (const { worker, state, job_id: job, attempt, step, stale } of view.workers) {
    if (state === 'idle') idle += 1;
    else if (state === 'down') said.push(fill(words.down, { worker }));
    else {
      const at = steps[step ?? ''] ?? step;
      said.push(fill(stale ? words.stale : words.busy, { worker, job, attempt, step: at }));
    }
  }
  if (idle > 0) said.push(fill(words.idle, { workers: workersText(idle) }));
  const { paid_cents: paid, owed_cents: owed, ledger_rows: count } = view.verdict;
  said.push(fill(words.money, { paid: moneyText(paid), owed: moneyText(owed) }));
  said.push(fill(words.ledger, { rows: rows(count) }));
  if (view.finished) said.push(words.ended);
  return said;
}
