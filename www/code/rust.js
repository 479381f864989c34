/** @type {import('./compose.js').Language} */
export default {
  head: ['async fn handle(message: Message) -> Result<()> {', '    let job = &message.job;'],
  resume: [
    '    if job.checkpoint == Some("refunded") {',
    '        return queue.ack(message.receipt).await;',
    '    }',
    '',
  ],
  key: {
    stable: '    let key = format!("{}:{}:refund", job.id, job.step);',
    job: '    let key = format!("{}:refund", job.id);',
    'per-attempt': '    let key = format!("{}:{}", job.id, message.attempt);',
    constant: '    let key = "refund";',
  },
  keyless: ['Some(&key)', 'None'],
  amount: '    let amount = job.amount;',
  check: {
    'check-then-insert': '    let seen = ledger.has(&key).await?;',
    'ask-the-model': '    let seen = agent.ask("Refunded before?", job).await?;',
    'ask-the-vendor': '    let seen = vendor.has_refund(&key).await?;',
  },
  insert: [
    '    sqlx::query(',
    '        "INSERT INTO refunds (key, amount)',
    '         VALUES ($1, $2)',
  ],
  guard: '         ON CONFLICT (key) DO NOTHING")',
  inserted: ['        .bind(&key).bind(amount)', '        .execute(&ledger).await?;'],
  unless: ['    if !seen {', '        ledger.insert(&key, amount).await?;', '    }'],
  callUnless: ['    if !seen {', '        vendor.refund(amount, Some(&key)).await?;', '    }'],
  answers: {
    call: ['    let answer = vendor.refund(amount, Some(&key)).await.ok();'],
    silence: ['    if answer.is_none() {', '        return job.fail("no answer").await;', '    }'],
    no: [
      '    if answer.as_ref().is_some_and(Answer::is_final_4xx) {',
      '        return job.fail("refused").await;',
      '    }',
    ],
    again: {
      nack: [
        '    if !answer.as_ref().is_some_and(Answer::is_ok) {',
        '        return queue.nack(message.receipt).await;',
        '    }',
      ],
      resend: [
        '    if !answer.as_ref().is_some_and(Answer::is_ok) {',
        '        queue.send(job).await?;',
        '        return queue.ack(message.receipt).await;',
        '    }',
      ],
    },
  },
  steps: {
    hold: ['    job.due().await;'],
    connect: ['    let tx = db.begin().await?;'],
    think: ['    let amount = agent.decide(job).await?;'],
    claim: [
      '    if !ledger.claim(&key).await? {',
      '        return queue.nack(message.receipt).await;',
      '    }',
    ],
    'check-lease': ['    queue.assert_mine(message.receipt).await?;'],
    fence: ['    resource.check(message.fencing_token).await?;'],
    start: [
      '    let mut tx = db.begin().await?;',
      '    job.set_status("started", &mut tx).await?;',
      '    outbox.insert(&key, amount, &mut tx).await?;',
      '    tx.commit().await?;',
    ],
    call: ['    vendor.refund(amount, Some(&key)).await?;'],
    checkpoint: ['    job.save("refunded").await?;'],
    ack: ['    queue.ack(message.receipt).await'],
  },
  tail: ['}'],
};
