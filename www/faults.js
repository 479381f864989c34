/**
 * Reads and writes the text of the fault rules: `ATTEMPT:FAULT`, or `JOB/ATTEMPT:FAULT` for one
 * job; `*` is every attempt.
 *
 * @typedef {object} Rule
 * @property {string} job its number, or nothing for every job
 * @property {string} attempt its number, with the number of the call if one is named; `*` for all
 * @property {string} point where: `after-write`, or `ack` and `call` for what is sent
 * @property {string} kind what: `crash`, `pause`, `throw`, or the name of what goes wrong there
 * @property {string} span how long a pause lasts
 */

/** With what a vendor can answer that it does not pay: what is offered, and all that a text may name. */
const OFFERED = [400, 402, 429, 500, 503].map((status) => `answer-${status}`);
const isAnswer = (/** @type {string} */ kind) => /^answer-\d+$/.test(kind);

/** What can go wrong with a message that is sent; everywhere else a worker stands between two steps. */
const SENT = /** @type {Record<string, string[]>} */ ({
  ack: ['ack-lost', 'ack-twice', 'replica'],
  call: ['reply-lost', 'late', ...OFFERED],
});

/** Where a message is sent with which this goes wrong. @param {string} kind */
const sentAt = (kind) =>
  isAnswer(kind) ? 'call' : Object.keys(SENT).find((point) => SENT[point].includes(kind));

/** Whether it has a length. @param {string} kind */
export const lasts = (kind) => kind === 'pause' || kind === 'late';

/** Whether it is a relay that passes a point. @param {string} point */
const isOfRelay = (point) => point.startsWith('relay-');

/** What goes wrong at a point if nothing else is said. @param {string} point */
export const usual = (point) =>
  point === 'ack' ? 'ack-lost' : point === 'call' ? 'reply-lost' : 'crash';

/** What may go wrong at a point. @param {string} point */
export const kindsAt = (point) => {
  if (point in SENT) return SENT[point];
  // A relay neither throws nor stands still.
  return isOfRelay(point) ? ['crash'] : ['crash', 'pause', 'throw'];
};

/** How long a pause or a delay is before the reader says otherwise. */
const PAUSE = '45s';

/** @param {string} text @returns {Rule[]} */
export const rulesOf = (text) =>
  text
    .split(/\s+/)
    .filter((rule) => rule !== '' && rule !== 'none')
    .map((rule) => {
      const [place, ...rest] = rule.split(':');
      const what = rest.at(-1) ?? '';
      const [job, attempt] = place.includes('/') ? place.split('/') : ['', place];
      const [name, span = ''] = what.split('~');
      if (rest.length > 1) return { job, attempt, point: name, kind: rest[0], span };
      const point = sentAt(name);
      return point
        ? { job, attempt, point, kind: name, span }
        : { job, attempt, point: name, kind: 'crash', span };
    });

/** @param {Rule} rule */
const ruleText = ({ job, attempt, point, kind, span }) => {
  const time = span && `~${span}`;
  const what = kind === 'crash' ? point : sentAt(kind) ? kind : `${kind}:${point}`;
  return `${job && `${job}/`}${attempt}:${what}${time}`;
};

/** @param {Rule[]} rules */
const textOf = (rules) => rules.map(ruleText).join(' ') || 'none';

/** @param {Rule} rule @param {number} attempt */
const isAbout = (rule, attempt) =>
  rule.attempt === '*' || Number.parseInt(rule.attempt, 10) === attempt;

/** The rules about an attempt. @param {string} text @param {number} attempt */
export const rulesAbout = (text, attempt) => rulesOf(text).filter((rule) => isAbout(rule, attempt));

/** The highest attempt that a rule names; -1 without rules. @param {string} text */
export const lastAttempt = (text) =>
  Math.max(-1, ...rulesOf(text).map(({ attempt }) => Number.parseInt(attempt, 10) || 0));

/**
 * The text with the usual fault at this point of an attempt, or without any if one was there.
 * A worker dies only once in an attempt, so a crash takes the place of another; a relay's is none
 * of its own.
 * @param {string} text @param {number} attempt @param {string} point
 */
export function withFault(text, attempt, point) {
  const rules = rulesOf(text);
  const there = (/** @type {Rule} */ rule) => isAbout(rule, attempt) && rule.point === point;
  if (rules.some(there)) return textOf(rules.filter((rule) => !there(rule)));
  const kind = usual(point);
  const ends = (/** @type {Rule} */ rule) =>
    ['crash', 'ack-lost'].includes(rule.kind) && isOfRelay(rule.point) === isOfRelay(point);
  const left = rules.filter((rule) => !(isAbout(rule, attempt) && ends(rule)));
  left.push({ job: '', attempt: String(attempt), point, kind, span: '' });
  return textOf(
    left.sort((a, b) => Number.parseInt(a.attempt, 10) - Number.parseInt(b.attempt, 10)),
  );
}

/**
 * The text with one of its rules changed.
 * @param {string} text @param {Rule} old @param {Partial<Rule>} change
 */
export function withChange(text, old, change) {
  const known = ruleText(old);
  const next = { ...old, ...change };
  if (change.kind) next.span = lasts(change.kind) ? PAUSE : '';
  return textOf(rulesOf(text).map((rule) => (ruleText(rule) === known ? next : rule)));
}

/** A text that only has this fault, to ask whether it is allowed. @param {string} point @param {string} kind */
export const onlyFault = (point, kind) =>
  ruleText({ job: '', attempt: '0', point, kind, span: lasts(kind) ? PAUSE : '' });
