//! Which mark an event leaves.

use super::{Lanes, MarkKind};
use crate::model::outbox::RelayStep;
use crate::model::queue::{AckOutcome, ExtendOutcome};
use crate::model::vendor::{IN_PROGRESS, is_retried, is_success};
use crate::sim::event::{Answered, Event};
use crate::units::JobIndex;

/// What is drawn: the kind, where it happens, and where something goes.
pub(super) type Sign = (MarkKind, u32, Option<u32>);

/// What the queue, the vendor, the relays and whoever deploys do; and the job that it is about.
pub(super) fn of_others(event: &Event, lanes: Lanes) -> Option<(Sign, Option<JobIndex>)> {
    let vendor = || lanes.vendor().unwrap_or(lanes.ledger());
    let (kind, lane, to, job) = match *event {
        Event::Sent { job, .. } => (MarkKind::Sent, 0, None, Some(job)),
        Event::Returned { job } => (MarkKind::Returned, 0, None, Some(job)),
        Event::Dead { job, .. } => (MarkKind::Dead, 0, None, Some(job)),
        Event::Restarted { worker } => (MarkKind::Restarted, Lanes::worker(worker), None, None),
        Event::Paid { job, again, .. } => {
            let kind = if again { MarkKind::PaidAgain } else { MarkKind::Paid };
            (kind, vendor(), None, Some(job))
        }
        Event::LateCall { job, .. } => (MarkKind::LateCall, vendor(), None, Some(job)),
        Event::ReplyLost { job, status, how, .. } => {
            (answer(status, how, None)?, vendor(), None, Some(job))
        }
        Event::Relayed { job, step: RelayStep::Publish, known: true, .. } => {
            (MarkKind::Replayed, lanes.ledger(), lanes.vendor(), Some(job))
        }
        Event::Relayed { job, step: RelayStep::Publish, .. } | Event::NotPublished { job, .. } => {
            (MarkKind::RelaySent, lanes.ledger(), lanes.vendor(), Some(job))
        }
        Event::RelayCrashed { job, .. } => (MarkKind::Crashed, lanes.ledger(), None, Some(job)),
        Event::RelayBack { .. } => (MarkKind::Restarted, lanes.ledger(), None, None),
        Event::Deployed { .. } => (MarkKind::Deploy, 0, None, None),
        Event::Stopped { worker } => (MarkKind::Stopped, Lanes::worker(worker), None, None),
        _ => return None,
    };
    Some(((kind, lane, to), job))
}

/// What a worker does, on its lane; `next` is what the same step says after it.
pub(super) fn of_worker(
    event: &Event,
    next: Option<&Event>,
    lane: u32,
    lanes: Lanes,
) -> Option<Sign> {
    let ledger = Some(lanes.ledger());
    let (kind, to) = match *event {
        Event::Leased { .. } => return Some((MarkKind::Leased, 0, Some(lane))),
        Event::Resumed { .. } => (MarkKind::Resumed, None),
        Event::Checked { .. } => (MarkKind::Checked, None),
        Event::Wrote { again: false, .. } => (MarkKind::Wrote, ledger),
        Event::Wrote { again: true, .. } => (MarkKind::WroteAgain, ledger),
        Event::AlreadyWritten { .. } => (MarkKind::AlreadyWritten, ledger),
        Event::Checkpointed(_) => (MarkKind::Checkpointed, None),
        Event::Acked { outcome: AckOutcome::Deleted, .. } => (MarkKind::Acked, Some(0)),
        Event::Acked { .. } => (MarkKind::AckLate, Some(0)),
        Event::AckLost(_) => (MarkKind::AckLost, None),
        Event::Crashed { .. } => (MarkKind::Crashed, None),
        Event::Minted { .. } => (MarkKind::Resumed, None),
        Event::Claim { .. } | Event::LeaseChecked { .. } | Event::Fence { .. } => {
            (MarkKind::Checked, None)
        }
        Event::Started { .. } => (MarkKind::Started, ledger),
        Event::Called { .. } => (MarkKind::Called, lanes.vendor()),
        Event::Answer { status, how, .. } => (answer(status, how, next)?, lanes.vendor()),
        Event::NoAnswer(_) => (MarkKind::ReplyLost, lanes.vendor()),
        Event::Beat { outcome: ExtendOutcome::Until(_), .. } => (MarkKind::Heartbeat, None),
        Event::Beat { .. } => (MarkKind::HeartbeatRefused, None),
        Event::GaveBack { .. } | Event::SentAgain(_) => (MarkKind::GaveBack, Some(0)),
        _ => return None,
    };
    Some((kind, lane, to))
}

/// An answer that is news: a payment has left its own mark at the vendor.
fn answer(status: u16, how: Answered, next: Option<&Event>) -> Option<MarkKind> {
    if is_success(status) {
        return (how == Answered::Replayed).then_some(MarkKind::Replayed);
    }
    // A conflict means "in progress", unless the worker takes it for final.
    let conflict = status == IN_PROGRESS && !matches!(next, Some(Event::Failed { .. }));
    Some(if conflict || is_retried(status) { MarkKind::Unavailable } else { MarkKind::Declined })
}
