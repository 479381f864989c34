/** What stands on the desk around the timeline: the strip, the code, the tables, the settings, the log. */
import { css } from 'lit';

export const desk = css`
  .owner { color: var(--muted); font-size: 0.75rem; white-space: nowrap; }
  .help { color: var(--muted); font-size: 0.875rem; line-height: 1.4; }
  .prediction {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1rem;
    min-width: 0; border: 0;
  }
  .question { font-weight: 600; }
  .choices { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .choices .choice {
    display: flex; align-items: center; gap: 0.5rem; min-height: 2.125rem; padding: 0.125rem 0.875rem;
    background: var(--card); border: 1px solid var(--control-edge); border-radius: 99px; font-size: 0.9375rem;
    cursor: pointer;
  }
  .choices .choice:hover { border-color: var(--ink); }
  .prediction:disabled .choice { border-color: var(--edge); color: var(--muted); cursor: default; }
  .prediction:disabled .choice:has(:checked) { color: var(--ink); }
  .choices .choice:has(:checked), .prediction:disabled .choice:has(:checked) { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
  .choices .choice:has(:focus-visible) { outline: 3px solid var(--lease); outline-offset: 2px; }
  .choice input { margin: 0; width: 1rem; height: 1rem; accent-color: var(--ink); outline: none; }
  .answer { flex: 1 1 16rem; min-height: 1.5em; color: var(--muted); font-size: 0.9375rem; }
  .slice { display: flex; align-items: start; justify-content: space-between; gap: 0.75rem 2rem; }
  .plan { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1rem; flex: 1 1 0; min-width: 0; }
  .strip, .planned { flex: 1 0 100%; }
  .where { font-size: 0.9375rem; }
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
  .point {
    display: flex; align-items: center; position: relative; padding: 0 0.1875rem;
    background: linear-gradient(var(--lease), var(--lease)) 0 50% / 100% 1px no-repeat;
  }
  .point:last-child { background-size: 50% 1px; }
  /* What may happen before a step stands by that step. */
  .point + .point.before { padding-inline-start: 1.125rem; }
  .crash.lost { border-radius: 7px; }
  .crash {
    display: grid; place-items: center; width: 1.75rem; height: 1.75rem;
    min-height: 0; padding: 0; border: 1px dashed var(--control-edge); border-radius: 50%; color: var(--muted);
  }
  .crash svg { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; }
  .crash:is(:hover, :focus-visible)::after {
    content: attr(aria-label) / ''; position: absolute; bottom: calc(100% + 0.375rem); left: -0.5rem; z-index: 1;
    width: max-content; max-width: 17rem; padding: 0.25rem 0.5rem; background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 6px; color: var(--ink); font-size: 0.8125rem;
    line-height: 1.35; text-align: start; white-space: normal; pointer-events: none;
  }
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
  .planned { margin: 0; padding: 0; list-style: none; color: var(--muted); font-size: 0.875rem; }
  .planned li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; min-height: 1.875rem; }
  .choice-of { display: inline-flex; align-items: center; gap: 0.375rem; font-size: 0.8125rem; color: var(--muted); }
  .choice-of select, .choice-of input {
    min-height: 1.75rem; padding: 0.0625rem 0.375rem; color: var(--ink); background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 6px; font-size: 0.8125rem;
  }
  .choice-of input { width: 5rem; font-family: var(--mono); }
  .guard { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; flex: 0 0 22rem; align-content: start; }
  .guard .help { flex: 1 0 100%; min-height: 2.8em; }
  .guard-name { font-weight: 600; cursor: pointer; }
  .guard code { font: 0.8125rem var(--mono); }
  button.switch {
    position: relative; width: 2.75rem; height: 1.5rem; min-height: 0; padding: 0; flex: none;
    background: var(--control-edge); border: 1px solid var(--control-edge); border-radius: 99px;
  }
  .knob { position: absolute; top: 2px; left: 2px; width: 1.125rem; height: 1.125rem; background: var(--card); border-radius: 50%; }
  button.switch[aria-checked='true'] { background: var(--once); border-color: var(--once); }
  button.switch[aria-checked='true'] .knob { left: auto; right: 2px; }
  .code { padding: 0.75rem 1.125rem; min-width: 0; border-inline-start: 1px solid var(--edge); background: var(--sunk); }
  .code-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 0.75rem; }
  .tabs { display: flex; flex-wrap: wrap; }
  .tab { min-height: 1.625rem; padding: 0 0.5rem; border-color: transparent; background: none; border-radius: 6px; color: var(--muted); font-size: 0.8125rem; }
  .tab[aria-pressed='true'] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--ink); border-radius: 0; }
  .fold { display: none; }
  .lines { margin: 0.5rem -1.125rem 0; padding: 0 0 0.25rem; overflow-x: auto; font: 0.75rem/1.5rem var(--mono); tab-size: 2; }
  .lines code { font: inherit; display: block; width: max-content; min-width: 100%; }
  .line { display: block; min-height: 1.5rem; padding-inline: 1.125rem 0.5rem; }
  .line.key { font-weight: 700; }
  .line.guard { color: var(--once); font-weight: 700; }
  .line.guard-off { color: var(--again); }
  .line.guard-off del { text-decoration-thickness: 1.5px; }
  .line.here { background: var(--here); box-shadow: inset 3px 0 var(--lease); }
  .line.died { color: var(--again); font: 700 0.75rem/1.5rem var(--sans); background: var(--again-fill); }
  .in-hand { margin: 0; font: 0.8125rem/1.6 var(--mono); }
  .in-hand div { display: flex; gap: 0.75rem; }
  .in-hand dt { flex: 0 0 6.75rem; color: var(--muted); }
  .in-hand dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
  .sight { min-height: 11rem; }
  .halves { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr); gap: 0.5rem 2rem; margin-top: 0.25rem; }
  .sight h3 { margin: 0; font: 700 0.875rem/1.5 var(--sans); color: var(--muted); }
  .hidden-from-it { margin: 0.25rem 0 0; padding: 0.25rem 0 0.25rem 0.75rem; list-style: none; border-inline-start: 2px dashed var(--control-edge); color: var(--muted); font-size: 0.875rem; }
  .hidden-from-it li { padding-block: 0.125rem; }
  .settings-head, .log-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem; }
  .run-these { margin-inline-start: auto; }
  .controls { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 0.75rem 2rem; margin-top: 0.5rem; }
  .control-head { display: flex; justify-content: space-between; align-items: baseline; gap: 0.5rem; margin-bottom: 0.125rem; }
  .control { min-width: 0; border: 0; }
  .control label { font-size: 0.875rem; font-weight: 600; }
  .control-field { display: flex; align-items: center; gap: 0.5rem; min-height: 2.125rem; }
  .control-field select { flex: 1; min-width: 0; font-family: var(--mono); font-size: 0.8125rem; }
  .control .range { flex: 1 1 6rem; min-width: 0; height: 1.5rem; margin: 0; accent-color: var(--ink); }
  .control .value {
    flex: 0 1 5rem; min-width: 0; width: 5rem; min-height: 2.125rem; padding: 0.25rem 0.5rem; background: var(--card);
    border: 1px solid var(--control-edge); border-radius: 8px; font: 0.8125rem var(--mono);
  }
  .control.seed .value, .control.list .value, .control.rules .value { flex: 1 1 8rem; }
  .control [aria-invalid='true'] { border-color: var(--again); box-shadow: inset 0 0 0 1px var(--again); }
  .control .unit { color: var(--muted); font-size: 0.8125rem; }
  .control .help { margin-top: 0.25rem; font-size: 0.8125rem; }
  .refusal { color: var(--again); font-size: 0.8125rem; line-height: 1.4; }
  .all-settings { margin-top: 1rem; padding-top: 0.75rem; border-top: 1px solid var(--edge); }
  .all-settings h3 { margin: 1rem 0 0; font: 700 0.8125rem/1.5 var(--sans); color: var(--muted); }
  .search { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; font-size: 0.875rem; font-weight: 600; }
  input[type='search'], textarea { min-height: 2.125rem; padding: 0.25rem 0.5rem; background: var(--card); border: 1px solid var(--control-edge); border-radius: 8px; font-size: 0.875rem; }
  .search input { flex: 0 1 22rem; min-width: 0; }
  .tables { display: grid; grid-template-columns: 1fr 1fr; }
  .lab > .tables { padding: 0; }
  /* A hundred rows are there to be scrolled through, not to be scrolled past. */
  .rows { max-height: 24rem; overflow: auto; }
  .book:not(:only-child) > .rows { max-height: 11rem; }
  .rows thead { position: sticky; top: 0; z-index: 1; background: var(--card); }
  .tables > * { padding: 0.875rem 1.125rem 1.125rem; min-width: 0; min-height: 10.5rem; }
  .tables > * + * { border-inline-start: 1px solid var(--edge); }
  .book + .book { margin-top: 0.75rem; }
  table { width: 100%; table-layout: fixed; border-collapse: collapse; font: 0.8125rem/1.5 var(--mono); font-variant-numeric: tabular-nums; }
  th { font: 600 0.8125rem/1.4 var(--sans); color: var(--muted); }
  th, td { padding: 0.3125rem 0.75rem 0.3125rem 0; border-bottom: 1px solid var(--edge); text-align: start; vertical-align: top; }
  tr > :first-child { padding-inline-start: 0.5rem; }
  tr > :last-child { padding-inline-end: 0; }
  th[scope='row'] { font: inherit; color: inherit; }
  .attempts-table { table-layout: auto; }
  .attempts-table th { width: auto; }
  td.quiet { font-family: var(--sans); }
  .pick { min-height: 1.5rem; min-width: 1.5rem; margin: -0.0625rem 0; padding: 0 0.25rem; border-color: transparent; border-radius: 4px; background: none; font: inherit; text-decoration: underline dotted var(--control-edge); text-underline-offset: 0.2em; }
  .pick:hover { border-color: var(--control-edge); }
  .pick[aria-pressed='true'] { border-color: var(--ink); font-weight: 700; text-decoration: none; }
  tbody tr:has(.pick):hover > * { background: color-mix(in srgb, var(--here) 45%, transparent); }
  tr.selected > * { background: var(--here); }
  .log { background: var(--sunk); }
  .log-scroll { height: 18.625rem; overflow: auto; scroll-behavior: auto; border-radius: 4px; }
  .log-scroll.empty { height: 6rem; }
  .log-table thead { position: sticky; top: 0; z-index: 1; background: var(--sunk); }
  .log-table tbody > tr > * { border-bottom: 0; padding-block: 0.125rem; line-height: 1.5rem; }
  .log-table .when { white-space: nowrap; }
  .col-time { width: 9.5rem; }
  .col-job, .col-attempt { width: 4.75rem; }
  .col-key { width: 11.25rem; }
  .ledger-table .col-key { width: auto; }
  .col-row { width: 4rem; }
  .col-payment { width: 5.5rem; }
  .col-amount { width: 7rem; }
  .col-replays { width: 5rem; }
  .col-worker { width: 4rem; }
  .col-new_write { width: 5.75rem; }
  .col-backoff { width: 5rem; }
  .log-table .what { font-family: var(--sans); font-size: 0.875rem; }
  .log-table small { display: block; color: var(--muted); font: 0.75rem/1.5 var(--mono); }
  .log-table tr[aria-current] > * { background: var(--lease-fill); }
  .log-table tr[aria-current] > :first-child { box-shadow: inset 3px 0 var(--lease); }
  .log-table tr.selected > * { background: var(--here); }
  .more { margin: 0.25rem 0; }
  .log-tools { flex: 1 0 100%; display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 0.75rem; margin-bottom: 0.5rem; font-size: 0.875rem; }
  .log-tools label { display: flex; align-items: center; gap: 0.375rem; min-width: 0; max-width: 100%; }
  .log-tools :is(input, select) { min-width: 0; }
  .log-tools button { white-space: normal; }
  .log-tools p, .log-tools textarea { flex: 1 0 100%; }
  .tasks ol { display: grid; gap: 0.75rem; margin-top: 0.25rem; }
  .tasks li { display: flex; gap: 0.625rem; align-items: start; }
  .tasks svg { flex: none; margin-top: 0.125rem; fill: none; stroke: var(--control-edge); stroke-width: 1.5; }
  .tasks .done svg circle { fill: var(--once); stroke: var(--once); }
  .tasks .done svg path { stroke: var(--on-ink); stroke-width: 2; }
  .hint { color: var(--muted); font-size: 0.9375rem; }

  @container (max-width: 58rem) {
    .code { border-inline-start: 0; border-top: 1px solid var(--edge); }
    .fold { display: block; }
    .code:not(.open) > .lines, .code:not(.open) .tabs { display: none; }
    .slice { flex-wrap: wrap; }
    .plan, .guard { flex: 1 0 100%; }
    .guard .help { min-height: 0; }
    .tables { grid-template-columns: minmax(0, 1fr); }
    .tables > * + * { border-inline-start: 0; border-top: 1px solid var(--edge); }
    .tables > * { min-height: 0; }
  }

  @container (max-width: 46rem) {
    .halves { grid-template-columns: minmax(0, 1fr); }
    .sight { min-height: 9rem; }
  }

  @container (max-width: 30rem) {
    .lines { margin-inline: -0.75rem; }
    .line { padding-inline: 0.75rem; }
    .step { padding: 0.125rem 0.375rem; font-size: 0.75rem; }
    .strip { position: relative; }
    .point { position: static; }
    .crash:is(:hover, :focus-visible)::after { left: 0; max-width: 100%; }
    .point { padding: 0 0.0625rem; }
    .between { font-size: 0.75rem; }
    .owner { display: none; }
    .guard .help { font-size: 0.8125rem; }
    .choices { display: grid; grid-template-columns: 1fr 1fr; flex: 1 0 100%; }
    .choices .choice { min-height: 2rem; }
    .answer { flex: 1 0 100%; min-height: 1.5em; }
    .col-attempt { width: 3.875rem; }
    .col-worker { width: 3.375rem; }
    .col-new_write { width: 3.25rem; }
    .col-backoff { width: 3.875rem; }
    .col-amount { width: 5.75rem; }
    .col-time { width: 4.75rem; }
    .log-table .when { white-space: normal; }
    th, td { padding-inline-end: 0.375rem; }
    tr > :first-child { padding-inline-start: 0.25rem; }
    table, th { font-size: 0.75rem; }
    .attempts-table :is(th, td) { padding-inline-end: 0.25rem; }
    .attempts-table :is(thead th, td:nth-last-child(2)) { font-size: 0.6875rem; letter-spacing: -0.01em; }
  }

  @container (max-width: 21rem) {
    .col-payment { width: 4.375rem; }
    .col-amount { width: 3.5rem; }
    .col-replays { width: 3.75rem; }
    .col-row { width: 2.5rem; }
    .choices .choice { gap: 0.375rem; padding-inline: 0.5rem; }
    .in-hand dt { flex-basis: 5.5rem; }
    .log-table .col-time { width: 3.75rem; }
    .log-table .what, .log-table .when { overflow-wrap: anywhere; }
  }

  @media (pointer: coarse) {
    .crash { width: 2.25rem; height: 2.25rem; }
    .attempt { min-width: 2.25rem; min-height: 2.25rem; }
  }

  @media print {
    .settings, .choice input, .where, .attempts, .planned .choice-of, .sight .choice-of, button.switch, .owner,
    .crash[aria-pressed='false'], .tabs, .fold, .log-tools, .log-head button, .more { display: none; }
    .code:not(.open) > .lines { display: block; }
    .lines { overflow: visible; }
    .lines code { width: auto; white-space: pre-wrap; }
    .crash, .choice, .step, .line { print-color-adjust: exact; }
    .sight, .tables > *, .guard .help { min-height: 0; }
    .tables { display: block; }
    .tables > * { max-height: none; overflow: visible; border-inline-start: 0; }
    .pick { padding: 0; text-decoration: none; }
    .col-time { width: 5.5rem; }
    .slice, .sight, .code, .attempts-table, .ledger-table, tr, .tasks li { break-inside: avoid; }
    h2, caption, .code-head { break-after: avoid; }
    .log-scroll, .log-scroll.empty, .rows { height: auto; max-height: none; overflow: visible; }
    .rows thead, .log-table thead { position: static; }
    .choices .choice:has(:checked), .prediction:disabled .choice:has(:checked) { border-width: 2px; font-weight: 700; }
  }

  @media (forced-colors: active) {
    button.switch, .crash[aria-pressed='true'], .attempt.faulty::after { forced-color-adjust: none; background: ButtonText; }
    button.switch[aria-checked='true'] { background: Highlight; }
    .crash[aria-pressed='true'] { color: ButtonFace; }
    .log-table tr[aria-current] > * { border-block: 2px solid Highlight; }
    .choices .choice:has(:checked), .attempt[aria-pressed='true'], .tab[aria-pressed='true'], .pick[aria-pressed='true'] { border-color: Highlight; outline: 1px solid Highlight; }
    tr.selected > *, .line.here { border-block: 1px solid Highlight; }
    .line.here { padding-block: 0; }
  }
`;
