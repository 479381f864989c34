/**
 * Work under leases, bar by bar, up to now.
 *
 * @import { EventRecord } from '../../core.js'
 * @import { Bar, Picture } from '../flat.js'
 * @import { Geometry } from './geometry.js'
 */

import { nothing, svg } from 'lit';
import { BarKind, MarkKind } from '../../core.js';
import texts from '../../text/en/timeline.json';
import { grouped, LATE } from '../flat.js';
import { LETTER } from './geometry.js';
import { deadline } from './shapes.js';

const { steps, steps_short: short } = texts;

/** What a segment is called, the longest first. @type {Record<number, string[]>} */
const names = {
  [BarKind.Think]: [steps.think, short.think],
  [BarKind.Check]: [steps.check, short.check],
  [BarKind.Call]: [steps.call, short.call],
  [BarKind.Wait]: [steps.wait, short.wait],
  [BarKind.Write]: [steps.write, short.write],
  [BarKind.Checkpoint]: [steps.checkpoint, short.checkpoint],
  [BarKind.Ack]: [steps.ack, short.ack],
};

/** @param {number} kind */
export const stepName = (kind) => names[kind]?.[0] ?? '';

/** Signs that stand at the end of a bar, over its last letters. */
const DISCS = new Set([
  MarkKind.Crashed,
  MarkKind.Acked,
  MarkKind.AckLost,
  MarkKind.AckLate,
  MarkKind.GaveBack,
  MarkKind.Stopped,
]);

/**
 * The bars with the names for which there is room: this does not change while a run is played.
 * @param {Picture} picture @param {Geometry} g
 */
export function namedBars({ bars, marks }, g) {
  // What is left alone lies behind what its worker has begun meanwhile.
  const order = (/** @type {Bar} */ { kind }) => Number(kind !== BarKind.Unattended);
  const discs = new Set(
    marks.filter(({ kind }) => DISCS.has(kind)).map(({ lane, at }) => `${lane} ${at}`),
  );
  /** What has its name, and where it ends: a step goes on when its lease is over. @type {Set<string>} */
  const named = new Set();
  return bars
    .filter(({ kind }) => kind !== BarKind.Backoff && kind !== BarKind.Ready)
    .toSorted((a, b) => order(a) - order(b))
    .map((bar) => {
      const room = discs.has(`${bar.lane} ${bar.end}`) ? 15 : 5;
      const [from, to] = [g.x(bar.start), g.x(bar.end)];
      const step = `${bar.lane} ${bar.kind} ${bar.job} ${bar.attempt}`;
      const goesOn = bar.flags & LATE && named.has(`${step} ${bar.start}`);
      const name = goesOn ? undefined : nameFor(bar.kind, to - from - room);
      if (name || goesOn) named.add(`${step} ${bar.end}`);
      return { bar, from, to, name };
    });
}

/** How much smaller a name is where it has no room otherwise. */
const SMALL = 10 / 12;

/** The first name of a segment for which there is room, in small letters if need be. @param {number} kind @param {number} room */
function nameFor(kind, room) {
  for (const size of [1, SMALL]) {
    for (const text of names[kind] ?? []) {
      const width = text.length * LETTER * size;
      if (width < room + (size < 1 ? 2 : 0)) return { text, width, small: size < 1 };
    }
  }
  return undefined;
}

/** @typedef {ReturnType<typeof nameFor>} Name */

/** @param {ReturnType<typeof namedBars>} all @param {Geometry} g @param {number} now pixels */
export const bars = (all, g, now) =>
  all
    .filter(({ from }) => from <= now)
    .map(({ bar, from, to, name }) => one(bar, g, from, Math.min(to, now), name));

/** Messages that are there to be taken, each in its row. @param {Picture} picture @param {Geometry} g @param {number} now pixels */
export const ready = ({ bars }, g, now) =>
  bars
    .filter(({ kind, start }) => kind === BarKind.Ready && g.x(start) <= now)
    .map(({ start, end, job }) => {
      const y = g.yOfJob(Math.max(0, job));
      return svg`<path class="ready" d="M${g.x(start)} ${y}H${Math.min(g.x(end), now)}"></path>`;
    });

/** @param {Bar} bar @param {Geometry} g @param {number} from @param {number} to @param {Name} name */
function one({ kind, lane, flags }, g, from, to, name) {
  const y = g.y(lane) - g.bar / 2;
  const width = Math.max(0, to - from);
  if (kind === BarKind.Unattended) {
    return svg`<rect class="unattended" x=${from} y=${y} width=${width} height=${g.bar}></rect>
      <rect class="unattended-edge" x=${from} y=${y} width=${width} height=${g.bar}></rect>`;
  }
  const roomy = name && width >= name.width + 3;
  return svg`<rect class="work ${flags & LATE ? 'late' : ''} ${kind === BarKind.Wait ? 'idle' : ''}"
      x=${from} y=${y} width=${width} height=${g.bar}></rect>
    <path class="seam" d="M${from} ${y}v${g.bar}"></path>
    ${roomy ? svg`<text class="bar-name ${name.small ? 'small' : ''}" x=${from + (name.small ? 2 : 4)} y=${y + 18}>${name.text}</text>` : nothing}`;
}

/**
 * The leases, each with its deadlines: the first, and one for each heartbeat that moved it.
 * @param {Picture} picture @param {(i: number) => EventRecord | undefined} event
 */
export function leasesWithDeadlines({ leases, marks }, event) {
  const beats = grouped(
    marks.filter(({ kind }) => kind === MarkKind.Heartbeat),
    ({ lane }) => lane,
  );
  return leases.map((lease) => {
    const moved = (beats.get(lease.lane) ?? []).filter(
      ({ job, attempt, event: at }) =>
        job === lease.job && attempt === lease.attempt && at > lease.first,
    );
    const deadlines = [lease.first, ...moved.map((beat) => beat.event)].map((at) => ({
      event: at,
      us: event(at)?.deadline_us ?? lease.deadline,
    }));
    return { lease, deadlines };
  });
}

/**
 * What each lease is at this moment: its hull, and the deadline as far as it is known.
 * @param {ReturnType<typeof leasesWithDeadlines>} all @param {Geometry} g
 * @param {number} cursor @param {number} us
 */
export const hulls = (all, g, cursor, us) =>
  all
    .filter(({ lease }) => lease.first < cursor)
    .map(({ lease, deadlines }) => {
      const open = lease.last >= cursor || lease.last < 0;
      const from = g.x(lease.from);
      const to = g.x(open ? Math.min(us, lease.ended) : lease.ended);
      const y = g.y(lease.lane);
      const ends = deadlines.findLast(({ event }) => event < cursor)?.us ?? lease.deadline;
      const post = g.x(ends);
      return svg`<rect class="hull" x=${from} y=${y - g.bar / 2}
          width=${Math.max(0, to - from)} height=${g.bar} rx="3"></rect>
        ${
          open && post > to
            ? svg`<path class="ahead" d="M${to} ${y - g.bar / 2}H${post}M${to} ${y + g.bar / 2}H${post}"></path>`
            : nothing
        }
        ${open || lease.ended >= ends ? deadline(post, y, g.bar) : nothing}`;
    });
