/** What stands in the place of a lab that the page's policy forbids; fetched where one does. */
export { blocked } from '../views/blocked.js';
export { placeOf } from './place.js';
export { Substitute } from './substitute.js';
