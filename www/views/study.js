/**
 * A study: many runs, played in parts, so that the page stays awake between them and the reader
 * can stop it.
 *
 * @import { Simulation } from '../core.js'
 * @import { StudyPart } from '../pkg/at_least_once.js'
 */
import { html, nothing } from 'lit';
import words from '../text/en/charts.json';
import { fill } from '../words.js';

/** Lets the page draw, and answer to a key or a press. */
const rest = () => new Promise((resolve) => setTimeout(resolve));

/** Points of one series with the same x are one point. @param {StudyPart} whole @param {StudyPart} part */
function add(whole, part) {
  for (const { id, points } of part.series) {
    const into = whole.series.find((series) => series.id === id);
    if (!into) {
      whole.series.push({ id, points: points.map(([x, y]) => [x, y]) });
      continue;
    }
    for (const [x, y] of points) {
      const there = into.points.find((point) => point[0] === x);
      if (there) there[1] += y;
      else into.points.push([x, y]);
    }
  }
}

export class Study {
  /** What all parts together have said. @type {StudyPart | undefined} */
  whole;
  /** @type {'open' | 'playing' | 'stopped' | 'done' | 'failed'} */
  state = 'open';
  done = 0;
  parts = 0;
  #simulation;
  #changed;
  /** Counts the starts: who began earlier says nothing any more. */
  #start = 0;

  /** @param {Simulation} simulation @param {string} id @param {() => void} changed */
  constructor(simulation, id, changed) {
    this.#simulation = simulation;
    this.id = id;
    this.#changed = changed;
  }

  async play() {
    this.#start += 1;
    const start = this.#start;
    this.state = 'playing';
    this.done = 0;
    this.#changed();
    /** @type {StudyPart | undefined} */
    let whole;
    try {
      for (let part = 0; part === 0 || part < this.parts; part += 1) {
        await rest();
        if (start !== this.#start) return;
        const said = this.#simulation.study(this.id, part);
        if (whole) add(whole, said);
        else whole = said;
        this.parts = said.parts;
        this.done = part + 1;
        this.#changed();
      }
      for (const { points } of whole?.series ?? []) points.sort((one, other) => one[0] - other[0]);
      this.whole = whole;
      this.state = 'done';
    } catch {
      if (start !== this.#start) return;
      this.state = 'failed';
    }
    this.#changed();
  }

  /** What was said is about settings that are no more. */
  forget() {
    this.#start += 1;
    this.whole = undefined;
    this.state = 'open';
    this.#changed();
  }

  stop() {
    this.#start += 1;
    if (this.state === 'playing') this.state = this.whole ? 'done' : 'stopped';
    this.#changed();
  }
}

/**
 * @param {object} data
 * @param {Study} data.study
 * @param {string} data.title
 * @param {number} data.runs how many runs it plays; 0 for one that plays by itself
 * @param {(whole: StudyPart) => unknown} data.draw
 */
export const studyView = ({ study, title, runs, draw }) => html`
  <section class="study" aria-label=${title}>
    ${study.whole ? draw(study.whole) : html`<p class="study-name"><b>${title}</b></p>`}
    ${study.state === 'failed' ? html`<p class="refusal" role="alert">${words.failed}</p>` : nothing}
    ${runs ? player(study, title, runs) : nothing}
  </section>`;

/**
 * One button, whatever it does at the moment, so that who has pressed it stays where they are.
 * @param {Study} study @param {string} title @param {number} runs
 */
function player(study, title, runs) {
  const playing = study.state === 'playing';
  const all = runs.toLocaleString('en');
  const label = playing ? words.stop : study.whole ? words.again : fill(words.play, { runs: all });
  return html`<p class="study-progress">
    <button type="button" @click=${() => (playing ? study.stop() : study.play())}>${label}</button>
    ${
      playing
        ? html`<progress max=${study.parts || 1} value=${study.done} aria-label=${title}></progress>
            <span>${fill(words.progress, { done: study.done, all: study.parts || '…' })}</span>`
        : nothing
    }
    <span class="unseen" role="status">
      ${study.state === 'done' ? fill(words.played, { runs: all, title }) : nothing}
    </span>
  </p>`;
}
