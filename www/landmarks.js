/**
 * What a reader may want to get to in a run, by name or by a jump.
 *
 * @import { Run } from './core.js'
 */
import { MarkKind } from './core.js';
import { eachMark } from './views/flat.js';

/** The marks that are worth a jump: something was lost, or money moved or did not. */
const TURNS = new Set([
  MarkKind.Crashed,
  MarkKind.Wrote,
  MarkKind.WroteAgain,
  MarkKind.AlreadyWritten,
  MarkKind.AckLost,
  MarkKind.Dead,
]);

/** So many jobs have their names in lists. */
const NAMED_JOBS = 50;

export class Landmarks {
  /** The events at which something turns, in order. @type {number[]} */
  #turns;
  /** The names of the jobs; some of them where there are very many. @type {string[]} */
  jobs;

  /** @param {Run} run */
  constructor(run) {
    const marks = [...eachMark(run.marks)];
    const turns = marks.filter(({ kind }) => TURNS.has(kind)).map(({ event }) => event);
    const sent = marks.filter(({ kind }) => kind === MarkKind.Sent).slice(0, NAMED_JOBS);
    this.#turns = [...new Set(turns)].sort((a, b) => a - b);
    this.jobs = sent.map(({ event }) => run.event(event)?.job_id ?? '');
  }

  /** The first turn behind an event, or the last before it; -1 for none. @param {number} event @param {1 | -1} by */
  turn(event, by) {
    const found =
      by > 0
        ? this.#turns.find((turn) => turn > event)
        : this.#turns.findLast((turn) => turn < event);
    return found ?? -1;
  }
}
