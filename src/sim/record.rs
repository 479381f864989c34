//! An event as a reader outside sees it: flat, with texts for ids.

use super::event::{Answered, Event};
use super::scenario::Scenario;
use crate::WHOLE;
use crate::json::data;
use crate::model::ledger::Claimed;
use crate::model::outbox::RelayStep;
use crate::model::queue::{AckOutcome, ExtendOutcome};
use crate::units::{Cents, JobIndex, Moment, Span, WorkerId};

data! {
    sparse:
    /// An event, flat. Fields that an event does not have are left out.
    #[derive(Clone, Default, PartialEq, Eq)]
    pub struct EventRecord {
        /// When, in microseconds from the start of the run.
        pub at_us: u64,
        /// The event's code, as in the list of sentences.
        pub event: &'static str,
        /// Which kind of it, where there are several: the sentence is then `event.detail`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub detail: Option<&'static str>,
        /// The worker, by letter.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub worker: Option<String>,
        /// The relay, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub relay: Option<u32>,
        /// The job.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub job_id: Option<String>,
        /// The number of the message among the job's, where it is not the first.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub copy: Option<u32>,
        /// The attempt, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub attempt: Option<u32>,
        /// The idempotency key.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub key: Option<String>,
        /// The row of the ledger, or the payment of the vendor, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub row: Option<u32>,
        /// The amount, in cents.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub cents: Option<u64>,
        /// The vendor's status.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub status: Option<u16>,
        /// The fencing token.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub token: Option<u32>,
        /// The end of the lease, in microseconds from the start of the run.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub deadline_us: Option<u64>,
        /// The wait that follows, in microseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wait_us: Option<u64>,
        /// The point in the slice.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub point: Option<&'static str>,
        /// The receipt's number.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub receipt: Option<u32>,
    }
}

/// Every code with its details: the list that sentences are checked against.
pub const CODES: &[(&str, &[&str])] = &[
    ("sent", &[]),
    ("dropped", &[]),
    ("window-ended", &[]),
    ("leased", &[]),
    ("began", &[]),
    ("resumed", &[]),
    ("minted", &[]),
    ("due", &[]),
    ("connected", &[]),
    ("thought", &[]),
    ("checked", &["found", "absent"]),
    ("claim", &["new", "done", "in-progress"]),
    ("claim-ended", &[]),
    ("lease-checked", &["own", "lost"]),
    ("fence", &["passed", "refused"]),
    ("started", &["first", "again"]),
    ("called", &[]),
    ("paid", &["first", "again"]),
    ("answer", &["ran", "replayed", "refused"]),
    ("no-answer", &[]),
    ("late-call", &[]),
    ("reply-lost", &["ran", "replayed", "refused"]),
    ("wrote", &["first", "again"]),
    ("already-written", &[]),
    ("checkpointed", &[]),
    ("acked", &[]),
    ("ack-late", &["deleted", "ignored", "refused", "gone"]),
    ("ack-lost", &[]),
    ("replica", &[]),
    ("beat", &["extended", "too-late", "too-long"]),
    ("paused", &[]),
    ("gave-back", &["waits", "at-once", "too-late"]),
    ("sent-again", &[]),
    ("stepped-back", &[]),
    ("failed", &["status", "no-answer"]),
    ("crashed", &[]),
    ("restarted", &[]),
    ("expired", &["waits", "at-once", "given-up"]),
    ("returned", &[]),
    ("dead", &[]),
    ("relay-read", &[]),
    ("published", &["new", "known"]),
    ("not-published", &["refused", "no-answer"]),
    ("marked", &[]),
    ("relay-crashed", &[]),
    ("relay-back", &[]),
    ("deployed", &["kill", "drain"]),
    ("stopped", &[]),
    ("grace-ended", &[]),
    ("key-freed", &[]),
    ("key-forgotten", &[]),
    ("clock-moved", &[]),
    ("vendor-back", &[]),
    ("undone", &[]),
];

fn again(again: bool) -> Option<&'static str> {
    Some(if again { "again" } else { "first" })
}

fn waits(wait: Span) -> Option<&'static str> {
    Some(if wait == Span::ZERO { "at-once" } else { "waits" })
}

fn either(is: bool, yes: &'static str, no: &'static str) -> Option<&'static str> {
    Some(if is { yes } else { no })
}

fn answered(how: Answered) -> &'static str {
    match how {
        Answered::Ran => "ran",
        Answered::Replayed => "replayed",
        Answered::Refused => "refused",
    }
}

