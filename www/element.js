/**
 * `<at-least-once>`: one experiment as a lab, wherever a page has room for it.
 *
 * Attributes: `experiment`, and every setting of the experiment under its path with hyphens
 * (`queue-visibility-timeout="30s"`). Text inside the tag is what readers see without script.
 *
 * @import { Refused } from './core.js'
 * @import { Chapter } from './words.js'
 */
import { html, LitElement, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { readAttributes, settingOf } from './attributes.js';
import { experiments, isRefusal, load, spanText } from './core.js';
import { Lab } from './lab.js';
import { styles } from './styles.js';
import { controls } from './views/controls.js';
import { failed, loading, messages } from './views/messages.js';
import { news } from './views/news.js';
import { feedback, prediction } from './views/prediction.js';
import { slice } from './views/slice.js';
import { attemptsTable, ledgerTable, logTable, scrollToLast } from './views/tables.js';
import { tasks } from './views/tasks.js';
import { legend, timeline } from './views/timeline.js';
import { transport } from './views/transport.js';
import { verdict } from './views/verdict.js';
import { chapter, sentence } from './words.js';

const DEFAULT = 'double-refund';

/** Below this width the log has two columns. */
const NARROW = 760;

/** Keys that slide decks and books act on, and that the controls in here need. */
const KEYS = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  ' ',
  'Enter',
  'Home',
  'End',
  'PageUp',
  'PageDown',
]);

export class AtLeastOnce extends LitElement {
  /** @override */
  static styles = styles;

  /** @type {Lab | undefined} */
  #lab;
  /** @type {unknown} why there is no lab */
  #error;
  /** @type {Refused[]} attributes that were not taken */
  #refused = [];
  #experiment = DEFAULT;
  /** The attributes as they were when the element left the page. @type {Map<string, string>} */
  #tag = new Map();
  /** The guard that the switch turns on again. */
  #guard = 'on';
  #width = 0;
  #logged = 0;
  #measured = false;
  /** @type {MutationObserver | undefined} */
  #attributes;
  /** @type {ResizeObserver | undefined} */
  #size;

  constructor() {
    super();
    this.addEventListener('keydown', (event) => {
      if (KEYS.has(event.key)) event.stopPropagation();
    });
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    // Which attributes there are is known only once the core is loaded, so all are watched.
    this.#attributes = new MutationObserver((changes) => this.#attributesChanged(changes));
    this.#attributes.observe(this, { attributes: true });
    this.#size = new ResizeObserver(() => this.#measure());
    this.#size.observe(this);
    if (this.#lab) this.#attributesChanged(this.#missed());
    else this.#start();
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.#attributesChanged(this.#attributes?.takeRecords() ?? []);
    this.#attributes?.disconnect();
    this.#size?.disconnect();
    // An element that is moved stands still, and its button says so.
    this.#lab?.pause();
    this.#tag = attributesOf(this);
  }

  /** The attributes that have changed while nobody watched. @returns {{ attributeName: string }[]} */
  #missed() {
    const now = attributesOf(this);
    const names = new Set([...now.keys(), ...this.#tag.keys()]);
    return [...names]
      .filter((name) => now.get(name) !== this.#tag.get(name))
      .map((attributeName) => ({ attributeName }));
  }

  async #start() {
    this.#error = undefined;
    this.requestUpdate();
    try {
      await load();
      this.#build();
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }

  /** Builds the lab from the attributes; one that is refused is left at its default. */
  #build() {
    this.#lab?.free();
    this.#lab = undefined;
    this.#error = undefined;
    this.#refused = [];
    const wanted = this.getAttribute('experiment') ?? DEFAULT;
    this.#experiment = wanted;
    if (!experiments().includes(wanted) || !chapter(wanted)) {
      this.#experiment = DEFAULT;
      this.#refused.push(unknownExperiment(wanted, experiments()));
    }
    const settings = readAttributes(this, this.#experiment);
    for (;;) {
      try {
        this.#lab = new Lab(
          this.#experiment,
          settings,
          (path) => this.#changed(path),
          (error) => this.#fail(error),
        );
        return;
      } catch (error) {
        if (!isRefusal(error) || !(error.field in settings)) throw error;
        this.#refused.push(error);
        delete settings[error.field];
      }
    }
  }

  /** @param {string} [path] the setting that the reader has given another value */
  #changed(path) {
    // What the reader has set stands above what the tag got wrong.
    if (path) this.#refused = this.#refused.filter((refused) => refused.field !== path);
    this.requestUpdate();
  }

  /** @param {boolean} on */
  #setGuard(on) {
    const guard = this.#lab?.value('guard') ?? 'off';
    if (!on && guard !== 'off') this.#guard = guard;
    this.#lab?.set('guard', on ? this.#guard : 'off');
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#lab?.stop();
    this.#lab = undefined;
    this.#error = error;
    this.requestUpdate();
  }

