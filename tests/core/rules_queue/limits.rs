//! Rules 19 to 21: limits apart from each other, deploys, and the order of what is due at once.

use super::{BULLMQ, Case, Given, POISON, at, case, codes, deliveries, paid, play, play_with};
use at_least_once::lesson::Session;

/// Four workers that are busy at second 10, and a fifth job that waits.
const BUSY: Given = &[
    ("workers.count", "4"),
    ("job.count", "5"),
    ("job.arrivals", "every"),
    ("slice.write", "15s"),
    ("deploy.at", "10s"),
];
const DRAIN: Given = &[("deploy.kind", "drain")];
/// The checkpoint is at the end of the work, and the ack is long.
const AT_CHECKPOINT: Given = &[
    ("deploy.stop", "checkpoint"),
    ("checkpoint", "after"),
    ("slice.checkpoint", "0s"),
    ("slice.ack", "10s"),
];
/// A stands still with job 17 for an hour.
const STANDS_STILL: Given =
    &[("slice.write", "5s"), ("deploy.at", "10s"), ("faults", "0:pause:before-write~1h")];
const ACK_FIRST: Given = &[("queue.ack", "before"), ("queue.visibility_timeout", "12s")];
/// Job 17 is given back at second 0; A is busy until second 9, B until 4 and then until 9.
const POLLS_AT_4_9_9: Given = &[
    ("job.count", "5"),
    ("slice.write", "4s"),
    ("faults", "0/0:throw:before-write 1/0:pause:before-write~5s 3/0:pause:before-write~1s"),
];
const WAIT_OF_5_S: Given =
    &[("backoff.kind", "fixed"), ("backoff.base", "5s"), ("backoff.jitter", "none")];

pub(super) const CASES: &[Case] = &[
    case(19, "19-stalls", &[BULLMQ, POISON]),
    case(
        19,
        "19-failures",
        &[
            BULLMQ,
            &[(
                "faults",
                "0:throw:before-write 1:before-write 2:throw:before-write 3:throw:before-write \
                 4:throw:before-write 5:throw:before-write",
            )],
        ],
    ),
    case(
        19,
        "19-wrong-one-counter",
        &[BULLMQ, POISON, &[("queue.max_stalls", "4294967295"), ("queue.expiry_counts", "on")]],
    ),
    case(20, "20-kill", &[BUSY]),
    case(20, "20-drain", &[BUSY, &[("deploy.kind", "drain")]]),
    case(20, "20-drain-grace", &[BUSY, DRAIN, &[("deploy.grace", "6500ms")]]),
    case(20, "20-drain-checkpoint", &[BUSY, DRAIN, AT_CHECKPOINT]),
    case(20, "20-drain-held", &[BUSY, DRAIN, &[("workers.prefetch", "2"), ("job.count", "6")]]),
    case(20, "20-drain-expiry", &[STANDS_STILL, DRAIN]),
    case(20, "20-drain-late", &[STANDS_STILL, DRAIN, &[("deploy.at", "40s")]]),
    case(20, "20-drain-ack-first", &[BUSY, DRAIN, ACK_FIRST]),
    case(20, "20-rolling-kill", &[BUSY, &[("deploy.gap", "2s")]]),
    case(20, "20-rolling-drain", &[BUSY, DRAIN, &[("deploy.gap", "3s"), ("deploy.grace", "2s")]]),
    case(21, "21-visible-later", &[POLLS_AT_4_9_9, WAIT_OF_5_S]),
    case(21, "21-same-moment", &[POLLS_AT_4_9_9]),
];

