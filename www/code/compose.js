/**
 * The handler's code, put together of the steps that this slice has, and behind an outbox its
 * relay's. Each language is a table of lines; what is done when is the core's.
 *
 * @import { Around, Block, Language, Replacement } from './language.js'
 *
 * @typedef {object} Retry
 * @property {boolean} silence whether no answer is final
 * @property {boolean} no whether a 4xx is
 * @property {string} how a failed attempt comes back
 * @property {number} tries how often an attempt calls at most
 *
 * @typedef {object} CodeLine
 * @property {string} text
 * @property {number[]} [positions] the places in the program of the step that it belongs to: one
 *   for each refund
 * @property {'key' | 'guard' | 'guard-off'} [part]
 * @property {string} [struck] what of it is left out
 *
 * @typedef {object} Notes the comments
 * @property {string} unique
 * @property {string} not_unique
 * @property {string} row_each
 * @property {string} new_key what a retry does that finds a checkpoint of before the work
 *
 * @typedef {object} Handler
 * @property {{ step: string, refund: number }[]} program the steps, in order; refunds count from 1
 * @property {string} guard
 * @property {string} claim what one that is found means
 * @property {string} key the policy for keys
 * @property {string} checkpoint where it is
 * @property {{ order: string, key: string }} relay in which order it sends and marks, and where its
 *   key is chosen
 * @property {Retry | null} retry nothing where the experiment is not about it
 */

/** So many characters stand beside the picture in a window of 1280 px. */
export const WIDTH = 50;
/** What is done once for a job, before its refunds. */
const ONCE = ['hold', 'connect', 'think', 'fence', 'ack'];
/** The policies whose keys name the refund. */
const NAMED = ['stable', 'per-attempt'];

/** @param {Language} language @param {Handler} handler @param {Notes} notes @returns {CodeLine[]} */
export function compose(language, handler, notes) {
  const slice = sliceOf(handler);
  const { program, body, several } = slice;
  const once = program.slice(0, body.from);
  const after = program.slice(body.from + body.length * slice.refunds);
  const step = (/** @type {number} */ i) => stepAt(language, slice, notes, i);
  const refund = [
    ...(several && slice.saves ? plain(language.each.skip) : []),
    ...(several && slice.mints ? plain(language.each.past) : []),
    ...keyLines(language, slice),
    ...claimed(
      language,
      slice,
      Array.from({ length: body.length }, (_, i) => step(body.from + i)),
    ),
  ];
  const { open, close } = language.each;
  const lines = [
    ...plain(language.head),
    ...indented(language, [
      ...resumed(language, slice),
      ...(slice.has('think') ? [] : amount(language, slice)),
      ...once.flatMap((_, i) => step(i)),
      ...(several ? [...plain(open), ...indented(language, refund), ...plain(close)] : refund),
      ...after.flatMap((_, i) => step(program.length - after.length + i)),
    ]),
    ...plain(language.tail),
    ...(slice.has('start') ? relay(language, handler) : []),
  ];
  return lines.flatMap((line) => broken(language, line));
}

/** @typedef {ReturnType<typeof sliceOf>} Slice */

/** @param {Handler} handler */
function sliceOf(handler) {
  const { program, key, checkpoint } = handler;
  const has = (/** @type {string} */ step) => program.some((line) => line.step === step);
  const refunds = Math.max(...program.map((line) => line.refund));
  const from = program.findIndex(({ step }) => !ONCE.includes(step));
  const rest = program.slice(from);
  const end = rest.findIndex(({ step, refund }) => step === 'ack' || refund > 1);
  const mints = has('checkpoint') && !has('start') && checkpoint === 'before-mint';
  return {
    ...handler,
    has,
    refunds,
    several: refunds > 1,
    /** The steps of one refund. */
    body: { from, length: end < 0 ? rest.length : end },
    mints,
    /** Whether a claim that is found is taken for done. */
    skips: handler.claim !== 'in-progress-release',
    /** Whether a claim is in progress until the row is there. */
    opens: has('claim') && handler.claim !== 'done',
    /** Whether each refund has a checkpoint behind it. */
    saves: has('checkpoint') && checkpoint === 'after',
    /** Whether no attempt has a key. */
    keyless: key === 'none' && !mints,
  };
}