  /** @param {{ attributeName: string | null }[]} changes */
  #attributesChanged(changes) {
    const lab = this.#lab;
    if (!lab) return;
    const names = new Set(changes.map((change) => change.attributeName ?? ''));
    if (names.has('experiment')) {
      try {
        this.#build();
      } catch (error) {
        this.#fail(error);
      }
      this.requestUpdate();
      return;
    }
    for (const name of names) {
      const path = settingOf(lab.run.settings, name);
      if (!path) continue;
      this.#refused = this.#refused.filter((refused) => refused.field !== path);
      const text = this.getAttribute(name);
      if (text === null) lab.reset(path);
      else if (!lab.set(path, text)) {
        const refused = lab.refused.get(path);
        lab.reset(path);
        if (refused) this.#refused.push(refused);
      }
    }
    this.requestUpdate();
  }

  #measure() {
    const picture = this.renderRoot.querySelector('.picture');
    if (!picture) return;
    const style = getComputedStyle(picture);
    const width = Math.floor(
      picture.clientWidth -
        Number.parseFloat(style.paddingLeft) -
        Number.parseFloat(style.paddingRight),
    );
    if (width > 0 && width !== this.#width) {
      this.#width = width;
      this.requestUpdate();
    }
  }

  /** @override */
  updated() {
    if (!this.#lab) return;
    this.#measure();
    const log = this.renderRoot.querySelector('.log-scroll');
    if (log && this.#logged !== this.#lab.cursor) {
      // Only the log's own scrolling: the page stays where its reader put it.
      scrollToLast(log);
      this.#logged = this.#lab.cursor;
    }
    if (!this.#measured && this.#width > 0) {
      this.#measured = true;
      requestAnimationFrame(() => performance.mark('at-least-once:first-result'));
    }
  }

  /** @override */
  render() {
    const retry = () => this.#start();
    if (this.#error !== undefined) return failed(this.#error, retry);
    const text = chapter(this.#experiment);
    if (!this.#lab || !text) return loading();
    try {
      return this.#picture(this.#lab, text);
    } catch (error) {
      // Whatever is wrong with a picture, the reader gets a message and a way on.
      this.#lab.stop();
      this.#lab = undefined;
      this.#error = error;
      return failed(error, retry);
    }
  }

  /** @param {Lab} lab @param {Chapter} text */
  #picture(lab, text) {
    const { run, view, cursor } = lab;
    const last = run.events[cursor - 1];
    const narrow = this.#width < NARROW;
    return html`
      ${messages({
        settings: run.settings,
        refused: this.#refused,
        restarted: lab.restarted,
        close: () => lab.closeMessage(),
      })}
      <div class="lab">
        ${prediction({
          question: text.question,
          said: lab.said,
          outcome: lab.outcome,
          predict: (rows) => lab.predict(rows),
        })}
        ${slice({
          faults: lab.value('faults'),
          guard: lab.value('guard'),
          key: run.events.find((record) => record.key)?.key ?? '',
          attempt: lab.attempt,
          maxAttempts: Number(lab.value('queue.max_attempts')),
          toggle: (fault) => lab.toggleFault(fault),
          choose: (attempt) => lab.choose(attempt),
          setGuard: (on) => this.#setGuard(on),
        })}
        ${transport({
          playing: lab.playing,
          atStart: cursor === 0 && lab.ms === 0,
          atEnd: lab.ended,
          ms: lab.ms,
          endMs: lab.axis.endMs,
          time: spanText(last?.at_us === lab.us ? lab.us : rounded(lab.us, run.summary.end_us)),
          last: last ? sentence(last) : '',
          run: () => lab.play(),
          pause: () => lab.pause(),
          step: () => lab.step(1),
          stepBack: () => lab.step(-1),
          restart: () => lab.restart(),
          seek: (ms) => lab.seek(ms),
        })}
        <div class="picture">
          ${
            this.#width
              ? timeline({
                  run,
                  axis: lab.axis,
                  cursor,
                  us: lab.us,
                  width: this.#width,
                  touched: lab.touched,
                })
              : nothing
          }
          ${legend(run)}
        </div>
        ${verdict({
          run,
          soFar: view.verdict,
          ended: lab.ended,
          feedback: feedback(text.question, lab.said, run.summary.verdict.ledger_rows),
        })}
        ${tasks(text.tasks, lab.done)}
        ${guard([run, lab.refused], () =>
          controls({
            settings: run.settings,
            refused: lab.refused,
            set: (path, value) => lab.set(path, value),
            newSeed: () => lab.newSeed(),
          }),
        )}
        <div class="tables">
          <div>${attemptsTable(view.attempts, run.summary.jobs > 1)}</div>
          <div>${ledgerTable(view.ledger)}</div>
        </div>
        <div class="log">
          ${guard([run, cursor, narrow], () => logTable(run.events.slice(0, cursor), narrow))}
        </div>
      </div>
      ${news(lab.news, run, text)}`;
  }
}

/** A moment between two events, without digits that nobody can read. @param {number} us @param {number} end */
function rounded(us, end) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(end / 100)));
  // Cut off, never rounded up: a moment before an event never reads as the event's.
  return Math.floor(us / unit) * unit;
}

/** @param {Element} element */
const attributesOf = (element) =>
  new Map([...element.attributes].map(({ name, value }) => [name, value]));

/** @param {string} value @param {string[]} known @returns {Refused} */
const unknownExperiment = (value, known) =>
  Object.assign(new Error('unknown experiment'), {
    field: 'experiment',
    value,
    limit: known.join(', '),
    unit: '',
  });
