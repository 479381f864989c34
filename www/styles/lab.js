/** The frame of the lab and everything in it but the timeline. */
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

  button, input, select { font: inherit; color: inherit; }
  button {
    min-height: 2.125rem; padding: 0.25rem 0.8125rem; background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 8px; font-size: 0.875rem; white-space: nowrap;
    cursor: pointer; touch-action: manipulation;
  }
  button:hover { border-color: var(--ink); }
  button[aria-disabled='true'] { color: var(--muted); cursor: default; border-style: dashed; }
  :focus-visible { outline: 3px solid var(--lease); outline-offset: 2px; }

  .prediction {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1rem;
    min-width: 0; border: 0;
  }
  .question { font-weight: 600; }
  .choices { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .choice {
    display: flex; align-items: center; gap: 0.5rem; min-height: 2.125rem; padding: 0.125rem 0.875rem;
    background: var(--card); border: 1px solid var(--control-edge); border-radius: 99px; font-size: 0.9375rem;
    cursor: pointer;
  }
  .choice:hover { border-color: var(--ink); }
  .prediction:disabled .choice { border-color: var(--edge); color: var(--muted); cursor: default; }
  .prediction:disabled .choice:has(:checked) { color: var(--ink); }
  .choice:has(:checked), .prediction:disabled .choice:has(:checked) { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
  .choice:has(:focus-visible) { outline: 3px solid var(--lease); outline-offset: 2px; }
  .choice input { margin: 0; width: 1rem; height: 1rem; accent-color: var(--ink); outline: none; }
  .answer { flex: 1 0 100%; min-height: 1.5em; color: var(--muted); font-size: 0.9375rem; }

  .slice { display: flex; align-items: start; justify-content: space-between; gap: 0.75rem 1rem; }
  .plan { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; flex: 1 1 0; min-width: 0; }
  .strip, .planned { flex: 1 0 100%; }
  .where { font-size: 0.9375rem; font-weight: 600; }
  .between { padding: 0 0.1875rem; color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }
  .strip { display: flex; flex-wrap: wrap; align-items: center; row-gap: 0.375rem; }
  .step {
    padding: 0.25rem 0.5625rem; background: var(--lease-fill); border: 1px solid var(--lease);
    border-radius: 8px; font: 0.875rem/1.5 var(--mono); white-space: nowrap;
  }
  .step + .step { position: relative; margin-inline-start: 0.875rem; }
  .step + .step::before {
    content: ''; position: absolute; inset: 50% 100% auto auto; width: 0.875rem; border-top: 1px solid var(--lease);
  }
  .point { display: flex; align-items: center; position: relative; padding: 0 0.1875rem; }
  .point::before {
    content: ''; position: absolute; inset: 50% 0 auto; border-top: 1px solid var(--lease);
  }
  .point:last-child::before { right: 50%; }
  .crash {
    position: relative; display: grid; place-items: center; width: 1.75rem; height: 1.75rem;
    min-height: 0; padding: 0; border: 1px dashed var(--control-edge); border-radius: 50%; color: var(--muted);
  }
  .crash svg { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; }
  .crash:hover { border-color: var(--again); color: var(--again); }
  .crash[aria-pressed='true'] {
    background: var(--again); border: 1px solid var(--again); color: var(--on-ink);
  }
  .crash[aria-pressed='true'] svg { stroke-width: 2.25; }

  .attempts { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem; color: var(--muted); font-size: 0.875rem; }
  .attempts span { margin-inline-end: 0.25rem; }
  .attempt { position: relative; min-width: 1.875rem; min-height: 1.875rem; padding: 0 0.375rem; font-family: var(--mono); }
  .attempt[aria-pressed='true'] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); font-weight: 700; color: var(--ink); }
  .attempt.faulty::after {
    content: ''; position: absolute; top: -3px; right: -3px; width: 8px; height: 8px;
    border-radius: 50%; background: var(--again); border: 1px solid var(--again);
  }
  .planned { color: var(--muted); font-size: 0.875rem; }
  .guard { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.625rem; flex: 0 0 22rem; align-content: start; min-height: 6rem; }
  .guard .help { flex: 1 0 100%; margin: 0; }
  .guard .owner { flex: 1 0 100%; margin-top: -0.375rem; }
  .guard-name { font-weight: 600; cursor: pointer; }
  .guard code { font: 0.8125rem var(--mono); }
  .switch {
    position: relative; width: 2.75rem; height: 1.5rem; min-height: 0; padding: 0; flex: none;
    background: var(--control-edge); border: 1px solid var(--control-edge); border-radius: 99px;
  }
  .knob { position: absolute; top: 2px; left: 2px; width: 1.125rem; height: 1.125rem; background: var(--card); border-radius: 50%; }
  .switch[aria-checked='true'] { background: var(--once); border-color: var(--once); }
  .switch[aria-checked='true'] .knob { left: auto; right: 2px; }
  .owner { color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }

  .transport { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .run {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-width: 6rem;
    background: var(--ink); border-color: var(--ink); color: var(--on-ink); font-weight: 600;
  }
  .run svg { fill: currentColor; }
  .time { flex: 1 1 12rem; min-width: 0; height: 1.5rem; margin: 0 0.5rem; accent-color: var(--lease); }
  .clock { min-width: 7rem; text-align: end; color: var(--muted); font: 0.875rem var(--mono); font-variant-numeric: tabular-nums; }

  .verdict { min-height: 7.5rem; display: flex; align-items: center; }
  .verdict [role='status'], .so-far { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 1.25rem; }
  .so-far { color: var(--muted); gap: 0.5rem; }
  .so-far b, .paid { font-variant-numeric: tabular-nums; }
  .so-far b { color: var(--ink); }
  .paid { font-size: 2rem; font-weight: 700; line-height: 1.2; letter-spacing: -0.01em; }
  .why { flex: 1 1 24rem; max-width: 84ch; }
  .feedback { flex: 1 0 100%; max-width: 110ch; margin-top: 0.25rem; font-size: 0.9375rem; }
  .verdict.ok { background: var(--once-fill); }
  .verdict.ok .paid { color: var(--once); }
  .verdict.not-ok { background: var(--again-fill); }
  .verdict.not-ok .paid { color: var(--again); }

  .settings summary { cursor: pointer; width: fit-content; }
  .settings summary h2 { display: inline; }
  .controls { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.875rem 1.25rem; margin-top: 0.75rem; }
  .control label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 600; }
  .control-field { display: flex; gap: 0.375rem; }
  .control input, .control select {
    flex: 1; min-width: 0; width: 100%; min-height: 2.125rem; padding: 0.25rem 0.5rem; background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 8px; font: 0.875rem var(--mono);
  }
  .control [aria-invalid='true'] { border-color: var(--again); box-shadow: inset 0 0 0 1px var(--again); }
  .help .owner { display: block; }
  .help { margin-top: 0.375rem; color: var(--muted); font-size: 0.8125rem; line-height: 1.4; }
  .refusal { color: var(--again); font-size: 0.8125rem; line-height: 1.4; }

  .tables { display: grid; grid-template-columns: 1fr 1fr; }
  .lab > .tables { padding: 0; }
  .tables > * { padding: 0.875rem 1.125rem 1.125rem; min-width: 0; min-height: 10.5rem; }
  .tables > * + * { border-inline-start: 1px solid var(--edge); }
  table { width: 100%; table-layout: fixed; border-collapse: collapse; font: 0.8125rem/1.5 var(--mono); font-variant-numeric: tabular-nums; }
  caption { padding-bottom: 0.25rem; text-align: start; }
  th { font: 600 0.8125rem/1.4 var(--sans); color: var(--muted); }
  th, td { padding: 0.3125rem 0.75rem 0.3125rem 0; border-bottom: 1px solid var(--edge); text-align: start; vertical-align: top; }
  tr > :last-child { padding-inline-end: 0; }
  th[scope='row'] { font: inherit; color: inherit; }
  .attempts-table { table-layout: auto; }
  .attempts-table th { width: auto; }
  td.quiet { font-family: var(--sans); }
  .quiet { color: var(--muted); }
  .good { color: var(--once); }
  .bad { color: var(--again); }

  .log { background: var(--sunk); }
  .log-scroll { height: 18.625rem; overflow: auto; scroll-behavior: auto; border-radius: 4px; }
  .log-scroll.empty { height: 6rem; }
  .log-table thead { position: sticky; top: 0; background: var(--sunk); }
  .log-table tbody > tr > * { border-bottom: 0; padding-block: 0.1875rem; line-height: 1.3125rem; }
  .log-table .when { white-space: nowrap; }
  .col-time { width: 9.5rem; }
  .col-job, .col-attempt { width: 4.75rem; }
  .col-key { width: 11.25rem; }
  .ledger-table .col-key { width: auto; }
  .col-row { width: 3rem; }
  .col-amount { width: 7rem; }
  .col-worker { width: 4rem; }
  .col-new_write { width: 5.75rem; }
  .col-backoff { width: 5rem; }
  .log-table .what { font-family: var(--sans); font-size: 0.875rem; }
  .log-table small { display: block; color: var(--muted); font: 0.75rem/1.5 var(--mono); }
  .log-table tr[aria-current] > * { background: var(--lease-fill); }
  .log-table tr[aria-current] > :first-child { box-shadow: inset 3px 0 var(--lease); }
  .log-table tr > :first-child { padding-inline-start: 0.5rem; }

  .tasks ol { display: grid; gap: 0.75rem; margin-top: 0.25rem; }
  .tasks li { display: flex; gap: 0.625rem; align-items: start; }
  .tasks svg { flex: none; margin-top: 0.125rem; fill: none; stroke: var(--control-edge); stroke-width: 1.5; }
  .tasks .done svg circle { fill: var(--once); stroke: var(--once); }
  .tasks .done svg path { stroke: var(--on-ink); stroke-width: 2; }
  .hint { color: var(--muted); font-size: 0.9375rem; }

  @container (max-width: 58rem) {
    .slice { flex-wrap: wrap; }
    .plan, .guard { flex: 1 0 100%; }
    .verdict { min-height: 9rem; }
    .guard { min-height: 0; }
    .tables { grid-template-columns: 1fr; }
    .tables > * + * { border-inline-start: 0; border-top: 1px solid var(--edge); min-height: 0; }
  }
  @container (max-width: 46rem) {
    .controls { grid-template-columns: 1fr 1fr; }
    .time { order: 1; flex-basis: 60%; margin: 0; }
    .clock { order: 1; }
  }
  @container (max-width: 30rem) {
    .lab > *, .tables > * { padding: 0.75rem; }
    .step { padding: 0.1875rem 0.4375rem; font-size: 0.8125rem; }
    .transport { gap: 0.375rem; }
    .transport button { flex: 1 1 auto; padding-inline: 0.5rem; }
    .run { min-width: 5.25rem; }
    .controls { grid-template-columns: 1fr; gap: 0.75rem; }
    .controls .owner { display: none; }
    .guard .help { min-height: 2.8em; }
    .choices { display: grid; grid-template-columns: 1fr 1fr; flex: 1 0 100%; }
    .answer { min-height: 3em; }
    .paid { font-size: 1.75rem; }
    .tables > * { min-height: 0; }
    .col-attempt { width: 3.875rem; }
    .col-worker { width: 3.375rem; }
    .col-new_write { width: 3.25rem; }
    .col-backoff { width: 3.875rem; }
    .col-amount { width: 5.75rem; }
    .col-time { width: 4.5rem; }
    .log-table .when { white-space: normal; }
    th, td { padding-inline-end: 0.375rem; }
    table, th { font-size: 0.75rem; }
    .verdict { min-height: 12rem; }
    .answer { flex: 1 0 100%; min-height: 3em; }
  }

  @container (max-width: 21rem) {
    .choice { gap: 0.375rem; padding-inline: 0.5rem; }
    .clock { min-width: 5rem; }
    .verdict { min-height: 14.5rem; }
    .transport .run { flex-basis: 100%; }
  }

  @media (pointer: coarse) {
    .crash { width: 2.25rem; height: 2.25rem; }
    .attempt { min-width: 2.25rem; min-height: 2.25rem; }
  }
  @media print {
    .transport, .settings, .choice input, .notice button, .where { display: none; }
    .crash[aria-pressed='false'] { display: none; }
    .log-scroll, .log-scroll.empty { height: auto; overflow: visible; }
    .log-table thead { position: static; }
    .picture, .verdict, tr, .tasks li { break-inside: avoid; }
    .crash, .switch, .verdict, .attempt.faulty::after, .choice, .step, .timeline { print-color-adjust: exact; }
    .choice:has(:checked), .prediction:disabled .choice:has(:checked) { border-width: 2px; font-weight: 700; }
    .lab { break-inside: auto; }
  }
  @media (forced-colors: active) {
    .run { background: ButtonText; color: ButtonFace; forced-color-adjust: none; }
    .switch, .crash[aria-pressed='true'], .attempt.faulty::after { forced-color-adjust: none; background: ButtonText; }
    .switch[aria-checked='true'] { background: Highlight; }
    .crash[aria-pressed='true'] { color: ButtonFace; }
    .log-table tr[aria-current] > * { border-block: 2px solid Highlight; }
    .choice:has(:checked), .attempt[aria-pressed='true'] { border-color: Highlight; outline: 1px solid Highlight; }
  }
`;
