/**
 * The handler's code, put together of the steps that this slice has. Each language is a table
 * of lines; what is done when is the core's.
 *
 * @typedef {object} Language
 * @property {string[]} head
 * @property {string[]} resume what a delivery does that finds the checkpoint
 * @property {Record<string, string>} key by the policy for keys
 * @property {Record<string, string>} check by the guard that looks first
 * @property {string[]} insert the row, whatever is there already
 * @property {string} guard the line that makes the insert take each key once
 * @property {string[]} inserted what closes the insert
 * @property {string[]} unless the row, unless the guard has seen one
 * @property {string[]} callUnless the call, unless the vendor has had one
 * @property {Record<string, string[]>} steps all others
 * @property {string[]} tail
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
 */

/** @param {Language} language @param {Handler} handler @returns {CodeLine[]} */
export function compose(language, { program, guard, key }) {
  const plain = (/** @type {string[]} */ lines) => lines.map((text) => ({ text }));
  /** @type {CodeLine[]} */
  const code = plain(language.head);
  if (program.includes('checkpoint')) code.push(...plain(language.resume));
  /** @type {CodeLine} */
  const keyLine = { text: language.key[key] ?? language.key.stable, part: 'key' };
  let named = false;
  for (const [position, step] of program.entries()) {
    // The key is chosen before the first step that uses it.
    if (!named && !['hold', 'connect', 'think', 'fence'].includes(step)) {
      code.push(keyLine);
      named = true;
    }
    for (const line of linesOf(language, step, guard)) code.push({ ...line, position });
  }
  code.push(...plain(language.tail));
  return code;
}

/** @param {Language} language @param {string} step @param {string} guard @returns {CodeLine[]} */
function linesOf(language, step, guard) {
  if (step === 'check') return [{ text: language.check[guard] ?? '', part: 'guard' }];
  const asked = guard === 'ask-the-vendor';
  if (step === 'call' && asked) return language.callUnless.map((text) => ({ text }));
  if (step !== 'write') return (language.steps[step] ?? []).map((text) => ({ text }));
  if (guard in language.check && !asked) return language.unless.map((text) => ({ text }));
  return [
    ...language.insert.map((text) => ({ text })),
    { text: language.guard, part: guard === 'off' ? 'guard-off' : 'guard' },
    ...language.inserted.map((text) => ({ text })),
  ];
}