/** @param {string[]} lines @returns {CodeLine[]} */
const plain = (lines) => lines.map((text) => ({ text }));

/** @param {string[]} lines @returns {CodeLine[]} */
const keyed = (lines) => lines.map((text) => ({ text, part: 'key' }));

/** @param {Pick<Language, 'indent'>} language @param {CodeLine[]} lines */
const indented = ({ indent }, lines) =>
  lines.map((line) => ({ ...line, text: line.text && indent + line.text }));

/** Effect and row stand within a claim that is new. @param {Language} language @param {Slice} slice @param {CodeLine[][]} steps */
function claimed({ indent, claim }, { program, body }, steps) {
  const names = steps.map((_, i) => program[body.from + i].step);
  const from = names.indexOf('claim') + 1;
  if (!from) return steps.flat();
  const to = names.indexOf('write') + 1;
  const inner = indented({ indent }, steps.slice(from, to).flat());
  return [
    ...steps.slice(0, from).flat(),
    ...inner,
    ...plain(claim.close),
    ...steps.slice(to).flat(),
  ];
}

/** A line that is too long, in several. @param {Language} language @param {CodeLine} line @returns {CodeLine[]} */
function broken(language, line) {
  if (line.text.length <= WIDTH) return [line];
  const own = line.text.trimStart();
  const lead = line.text.slice(0, -own.length);
  for (const [from, to] of breaksOf(language, own, WIDTH - lead.length)) {
    const parts = own.replace(from, to).split('\n');
    if (parts.length === 1) continue;
    return parts.flatMap((part) => broken(language, { ...line, text: lead + part }));
  }
  return [line];
}

/** @param {Language} language @param {string} text @param {number} room @returns {Replacement[]} */
function breaksOf({ comment, breaks }, text, room) {
  if (!text.startsWith(comment)) return breaks;
  const space = text.lastIndexOf(' ', room);
  return [[text, `${text.slice(0, space)}\n${comment}${text.slice(space + 1)}`]];
}

/** @param {string[]} lines @param {Replacement[]} pairs */
const replaced = (lines, ...pairs) =>
  lines.map((text) => pairs.reduce((line, [from, to]) => line.replace(from, to), text));

/** Puts an expression, of one line or more, where it is used. @param {string[]} lines @param {Around} pair */
const around = (lines, [before, behind]) =>
  lines.map((line, i) => (i ? '' : before) + line + (i === lines.length - 1 ? behind : ''));

/** What a delivery does that finds the work done. @param {Language} language @param {Slice} slice */
function resumed({ resume }, { has, several, mints, saves }) {
  if (has('start')) return several ? [] : plain(resume.started);
  return has('checkpoint') && !mints && !(several && saves) ? plain(resume.refunded) : [];
}

/** What is to be paid. @param {Language} language @param {Slice} slice */
function amount({ several: differently, think, kept, given }, { has, several, mints, saves }) {
  if (!has('think')) return plain(several ? differently.given : given);
  const lines = mints || (several && saves) ? kept : think;
  return plain(several ? replaced(lines, differently.amount) : lines);
}

/** The key, as it is chosen; nothing where no attempt has one. @param {Language} language @param {Slice} slice @returns {CodeLine[]} */
function keyLines(language, { key: policy, keyless, mints, several }) {
  if (keyless) return [];
  const { key, declare, none } = language;
  const named = several && NAMED.includes(policy);
  const chosen = named ? replaced(key[policy], language.several.key) : key[policy];
  const lines =
    policy === 'none'
      ? none.maybe.declare
      : around(chosen, mints ? declare.changing : declare.constant);
  return keyed(lines);
}

/**
 * @param {Language} language @param {Slice} slice @param {Notes} notes @param {number} i its
 *   place in the program, among the first refund's steps where it is one of a refund
 */
