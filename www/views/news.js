/**
 * One sentence for those who cannot see what their press has changed. A run that plays is
 * silent. At its end the verdict speaks, and says this first: two voices at once are none.
 *
 * @import { EventRecord } from '../core.js'
 * @import { Lab, News } from '../lab.js'
 * @import { Part } from '../panels.js'
 * @import { Chapter } from '../words.js'
 */
import { spanText } from '../core.js';
import { fill, page, sentence, settingName } from '../words.js';

const words = page.news;

/** The part that knows faults and refusals. @typedef {Part<typeof import('./desk.js')>} Desk */

/** Whether its words are not all there at first. @param {News} news */
export const newsNeedsDesk = ({ path, refused }) => path === 'faults' || refused !== undefined;

/** Whether it belongs to the end of a run. @param {Lab} lab */
export const isOfEnd = ({ ended, news }) =>
  ended && news.selected === undefined && news.refused === undefined;

/**
 * @param {Lab} lab
 * @param {Chapter | undefined} chapter there where its tasks are shown
 * @param {Desk | undefined} desk there, or on its way, where the news need it
 */
export function told(lab, chapter, desk) {
  const { cursor, path, value = '', attempt = 0, forked, selected, refused, tasks = [] } = lab.news;
  // What is on its way is said when it is there, at once and not piece by piece.
  if (newsNeedsDesk(lab.news) && isComing(desk)) return '';
  const said = [];
  const error = lab.refused.get(refused ?? '');
  if (error && desk?.value) said.push(desk.value.refusal(error));
  if (cursor !== undefined) said.push(moment(lab.event(cursor - 1)));
  if (selected !== undefined) {
    const record = lab.event(selected);
    if (record) said.push(fill(words.selected, { event: sentence(record) }));
  }
  if (path === 'faults' && desk?.value) said.push(...desk.value.plans(value, attempt));
  else if (path) said.push(fill(words.setting, { name: settingName(path), value }));
  if (path) said.push(forked ? words.goes_on : words.starts_over);
  for (const task of tasks) {
    if (chapter) said.push(fill(words.task, { task: chapter.tasks[task]?.text ?? '' }));
  }
  return said.join(' ');
}

/** @param {Part<unknown> | undefined} part */
const isComing = (part) => part && !part.value && part.error === undefined;

/** @param {EventRecord | undefined} record */
const moment = (record) =>
  record
    ? fill(words.moment, { at: spanText(record.at_us), event: sentence(record) })
    : words.start;
