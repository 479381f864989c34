/** What goes wrong in an attempt, in sentences. */

import { spanText } from '../core.js';
import { rulesAbout } from '../faults.js';
import { spanOf } from '../spans.js';
import desk from '../text/en/desk.json';
import { fill, page } from '../words.js';

const words = desk.slice.planned;
/** @type {Record<string, string>} */
const planText = words;
/** @type {Record<string, string>} */
const places = page.points;

/** What is planned for an attempt, in sentences. @param {string} faults @param {number} attempt */
export function plans(faults, attempt) {
  const rules = rulesAbout(faults, attempt);
  if (!rules.length) return [fill(words.none, { attempt })];
  return rules.map(({ kind, point, span }) => {
    const [, after] = point.split('crash@');
    if (after) return fill(words.timed, { attempt, after: spanText(spanOf(after)) });
    const killed = point.startsWith('relay-') && kind === 'crash' ? 'relay' : kind;
    return fill(planText[killed.replace(/-\d+$/, '')] ?? words.other, {
      attempt,
      status: kind.split('-')[1],
      span,
      point: places[point] ?? point,
      rule: `${kind} ${span}`.trim(),
    });
  });
}
