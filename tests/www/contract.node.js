// The boundary of the shipped wasm: what it returns, and that nothing that is handed in
// can trap it. A trap would end the instance; a refusal leaves everything as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as pkg from './shipped.js';

const { Session } = pkg;
const EXPERIMENT = 'double-refund';

const open = (/** @type {Record<string, string>} */ settings = {}) =>
  new Session(EXPERIMENT, settings);

/** Hands in what the types forbid. @param {unknown} value */
const wrong = (value) => /** @type {never} */ (value);

/** @param {() => unknown} act @param {Partial<Record<string, unknown>>} [parts] */
function refused(act, parts = {}) {
  assert.throws(act, (/** @type {Record<string, unknown>} */ error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'Refusal', String(error));
    for (const part of ['field', 'value', 'limit', 'unit', 'message']) {
      assert.equal(typeof error[part], 'string', part);
    }
    assert.notEqual(error.field, '');
    assert.ok(String(error.message).length < 1000, 'a huge text is not repeated in full');
    for (const [part, value] of Object.entries(parts)) assert.equal(error[part], value, part);
    return true;
  });
}

const NOT_TEXT = [1, Number.NaN, -0, 2n, true, null, undefined, {}, [], () => '', Symbol('x')];
const BAD_TEXT = [
  '',
  '\ud800',
  '\udfff\ud800',
  'x'.repeat(5_000_000),
  '__proto__',
  '0x10',
  '1e3',
  ' ',
];
const BAD_NUMBER = [
  Number.NaN,
  -1,
  0.5,
  Infinity,
  -Infinity,
  2 ** 53,
  '1',
  null,
  undefined,
  {},
  5n,
];

test('the version is a version', () => {
  assert.match(pkg.version(), /^\d+\.\d+\.\d+$/);
});

test('spans and money are written for people', () => {
  assert.equal(pkg.span_text(30_000_000), '30 s');
  assert.equal(pkg.span_text(2_400_000), '2.4 s');
  assert.equal(pkg.span_text(712_000), '712 ms');
  assert.equal(pkg.span_text(300_000_000), '5 min');
  assert.equal(pkg.money_text(1999), '19.99');
  assert.equal(pkg.money_text(5), '0.05');
});

test('a new seed is a seed', () => {
  const seeds = Array.from({ length: 20 }, () => pkg.new_seed());
  assert.equal(new Set(seeds).size, 20);
  for (const seed of seeds) {
    assert.match(seed, /^\d{1,20}$/);
    const session = open({ seed });
    assert.equal(session.settings().find(({ path }) => path === 'seed')?.value, seed);
    session.free();
  }
});

test('the demo: three rows with the guard off, one with it on, the same draws', () => {
  const off = open({ guard: 'off' });
  const on = open({ guard: 'on' });
  for (const [session, rows, paid, writes] of /** @type {const} */ ([
    [off, 3, 5997, [true, true, true]],
    [on, 1, 1999, [true, false, false]],
  ])) {
    const { verdict, events } = session.summary();
    const { attempts, ledger, finished } = session.view(events);
    assert.deepEqual(verdict, {
      ok: rows === 1,
      owed_cents: 1999,
      paid_cents: paid,
      ledger_rows: rows,
      executions: verdict.executions,
      redeliveries: 2,
      vendor_rows: null,
      vendor_paid_cents: null,
      books_agree: null,
    });
    assert.equal(finished, true);
    assert.equal(ledger.length, rows);
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      [0, 1, 2],
    );
    assert.deepEqual(
      attempts.map(({ new_write }) => new_write),
      writes,
    );
    assert.deepEqual(
      attempts.map(({ point }) => point),
      ['after-write', 'after-write', null],
    );
    for (const { key } of attempts) assert.equal(key, 'job_17:step_3:refund');
  }
  const waits = (/** @type {pkg.Session} */ session) =>
    session.view(session.summary().events).attempts.map(({ backoff_us }) => backoff_us);
  assert.deepEqual(waits(off), waits(on));
  assert.notEqual(waits(on)[0], waits(on)[1]);
  assert.equal(waits(on)[2], null);
});

