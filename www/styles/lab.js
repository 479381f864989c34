/** The frame of the lab and what a bare one shows: its controls, its verdict, its messages. */
import { css } from 'lit';

export const lab = css`
  :host {
    display: block;
    container-type: inline-size;
    color: var(--ink);
    font: 1rem/1.5 var(--sans);
    text-align: start;
  }
  :host([hidden]) { display: none; }
  *, *::before, *::after { box-sizing: border-box; }
  p, ol, h2, fieldset { margin: 0; padding: 0; }
  h2 { font: 700 0.875rem/1.5 var(--sans); color: var(--muted); }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  ol { list-style: none; }
  /* A host page may be of another colour, so every word stands on the card. */
  .lab { background: var(--card); border: 1px solid var(--edge); border-radius: 14px; overflow: clip; }
  .lab > * { padding: 0.75rem 1.125rem; }
  .lab > * + * { border-top: 1px solid var(--edge); }
  .state { padding: 1.5rem; background: var(--card); border: 1px solid var(--edge); border-radius: 14px; }
  .state.loading { min-height: 40rem; color: var(--muted); }
  .state h2 { font-size: 1.125rem; color: var(--ink); }
  .state p { max-width: 62ch; margin: 0.25rem 0 1rem; }
  .notice {
    display: flex; gap: 1rem; align-items: start; justify-content: space-between;
    margin-bottom: 1rem; padding: 0.625rem 0.875rem; background: var(--again-fill);
    border: 1px solid var(--again); border-radius: 8px; font-size: 0.9375rem;
  }
  button, input, select, textarea { font: inherit; color: inherit; }
  button, select {
    min-height: 2.125rem; padding: 0.25rem 0.8125rem; background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 8px; font-size: 0.875rem; white-space: nowrap;
  }
  button { cursor: pointer; touch-action: manipulation; }
  select { padding-inline: 0.5rem; }
  button:hover, select:hover { border-color: var(--ink); }
  button[aria-disabled='true'] { color: var(--muted); cursor: default; border-style: dashed; }
  :focus-visible { outline: 3px solid var(--lease); outline-offset: 2px; }
  .icon { display: inline-grid; place-items: center; width: 2.125rem; padding: 0; flex: none; }
  .icon svg { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
  .quiet { color: var(--muted); }
  p.quiet { font-size: 0.875rem; }
  .good { color: var(--once); }
  .bad { color: var(--again); }
  .transport { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .run {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-width: 6.25rem;
    background: var(--ink); border-color: var(--ink); color: var(--on-ink); font-weight: 600;
  }
  .run svg { fill: currentColor; }
  .scrub { display: flex; align-items: center; gap: 0.375rem; flex: 1 1 18rem; min-width: 0; }
  .time { flex: 1 1 6rem; min-width: 0; height: 1.5rem; margin: 0; accent-color: var(--lease); }
  .scrub .icon { border-color: transparent; }
  .scrub .icon[aria-disabled='true'], .transport > .icon[aria-disabled='true'] { border-color: transparent; opacity: 0.6; }
  .clock { min-width: 6.5rem; text-align: end; font: 0.875rem var(--mono); font-variant-numeric: tabular-nums; }
  .fork {
    flex: 1 0 100%; display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.75rem;
    padding: 0.375rem 0.75rem; background: var(--lease-fill); border-radius: 8px; font-size: 0.875rem;
  }
  .fork span { flex: 1 1 16rem; }
  .fork button { min-height: 1.75rem; padding-block: 0.0625rem; }
  .stage { display: grid; grid-template-columns: minmax(0, 1fr) 24.5rem; }
  .lab > .stage { padding: 0; }
  .stage.single { grid-template-columns: minmax(0, 1fr); }
  .picture { padding: 0.75rem 1.125rem; min-width: 0; }
  .lab.fresh .sight, .lab.fresh .tables > * { min-height: 0; }
  .lab.fresh .log-scroll { height: auto; }
  .verdict { display: grid; gap: 0.25rem 2rem; align-content: center; min-height: 7.5rem; }
  .sum { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
  .paid { font-size: 2.25rem; font-weight: 700; line-height: 1.2; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
  .owed { font-size: 1.125rem; font-variant-numeric: tabular-nums; }
  .why, .feedback { max-width: 84ch; font-size: 0.9375rem; }
  .badges { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.25rem 0 0; padding: 0; list-style: none; font-size: 0.875rem; }
  .badge { display: flex; gap: 0.375rem; align-items: center; min-height: 1.75rem; color: var(--muted); }
  .badge.broken { color: var(--again); font-weight: 600; }
  .badge.broken button { min-height: 1.75rem; white-space: normal; text-align: start; padding: 0 0.625rem; border-color: var(--again); background: none; font-weight: 600; }
  .verdict.ok { background: var(--once-fill); }
  .verdict.ok .paid { color: var(--once); }
  .verdict.not-ok { background: var(--again-fill); }
  .verdict.not-ok .paid { color: var(--again); }
  .verdict.ok .badge { color: var(--ink); }
  :disabled { cursor: default; }
  .foot { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .help-dialog {
    max-width: min(34rem, 92vw); padding: 1.25rem 1.5rem; background: var(--card); color: var(--ink);
    border: 1px solid var(--edge); border-radius: 14px;
  }
  .help-dialog::backdrop { background: rgb(0 0 0 / 45%); }
  .help-dialog h2 { font-size: 1.125rem; color: var(--ink); }
  .help-dialog dl { margin: 0.75rem 0; }
  .help-dialog dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding-block: 0.25rem; border-bottom: 1px solid var(--edge); }
  .help-dialog dt { flex: 0 0 11rem; }
  .help-dialog dd { flex: 1 1 12rem; margin: 0; }
  kbd { font: 0.8125rem var(--mono); }
  .help-dialog form { margin-top: 1rem; }

  @container (max-width: 58rem) {
    .stage { grid-template-columns: minmax(0, 1fr); }
    .verdict { min-height: 10rem; }
  }

  @container (max-width: 46rem) {
    .scrub { order: 1; flex-basis: 100%; }
    .fork { order: 2; }
  }

  @container (max-width: 30rem) {
    .lab > *, .tables > *, .picture, .code { padding: 0.75rem; }
    .lab > .stage { padding: 0; }
    .transport { gap: 0.375rem; }
    .transport > button:not(.icon) { flex: 1 1 auto; padding-inline: 0.5rem; }
    .transport .run { flex: 1 0 100%; }
    .speed, .transport > .icon { order: 2; }
    .clock { min-width: 5rem; }
    .paid { font-size: 2rem; }
    .owed { font-size: 1rem; }
    .verdict { min-height: 14rem; }
  }

  @container (max-width: 21rem) {
    .clock { min-width: 4rem; }
    .verdict { min-height: 16rem; }
  }

  @media print {
    .transport, .notice button, .foot { display: none; }
    .stage { grid-template-columns: minmax(0, 1fr); }
    .picture, .verdict { break-inside: avoid; }
    .verdict { min-height: 0; print-color-adjust: exact; }
    .badge.broken button { padding: 0; border: 0; }
  }

  @media (forced-colors: active) {
    .run { background: ButtonText; color: ButtonFace; forced-color-adjust: none; }
  }
`;
