/** @type {import('./compose.js').Language} */
export default {
  head: ['async function handle(message: Message) {', '  const { job, receipt } = message;'],
  resume: ['  if (job.checkpoint === "refunded")', '    return queue.ack(receipt);', ''],
  key: {
    stable: '  const key = [job.id, job.step, "refund"].join(":");',
    job: '  const key = job.id + ":refund";',
    'per-attempt': '  const key = [job.id, message.attempt].join(":");',
    constant: '  const key = "refund";',
  },
  keyless: [', { key }', ''],
  amount: '  const amount = job.amount;',
  check: {
    'check-then-insert': '  const seen = await ledger.has(key);',
    'ask-the-model': '  const seen = await agent.ask("Refunded before?", job);',
    'ask-the-vendor': '  const seen = await vendor.hasRefund(key);',
  },
  insert: [
    '  await ledger.query(',
    '    `INSERT INTO refunds (key, amount)',
    '     VALUES ($1, $2)',
  ],
  guard: '     ON CONFLICT (key) DO NOTHING`,',
  inserted: ['    [key, amount]);'],
  unless: ['  if (!seen) await ledger.insert(key, amount);'],
  callUnless: ['  if (!seen) await vendor.refund(amount, { key });'],
  answers: {
    call: ['  const answer = await vendor.refund(amount, { key });'],
    silence: ['  if (!answer) return job.fail("no answer");'],
    no: ['  if (answer?.isFinal4xx)', '    return job.fail(answer.status);'],
    again: {
      nack: ['  if (!answer?.ok) return queue.nack(receipt);'],
      resend: [
        '  if (!answer?.ok) {',
        '    await queue.send(job);',
        '    return queue.ack(receipt);',
        '  }',
      ],
    },
  },
  steps: {
    hold: ['  await job.due();'],
    connect: ['  await db.begin();'],
    think: ['  const amount = await agent.decide(job);'],
    claim: ['  if (!(await ledger.claim(key)))', '    return queue.nack(receipt);'],
    'check-lease': ['  await queue.assertMine(receipt);'],
    fence: ['  await resource.check(message.fencingToken);'],
    start: [
      '  await db.transaction(async (tx) => {',
      '    await tx.update(job, { status: "started" });',
      '    await tx.outbox.insert(key, amount);',
      '  });',
    ],
    call: ['  await vendor.refund(amount, { key });'],
    checkpoint: ['  await job.save({ checkpoint: "refunded" });'],
    ack: ['  await queue.ack(receipt);'],
  },
  tail: ['}'],
};