test('every moment can be viewed, and seeking agrees with stepping', () => {
  const session = open();
  const { events, end_us } = session.summary();
  const log = session.events(0, events);
  assert.equal(log.length, events);
  for (let cursor = 0; cursor <= events; cursor += 1) {
    const view = session.view(cursor);
    assert.equal(view.cursor, cursor);
    assert.equal(view.at_us, session.at_us(cursor));
    assert.equal(view.finished, cursor === events);
    if (cursor > 0) assert.equal(view.at_us, log[cursor - 1].at_us);
    const same = log.filter(({ at_us }) => at_us <= view.at_us).length;
    if (cursor > 0) assert.equal(session.cursor_at(view.at_us), same);
  }
  assert.equal(session.at_us(0), 0);
  assert.equal(session.cursor_at(end_us), events);
  session.free();
});

test('bars, marks, leases, depth and the axis are whole records of finite numbers', () => {
  const session = open({ guard: 'off' });
  const { workers, jobs, lanes, play_ms, end_us, events } = session.summary();
  assert.deepEqual(lanes, { workers, vendor: false, relay: false });
  const [bars, marks, axis] = [session.bars(), session.marks(), session.axis()];
  const [leases, depth] = [session.leases(), session.depth()];
  for (const [array, stride] of /** @type {const} */ ([
    [bars, 8],
    [marks, 7],
    [axis, 2],
    [leases, 9],
    [depth, 6],
  ])) {
    assert.ok(array instanceof Float64Array);
    assert.ok(array.length > 0 && array.length % stride === 0);
    assert.ok(array.every(Number.isFinite));
  }
  for (let at = 0; at < bars.length; at += 8) {
    assert.ok(bars[at] >= 0 && bars[at] <= workers + 1, 'lane');
    assert.ok(bars[at + 1] in pkg.BarKind, 'kind');
    assert.ok(bars[at + 2] <= bars[at + 3], 'a bar ends after its start');
  }
  for (let at = 0; at < marks.length; at += 7) assert.ok(marks[at + 1] in pkg.MarkKind, 'kind');
  for (let at = 0; at < leases.length; at += 9) {
    const [lane, , , from, deadline, ended, , first, last] = leases.slice(at, at + 9);
    assert.ok(lane >= 1 && lane <= workers, 'lane');
    assert.ok(from <= ended && ended <= deadline && first < last && last < events, 'lease');
  }
  for (let at = 0; at < depth.length; at += 6) {
    const [, ready, leased, waiting, done, dead] = depth.slice(at, at + 6);
    assert.equal(ready + leased + waiting + done + dead, jobs);
    if (at > 0) assert.ok(depth[at] > depth[at - 6], 'one row a moment');
  }
  for (let at = 2; at < axis.length; at += 2) {
    assert.ok(axis[at] >= axis[at - 2] && axis[at + 1] >= axis[at - 1], 'the axis only rises');
  }
  assert.equal(axis[axis.length - 2], end_us);
  assert.equal(axis[axis.length - 1], play_ms);
  session.free();
});

test('a link opens to the same run', () => {
  const session = open({ guard: 'off', seed: '77', faults: '1:before-ack' });
  const copy = Session.open(session.link());
  assert.equal(copy.trace(), session.trace());
  assert.equal(copy.link(), session.link());
  assert.ok(session.link().length <= 2048);
  session.free();
  copy.free();
});

