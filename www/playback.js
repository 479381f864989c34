/**
 * Wall time to playing time to simulated time. The simulation is long computed when this
 * starts: speed, frame rate and a hidden tab decide only what is looked at, never what happened.
 */

/** A tab that was hidden goes on where its reader left it. */
const LONGEST_FRAME_MS = 250;

/** The map between simulated and playing time: pairs (at_us, play_ms), straight in between. */
export class Axis {
  /** @param {ArrayLike<number>} pairs */
  constructor(pairs) {
    this.pairs = pairs;
  }

  /** @param {number} us */
  toMs(us) {
    return this.#map(us, 0, 1);
  }

  /** @param {number} ms */
  toUs(ms) {
    return Math.round(this.#map(ms, 1, 0));
  }

  get endMs() {
    return this.pairs.length ? this.pairs[this.pairs.length - 1] : 0;
  }

  /** @param {number} x @param {0 | 1} from @param {0 | 1} to */
  #map(x, from, to) {
    const { pairs } = this;
    if (pairs.length < 2) return 0;
    if (x <= pairs[from]) return pairs[to];
    for (let i = 2; i < pairs.length; i += 2) {
      const right = pairs[i + from];
      if (x > right) continue;
      const left = pairs[i - 2 + from];
      const part = right > left ? (x - left) / (right - left) : 1;
      return pairs[i - 2 + to] + part * (pairs[i + to] - pairs[i - 2 + to]);
    }
    return pairs[pairs.length - 2 + to];
  }
}

/** Moves a position in playing time along with the frames of the browser. */
export class Playback {
  #frame = 0;
  #last = 0;
  #advance;

  /** @param {(ms: number) => void} advance called with the playing time that has passed */
  constructor(advance) {
    this.#advance = advance;
  }

  get playing() {
    return this.#frame !== 0;
  }

  start() {
    if (this.playing) return;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#tick);
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #tick = (/** @type {number} */ now) => {
    this.#frame = requestAnimationFrame(this.#tick);
    // The first frame's time may lie before start() was called.
    const passed = Math.max(0, Math.min(now - this.#last, LONGEST_FRAME_MS));
    this.#last = now;
    this.#advance(passed);
  };
}
