// The text of the fault rules, as the page reads and writes it: against what the core reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  kindsAt,
  lastAttempt,
  onlyFault,
  rulesAbout,
  rulesOf,
  withChange,
  withFault,
} from '../../www/faults.js';
import { Session } from './shipped.js';

/** One of each kind: what a link may say, whether the page offers it or not. */
const TEXTS = {
  '0:after-write': { point: 'after-write', kind: 'crash', span: '' },
  '*:before-ack': { point: 'before-ack', kind: 'crash', span: '' },
  '0:relay-between': { point: 'relay-between', kind: 'crash', span: '' },
  '1:crash@5s': { point: 'crash@5s', kind: 'crash', span: '' },
  '0:pause:before-call~45s': { point: 'before-call', kind: 'pause', span: '45s' },
  '2/1:throw:before-write': { point: 'before-write', kind: 'throw', span: '' },
  '0:ack-lost': { point: 'ack', kind: 'ack-lost', span: '' },
  '0:ack-twice': { point: 'ack', kind: 'ack-twice', span: '' },
  '0:replica': { point: 'ack', kind: 'replica', span: '' },
  '0:reply-lost': { point: 'call', kind: 'reply-lost', span: '' },
  '0:late~30s': { point: 'call', kind: 'late', span: '30s' },
  '0.1:answer-404': { point: 'call', kind: 'answer-404', span: '' },
  '0:answer-503': { point: 'call', kind: 'answer-503', span: '' },
};

/** The core takes it, or says that its larger module does. @param {string} text */
function reads(text) {
  try {
    new Session('double-refund', { effect: 'vendor', faults: text }).free();
  } catch (refusal) {
    assert.match(String(refusal), /a build with everything can have more/, text);
  }
}

for (const [text, expected] of Object.entries(TEXTS)) {
  test(`${text} is read, and written as it was read`, () => {
    const [rule, ...more] = rulesOf(text);
    const { point, kind, span } = rule;
    assert.deepEqual({ point, kind, span }, expected);
    assert.deepEqual(more, []);
    assert.equal(withChange(text, rule, {}), text);
    reads(text);
  });
}

test('what is offered at a point the core takes there', () => {
  for (const point of ['after-write', 'before-call', 'relay-between', 'ack', 'call']) {
    for (const kind of kindsAt(point)) {
      const text = onlyFault(point, kind);
      reads(text);
      const [rule] = rulesOf(text);
      assert.deepEqual([rule.point, rule.kind], [point, kind]);
    }
  }
});

test('another kind has the length that is usual, or none', () => {
  const [crash] = rulesOf('0:before-call');
  assert.equal(withChange('0:before-call', crash, { kind: 'pause' }), '0:pause:before-call~45s');
  const [lost] = rulesOf('0:reply-lost');
  assert.equal(withChange('0:reply-lost', lost, { kind: 'late' }), '0:late~45s');
  const [late] = rulesOf('0:late~45s');
  assert.equal(withChange('0:late~45s', late, { span: '2m' }), '0:late~2m');
  assert.equal(withChange('0:late~45s', late, { kind: 'answer-429' }), '0:answer-429');
});

test('a crash takes the place of another of the same worker, and not of the relay', () => {
  assert.equal(withFault('0:before-write', 0, 'after-write'), '0:after-write');
  assert.equal(withFault('0:after-write', 0, 'after-write'), 'none');
  assert.equal(withFault('0:before-write', 1, 'after-write'), '0:before-write 1:after-write');
  assert.equal(withFault('0:before-ack', 0, 'relay-between'), '0:before-ack 0:relay-between');
  assert.equal(withFault('0:relay-between', 0, 'before-ack'), '0:relay-between 0:before-ack');
  assert.equal(withFault('0:relay-between', 0, 'relay-before'), '0:relay-before');
});

test('which rules are about an attempt', () => {
  const text = '0:after-write 1/2:ack-lost *:before-ack';
  assert.deepEqual(
    rulesAbout(text, 2).map(({ point }) => point),
    ['ack', 'before-ack'],
  );
  assert.equal(lastAttempt(text), 2);
  assert.equal(lastAttempt('none'), -1);
});
