// What the chapters claim, played by the wasm that ships, under Node: the same numbers, and each
// claim broken by its one setting.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Session } from './shipped.js';

/**
 * @typedef {object} Expected
 * @property {string} of
 * @property {any} is
 * @property {string} [code]
 * @property {string} [ended]
 * @property {string} [id]
 * @property {string} [series]
 * @property {number} [x]
 */
/**
 * @typedef {object} Claim
 * @property {string} experiment
 * @property {Record<string, string>} settings
 * @property {Expected[]} expect
 * @property {string} sometimes
 * @property {[string, string]} brokenBy
 * @property {number} asked
 * @property {boolean[]} tasks
 */

const target = process.env.AT_LEAST_ONCE_TARGET ?? 'target';
/** @type {Claim[]} */
const claims = JSON.parse(readFileSync(join(target, 'tmp/claims.json'), 'utf8'));

/** @param {Session} session */
const eventsOf = (session) => session.events(0, session.summary().events);

/** How many events have this code. @param {Session} session @param {string} code */
function count(session, code) {
  const [event, detail] = code.split('.');
  const has = (/** @type {{ event: string, detail?: string | null }} */ record) =>
    record.event === event && (detail === undefined || record.detail === detail);
  return eventsOf(session).filter(has).length;
}

/** Whether a value of a study is what it may be. @param {Session} session @param {Expected} expected */
function inStudy(session, { id = '', series = '', x = 0, is }) {
  const parts = [session.study(id, 0)];
  while (!parts[parts.length - 1].done) parts.push(session.study(id, parts.length));
  const there = parts
    .flatMap((part) => part.series)
    .filter((it) => it.id === series)
    .flatMap(({ points }) => points)
    .filter((point) => point[0] === x);
  const sum = there.reduce((total, point) => total + point[1], 0);
  const hundredths = Math.floor((sum * 100) / parts[0].y.scale);
  return there.length > 0 && hundredths >= is[0] && hundredths <= is[1];
}

/** @param {Session} session @param {Expected} expected */
function holds(session, expected) {
  const { verdict, ended } = session.summary();
  switch (expected.of) {
    case 'starts': {
      const starts = eventsOf(session).filter(({ event }) => event === 'leased');
      const moments = starts.map(({ at_us }) => at_us / 1000);
      const shown = expected.ended === 'cut' ? moments.slice(0, expected.is.length) : moments;
      return ended === expected.ended && JSON.stringify(shown) === JSON.stringify(expected.is);
    }
    case 'count':
      return count(session, expected.code ?? '') === expected.is;
    case 'study':
      return inStudy(session, expected);
    default:
      return Object.entries(verdict).some(([of, is]) => of === expected.of && is === expected.is);
  }
}

test(`${claims.length} claims hold in the shipped wasm, and each can be broken`, () => {
  const chapters = new Set(claims.map(({ experiment }) => experiment));
  assert.deepEqual([...chapters], Session.experiments(), 'every chapter claims something');
  for (const { experiment, settings, expect, sometimes, brokenBy, ...native } of claims) {
    const name = `${experiment} ${JSON.stringify(settings)}`;
    const session = new Session(experiment, settings);
    for (const expected of expect) {
      assert.ok(holds(session, expected), `${name}: ${JSON.stringify(expected)}`);
    }
    assert.ok(count(session, sometimes) > 0, `${name}: no ${sometimes}`);
    assert.equal(session.asked(), native.asked, name);
    assert.deepEqual(session.tasks(), native.tasks, name);
    session.set(...brokenBy);
    assert.ok(
      expect.some((expected) => !holds(session, expected)),
      `${name}: ${brokenBy} breaks nothing`,
    );
    session.free();
  }
});

test('a study says the same part by part, and refuses a name that it does not have', () => {
  const session = new Session('backoff', {});
  for (const id of session.studies()) {
    const first = session.study(id, 0);
    assert.deepEqual(session.study(id, 0), first, id);
    assert.equal(session.study(id, first.parts - 1).done, true, id);
    assert.deepEqual(session.study(id, first.parts).series, [], id);
  }
  assert.throws(
    () => session.study('speed', 0),
    (/** @type {any} */ error) => error.name === 'Refusal' && error.field === 'study',
  );
  session.free();
});
