use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::{EXPERIMENTS, Experiment};

type Given = &'static [(&'static str, &'static str)];

/// What the reader sets on top of the ticket, and the tasks that this fulfils.
const CASES: &[(&str, Given, &[bool])] = &[
    ("keys", &[("key", "stable")], &[true, false]),
    ("keys", &[("key", "job"), ("job.second_amount", "1999")], &[false, true]),
    // Paid once, but no reply was lost.
    ("keys", &[("key", "stable"), ("faults", "none")], &[false, false]),
    // The second refund is refused, not swallowed.
    ("keys", &[("key", "job"), ("job.second_amount", "200"), ("faults", "none")], &[false, false]),
    ("backoff", &[("backoff.kind", "none")], &[true, false]),
    ("backoff", &[("backoff.jitter", "full")], &[false, true]),
    // More room is another vendor, more attempts another limit.
    ("backoff", &[("vendor.slots", "50")], &[false, false]),
    ("backoff", &[("queue.max_attempts", "60")], &[false, false]),
    ("backoff", &[("backoff.jitter", "full"), ("workers.count", "5")], &[false, false]),
    ("timeout-too-short", &[("workers.heartbeat", "5s")], &[true, false]),
    ("timeout-too-short", &[("guard", "on")], &[false, true]),
    // A longer lease is one start too, but not what is asked for.
    ("timeout-too-short", &[("queue.visibility_timeout", "1m")], &[false, false]),
    ("timeout-too-short", &[("guard", "on"), ("slice.write", "5s")], &[false, false]),
    (
        "timeout-too-long",
        &[("queue.visibility_timeout", "1m"), ("workers.heartbeat", "20s")],
        &[true, false],
    ),
    (
        "timeout-too-long",
        &[("queue.visibility_timeout", "1m"), ("slice.think", "0s")],
        &[true, true],
    ),
    // Soon, but started again and again for nothing.
    ("timeout-too-long", &[("queue.visibility_timeout", "1m")], &[false, false]),
    // Nobody died.
    ("timeout-too-long", &[("faults", "none"), ("slice.think", "0s")], &[false, false]),
    ("checkpoint", &[("checkpoint", "before-mint"), ("faults", "0:after-call")], &[true, false]),
    ("checkpoint", &[("checkpoint", "after"), ("faults", "0:after-write")], &[false, true]),
    (
        "checkpoint",
        &[
            ("checkpoint", "after"),
            ("effect", "outbox"),
            ("relay.dedup", "off"),
            ("faults", "0:relay-between"),
        ],
        &[false, true],
    ),
    // As its hint says, from the chapter's own settings.
    ("checkpoint", &[("effect", "outbox"), ("faults", "0:relay-between")], &[false, true]),
    // Paid twice, but saved after.
    (
        "checkpoint",
        &[("checkpoint", "after"), ("key", "none"), ("faults", "0:after-write")],
        &[false, false],
    ),
    ("checkpoint", &[("checkpoint", "after"), ("faults", "none")], &[false, false]),
    ("errors", &[("retry.on_4xx", "final")], &[true, false, false]),
    ("errors", &[("faults", "0:answer-503 1:answer-503")], &[false, true, false]),
    ("errors", &[("faults", "0:reply-lost")], &[false, false, true]),
    // One call, but nobody said no.
    ("errors", &[("faults", "none")], &[false, false, false]),
    // Paid once, because the lost reply was taken for a no: the job has failed.
    (
        "errors",
        &[("faults", "0:reply-lost"), ("retry.on_no_answer", "final")],
        &[false, false, false],
    ),
    ("errors", &[("faults", "0:reply-lost"), ("key", "per-attempt")], &[false, false, false]),
    ("attempts", &[("client.tries", "1")], &[true, false]),
    ("attempts", &[("retry.how", "resend")], &[false, true]),
    // Five calls, but in one delivery.
    ("attempts", &[("client.tries", "5"), ("queue.max_attempts", "1")], &[false, false]),
    // Without end, but nothing is forgotten: there is no limit.
    ("attempts", &[("queue.max_attempts", "4294967295")], &[false, false]),
    ("drain", &[("deploy.kind", "drain")], &[true, false]),
    ("drain", &[("deploy.kind", "drain"), ("deploy.stop", "checkpoint")], &[false, true]),
    // Nothing is delivered again where nothing is deployed.
    ("drain", &[("deploy.at", "0s")], &[false, false]),
    ("drain", &[("deploy.kind", "drain"), ("deploy.grace", "3s")], &[false, false]),
    ("two-ledgers", &[("key", "stable")], &[true, false, false]),
    ("two-ledgers", &[("key", "stable"), ("vendor.test_clock", "20s")], &[false, true, false]),
    (
        "two-ledgers",
        &[("key", "stable"), ("vendor.test_clock", "20s"), ("guard", "ask-the-vendor")],
        &[false, false, true],
    ),
    // The books agree where nothing has torn them apart.
    ("two-ledgers", &[("key", "stable"), ("faults", "none")], &[false, false, false]),
    // Paid twice, but there was no key to forget.
    ("two-ledgers", &[("vendor.test_clock", "20s")], &[false, false, false]),
    ("open-transaction", &[("key", "stable")], &[true, false]),
    (
        "open-transaction",
        &[("key", "stable"), ("job.count", "20"), ("workers.count", "20"), ("transaction", "off")],
        &[true, true],
    ),
    (
        "open-transaction",
        &[("key", "stable"), ("job.count", "20"), ("workers.count", "20")],
        &[true, false],
    ),
    ("open-transaction", &[("transaction", "off")], &[false, false]),
    ("runs-twice", &[("key", "stable")], &[true, false]),
    ("runs-twice", &[("key", "stable"), ("retry.how", "nack")], &[true, true]),
    ("runs-twice", &[("retry.how", "nack")], &[false, false]),
    // A model that is asked no more is no model that remembers.
    ("runs-twice", &[("key", "stable"), ("guard", "off")], &[false, false]),
];

fn on_top_of_the_ticket(experiment: &Experiment, given: Given) -> Session {
    let mut session = Session::new(experiment.id, experiment.ticket).expect("allowed");
    for (path, text) in given {
        session.set(path, text).expect("allowed");
    }
    session
}

#[test]
fn a_task_ticks_for_what_it_asks_for_and_for_nothing_that_only_looks_like_it() {
    for (id, given, expected) in CASES {
        let experiment = Experiment::find(id).expect("an experiment");
        let session = on_top_of_the_ticket(experiment, given);
        assert_eq!(session.tasks(), *expected, "{id}: {given:?}");
    }
}

/// The opening fulfils none, and each can be fulfilled.
#[test]
fn every_task_is_open_at_first_and_can_be_done() {
    for experiment in EXPERIMENTS.iter().filter(|it| it.id != "double-refund") {
        let id = experiment.id;
        let opening = on_top_of_the_ticket(experiment, &[]).tasks();
        assert_eq!(opening, vec![false; experiment.tasks.len()], "{id}");
        for (place, task) in experiment.tasks.iter().enumerate() {
            let done = CASES.iter().any(|(of, _, expected)| *of == id && expected[place]);
            assert!(done, "{id}: nothing above fulfils {}", task.id);
        }
    }
}
