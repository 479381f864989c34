/**
 * What is drawn of a run at a width and a zoom. It changes only with these; a frame only chooses.
 *
 * @import { TimelineData } from '../timeline.js'
 */
import { fill, page } from '../../words.js';
import { pictureOf } from '../flat.js';
import { plan } from './detailed.js';
import { geometry } from './geometry.js';
import { scale } from './scale.js';
import { targets } from './targets.js';

const words = page.timeline;

/** @typedef {ReturnType<typeof make>} Layout */

/** @type {WeakMap<object, Layout>} */
const known = new WeakMap();

/** @param {TimelineData} data @param {number} zoom @returns {Layout} */
export function layoutOf(data, zoom) {
  const layout = known.get(data.run);
  if (layout?.width === data.width && layout.zoom === zoom) return layout;
  const made = make(data, zoom);
  known.set(data.run, made);
  return made;
}

/** @param {TimelineData} data @param {number} zoom */
function make({ run, axis, width }, zoom) {
  const unit = textUnit();
  const picture = pictureOf(run);
  const { event } = run;
  const first = event(0)?.job_id ?? '';
  const g = geometry(run, axis, width / unit, zoom, first);
  const names = laneNames(run.summary.lanes, g.dense && g.narrow);
  return {
    width,
    zoom,
    unit,
    g,
    picture,
    names,
    targets: targets(picture, g),
    scale: scale(run, g),
    plan: g.dense ? undefined : plan(picture, g, names, run.summary.jobs, event),
  };
}

/** How large the reader's text is against the usual 16 px: the whole picture grows with it. */
const textUnit = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;

/** @param {{ workers: number, vendor: boolean }} lanes @param {boolean} short */
const laneNames = ({ workers, vendor }, short) => [
  words.queue,
  ...Array.from({ length: workers }, (_, i) =>
    short ? workerName(i) : fill(words.worker, { worker: workerName(i) }),
  ),
  ...(vendor ? [words.vendor] : []),
  words.ledger,
];

/** A to Z, then AA, AB, … as the core names them. @param {number} i @returns {string} */
const workerName = (i) =>
  (i >= 26 ? workerName(Math.floor(i / 26) - 1) : '') + String.fromCharCode(65 + (i % 26));
