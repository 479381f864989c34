/** @type {import('./language.js').Language} */
export default {
  indent: '    ',
  comment: '// ',
  breaks: [
    [/(?<=\w)\.\w+\(/, '\n    $&'],
    ['.release(', '.release(\n    '],
    ['!("', '!(\n    "'],
    [').await', ')\n.await'],
    ['.insert(', '.insert(\n    '],
    ['INTO refunds ', 'INTO refunds\n '],
    [').bind', ')\n.bind'],
    ['(Answer::', '(\n    Answer::'],
  ],
  head: ['async fn handle(message: Message) -> Result<()> {', '    let job = &message.job;'],
  tail: ['    Ok(())', '}'],
  resume: {
    refunded: [
      'if job.checkpoint == Some("refunded") {',
      '    return queue.ack(message.receipt).await;',
      '}',
      '',
    ],
    started: [
      'if job.mark == Some("started") {',
      '    return queue.ack(message.receipt).await;',
      '}',
      '',
    ],
  },
  started: {
    found: ['if job.checkpoint == Some("started") {'],
    otherwise: ['} else {'],
    end: ['}'],
  },
  think: ['let amount = agent.decide(job).await?;'],
  kept: [
    'let amount = match job.decided {',
    '    Some(amount) => amount,',
    '    None => agent.decide(job).await?,',
    '};',
  ],
  given: ['let amount = job.amount;'],
  each: {
    open: ['for (refund, amount) in refunds {'],
    skip: ['if job.has(refund) {', '    continue;', '}'],
    past: ['if job.is_past(refund) {', '    continue;', '}'],
    close: ['}'],
  },
  several: {
    given: ['let refunds = &job.refunds;'],
    amount: [/\bamount\b/g, 'refunds'],
    done: ['"refunded"', 'refund'],
    started: ['"started"', 'refund'],
    key: [':refund', ':{refund}'],
  },
  key: {
    stable: ['format!("{}:{}:refund",', '    job.id, job.step)'],
    job: ['job.id.clone()'],
    'per-attempt': ['format!("{}:{}:refund:{}",', '    job.id, job.step,', '    message.attempt)'],
    constant: ['"refund".to_owned()'],
  },
  declare: {
    constant: ['let key = ', ';'],
    changing: ['let mut key = ', ';'],
    assign: ['key = ', ';'],
  },
  none: {
    call: ['Some(&key)', 'None'],
    outbox: ['&key, ', ''],
    asked: ['&key', 'None'],
    row: (several) =>
      several
        ? { column: 'name', value: '&(job.id + refund)' }
        : { column: 'job', value: '&job.id' },
    maybe: {
      declare: ['let mut key = None;'],
      assign: ['key = Some(', ');'],
      call: ['Some(&key)', 'key.as_ref()'],
    },
  },
  check: {
    'check-then-insert': ['let seen = ledger.has(&key).await?;'],
    'ask-the-model': ['let seen = agent', '    .ask("Refunded before?", job).await?;'],
    'ask-the-vendor': ['let seen = vendor.has_refund(&key).await?;'],
  },
  insert: {
    open: ['sqlx::query(', '    "INSERT INTO refunds (key, amount)', '     VALUES ($1, $2)'],
    indent: '     ',
    conflict: 'ON CONFLICT (key) DO NOTHING',
    end: '")',
    close: ['    .bind(&key).bind(amount)', '    .execute(&ledger).await?;'],
  },
  unless: ['if !seen {', '    ledger.insert(&key, amount).await?;', '}'],
  within: [
    ['.execute(&ledger)', '.execute(&mut *tx)'],
    ['ledger.insert(&key, amount)', 'tx.insert(&key, amount)'],
    ['ledger.complete', 'tx.complete'],
  ],
  commit: {
    once: ['tx.commit().await?;'],
    chained: ['tx.execute("COMMIT AND CHAIN").await?;'],
  },
  call: ['vendor.refund(amount, Some(&key)).await?;'],
  tries: ['vendor', 'vendor.tries({tries})'],
  claim: {
    open: ['if ledger.claim(&key).await? {'],
    close: ['}'],
    asked: ['let claim = ledger.claim(&key).await?;'],
    busy: { open: ['if claim.is_in_progress() {'], close: ['}'] },
    fresh: ['if claim.is_new() {'],
    done: ['ledger.complete(&key).await?;'],
    release: [
      'if answer.is_some_and(Answer::is_refusal) {',
      '    ledger.release(&key).await?;',
      '}',
    ],
  },
  unseen: { open: ['if !seen {'], close: ['}'] },
  answers: {
    call: ['let answer = vendor', '    .refund(amount, Some(&key))', '    .await.ok();'],
    silence: ['if answer.is_none() {', '    return job.fail("no answer").await;', '}'],
    no: [
      'if answer.is_some_and(Answer::is_final_4xx) {',
      '    return job.fail("refused").await;',
      '}',
    ],
    failed: { open: ['if !answer.is_some_and(Answer::is_ok) {'], close: ['}'] },
    again: {
      nack: ['return queue.nack(message.receipt).await;'],
      resend: ['queue.send(job).await?;', 'return queue.ack(message.receipt).await;'],
    },
  },
  checkpoint: {
    after: ['job.save("refunded").await?;'],
    started: ['job.save("started").await?;'],
  },
  start: {
    nests: false,
    open: ['let mut tx = db.begin().await?;'],
    body: [
      'if tx.mark(job, "started").await? {',
      '    tx.outbox.insert(&key, amount).await?;',
      '}',
    ],
    close: ['tx.commit().await?;'],
  },
  relay: {
    head: ['async fn relay(row: OutboxRow) -> Result<()> {'],
    amount: ['let amount = row.amount;'],
    key: ['row.key'],
    mint: ['format!("{}:{}:refund:{}",', '    row.job, row.step, row.sends)'],
    mark: ['outbox.mark_sent(&row).await?;'],
  },
  steps: {
    hold: ['job.due().await;'],
    connect: ['let mut tx = db.begin().await?;'],
    'check-lease': ['queue.assert_mine(message.receipt).await?;'],
    fence: ['resource.check(message.fencing_token).await?;'],
    ack: ['queue.ack(message.receipt).await?;'],
  },
};
