/** Errors are left to a helper, `must`, that panics: the handler dies, as a crash does. @type {import('./language.js').Language} */
export default {
  indent: '  ',
  comment: '// ',
  breaks: [
    ['Insert(', 'Insert(\n  '],
    ['Refund(', 'Refund(\n  '],
  ],
  head: ['func handle(m Message) {', '  job := m.Job'],
  tail: ['}'],
  resume: {
    refunded: [
      'if job.Checkpoint == "refunded" {',
      '  must(queue.Ack(m.Receipt)); return',
      '}',
      '',
    ],
    started: ['if job.Mark == "started" {', '  must(queue.Ack(m.Receipt)); return', '}', ''],
  },
  started: {
    found: ['if job.Checkpoint == "started" {'],
    otherwise: ['} else {'],
    end: ['}'],
  },
  think: ['amount := agent.Decide(job)'],
  kept: ['amount := job.DecidedOr(agent.Decide)'],
  given: ['amount := job.Amount'],
  each: {
    open: ['for refund, amount := range refunds {'],
    skip: ['if job.Checkpoint.Has(refund) { continue }'],
    close: ['}'],
  },
  several: {
    given: ['refunds := job.Refunds'],
    amount: [/\bamount\b/g, 'refunds'],
    done: ['"refunded"', 'refund'],
    started: ['"started"', 'refund'],
    key: [':refund"', ':" + refund'],
  },
  key: {
    stable: ['job.ID + ":" + job.Step + ":refund"'],
    job: ['job.ID'],
    'per-attempt': ['job.ID + ":" + job.Step +', '  ":refund" + ":" + fmt.Sprint(m.Attempt)'],
    constant: ['"refund"'],
  },
  declare: { constant: ['key := ', ''], changing: ['key := ', ''], assign: ['key = ', ''] },
  none: {
    call: [', WithKey(key)', ''],
    outbox: ['key, ', ''],
    asked: ['key', '""'],
    row: (several) =>
      several ? { column: 'name', value: 'job.ID + refund' } : { column: 'job', value: 'job.ID' },
    maybe: { declare: ['key := ""'], assign: ['key = ', ''], call: ['', ''] },
  },
  check: {
    'check-then-insert': ['seen := ledger.Has(key)'],
    'ask-the-model': ['seen := agent.Ask("Refunded before?", job)'],
    'ask-the-vendor': ['seen := vendor.HasRefund(key)'],
  },
  insert: {
    open: ['must(ledger.Exec(', '  `INSERT INTO refunds (key, amount)', '   VALUES ($1, $2)'],
    indent: '   ',
    conflict: 'ON CONFLICT (key) DO NOTHING',
    end: '`,',
    close: ['  key, amount))'],
  },
  unless: ['if !seen {', '  must(ledger.Insert(key, amount))', '}'],
  within: [
    ['ledger.Exec', 'tx.Exec'],
    ['Insert(key, amount)', 'Insert(key, amount, tx)'],
  ],
  commit: { once: ['must(tx.Commit())'], chained: ['must(tx.Exec("COMMIT AND CHAIN"))'] },
  call: ['must(vendor.Refund(amount, WithKey(key)))'],
  unseen: { open: ['if !seen {'], close: ['}'] },
  answers: {
    call: ['answer, err := vendor.Refund(', '  amount, WithKey(key))'],
    silence: ['if err != nil {', '  job.Fail("no answer"); return', '}'],
    no: ['if err == nil && answer.IsFinal4xx() {', '  job.Fail(answer.Status); return', '}'],
    again: {
      nack: ['if err != nil || !answer.OK() {', '  must(queue.Nack(m.Receipt)); return', '}'],
      resend: [
        'if err != nil || !answer.OK() {',
        '  must(queue.Send(job))',
        '  must(queue.Ack(m.Receipt)); return',
        '}',
      ],
    },
  },
  checkpoint: {
    after: ['must(job.Save(Checkpoint("refunded")))'],
    started: ['must(job.Save(Checkpoint("started")))'],
  },
  start: {
    nests: true,
    open: ['must(db.Transaction(func(tx Tx) {'],
    body: ['if tx.Mark(job, "started") {', '  tx.Outbox.Insert(key, amount)', '}'],
    close: ['}))'],
  },
  relay: {
    head: ['func relay(row OutboxRow) {'],
    amount: ['amount := row.Amount'],
    key: ['row.Key'],
    mint: ['row.Job + ":" + row.Step +', '  ":refund" + ":" + fmt.Sprint(row.Sends)'],
    mark: ['must(outbox.MarkSent(row))'],
  },
  steps: {
    hold: ['job.WaitUntilDue()'],
    connect: ['tx := db.MustBegin()'],
    claim: ['if !ledger.Claim(key) {', '  must(queue.Nack(m.Receipt)); return', '}'],
    'check-lease': ['must(queue.AssertMine(m.Receipt))'],
    fence: ['must(resource.Check(m.FencingToken))'],
    ack: ['must(queue.Ack(m.Receipt))'],
  },
};
