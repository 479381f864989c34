/** @type {import('./language.js').Language} */
export default {
  indent: '  ',
  comment: '// ',
  breaks: [
    ['= await', '=\n  await'],
    ['insert(', 'insert(\n  '],
    ['refund(', 'refund(\n  '],
  ],
  head: ['async function handle(message: Message) {', '  const { job, receipt } = message;'],
  tail: ['}'],
  resume: {
    refunded: ['if (job.checkpoint === "refunded")', '  return queue.ack(receipt);', ''],
    started: ['if (job.mark === "started")', '  return queue.ack(receipt);', ''],
  },
  started: {
    found: ['if (job.checkpoint === "started") {'],
    otherwise: ['} else {'],
    end: ['}'],
  },
  think: ['const amount = await agent.decide(job);'],
  kept: ['const amount =', '  job.decided ?? (await agent.decide(job));'],
  given: ['const amount = job.amount;'],
  each: {
    open: ['for (const { refund, amount } of refunds) {'],
    skip: ['if (job.checkpoint.includes(refund)) continue;'],
    close: ['}'],
  },
  several: {
    given: ['const refunds = job.refunds;'],
    amount: [/\bamount\b/g, 'refunds'],
    done: ['"refunded"', 'refund'],
    started: ['"started"', 'refund'],
    key: ['"refund"', 'refund'],
  },
  key: {
    stable: ['[job.id, job.step, "refund"]', '  .join(":")'],
    job: ['job.id'],
    'per-attempt': ['[', '  job.id, job.step, "refund",', '  message.attempt,', '].join(":")'],
    constant: ['"refund"'],
  },
  declare: {
    constant: ['const key = ', ';'],
    changing: ['let key = ', ';'],
    assign: ['key = ', ';'],
  },
  none: {
    call: [', { key }', ''],
    outbox: ['key, ', ''],
    asked: ['key', 'undefined'],
    row: (several) =>
      several ? { column: 'name', value: 'job.id + refund' } : { column: 'job', value: 'job.id' },
    maybe: { declare: ['let key: string | undefined;'], assign: ['key = ', ';'], call: ['', ''] },
  },
  check: {
    'check-then-insert': ['const seen = await ledger.has(key);'],
    'ask-the-model': ['const seen =', '  await agent.ask("Refunded before?", job);'],
    'ask-the-vendor': ['const seen = await vendor.hasRefund(key);'],
  },
  insert: {
    open: ['await ledger.query(', '  `INSERT INTO refunds (key, amount)', '   VALUES ($1, $2)'],
    indent: '   ',
    conflict: 'ON CONFLICT (key) DO NOTHING',
    end: '`,',
    close: ['  [key, amount]);'],
  },
  unless: ['if (!seen)', '  await ledger.insert(key, amount);'],
  within: [
    ['ledger.query', 'tx.query'],
    ['insert(key, amount)', 'insert(key, amount, tx)'],
  ],
  commit: { once: ['await tx.commit();'], chained: ['await tx.query("COMMIT AND CHAIN");'] },
  call: ['await vendor.refund(amount, { key });'],
  unseen: { open: ['if (!seen) {'], close: ['}'] },
  answers: {
    call: ['const answer =', '  await vendor.refund(amount, { key });'],
    silence: ['if (!answer) return job.fail("no answer");'],
    no: ['if (answer?.isFinal4xx)', '  return job.fail(answer.status);'],
    again: {
      nack: ['if (!answer?.ok) return queue.nack(receipt);'],
      resend: [
        'if (!answer?.ok) {',
        '  await queue.send(job);',
        '  return queue.ack(receipt);',
        '}',
      ],
    },
  },
  checkpoint: {
    after: ['await job.save({ checkpoint: "refunded" });'],
    started: ['await job.save({ checkpoint: "started" });'],
  },
  start: {
    nests: true,
    open: ['await db.transaction(async (tx) => {'],
    body: ['if (await tx.mark(job, "started"))', '  await tx.outbox.insert(key, amount);'],
    close: ['});'],
  },
  relay: {
    head: ['async function relay(row: OutboxRow) {'],
    amount: ['const amount = row.amount;'],
    key: ['row.key'],
    mint: ['[', '  row.job, row.step, "refund", row.sends,', '].join(":")'],
    mark: ['await outbox.markSent(row);'],
  },
  steps: {
    hold: ['await job.due();'],
    connect: ['const tx = await db.begin();'],
    claim: ['if (!(await ledger.claim(key)))', '  return queue.nack(receipt);'],
    'check-lease': ['await queue.assertMine(receipt);'],
    fence: ['await resource.check(message.fencingToken);'],
    ack: ['await queue.ack(receipt);'],
  },
};
