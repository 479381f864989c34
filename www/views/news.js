/**
 * One sentence for those who cannot see what their press has changed. A run that plays is
 * silent. At its end the verdict speaks, and says this first: two voices at once are none.
 *
 * @import { EventRecord } from '../core.js'
 * @import { Lab } from '../lab.js'
 * @import { Chapter } from '../words.js'
 */
import { spanText } from '../core.js';
import { fill, page, refusal, sentence, settingName } from '../words.js';
import { plans } from './plans.js';

const words = page.news;

/** Whether it belongs to the end of a run. @param {Lab} lab */
export const isOfEnd = ({ ended, news }) =>
  ended && news.selected === undefined && news.refused === undefined;

/** @param {Lab} lab @param {Chapter} chapter */
export function told(lab, chapter) {
  const { cursor, path, value = '', attempt = 0, forked, selected, refused, tasks = [] } = lab.news;
  const said = [];
  const error = lab.refused.get(refused ?? '');
  if (error) said.push(refusal(error));
  if (cursor !== undefined) said.push(moment(lab.event(cursor - 1)));
  if (selected !== undefined) {
    const record = lab.event(selected);
    if (record) said.push(fill(words.selected, { event: sentence(record) }));
  }
  if (path === 'faults') said.push(...plans(value, attempt));
  else if (path) said.push(fill(words.setting, { name: settingName(path), value }));
  if (path) said.push(forked ? words.goes_on : words.starts_over);
  for (const task of tasks) said.push(fill(words.task, { task: chapter.tasks[task]?.text ?? '' }));
  return said.join(' ');
}

/** @param {EventRecord | undefined} record */
const moment = (record) =>
  record
    ? fill(words.moment, { at: spanText(record.at_us), event: sentence(record) })
    : words.start;
