/**
 * The picture itself, at a moment.
 *
 * @import { TimelineData } from '../timeline.js'
 * @import { Geometry } from './geometry.js'
 * @import { Layout } from './layout.js'
 */
import { html, nothing, svg } from 'lit';
import { spanText } from '../../core.js';
import { retriable } from '../../retriable.js';
import { fill, page, sentence } from '../../words.js';
import { detailed } from './detailed.js';
import { beforeRun, frame, lanes } from './frame.js';
import { scaleView } from './scale.js';
import { placeOf } from './targets.js';

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** @typedef {TimelineData & { layout: Layout, offset: number, hovered: number, redraw: () => void }} StageData */

/** The drawing of many jobs, once it is there. @type {typeof import('./crowd.js') | undefined} */
let crowd;
let loading = false;
const fetchModule = retriable(() => import('./crowd.js'));

/** @param {() => void} redraw */
async function fetchCrowd(redraw) {
  if (loading) return;
  loading = true;
  try {
    crowd = await fetchModule();
    redraw();
  } catch {
    // The next moment that is looked at asks again.
    loading = false;
  }
}

/** Leases that nobody works on are hatched, money paid again is striped. */
const patterns = svg`<defs>
  <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line class="hatch" x1="0" y1="0" x2="0" y2="7"></line>
  </pattern>
  <pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse">
    <line class="stripe" x1="0" y1="1" x2="4" y2="1"></line>
  </pattern></defs>`;

/** @param {StageData} data */
export function stage(data) {
  const { layout, cursor, us, run, redraw } = data;
  const { g } = layout;
  const last = run.event(cursor - 1);
  const name = last
    ? fill(page.labels.timeline_at, { at: spanText(last.at_us), event: sentence(last) })
    : page.labels.timeline;
  if (g.dense && !crowd) fetchCrowd(redraw);
  return html`<div class="canvas" role="img" aria-label=${name}>
    ${cursor === 0 ? beforeRun(data, layout) : g.dense ? many(data, g.x(us)) : few(data, g.x(us))}
  </div>`;
}

/**
 * What moves with the picture, cut off at the names of the lanes when it is larger than its place.
 * @param {Geometry} g @param {number} offset @param {unknown} content
 */
const moved = (g, offset, content) => svg`<svg x=${g.start} y="0" width=${g.width - g.start}
  height=${g.height} overflow=${g.zoom > 1 ? 'hidden' : 'visible'}>
  <g transform="translate(${-g.start - offset} 0)">${content}</g></svg>`;

/** A run of a few jobs. @param {StageData} data @param {number} now */
function few(data, now) {
  const { layout, offset } = data;
  const { g, plan } = layout;
  return frame(
    layout,
    svg`${patterns}${lanes(layout)}
      ${moved(g, offset, [
        plan && detailed(plan, g, momentOf(data, now), playhead(data, now), shownScale(data, now)),
        chosen(data),
      ])}`,
  );
}

/** A run of many. @param {StageData} data @param {number} now */
function many(data, now) {
  const { layout, offset } = data;
  const { moves, perMs } = momentOf(data, now);
  const content = moved(layout.g, offset, [
    shownScale(data, now),
    crowd?.over(data, now, moves, perMs) ?? nothing,
    chosen(data),
    playhead(data, now),
  ]);
  return [
    frame(layout, svg`${patterns}${lanes(layout)}${crowd?.most(layout) ?? nothing}`),
    crowd?.tiles(data, now) ?? nothing,
    frame(layout, content),
  ];
}

/**
 * On a step everything has arrived; between two events things are on their way.
 * @param {StageData} data @param {number} now
 */
function momentOf({ layout: { g }, run, cursor, us }, now) {
  const standing = run.event(cursor - 1)?.at_us === us || cursor === run.summary.events;
  return {
    cursor,
    us,
    now,
    perMs: g.xOfMs(1) - g.xOfMs(0),
    moves: !standing && !stillness.matches,
  };
}

/** @param {StageData} data @param {number} now */
const shownScale = ({ layout: { g, scale }, offset }, now) =>
  scaleView(scale, g, offset - 100, Math.min(now + 0.5, offset + g.width + 100));

/** The axis, and the moment looked at; at the end there is nothing left to point at. @param {StageData} data @param {number} now */
const playhead = ({ layout: { g }, cursor, run }, now) => svg`
  <path class="axis" d="M${g.left} ${g.axis}H${g.right}"></path>
  ${
    cursor === run.summary.events
      ? nothing
      : svg`<g class="playhead">
          <path d="M${now} 8V${g.axis}"></path>
          <circle cx=${now} cy="6" r="5"></circle>
        </g>`
  }`;

/** The marks that the reader has chosen and points at. @param {StageData} data */
function chosen({ layout: { targets, g }, selected, hovered, cursor }) {
  const place = placeOf(targets, selected);
  const ring = (/** @type {number} */ i, /** @type {string} */ style) => {
    const target = targets[i];
    if (!target || target.event >= cursor) return nothing;
    return svg`<circle class="ring ${style}" cx=${target.x} cy=${target.y}
      r=${g.dense ? 8 : 15}></circle>`;
  };
  return [hovered === place ? nothing : ring(hovered, 'hovered'), ring(place, 'selected')];
}
