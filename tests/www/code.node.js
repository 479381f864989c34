// The handler's code, as it is put together of a slice's steps: it is what the core does, and
// without what is struck out it is code all the same.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { parser as goParser } from '@lezer/go';
import { parser as pythonParser } from '@lezer/python';
import ts from 'typescript';
import { compose, WIDTH } from '../../www/code/compose.js';
import go from '../../www/code/go.js';
import python from '../../www/code/python.js';
import { retryOf } from '../../www/code/retry.js';
import rust from '../../www/code/rust.js';
import typescript from '../../www/code/typescript.js';
import { Session } from './shipped.js';

/** @import { CodeLine, Retry } from '../../www/code/compose.js' */
/** @import { Language } from '../../www/code/language.js' */

// V8 of Node 20 dies where it takes back code into which it has put calls of wasm.
setFlagsFromString('--no-turbo-inline-js-wasm-calls');

const LANGUAGES = { go, python, rust, typescript };
const CALL = /vendor(?:\s*\.tries\(\d+\))?\s*\.refund\(/i;

const words = JSON.parse(
  readFileSync(new URL('../../www/text/en/desk.json', import.meta.url), 'utf8'),
).code;

/** @param {Session} session */
function reader(session) {
  const values = /** @type {Map<string, string>} */ (new Map());
  for (const { path, value } of session.settings()) values.set(path, value);
  return (/** @type {string} */ path) => values.get(path) ?? '';
}

/** @param {Record<string, string>} settings @param {Retry | null} [other] */
function handlerFor(settings, other) {
  const session = new Session('keys', { faults: 'none', ...settings });
  const retry = other ?? retryOf(session.settings());
  const value = reader(session);
  const program = Array.from(session.program(), ({ step, refund }) => ({ step, refund }));
  session.free();
  return {
    program,
    guard: value('guard'),
    claim: value('guard.claim'),
    key: value('key'),
    checkpoint: value('checkpoint'),
    relay: { order: value('relay.order'), key: value('relay.key') },
    retry,
  };
}

/** @param {Language} language @param {Record<string, string>} settings @param {Retry | null} [retry] */
const lines = (language, settings, retry) => compose(language, handlerFor(settings, retry), words);

/** What runs: the text without what is struck out. @param {CodeLine[]} code */
const remaining = (code) =>
  code.map(({ text, struck }) => (struck ? text.replace(struck, '') : text)).join('\n');

/** @param {Language} language @param {Record<string, string>} settings @param {Retry | null} [retry] */
const text = (language, settings, retry) => remaining(lines(language, settings, retry));

/** Every way to choose one of each. @param {Record<string, string[]>} axes @returns {Record<string, string>[]} */
const product = (axes) =>
  Object.entries(axes).reduce(
    (rows, [path, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [path]: value }))),
    [/** @type {Record<string, string>} */ ({})],
  );

const AXES = {
  guard: ['off', 'on', 'check-then-insert', 'ask-the-model', 'ask-the-vendor'],
  'guard.at': ['write', 'call'],
  key: ['none', 'per-attempt', 'stable', 'job', 'constant'],
  effect: ['ledger', 'vendor', 'outbox'],
  checkpoint: ['none', 'before-skip', 'before-mint', 'after'],
  transaction: ['off', 'on'],
  'job.second_amount': ['0', '100'],
};
const RELAYS = {
  effect: ['outbox'],
  key: AXES.key,
  'relay.order': ['publish-then-mark', 'mark-then-publish'],
  'relay.key': ['row', 'send'],
};
const CALLS = {
  effect: ['vendor'],
  guard: ['on', 'check-then-insert', 'ask-the-vendor'],
  'guard.at': ['call'],
  'guard.claim': ['done', 'in-progress-skip', 'in-progress-release'],
  transaction: AXES.transaction,
  key: AXES.key,
  'job.second_amount': AXES['job.second_amount'],
};
const CLAIM_RULES = CALLS['guard.claim'];
/** A guard that puts its claim in before the call. */
const CLAIMED = { effect: 'vendor', guard: 'on', 'guard.at': 'call' };
/** @type {(Retry | null)[]} */
const RETRIES = [false, true].flatMap((silence) =>
  [false, true].flatMap((no) =>
    ['nack', 'resend'].map((how) => ({ silence, no, how, tries: how === 'nack' ? 1 : 3 })),
  ),
);

