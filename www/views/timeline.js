/**
 * The timeline: a lane for the queue, each worker and the ledger, drawn up to the moment
 * looked at. What comes later has its place already, so nothing moves when it appears.
 *
 * @import { Run } from '../core.js'
 * @import { Axis } from '../playback.js'
 * @import { Geometry } from './geometry.js'
 * @import { Sign } from './marks.js'
 */
import { html, nothing, svg } from 'lit';
import { MarkKind, spanText } from '../core.js';
import { fill, page, sentence, shortSpan } from '../words.js';
import { eachMark } from './flat.js';
import { geometry, LETTER, Rows } from './geometry.js';
import { label, marks } from './marks.js';
import { bars, wait, zigzag } from './shapes.js';

const words = page.timeline;

/**
 * @typedef {object} TimelineData
 * @property {Run} run
 * @property {Axis} axis
 * @property {number} cursor
 * @property {number} us
 * @property {number} width
 * @property {boolean} touched whether a setting was changed since the last run
 */

/**
 * What is drawn of a run at a width. It changes only with these two; a frame only chooses.
 * @type {WeakMap<Run, ReturnType<typeof layout>>}
 */
const layouts = new WeakMap();

/** @param {Run} run @param {Axis} axis @param {number} width */
function layout(run, axis, width) {
  const g = geometry(run, axis, width);
  const rows = new Rows(g.narrow ? 2 : g.start, g.right + (g.narrow ? 12 : 18));
  const names = lanes(run.summary.workers);
  if (g.narrow) {
    for (const [lane, name] of names.entries()) {
      rows.take(`above ${lane}`, name.length * LETTER + 8);
    }
  }
  return { g, names, width, signs: marks(run, g, rows), scale: scale(run, g, rows) };
}

/** @param {TimelineData} data */
export function timeline({ run, axis, cursor, us, width, touched }) {
  let known = layouts.get(run);
  if (known?.width !== width) {
    known = layout(run, axis, width);
    layouts.set(run, known);
  }
  const { g, names, signs } = known;
  const now = g.x(us);
  const seen = (/** @type {Sign[]} */ all) =>
    all.filter((sign) => sign.event < cursor).map((sign) => sign.shape);
  const last = run.event(cursor - 1);
  const name = last
    ? fill(page.labels.timeline_at, { at: spanText(last.at_us), event: sentence(last) })
    : page.labels.timeline;
  return svg`
    <svg class="timeline" role="img" aria-label=${name}
      width=${g.width} height=${g.height} viewBox="0 0 ${g.width} ${g.height}">
      <defs>
        <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)">
          <line class="hatch" x1="0" y1="0" x2="0" y2="7"></line>
        </pattern>
      </defs>
      ${names.map((name, lane) => laneLine(g, name, lane))}
      ${cursor === 0 ? before(g, signs.tokens[0]?.shape, touched) : nothing}
      ${seen(signs.back)}
      ${cursor === 0 ? nothing : playhead(g, now, cursor === run.summary.events)}
      ${signs.tokens
        .filter(({ event }) => event < cursor)
        .map(({ shape, gone = cursor }) =>
          gone < cursor ? svg`<g class="gone">${shape}</g>` : shape,
        )}
      ${bars(run, g, cursor, now)}
      ${seen(known.scale)}
      ${signs.waits
        .filter(({ from }) => from < now)
        .map(({ from, to, place }) => [
          wait(g, from, Math.min(to, now)),
          label(place, g.y(0) - 28, ''),
        ])}
      ${seen(signs.front)}
    </svg>`;
}

/** The axis, and the moment looked at; at the end there is nothing left to point at. @param {Geometry} g @param {number} now @param {boolean} over */
const playhead = (g, now, over) => svg`
  <line class="axis" x1=${g.left} x2=${g.right} y1=${g.axis} y2=${g.axis}></line>
  ${
    over
      ? nothing
      : svg`<g class="playhead">
          <line x1=${now} x2=${now} y1="8" y2=${g.axis}></line>
          <circle cx=${now} cy="6" r="5"></circle>
        </g>`
  }`;

/**
 * The picture before the run: the message waits, nothing of the result is there yet.
 * @param {Geometry} g @param {unknown} token @param {boolean} touched
 */
const before = (g, token, touched) => svg`${token}
  <text class="label before" x=${g.start + (g.width - g.start) / 2}
    y=${(g.y(1) + g.y(2)) / 2 + 5}>${touched ? words.changed : words.before}</text>`;

const { steps } = words;

/** The segments of a bar in a row, for a picture without room for all their names. */
const segments = fill(words.legend, {
  steps: [steps.think, steps.write, steps.checkpoint, steps.ack].join(', '),
});

/** @param {Run} run */
export const legend = ({ summary }) => html`<p aria-hidden="true"
  class="legend ${summary.verdict.redeliveries > 1 ? 'needed' : ''}">${segments}</p>`;

/** @param {number} workers */
const lanes = (workers) => [
  words.queue,
  ...Array.from({ length: workers }, (_, i) => fill(words.worker, { worker: workerName(i) })),
  words.ledger,
];

/** A to Z, then AA, AB, … as the core names them. @param {number} i @returns {string} */
const workerName = (i) =>
  (i >= 26 ? workerName(Math.floor(i / 26) - 1) : '') + String.fromCharCode(65 + (i % 26));

/** @param {Geometry} g @param {string} name @param {number} lane */
const laneLine = (g, name, lane) => svg`
  <line class="lane" x1=${g.start} x2=${g.width} y1=${g.y(lane)} y2=${g.y(lane)}></line>
  <text class="lane-name" x="0" y=${g.narrow ? g.y(lane) - 20 : g.y(lane) + 4}>${name}</text>`;

/**
 * The axis below the lanes: when leases began, and what was left out between.
 * @param {Run} run @param {Geometry} g @param {Rows} rows @returns {Sign[]}
 */
function scale(run, g, rows) {
  const starts = [...eachMark(run.marks)].filter(({ kind }) => kind === MarkKind.Leased);
  const y = g.axis;
  let taken = -Infinity;
  /** Whether a zigzag at x does not run into the one before it. @param {number} x */
  const free = (x) => {
    if (x - taken < 24) return false;
    taken = x;
    return true;
  };
  return [
    ...starts.map(({ at, event }) => ({ at, event, text: shortSpan(at), x: g.x(at), gap: false })),
    ...g.gaps.map(({ from, to }) => ({
      at: from,
      // It has been crossed when the event has happened that ends it.
      event: run.cursorAt(to - 1),
      text: fill(words.idle, { idle: shortSpan(to - from) }),
      x: (g.x(from) + g.x(to)) / 2,
      gap: true,
    })),
  ]
    .sort((a, b) => a.at - b.at)
    .map(({ event, text, x, gap }) => ({
      event,
      shape: [
        gap
          ? free(x)
            ? zigzag(x, y)
            : nothing
          : svg`<line class="tick" x1=${x} x2=${x} y1=${y - 4} y2=${y + 4}></line>`,
        label(rows.place('axis', x, [text], { middle: true }), y + 24, ''),
      ],
    }));
}
