/**
 * Several runs side by side, from one seed: each a strip of what happened and a receipt.
 *
 * @import { EventRecord, Run } from '../core.js'
 */
import { scaleLinear } from 'd3-scale';
import { html, nothing, svg } from 'lit';
import { timeTicks } from '../charts/frame.js';
import { moneyText, Simulation } from '../core.js';
import texts from '../text/en/charts.json';
import { fill, shortSpan } from '../words.js';

const words = texts.compare;

/** So many events of a run are looked at. */
const MOST = 2_000;

/** The height of an attempt's row. */
const ROW = 16;

/** The events with which an attempt is over for its worker. */
const ENDS = new Set([
  'acked',
  'ack-late',
  'ack-lost',
  'crashed',
  'gave-back',
  'sent-again',
  'failed',
  'stepped-back',
]);

/** Codes as marks, in the order in which the legend has them. @type {Record<string, string>} */
const MARKS = {
  called: 'call',
  'answer.replayed': 'replayed',
  'reply-lost.replayed': 'replayed',
  'beat.extended': 'beat',
  'paid.first': 'paid',
  'wrote.first': 'paid',
  'paid.again': 'again',
  'wrote.again': 'again',
  crashed: 'crash',
};

/** @typedef {{ id: string, settings: [string, string][] }} Variant */
/** @typedef {{ id: string, summary: Run['summary'], events: EventRecord[] }} Played */

export class Compare {
  /** @type {Played[]} */
  played = [];
  #experiment;
  #variants;
  #changed;
  #start = 0;

  /** @param {string} experiment @param {Variant[]} variants @param {() => void} changed */
  constructor(experiment, variants, changed) {
    this.#experiment = experiment;
    this.#variants = variants;
    this.#changed = changed;
  }

  /** Plays each, one after the other, from this seed. @param {string} seed */
  async play(seed) {
    this.#start += 1;
    const start = this.#start;
    /** @type {Played[]} */
    const played = [];
    for (const { id, settings } of this.#variants) {
      await new Promise((resolve) => setTimeout(resolve));
      if (start !== this.#start) return;
      const simulation = new Simulation(this.#experiment, {
        seed,
        ...Object.fromEntries(settings),
      });
      const { summary } = simulation.run();
      // A run without end shows its beginning.
      played.push({ id, summary, events: simulation.events(0, Math.min(MOST, summary.events)) });
      simulation.free();
    }
    this.played = played;
    this.#changed();
  }

  stop() {
    this.#start += 1;
  }
}

/** @param {EventRecord} record */
const code = ({ event, detail }) => (detail ? `${event}.${detail}` : event);

/** @param {EventRecord} record */
const named = ({ job_id, copy, attempt }) => `${job_id}/${copy ?? 0}/${attempt}`;

/** The attempts of a run, each with what happened in it. @param {Played} played */
function attempts({ summary, events }) {
  /** @type {Map<string, { from: number, to: number, marks: { at: number, kind: string }[] }>} */
  const all = new Map();
  /** A payment is of the attempt that called last. */
  let last = '';
  for (const record of events) {
    const at = record.at_us;
    if (record.event === 'leased') {
      all.set(named(record), { from: at, to: summary.end_us, marks: [] });
    }
    if (record.event === 'called') last = named(record);
    const one = all.get(record.attempt === undefined ? last : named(record));
    // Where a vendor pays, a local row moves no money.
    const isRow = record.event === 'wrote' && summary.verdict.vendor_rows !== null;
    const kind = isRow ? undefined : (MARKS[code(record)] ?? MARKS[record.event]);
    if (one && kind) one.marks.push({ at, kind });
    if (one && record.attempt !== undefined && ENDS.has(record.event)) one.to = at;
  }
  return [...all.values()];
}

/** @param {string} kind @param {number} x @param {number} y */
function mark(kind, x, y) {
  if (kind === 'crash') {
    return svg`<path class="crash-mark" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8" />`;
  }
  if (kind === 'beat') return svg`<path class="beat-mark" d="M${x} ${y - 5}v10" />`;
  if (kind === 'replayed') {
    return svg`<path class="replayed-mark" d="M${x} ${y - 5}l5 5l-5 5l-5 -5z" />`;
  }
  const radius = kind === 'call' ? 3 : 5;
  return svg`<circle class="${kind}-mark" cx=${x} cy=${y} r=${radius} />`;
}

