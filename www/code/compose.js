/**
 * The handler's code, put together of the steps that this slice has. Each language is a table
 * of lines; what is done when is the core's.
 *
 * @typedef {object} Language
 * @property {string[]} head
 * @property {string[]} resume what a delivery does that finds the checkpoint
 * @property {Record<string, string>} key by the policy for keys
 * @property {[string, string]} keyless what of a call falls away without a key, and what is there instead
 * @property {string} amount the line that has it where nobody decides on it
 * @property {Record<string, string>} check by the guard that looks first
 * @property {string[]} insert the row, whatever is there already
 * @property {string} guard the line that makes the insert take each key once
 * @property {string[]} inserted what closes the insert
 * @property {string[]} unless the row, unless the guard has seen one
 * @property {string[]} callUnless the call, unless the guard has seen a payment
 * @property {Answers} answers what becomes of the vendor's answer
 * @property {Record<string, string[]>} steps all others
 * @property {string[]} tail
 *
 * @typedef {object} Answers
 * @property {string[]} call the call, with its answer at hand
 * @property {string[]} silence taken for a no
 * @property {string[]} no a 4xx taken for one
 * @property {Record<string, string[]>} again what is tried again, by how it comes back
 *
 * @typedef {object} Retry
 * @property {boolean} silence whether no answer is final
 * @property {boolean} no whether a 4xx is
 * @property {string} how a failed attempt comes back
 *
 * @typedef {object} CodeLine
 * @property {string} text
 * @property {number} [position] the place in the program of the step that it belongs to
 * @property {'key' | 'guard' | 'guard-off'} [part]
 *
 * @typedef {object} Handler
 * @property {string[]} program the names of the steps, in order
 * @property {string} guard
 * @property {string} key the policy for keys
 * @property {Retry | null} retry nothing where the experiment is not about it
 */

/** @param {Language} language @param {Handler} handler @returns {CodeLine[]} */
export function compose(language, { program, guard, key, retry }) {
  const plain = (/** @type {string[]} */ lines) => lines.map((text) => ({ text }));
  /** @type {CodeLine[]} */
  const code = plain(language.head);
  if (program.includes('checkpoint')) code.push(...plain(language.resume));
  if (!program.includes('think')) code.push({ text: language.amount });
  // Where none goes to the vendor, our own row has one all the same.
  /** @type {CodeLine} */
  const keyLine = { text: language.key[key] ?? language.key.stable, part: 'key' };
  let named = false;
  for (const [position, step] of program.entries()) {
    // The key is chosen before the first step that uses it.
    if (!named && !['hold', 'connect', 'think', 'fence'].includes(step)) {
      code.push(keyLine);
      named = true;
    }
    const before = program.slice(0, position).findLast((other) => other !== 'check-lease');
    const lines =
      step === 'call'
        ? callOf(language, key, before === 'check', retry)
        : linesOf(language, step, guard);
    for (const line of lines) code.push({ ...line, position });
  }
  code.push(...plain(language.tail));
  return code;
}

/**
 * @param {Language} language @param {string} key @param {boolean} checked
 * @param {Retry | null} retry @returns {CodeLine[]}
 */
function callOf({ steps, callUnless, answers, keyless }, key, checked, retry) {
  const handled = () => [
    ...answers.call,
    ...(retry?.silence ? answers.silence : []),
    ...(retry?.no ? answers.no : []),
    ...(answers.again[retry?.how ?? ''] ?? []),
  ];
  const lines = checked ? callUnless : retry ? handled() : steps.call;
  const [argument, instead] = keyless;
  return lines.map((text) => ({ text: key === 'none' ? text.replace(argument, instead) : text }));
}

/** @param {Language} language @param {string} step @param {string} guard @returns {CodeLine[]} */
function linesOf(language, step, guard) {
  if (step === 'check') return [{ text: language.check[guard] ?? '', part: 'guard' }];
  const asked = guard === 'ask-the-vendor';
  if (step !== 'write') return (language.steps[step] ?? []).map((text) => ({ text }));
  if (guard in language.check && !asked) return language.unless.map((text) => ({ text }));
  return [
    ...language.insert.map((text) => ({ text })),
    { text: language.guard, part: guard === 'off' ? 'guard-off' : 'guard' },
    ...language.inserted.map((text) => ({ text })),
  ];
}
