/**
 * How a study is drawn, where more than one chapter draws it so.
 *
 * @import { PictureText, StudySpec } from '../views/picture.js'
 */
import common from '../text/en/charts.json';
import { histogram } from './histogram.js';
import { series } from './series.js';
import { axisName, meanText, msText, seriesName, titles, values } from './words.js';

/** How many at each moment, a row for each series. @type {StudySpec['draw']} */
export const overTime = ({ whole, text, width, id }) =>
  histogram({
    ...titles(text, id),
    rows: values(whole).map(({ id: name, points }) => ({ name: seriesName(text, name), points })),
    bar: 100,
    width,
    words: {
      x: axisName(text, whole.x),
      y: axisName(text, whole.y),
      most: common.most,
      numbers: common.numbers,
    },
    xText: msText,
  });

/**
 * One mean for each series.
 * @param {(text: PictureText) => string} kind what the series are
 * @returns {StudySpec['draw']}
 */
export const means =
  (kind) =>
  ({ whole, text, width, id }) =>
    series({
      ...titles(text, id),
      rows: values(whole).map(({ id: name, points }) => ({
        name: seriesName(text, name),
        values: points.map(([, value]) => value),
      })),
      columns: [''],
      width,
      words: { numbers: common.numbers, kind: kind(text), value: axisName(text, whole.y) },
      text: (value) => meanText(whole, value),
    });
