/** How charts look, by day and by night. */
import { css } from 'lit';

export const charts = css`
  .chart { margin: 0; }
  .chart + .chart, .study + .study, .chapter-picture > * + * { margin-top: 1.25rem; }
  .chart svg, .strip-picture { display: block; max-width: 100%; height: auto; overflow: visible; }
  figcaption, .study-name { margin-bottom: 0.5rem; line-height: 1.4; }
  figcaption span, .compare-caption, .variant-line { color: var(--muted); font-size: 0.9375rem; }
  .chapter-picture > h2, .compare h2 { font-size: 1.0625rem; color: var(--ink); }
  .chapter-picture > p { margin-top: 0.25rem; color: var(--muted); font-size: 0.9375rem; max-width: 70ch; }
  .chart text, .strip-picture text { fill: var(--ink); font: 0.75rem var(--sans); font-variant-numeric: tabular-nums; }
  .axis text, .axis-name, .strip-picture .tick { fill: var(--muted); }
  .axis line, .base { stroke: var(--control-edge); }
  .axis .rule { stroke: var(--edge); }
  .row-name { font-weight: 600; }
  .row-peak { fill: var(--muted); }
  .strip { fill: var(--sunk); }
  .bar { fill: var(--lease); }
  .bar.full { fill: var(--again); }
  .line, .bound { fill: none; stroke: var(--lease); stroke-width: 2; }
  .bound { stroke: var(--ink); stroke-width: 1.5; }
  .dot { fill: var(--lease); stroke: var(--card); }
  .attempt-bar { fill: var(--lease-fill); stroke: var(--lease); }
  .lease-band { fill: var(--late-fill); stroke: var(--control-edge); stroke-dasharray: 3 2; }
  .outside { fill: var(--again-fill); stroke: var(--again); }
  .outside-name { fill: var(--again) !important; }
  .call-mark { fill: var(--card); stroke: var(--ink); stroke-width: 1.5; }
  .paid-mark { fill: var(--once); stroke: var(--card); }
  .again-mark { fill: var(--again); stroke: var(--ink); stroke-width: 2; }
  .replayed-mark { fill: var(--card); stroke: var(--once); stroke-width: 1.5; }
  .crash-mark { fill: none; stroke: var(--again); stroke-width: 2; }
  .beat-mark { stroke: var(--ink); stroke-width: 1.5; }

  .study-progress { display: flex; gap: 0.75rem; align-items: center; }
  .study-progress progress { flex: 1; max-width: 20rem; accent-color: var(--lease); }
  .numbers { margin-top: 0.375rem; font-size: 0.875rem; }
  .numbers summary { width: fit-content; color: var(--muted); cursor: pointer; }
  .numbers-scroll, .matrix-scroll { max-height: 18rem; overflow: auto; }
  .numbers table, .matrix { table-layout: auto; }
  .matrix td { text-align: center; font-weight: 700; }
  .matrix th { font-weight: 600; }
  .matrix tbody th { color: var(--ink); }
  .matrix td.right { background: var(--once-fill); color: var(--once); }
  .matrix td.lost, .matrix td.doubled { background: var(--again-fill); color: var(--again); }
  .matrix td.doubled { text-decoration: underline double; }
  .matrix td.lost { outline: 1px dashed var(--again); outline-offset: -3px; }
  .matrix td.absent { color: var(--muted); font-weight: 400; }

  .line.loud { stroke: var(--again); }
  .table-scroll { overflow-x: auto; }
  .decisions, .books { border-collapse: collapse; }
  .decisions tbody th, .books tbody th { color: var(--ink); text-align: start; }
  .decisions .count { white-space: nowrap; font-variant-numeric: tabular-nums; }
  .decisions .calls { display: inline-block; max-width: none; vertical-align: middle; }
  .decisions .right, .books .right { color: var(--once); }
  .decisions .wrong, .books .wrong { color: var(--again); font-weight: 700; }
  .books th, .books td { padding-inline: 0.625rem; }
  .books td { border-inline: 1px solid var(--edge); }
  .books .vendor, .books .local { background: var(--sunk); font-family: var(--mono); font-size: 0.875rem; }
  .books .vendor, .books .local { width: 30%; }
  .books .gap { text-align: center; }
  .books .note { color: var(--muted); }
  .books .torn td, .books .torn th { border-bottom: 2px dashed var(--again); }
  .books .death { color: var(--again); font-weight: 700; }
  .books tfoot td, .books tfoot th { border-top: 2px solid var(--control-edge); font-weight: 700; }
  .replays details { border-top: 1px solid var(--edge); }
  .replays summary { display: grid; grid-template-columns: minmax(8rem, 1fr) repeat(2, minmax(7rem, 10rem)); gap: 0.5rem; align-items: baseline; padding: 0.5rem 0; cursor: pointer; }
  .replays details p { margin: 0 0 0.75rem 1.25em; max-width: 65ch; }
  .outcome small { display: block; color: var(--muted); }
  .replays summary > b { position: relative; padding-inline-start: 1.25em; }
  .replays summary > b::before { content: '▸' / ''; position: absolute; inset: 0 auto auto 0; color: var(--muted); }
  .replays [open] > summary > b::before { content: '▾' / ''; }
  .outcome.right strong { color: var(--once); }
  .outcome.doubled strong { color: var(--again); text-decoration: underline double; text-underline-offset: 3px; }
  .checks { display: grid; gap: 0.5rem; margin: 0.5rem 0; padding: 0; list-style: none; }
  .checks li { display: grid; grid-template-columns: 1fr auto; gap: 0 0.75rem; padding: 0.5rem 0.75rem; border-inline-start: 4px solid var(--control-edge); background: var(--sunk); }
  .checks span { grid-column: 1 / -1; color: var(--muted); font-size: 0.9375rem; }
  .checks .holds { border-color: var(--once); }
  .checks .holds strong { color: var(--once); }
  .checks .broken { border-color: var(--again); border-inline-start-style: double; }
  .checks .broken strong { color: var(--again); }
  .checks .silent strong { color: var(--muted); }
  .checklist { margin-top: 1.5rem; }
  .checklist h3 { font-size: 1rem; }
  .checklist li { max-width: 70ch; }

  .compare-legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0; padding: 0; list-style: none; color: var(--muted); font-size: 0.875rem; }
  .compare-legend li { display: flex; gap: 0.375rem; align-items: center; }
  .variant { padding: 0.75rem 0; border-top: 1px solid var(--edge); }
  .variant h3 { margin: 0; font-size: 0.9375rem; }
  .variant-run { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: start; margin-top: 0.5rem; }
  .receipt { flex: 0 0 13rem; padding: 0.5rem 0.75rem; background: var(--sunk); border: 1px solid var(--edge); border-radius: 6px; font: 0.8125rem/1.5 var(--mono); }
  .receipt li { display: flex; justify-content: space-between; }
  .receipt-name { color: var(--muted); font-family: var(--sans); }
  .receipt-total { margin-top: 0.25rem; border-top: 1px dashed var(--control-edge); }
  .receipt.ok .receipt-total { color: var(--once); }
  .receipt.not-ok .receipt-total { color: var(--again); font-weight: 700; }

  @media print {
    .chapter-picture button, .study-progress, .numbers:not([open]), .study:not(:has(.chart)) { display: none; }
    .chart, .variant, .matrix, .decisions, .books, .checks li { break-inside: avoid; }
    .chart svg, .strip-picture, .receipt, .matrix td, .checks li { print-color-adjust: exact; }
    .numbers-scroll, .matrix-scroll, .table-scroll { max-height: none; overflow: visible; }
    .replays details::details-content { content-visibility: visible; height: auto; }
  }
`;
