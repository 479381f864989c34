/** Reads and writes the text of the fault rules: `ATTEMPT:FAULT` or `JOB/ATTEMPT:FAULT`. */

const rules = (/** @type {string} */ text) =>
  text.split(/\s+/).filter((rule) => rule !== '' && rule !== 'none');

/** The attempt that a rule is about, for every job; -1 for a rule about one job only. */
const attemptOf = (/** @type {string} */ rule) => Number(/^(\d+):/.exec(rule)?.[1] ?? -1);

/** The faults planned for an attempt. @param {string} text @param {number} attempt */
export const faultsOf = (text, attempt) =>
  rules(text)
    .filter((rule) => attemptOf(rule) === attempt)
    .map((rule) => rule.slice(rule.indexOf(':') + 1));

/** The highest attempt that a rule names; -1 without rules. @param {string} text */
export const lastAttempt = (text) => Math.max(-1, ...rules(text).map(attemptOf));

/**
 * The text with this fault as the attempt's only one, or without it if it was there.
 * @param {string} text @param {number} attempt @param {string} fault
 */
export function withFault(text, attempt, fault) {
  const others = rules(text).filter((rule) => attemptOf(rule) !== attempt);
  if (!faultsOf(text, attempt).includes(fault)) others.push(`${attempt}:${fault}`);
  others.sort((a, b) => attemptOf(a) - attemptOf(b));
  return others.join(' ') || 'none';
}