test('a link leads to its moment, and is refused as a link', () => {
  const session = open({ guard: 'off' });
  const { events } = session.summary();
  for (const cursor of [0, 3, events]) {
    const copy = Session.open(session.link(cursor));
    assert.equal(copy.opened_at(), cursor);
    assert.equal(copy.forked_at(), null);
    copy.free();
  }
  const copy = Session.open(session.link());
  assert.equal(copy.opened_at(), null);
  copy.free();
  for (const link of ['', 'v=99&x=double-refund', `${session.link()}&m=${events + 1}`]) {
    refused(() => Session.open(link), { field: 'link' });
  }
  refused(() => Session.open(`${session.link()}&guard=maybe`), {
    field: 'link',
    value: 'guard=maybe',
  });
  refused(() => Session.open('v=1&'.repeat(600)), { field: 'link', unit: 'bytes' });
  session.free();
});

test('what a worker can see, and what it cannot', () => {
  const session = open({ guard: 'off', faults: '0:after-write' });
  const log = session.events(0, session.summary().events);
  const leased = log.findIndex(({ event, worker }) => event === 'leased' && worker === 'B');
  const wrote = log.findIndex(({ event }) => event === 'wrote');
  const { deadline_us } = log[leased];
  assert.deepEqual(session.sight(leased + 1, 1), {
    worker: 'B',
    state: 'busy',
    job_id: 'job_17',
    attempt: 1,
    receipt: 2,
    lease_until_us: deadline_us,
    key: 'job_17:step_3:refund',
    checkpoint: null,
    guard_saw: null,
    vendor_said: null,
    unseen: [{ worker: 'A', attempt: 0, event: wrote, what: 'wrote', row: 1 }],
  });
  assert.equal(session.sight(leased + 1, 2).state, 'idle');
  session.free();
});

test('the program, the rows of a moment and their events', () => {
  const session = open({ guard: 'off', faults: '0:after-write' });
  const { events } = session.summary();
  assert.deepEqual(
    session.program().map(({ step, detail, key }) => [step, detail, key]),
    [
      ['think', null, null],
      ['write', 'off', 'stable'],
      ['checkpoint', 'after', null],
      ['ack', 'after', null],
    ],
  );
  const view = session.view(events);
  const [, second] = view.ledger;
  assert.deepEqual(session.events(second.event, second.event + 1)[0].row, 2);
  assert.deepEqual([view.attempts_total, view.ledger_total, view.vendor_total], [2, 2, 0]);
  assert.deepEqual(view.queue, { ready: 0, leased: 0, waiting: 0, done: 1, dead: 0 });
  const paidOnce = view.properties.find(({ property }) => property === 'paid-once');
  assert.deepEqual(paidOnce, { property: 'paid-once', held: false, broken_at: second.event });
  assert.equal(session.asked(), 2);
  session.set('guard', 'on');
  const forked = session.forked_at();
  assert.equal(session.events(forked ?? 0, (forked ?? 0) + 1)[0].event, 'already-written');
  assert.equal(session.asked(), 1);
  session.free();
});

test('the tasks of the lesson', () => {
  const tasks = (/** @type {Record<string, string>} */ settings) => open(settings).tasks();
  assert.deepEqual(tasks({ guard: 'off', faults: '0:after-write' }), [false, false]);
  assert.deepEqual(tasks({ guard: 'off' }), [true, false]);
  assert.equal(tasks({ guard: 'on' })[1], true);
});

test('what is out of range is refused with field, value, limit and unit', () => {
  const session = open();
  const before = [session.trace(), JSON.stringify(session.settings())];
  for (const { path, kind } of session.settings()) {
    if (kind === 'rules' || kind === 'list') continue;
    refused(() => session.set(path, 'nonsense'), { field: path, value: 'nonsense' });
    refused(() => open({ [path]: 'nonsense' }), { field: path, value: 'nonsense' });
  }
  refused(() => session.set('workers.count', '0'), { field: 'workers.count', value: '0' });
  refused(() => session.set('workers.count', '999999999999'), { field: 'workers.count' });
  refused(() => session.set('faults', '0:nowhere'), { field: 'faults' });
  refused(() => session.set('no.such', '1'), { value: 'no.such' });
  refused(() => session.reset('no.such'), { value: 'no.such' });
  refused(() => new Session('no-such', {}));
  assert.deepEqual([session.trace(), JSON.stringify(session.settings())], before);
  session.free();
});

