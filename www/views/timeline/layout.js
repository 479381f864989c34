/**
 * What is drawn of a run at a width and a zoom. It changes only with these; a frame only chooses.
 *
 * @import { TimelineData } from '../timeline.js'
 */
import { MarkKind } from '../../core.js';
import { pictureOf } from '../flat.js';
import { plan } from './detailed.js';
import { groundOf } from './frame.js';
import { scale } from './scale.js';
import { targets } from './targets.js';

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

/** The layout of the whole run, in pieces of work. @param {TimelineData} data */
export function* prepared(data) {
  yield pictureOf(data.run);
  yield layoutOf(data, 1);
}

/** @param {TimelineData} data @param {number} zoom */
function make(data, zoom) {
  const { run } = data;
  const ground = groundOf(data, zoom);
  const { g, names } = ground;
  const picture = pictureOf(run);
  const deploys = picture.marks.filter(({ kind }) => kind === MarkKind.Deploy).map(({ at }) => at);
  return {
    ...ground,
    picture,
    targets: targets(picture, g),
    scale: scale(run, g, deploys),
    plan: g.dense ? undefined : plan(picture, g, names, run.summary.jobs, run.event),
  };
}
