/**
 * Every word that a reader sees comes from text/; here the blanks are filled in.
 *
 * @import { EventRecord } from './core.js'
 */
import { moneyText, spanText } from './core.js';
import { retriable } from './retriable.js';
import page from './text/en/page.json';

export { page };

/**
 * A chapter: its story, its question, its tasks.
 * @typedef {object} Chapter
 * @property {number} number
 * @property {string} name
 * @property {string} title
 * @property {string[]} story
 * @property {Record<string, string>} [opens] what its lab sets when it opens
 * @property {{ label: string, rows: string[][] }} [ticket]
 * @property {{ text: string, answer: number, unit?: string, unit_one?: string, choices: Choice[] }} question
 * @property {{ text: string, hint: string }[]} tasks
 * @property {{ title: string, text: string[] }} takeaway
 * @property {{ title: string, text: string[] }} [yours]
 * @property {import('./views/picture.js').PictureText} [picture]
 * @property {import('./views/picture.js').CompareText} [compare]
 */

/** @typedef {{ value: number, label: string, feedback: string }} Choice */

/** Each is a file of its own, fetched when it is opened. @type {Record<string, () => Promise<{ default: any }>>} */
const chapters = {
  'double-refund': retriable(() => import('./text/en/double-refund.json')),
  keys: retriable(() => import('./text/en/keys.json')),
  backoff: retriable(() => import('./text/en/backoff.json')),
  'timeout-too-short': retriable(() => import('./text/en/timeout-too-short.json')),
  'timeout-too-long': retriable(() => import('./text/en/timeout-too-long.json')),
  checkpoint: retriable(() => import('./text/en/checkpoint.json')),
  errors: retriable(() => import('./text/en/errors.json')),
  attempts: retriable(() => import('./text/en/attempts.json')),
  drain: retriable(() => import('./text/en/drain.json')),
  'two-ledgers': retriable(() => import('./text/en/two-ledgers.json')),
  'open-transaction': retriable(() => import('./text/en/open-transaction.json')),
  'runs-twice': retriable(() => import('./text/en/runs-twice.json')),
};

/** Whether there is a text for it. @param {string} experiment */
export const hasChapter = (experiment) => Object.hasOwn(chapters, experiment);

/**
 * The text of a chapter. Rejects where it cannot be fetched.
 * @param {string} experiment @returns {Promise<Chapter>}
 */
export const chapter = async (experiment) => (await chapters[experiment]()).default;

/** @param {string} template @param {Record<string, unknown>} values */
export const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (blank, name) => {
    const value = values[name];
    if (value === undefined || value === null) return blank;
    if (typeof value === 'number' && name.endsWith('_us')) return spanText(value);
    if (typeof value === 'number' && name === 'cents') return moneyText(value);
    return String(value);
  });

/** @type {Record<string, string>} */
const sentences = { ...page.events };
/** @type {Record<string, string>} */
const settings = { ...page.settings };

const fetchRest = retriable(() => import('./text/en/rest.json'));
let wanted = false;
/** @type {Set<() => void>} */
const listeners = new Set();

/** How long after a failure the words are not asked for again. */
const PAUSE_MS = 5000;

/** Calls when words have come that were not there when they were asked for. @param {() => void} listener */
export function onNewWords(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fetches the words that the first chapter does without. */
export async function allWords() {
  const { events, settings: names } = (await fetchRest()).default;
  Object.assign(sentences, events);
  Object.assign(settings, names);
}

/** One of the other words is wanted. */
async function wantRest() {
  if (wanted) return;
  wanted = true;
  try {
    await allWords();
    for (const listener of listeners) listener();
  } catch {
    setTimeout(() => {
      wanted = false;
    }, PAUSE_MS);
  }
}

/** @param {Record<string, string>} texts @param {string} key the text, or until it has come its name */
function textOf(texts, key) {
  const text = texts[key];
  if (text === undefined) wantRest();
  return text ?? key;
}

/** @type {Record<string, string>} */
const points = page.points;

/** The sentence of an event, the same that the terminal prints. @param {EventRecord} record */
export function sentence(record) {
  const key = record.detail ? `${record.event}.${record.detail}` : record.event;
  const point = record.point && (points[record.point] ?? record.point);
  return fill(textOf(sentences, key), { ...record, point });
}

/** @param {number} count "one refund", "two refunds", … */
export const refunds = (count) =>
  page.verdict.refunds[count] ?? fill(page.verdict.refunds_many, { count });

/** @param {number} count "once", "twice", … */
export const times = (count) =>
  page.verdict.times[count] ?? fill(page.verdict.times_many, { count });

/** @param {number} count "one row", "two rows", … */
export const rows = (count) => page.summary.rows[count] ?? fill(page.summary.rows_many, { count });

const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3_600, 86_400].map((seconds) => seconds * 1_000_000);

/** From a day on hours are whole, from an hour on minutes, from a minute on seconds. */
const WHOLE = [
  [DAY, HOUR],
  [HOUR, MINUTE],
  [MINUTE, SECOND],
];

/** A moment or a span as the picture has it, below a minute in three digits; cut and never rounded up. @param {number} us */
export function shortSpan(us) {
  const digits = Math.floor(Math.log10(Math.max(1, us)));
  const unit = WHOLE.find(([least]) => us >= least)?.[1] ?? 10 ** Math.max(0, digits - 2);
  return spanText(Math.floor(us / unit) * unit);
}

/** @param {string} path */
export const settingName = (path) => textOf(settings, path);