impl Event {
    /// The event's code and, where it comes in kinds, which kind.
    #[must_use]
    pub fn code(&self) -> (&'static str, Option<&'static str>) {
        match *self {
            Self::Sent { .. } => ("sent", None),
            Self::Leased { .. } => ("leased", None),
            Self::Resumed { .. } => ("resumed", None),
            Self::Thought(_) => ("thought", None),
            Self::Checked { found, .. } => ("checked", either(found, "found", "absent")),
            Self::Wrote { again: it, .. } => ("wrote", again(it)),
            Self::AlreadyWritten { .. } => ("already-written", None),
            Self::Checkpointed(_) => ("checkpointed", None),
            Self::Acked { outcome, .. } => match outcome {
                AckOutcome::Deleted => ("acked", None),
                AckOutcome::LateDeleted => ("ack-late", Some("deleted")),
                AckOutcome::LateIgnored => ("ack-late", Some("ignored")),
                AckOutcome::LateRefused => ("ack-late", Some("refused")),
                AckOutcome::Gone => ("ack-late", Some("gone")),
            },
            Self::AckLost(_) => ("ack-lost", None),
            Self::Crashed { .. } => ("crashed", None),
            Self::Restarted { .. } => ("restarted", None),
            Self::Expired { wait, .. } => ("expired", wait.map_or(Some("given-up"), waits)),
            Self::Returned { .. } => ("returned", None),
            Self::Dead { .. } => ("dead", None),
            Self::Dropped { .. } => ("dropped", None),
            Self::WindowEnded { .. } => ("window-ended", None),
            Self::Began(_) => ("began", None),
            Self::Minted { .. } => ("minted", None),
            Self::Due(_) => ("due", None),
            Self::Connected(_) => ("connected", None),
            Self::Claim { outcome, .. } => {
                let detail = match outcome {
                    Claimed::New(_) => "new",
                    Claimed::Done => "done",
                    Claimed::InProgress => "in-progress",
                };
                ("claim", Some(detail))
            }
            Self::ClaimEnded { .. } => ("claim-ended", None),
            Self::LeaseChecked { own, .. } => ("lease-checked", either(own, "own", "lost")),
            Self::Fence { passed, .. } => ("fence", either(passed, "passed", "refused")),
            Self::Started { again: it, .. } => ("started", again(it)),
            Self::Called { .. } => ("called", None),
            Self::Paid { again: it, .. } => ("paid", again(it)),
            Self::Answer { how, .. } => ("answer", Some(answered(how))),
            Self::ReplyLost { how, .. } => ("reply-lost", Some(answered(how))),
            Self::NoAnswer(_) => ("no-answer", None),
            Self::LateCall { .. } => ("late-call", None),
            Self::Replica { .. } => ("replica", None),
            Self::Beat { outcome, .. } => {
                let detail = match outcome {
                    ExtendOutcome::Until(_) => "extended",
                    ExtendOutcome::TooLate => "too-late",
                    ExtendOutcome::TooLong => "too-long",
                };
                ("beat", Some(detail))
            }
            Self::Paused { .. } => ("paused", None),
            Self::GaveBack { wait, .. } => ("gave-back", wait.map_or(Some("too-late"), waits)),
            Self::SentAgain(_) => ("sent-again", None),
            Self::Stepped(_) => ("stepped-back", None),
            Self::Failed { status, .. } => {
                ("failed", either(status.is_some(), "status", "no-answer"))
            }
            Self::RelayRead { .. } => ("relay-read", None),
            Self::Relayed { step: RelayStep::Publish, known, .. } => {
                ("published", either(known, "known", "new"))
            }
            Self::NotPublished { status, .. } => {
                ("not-published", either(status.is_some(), "refused", "no-answer"))
            }
            Self::Relayed { step: RelayStep::Mark, .. } => ("marked", None),
            Self::RelayCrashed { .. } => ("relay-crashed", None),
            Self::RelayBack { .. } => ("relay-back", None),
            Self::Deployed { drains, .. } => ("deployed", either(drains, "drain", "kill")),
            Self::Stopped { .. } => ("stopped", None),
            Self::GraceEnded => ("grace-ended", None),
            Self::KeyFreed { .. } => ("key-freed", None),
            Self::KeyForgotten { .. } => ("key-forgotten", None),
            Self::ClockMoved => ("clock-moved", None),
            Self::VendorBack => ("vendor-back", None),
            Self::Undone => ("undone", None),
        }
    }

