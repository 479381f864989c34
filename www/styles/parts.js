/**
 * Which parts of a lab a page shows: its root names them, and what is not named is not there, for
 * the eye, the keyboard and those who listen.
 */
import { css, unsafeCSS } from 'lit';
import { PARTS } from '../options.js';

/** What each part is in the lab. @type {Record<import('../options.js').Part, string>} */
const PLACES = {
  prediction: '.prediction',
  slice: '.slice',
  transport: '.transport',
  timeline: '.picture',
  code: '.side',
  verdict: '.verdict',
  tasks: '.tasks',
  settings: ':is(.controls, .settings)',
  tables: '.tables',
  log: '.log',
  share: '.share',
};

export const parts = css`
  ${unsafeCSS(
    PARTS.map((part) => `[data-parts]:not([data-parts~='${part}']) ${PLACES[part]}`).join(',\n'),
  )} {
    display: none;
  }
`;
