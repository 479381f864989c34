/**
 * The worker that a reader looks at, and what there is to know about it at the moment looked at.
 *
 * @import { Sight } from './pkg/at_least_once.js'
 * @import { Run } from './core.js'
 * @import { Lab } from './lab.js'
 */

export class Watching {
  /** The one that the reader chose; null follows whoever acts. @type {number | null} */
  #chosen = null;
  /** What was last asked for. @type {{ run: Run, cursor: number, worker: number, sight: Sight } | undefined} */
  #known;
  #lab;
  #changed;

  /** @param {Lab} lab @param {() => void} changed called when there is something new to draw */
  constructor(lab, changed) {
    this.#lab = lab;
    this.#changed = changed;
  }

  /** Whether the worker shown is the one that last did something. */
  get follows() {
    return this.#chosen === null;
  }

  /** The worker shown: the one chosen, or the last that did something. */
  get worker() {
    const { run, view, cursor } = this.#lab;
    if (this.#chosen !== null) return Math.min(this.#chosen, run.summary.workers - 1);
    const workers = view.workers.map(({ worker }) => worker);
    for (let place = cursor - 1; place >= 0; place -= 1) {
      const worker = workers.indexOf(run.event(place)?.worker ?? '');
      if (worker >= 0) return worker;
    }
    return 0;
  }

  /** @param {number | null} worker null for whoever acts */
  choose(worker) {
    this.#chosen = worker;
    this.#changed();
  }

  /** What the worker shown can see. */
  get sight() {
    const { run, simulation } = this.#lab;
    const { worker } = this;
    const cursor = this.#moment();
    const known = this.#known;
    if (known?.run === run && known.cursor === cursor && known.worker === worker)
      return known.sight;
    const sight = simulation.sight(cursor, worker);
    this.#known = { run, cursor, worker, sight };
    return sight;
  }

  /** The moment of what is shown, in microseconds. */
  get us() {
    const { run, us, cursor } = this.#lab;
    const moment = this.#moment();
    return moment === cursor ? us : (run.event(moment - 1)?.at_us ?? us);
  }

  /** The step that the worker shown is at, and the one behind which it was killed; -1 for none. */
  get standing() {
    const doing = this.#lab.view.workers[this.worker];
    return {
      position: doing?.position ?? -1,
      died: doing?.state === 'down' ? this.#placeOfDeath(doing.worker) : -1,
    };
  }

  /** When the worker shown acked, in microseconds, if what it had until then is shown. */
  get ackedUs() {
    const { run, cursor } = this.#lab;
    const moment = this.#moment();
    return moment === cursor ? undefined : run.event(moment)?.at_us;
  }

  /**
   * At the end everybody is idle. Where the ack was the last that the worker did, what it could
   * see until then says more.
   */
  #moment() {
    const { run, view, cursor, ended } = this.#lab;
    if (!ended || !this.follows) return cursor;
    const { worker } = view.workers[this.worker];
    for (let place = cursor - 1; place > 0; place -= 1) {
      const record = run.event(place);
      if (record?.worker === worker) return record.event === 'acked' ? place : cursor;
    }
    return cursor;
  }

  /** @param {string} worker */
  #placeOfDeath(worker) {
    const { run, cursor, program } = this.#lab;
    for (let place = cursor - 1; place >= 0; place -= 1) {
      const record = run.event(place);
      if (record?.event !== 'crashed' || record.worker !== worker) continue;
      const [, side, step] = /^(before|after)-(\w+)$/.exec(record.point ?? '') ?? [];
      const at = program.indexOf(step);
      return side === 'before' ? at - 1 : at;
    }
    return -1;
  }
}
