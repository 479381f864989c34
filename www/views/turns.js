/**
 * Parts that are drawn in turns. While a run of very many events plays, or its slider is dragged,
 * the picture comes first: of the parts around it one is drawn a frame, those in view a few times
 * a second, the others when the run has come to rest. Each shows the last that it was given.
 *
 * @import { ChildPart } from 'lit/directive.js'
 */
import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

/** What a part in view waits between two drawings. */
const PACE_MS = 200;
/** How long nothing is to happen before the parts out of view are drawn. */
const REST_MS = 300;

/** The parts that have something to draw. @type {Set<Turn>} */
const waiting = new Set();
let planned = false;

/** One of them is drawn in the next frame in which one is due. */
function plan() {
  if (planned || waiting.size === 0) return;
  planned = true;
  const next = Math.min(...[...waiting].map(({ due }) => due));
  setTimeout(() => requestAnimationFrame(draw), Math.max(0, next - performance.now()));
}

function draw() {
  planned = false;
  const now = performance.now();
  const due = [...waiting].filter((turn) => turn.due <= now).sort((a, b) => a.due - b.due);
  due[0]?.draw();
  plan();
}

class Turn extends AsyncDirective {
  due = 0;
  #drawn = Number.NEGATIVE_INFINITY;
  #asked = 0;
  #inView = false;
  /** @type {(() => unknown) | undefined} */
  #content;
  /** @type {Element | null} */
  #place = null;
  #view = new IntersectionObserver((entries) => {
    this.#inView = !!entries.at(-1)?.isIntersecting;
    this.#plan();
    plan();
  });

  /** @override @param {ChildPart} part @param {[boolean, () => unknown]} given */
  update(part, [crowded, content]) {
    if (crowded) this.#watch(elementOf(part));
    return this.render(crowded, content);
  }

  /** @override @param {boolean} crowded @param {() => unknown} content */
  render(crowded, content) {
    const isFirst = this.#drawn === Number.NEGATIVE_INFINITY;
    if (!crowded || isFirst) {
      waiting.delete(this);
      this.#drawn = performance.now();
      return content();
    }
    this.#content = content;
    this.#asked = performance.now();
    waiting.add(this);
    this.#plan();
    plan();
    return noChange;
  }

  draw() {
    waiting.delete(this);
    if (!this.isConnected || !this.#content) return;
    this.setValue(this.#content());
    this.#drawn = performance.now();
  }

  /** @override */
  disconnected() {
    waiting.delete(this);
    this.#view.disconnect();
    this.#place = null;
  }

  /** @override */
  reconnected() {
    // What was drawn may be old by now.
    this.#drawn = Number.NEGATIVE_INFINITY;
  }

  #plan() {
    this.due = this.#inView ? this.#drawn + PACE_MS : this.#asked + REST_MS;
  }

  /** @param {Element | null} place */
  #watch(place) {
    if (place === this.#place) return;
    this.#view.disconnect();
    this.#place = place;
    if (place) this.#view.observe(place);
  }
}

/** What a part shows is one element. @param {ChildPart} part */
function elementOf({ startNode, endNode }) {
  let node = startNode?.nextSibling ?? null;
  while (node && node !== endNode && !(node instanceof Element)) node = node.nextSibling;
  return node instanceof Element ? node : null;
}

/** Draws at once, or in turn where a run is crowded: `inTurn(crowded, () => template)`. */
export const inTurn = directive(Turn);
