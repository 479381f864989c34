/**
 * The marks for the keyboard and for screen readers: one stop, in which the arrow keys walk. Only
 * the mark that they have come to and its neighbours are there; their numbers say how many more.
 *
 * @import { TimelineData } from '../timeline.js'
 * @import { Layout } from './layout.js'
 */

import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { spanText } from '../../core.js';
import texts from '../../text/en/timeline.json';
import { fill, sentence } from '../../words.js';

const words = texts.list;

/**
 * @param {object} list
 * @param {TimelineData} list.data
 * @param {Layout} list.layout
 * @param {number} list.offset
 * @param {number} list.count how many marks have happened
 * @param {number} list.active
 * @param {(focused: boolean) => void} list.focus
 */
export function marksList({ data, layout, offset, count, active, focus }) {
  const around = [active - 1, active, active + 1].filter((i) => i >= 0 && i < count);
  return html`<div class="marks" role="listbox" tabindex="0" aria-label=${words.name}
    aria-activedescendant=${count ? `mark-${active}` : 'no-mark'}
    @focus=${() => focus(true)} @blur=${() => focus(false)}>
    ${
      count
        ? repeat(
            around,
            (i) => i,
            (i) => option(data, layout, offset, count, i, i === active),
          )
        : html`<div class="unseen" role="option" id="no-mark" aria-disabled="true"
            aria-selected="false">${words.nothing}</div>`
    }
  </div>`;
}

/** @param {TimelineData} data @param {Layout} layout @param {number} offset @param {number} count @param {number} i @param {boolean} active */
function option({ run, selected }, { targets, unit }, offset, count, i, active) {
  const target = targets[i];
  const record = run.event(target.event);
  const name = record
    ? fill(words.mark, { at: spanText(record.at_us), event: sentence(record) })
    : '';
  const x = (target.x - offset) * unit;
  return html`<div class="mark ${active ? 'active' : ''}" role="option" id="mark-${i}"
    aria-label=${name} aria-posinset=${i + 1} aria-setsize=${count}
    aria-selected=${selected === target.event ? 'true' : 'false'}
    .style=${`left:${x}px;top:${target.y * unit}px`}></div>`;
}