test('what is fixed is refused any other value, and what is offered is taken', () => {
  const all = open().settings();
  assert.ok(all.some(({ fixed }) => fixed));
  for (const { path, kind, choices, min, max, default: usual, fixed } of all) {
    const offered = kind === 'choice' ? choices : kind === 'switch' ? ['on', 'off'] : [min, max];
    for (const value of offered.filter((value) => value !== '' && value !== usual)) {
      const session = open();
      if (fixed) refused(() => session.set(path, value), { field: path });
      else session.set(path, value);
      session.free();
    }
  }
});

test('what is of a wrong type or shape is refused, and the instance lives on', () => {
  const session = open();
  const before = session.trace();
  for (const value of NOT_TEXT) {
    refused(() => session.set('seed', wrong(value)), { field: 'seed' });
    refused(() => session.set(wrong(value), '1'));
    refused(() => session.reset(wrong(value)));
    refused(() => new Session(wrong(value), {}));
    refused(() => Session.open(wrong(value)));
    refused(() => open({ seed: wrong(value) }), { field: 'seed' });
  }
  for (const text of BAD_TEXT) {
    refused(() => session.set('seed', text), { field: 'seed' });
    refused(() => session.set(text, '1'));
    refused(() => Session.open(text));
    refused(() => new Session(text, {}));
  }
  for (const settings of [1, 'guard=off', null, undefined, Symbol('x')]) {
    refused(() => new Session(EXPERIMENT, wrong(settings)));
  }
  const hostile = new Proxy({}, { ownKeys: () => assert.fail('a getter of the page threw') });
  assert.throws(
    () => new Session(EXPERIMENT, hostile),
    (error) => !(error instanceof WebAssembly.RuntimeError),
  );
  assert.equal(session.trace(), before);
  session.free();
});

test('numbers are checked on the way in', () => {
  const session = open();
  const before = session.trace();
  for (const value of BAD_NUMBER) {
    refused(() => session.view(wrong(value)));
    refused(() => session.at_us(wrong(value)));
    refused(() => session.sight(wrong(value), 0));
    refused(() => session.sight(0, wrong(value)));
    refused(() => session.events(wrong(value), 1));
    refused(() => session.events(0, wrong(value)));
    if (value !== undefined) refused(() => session.link(wrong(value)));
    refused(() => session.cursor_at(wrong(value)));
    refused(() => session.sweep(wrong(value)));
    refused(() => pkg.span_text(wrong(value)));
    refused(() => pkg.money_text(wrong(value)));
  }
  refused(() => session.view(session.summary().events + 1));
  refused(() => session.at_us(session.summary().events + 1));
  refused(() => session.sight(0, session.summary().workers), { field: 'worker' });
  assert.equal(session.trace(), before);
  session.free();
});

test('a sweep counts what its runs did', () => {
  const session = open({ guard: 'off' });
  const totals = session.sweep(100);
  assert.equal(totals.runs, 100);
  assert.equal(totals.overpaid_runs, 100);
  assert.ok(totals.events > 0 && totals.executions >= 300);
  session.free();
});

test('a freed session says so', () => {
  const session = open();
  session.free();
  assert.throws(() => session.trace());
  const [first, second] = [open(), open({ guard: 'off' })];
  first.free();
  assert.equal(second.summary().verdict.ledger_rows, 3);
  second.free();
});

test('the vendor’s ledger crosses with its rows', () => {
  const session = new Session('keys', { key: 'per-attempt' });
  const { events } = session.summary();
  const { vendor, vendor_total: total, verdict } = session.view(events);
  assert.equal(total, 3);
  assert.equal(vendor.length, 3);
  assert.deepEqual(
    vendor.map(({ row, again }) => [row, again]),
    [
      [1, false],
      [2, true],
      [3, true],
    ],
  );
  assert.equal(verdict.vendor_rows, 3);
  session.free();
});
