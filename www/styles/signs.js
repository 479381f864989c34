/** The grammar of the timeline: what each sign looks like. Comes with what draws them. */
import { css } from 'lit';

export const signs = css`
  .timeline .axis { stroke: var(--edge); }
  .timeline .tick { stroke: var(--muted); }
  .gap { stroke: var(--card); stroke-width: 4; }
  .zigzag { stroke: var(--muted); stroke-width: 1.5; }
  .label.again { fill: var(--again); }
  .label.ink { fill: var(--ink); }
  .label.moment { font-weight: 400; }
  .label.most { text-anchor: end; font-weight: 400; }
  /* Paler, yet opaque: a lease that begins under a token must not shine through. */
  .gone .token rect { stroke: color-mix(in srgb, var(--ink) 45%, var(--card)); }
  .gone .token.full rect { fill: color-mix(in srgb, var(--ink) 55%, var(--card)); }
  .gone .token.outline text { fill: var(--muted); }
  .way { stroke: var(--ink); stroke-width: 1.5; }
  .ready { stroke: var(--muted); stroke-width: 3; }
  .backoff { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 2 3; }
  .work { fill: var(--lease-fill); }
  .work.late { fill: var(--late-fill); }
  .work.idle { fill: var(--card); stroke: var(--lease); stroke-dasharray: 2 3; }
  .hull { fill: none; stroke: var(--lease); stroke-width: 1.5; }
  .seam { stroke: var(--lease); }
  .stripe { stroke: var(--again); stroke-width: 2; }
  .hatch { stroke: var(--lease); stroke-width: 1.5; opacity: 0.55; }
  .bar-name { font: 12px var(--mono); }
  .bar-name.small { font-size: 10px; }
  .unattended { fill: url(#hatch); }
  .unattended-edge { fill: none; stroke: var(--lease); stroke-width: 1.25; stroke-dasharray: 4 3; }
  .ahead { stroke: var(--lease); stroke-dasharray: 1.5 4; }
  .timeline .deadline { stroke: var(--lease); stroke-width: 1.5; fill: var(--lease); stroke-linejoin: round; }
  .heartbeat { stroke: var(--lease); stroke-width: 2.5; }
  .heartbeat.refused { stroke: var(--again); stroke-dasharray: 2 2; }
  .restarted { fill: var(--card); stroke: var(--muted); stroke-width: 1.5; }
  .deploy { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 6 4; }
  .drop { stroke-width: 1.75; stroke-dasharray: 2.5 3.5; }
  .drop.once { stroke: var(--once); }
  .drop.again { stroke: var(--again); }
  .drop.bounced, .drop.call, .drop.noted.once { stroke: var(--ink); }
  .drop.call { stroke-width: 1.25; stroke-dasharray: 1.5 3; }
  .coin { stroke: var(--card); stroke-width: 1.5; fill: var(--ink); }
  .coin.once { fill: var(--once); }
  .coin.again { fill: var(--again); }
  .bounce { stroke: var(--ink); stroke-width: 1.5; }
  .shield { stroke: var(--once); stroke-width: 4; }
  .stub text { text-anchor: middle; font-weight: 700; }
  .timeline .stub path { stroke-linejoin: round; }
  .timeline .stub.once path { fill: var(--once-fill); stroke: var(--once); }
  .stub.once text { fill: var(--once); }
  .timeline .stub.again path { fill: var(--again-fill); stroke: var(--again); }
  .stub.again text { fill: var(--again); }
  .timeline .stub .slot { stroke-width: 3; stroke-linecap: round; }
  .row text { text-anchor: middle; font-weight: 700; fill: var(--ink); }
  .row rect { fill: var(--card); stroke: var(--ink); stroke-width: 1.25; }
  .timeline .row path { stroke: var(--ink); stroke-width: 1.25; }
  .row.again rect, .timeline .row.again path { stroke: var(--again); }
  .row.again text { fill: var(--again); }
  .plate text { text-anchor: middle; font-weight: 700; }
  .plate rect { fill: var(--card); stroke: var(--ink); stroke-width: 1.25; }
  .plate.declined rect { stroke: var(--again); }
  .plate.declined text { fill: var(--again); }
  .plate.unavailable rect { stroke: var(--muted); stroke-dasharray: 3 2; }
  .plate.unavailable text { fill: var(--muted); }
  .plate.outbox rect { stroke: var(--muted); }
  .reply { stroke: var(--muted); stroke-dasharray: 1.5 3; }
  .cross { stroke: var(--again); stroke-width: 2; stroke-linecap: round; }
  .disc circle { stroke: var(--card); stroke-width: 1.5; }
  .timeline .disc path { stroke: var(--on-ink); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .disc.crash circle { fill: var(--again); }
  .disc.acked circle { fill: var(--ink); }
  .disc.lost circle { fill: var(--card); stroke: var(--again); stroke-dasharray: 3 2; }
  .timeline .disc.lost path { stroke: var(--again); }
  .disc.back circle { fill: var(--card); stroke: var(--ink); }
  .timeline .disc.back path { stroke: var(--ink); stroke-width: 1.5; }
  .playhead path { stroke: var(--ink); stroke-width: 1.5; }
  .playhead circle { fill: var(--ink); }
  /* Many jobs: a path a kind. */
  .reveal { position: absolute; top: 0; overflow: clip; contain: strict; }
  .world { position: absolute; inset: 0; will-change: transform; }
  .tile { position: absolute; top: 0; overflow: hidden; }
  .timeline .depth { stroke: none; }
  .timeline .depth.leased { fill: color-mix(in srgb, var(--lease) 60%, var(--card)); }
  .timeline .depth.ready { fill: var(--ink); }
  .timeline .depth.waiting { fill: color-mix(in srgb, var(--muted) 35%, var(--card)); }
  .dense .work { fill: var(--lease-fill); stroke: var(--lease); stroke-width: 0.5; }
  .dense .idle { fill: var(--card); stroke: var(--lease); stroke-width: 0.75; stroke-dasharray: 2 2; }
  .dense .late { fill: var(--late-fill); stroke: var(--muted); stroke-width: 0.5; }
  .dense .unattended { fill: url(#hatch); stroke: var(--lease); stroke-width: 0.5; stroke-dasharray: 2 2; }
  .dense .edge { stroke: var(--lease); }
  .dense .beat { stroke: var(--lease); stroke-width: 1.5; }
  .timeline .dense .acked { stroke: var(--ink); stroke-width: 5; stroke-linecap: round; }
  .dense .back { stroke: var(--muted); stroke-width: 1.25; }
  .dense .lost, .dense .crash { stroke: var(--again); stroke-width: 1.75; }
  .timeline .dense .once { fill: var(--once); }
  .timeline .dense .again { fill: url(#stripes); stroke: var(--again); }
  .dense .noted { fill: var(--card); stroke: var(--ink); }
  .dense .bounced { stroke: var(--ink); stroke-width: 2; }
  .dense .refused { stroke: var(--muted); stroke-width: 2; }
  .journey .hull { stroke: var(--ink); stroke-width: 2; }
  .timeline .falling { stroke-width: 7; stroke-linecap: round; }
  .falling.once { stroke: var(--once); }
  .falling.again { stroke: var(--again); }
  .falling.bounced { stroke: var(--ink); }
  .ring { fill: none; stroke: var(--lease); stroke-width: 2; }
  .ring.hovered { stroke: var(--muted); }
  .ring.selected { stroke-width: 3; }
  .marks { pointer-events: none; border-radius: 6px; }
  .marks:focus-visible { outline-offset: -3px; }
  .mark { position: absolute; width: 32px; height: 32px; margin: -16px; border-radius: 50%; }
  .marks:focus-visible .mark.active { outline: 3px solid var(--lease); outline-offset: 1px; }
  .tip {
    position: absolute; z-index: 1; width: max-content; padding: 0.375rem 0.625rem; transform: translate(-50%, calc(-100% - 8px));
    background: var(--card); border: 1px solid var(--control-edge); border-radius: 8px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 0.16); font-size: 0.875rem; line-height: 1.35;
  }
  .tip.below { transform: translate(-50%, 44px); }
  .tip .about { color: var(--muted); font: 0.75rem/1.5 var(--mono); }
  .signs { flex: 1 1 16rem; font-size: 0.8125rem; color: var(--muted); }
  .signs summary { width: fit-content; min-height: 1.5rem; padding-block: 0.125rem; cursor: pointer; }
  .signs ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 0.25rem 1rem; margin: 0.5rem 0 0; padding: 0; list-style: none; }
  .signs li { display: flex; gap: 0.75rem; align-items: center; }
  .signs li svg { flex: none; }
  .tools { display: flex; gap: 0.25rem; }
  .tools button { min-width: 2rem; min-height: 1.75rem; padding: 0 0.5rem; color: var(--muted); }
  .tools button:not([aria-disabled='true']) { color: var(--ink); }
  .tools button[aria-disabled='true'] { border-color: var(--edge); border-style: solid; opacity: 0.6; }

  @media (pointer: coarse) {
    .tools button { min-width: 2.5rem; min-height: 2.25rem; }
  }

  @media (forced-colors: active) {
    .timeline .dense .once { fill: CanvasText; }
    .timeline .dense .again { fill: Mark; }
    .timeline .depth.waiting { fill: GrayText; }
    .ring { stroke: Highlight; }
    .tip { border-color: CanvasText; }
  }

  @media print {
    .tools, .signs:not([open]), .tip { display: none; }
  }
`;
