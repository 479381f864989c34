/** What goes wrong in an attempt, in sentences. */
import { rulesAbout } from '../faults.js';
import { fill, page } from '../words.js';

/** @type {Record<string, string>} */
const planText = page.slice.planned;
/** @type {Record<string, string>} */
const places = page.points;

/** What is planned for an attempt, in sentences. @param {string} faults @param {number} attempt */
export function plans(faults, attempt) {
  const rules = rulesAbout(faults, attempt);
  if (!rules.length) return [fill(page.slice.planned.none, { attempt })];
  return rules.map(({ kind, point, span }) =>
    fill(planText[kind.replace(/-\d+$/, '')] ?? page.slice.planned.other, {
      attempt,
      status: kind.split('-')[1],
      span,
      point: places[point] ?? point,
      rule: `${kind} ${span}`.trim(),
    }),
  );
}
