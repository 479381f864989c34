/** @import { Spec } from '../views/picture.js' */
import { matrix } from './matrix.js';
import { axisName, byPlace, placeName, seriesName, titles } from './words.js';

/** @type {Spec} */
export const spec = {
  studies: {
    places: {
      runs: 0,
      draw: ({ whole, text, id }) =>
        matrix({
          ...titles(text, id),
          corner: axisName(text, whole.x),
          columns: whole.places.map((place) => placeName(text, place)),
          rows: byPlace(whole).map(({ id: name, values }) => ({
            name: seriesName(text, name),
            values,
          })),
        }),
    },
  },
};