/** The handlers of every choice of settings; what they are for. */
const HANDLERS = [
  ...product(AXES).map((settings) => ({ settings, handler: handlerFor(settings) })),
  ...product(RELAYS).map((settings) => ({ settings, handler: handlerFor(settings) })),
  ...product(CALLS).flatMap((settings) => {
    const handler = handlerFor(settings);
    return RETRIES.map((retry) => ({ settings, handler: { ...handler, retry } }));
  }),
];

/** Every code that there is in a language, once. @param {Language} language */
const allCode = (language) => [
  ...new Set(HANDLERS.map(({ handler }) => remaining(compose(language, handler, words)))),
];

/** Whether brackets and quotes are closed. @param {string} code */
function isClosed(code) {
  const open = [];
  const pairs = /** @type {Record<string, string>} */ ({ ')': '(', ']': '[', '}': '{' });
  for (const [token] of code.matchAll(/\/\/.*|#.*|"""[\s\S]*?"""|"[^"]*"|`[^`]*`|["`()[\]{}]/g)) {
    if (/^["`]$/.test(token)) return false;
    if ('([{'.includes(token)) open.push(token);
    else if (token in pairs && open.pop() !== pairs[token]) return false;
  }
  return open.length === 0;
}

/** What a program says of a text, nothing if it takes it. @param {string} program @param {string[]} args @param {string} input */
function complaint(program, args, input) {
  const { error, status, stderr } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  if (error) throw error;
  return status === 0 ? '' : stderr.slice(0, 2000);
}

test('what remains without the guard is code: brackets and quotes', () => {
  for (const language of Object.values(LANGUAGES)) {
    for (const code of allCode(language)) assert.ok(isClosed(code), code);
  }
  const [line] = lines(go, { guard: 'off' }).filter(({ struck }) => struck);
  assert.ok(!isClosed(text(go, { guard: 'off' }).replace(line.text.slice(-2), '')), 'it can fail');
});

test('what remains without the guard is code: TypeScript', () => {
  for (const code of allCode(typescript)) {
    const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true });
    assert.deepEqual(
      (diagnostics ?? []).map(({ messageText }) => messageText),
      [],
      code,
    );
  }
});

/** Where a grammar does not take a text. @param {import('@lezer/lr').LRParser} parser @param {string} code */
function strayed(parser, code) {
  const found = /** @type {string[]} */ ([]);
  parser.parse(code).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found.push(code.slice(Math.max(0, from - 40), from + 20));
    },
  });
  return found;
}

for (const [name, language, parser, broken] of /** @type {const} */ ([
  ['Python', python, pythonParser, 'if x'],
  ['Go', go, goParser, 'func f( {}'],
])) {
  test(`what remains without the guard is code: ${name}`, () => {
    for (const code of allCode(language)) assert.deepEqual(strayed(parser, code), [], code);
    assert.notDeepEqual(strayed(parser, broken), []);
  });
}

test('what remains without the guard is code: Rust', () => {
  const all = allCode(rust).map((code, i) => `mod m${i} {\n${code}\n}\n`);
  assert.equal(complaint('rustfmt', ['--edition', '2021'], all.join('')), '');
  assert.notEqual(complaint('rustfmt', ['--edition', '2021'], 'fn f( {}'), '');
});