/// Rule 19: limits of different kinds are counters apart.
#[test]
fn rule_19_stalls_and_failures_are_counted_apart() {
    let stalls = play("19-stalls");
    let happened = codes(&stalls, "", &["crashed", "expired", "dead"]);
    // A lock of 30 s ends; the check at 30 s has marked the job, the one at 60 s gives it back.
    let expected =
        ["0s crashed", "30s expired.waits", "60s crashed", "90s expired.waits", "120s dead"];
    assert_eq!(happened, expected);
    assert_eq!(deliveries(&stalls, "job_17").len(), 2);
    // Five failures and one stall: six starts.
    let failures = play("19-failures");
    assert_eq!(codes(&failures, "", &["crashed"]).len(), 1);
    assert_eq!(codes(&failures, "", &["gave-back"]).len(), 5);
    assert_eq!(codes(&failures, "", &["dead"]).len(), 1);
    assert_eq!(deliveries(&failures, "job_17").len(), 6);
    // One counter for both: five starts.
    let one = play("19-wrong-one-counter");
    assert_eq!(deliveries(&one, "job_17").len(), 5);
    assert_eq!(codes(&one, "", &["dead"]), ["300s dead"]);
}

/// Rule 20: a kill costs each job in flight an attempt and the wait for its lease; a drain costs
/// nothing.
#[test]
fn rule_20_a_kill_costs_a_lease_and_a_drain_nothing() {
    let kill = play("20-kill");
    assert_eq!(codes(&kill, "", &["deployed"]), ["10s deployed.kill"]);
    assert_eq!(codes(&kill, "", &["crashed"]), ["10s crashed"; 4]);
    assert_eq!(kill.summary().verdict.redeliveries, 4);
    for (place, worker) in ["A", "B", "C", "D"].iter().enumerate() {
        let came = deliveries(&kill, &format!("job_{}", 17 + place));
        assert_eq!((came.len(), came[0].as_str()), (2, &*format!("{place}s {worker} #0")));
        let again = format!("{}s ", 30 + place);
        assert!(came[1].starts_with(&again) && came[1].ends_with("#1"), "{came:?}");
    }
    let drain = play("20-drain");
    assert_eq!(codes(&drain, "", &["crashed", "expired"]), [""; 0]);
    assert_eq!(drain.summary().verdict.redeliveries, 0);
    let stops = ["10s deployed.drain", "15s stopped", "16s stopped", "17s stopped", "18s stopped"];
    assert_eq!(codes(&drain, "", &["deployed", "stopped"]), stops);
    let acks = codes(&drain, "", &["acked"]);
    assert_eq!(acks[..4], ["15s acked", "16s acked", "17s acked", "18s acked"]);
    // A job was waiting all the while, and only the new version takes it.
    assert_eq!(deliveries(&drain, "job_21"), ["20s A #0"]);
}

/// Rule 20: a drain waits for acks, checkpoints or the ends of leases, and not for ever.
#[test]
fn rule_20_a_drain_has_a_grace_and_stops_at_checkpoints_and_lets_go_of_what_is_held() {
    // At 16.5 s A and B are done, C and D are killed.
    let grace = play("20-drain-grace");
    assert_eq!(codes(&grace, "", &["stopped"]), ["15s stopped", "16s stopped"]);
    assert_eq!(codes(&grace, "", &["grace-ended", "crashed"])[0], "16500000us grace-ended");
    assert_eq!(codes(&grace, "", &["crashed"]), ["16500000us crashed"; 2]);
    assert_eq!(grace.summary().verdict.redeliveries, 2);
    // Written and saved once, acked by the next worker.
    let checkpoint = play("20-drain-checkpoint");
    let gave = ["15s", "16s", "17s", "18s"].map(|at| format!("{at} gave-back.at-once"));
    assert_eq!(codes(&checkpoint, "", &["gave-back"]), gave);
    assert_eq!(codes(&checkpoint, "", &["resumed"]).len(), 4);
    assert_eq!(codes(&checkpoint, "", &["wrote", "checkpointed"]).len(), 2 * 5, "no step twice");
    // Job 18 and 22 wait in the hands of A and B, and go back to the queue at second 10.
    let held = play("20-drain-held");
    for job in ["job_18", "job_22"] {
        let came = deliveries(&held, job);
        assert_eq!((came.len(), came[1].ends_with("#1")), (2, true), "{came:?}");
        assert!(codes(&held, job, &["expired"]).is_empty(), "{job} did not wait for its lease");
    }
}

