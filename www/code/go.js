/** Errors are left to a helper, `must`, that panics: the handler dies, as a crash does. @type {import('./compose.js').Language} */
export default {
  head: ['func handle(m Message) {', '  job := m.Job'],
  resume: [
    '  if job.Checkpoint == "refunded" {',
    '    must(queue.Ack(m.Receipt)); return',
    '  }',
    '',
  ],
  key: {
    stable: '  key := job.ID + ":" + job.Step + ":refund"',
    job: '  key := job.ID + ":refund"',
    'per-attempt': '  key := fmt.Sprint(job.ID, ":", m.Attempt)',
    constant: '  key := "refund"',
    none: '  var key *string',
  },
  check: {
    'check-then-insert': '  seen := ledger.Has(key)',
    'ask-the-model': '  seen := agent.Ask("Refunded before?", job)',
  },
  insert: ['  must(ledger.Exec(', '    `INSERT INTO refunds (key, amount)', '     VALUES ($1, $2)'],
  guard: '     ON CONFLICT (key) DO NOTHING`,',
  inserted: ['    key, amount))'],
  unless: ['  if !seen {', '    must(ledger.Insert(key, amount))', '  }'],
  steps: {
    hold: ['  job.WaitUntilDue()'],
    connect: ['  must(db.Begin())'],
    think: ['  amount := agent.Decide(job)'],
    claim: ['  if !ledger.Claim(key) {', '    must(queue.Nack(m.Receipt)); return', '  }'],
    'check-lease': ['  must(queue.AssertMine(m.Receipt))'],
    fence: ['  must(resource.Check(m.FencingToken))'],
    start: [
      '  must(db.Transaction(func(tx Tx) {',
      '    tx.SetStatus(job, "started")',
      '    tx.Outbox.Insert(key, amount)',
      '  }))',
    ],
    call: ['  must(vendor.Refund(amount, IdempotencyKey(key)))'],
    checkpoint: ['  must(job.Save(Checkpoint("refunded")))'],
    ack: ['  must(queue.Ack(m.Receipt))'],
  },
  tail: ['}'],
};
