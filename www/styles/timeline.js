/** The grammar of the timeline: what each sign looks like. */
import { css } from 'lit';

export const timeline = css`
  .picture { overflow: hidden; }
  .legend { display: none; margin-top: 0.5rem; color: var(--muted); font-size: 0.8125rem; }
  .legend.needed { display: block; }
  @container (max-width: 40rem) { .legend { display: block; } }
  .timeline { display: block; overflow: visible; font: 12px var(--mono); fill: var(--ink); }
  .timeline path, .timeline line { fill: none; stroke-linecap: butt; }

  .lane { stroke: var(--edge); }
  .lane-name { fill: var(--muted); font-weight: 700; }
  .axis { stroke: var(--edge); }
  .tick { stroke: var(--muted); }
  .gap { stroke: var(--card); stroke-width: 4; }
  .zigzag { stroke: var(--muted); stroke-width: 1.5; }

  .label { fill: var(--muted); font-weight: 700; stroke: var(--card); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
  .label.again { fill: var(--again); }
  .before { text-anchor: middle; font: 0.9375rem var(--sans); }
  .label.ink { fill: var(--ink); }


  .token rect { stroke: var(--ink); }
  .token text { text-anchor: middle; }
  .token.full rect { fill: var(--ink); }
  .token.full text { fill: var(--card); }
  .token.outline rect { fill: var(--card); }
  /* Paler, yet opaque: a lease that begins under a token must not shine through. */
  .gone .token rect { stroke: color-mix(in srgb, var(--ink) 45%, var(--card)); }
  .gone .token.full rect { fill: color-mix(in srgb, var(--ink) 55%, var(--card)); }
  .gone .token.outline text { fill: var(--muted); }
  .way { stroke: var(--ink); stroke-width: 1.5; }
  .ready { stroke: var(--muted); stroke-width: 3; }
  .backoff { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 2 3; }

  .work { fill: var(--lease-fill); }
  .work.late { fill: var(--late-fill); }
  .hull { fill: none; stroke: var(--lease); stroke-width: 1.5; }
  .seam { stroke: var(--lease); }
  .hatch { stroke: var(--lease); stroke-width: 1.5; opacity: 0.55; }
  .bar-name { font: 12px var(--mono); }
  .unattended { fill: url(#hatch); }
  .unattended-edge { fill: none; stroke: var(--lease); stroke-width: 1.25; stroke-dasharray: 4 3; }
  .restarted { fill: var(--card); stroke: var(--muted); stroke-width: 1.5; }

  .drop { stroke-width: 1.75; stroke-dasharray: 2.5 3.5; }
  .drop.once { stroke: var(--once); }
  .drop.again { stroke: var(--again); }
  .drop.bounced { stroke: var(--ink); }
  .bounce { stroke: var(--ink); stroke-width: 1.5; }
  .shield { stroke: var(--once); stroke-width: 4; }
  .stub text { text-anchor: middle; font-weight: 700; }
  .stub.once path { fill: var(--once-fill); stroke: var(--once); }
  .stub.once text { fill: var(--once); }
  .stub.again path { fill: var(--again-fill); stroke: var(--again); }
  .stub.again text { fill: var(--again); }

  .disc circle { stroke: var(--card); stroke-width: 1.5; }
  .disc path { stroke: var(--on-ink); stroke-width: 2; stroke-linecap: round; }
  .disc.crash circle { fill: var(--again); }
  .disc.acked circle { fill: var(--ink); }
  .disc.lost circle { fill: var(--card); stroke: var(--again); stroke-dasharray: 3 2; }
  .disc.lost path { stroke: var(--again); }

  .playhead line { stroke: var(--ink); stroke-width: 1.5; }
  .playhead circle { fill: var(--ink); }

  @media print {
    .timeline { width: 100%; height: auto; }
  }
`;
