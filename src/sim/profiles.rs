//! Profiles: named rows of settings, for brokers, and of behaviour, for vendors.
//!
//! Each row says what the system's own documentation or source says. Where a system leaves a
//! number to its user, the row has that system's default.

use super::settings::Id;
use crate::WHOLE;
use crate::model::vendor::{Mismatch, Profile, Stores};

/// A row of settings, as (path, text).
pub type Row = &'static [(&'static str, &'static str)];

/// The brokers by name.
pub const BROKER_NAMES: &[&str] = &["standard", "fifo", "exactly-once", "celery-redis", "bullmq"];

/// What each broker sets, in the order of [`BROKER_NAMES`].
const BROKERS: &[Row] = &[
    // Amazon SQS, standard queue: a late ack deletes while nobody else has the message; an
    // extension counts from the call, 12 h in all; the move to the dead letters is lazy.
    &[
        ("queue.late_ack", "newest-receipt"),
        ("queue.late_extend", "refuse"),
        ("queue.expiry_counts", "on"),
        ("queue.max_stalls", "0"),
        ("queue.dead_letter", "lazy"),
        ("queue.sweep", "0s"),
        ("queue.sweep_phase", "0s"),
        ("queue.lease_from", "delivery"),
        ("queue.max_lease", "12h"),
        ("queue.dedup_window", "0s"),
        ("queue.ack", "after"),
        ("queue.visibility_timeout", "30s"),
        ("workers.prefetch", "1"),
        ("workers.heartbeat", "0s"),
    ],
    // Amazon SQS, FIFO queue: a late ack is an error; an id is known for 5 minutes, also after
    // its message was consumed.
    &[
        ("queue.late_ack", "refuse"),
        ("queue.late_extend", "refuse"),
        ("queue.expiry_counts", "on"),
        ("queue.max_stalls", "0"),
        ("queue.dead_letter", "lazy"),
        ("queue.sweep", "0s"),
        ("queue.sweep_phase", "0s"),
        ("queue.lease_from", "delivery"),
        ("queue.max_lease", "12h"),
        ("queue.dedup_window", "5m"),
        ("queue.ack", "after"),
        ("queue.visibility_timeout", "30s"),
        ("workers.prefetch", "1"),
        ("workers.heartbeat", "0s"),
    ],
    // Google Pub/Sub with exactly-once delivery: only the newest ack id counts, and only in
    // time; the subscription's deadline is 10 s.
    &[
        ("queue.late_ack", "refuse"),
        ("queue.late_extend", "refuse"),
        ("queue.expiry_counts", "on"),
        ("queue.max_stalls", "0"),
        ("queue.dead_letter", "eager"),
        ("queue.sweep", "0s"),
        ("queue.sweep_phase", "0s"),
        ("queue.lease_from", "delivery"),
        ("queue.max_lease", "1h"),
        ("queue.dedup_window", "0s"),
        ("queue.ack", "after"),
        ("queue.visibility_timeout", "10s"),
        ("workers.prefetch", "1"),
        ("workers.heartbeat", "0s"),
    ],
    // Celery with Redis, acks_late: a restored message does not count as a retry; the restore
    // looks every 10th tick of 10 s; no heartbeat; a worker holds four messages a process.
    &[
        ("queue.late_ack", "newest-receipt"),
        ("queue.late_extend", "refuse"),
        ("queue.expiry_counts", "off"),
        ("queue.max_stalls", "0"),
        ("queue.dead_letter", "lazy"),
        ("queue.sweep", "100s"),
        ("queue.sweep_phase", "0s"),
        ("queue.lease_from", "delivery"),
        ("queue.max_lease", "30d"),
        ("queue.dedup_window", "0s"),
        ("queue.ack", "after"),
        ("queue.visibility_timeout", "1h"),
        ("workers.prefetch", "4"),
        ("workers.heartbeat", "0s"),
    ],
    // BullMQ: a lock of 30 s, renewed at half of it; stalls are counted apart, one is allowed,
    // and are looked for every 30 s.
    &[
        ("queue.late_ack", "refuse"),
        ("queue.late_extend", "refuse"),
        ("queue.expiry_counts", "off"),
        ("queue.max_stalls", "1"),
        ("queue.dead_letter", "eager"),
        ("queue.sweep", "30s"),
        ("queue.sweep_phase", "0s"),
        ("queue.lease_from", "start"),
        ("queue.max_lease", "30d"),
        ("queue.dedup_window", "0s"),
        ("queue.ack", "after"),
        ("queue.visibility_timeout", "30s"),
        ("workers.prefetch", "1"),
        ("workers.heartbeat", "15s"),
    ],
];

/// The vendors by name.
pub const VENDOR_NAMES: &[&str] =
    &["ietf", "stripe-v1", "rocket-rides", "success-only", "lenient", "none"];

/// The settings that a choice brings with it; none for most.
#[must_use]
pub fn row(id: Id, name: &str) -> Row {
    if !WHOLE || id != Id::Broker {
        return &[];
    }
    let place = BROKER_NAMES.iter().position(|known| *known == name);
    place.and_then(|place| BROKERS.get(place)).copied().unwrap_or(&[])
}

/// What a vendor does with keys.
///
/// `ietf`: the draft on the Idempotency-Key header (422 for another payload). `stripe-v1`: stores
/// a 500 of an execution, 400 for another payload. `rocket-rides`: the reference application, 409
/// for another payload. `success-only`: stores successes. `lenient`: replays the first answer
/// whatever the payload. `none`: knows no keys.
#[must_use]
pub fn vendor(name: &str) -> Profile {
    let (stores, mismatch) = match name {
        "stripe-v1" => (Stores::All, Mismatch::Refuse(400)),
        "rocket-rides" => (Stores::All, Mismatch::Refuse(409)),
        "success-only" => (Stores::Successes, Mismatch::Refuse(422)),
        "lenient" => (Stores::Successes, Mismatch::Replay),
        "none" => (Stores::Nothing, Mismatch::Replay),
        _ => (Stores::Successes, Mismatch::Refuse(422)),
    };
    Profile { stores, mismatch, key_required: false, scoped: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::settings::Settings;

    #[test]
    fn every_broker_sets_the_same_settings() {
        let paths = |row: Row| row.iter().map(|(path, _)| *path).collect::<Vec<_>>();
        assert_eq!(BROKERS.len(), BROKER_NAMES.len());
        for (name, row) in BROKER_NAMES.iter().zip(BROKERS) {
            assert_eq!(paths(row), paths(BROKERS[0]), "{name}");
            let mut settings = Settings::default();
            settings.set("broker", name).expect("a broker");
            for (path, text) in *row {
                let setting = Settings::find(path).expect("a setting");
                assert_eq!(settings.text(setting), *text, "{name}");
            }
        }
    }

    #[test]
    fn the_default_settings_are_the_standard_queue_and_what_is_set_later_stands() {
        let mut settings = Settings::default();
        settings.set("broker", "standard").expect("a broker");
        assert_eq!(settings, Settings::default());
        settings.set("broker", "bullmq").expect("a broker");
        settings.set("queue.max_stalls", "3").expect("allowed");
        assert_eq!(settings.text(Settings::find("queue.max_stalls").expect("known")), "3");
        settings.set("broker", "standard").expect("a broker");
        assert_eq!(settings, Settings::default());
    }
}
