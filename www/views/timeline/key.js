/**
 * The signs that occur in a run, each with what it means.
 *
 * @import { Run } from '../../core.js'
 * @import { Geometry } from './geometry.js'
 */
import { html, svg } from 'lit';
import { BarKind, MarkKind } from '../../core.js';
import texts from '../../text/en/signs.json';
import { fill } from '../../words.js';
import { LATE, pictureOf } from '../flat.js';
import { stepName } from './bars.js';
import { token } from './frame.js';
import * as shapes from './shapes.js';

/** @type {Record<string, string>} */
const meanings = texts.signs;

const WIDTH = 64;
const HEIGHT = 40;
const [x, y] = [WIDTH / 2, HEIGHT / 2];

/** As much of a picture's geometry as a single sign needs. */
const g = /** @type {Geometry} */ (
  /** @type {unknown} */ ({ bar: 22, curve: 20, narrow: true, edge: WIDTH + 1, zoom: 1 })
);

const bar = (/** @type {string} */ style) =>
  svg`<rect class=${style} x="6" y=${y - 11} width="52" height="22"></rect>
    <rect class=${style === 'unattended' ? 'unattended-edge' : 'hull'} x="6" y=${y - 11}
      width="52" height="22" rx="3"></rect>`;

/** @param {string} style */
const receipt = (style) => shapes.stub(g, x, y - 1, '19.99', style);

/**
 * Each sign, with the kinds of marks that it stands for.
 * @type {[name: string, kinds: number[], sample: () => unknown][]}
 */
const SIGNS = [
  ['token', [MarkKind.Sent], () => token(4, y, 'job_17', 'full')],
  [
    'way',
    [MarkKind.Leased],
    () =>
      shapes.way([
        [12, 6],
        [40, 6],
        [20, 34],
        [52, 34],
      ]),
  ],
  ['heartbeat', [MarkKind.Heartbeat], () => [bar('work'), shapes.heartbeat(x, y - 11)]],
  ['refused_heartbeat', [MarkKind.HeartbeatRefused], () => shapes.heartbeat(x, y, true)],
  ['crash', [MarkKind.Crashed], () => shapes.disc(x, y, 'crash', 'cross')],
  ['acked', [MarkKind.Acked], () => shapes.disc(x, y, 'acked', 'check')],
  ['ack_lost', [MarkKind.AckLost], () => shapes.disc(x, y, 'lost', 'cross')],
  ['ack_late', [MarkKind.AckLate], () => shapes.disc(x, y, 'lost', 'check')],
  ['gave_back', [MarkKind.GaveBack], () => shapes.disc(x, y, 'back', 'back')],
  ['stopped', [MarkKind.Stopped], () => shapes.disc(x, y, 'back', 'stop')],
  ['deploy', [MarkKind.Deploy], () => svg`<path class="deploy" d="M${x} 4v32"></path>`],
  ['call', [MarkKind.Called], () => shapes.drop(x, 4, 36, 'call')],
  ['bounced', [MarkKind.AlreadyWritten, MarkKind.Replayed], () => shapes.bounced(x - 8, 6, 32)],
  ['declined', [MarkKind.Declined], () => shapes.plate(x, y, '400', 'declined')],
  ['unavailable', [MarkKind.Unavailable], () => shapes.plate(x, y, '503', 'unavailable')],
  ['reply_lost', [MarkKind.ReplyLost], () => shapes.lostReply(x, 38, 4)],
  ['outbox', [MarkKind.Started], () => shapes.plate(x, y, 'row', 'outbox')],
];

/** What money looks like where the ledger is all there is. @type {typeof SIGNS} */
const MONEY_HERE = [
  ['once', [MarkKind.Wrote], () => receipt('once')],
  ['again', [MarkKind.WroteAgain], () => receipt('again')],
];

/** And where a vendor pays. @type {typeof SIGNS} */
const MONEY_THERE = [
  ['once', [MarkKind.Paid], () => receipt('once')],
  ['again', [MarkKind.PaidAgain], () => receipt('again')],
  ['row', [MarkKind.Wrote], () => shapes.row(g, x, y + 4, '19.99', 'once')],
  ['row_again', [MarkKind.WroteAgain], () => shapes.row(g, x, y + 4, '19.99', 'again')],
];

