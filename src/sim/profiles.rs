//! Profiles: named columns of settings, for brokers and for vendors.
//!
//! Each says what the system's own documentation or source says. Where a system leaves a number to
//! its user, it is that system's default; where it says nothing, it is the setting's own default.

use super::settings::Id;
use crate::WHOLE;

/// A table of settings, each with its text in every profile.
type Table = &'static [(Id, &'static [&'static str])];

/// The brokers by name.
///
/// * `standard`: Amazon SQS, standard queue. A late ack deletes while nobody else has the message;
///   an extension counts from the call, 12 h in all; the move to the dead letters is lazy.
/// * `fifo`: Amazon SQS, FIFO queue. A late ack is an error; an id is known for 5 minutes, also
///   after its message was consumed.
/// * `exactly-once`: Google Pub/Sub with exactly-once delivery. Only the newest ack id counts, and
///   only in time; the subscription's deadline is 10 s, which clients extend up to an hour; without
///   a retry policy a message is delivered again at once.
/// * `celery-redis`: Celery with Redis as it comes. A task is acked before it runs, which
///   `task_acks_late` changes (`queue.ack=after`); a late ack is about a delivery of which the
///   restored message knows nothing; a restored message does not count as a retry; the restore
///   looks every 10th tick of 10 s; no heartbeat; a worker holds four messages a process.
/// * `bullmq`: BullMQ. A lock of 30 s, renewed at half of it; stalls are counted apart, one is
///   allowed; a check every 30 s marks what is active, and the next one gives back what is still
///   marked and has no lock; a job that has stalled too often fails when it is taken up next.
pub const BROKER_NAMES: &[&str] = &["standard", "fifo", "exactly-once", "celery-redis", "bullmq"];

/// What each broker sets, in the order of [`BROKER_NAMES`].
#[rustfmt::skip]
const BROKERS: Table = &[
    (Id::LateAck,           &["newest-receipt", "refuse", "refuse", "ignore", "refuse"]),
    (Id::LateExtend,        &["refuse", "refuse", "refuse", "refuse", "refuse"]),
    (Id::ExpiryCounts,      &["on", "on", "on", "off", "off"]),
    (Id::ExpiryBackoff,     &["off", "off", "off", "off", "off"]),
    (Id::MaxStalls,         &[NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, "1"]),
    (Id::DeadLetter,        &["lazy", "lazy", "eager", "lazy", "lazy"]),
    (Id::Sweep,             &["0s", "0s", "0s", "100s", "30s"]),
    (Id::SweepPhase,        &["0s", "0s", "0s", "0s", "0s"]),
    (Id::SweepHow,          &["end", "end", "end", "end", "mark"]),
    (Id::LeaseFrom,         &["delivery", "delivery", "delivery", "delivery", "start"]),
    (Id::MaxLease,          &["12h", "12h", "1h", "30d", "30d"]),
    (Id::DedupWindow,       &["0s", "5m", "0s", "0s", "0s"]),
    (Id::AckWhen,           &["after", "after", "after", "before", "after"]),
    (Id::VisibilityTimeout, &["30s", "30s", "10s", "1h", "30s"]),
    (Id::WorkersPrefetch,   &["1", "1", "1", "4", "1"]),
    (Id::Heartbeat,         &["0s", "0s", "0s", "0s", "15s"]),
];
const NO_LIMIT: &str = "4294967295";

/// The vendors by name.
///
/// * `ietf`: the draft on the Idempotency-Key header. Another payload is a 422; which calls need a
///   key, and how long one is known, is the resource's own affair.
/// * `stripe-v1`: every answer of an execution is stored, a 500 among them, for a day; another
///   payload is a 400.
/// * `success-only`: stores successes only.
/// * `lenient`: gives the first answer again whatever the payload.
/// * `none`: knows no keys.
/// * `rocket-rides`: the reference application of Stripe-like keys. A key is required; another
///   payload is a 409; a declined payment is stored, a fault is not; a lock counts for 90 s; keys
///   are reaped after three days. The page's own build leaves it out, because of the lock.
pub const VENDOR_NAMES: &[&str] = if WHOLE {
    &["ietf", "stripe-v1", "success-only", "lenient", "none", "rocket-rides"]
} else {
    &["ietf", "stripe-v1", "success-only", "lenient", "none"]
};

/// What each vendor sets, in the order of [`VENDOR_NAMES`].
#[rustfmt::skip]
const VENDORS: Table = &[
    (Id::VendorStores,      &["successes", "all", "successes", "successes", "nothing", "final"]),
    (Id::VendorMismatch,    &["422", "400", "422", "replay", "replay", "409"]),
    (Id::VendorClaimLife,   &["0s", "0s", "0s", "0s", "0s", "90s"]),
    (Id::VendorKeyLife,     &["1d", "1d", "1d", "1d", "1d", "3d"]),
    (Id::VendorKeyRequired, &["off", "off", "off", "off", "off", "on"]),
    (Id::VendorKeyScoped,   &["on", "on", "on", "on", "on", "on"]),
];

/// The settings that a choice brings with it, with their texts; none for most.
pub fn row(id: Id, name: &str) -> impl Iterator<Item = (Id, &'static str)> {
    let (table, names): (Table, _) = match id {
        Id::Broker if WHOLE => (BROKERS, BROKER_NAMES),
        Id::Vendor => (VENDORS, VENDOR_NAMES),
        _ => (&[], BROKER_NAMES),
    };
    let place = names.iter().position(|known| *known == name).unwrap_or(0);
    table.iter().map(move |(id, texts)| (*id, texts[place]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::settings::{SETTINGS, Settings};

    fn texts(profile: &str, name: &str) -> Vec<String> {
        let mut settings = Settings::default();
        settings.set(profile, name).expect("a profile");
        SETTINGS.iter().map(|setting| settings.text(setting)).collect()
    }

    #[test]
    fn every_text_of_a_profile_is_allowed_and_written_as_it_stands() {
        for (profile, id, names) in
            [("broker", Id::Broker, BROKER_NAMES), ("vendor", Id::Vendor, VENDOR_NAMES)]
        {
            for name in names {
                let texts = texts(profile, name);
                for (id, text) in row(id, name) {
                    assert_eq!(texts[id as usize], text, "{name}");
                }
            }
        }
    }

    #[test]
    fn the_first_profiles_are_the_default_settings_and_what_is_set_later_stands() {
        let mut settings = Settings::default();
        for (profile, first, other, (path, text)) in [
            ("broker", "standard", "bullmq", ("queue.max_stalls", "3")),
            ("vendor", "ietf", "rocket-rides", ("vendor.key_life", "7d")),
        ] {
            settings.set(profile, first).expect("a profile");
            assert_eq!(settings, Settings::default());
            settings.set(profile, other).expect("a profile");
            settings.set(path, text).expect("allowed");
            assert_eq!(settings.text(Settings::find(path).expect("known")), text);
            settings.set(profile, first).expect("a profile");
            assert_eq!(settings, Settings::default());
        }
    }
}
