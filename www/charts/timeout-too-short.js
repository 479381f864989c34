/** @import { Spec } from '../views/picture.js' */
import common from '../text/en/charts.json';
import { startsChart } from './starts.js';

/** @type {Spec} */
export const spec = {
  compare: true,
  own: (run, words, width) => startsChart({ run, words, width, numbersName: common.numbers }),
};
