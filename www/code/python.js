/** @type {import('./compose.js').Language} */
export default {
  head: ['def handle(message):', '    job = message.job'],
  resume: ['    if job.checkpoint == "refunded":', '        return queue.ack(message.receipt)', ''],
  key: {
    stable: '    key = f"{job.id}:{job.step}:refund"',
    job: '    key = f"{job.id}:refund"',
    'per-attempt': '    key = f"{job.id}:{message.attempt}:refund"',
    constant: '    key = "refund"',
  },
  keyless: [', idempotency_key=key', ''],
  amount: '    amount = job.amount',
  check: {
    'check-then-insert': '    seen = ledger.has(key)',
    'ask-the-model': '    seen = agent.ask("Refunded before?", job)',
    'ask-the-vendor': '    seen = vendor.has_refund(key)',
  },
  insert: [
    '    ledger.execute(',
    '        "INSERT INTO refunds (key, amount)"',
    '        " VALUES (%s, %s)"',
  ],
  guard: '        " ON CONFLICT (key) DO NOTHING",',
  inserted: ['        (key, amount))'],
  unless: ['    if not seen:', '        ledger.insert(key, amount)'],
  callUnless: ['    if not seen:', '        vendor.refund(amount, idempotency_key=key)'],
  answers: {
    call: ['    answer = vendor.refund(amount, idempotency_key=key)'],
    silence: ['    if answer is None:', '        return job.fail("no answer")'],
    no: ['    if answer and answer.is_final_4xx:', '        return job.fail(answer.status)'],
    again: {
      nack: ['    if not (answer and answer.ok):', '        return queue.nack(message.receipt)'],
      resend: [
        '    if not (answer and answer.ok):',
        '        queue.send(job)',
        '        return queue.ack(message.receipt)',
      ],
    },
  },
  steps: {
    hold: ['    job.wait_until_due()'],
    connect: ['    db.begin()'],
    think: ['    amount = agent.decide(job)'],
    claim: ['    if not ledger.claim(key):', '        return queue.nack(message.receipt)'],
    'check-lease': ['    queue.assert_mine(message.receipt)'],
    fence: ['    resource.check(message.fencing_token)'],
    start: [
      '    with db.transaction():',
      '        job.status = "started"',
      '        outbox.insert(key, amount)',
    ],
    call: ['    vendor.refund(amount, idempotency_key=key)'],
    checkpoint: ['    job.save(checkpoint="refunded")'],
    ack: ['    queue.ack(message.receipt)'],
  },
  tail: [],
};