function stepAt(language, slice, notes, i) {
  const { step, refund } = slice.program[i];
  const { from, length } = slice.body;
  const repeats = i >= from && i < from + length ? slice.refunds - refund : 0;
  const positions = Array.from({ length: repeats + 1 }, (_, times) => i + times * length);
  return linesOf(language, slice, notes, step, i).map((line) => ({ positions, ...line }));
}

/**
 * @param {Language} language @param {Slice} slice @param {Notes} notes @param {string} step
 * @param {number} i @returns {CodeLine[]}
 */
function linesOf(language, slice, notes, step, i) {
  const { guard, key, several, keyless, mints, saves } = slice;
  const { none } = language;
  const row = key === 'none' ? none.row(several) : undefined;
  const ofRow = (/** @type {string[]} */ lines) =>
    plain(row ? replaced(lines, [/&?\bkey\b/g, row.value]) : lines);
  switch (step) {
    case 'think':
      return amount(language, slice);
    case 'check': {
      const look = language.check[guard] ?? [];
      const asked = keyless ? replaced(look, none.asked) : look;
      const lines = guard === 'ask-the-vendor' ? plain(asked) : ofRow(look);
      return lines.map((line) => ({ ...line, part: 'guard' }));
    }
    case 'claim':
      return claimOf(language, slice, ofRow);
    case 'call':
      return callAt(language, slice, i, ofRow);
    case 'write':
      return [
        ...writeOf(language, slice, notes, row, ofRow),
        ...(slice.opens ? ofRow(replaced(language.claim.done, ...inside(language, slice))) : []),
        ...committed(language, slice),
      ];
    case 'start':
      return startOf(language, slice);
    case 'checkpoint': {
      const { after, started } = language.checkpoint;
      if (!mints) return plain(several && saves ? replaced(after, language.several.done) : after);
      return minted(language, slice, started, notes.new_key);
    }
    default:
      return plain(language.steps[step] ?? []);
  }
}

/** A retry finds the checkpoint, and makes a new key in the place of saving it. @param {Language} language @param {Slice} slice @param {string[]} saved @param {string} note @returns {CodeLine[]} */
function minted(language, { key: policy, several }, saved, note) {
  const { key, declare, none, started } = language;
  const fresh = several ? replaced(key['per-attempt'], language.several.key) : key['per-attempt'];
  const lines = around(fresh, policy === 'none' ? none.maybe.assign : declare.assign);
  const mark = (/** @type {string[]} */ of) =>
    plain(several ? replaced(of, language.several.started) : of);
  return [
    ...mark(started.found),
    ...indented(language, [{ text: language.comment + note }, ...keyed(lines)]),
    ...plain(started.otherwise),
    ...indented(language, mark(saved)),
    ...plain(started.end),
  ];
}

/** @param {Language} language @param {Block} block @param {CodeLine[]} lines @returns {CodeLine[]} */
const within = (language, { open, close }, lines) => [
  ...plain(open),
  ...indented(language, lines),
  ...plain(close),
];

/** What is done with what a claim comes upon. @param {Language} language @param {Slice} slice @param {(lines: string[]) => CodeLine[]} ofRow */
function claimOf(language, { skips, retry }, ofRow) {
  const { claim, answers } = language;
  if (skips) return ofRow(claim.open);
  const again = answers.again[retry?.how ?? 'nack'];
  return [
    ...ofRow(claim.asked),
    ...within(language, claim.busy, plain(again)),
    ...plain(claim.fresh),
  ];
}

/** The call, within what a guard that looks right before it leaves to do. @param {Language} language @param {Slice} slice @param {number} i @param {(lines: string[]) => CodeLine[]} ofRow */
function callAt(language, slice, i, ofRow) {
  const before = slice.program.slice(0, i).filter((other) => other.step !== 'check-lease');
  const lines = callOf(language, slice, ofRow);
  return before.at(-1)?.step === 'check' ? within(language, language.unseen, lines) : lines;
}

