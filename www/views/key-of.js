/** @import { Lab } from '../lab.js' */
import { MarkKind } from '../core.js';
import { pictureOf } from './flat.js';

/**
 * The idempotency key of the first job in the attempt that is chosen, if the run tells it.
 * @param {Lab} lab
 */
export function keyOf(lab) {
  // Not every policy makes a key of the attempt: then one that does not happen would have the same.
  const alike = lab.value('key') !== 'per-attempt' && lab.value('checkpoint') !== 'before-mint';
  return keyIn(lab, lab.attempt) ?? (alike ? keyIn(lab, 0) : undefined) ?? '';
}

/** @param {Lab} lab @param {number} attempt */
function keyIn({ run }, attempt) {
  const { marks, marksOfJob } = pictureOf(run);
  for (const { kind, event } of marksOfJob.get(marks[0]?.job) ?? []) {
    // It is chosen once the work has begun.
    if (kind === MarkKind.Leased) continue;
    const record = run.event(event);
    if (record?.attempt === attempt && record.key) return record.key;
  }
  return undefined;
}