    /// The event with texts for ids.
    #[must_use]
    pub fn record(&self, at: Moment, scenario: &Scenario) -> EventRecord {
        let (event, detail) = self.code();
        let mut record =
            EventRecord { at_us: at.as_micros(), event, detail, ..EventRecord::default() };
        if let Some(by) = self.by() {
            record.worker = Some(by.worker.to_string());
            record.job_id = Some(scenario.job_id(by.job));
            record.copy = Some(by.copy).filter(|copy| *copy > 0);
            record.attempt = Some(by.attempt);
            record.key = Some(scenario.key_text(by.key));
        }
        self.fill(scenario, &mut record);
        record
    }

    /// Fills in what an event has besides its attempt.
    fn fill(&self, scenario: &Scenario, record: &mut EventRecord) {
        let job_id = |job: JobIndex| Some(scenario.job_id(job));
        let later = |copy: u32| Some(copy).filter(|copy| *copy > 0);
        let worker_name = |worker: WorkerId| Some(worker.to_string());
        let relay_number = |relay: u16| Some(u32::from(relay) + 1);
        let cents_of = |cents: Cents| Some(cents.as_cents());
        match *self {
            Self::Sent { job, copy } => {
                (record.job_id, record.copy) = (job_id(job), later(copy));
            }
            Self::Returned { job } => record.job_id = job_id(job),
            Self::Leased { receipt, deadline, .. } => {
                record.receipt = Some(receipt.0);
                record.deadline_us = Some(deadline.as_micros());
            }
            Self::Wrote { row, cents, .. } => {
                (record.row, record.cents) = (Some(row), cents_of(cents));
            }
            Self::AlreadyWritten { row, .. } => record.row = Some(row),
            Self::Crashed { point, .. } => record.point = Some(point.name()),
            Self::Restarted { worker } => record.worker = worker_name(worker),
            Self::Expired { job, copy, attempt, wait } => {
                (record.job_id, record.copy) = (job_id(job), later(copy));
                record.attempt = Some(attempt);
                record.wait_us = wait.map(Span::as_micros);
            }
            Self::Dead { job, copy, attempts } => {
                (record.job_id, record.copy) = (job_id(job), later(copy));
                record.attempt = attempts.checked_sub(1);
            }
            Self::Dropped { job }
            | Self::WindowEnded { job }
            | Self::ClaimEnded { job }
            | Self::Replica { job } => record.job_id = job_id(job),
            Self::Fence { token, .. } => record.token = Some(token),
            Self::Called { cents, .. } => record.cents = cents_of(cents),
            Self::Paid { job, key, payment, cents, .. } => {
                (record.job_id, record.key) = (job_id(job), Some(scenario.key_text(key)));
                (record.row, record.cents) = (Some(payment), cents_of(cents));
            }
            Self::Answer { status, .. } => record.status = Some(status),
            Self::LateCall { job, key } => {
                (record.job_id, record.key) = (job_id(job), Some(scenario.key_text(key)));
            }
            Self::ReplyLost { job, key, status, .. } => {
                (record.job_id, record.key) = (job_id(job), Some(scenario.key_text(key)));
                record.status = Some(status);
            }
            Self::Beat { outcome: ExtendOutcome::Until(deadline), .. } => {
                record.deadline_us = Some(deadline.as_micros());
            }
            Self::Paused { wait, .. } => record.wait_us = Some(wait.as_micros()),
            Self::GaveBack { wait, .. } => record.wait_us = wait.map(Span::as_micros),
            Self::Failed { status, .. } => record.status = status,
            Self::Stopped { worker } => record.worker = worker_name(worker),
            Self::Deployed { worker: Some(worker), .. } if WHOLE => {
                record.worker = worker_name(worker);
            }
            Self::RelayRead { relay, job } | Self::Relayed { relay, job, .. } => {
                (record.relay, record.job_id) = (relay_number(relay), job_id(job));
            }
            Self::NotPublished { relay, job, status } => {
                (record.relay, record.job_id) = (relay_number(relay), job_id(job));
                record.status = status;
            }
            Self::RelayCrashed { relay, job, point } => {
                (record.relay, record.job_id) = (relay_number(relay), job_id(job));
                record.point = Some(point.name());
            }
            Self::RelayBack { relay } => record.relay = relay_number(relay),
            Self::KeyFreed { key } | Self::KeyForgotten { key } => {
                record.key = Some(scenario.key_text(key));
            }
            _ => {}
        }
    }
}
