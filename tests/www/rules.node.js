// The whole simulation as wasm, under Node: the schedules of the rules give the traces that the
// native build gave, byte for byte, and the explorer visits as many states.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = '../../www/pkg-explorer/at_least_once';
const { explore_all, initSync, Session } = await import(`${folder}.js`);
initSync({ module: readFileSync(new URL(`${folder}_bg.wasm`, import.meta.url)) });

const target = process.env.AT_LEAST_ONCE_TARGET ?? 'target';
/** @type {{ name: string, settings: Record<string, string>, trace: string }[]} */
const rules = JSON.parse(readFileSync(join(target, 'tmp/rules.json'), 'utf8'));

test(`${rules.length} schedules of the rules are those of the native build`, () => {
  assert.ok(rules.length > 100, `only ${rules.length} schedules`);
  for (const { name, settings, trace } of rules) {
    const session = new Session('double-refund', settings);
    assert.equal(session.trace(), trace, name);
    session.free();
  }
});

/** @type {{ id: string, settings: string[], states: number }[]} */
const designs = JSON.parse(readFileSync(join(target, 'tmp/designs.json'), 'utf8'));

test('the explorer visits as many states as natively, and nobody is paid twice', () => {
  assert.equal(designs.length, 3);
  for (const { id, settings, states } of designs) {
    assert.equal(explore_all(settings, 'paid-once'), states, id);
  }
});

test('the page build refuses what it leaves out, and names it', async () => {
  const { Session: Page } = await import('./shipped.js');
  assert.throws(
    () => new Page('double-refund', { fencing: 'write' }),
    (/** @type {any} */ error) => error.name === 'Refusal' && error.field === 'fencing',
  );
  assert.throws(
    () => new Page('double-refund', { faults: '0:late~5s' }),
    (/** @type {any} */ error) => error.name === 'Refusal' && error.field === 'faults',
  );
  new Session('double-refund', { fencing: 'write' }).free();
});
