/**
 * The words of a study's picture: its names come from the chapter, the rest is common to all.
 *
 * @import { StudyPart } from '../pkg/at_least_once.js'
 * @import { PictureText } from '../views/picture.js'
 */
import { shortSpan } from '../words.js';

/** @param {PictureText} text @param {string} id */
export const titles = (text, id) => text.studies?.[id] ?? { title: id, caption: '' };
/** @param {PictureText} text @param {string} id */
export const seriesName = (text, id) => text.series?.[id] ?? id;
/** @param {PictureText} text @param {string} id */
export const placeName = (text, id) => text.places?.[id] ?? id;
/** @param {PictureText} text @param {{ name: string }} axis */
export const axisName = (text, axis) => text.axes?.[axis.name] ?? axis.name;

/** @param {number} ms */
export const msText = (ms) => shortSpan(Math.round(ms) * 1000);

/** A mean as it is read: a time, a whole number, or one digit behind the point. @param {StudyPart} whole @param {number} value */
export const meanText = (whole, value) =>
  whole.y.unit === 'ms' ? msText(value) : String(Math.round(value * 10) / 10);

/** The series of a study with values instead of sums. @param {StudyPart} whole */
export const values = (whole) =>
  whole.series.map(({ id, points }) => ({
    id,
    points: points.map(([x, y]) => /** @type {[number, number]} */ ([x, y / whole.y.scale])),
  }));

/** The series of a study over named places: a row for each. @param {StudyPart} whole */
export const byPlace = (whole) =>
  values(whole).map(({ id, points }) => ({
    id,
    values: whole.places.map((_, place) => points.find(([x]) => x === place)?.[1]),
  }));
