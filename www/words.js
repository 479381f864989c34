/**
 * Every word that a reader sees comes from text/; here the blanks are filled in.
 *
 * @import { EventRecord } from './core.js'
 */
import { moneyText, spanText } from './core.js';
import doubleRefund from './text/en/double-refund.json';
import page from './text/en/page.json';

export { page };

/** @typedef {typeof doubleRefund} Chapter */

/** @type {Record<string, Chapter>} */
const chapters = { 'double-refund': doubleRefund };

/** @param {string} experiment @returns {Chapter | undefined} */
export const chapter = (experiment) => chapters[experiment];

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
const sentences = page.events;
/** @type {Record<string, string>} */
const points = page.points;

/** The sentence of an event, the same that the terminal prints. @param {EventRecord} record */
export function sentence(record) {
  const key = record.detail ? `${record.event}.${record.detail}` : record.event;
  const point = record.point && (points[record.point] ?? record.point);
  return fill(sentences[key] ?? key, { ...record, point });
}

/** @param {number} count "one refund", "two refunds", … */
export const refunds = (count) =>
  page.verdict.refunds[count] ?? fill(page.verdict.refunds_many, { count });

/** @param {number} count "once", "twice", … */
export const times = (count) =>
  page.verdict.times[count] ?? fill(page.verdict.times_many, { count });

/** @param {number} count "one row", "two rows", … */
export const rows = (count) =>
  page.prediction.rows[count] ?? fill(page.prediction.rows_many, { count });

/** A moment or a span as the picture has it: about three digits, cut and never rounded up. @param {number} us */
export function shortSpan(us) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, us))) - 2);
  return spanText(Math.floor(us / unit) * unit);
}

/** @type {Record<string, { name: string, help: string }>} */
const settings = page.settings;

/** @param {string} path */
export const settingName = (path) => settings[path]?.name ?? path;
/** @param {string} path */
export const settingHelp = (path) => settings[path]?.help ?? '';
