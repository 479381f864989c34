/** @import { Spec } from '../views/picture.js' */
import common from '../text/en/charts.json';
import { scatter } from './scatter.js';
import { axisName, msText, seriesName, titles, values } from './words.js';

/** @type {Spec} */
export const spec = {
  compare: true,
  studies: {
    'trade-off': {
      runs: 0,
      draw: ({ whole, text, width, id }) =>
        scatter({
          ...titles(text, id),
          dots: values(whole).flatMap(({ id: name, points }) =>
            points.map(([x, y]) => ({ name: seriesName(text, name), x, y })),
          ),
          width,
          ticks: [10_000, 60_000, 600_000, 1_800_000],
          words: {
            x: axisName(text, whole.x),
            y: axisName(text, whole.y),
            name: common.timeout,
            numbers: common.numbers,
          },
          xText: msText,
        }),
    },
  },
};
