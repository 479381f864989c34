//! Rules 7 to 9: heartbeats, and how long a lease may last.

use super::{ALONE, Case, Given, case, codes, deliveries, play};

/// A dies in its 17th second of work, under a lease of a minute.
const DIES_AT_16: Given =
    &[("queue.visibility_timeout", "60s"), ("slice.write", "20s"), ("faults", "0:crash@16s")];
/// A stands still for 30 s and wakes for its heartbeat at second 32; B has job 17 from second 31.
const LATE_BEAT: Given = &[
    ("job.count", "2"),
    ("job.arrivals", "every"),
    ("job.gap", "1s"),
    ("slice.write", "3s"),
    ("workers.heartbeat", "2s"),
    ("workers.heartbeat_value", "3000s"),
    ("faults", "0/0:pause:before-write~30s 1/0:pause:before-write~27s 0/1:before-write"),
];
/// A heartbeat of job 18, leased at second 5, asks for 43 200 s in all, the next for one more.
const LONGEST: Given = &[
    ("job.count", "2"),
    ("job.arrivals", "every"),
    ("job.gap", "5s"),
    ("slice.write", "3s"),
    ("workers.heartbeat", "1s"),
    ("workers.heartbeat_value", "43199s"),
    ("faults", "1/0:crash@2500ms"),
];

pub(super) const CASES: &[Case] = &[
    case(
        7,
        "07-shorter",
        &[DIES_AT_16, &[("workers.heartbeat", "15s"), ("workers.heartbeat_value", "10s")]],
    ),
    case(7, "07-no-heartbeat", &[DIES_AT_16]),
    case(
        7,
        "07-zero",
        &[DIES_AT_16, &[("workers.heartbeat", "15s"), ("workers.heartbeat_value", "0s")]],
    ),
    case(8, "08-refuse", &[LATE_BEAT]),
    case(8, "08-extend", &[LATE_BEAT, &[("queue.late_extend", "extend")]]),
    case(
        8,
        "08-nobody-else",
        &[LATE_BEAT, ALONE, &[("job.count", "1"), ("queue.late_extend", "extend")]],
    ),
    case(9, "09-capped", &[LONGEST]),
    case(9, "09-wrong-unlimited", &[LONGEST, &[("queue.max_lease", "30d")]]),
];

/// Rule 7: a heartbeat sets the deadline to the moment of the call plus its value.
#[test]
fn rule_07_a_heartbeat_counts_from_the_call_and_may_shorten() {
    let session = play("07-shorter");
    let happened = codes(&session, "", &["beat", "crashed", "expired"]);
    let expected = ["15s beat.extended", "16s crashed", "25s expired.at-once"];
    assert_eq!(happened[..3], expected);
    let beat = session.records().into_iter().find(|it| it.event == "beat").expect("a beat");
    assert_eq!(beat.deadline_us, Some(25_000_000));
    assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "25s B #1"]);
    // A heartbeat of 0 gives the message back at once.
    assert_eq!(deliveries(&play("07-zero"), "job_17")[1], "15s B #1");
    // Without it the lease lasts as long as it was given for.
    assert_eq!(deliveries(&play("07-no-heartbeat"), "job_17")[1], "60s B #1");
}

/// Rule 8: a heartbeat after the loss fails, and leaves the other holder's lease alone.
#[test]
fn rule_08_a_late_heartbeat_leaves_the_other_holder_alone() {
    for name in ["08-refuse", "08-extend"] {
        let session = play(name);
        let happened = codes(&session, "job_17", &["beat", "crashed", "expired"]);
        let expected =
            ["30s expired.at-once", "31s crashed", "32s beat.too-late", "61s expired.at-once"];
        assert_eq!(happened[..4], expected, "{name}");
        assert_eq!(deliveries(&session, "job_17"), ["0s A #0", "31s B #1", "61s A #2"], "{name}");
    }
    // The same beat is strong where nobody else has the message: hidden until 3032 s.
    let again = play("08-nobody-else");
    let beat = again.records().into_iter().find(|it| it.event == "beat").expect("a beat");
    assert_eq!((beat.at_us, beat.deadline_us), (32_000_000, Some(3_032_000_000)));
}

/// Rule 9: a lease is capped in all, and asking for more is an error.
#[test]
fn rule_09_a_lease_has_a_longest_and_more_is_an_error() {
    let session = play("09-capped");
    let happened = codes(&session, "job_18", &["leased", "beat", "crashed", "expired"]);
    let expected = [
        "5s leased",
        "6s beat.extended",
        "7s beat.too-long",
        "7500000us crashed",
        "43205s expired.at-once",
    ];
    assert_eq!(happened[..5], expected, "the deadline stays");
    assert_eq!(deliveries(&session, "job_18")[1], "43205s A #1");
    let endless = play("09-wrong-unlimited");
    assert_eq!(codes(&endless, "job_18", &["beat"])[1], "7s beat.extended");
    assert_eq!(deliveries(&endless, "job_18")[1], "43206s A #1");
}
