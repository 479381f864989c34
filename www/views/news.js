/**
 * One sentence for those who cannot see what their press has changed. A run that plays is
 * silent; the verdict speaks at its end.
 *
 * @import { EventRecord } from '../core.js'
 * @import { Lab, News } from '../lab.js'
 * @import { Part } from '../panels.js'
 * @import { Chapter } from '../words.js'
 */
import { html } from 'lit';
import { spanText } from '../core.js';
import { fill, page, sentence, settingName } from '../words.js';

const words = page.news;

/** The part that knows what goes wrong in an attempt. @typedef {Part<typeof import('./desk.js')>} Desk */

/**
 * @param {Lab} lab
 * @param {Part<Chapter>} chapter there, or on its way, where a task was fulfilled
 * @param {Desk | undefined} desk there, or on its way, where faults have changed
 */
export const news = (lab, chapter, desk) =>
  html`<p class="unseen" role="status">${told(lab.news, lab, chapter, desk).join(' ')}</p>`;

/** Whether its words are not all there at first. @param {News} news */
export const newsNeedsDesk = ({ path }) => path === 'faults';

/** @param {News} news @param {Lab} lab @param {Part<Chapter>} chapter @param {Desk | undefined} desk @returns {string[]} */
function told(
  { cursor, path, value = '', attempt = 0, forked, selected, tasks = [] },
  lab,
  chapter,
  desk,
) {
  // What is on its way is said when it is there, at once and not piece by piece.
  if ((path === 'faults' && isComing(desk)) || (tasks.length && isComing(chapter))) return [];
  const said = [];
  if (cursor !== undefined) said.push(moment(lab.event(cursor - 1)));
  if (selected !== undefined) {
    const record = lab.event(selected);
    if (record) said.push(fill(words.selected, { event: sentence(record) }));
  }
  if (path === 'faults' && desk?.value) said.push(...desk.value.plans(value, attempt));
  else if (path) said.push(fill(words.setting, { name: settingName(path), value }));
  if (path) said.push(forked ? words.goes_on : words.starts_over);
  for (const { text } of tasks.map((task) => chapter.value?.tasks[task] ?? { text: '' })) {
    said.push(fill(words.task, { task: text }));
  }
  return said;
}

/** @param {Part<unknown> | undefined} part */
const isComing = (part) => part && !part.value && part.error === undefined;

/** @param {EventRecord | undefined} record */
const moment = (record) =>
  record
    ? fill(words.moment, { at: spanText(record.at_us), event: sentence(record) })
    : words.start;
