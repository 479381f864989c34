/**
 * Fifty clients that come back: when, how many at once, at what price.
 *
 * @import { Spec } from '../views/picture.js'
 */
import common from '../text/en/charts.json';
import { means, overTime } from './draws.js';
import { line } from './line.js';
import { series } from './series.js';
import {
  axisName,
  byPlace,
  meanText,
  msText,
  placeName,
  seriesName,
  titles,
  values,
} from './words.js';

/** @type {Spec} */
export const spec = {
  studies: {
    retries: { runs: 0, draw: overTime },
    waits: {
      runs: 0,
      draw: ({ whole, text, width, id }) =>
        line({
          ...titles(text, id),
          lines: values(whole).map(({ id: name, points }) => ({
            name: seriesName(text, name),
            points,
            bound: name === 'ceiling',
          })),
          width,
          words: {
            x: axisName(text, whole.x),
            y: axisName(text, whole.y),
            numbers: common.numbers,
          },
          xText: String,
          yText: msText,
        }),
    },
    peak: { runs: 1600, draw: means(() => common.kind) },
    capacity: { runs: 500, draw: measured },
    last: { runs: 800, draw: measured },
  },
};

/** @type {NonNullable<Spec['studies']>[string]['draw']} */
function measured({ whole, text, width, id }) {
  return series({
    ...titles(text, id),
    rows: byPlace(whole).map(({ id: name, values: counts }) => ({
      name: seriesName(text, name),
      values: counts,
    })),
    columns: whole.places.map((place) => placeName(text, place)),
    width,
    words: { numbers: common.numbers, kind: common.kind },
    text: (value) => meanText(whole, value),
  });
}
