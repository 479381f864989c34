//! Rules 19 to 21: limits apart from each other, deploys, and the order of what is due at once.

use super::{BULLMQ, Case, Given, POISON, at, case, codes, deliveries, play, play_with};
use at_least_once::lesson::Session;

/// Four workers that are busy at second 10, and a fifth job that waits.
const BUSY: Given = &[
    ("workers.count", "4"),
    ("job.count", "5"),
    ("job.arrivals", "every"),
    ("slice.write", "15s"),
    ("deploy.at", "10s"),
];
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
        &[BULLMQ, POISON, &[("queue.max_stalls", "0"), ("queue.expiry_counts", "on")]],
    ),
    case(20, "20-kill", &[BUSY]),
    case(20, "20-drain", &[BUSY, &[("deploy.kind", "drain")]]),
    case(21, "21-visible-later", &[POLLS_AT_4_9_9, WAIT_OF_5_S]),
    case(21, "21-same-moment", &[POLLS_AT_4_9_9]),
];

/// Rule 19: limits of different kinds are counters apart.
#[test]
fn rule_19_stalls_and_failures_are_counted_apart() {
    let stalls = play("19-stalls");
    let happened = codes(&stalls, "", &["crashed", "expired", "dead"]);
    let expected =
        ["0s crashed", "30s expired.at-once", "30s crashed", "60s expired.given-up", "60s dead"];
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
    assert_eq!(codes(&one, "", &["dead"]), ["150s dead"]);
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
