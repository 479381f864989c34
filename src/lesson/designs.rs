//! Designs by name: those that fail in the world, with what the explorer finds in them, and those
//! that hold.

use super::experiments::Given;
use crate::sim::explore::{Bounds, Goal};
use crate::sim::property::Property;
use crate::sim::scenario::Scenario;
use crate::sim::settings::{Refusal, Settings};

/// What a design does wrong, and the length of the shortest run that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// Somebody is paid twice, after so many steps.
    PaysTwice(usize),
    /// A job is lost, after so many steps.
    Loses(usize),
    /// From the state after so many steps, nothing finishes.
    Hangs(usize),
}

/// A design.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// Its name.
    pub id: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it differs from the common ground of all designs.
    pub given: Given,
    /// How many keys or windows the search may end.
    pub forgets: u32,
    /// Whether the design fails without a crash, and without a lease that ends under a living
    /// worker: the search is then to do without both.
    pub calm: bool,
    /// What the search finds; nothing for a design that holds.
    pub fails: &'static [Fails],
}

/// The common ground: one job, two workers, three attempts, no lengths, a vendor that answers at
/// once and knows keys.
const GROUND: Given = &[
    ("workers.count", "2"),
    ("workers.restart", "0s"),
    ("queue.max_attempts", "3"),
    ("slice.think", "0s"),
    ("vendor.time", "0s"),
    ("relay.time", "0s"),
    ("effect", "vendor"),
    ("guard", "off"),
    ("key", "none"),
    ("checkpoint", "none"),
];

macro_rules! designs {
    ($($id:literal, $about:literal, [$(($path:literal, $text:literal)),*], $forgets:literal, $calm:literal, [$($fails:expr),*];)+) => {
        /// Every design, the wrong ones first.
        pub static DESIGNS: &[Design] = &[$(Design {
            id: $id,
            about: $about,
            given: &[$(($path, $text)),*],
            forgets: $forgets,
            calm: $calm,
            fails: &[$($fails),*],
        }),+];
    };
}

use Fails::{Hangs, Loses, PaysTwice};

designs! {
    "pay-then-ack", "pay, then ack, no key", [], 0, false, [PaysTwice(5)];
    "ack-first", "ack before the work", [("queue.ack", "before"), ("queue.late_ack", "refuse")], 0, false, [Loses(3)];
    "checkpoint-first", "checkpoint before the effect, skip if it is there",
        [("checkpoint", "before-skip")], 0, false, [Loses(6)];
    "checkpoint-after", "checkpoint after the effect, no key", [("checkpoint", "after")], 0, false, [PaysTwice(5)];
    "key-per-attempt", "a key minted for each attempt", [("key", "per-attempt")], 0, false, [PaysTwice(5)];
    "row-after-call", "look for a local row, call, write the row; no vendor key",
        [("guard", "check-then-insert"), ("guard.at", "call")], 0, false, [PaysTwice(7)];
    "open-transaction", "one transaction across the call; its commit is the row",
        [("guard", "check-then-insert"), ("guard.at", "call"), ("transaction", "on")], 0, false, [PaysTwice(9)];
    "check-then-insert", "a local guard that looks, then pays and writes its row at once; two may look before either pays",
        [("effect", "ledger"), ("guard", "check-then-insert")], 0, false, [PaysTwice(7)];
    "insert-first", "a local guard that inserts before the call; no vendor key",
        [("guard", "on"), ("guard.at", "call"), ("guard.claim", "done")], 0, false, [Loses(7)];
    "claim-is-done", "a claim in progress, treated as done",
        [("guard", "on"), ("guard.at", "call"), ("guard.claim", "in-progress-skip")], 0, false, [Loses(7)];
    "claim-for-ever", "a claim in progress that never ends; others give the message back",
        [("guard", "on"), ("guard.at", "call"), ("guard.claim", "in-progress-release"),
         ("queue.max_attempts", "4294967295")], 0, false, [Hangs(3)];
    "lease-check", "ask whether the lease is ours, then pay; no key", [("lease_check", "on")], 0, false, [PaysTwice(7)];
    "fencing-only", "a fenced resource, and an effect that appends", [("fencing", "write")], 0, false, [PaysTwice(5)];
    "fenced-ack-by-id", "a fenced resource with one key; a stale worker acks by message id",
        [("fencing", "start"), ("key", "stable"), ("queue.late_ack", "delete")], 0, false, [Loses(7)];
    "outbox-no-dedup", "outbox: publish, then mark; two relays, nobody knows the rows it has had",
        [("effect", "outbox"), ("relay.count", "2"), ("relay.dedup", "off")], 0, false, [PaysTwice(6)];
    "mark-then-publish", "outbox: mark, then publish",
        [("effect", "outbox"), ("relay.count", "2"), ("relay.dedup", "off"), ("relay.order", "mark-then-publish")],
        0, false, [PaysTwice(8), Loses(6)];
    "key-forgotten", "a stable key that the vendor forgets before the last retry",
        [("key", "stable"), ("guard", "on")], 1, false, [PaysTwice(6)];
    "dedup-window", "the id of a message is known for a while; the producer sends again later",
        [("queue.dedup_window", "5m"), ("job.resends", "1h")], 1, true, [PaysTwice(6)];
    "counter-reset", "a job that always fails, sent again as a new message",
        [("faults", "*:answer-503"), ("retry.how", "resend")], 0, true, [Hangs(0)];
    "vendor-key", "RIGHT: a vendor key for each step of a job, the row after, the ack last",
        [("key", "stable"), ("guard", "on")], 0, false, [];
    "fenced-with-key", "RIGHT: a fenced resource, ack by receipt, one key",
        [("fencing", "start"), ("key", "stable"), ("guard", "on"), ("queue.late_ack", "refuse")], 0, false, [];
    "outbox", "RIGHT: an outbox, publish, then mark, and whoever gets a row knows those it has had, without a key",
        [("effect", "outbox"), ("relay.count", "2")], 0, false, [];
}

impl Design {
    /// The design with this name.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that lists the names there are.
    pub fn find(id: &str) -> Result<&'static Self, Refusal> {
        DESIGNS.iter().find(|design| design.id == id).ok_or_else(|| {
            let ids: Vec<&str> = DESIGNS.iter().map(|design| design.id).collect();
            Refusal::new("design", id, ids.join(", "), "")
        })
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.give(GROUND);
        settings.give(self.given);
        settings
    }

    /// Its scenario.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        Scenario::new(&self.settings())
    }

    /// The bounds within which its lengths are the shortest, with any timing.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let calm = Bounds { crashes: 0, expiries: Some(0), ..Bounds::default() };
        let bounds = if self.calm { calm } else { Bounds::default() };
        Bounds { forgets: Some(self.forgets), ..bounds }
    }
}

impl Fails {
    /// What the search is to look for.
    #[must_use]
    pub fn goal(self) -> Goal {
        match self {
            PaysTwice(_) => Goal::Breaks(Property::PaidOnce),
            Loses(_) => Goal::Breaks(Property::NotLost),
            Hangs(_) => Goal::Stuck,
        }
    }

    /// How many steps the shortest run to it has.
    #[must_use]
    pub fn steps(self) -> usize {
        match self {
            PaysTwice(steps) | Loses(steps) | Hangs(steps) => steps,
        }
    }
}
