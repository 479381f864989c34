/** @import { Spec } from '../views/picture.js' */
import common from '../text/en/charts.json';
import { steps } from './steps.js';
import { axisName, msText, seriesName, titles, values } from './words.js';

/** @type {NonNullable<Spec['studies']>[string]['draw']} */
const draw = ({ whole, text, width, id }) =>
  steps({
    ...titles(text, id),
    lines: values(whole).map(({ id: name, points }) => ({
      name: seriesName(text, name),
      points,
      loud: name === 'waiting' || name === 'held',
    })),
    width,
    words: { x: axisName(text, whole.x), numbers: common.numbers },
    xText: msText,
  });

/** @type {Spec} */
export const spec = {
  studies: { connections: { runs: 0, draw }, throughput: { runs: 0, draw } },
};
