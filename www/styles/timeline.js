/** The ground of the timeline: its lanes, and the messages that wait. */
import { css } from 'lit';

export const timeline = css`
  .picture { overflow: hidden; }
  .timeline-box { position: relative; touch-action: pan-y; cursor: default; }
  .canvas, .canvas > svg, .marks { position: absolute; inset: 0; }
  .timeline { display: block; overflow: visible; font: 12px var(--mono); fill: var(--ink); }
  .timeline path, .timeline line { fill: none; stroke-linecap: butt; }
  .timeline text { user-select: none; -webkit-user-select: none; }
  .lane { stroke: var(--edge); }
  .lane.unnamed { opacity: 0.5; }
  .lane-name { fill: var(--muted); font-weight: 700; }
  .label { fill: var(--muted); font-weight: 700; stroke: var(--card); stroke-width: 6px; paint-order: stroke; stroke-linejoin: round; }
  .label.before { text-anchor: middle; font: 0.9375rem var(--sans); }
  .token rect { stroke: var(--ink); }
  .token text { text-anchor: middle; }
  .token.full rect, .traveller { fill: var(--ink); }
  .token.full text { fill: var(--card); }
  .token.outline rect { fill: var(--card); }
  .timeline-foot { min-height: 1.75rem; display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 0.25rem 1rem; }

  @media print {
    .timeline { print-color-adjust: exact; }
  }
`;
