// The small languages that the page writes for the core: spans and fault rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesAbout, rulesOf, withChange, withFault } from '../../www/faults.js';
import { History } from '../../www/history.js';
import {
  linearScale,
  logScale,
  roundNumber,
  roundSpan,
  STOPS,
  spanAsSet,
  spanOf,
  withUnitOf,
} from '../../www/spans.js';
import { Session } from './shipped.js';

/** Whether the core reads a value as it stands. @param {string} path @param {string} value */
function taken(path, value) {
  const session = new Session('double-refund', { [path]: value });
  return session.settings().find((setting) => setting.path === path)?.value;
}

test('a span is written as the core writes it', () => {
  for (const us of [
    1, 1000, 1500, 1_000_000, 30_000_000, 90_000_000, 3_600_000_000, 86_400_000_000,
  ]) {
    assert.equal(spanOf(spanAsSet(us)), us);
    const core = taken('backoff.base', spanAsSet(us));
    assert.equal(spanOf(core ?? ''), us, core);
  }
  assert.ok(Number.isNaN(spanOf('soon')));
  assert.ok(Number.isNaN(spanOf('30')));
});

test('a number alone has the unit that stood there', () => {
  for (const [typed, before, text] of [
    ['11', '5s', '11s'],
    ['900', '740ms', '900ms'],
    ['1.5', '2d', '1.5d'],
    ['5', '0s', '5s'],
    ['5m', '0s', '5m'],
    ['soon', '5s', 'soon'],
    ['-3', '5s', '-3'],
    ['5', 'none', '5'],
  ]) {
    assert.equal(withUnitOf(typed, before), text);
  }
});

test('a slider reaches both ends, and each stop is as far as the one before or farther', () => {
  const day = 86_400_000_000;
  for (const [min, max, scale] of /** @type {const} */ ([
    [0, day, logScale(0, day, 1000, roundSpan)],
    [1000, day, logScale(1000, day, 1000, roundSpan)],
    [1, 1_000_000, logScale(1, 1_000_000, 1, roundNumber)],
    [1, 50, linearScale(1, 50)],
    [0, 1000, linearScale(0, 1000)],
  ])) {
    assert.equal(scale.value(0), min);
    assert.equal(scale.value(STOPS), max);
    assert.equal(scale.stop(min), 0);
    assert.equal(scale.stop(max), STOPS);
    let last = Number(min);
    for (let stop = 0; stop <= STOPS; stop += 1) {
      const value = scale.value(stop);
      assert.ok(value >= last && value <= max, `${stop}: ${value}`);
      last = value;
    }
  }
});

test('rules are read and written as the core has them', () => {
  const text =
    '0:after-write 1/2:pause:before-write~45s *:throw:before-call 2:ack-lost 3.1:reply-lost';
  assert.deepEqual(
    rulesOf(text).map(({ job, attempt, point, kind, span }) => [job, attempt, point, kind, span]),
    [
      ['', '0', 'after-write', 'crash', ''],
      ['1', '2', 'before-write', 'pause', '45s'],
      ['', '*', 'before-call', 'throw', ''],
      ['', '2', 'ack', 'ack-lost', ''],
      ['', '3.1', 'call', 'reply-lost', ''],
    ],
  );
  for (const rule of rulesOf(text)) assert.equal(withChange(text, rule, {}), text);
  assert.deepEqual(rulesOf('none'), []);
  assert.equal(rulesAbout(text, 7).length, 1, 'a rule for every attempt is about each');
});

test('a fault is put somewhere and taken away; a worker dies once in an attempt', () => {
  assert.equal(withFault('none', 0, 'after-write'), '0:after-write');
  assert.equal(withFault('0:after-write', 0, 'after-write'), 'none');
  assert.equal(withFault('0:after-write', 0, 'before-ack'), '0:before-ack');
  assert.equal(withFault('0:after-write', 0, 'ack'), '0:ack-lost');
  assert.equal(withFault('1:ack-lost', 0, 'after-write'), '0:after-write 1:ack-lost');
  assert.equal(
    withFault('0:pause:before-write~45s', 0, 'after-write'),
    '0:pause:before-write~45s 0:after-write',
  );
  const [rule] = rulesOf('0:after-write');
  assert.equal(withChange('0:after-write', rule, { job: '2' }), '2/0:after-write');
  assert.equal(withChange('0:after-write', rule, { kind: 'pause' }), '0:pause:after-write~45s');
  for (const text of ['0:after-write 1:ack-lost', '2/0:after-write']) {
    assert.equal(taken('faults', text), text);
  }
});

test('an act undone can be done again, until there is another', () => {
  const history = new History();
  const state = (/** @type {string} */ value) => new Map([['guard', value]]);
  history.record(state('a'));
  history.record(state('b'));
  assert.deepEqual(history.undo(state('c')), state('b'));
  assert.deepEqual(history.undo(state('b')), state('a'));
  assert.equal(history.undo(state('a')), undefined);
  assert.deepEqual(history.redo(state('a')), state('b'));
  history.record(state('b'));
  assert.equal(history.redo(state('d')), undefined);
  assert.deepEqual(history.undo(state('d')), state('b'));
});
