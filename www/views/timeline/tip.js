/**
 * What a mark or a bar is, in words beside it.
 *
 * @import { EventRecord } from '../../core.js'
 * @import { Bar, Depth } from '../flat.js'
 */

import { html, nothing } from 'lit';
import { BarKind, spanText } from '../../core.js';
import texts from '../../text/en/timeline.json';
import { fill, sentence } from '../../words.js';
import { LATE } from '../flat.js';
import { stepName } from './bars.js';

const words = texts.tip;

/** @typedef {{ x: number, y: number, title: string, about: string }} Tip */

/** @param {EventRecord} record */
export const aboutEvent = (record) => ({
  title: sentence(record),
  about: details(record.at_us, record.job_id, record.attempt),
});

/** @param {Bar} bar @param {string | null | undefined} job @param {number} us now */
export function aboutBar({ kind, start, end, attempt, flags }, job, us) {
  const still = end > us;
  const text =
    kind === BarKind.Unattended ? words.unattended : flags & LATE ? words.late : words.bar;
  return {
    title: fill(text, { step: stepName(kind) }),
    about: [
      fill(still ? words.since : words.span, { from: spanText(start), to: spanText(end) }),
      ...named(job, attempt),
    ].join(' · '),
  };
}

/** @param {Depth} depth */
export const aboutDepth = (depth) => ({
  title: fill(words.depth, depth),
  about: spanText(depth.at),
});

/** @param {number} at @param {string | null | undefined} job @param {number | null | undefined} attempt */
const details = (at, job, attempt) => [spanText(at), ...named(job, attempt)].join(' · ');

/** @param {string | null | undefined} job @param {number | null | undefined} attempt */
const named = (job, attempt) => [
  ...(job ? [job] : []),
  ...(attempt === null || attempt === undefined ? [] : [fill(words.attempt, { attempt })]),
];

/** The widest that it gets. */
const WIDTH = 280;

/** @param {Tip | undefined} tip @param {number} width of the picture */
export function tipView(tip, width) {
  if (!tip) return nothing;
  const half = Math.min(WIDTH, width) / 2;
  const left = Math.max(half, Math.min(tip.x, width - half));
  const below = tip.y < 96;
  return html`<div class="tip ${below ? 'below' : ''}" aria-hidden="true"
    .style=${`left:${left}px;top:${tip.y}px;max-width:${2 * half}px`}>
    <p>${tip.title}</p><p class="about">${tip.about}</p></div>`;
}
