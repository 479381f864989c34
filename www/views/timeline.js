/**
 * The timeline: a lane for the queue, each worker, the vendor and the ledger. At first there are
 * only its lanes and the messages that wait; what draws the rest, and lets it be looked at closely,
 * is fetched when the reader turns to the lab.
 *
 * @import { LitElement } from 'lit'
 * @import { Part } from 'lit/async-directive.js'
 * @import { Run } from '../core.js'
 * @import { Axis } from '../playback.js'
 */
import { html } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { dress } from '../dress.js';
import { retriable } from '../retriable.js';
import { page } from '../words.js';
import { beforeRun, frame, groundOf, lanes } from './timeline/frame.js';

/**
 * @typedef {object} TimelineData
 * @property {Run} run
 * @property {Axis} axis
 * @property {number} cursor
 * @property {number} us
 * @property {boolean} playing
 * @property {number} width
 * @property {boolean} touched whether a setting was changed since the last run
 * @property {number} selected the event that is looked at everywhere in the lab; -1 for none
 * @property {(event: number) => void} select chooses an event, or lets go of the one chosen
 */

/** What tells that a reader has turned to the lab. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin', 'keydown'];

/** @type {typeof import('./timeline/live.js') | undefined} */
let loaded;
/** @type {Promise<typeof import('./timeline/live.js')> | undefined} */
let loading;
const fetchLive = retriable(() => import('./timeline/live.js'));

/** Fetches the rest once for all labs of a page; after a failure the next call tries again. */
function load() {
  loading ??= fetchLive().then(
    (module) => {
      loaded = module;
      return module;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

class Timeline extends AsyncDirective {
  /** @type {TimelineData | undefined} */
  #data;
  /** @type {InstanceType<typeof import('./timeline/live.js').Live> | undefined} */
  #live;
  #failed = false;
  /** Whether the rest is there, and only what it draws is not yet laid out. */
  #preparing = false;
  /** The moment at which the rest was last asked for. */
  #asked = 0;
  /** @type {EventTarget | undefined} */
  #host;
  /** @type {ShadowRoot | undefined} */
  #root;

  /** @override @param {Part} part @param {[TimelineData]} data */
  update(part, [data]) {
    const host = /** @type {LitElement | undefined} */ (part.options?.host);
    if (!loaded && !this.#host) {
      this.#host = host;
      this.#listen('addEventListener');
    }
    this.#root = /** @type {ShadowRoot | undefined} */ (host?.renderRoot);
    // A run is under way, so nothing is waited for any longer; a failure waits for the next event.
    if (!loaded && data.cursor > 0 && data.cursor !== this.#asked) {
      this.#asked = data.cursor;
      this.#fetch();
    }
    return this.render(data);
  }

  /** @override @param {TimelineData} data */
  render(data) {
    this.#data = data;
    if (loaded && !this.#preparing) {
      if (this.#root) dress(this.#root, loaded.styles);
      this.#live ??= new loaded.Live(this.#redraw);
      return this.#live.render(data);
    }
    return ground(data, this.#failed);
  }

  /** @override */
  disconnected() {
    this.#listen('removeEventListener');
    this.#host = undefined;
  }

  /** @param {'addEventListener' | 'removeEventListener'} how */
  #listen(how) {
    for (const sign of SIGNS) this.#host?.[how](sign, this.#fetch, { passive: true });
  }

  #fetch = async () => {
    this.#listen('removeEventListener');
    try {
      this.#preparing = true;
      const { prepared } = await load();
      this.#failed = false;
      // A long run is laid out piece by piece, so that the page answers in between.
      for (const _ of this.#data ? prepared(this.#data) : []) await breath();
    } catch {
      this.#failed = true;
    } finally {
      this.#preparing = false;
    }
    this.#redraw();
  };

  #redraw = () => {
    if (this.#data && this.isConnected) this.setValue(this.render(this.#data));
  };
}

/** Lets the page draw and answer. */
const breath = () => new Promise((resolve) => setTimeout(resolve));

/** The lanes, until the rest is there. @param {TimelineData} data @param {boolean} failed */
function ground(data, failed) {
  const under = groundOf(data, 1);
  const { g, unit } = under;
  return html`<div class="timeline-view">
    <div class="timeline-box" .style=${`height:${g.height * unit}px`}>
      <div class="canvas" role="img" aria-label=${page.labels.timeline}>
        ${data.cursor === 0 ? beforeRun(data, under) : frame(under, lanes(under))}
      </div>
    </div>
    <div class="timeline-foot">${failed ? page.timeline.failed : ''}</div>
  </div>`;
}

export const timeline = directive(Timeline);
