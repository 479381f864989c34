/**
 * A filter for the log, and copies of what it leaves.
 *
 * @import { EventRecord } from '../core.js'
 * @import { Entry } from './tables.js'
 */
import { html, nothing } from 'lit';
import { copy } from '../copying.js';
import { spanText } from '../core.js';
import desk from '../text/en/desk.json';
import words from '../text/en/log.json';
import { fill, sentence } from '../words.js';

/** How many events are looked at before the page may draw again. */
const SLICE = 500;

/** @typedef {{ text: string, job: string, kind: string }} Filter */

export class LogTools {
  /** @type {Filter} */
  filter = { text: '', job: '', kind: '' };
  /** What became of the last copy, in words; with the text where it could not be copied. */
  said = '';
  refused = '';
  /** The run that was looked through. @type {unknown} */
  #run;
  /** @type {Entry[]} */
  #found = [];
  /** @type {Set<string>} */
  #kinds = new Set();
  /** @type {Set<string>} */
  #jobs = new Set();
  /** Counts the searches: a later one ends those before it. */
  #search = 0;
  #changed;
  #cursor = 0;
  /** Whether the run has moved on since the reader last did something here. */
  #moved = false;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  get active() {
    return Object.values(this.filter).some((part) => part !== '');
  }

  /**
   * The events that fit, of those before a place in the run. What has not been looked at yet comes later.
   * @param {{ run: unknown, events: (from: number, to: number) => EventRecord[], total: number }} source
   * @param {number} cursor @returns {Entry[]}
   */
  entries({ run, events, total }, cursor) {
    this.#moved ||= cursor !== this.#cursor;
    this.#cursor = cursor;
    if (run !== this.#run) {
      this.#run = run;
      this.#jobs.clear();
      this.#kinds.clear();
      this.#look(events, total);
    }
    return this.#found.filter(({ place }) => place < cursor);
  }

  /** @param {(from: number, to: number) => EventRecord[]} events @param {number} total */
  async #look(events, total) {
    this.#search += 1;
    const search = this.#search;
    this.#found = [];
    for (let from = 0; from < total; from += SLICE) {
      const records = events(from, Math.min(total, from + SLICE));
      for (const [i, record] of records.entries()) {
        this.#kinds.add(record.event);
        if (record.job_id) this.#jobs.add(record.job_id);
        if (fits(record, this.filter)) this.#found.push({ place: from + i, record });
      }
      if (from + SLICE >= total) break;
      await new Promise((resolve) => setTimeout(resolve));
      if (search !== this.#search) return;
    }
    // The caller is drawing right now: what was found is drawn after it.
    await undefined;
    this.#changed();
  }

  /** @param {Partial<Filter>} part */
  #narrow(part) {
    this.filter = { ...this.filter, ...part };
    this.#moved = false;
    this.#run = undefined;
    this.#changed();
  }

  /** @param {Element} near @param {Entry[]} entries @param {(record: EventRecord) => string} line */
  async #copy(near, entries, line) {
    const text = entries.map(({ record }) => line(record)).join('\n');
    const done = await copy(`${text}\n`, near);
    this.refused = done ? '' : text;
    this.said = done ? fill(words.copied, { count: entries.length }) : words.not_copied;
    this.#moved = false;
    this.#changed();
  }

  /** @param {Entry[]} entries those that are shown, on whichever page @param {number} total */
  view(entries, total) {
    const press =
      (/** @type {(record: EventRecord) => string} */ line) => (/** @type {Event} */ event) =>
        this.#copy(/** @type {Element} */ (event.currentTarget), entries, line);
    return html`<div class="log-tools">
      <label>${words.text} <input type="search" autocomplete="off" spellcheck="false"
        .value=${this.filter.text} @input=${(/** @type {Event} */ event) => this.#narrow({ text: enteredIn(event) })} /></label>
      ${this.#select(words.job, this.#jobs, this.filter.job, (job) => this.#narrow({ job }))}
      ${this.#select(words.kind, this.#kinds, this.filter.kind, (kind) => this.#narrow({ kind }))}
      <button type="button" @click=${press(textLine)}>${words.copy_text}</button>
      <button type="button" @click=${press(JSON.stringify)}>${words.copy_json}</button>
      <p role="status" class="quiet" aria-live=${this.#moved ? 'off' : 'polite'}>
        ${this.active ? fill(words.found, { count: entries.length, total }) : nothing}
        ${this.said}</p>
      ${this.refused ? html`<textarea readonly rows="4" aria-label=${words.not_copied} .value=${this.refused}></textarea>` : nothing}
    </div>`;
  }

  /** @param {string} label @param {Set<string>} values @param {string} chosen @param {(value: string) => void} taken */
  #select(label, values, chosen, taken) {
    return html`<label>${label} <select @change=${(/** @type {Event} */ event) => taken(enteredIn(event))}>
      <option value="" ?selected=${chosen === ''}>${words.any}</option>
      ${[...values].map((value) => html`<option value=${value} ?selected=${value === chosen}>${value}</option>`)}
    </select></label>`;
  }
}

const enteredIn = (/** @type {Event} */ event) =>
  /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/** @param {EventRecord} record @param {Filter} filter */
function fits(record, { text, job, kind }) {
  if (job && record.job_id !== job) return false;
  if (kind && record.event !== kind) return false;
  return !text || textLine(record).toLowerCase().includes(text.toLowerCase());
}

/** An event as a span would have it: when, which job, which attempt, which key, what. @param {EventRecord} record */
const textLine = (record) =>
  [
    spanText(record.at_us),
    record.job_id ?? desk.tables.none,
    record.attempt ?? desk.tables.none,
    record.key ?? desk.tables.none,
    sentence(record),
  ].join('\t');