/// Rule 20: a worker that is to stop does not work on when its lease is over.
#[test]
fn rule_20_a_drain_ends_with_the_lease() {
    for (name, stops) in [("20-drain-expiry", "30s"), ("20-drain-late", "40s")] {
        let session = play(name);
        let happened = codes(&session, "job_17", &["expired", "stepped", "wrote", "acked"]);
        let expected = ["30s expired.at-once".to_owned(), format!("{stops} stepped-back")];
        assert!(expected.iter().all(|it| happened.contains(it)), "{name}: {happened:?}");
        assert!(codes(&session, "", &["stopped"]).contains(&format!("{stops} stopped")));
        assert_eq!((paid(&session, "job_17"), session.summary().verdict.ok), (1, true), "{name}");
    }
    // Who has acked before the work has no lease that could end.
    let acked = play("20-drain-ack-first");
    assert_eq!(codes(&acked, "", &["stepped", "expired"]), [""; 0]);
    assert_eq!(codes(&acked, "", &["wrote"]).len(), 5);
}

/// Rule 20: a rolling deploy takes one worker after the other, each with a grace of its own.
#[test]
fn rule_20_a_rolling_deploy_takes_one_worker_after_the_other() {
    let turns = |kind: &str, gap: usize| -> Vec<String> {
        (0..4).map(|turn| format!("{}s deployed.{kind}", 10 + gap * turn)).collect()
    };
    let kill = play("20-rolling-kill");
    assert_eq!(codes(&kill, "", &["deployed"]), turns("kill", 2));
    // A and B die at work; C and D are done with theirs at 17 and 18 s, D has job 21 then.
    let crashed = kill.records().into_iter().filter(|it| it.event == "crashed");
    let crashed: Vec<_> = crashed.map(|it| (at(it.at_us), it.worker.unwrap_or_default())).collect();
    let expected = [("10s", "A"), ("12s", "B"), ("14s", "C"), ("16s", "D")];
    assert_eq!(crashed, expected.map(|(at, who)| (at.to_owned(), who.to_owned())));
    // A and B have 2 s from 10 and 13 s on, C from 16, D from 19.
    let drain = play("20-rolling-drain");
    assert_eq!(codes(&drain, "", &["deployed"]), turns("drain", 3));
    assert_eq!(codes(&drain, "", &["crashed"]), ["12s crashed", "15s crashed"]);
    assert_eq!(codes(&drain, "", &["stopped"])[0], "17s stopped");
}

/// Rule 21: what is due at one instant has a fixed order.
#[test]
fn rule_21_ties_go_by_the_visible_time_and_then_by_number() {
    let order = |session: &Session| -> Vec<String> {
        let leased = session.records().into_iter().filter(|it| it.event == "leased");
        leased
            .map(|it| {
                format!("{} {} {}", at(it.at_us), it.worker.expect("who"), it.job_id.expect("what"))
            })
            .collect()
    };
    // Job 17 is visible at second 5, the others at 0; polls at 4, 9 and 9.
    let later =
        ["0s A job_17", "0s A job_18", "0s B job_19", "4s B job_20", "9s A job_21", "9s B job_17"];
    // Visible at 0 as they are, job 17 goes first again.
    let same =
        ["0s A job_17", "0s A job_17", "0s B job_18", "4s A job_19", "8s A job_20", "9s B job_21"];
    for (name, expected) in [("21-visible-later", later), ("21-same-moment", same)] {
        for seed in 0..20 {
            let session = play_with(name, &[("seed", &seed.to_string())]);
            assert_eq!(order(&session), expected, "{name}, seed {seed}");
        }
    }
}
