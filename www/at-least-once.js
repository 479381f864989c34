import './start.js';
import { AtLeastOnce } from './api.js';

// A page may load two copies of this file; the first one keeps the name.
if (typeof customElements !== 'undefined' && !customElements.get('at-least-once')) {
  customElements.define('at-least-once', AtLeastOnce);
}

export { AtLeastOnce };
