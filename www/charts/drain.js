/** @import { Spec } from '../views/picture.js' */
import { means, overTime } from './draws.js';
import { axisName } from './words.js';

/** @type {Spec} */
export const spec = {
  compare: true,
  studies: {
    storm: { runs: 0, draw: overTime },
    peak: { runs: 400, draw: means((text) => axisName(text, { name: 'way' })) },
  },
};