/** Signs of the crowded picture instead of those above. @type {typeof SIGNS} */
const CROWDED = [
  ['depth', [MarkKind.Sent], depthSample],
  ['crash', [MarkKind.Crashed], () => path('crash', `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`)],
  ['acked', [MarkKind.Acked], () => path('acked', `M${x} ${y}h0`)],
  [
    'unfinished',
    [MarkKind.AckLost, MarkKind.AckLate],
    () => path('lost', `M${x - 5} ${y - 5}l10 10`),
  ],
  ['gave_back', [MarkKind.GaveBack], () => path('back', `M${x} ${y - 5}v10`)],
  ['edge', [MarkKind.Expired], () => path('edge', `M${x} ${y - 9}v18`)],
  ['bounced', [MarkKind.AlreadyWritten, MarkKind.Replayed], () => path('bounced', `M20 ${y}h24`)],
  ['unavailable', [MarkKind.Unavailable], () => path('refused', `M20 ${y}h24`)],
];

const columns = () => [
  path('once', 'M26 6h12v16h-12z'),
  path('again', 'M26 22h12v14l-3 -4l-3 4l-3 -4l-3 4z'),
];

/** Many receipts: where the ledger is all there is, and where a vendor pays. @type {[typeof SIGNS, typeof SIGNS]} */
const COLUMNS = [
  [['columns', [MarkKind.Wrote], columns]],
  [
    ['columns', [MarkKind.Paid], columns],
    ['rows', [MarkKind.Wrote], () => path('noted', 'M26 8h12v24h-12z')],
  ],
];

/** @param {string} style @param {string} d */
const path = (style, d) => svg`<g class="dense"><path class=${style} d=${d}></path></g>`;

function depthSample() {
  return svg`<path class="depth leased" d="M4 36V26H60V36z"></path>
    <path class="depth ready" d="M4 26V12H34V20H60V26z"></path>
    <path class="depth waiting" d="M34 20V12H60V20z"></path>`;
}

/** @param {Run} run */
export function key(run) {
  const { marks, workOf, aloneOf, waitsOfJob, leases } = pictureOf(run);
  const kinds = new Set(marks.map((mark) => mark.kind));
  const steps = new Set(
    [...workOf.values()].flatMap((bars) => bars.map((bar) => stepName(bar.kind))),
  );
  const late = [...workOf.values()].some((bars) => bars.some(({ flags }) => flags & LATE));
  const waits = [...workOf.values()].some((bars) => bars.some(({ kind }) => kind === BarKind.Wait));
  const crowded = run.summary.crowded;
  const lines = run.breaks.length > 0;
  const { vendor } = run.summary.lanes;
  const signs = crowded
    ? [...COLUMNS[Number(vendor)], ...CROWDED]
    : [...(vendor ? MONEY_THERE : MONEY_HERE), ...SIGNS];
  /** @type {[boolean, string, () => unknown][]} */
  const bars = [
    [workOf.size > 0, 'work', () => bar('work')],
    [waits, 'idle', () => (crowded ? path('idle', 'M6 9h52v22H6z') : bar('work idle'))],
    [leases.length > 0 && !crowded, 'ahead', () => [bar('work'), shapes.deadline(58, y, 18)]],
    [aloneOf.size > 0, 'unattended', () => bar('unattended')],
    [late, 'late', () => bar('work late')],
    [waitsOfJob.size > 0 && !crowded, 'backoff', () => shapes.wait(6, 58, y)],
    [lines, 'gap', () => [svg`<path class="axis" d="M4 ${y}H60"></path>`, shapes.zigzag(x, y)]],
  ];
  const found = [
    ...bars
      .filter(([occurs]) => occurs)
      .map(([, name, sample]) => entry(name, sample, [...steps].join(', '))),
    ...signs
      .filter(([, of]) => of.some((kind) => kinds.has(kind)))
      .map(([name, , sample]) => entry(name, sample)),
  ];
  return html`<ul>${found}</ul>`;
}

/** @param {string} name @param {() => unknown} sample @param {string} [steps] */
const entry = (name, sample, steps = '') => html`<li>
  <svg class="timeline" aria-hidden="true" width=${WIDTH} height=${HEIGHT}
    viewBox="0 0 ${WIDTH} ${HEIGHT}">${sample()}</svg>
  <span>${fill(meanings[name], { steps })}</span></li>`;
