/**
 * One sentence for those who cannot see what their press has changed. A run that plays is
 * silent; the verdict speaks at its end.
 *
 * @import { EventRecord } from '../core.js'
 * @import { Lab, News } from '../lab.js'
 * @import { Chapter } from '../words.js'
 */
import { html } from 'lit';
import { spanText } from '../core.js';
import { fill, page, sentence, settingName } from '../words.js';
import { plans } from './plans.js';

const words = page.news;

/** @param {News} news @param {Lab} lab @param {Chapter} chapter */
export const news = (news, lab, chapter) =>
  html`<p class="unseen" role="status">${told(news, lab, chapter).join(' ')}</p>`;

/** @param {News} news @param {Lab} lab @param {Chapter} chapter @returns {string[]} */
function told(
  { cursor, path, value = '', attempt = 0, forked, selected, tasks = [] },
  lab,
  chapter,
) {
  const said = [];
  if (cursor !== undefined) said.push(moment(lab.event(cursor - 1)));
  if (selected !== undefined) {
    const record = lab.event(selected);
    if (record) said.push(fill(words.selected, { event: sentence(record) }));
  }
  if (path === 'faults') said.push(...plans(value, attempt));
  else if (path) said.push(fill(words.setting, { name: settingName(path), value }));
  if (path) said.push(forked ? words.goes_on : words.starts_over);
  for (const task of tasks) said.push(fill(words.task, { task: chapter.tasks[task]?.text ?? '' }));
  return said;
}

/** @param {EventRecord | undefined} record */
const moment = (record) =>
  record
    ? fill(words.moment, { at: spanText(record.at_us), event: sentence(record) })
    : words.start;
