/**
 * A run as plain HTML, for the place between the tags: what readers see where there is no script
 * and no WebAssembly. In here everything is text until it is escaped, once.
 */
import { load, moneyText, Simulation, spanText } from '../core.js';
import words from '../text/en/embed.json';
import { allWords, chapter, fill, sentence } from '../words.js';

const ESCAPES = /** @type {Record<string, string>} */ ({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
});

/** A long run is told to here. */
const MOST_ROWS = 60;

/** @param {unknown} text */
export const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);

/** @param {string[]} cells @param {'td' | 'th'} kind */
const row = (cells, kind) =>
  `<tr>${cells.map((cell) => `<${kind}>${escaped(cell)}</${kind}>`).join('')}</tr>`;

/**
 * The story of a run in a table, its verdict, and a link to where it can be tried.
 * @param {string} experiment @param {Record<string, string>} settings
 * @param {string} [href] where the lesson is
 */
export async function fallback(experiment, settings, href) {
  await load();
  const [text] = await Promise.all([chapter(experiment), allWords()]);
  const simulation = new Simulation(experiment, settings);
  const { summary } = simulation.run();
  const events = simulation.events(0, MOST_ROWS);
  simulation.free();
  const { paid_cents: paid, owed_cents: owed } = summary.verdict;
  const rows = events.map((record) => row([spanText(record.at_us), sentence(record)], 'td'));
  const verdict = fill(words.fallback.verdict, { paid: moneyText(paid), owed: moneyText(owed) });
  const link = href && `<p><a href="${escaped(href)}">${escaped(words.fallback.link)}</a></p>`;
  return [
    `<p><strong>${escaped(text.title)}</strong></p>`,
    '<table>',
    `<caption>${escaped(verdict)}</caption>`,
    `<thead>${row([words.fallback.time, words.fallback.event], 'th')}</thead>`,
    `<tbody>${rows.join('')}</tbody>`,
    '</table>',
    ...(link ? [link] : []),
  ].join('\n');
}
