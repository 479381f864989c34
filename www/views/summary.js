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

/** More workers than these are counted, where the others are each told. */
const TOLD_ONE_BY_ONE = 8;

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
  const few = view.workers.length <= TOLD_ONE_BY_ONE;
  said.push(...(few ? view.workers.flatMap(doing) : []), ...counts(view.workers, few));
  const { paid_cents: paid, owed_cents: owed, ledger_rows: count } = view.verdict;
  said.push(fill(words.money, { paid: moneyText(paid), owed: moneyText(owed) }));
  said.push(fill(words.ledger, { rows: rows(count) }));
  if (view.finished) said.push(words.ended);
  return said;
}

/** What one worker is at; nothing of one that waits. @param {View['workers'][number]} worker */
function doing({ worker, state, job_id: job, attempt, step, stale }) {
  if (state === 'idle') return [];
  if (state === 'down') return [fill(words.down, { worker })];
  if (state === 'stopped') return [fill(words.stopped, { worker })];
  const at = steps[step ?? ''] ?? step;
  return [fill(stale ? words.stale : words.busy, { worker, job, attempt, step: at })];
}

/** How many are at what. @param {View['workers']} all @param {boolean} few whether only those that wait are counted */
function counts(all, few) {
  const of = (/** @type {string} */ text, /** @type {View['workers']} */ some) =>
    some.length ? [fill(text, { workers: workersText(some.length) })] : [];
  const busy = all.filter(({ state }) => state === 'busy');
  return [
    ...(few
      ? []
      : [
          ...of(words.busy_many, busy),
          ...of(
            words.stale_many,
            busy.filter(({ stale }) => stale),
          ),
          ...of(
            words.down_many,
            all.filter(({ state }) => state === 'down'),
          ),
          ...of(
            words.stopped_many,
            all.filter(({ state }) => state === 'stopped'),
          ),
        ]),
    ...of(
      words.idle,
      all.filter(({ state }) => state === 'idle'),
    ),
  ];
}