/** @param {Played} played @param {string} name @param {number} end @param {number} width */
function strip(played, name, end, width) {
  const rows = attempts(played).slice(0, 12);
  const height = rows.length * ROW + 18;
  const x = scaleLinear([0, end], [6, width - 8]);
  const of = (/** @type {number} */ place) => place * ROW + ROW / 2;
  return html`<svg class="strip-picture" viewBox="0 0 ${width} ${height}" width=${width} height=${height}
    role="img" aria-label=${name}>
    ${rows.map(
      ({ from, to, marks }, place) => svg`
        <rect class="attempt-bar" x=${x(from)} y=${of(place) - 4}
          width=${Math.max(2, x(to) - x(from))} height="8" rx="2" />
        ${marks.map(({ at, kind }) => mark(kind, x(at), of(place)))}`,
    )}
    <line class="base" x1="6" x2=${width - 8} y1=${height - 16} y2=${height - 16} />
    ${timeTicks(end, 1e6, 5).map(
      (at) => svg`<text class="tick" x=${x(at)} y=${height - 3} text-anchor="middle">
        ${shortSpan(at)}</text>`,
    )}
  </svg>`;
}

/** The payments, as whoever was paid sees them. @param {Played} played */
function receipt({ summary, events }) {
  const { verdict, ended } = summary;
  const pays = verdict.vendor_rows === null ? 'wrote' : 'paid';
  const paid = events.filter(({ event }) => event === pays);
  const total = fill(words.total, {
    paid: moneyText(verdict.paid_cents),
    owed: moneyText(verdict.owed_cents),
  });
  return html`<div class="receipt ${verdict.ok ? 'ok' : 'not-ok'}">
    <p class="receipt-name">${words.receipt}</p>
    <ol>
      ${paid
        .slice(0, 6)
        .map(
          (record) =>
            html`<li><span>${shortSpan(record.at_us)}</span> <b>+${moneyText(record.cents ?? 0)}</b></li>`,
        )}
      ${paid.length ? nothing : html`<li>${words.nothing}</li>`}
    </ol>
    <p class="receipt-total">${total}${ended === 'cut' ? html` · ${words.cut}` : nothing}</p>
  </div>`;
}

/** The marks that there are. @param {Played[]} played */
const legend = (played) => {
  const marks = played.flatMap(attempts).flatMap((attempt) => attempt.marks);
  const seen = new Set(['work', ...marks.map(({ kind }) => kind)]);
  const kinds = Object.entries(words.legend).filter(([kind]) => seen.has(kind));
  return html`<ul class="compare-legend">
    ${kinds.map(
      ([kind, name]) => html`<li><svg width="16" height="14" aria-hidden="true">
        ${kind === 'work' ? svg`<rect class="attempt-bar" x="0" y="3" width="16" height="8" rx="2" />` : mark(kind, 8, 7)}
      </svg>${name}</li>`,
    )}
  </ul>`;
};

/**
 * @param {object} data
 * @param {{ title: string, caption: string, variants: Record<string, { name: string, line: string }> }} data.text
 * @param {Played[]} data.played
 * @param {number} data.width
 */
export function compareView({ text, played, width }) {
  const end = Math.max(1, ...played.map(({ summary }) => summary.end_us));
  const narrow = width < 640;
  const room = Math.max(200, narrow ? width : width - 260);
  return html`
    <section class="compare" aria-labelledby="compare">
      <h2 id="compare">${text.title}</h2>
      <p class="compare-caption">${text.caption}</p>
      ${legend(played)}
      ${played.map((one) => {
        const { name, line } = text.variants[one.id] ?? { name: one.id, line: '' };
        return html`<section class="variant" aria-label=${name}>
          <h3>${name}</h3>
          <p class="variant-line">${line}</p>
          <div class="variant-run">${strip(one, name, end, room)}${receipt(one)}</div>
        </section>`;
      })}
    </section>`;
}
