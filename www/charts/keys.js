/** @import { Spec } from '../views/picture.js' */

/** @type {Spec} */
export const spec = { compare: true };
