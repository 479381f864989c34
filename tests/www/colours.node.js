// The contrast of every pair of colours that stand on each other, by day and by night, computed
// as WCAG 2.2 has it: 4.5 for words, 3 for the edges of controls and for what is drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokens } from '../../www/styles/tokens.js';

const WORDS = 4.5;
const DRAWN = 3;

/** What stands on what, and how clearly it has to. @type {[string[], string[], number][]} */
const PAIRS = [
  [['ink'], ['card', 'sunk', 'lease-fill', 'late-fill', 'once-fill', 'again-fill', 'here'], WORDS],
  [['muted'], ['card', 'sunk', 'once-fill', 'again-fill', 'here'], WORDS],
  [['once'], ['card', 'sunk', 'once-fill', 'here'], WORDS],
  [['again'], ['card', 'sunk', 'again-fill', 'here'], WORDS],
  [['card'], ['ink', 'again', 'once'], WORDS],
  [['control-edge'], ['card', 'sunk'], DRAWN],
  [['lease'], ['card', 'sunk', 'lease-fill'], DRAWN],
];

/** The colours by name, for one of the two schemes: those before the first @media. @param {0 | 1} scheme */
function colours(scheme) {
  const [plain] = tokens.cssText.split('@media');
  const found = plain.matchAll(/--([\w-]+):\s*light-dark\((#\w+),\s*(#\w+)\)/g);
  return new Map([...found].map(([, name, light, dark]) => [name, [light, dark][scheme]]));
}

/** @param {string} hex `#abc` or `#aabbcc` */
function luminance(hex) {
  const digits = hex.slice(1);
  const pairs = digits.length === 3 ? [...digits].map((d) => d + d) : digits.match(/../g);
  const [r, g, b] = (pairs ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('the formula gives what the standard says', () => {
  assert.equal(contrast('#000', '#ffffff'), 21);
  assert.equal(Math.round(contrast('#777', '#fff') * 100) / 100, 4.48);
});

for (const [scheme, name] of /** @type {const} */ ([
  [0, 'light'],
  [1, 'dark'],
])) {
  test(`colours have contrast enough, ${name}`, () => {
    const colour = colours(scheme);
    const weak = [];
    for (const [fronts, grounds, least] of PAIRS) {
      for (const front of fronts) {
        for (const ground of grounds) {
          const [a, b] = [colour.get(front), colour.get(ground)];
          assert.ok(a && b, `${front} and ${ground} are colours`);
          const ratio = contrast(a, b);
          if (ratio < least) weak.push(`${front} on ${ground}: ${ratio.toFixed(2)} < ${least}`);
        }
      }
    }
    assert.deepEqual(weak, []);
  });
}

test('with forced colours every colour is one of the system’s', () => {
  const forced = /forced-colors: active\) \{([\s\S]*?)\n {2}\}/.exec(tokens.cssText)?.[1] ?? '';
  const named = new Set([...forced.matchAll(/--([\w-]+): (\w+);/g)].map(([, name]) => name));
  for (const name of colours(0).keys()) assert.ok(named.has(name), name);
});
