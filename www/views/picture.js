/**
 * What a chapter shows below its lab: a picture of the run at hand, runs side by side, studies.
 * Fetched when the chapter is opened.
 *
 * @import { Run, Simulation } from '../core.js'
 * @import { StudyPart } from '../pkg/at_least_once.js'
 * @import { Variant } from './compare.js'
 */
import { html, nothing } from 'lit';
import { charts } from '../charts/styles.js';
import { Compare, compareView } from './compare.js';
import { Study, studyView } from './study.js';

export { charts };

/**
 * How a study is drawn.
 * @typedef {object} StudySpec
 * @property {number} runs how many runs it plays; 0 for one that is short and plays by itself
 * @property {(data: { whole: StudyPart, text: PictureText, width: number, id: string }) => unknown} draw
 */

/**
 * A chapter's picture.
 * @typedef {object} Spec
 * @property {Record<string, StudySpec>} [studies]
 * @property {boolean} [compare] whether it puts its variants side by side
 * @property {(run: Run, text: any, width: number) => unknown} [own] a picture of the run at hand, with words of its own
 */

/**
 * Its words.
 * @typedef {object} PictureText
 * @property {string} title
 * @property {string} caption
 * @property {Record<string, { title: string, caption: string }>} [studies]
 * @property {Record<string, string>} [series]
 * @property {Record<string, string>} [places]
 * @property {Record<string, string>} [axes]
 */

/** @typedef {{ title: string, caption: string, variants: Record<string, { name: string, line: string }> }} CompareText */

/** The chapters that have a picture. @type {Record<string, () => Promise<{ spec: Spec }>>} */
export const specs = {
  keys: () => import('../charts/keys.js'),
  backoff: () => import('../charts/backoff.js'),
  'timeout-too-short': () => import('../charts/timeout-too-short.js'),
  'timeout-too-long': () => import('../charts/timeout-too-long.js'),
  checkpoint: () => import('../charts/checkpoint.js'),
  errors: () => import('../charts/errors.js'),
  attempts: () => import('../charts/attempts.js'),
  drain: () => import('../charts/drain.js'),
  'two-ledgers': () => import('../charts/two-ledgers.js'),
  'open-transaction': () => import('../charts/open-transaction.js'),
  'runs-twice': () => import('../charts/runs-twice.js'),
};

export class Picture {
  /** @type {Study[]} */
  #studies;
  /** @type {Compare | undefined} */
  #compare;
  #spec;
  #text;

  /**
   * @param {object} data
   * @param {string} data.experiment
   * @param {Spec} data.spec
   * @param {{ picture?: PictureText, compare?: CompareText }} data.text
   * @param {Simulation} data.simulation the lab's: studies start from its settings
   * @param {Variant[]} data.variants
   * @param {() => void} data.changed called when there is something new to draw
   */
  constructor({ experiment, spec, text, simulation, variants, changed }) {
    this.#spec = spec;
    this.#text = text;
    const ids = Object.keys(spec.studies ?? {});
    this.#studies = ids.map((id) => new Study(simulation, id, changed));
    if (spec.compare) this.#compare = new Compare(experiment, variants, changed);
  }

  /** Plays what is short. Called when the picture opens, and after a setting has changed. @param {string} seed */
  play(seed) {
    for (const study of this.#studies) {
      if (this.#spec.studies?.[study.id]?.runs === 0) study.play();
      else study.forget();
    }
    this.#compare?.play(seed);
  }

  stop() {
    for (const study of this.#studies) study.stop();
    this.#compare?.stop();
  }

  /** @param {Run} run @param {number} width */
  view(run, width) {
    const { picture, compare } = this.#text;
    const { own, studies } = this.#spec;
    return html`<div class="chapter-picture">
      ${picture && !own ? html`<h2>${picture.title}</h2><p>${picture.caption}</p>` : nothing}
      ${picture && own ? own(run, picture, width) : nothing}
      ${
        picture &&
        this.#studies.map((study) => {
          const spec = studies?.[study.id];
          const title = picture.studies?.[study.id]?.title ?? study.id;
          return spec
            ? studyView({
                study,
                title,
                runs: spec.runs,
                draw: (whole) => spec.draw({ whole, text: picture, width, id: study.id }),
              })
            : nothing;
        })
      }
      ${
        compare && this.#compare
          ? compareView({ text: compare, played: this.#compare.played, width })
          : nothing
      }
    </div>`;
  }
}

/**
 * The picture of a chapter; none where it has none.
 * @param {string} experiment @param {{ picture?: PictureText, compare?: CompareText }} text
 * @param {Simulation} simulation @param {() => void} changed
 */
export async function pictureOf(experiment, text, simulation, changed) {
  const { spec } = (await specs[experiment]?.()) ?? {};
  if (!spec) return undefined;
  const variants = /** @type {Variant[]} */ (simulation.variants());
  return new Picture({ experiment, spec, text, simulation, variants, changed });
}
