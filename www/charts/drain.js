/** @import { Spec } from '../views/picture.js' */
import common from '../text/en/charts.json';
import { histogram } from './histogram.js';
import { series } from './series.js';
import { axisName, meanText, msText, seriesName, titles, values } from './words.js';

/** @type {Spec} */
export const spec = {
  compare: true,
  studies: {
    storm: {
      runs: 0,
      draw: ({ whole, text, width, id }) =>
        histogram({
          ...titles(text, id),
          rows: values(whole).map(({ id: name, points }) => ({
            name: seriesName(text, name),
            points,
          })),
          bar: 100,
          width,
          words: {
            x: axisName(text, whole.x),
            y: axisName(text, whole.y),
            most: common.most,
            numbers: common.numbers,
          },
          xText: msText,
        }),
    },
    peak: {
      runs: 400,
      draw: ({ whole, text, width, id }) =>
        series({
          ...titles(text, id),
          rows: values(whole).map(({ id: name, points }) => ({
            name: seriesName(text, name),
            values: points.map(([, value]) => value),
          })),
          columns: [''],
          width,
          words: { numbers: common.numbers, kind: axisName(text, { name: 'way' }) },
          text: (value) => meanText(whole, value),
        }),
    },
  },
};
