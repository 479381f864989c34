/**
 * Which page of the log is shown: the last one up to the moment looked at, or another that the
 * reader has turned to, of all events or of those that fit a filter.
 *
 * @import { Lab } from '../lab.js'
 * @import { Panels } from '../panels.js'
 * @import { Entry } from './tables.js'
 */

import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { retriable } from '../retriable.js';
import desk from '../text/en/desk.json';
import { waitingFor } from './messages.js';
import { logTable, PAGE } from './tables.js';
import { textUnit } from './timeline/frame.js';

const fetchTools = retriable(() => import('./log-tools.js'));

/** Below this width the log has two columns, where a text is of the usual size. */
const NARROW = 600;

/** @param {Lab} lab @param {Panels} panels @param {number} width */
export function log(lab, panels, width) {
  const { cursor, run, selected } = lab;
  const open = panels.isOpen('logTools');
  const part = open
    ? panels.part('logTools', fetchTools, ({ LogTools }) => new LogTools(() => panels.touch()))
    : undefined;
  const tools = part?.value;
  const narrow = width / textUnit() < NARROW;
  return guard([run, cursor, selected, narrow, panels.state, panels.back], () => {
    const fit = tools?.entries(
      { run, events: (from, to) => lab.events(from, to), total: run.summary.events },
      cursor,
    );
    const found = tools?.active ? fit : undefined;
    const total = found?.length ?? cursor;
    const to = Math.max(Math.min(total, PAGE), total - panels.back * PAGE);
    const from = Math.max(0, to - PAGE);
    /** @type {Entry[]} */
    const entries =
      found?.slice(from, to) ??
      lab.events(from, to).map((record, i) => ({ place: from + i, record }));
    return logTable({
      entries,
      before: from,
      after: total - to,
      last: cursor - 1,
      narrow,
      selection: { selected, select: (event) => lab.select(event) },
      turn: (by) => panels.turn(-by),
      tools: html`<button type="button" aria-expanded=${open ? 'true' : 'false'}
          @click=${() => panels.show('logTools', !open)}>${desk.labels.log_tools}</button>
        ${part ? (tools ? tools.view(fit ?? [], cursor) : waitingFor(part)) : nothing}`,
    });
  });
}
