// The handler's code, as it is put together of a slice's steps: what guards the call stands
// around the call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose } from '../../www/code/compose.js';
import go from '../../www/code/go.js';
import python from '../../www/code/python.js';
import rust from '../../www/code/rust.js';
import typescript from '../../www/code/typescript.js';

const LANGUAGES = { go, python, rust, typescript };
const CALL = /vendor\.refund\(/i;

/** @param {import('../../www/code/compose.js').Language} language @param {Partial<import('../../www/code/compose.js').Handler>} handler */
const text = (language, handler) =>
  compose(language, { program: [], guard: 'off', key: 'stable', retry: null, ...handler })
    .map((line) => line.text)
    .join('\n');

for (const [name, language] of Object.entries(LANGUAGES)) {
  test(`${name}: a guard that looks before the call guards the call`, () => {
    for (const guard of ['check-then-insert', 'ask-the-model', 'ask-the-vendor']) {
      for (const between of [[], ['check-lease']]) {
        const program = ['think', 'check', ...between, 'call', 'write', 'ack'];
        const [before] = text(language, { program, guard }).split(CALL);
        assert.match(before, /if (not seen|!seen|\(!seen\))[^}]*$/, guard);
      }
    }
    // One that looks behind the call leaves the call alone, the second refund's too.
    const refund = ['call', 'check', 'write'];
    const program = ['think', ...refund, ...refund, 'ack'];
    const parts = text(language, { program, guard: 'check-then-insert' }).split(CALL);
    assert.equal(parts.length, 3);
    assert.doesNotMatch(parts[0], /if (not|!|\(!)/);
    assert.doesNotMatch(parts[1].split('\n').at(-1) ?? '', /if/);
  });

  test(`${name}: a call without a key sends none, and the row has its own`, () => {
    const program = ['think', 'call', 'write', 'ack'];
    const bare = text(language, { program, key: 'none' });
    const keyed = text(language, { program });
    const call = (/** @type {string} */ code) => code.split('\n').find((line) => CALL.test(line));
    assert.match(call(keyed) ?? '', /key/i);
    assert.doesNotMatch(call(bare) ?? '', /key/i);
    assert.equal(bare.split('\n').length, keyed.split('\n').length);
  });

  test(`${name}: what is final is no longer tried again`, () => {
    const program = ['think', 'call', 'write', 'ack'];
    const retry = { silence: false, no: false, how: 'nack' };
    const all = text(language, { program, retry });
    assert.match(all, /nack/i);
    assert.doesNotMatch(all, /fail\(/i);
    assert.match(text(language, { program, retry: { ...retry, no: true } }), /final_?4xx/i);
    assert.match(text(language, { program, retry: { ...retry, silence: true } }), /no answer/);
    assert.match(text(language, { program, retry: { ...retry, how: 'resend' } }), /send\(job\)/i);
  });
}
