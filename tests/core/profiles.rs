//! Brokers and vendors by name: what their public documents say, and what then happens.

use at_least_once::lesson::Session;
use at_least_once::sim::settings::Settings;

/// What a profile sets: the setting, its text, and where that is said.
type Said = (&'static str, &'static str, &'static str);

const SQS: &[Said] = &[
    ("queue.visibility_timeout", "30s", "SQS, CreateQueue: VisibilityTimeout, default 30"),
    ("queue.max_lease", "12h", "SQS, ChangeMessageVisibility: 12 hours from the receive in all"),
    ("queue.late_extend", "refuse", "SQS, ChangeMessageVisibility: MessageNotInflight"),
    ("queue.expiry_counts", "on", "SQS, maxReceiveCount: counts receives"),
    ("queue.expiry_backoff", "off", "SQS, visibility timeout: visible again when it is over"),
    ("queue.dead_letter", "lazy", "SQS, redrive policy: moved by the receive that is one too many"),
    ("queue.max_stalls", "4294967295", "SQS has no other limit"),
    ("queue.sweep", "0s", "SQS, visibility timeout: visible again when it is over"),
    ("queue.lease_from", "delivery", "SQS, ReceiveMessage: the clock starts with the receive"),
    ("queue.ack", "after", "SQS, DeleteMessage: by the consumer, when it is done"),
    ("workers.heartbeat", "0s", "SQS: none of its own"),
];

const BROKERS: &[(&str, &[Said])] = &[
    ("standard", SQS),
    (
        "standard",
        &[
            ("queue.late_ack", "newest-receipt", "SQS, DeleteMessage: the most recent handle"),
            ("queue.dedup_window", "0s", "SQS, standard queues: none"),
        ],
    ),
    ("fifo", SQS),
    (
        "fifo",
        &[
            ("queue.late_ack", "refuse", "SQS FIFO: the receipt handle has expired"),
            ("queue.dedup_window", "5m", "SQS FIFO: 5-minute deduplication interval"),
        ],
    ),
    (
        "exactly-once",
        &[
            ("queue.visibility_timeout", "10s", "Pub/Sub, Subscription: ackDeadlineSeconds, 10"),
            ("queue.max_lease", "1h", "Pub/Sub clients: max lease extension, 60 minutes"),
            ("queue.late_ack", "refuse", "Pub/Sub, exactly-once: only the latest ack id, in time"),
            ("queue.late_extend", "refuse", "Pub/Sub, exactly-once: the same"),
            ("queue.expiry_counts", "on", "Pub/Sub, dead letters: nacks and expired deadlines"),
            ("queue.expiry_backoff", "off", "Pub/Sub, RetryPolicy: without one, at once"),
            ("queue.dedup_window", "0s", "Pub/Sub: publishing twice is two messages"),
            ("queue.ack", "after", "Pub/Sub: by the subscriber, when it is done"),
        ],
    ),
    (
        "celery-redis",
        &[
            ("queue.visibility_timeout", "1h", "Celery, Redis: visibility_timeout, 1 hour"),
            ("queue.late_ack", "ignore", "kombu, Redis: a delivery tag is of one delivery"),
            ("queue.expiry_counts", "off", "kombu, Redis: restored with its retries as they were"),
            ("queue.expiry_backoff", "off", "kombu, Redis: restored to its queue"),
            ("queue.sweep", "100s", "kombu, Redis: each 10th tick of unacked_restore_interval, 10"),
            ("queue.sweep_how", "end", "kombu, Redis: what is older than the timeout"),
            ("queue.lease_from", "delivery", "kombu, Redis: scored when it is delivered"),
            ("queue.ack", "before", "Celery, task_acks_late: disabled"),
            ("workers.prefetch", "4", "Celery, worker_prefetch_multiplier: 4"),
            ("workers.heartbeat", "0s", "kombu, Redis: a delivery is not renewed"),
        ],
    ),
    (
        "bullmq",
        &[
            ("queue.visibility_timeout", "30s", "BullMQ, WorkerOptions: lockDuration, 30000"),
            ("workers.heartbeat", "15s", "BullMQ, WorkerOptions: lockRenewTime, lockDuration / 2"),
            ("queue.sweep", "30s", "BullMQ, WorkerOptions: stalledInterval, 30000"),
            ("queue.sweep_how", "mark", "BullMQ, moveStalledJobsToWait: marks, then moves"),
            ("queue.max_stalls", "1", "BullMQ, WorkerOptions: maxStalledCount, 1"),
            ("queue.dead_letter", "lazy", "BullMQ, stalled jobs: fails when it is taken up next"),
            ("queue.late_ack", "refuse", "BullMQ, ErrorCode: JobLockNotExist"),
            ("queue.late_extend", "refuse", "BullMQ, extendLock: only its own token's lock"),
            ("queue.expiry_counts", "off", "BullMQ, stalled jobs: a counter of their own"),
            ("queue.expiry_backoff", "off", "BullMQ, moveStalledJobsToWait: to wait"),
            ("queue.lease_from", "start", "BullMQ, Worker: locked when it is moved to active"),
            ("workers.prefetch", "1", "BullMQ, WorkerOptions: concurrency, 1"),
            ("queue.ack", "after", "BullMQ, Worker: completed when the processor returns"),
        ],
    ),
];

const VENDORS: &[(&str, &[Said])] = &[
    (
        "ietf",
        &[
            ("vendor.mismatch", "422", "Idempotency-Key header, draft: 422 for another payload"),
            ("vendor.key_required", "off", "the same: 400 only where the resource requires one"),
        ],
    ),
    (
        "stripe-v1",
        &[
            ("vendor.stores", "all", "Stripe, idempotent requests: also a 500"),
            ("vendor.mismatch", "400", "Stripe: idempotency_error, HTTP 400"),
            ("vendor.key_life", "1d", "Stripe: may be removed after 24 hours"),
            ("vendor.key_required", "off", "Stripe: any POST may have one"),
        ],
    ),
    (
        "rocket-rides",
        &[
            ("vendor.stores", "final", "rocket-rides-atomic, api.rb: 402 stored, 500 unlocks"),
            ("vendor.mismatch", "409", "rocket-rides-atomic, api.rb: error_params_mismatch"),
            ("vendor.claim_life", "90s", "rocket-rides-atomic: IDEMPOTENCY_KEY_LOCK_TIMEOUT, 90"),
            ("vendor.key_life", "3d", "rocket-rides-atomic, reaper.rb: 72 hours"),
            ("vendor.key_required", "on", "rocket-rides-atomic, api.rb: error_key_required, 400"),
            ("vendor.key_scoped", "on", "rocket-rides-atomic, api.rb: a user's key"),
        ],
    ),
    ("success-only", &[("vendor.stores", "successes", "its name")]),
    ("lenient", &[("vendor.mismatch", "replay", "Worldline, Qonto: the first answer again")]),
    ("none", &[("vendor.stores", "nothing", "its name")]),
];

#[test]
fn a_profile_is_what_its_public_documents_say() {
    for (profile, before, rows) in
        [("broker", "bullmq", BROKERS), ("vendor", "rocket-rides", VENDORS)]
    {
        for (name, said) in rows {
            let mut settings = Settings::default();
            // Whatever was there before, the whole column counts.
            settings.set(profile, before).expect("a profile");
            settings.set(profile, name).expect("a profile");
            for (path, text, source) in *said {
                let setting = Settings::find(path).expect("a setting");
                assert_eq!(settings.text(setting), *text, "{name}, {path}: {source}");
            }
        }
    }
}

type Given<'a> = &'a [(&'a str, &'a str)];

fn play(given: Given<'_>) -> Session {
    Session::new("double-refund", given).expect("allowed")
}

/// The moments of these events, in milliseconds.
fn moments(session: &Session, codes: &[&str]) -> Vec<u64> {
    let records = session.records().into_iter();
    let named = records.filter(|record| {
        let code = [Some(record.event), record.detail].into_iter().flatten().collect::<Vec<_>>();
        codes.contains(&&*code.join("."))
    });
    named.map(|record| record.at_us / 1000).collect()
}

/// After a crash no broker waits for a backoff, although the experiment has one: the message
/// comes back when the lease is over, or with the sweep.
#[test]
fn a_broker_adds_no_backoff_to_a_lease_that_ends() {
    for (broker, again) in [
        ("standard", 30_000),
        ("fifo", 30_000),
        ("exactly-once", 10_000),
        ("celery-redis", 3_600_000),
        ("bullmq", 60_000),
    ] {
        let late = ("queue.ack", "after");
        let session = play(&[("broker", broker), late, ("faults", "0:before-write")]);
        assert_eq!(moments(&session, &["leased"]), [0, again], "{broker}");
    }
}

/// A Redis queue with a timeout of an hour and a job of 12 826 s, whose restore looks at second 71
/// of each hundred: what pretix/pretix#2058 has logged.
#[test]
fn a_long_job_on_celery_is_delivered_again_when_the_restore_looks() {
    let session = play(&[
        ("broker", "celery-redis"),
        ("queue.ack", "after"),
        ("queue.sweep_phase", "71s"),
        ("faults", "none"),
        ("guard", "off"),
        ("workers.count", "4"),
        ("slice.think", "1h"),
        ("slice.write", "1h"),
        ("slice.checkpoint", "1h"),
        ("slice.ack", "2026s"),
    ]);
    let deliveries = moments(&session, &["leased"]);
    assert_eq!(deliveries[..4], [0, 3_671_000, 7_271_000, 10_871_000]);
    assert!(moments(&session, &["ack-late.ignored"]).len() > 1, "each copy acks for itself");
}

/// As it comes, Celery acks before the work: what a dead worker had is lost.
#[test]
fn a_crash_on_celery_as_it_comes_loses_the_job() {
    let session = play(&[("broker", "celery-redis"), ("faults", "0:before-write")]);
    assert_eq!(moments(&session, &["leased"]), [0]);
    assert_eq!(session.summary().verdict.paid_cents, 0);
}

/// However the start of the job and the checks lie, a dead worker's job is back later than its
/// lock's 30 s, and within two checks.
#[test]
fn a_stalled_job_on_bullmq_is_never_back_with_the_end_of_its_lock() {
    for phase in [0, 1, 14, 15, 29] {
        let phase = format!("{phase}s");
        let session = play(&[
            ("broker", "bullmq"),
            ("queue.sweep_phase", &phase),
            ("faults", "0:before-write"),
            ("job.count", "40"),
            ("job.arrivals", "every"),
            ("job.gap", "7s"),
            ("workers.count", "50"),
        ]);
        let records = session.records();
        for job in 0..40 {
            let job = format!("job_{}", 17 + job);
            let leased = |attempt| {
                let mut all = records.iter().filter(|it| it.event == "leased");
                all.find(|it| it.job_id.as_deref() == Some(&*job) && it.attempt == Some(attempt))
            };
            let [first, again] = [0, 1].map(|attempt| leased(attempt).expect("leased").at_us);
            let after = again - first;
            assert!(after > 30_000_000 && after <= 60_000_000, "{job}, {phase}: {after}");
        }
    }
}

/// Where a renewal came last, the checks count from it.
#[test]
fn a_renewal_takes_the_mark_of_a_check_away() {
    let session = play(&[
        ("broker", "bullmq"),
        ("queue.sweep_phase", "1s"),
        ("faults", "0:crash@50s"),
        ("slice.write", "100s"),
    ]);
    // Renewed at 45 s, gone at 75 s; the check at 61 s marks, the one at 91 s gives back.
    assert_eq!(moments(&session, &["beat.extended"])[..3], [15_000, 30_000, 45_000]);
    assert_eq!(moments(&session, &["expired.waits"])[0], 75_000);
    assert_eq!(moments(&session, &["leased"])[1], 91_000);
}

/// A lock of 30 s, checks every 180 s, no stall allowed, an event loop that stands still for 45 s:
/// the work is done, its result is thrown away, and the job fails with the second check, without
/// another start (taskforcesh/bullmq#3056).
#[test]
fn a_blocked_worker_on_bullmq_does_its_work_and_its_job_fails() {
    let session = play(&[
        ("broker", "bullmq"),
        ("queue.max_stalls", "0"),
        ("queue.sweep", "180s"),
        ("slice.think", "0s"),
        ("slice.write", "0s"),
        ("slice.checkpoint", "0s"),
        ("slice.ack", "0s"),
        ("faults", "0:pause:before-write~45s"),
    ]);
    assert_eq!(moments(&session, &["wrote.first"]), [45_000]);
    assert_eq!(moments(&session, &["ack-late.refused"]), [45_000]);
    assert_eq!(moments(&session, &["leased"]), [0]);
    let [failed] = moments(&session, &["dead"])[..] else { panic!("it fails once") };
    assert!((180_000..=360_000).contains(&failed), "{failed}");
}

const RIDES: [(&str, &str); 9] = [
    ("effect", "vendor"),
    ("vendor", "rocket-rides"),
    ("faults", "none"),
    ("workers.count", "2"),
    ("slice.think", "0s"),
    ("vendor.time", "0s"),
    ("backoff.kind", "exponential"),
    ("backoff.jitter", "none"),
    ("backoff.cap", "30d"),
];

fn rides(given: Given<'_>) -> Session {
    play(&[&RIDES[..], given].concat())
}

fn paid(session: &Session) -> Option<u32> {
    session.summary().verdict.vendor_rows
}

/// A call of 120 s with its key under way: in progress for 90 s, then the next call takes the work
/// up, and whoever is first pays for both.
#[test]
fn a_call_under_way_keeps_its_key_for_90_s_at_rocket_rides() {
    let retry = |vendor, lease, waits| {
        rides(&[
            ("vendor", vendor),
            ("vendor.time", "120s"),
            ("queue.visibility_timeout", lease),
            ("backoff.kind", "fixed"),
            ("backoff.base", waits),
            ("queue.expiry_backoff", "off"),
        ])
    };
    let early = retry("rocket-rides", "89s", "2s");
    assert_eq!(moments(&early, &["answer.refused"])[0], 89_000, "409, in progress");
    assert_eq!(moments(&early, &["key-freed"])[0], 90_000);
    assert_eq!(moments(&early, &["called"])[..3], [0, 89_000, 91_000]);
    assert_eq!(moments(&early, &["answer.ran"])[..2], [120_000, 211_000]);
    assert_eq!(paid(&early), Some(1));
    // At exactly 90 s it is free.
    let at = retry("rocket-rides", "90s", "2s");
    assert_eq!(moments(&at, &["answer.ran"])[..2], [120_000, 210_000]);
    assert_eq!((moments(&at, &["answer.refused"]), paid(&at)), (vec![], Some(1)));
    // The draft's conflict lasts as long as the call.
    let ietf = retry("ietf", "91s", "30s");
    assert_eq!(moments(&ietf, &["answer.refused"]), [91_000]);
    assert_eq!((moments(&ietf, &["key-freed"]), paid(&ietf)), (vec![], Some(1)));
}

/// Keys are reaped after 72 h: a retry after 71 h gets the answer again, one after 72 h pays.
#[test]
fn a_key_lives_for_72_hours_at_rocket_rides() {
    for (base, payments) in [("1420m", 1), ("1440m", 2)] {
        // Waits of once and twice that: 71 h and 72 h.
        let session = rides(&[("backoff.base", base), ("faults", "0:reply-lost 1:reply-lost")]);
        assert_eq!(moments(&session, &["called"]).len(), 3);
        assert_eq!(paid(&session), Some(payments), "{base}");
    }
}

/// A declined payment is the answer for good, where answers of executions are stored.
#[test]
fn which_answers_a_vendor_gives_again() {
    for (vendor, declined, fault) in [
        ("rocket-rides", "replayed", "ran"),
        ("stripe-v1", "replayed", "replayed"),
        ("success-only", "ran", "ran"),
        ("none", "ran", "ran"),
    ] {
        for (faults, second) in [("0:answer-402", declined), ("0:answer-500", fault)] {
            let given = [("vendor", vendor), ("faults", faults), ("retry.on_4xx", "retry")];
            let session = rides(&given);
            let answers = session.records().into_iter().filter(|it| it.event == "answer");
            let how: Vec<_> = answers.filter_map(|it| it.detail).take(2).collect();
            assert_eq!(how, ["ran", second], "{vendor}, {faults}");
        }
    }
}

#[test]
fn rocket_rides_refuses_a_call_without_a_key() {
    let session = rides(&[("key", "none")]);
    assert_eq!(moments(&session, &["failed.status"]).len(), 1);
    assert_eq!(paid(&session), Some(0));
    assert_eq!(paid(&rides(&[("key", "none"), ("vendor", "ietf")])), Some(1));
}

/// A profile counts first in a link too, wherever it stands.
#[test]
fn a_link_has_its_profiles_first() {
    let given = [("vendor.key_life", "1d"), ("vendor", "rocket-rides"), ("broker", "bullmq")];
    let session = play(&given);
    let link = session.link();
    assert!(link.contains("broker=bullmq&vendor=rocket-rides&vendor.key_life=1d"), "{link}");
    let parts: Vec<&str> = link.split('&').collect();
    let (head, rest) = parts.split_at(2);
    let turned = [head, &rest.iter().rev().copied().collect::<Vec<_>>()].concat().join("&");
    for link in [link.as_str(), &turned] {
        let opened = Session::open(link).expect("a link");
        assert_eq!(opened.settings(), session.settings(), "{link}");
    }
}
