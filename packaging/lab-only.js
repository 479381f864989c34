// What a page would need for the lab without the element, and what is fetched on demand: the
// measure of what the element adds.

export { LitElement } from 'lit';
export { load, patiently, readLink } from '../www/core.js';
export { blocked, placeOf, Substitute } from '../www/embed/instead.js';
export { Lab } from '../www/lab.js';
export { Panels } from '../www/panels.js';
export { Pictures } from '../www/pictures.js';
export { lab } from '../www/styles/lab.js';
export { timeline } from '../www/styles/timeline.js';
export { tokens } from '../www/styles/tokens.js';
export { fetchDesk, labView, needsDesk } from '../www/views/lab.js';
export { failed, loading, stopped } from '../www/views/messages.js';
export { share } from '../www/views/share.js';
export { chapter, onNewWords } from '../www/words.js';