/** @param {Language} language @param {Slice} slice @param {(lines: string[]) => CodeLine[]} ofRow */
function callOf(language, { retry, key, keyless, opens }, ofRow) {
  const { none, call, answers, claim, tries } = language;
  const unkeyed = keyless ? none.call : none.maybe.call;
  const sent = (/** @type {string[]} */ lines) =>
    plain(key === 'none' ? replaced(lines, unkeyed) : lines);
  if (!retry) return sent(call);
  return [
    ...sent(retry.tries > 1 ? replaced(answers.call, timed(tries, retry.tries)) : answers.call),
    ...plain(retry.silence ? answers.silence : []),
    ...plain(retry.no ? answers.no : []),
    ...within(language, answers.failed, [
      ...(opens ? ofRow(claim.release) : []),
      ...plain(answers.again[retry.how] ?? []),
    ]),
  ];
}

/** @param {Replacement} pair @param {number} tries @returns {Replacement} */
const timed = ([what, by], tries) => [what, by.replace('{tries}', `${tries}`)];

/**
 * @param {Language} language @param {Slice} slice @param {Notes} notes
 * @param {{ column: string } | undefined} row what it is known by where there is no key
 * @param {(lines: string[]) => CodeLine[]} ofRow @returns {CodeLine[]}
 */
function writeOf(language, slice, notes, row, ofRow) {
  const { guard } = slice;
  const { insert, comment, unless } = language;
  const open = inside(language, slice);
  const looks = guard in language.check && guard !== 'ask-the-vendor';
  const unique = guard !== 'off' && !looks;
  const part = unique ? 'guard' : 'guard-off';
  const column = row?.column ?? 'key';
  const sql = (/** @type {string[]} */ lines) => replaced(lines, ['(key', `(${column}`]);
  const note = (unique ? notes.unique : looks ? notes.not_unique : notes.row_each).replace(
    '{column}',
    column,
  );
  // It is about the table, not done by anybody.
  const noted = { text: comment + note, positions: [] };
  if (looks) return [noted, ...ofRow(replaced(unless, ...open))];
  const [conflict] = sql([insert.conflict]);
  return [
    { ...noted, part },
    ...plain(sql(replaced(insert.open, ...open))),
    {
      text: insert.indent + conflict + insert.end,
      part,
      ...(unique ? {} : { struck: conflict }),
    },
    ...ofRow(replaced(insert.close, ...open)),
  ];
}

/** What is said differently in a transaction that was opened at the start. @param {Language} language @param {Slice} slice */
const inside = (language, { has }) => (has('connect') ? language.within : []);

/** The end of a transaction that was opened at the start. @param {Language} language @param {Slice} slice */
function committed({ commit }, { has, several }) {
  if (!has('connect')) return [];
  return plain(several ? commit.chained : commit.once);
}

/** The job's mark and the outbox's row, in one transaction. @param {Language} language @param {Slice} slice */
function startOf(language, slice) {
  const { start, none, several } = language;
  const inner = replaced(
    start.body,
    ...(slice.keyless ? [none.outbox] : []),
    ...(slice.several ? [several.started] : []),
  );
  if (slice.has('connect')) return [...plain(inner), ...committed(language, slice)];
  const body = start.nests ? indented(language, plain(inner)) : plain(inner);
  return [...plain(start.open), ...body, ...plain(start.close)];
}

/** @param {Language} language @param {Handler} handler @returns {CodeLine[]} */
function relay(language, { key: policy, relay }) {
  const { head, amount, key, mint, mark } = language.relay;
  const mints = relay.key === 'send';
  const keyless = policy === 'none' && !mints;
  const send = plain(keyless ? replaced(language.call, language.none.call) : language.call);
  const chosen = around(mints ? mint : key, language.declare.constant);
  const steps =
    relay.order === 'mark-then-publish' ? [...plain(mark), ...send] : [...send, ...plain(mark)];
  return [
    { text: '' },
    ...plain(head),
    ...indented(language, [...plain(amount), ...(keyless ? [] : keyed(chosen)), ...steps]),
    ...plain(language.tail),
  ];
}
