/**
 * A run with many jobs at a moment: the tiles in sight, revealed up to the playhead. A frame moves
 * two boxes, whose content stays what it is, and draws only what is near the playhead or chosen.
 *
 * @import { Geometry } from './geometry.js'
 * @import { Index } from './dense.js'
 */
import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { TILE, tile } from './dense.js';

/**
 * @param {Index} index @param {Geometry} g @param {number} offset how far the picture is moved
 * @param {number} now world pixels @param {number} unit the size of the text against its usual
 */
export function crowd(index, g, offset, now, unit) {
  const shown = Math.max(0, Math.min(now - offset, g.width) - g.start);
  const first = Math.max(0, Math.floor((offset + g.start) / TILE));
  const last = Math.floor((offset + g.start + shown) / TILE);
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return html`<div class="reveal"
      .style=${`left:${g.start * unit}px;width:${shown * unit}px;height:${g.height * unit}px`}>
    <div class="world" .style=${`transform:translateX(${-(offset + g.start) * unit}px)`}>
      ${repeat(
        numbers,
        (number) => number,
        (number) => html`<svg class="timeline tile" width=${TILE * unit} height=${g.height * unit}
          viewBox="${number * TILE} 0 ${TILE} ${g.height}"
          .style=${`left:${number * TILE * unit}px`}>${tile(index, number)}</svg>`,
      )}
    </div></div>`;
}
