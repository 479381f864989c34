// The shipped wasm under Node gives the trace that the native build gave, byte for byte.
// The cases are written by the Rust tests: what a generated scenario and seed came to.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Session } from './shipped.js';

const target = process.env.AT_LEAST_ONCE_TARGET ?? 'target';
/** @type {{ settings: Record<string, string>, trace: string }[]} */
const cases = JSON.parse(readFileSync(join(target, 'tmp/traces.json'), 'utf8'));

test(`${cases.length} traces are those of the native build`, () => {
  assert.ok(cases.length >= 50 * 20, `only ${cases.length} cases`);
  for (const { settings, trace } of cases) {
    const session = new Session('double-refund', settings);
    assert.equal(session.trace(), trace, JSON.stringify(settings));
    session.free();
  }
});

test('a used session gives the trace of a fresh one', () => {
  const { settings, trace } = cases[0];
  const session = new Session('double-refund', {});
  for (const other of cases.slice(1, 20)) {
    for (const [path, text] of Object.entries(other.settings)) session.set(path, text);
    for (const path of Object.keys(other.settings)) session.reset(path);
  }
  for (const [path, text] of Object.entries(settings)) session.set(path, text);
  assert.equal(session.trace(), trace);
  assert.equal(session.trace(), trace);
  session.free();
});
