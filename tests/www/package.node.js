// The npm package in dist/npm, as those who install it find it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Session } from './shipped.js';

const file = (/** @type {string} */ name) => new URL(`../../dist/${name}`, import.meta.url);
const json = (/** @type {string} */ name) => JSON.parse(readFileSync(file(name), 'utf8'));

const manifest = json('npm/custom-elements.json');
const [element] = manifest.modules[0].declarations;
const types = readFileSync(file('npm/element.d.ts'), 'utf8');

test('it can be imported where there is no page, and then defines nothing', async () => {
  const { AtLeastOnce } = await import(file('npm/at-least-once.js').href);
  assert.equal(typeof AtLeastOnce, 'function');
  assert.equal(AtLeastOnce.version, json('npm/package.json').version);
  assert.equal(typeof (await import(file('npm/host.js').href)).tell, 'function');
  assert.equal(typeof customElements, 'undefined');
  assert.equal(typeof HTMLElement, 'undefined');
});

test('the manifest and the types list every setting, with a word of help', () => {
  const settings = new Session('double-refund', {}).settings();
  assert.ok(settings.length > 50);
  for (const { attribute, limit } of settings) {
    const listed = element.attributes.filter((/** @type {any} */ it) => it.name === attribute);
    assert.equal(listed.length, 1, attribute);
    assert.ok(listed[0].description.includes(limit), attribute);
    assert.ok(listed[0].description.length > limit.length + 15, `${attribute} has no help`);
    const { fieldName } = listed[0];
    assert.ok(
      element.members.some((/** @type {any} */ it) => it.name === fieldName),
      fieldName,
    );
    assert.match(types, new RegExp(`\\b${fieldName}: string \\| null;`));
  }
});

test('the manifest lists every method, event, part and property that the element has', async () => {
  const { AtLeastOnce } = await import(file('npm/element.js').href);
  const own = Object.getOwnPropertyDescriptors(AtLeastOnce.prototype);
  const members = new Map(element.members.map((/** @type {any} */ it) => [it.name, it]));
  for (const [name, { get }] of Object.entries(own)) {
    if (name === 'constructor') continue;
    const member = /** @type {any} */ (members.get(name));
    assert.equal(member?.kind, get ? 'field' : 'method', name);
    assert.ok(member.description, `${name} has no description`);
  }
  const source = readFileSync(file('npm/element.js'), 'utf8');
  const told = new Set(
    source.match(/at-least-once-(ready|run-end|prediction|task|setting|error)/g),
  );
  assert.deepEqual(element.events.map((/** @type {any} */ it) => it.name).sort(), [...told].sort());
  for (const it of [
    ...element.events,
    ...element.cssParts,
    ...element.cssProperties,
    ...element.slots,
  ]) {
    assert.ok(it.description, `${it.name} has no description`);
  }
  for (const { name } of element.cssParts) assert.ok(source.includes(`part="${name}"`), name);
  for (const { name } of element.cssProperties) assert.ok(source.includes(`${name}:`), name);
});

test('the hashes are those of the files', () => {
  const hashes = json('integrity.json');
  assert.ok(Object.keys(hashes).length >= 5);
  for (const [name, hash] of Object.entries(hashes)) {
    const digest = createHash('sha384')
      .update(readFileSync(file(name)))
      .digest('base64');
    assert.equal(hash, `sha384-${digest}`, name);
  }
});
