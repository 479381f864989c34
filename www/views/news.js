/**
 * One sentence for those who cannot see what their press has changed. A run that plays is
 * silent; the verdict speaks at its end.
 *
 * @import { Run } from '../core.js'
 * @import { News } from '../lab.js'
 * @import { Chapter } from '../words.js'
 */
import { html } from 'lit';
import { spanText } from '../core.js';
import { fill, page, sentence, settingName } from '../words.js';
import { plans } from './slice.js';

const words = page.news;

/** @param {News} news @param {Run} run @param {Chapter} chapter */
export const news = (news, run, chapter) =>
  html`<p class="unseen" role="status">${told(news, run, chapter).join(' ')}</p>`;

/** @param {News} news @param {Run} run @param {Chapter} chapter @returns {string[]} */
function told({ cursor, path, value = '', attempt = 0, tasks = [] }, run, chapter) {
  const said = [];
  if (cursor !== undefined) said.push(moment(run.event(cursor - 1)));
  if (path === 'faults') said.push(...plans(value, attempt));
  else if (path) said.push(fill(words.setting, { name: settingName(path), value }));
  if (path) said.push(words.starts_over);
  for (const task of tasks) said.push(fill(words.task, { task: chapter.tasks[task]?.text ?? '' }));
  return said;
}

/** @param {ReturnType<Run['event']>} record */
const moment = (record) =>
  record
    ? fill(words.moment, { at: spanText(record.at_us), event: sentence(record) })
    : words.start;