for (const [name, language] of Object.entries(LANGUAGES)) {
  test(`${name}: no line is cut off`, () => {
    for (const { handler } of HANDLERS) {
      for (const { text } of compose(language, handler, words)) {
        assert.ok(text.length <= WIDTH, `${text.length}: ${text}`);
      }
    }
  });

  test(`${name}: the guard is the table's constraint; only its words are struck out`, () => {
    for (const effect of ['ledger', 'vendor']) {
      const on = lines(language, { effect, guard: 'on' });
      assert.ok(on.every(({ struck }) => struck === undefined));
      assert.match(remaining(on), /refunds\.key is UNIQUE\n.*ON CONFLICT \(key\) DO NOTHING/s);
      const off = lines(language, { effect, guard: 'off' });
      const struck = off.flatMap(({ struck }) => struck ?? []);
      assert.deepEqual(struck, ['ON CONFLICT (key) DO NOTHING']);
      assert.match(remaining(off), /refunds\.key not UNIQUE: a row each time/);
      assert.doesNotMatch(remaining(off), /CONFLICT|is UNIQUE/);
    }
  });

  test(`${name}: a guard that looks before the call guards the call`, () => {
    for (const guard of ['check-then-insert', 'ask-the-model', 'ask-the-vendor']) {
      for (const between of [[], [{ step: 'check-lease', refund: 1 }]]) {
        const handler = handlerFor({ effect: 'vendor', guard, 'guard.at': 'call' });
        handler.program = handler.program.flatMap((line) =>
          line.step === 'call' ? [...between, line] : [line],
        );
        const [before] = remaining(compose(language, handler, words)).split(CALL);
        assert.match(before, /if (not seen|!seen|\(!seen\))[^}]*$/, guard);
      }
    }
    // One that looks behind the call leaves the call alone.
    const [before, behind] = text(language, { guard: 'check-then-insert' }).split(CALL);
    assert.doesNotMatch(before.split('\n').slice(-2).join(), /if (not|!|\(!)/);
    assert.match(behind, /if (not seen|!seen|\(!seen\))/);
  });

  test(`${name}: where there is no key, none is sent and no row has one`, () => {
    for (const settings of product({ ...AXES, key: ['none'] })) {
      if (settings.checkpoint === 'before-mint' && settings.effect !== 'outbox') continue;
      assert.doesNotMatch(text(language, settings), /\bkey\b/i, JSON.stringify(settings));
    }
    assert.match(text(language, { key: 'none' }), /refunds\.job is UNIQUE.*\(job, amount\)/s);
    const [, sent] = text(language, { key: 'stable' }).split(CALL);
    assert.match(sent.split('\n')[0], /key/i);
  });

  test(`${name}: what is final is no longer tried again`, () => {
    const retry = { silence: false, no: false, how: 'nack', tries: 1 };
    const all = text(language, {}, retry);
    assert.match(all, /nack/i);
    assert.doesNotMatch(all, /fail\(/i);
    assert.match(text(language, {}, { ...retry, no: true }), /final_?4xx/i);
    assert.match(text(language, {}, { ...retry, silence: true }), /no answer/);
    assert.match(text(language, {}, { ...retry, how: 'resend' }), /send\(job\)/i);
  });

  test(`${name}: an answer is handled as well where a guard looks before the call`, () => {
    const retry = { silence: true, no: true, how: 'nack', tries: 1 };
    for (const guard of ['check-then-insert', 'ask-the-model', 'ask-the-vendor']) {
      const code = text(language, { effect: 'vendor', guard, 'guard.at': 'call' }, retry);
      const [before, behind] = code.split(CALL);
      assert.match(before, /if \(?(not |!)seen[^}]*$/, guard);
      assert.match(behind, /no answer.*final_?4xx.*fail\(.*nack\(.*insert/is, guard);
      // Without a call there is no answer: what is done with it stands as deep as the call.
      const depth = (/** @type {RegExp} */ at) =>
        code
          .split('\n')
          .find((line) => at.test(line))
          ?.search(/\S/);
      assert.equal(depth(/^\s*if .*(answer|err\b)/), depth(/answer(, err)? :?=/), guard);
    }
    // The core calls a job failed that the vendor will not pay.
    const settings = { effect: 'vendor', guard: 'ask-the-vendor', faults: '0:answer-400' };
    assert.ok(events(settings).some(({ event }) => event.startsWith('failed')));
  });

  test(`${name}: the key is the core's, for every policy, attempt and refund`, () => {
    for (const second of ['0', '100']) {
      for (const key of AXES.key.filter((policy) => policy !== 'none')) {
        const settings = { key, 'job.second_amount': second };
        const code = keys(lines(language, settings));
        const calls = called({ ...settings, faults: '0:reply-lost 1:reply-lost' });
        assert.equal(calls.length, second === '0' ? 3 : 4);
        for (const { attempt = -1, key: sent, cents } of calls) {
          const refund = cents === 100 ? 'refund_2' : 'refund';
          assert.deepEqual(
            code.map((key) => evaluate(key, { attempt, refund })),
            [sent],
          );
        }
      }
    }
  });

  test(`${name}: a checkpoint before the effect is saved first, and a retry makes a new key`, () => {
    for (const key of AXES.key) {
      const settings = { effect: 'vendor', checkpoint: 'before-mint', key };
      const code = text(language, settings);
      assert.doesNotMatch(code, /"refunded"/, 'nobody goes on to the ack');
      assert.match(code, /checkpoint.*started.*key = .*save.*started.*vendor/is);
      const [first, again] = keys(lines(language, settings));
      const calls = called({ ...settings, faults: '0:after-call' });
      assert.equal(calls.length, 2);
      assert.equal(again && evaluate(again, { attempt: 1 }), calls[1].key);
      const nothing = ['None', '""', 'undefined', undefined];
      if (key === 'none') assert.ok(nothing.includes(first?.match(/key :?= (.*?);?$/)?.[1]), first);
      else assert.equal(evaluate(first, { attempt: 0 }), calls[0].key);
    }
    const skips = text(language, { effect: 'vendor', checkpoint: 'before-skip' });
    assert.match(skips, /"refunded".*ack.*save.*"refunded".*vendor/is);
  });

  test(`${name}: of two refunds, each has a mark of its own before the effect`, () => {
    const settings = { effect: 'vendor', checkpoint: 'before-mint', 'job.second_amount': '100' };
    const code = text(language, settings);
    assert.doesNotMatch(code, /"started"/);
    assert.match(code, /for .*past\(refund\).*continue.*checkpoint ===? (Some\()?refund\b.*save/is);
    // The core: a mark before each call; a retry goes on at the refund that was started last.
    const marked = (/** @type {string} */ faults) =>
      events({ ...settings, faults }).filter(({ event }) => /^(checkpointed|called)/.test(event));
    assert.deepEqual(
      marked('none').map(({ event, cents }) => cents ?? event),
      ['checkpointed', 1999, 'checkpointed', 100],
    );
    const again = marked('0:after-write').filter(({ attempt }) => attempt === 1);
    assert.deepEqual(
      again.map(({ event, cents }) => cents ?? event),
      [100],
    );
    // Its key is new, and the one that the delivery has said.
    const [, fresh] = keys(lines(language, settings));
    const said = events({ ...settings, faults: '0:after-write' }).filter(
      ({ event, attempt }) => attempt === 1 && /^(minted|called)/.test(event),
    );
    const key = evaluate(fresh, { attempt: 1, refund: 'refund_2' });
    assert.deepEqual(
      said.map((event) => event.key),
      [key, key],
    );
  });

  test(`${name}: a claim that is found is what the core takes it for`, () => {
    for (const { claim, how } of product({ claim: CLAIM_RULES, how: ['nack', 'resend'] })) {
      const settings = { ...CLAIMED, 'guard.claim': claim, 'retry.how': how };
      const code = text(language, settings);
      const [between] = code.slice(code.search(/claim\(/i)).split(CALL);
      // In progress: its worker has died before the row.
      const found = behindClaim({ ...settings, faults: '0:after-call' });
      assert.equal(/nack\(/i.test(between), found === 'gave-back', claim);
      assert.equal(/send\(job\).*\back\(/is.test(between), found === 'sent-again', claim);
      // Done, it is passed over, and what follows is not.
      assert.equal(behindClaim({ ...settings, faults: '0:after-write' }), 'checkpointed');
      const depth = (/** @type {RegExp} */ at) =>
        code
          .split('\n')
          .findLast((line) => at.test(line))
          ?.search(/\S/) ?? 0;
      assert.ok(depth(/refund\(/i) > depth(/\bsave\(/i), code);
    }
  });

  test(`${name}: a claim in progress is completed, or released after a refusal, as in the core`, () => {
    for (const claim of CLAIM_RULES) {
      const settings = { ...CLAIMED, 'guard.claim': claim, 'guard.claim_life': '10s' };
      const code = text(language, settings);
      const again = (/** @type {string} */ faults) =>
        events({ ...settings, faults }).filter(({ event }) => event === 'claim')[1].detail;
      const completes = again('0:after-write') === 'done' && again('0:after-call') === 'new';
      assert.equal(/insert.*complete\(/is.test(code), completes, claim);
      // What is unknown is not released: an answer that is lost may have been a yes.
      const forEver = { ...settings, 'guard.claim_life': '0s' };
      const [refused, unheard] = ['0:answer-503', '0:reply-lost'].map(
        (faults) => events({ ...forEver, faults }).filter(({ event }) => event === 'claim')[1],
      );
      assert.equal(
        /refus\w+\W.*\n.*release\(.*nack\(/is.test(code),
        refused.detail === 'new',
        claim,
      );
      assert.notEqual(unheard.detail, 'new');
    }
    assert.doesNotMatch(text(language, { effect: 'vendor' }), /claim|complete\(|release\(/i);
  });

  test(`${name}: how often an attempt calls is the core's`, () => {
    for (const tries of ['1', '3']) {
      const settings = { effect: 'vendor', 'client.tries': tries };
      const calls = called({ ...settings, faults: '0:answer-503' });
      const said = text(language, settings).match(/\.tries\((\d+)\)/i)?.[1] ?? '1';
      assert.equal(calls.filter(({ attempt }) => attempt === 0).length, Number(said));
    }
  });

  test(`${name}: a transaction ends with the row, as in the core`, () => {
    const settings = { effect: 'vendor', transaction: 'on' };
    const code = text(language, settings);
    assert.match(code, /begin\(\).*decide.*vendor\s*\.refund.*INSERT.*commit\(\).*save.*ack/is);
    assert.equal(code.match(/commit\(\)/gi)?.length, 1);
    assert.doesNotMatch(code, /ledger/i, 'what is written is part of it');
    assert.doesNotMatch(text(language, { effect: 'vendor' }), /begin|commit/i);
    // The core keeps the row of a worker that dies right behind it.
    const session = new Session('open-transaction', { faults: '0:after-write' });
    const ledger = session.view(session.summary().events).ledger;
    assert.deepEqual(
      ledger.map(({ attempt }) => attempt),
      [0],
    );
    session.free();
  });

  test(`${name}: what is put into the outbox the relay sends, in its order and under its key`, () => {
    for (const settings of product(RELAYS)) {
      const [handler, relay] = text(language, settings).split(/\n(?=.*\brelay\b)/);
      assert.match(handler, /"started".*ack.*"started".*outbox\.insert.*ack/is);
      const [sent, marked] = [relay.search(CALL), relay.search(/mark_?sent/i)];
      assert.ok(sent > 0 && marked > 0);
      assert.equal(sent < marked, settings['relay.order'] === 'publish-then-mark');
      const [key] = keys(lines(language, settings)).slice(settings.key === 'none' ? 0 : 1);
      const chosen = keys(lines(language, settings))[0];
      const row = chosen && settings.key !== 'none' && evaluate(chosen, { attempt: 0 });
      assert.equal(key ? evaluate(key, { row, attempt: 0 }) : 'none', paid(settings).key);
    }
    assert.doesNotMatch(text(language, { effect: 'vendor' }), /relay/);
  });
}

test('what becomes of an answer is said where a chapter is about it, or somebody has changed it', () => {
  const retry = (/** @type {string} */ id, /** @type {Record<string, string>} */ settings = {}) => {
    const session = new Session(id, settings);
    const said = retryOf(session.settings());
    session.free();
    return said;
  };
  const usual = { silence: false, no: true, how: 'nack', tries: 1 };
  assert.equal(retry('keys'), null);
  for (const id of ['attempts', 'runs-twice', 'keys']) {
    if (id !== 'keys') assert.deepEqual(retry(id), usual, id);
    assert.deepEqual(retry(id, { 'retry.how': 'resend' }), { ...usual, how: 'resend' }, id);
  }
  assert.deepEqual(retry('errors', { 'retry.on_4xx': 'retry' }), { ...usual, no: false });
  assert.deepEqual(retry('keys', { 'retry.on_no_answer': 'final' }), { ...usual, silence: true });
  // The core sends again, and acks.
  const sent = events({ effect: 'vendor', 'retry.how': 'resend', faults: '0:answer-500' });
  const i = sent.findIndex(({ event }) => event === 'sent-again');
  assert.match(sent[i + 1]?.event ?? '', /^acked/);
  for (const language of Object.values(LANGUAGES)) {
    const code = text(language, { effect: 'vendor' }, retry('attempts', { 'retry.how': 'resend' }));
    assert.match(code, /vendor\s*\.refund.*queue\.send\(job\).*\n.*queue\.ack/is);
  }
});

test('each step of the program has its lines, and they follow each other', () => {
  for (const { handler } of HANDLERS) {
    for (const language of Object.values(LANGUAGES)) {
      const code = compose(language, handler, words);
      const seen = new Set(code.flatMap(({ positions }) => positions ?? []));
      const all = handler.program.map((_, i) => i);
      assert.deepEqual(
        [...seen].sort((a, b) => a - b),
        all,
      );
    }
  }
});

/** The calls of a run. @param {Record<string, string>} settings */
function called(settings) {
  return events(settings).filter(({ event }) => event === 'called');
}

/** What comes behind the second claim of a run. @param {Record<string, string>} settings */
function behindClaim(settings) {
  const all = events(settings);
  const [, second] = all.flatMap(({ event }, i) => (event === 'claim' ? [i] : []));
  return all[second + 1].event;
}

/** The first payment of a run. @param {Record<string, string>} settings */
function paid(settings) {
  const payment = events(settings).find(({ event }) => event === 'paid');
  assert.ok(payment);
  return payment;
}

/** @param {Record<string, string>} settings */
function events(settings) {
  const session = new Session('keys', { faults: 'none', ...settings });
  const all = session.events(0, session.summary().events);
  session.free();
  return all;
}

/** The lines in which a key is chosen, by statement. @param {CodeLine[]} code */
function keys(code) {
  /** @type {string[]} */
  const statements = [];
  for (const { text, part } of code) {
    if (part !== 'key') continue;
    if (/\bkey\b[^"]*:?= |let key/.test(text)) statements.push('');
    statements[statements.length - 1] += `${text.trim()} `;
  }
  return statements.map((statement) => statement.trim());
}

/**
 * The value of a key, in whichever language it is written: strings are put together in all of
 * them, and what differs is how.
 * @param {string} statement
 * @param {{ attempt: number, refund?: string, row?: unknown }} given
 */
function evaluate(statement, { attempt, refund = 'refund', row }) {
  const script = statement
    .replace(/^(const |let (mut )?)?key :?= /, '')
    .replace(/;$/, '')
    .replace(/f("[^"]*")/g, (_, text) => text.replace(/"/g, '`').replaceAll('{', '${'))
    .replace(/`\s+`/g, '')
    .replace('format!', 'format')
    .replace(/\.(clone|to_owned)\(\)/, '')
    .replace('Some(', '(');
  const job = { id: 'job_17', ID: 'job_17', step: 'step_3', Step: 'step_3' };
  const scope = {
    job,
    refund,
    message: { attempt },
    m: { Attempt: attempt },
    row: {
      key: row,
      Key: row,
      job: job.id,
      Job: job.id,
      step: job.step,
      Step: job.step,
      sends: 1,
      Sends: 1,
    },
    fmt: { Sprint: String },
    format: (/** @type {string} */ text, /** @type {unknown[]} */ ...values) =>
      text.replace('{refund}', refund).replaceAll('{}', () => String(values.shift())),
  };
  return new Function(...Object.keys(scope), `return ${script}`)(...Object.values(scope));
}
