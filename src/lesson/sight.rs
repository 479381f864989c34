//! What a worker can see at a moment, and what it has no trace of: the whole of the lesson.
//!
//! A worker has its message, its receipt, and the answers that it got. What another attempt of the
//! same job has done it learns only from a checkpoint, a guard that finds the row, or a vendor
//! that knows the key; and what its own call has done, from the answer alone.

use super::session::Session;
use crate::json::data;
use crate::model::ledger::{Claimed, Guard};
use crate::model::queue::ExtendOutcome;
use crate::model::vendor::is_success;
use crate::sim::event::{Answered, Attempt, Event};
use crate::sim::progress::{Doing, Progress};
use crate::sim::trace::Entry;
use crate::units::{Moment, WorkerId};

/// How many unseen deeds are listed at most: the newest.
const MOST_DEEDS: usize = 50;

data! {
    /// What a worker can see. All but the first two are null unless it is busy.
    #[derive(Default)]
    pub struct Sight {
        /// The worker, by letter.
        pub worker: String,
        /// `idle`, `busy`, `down` once killed, or `stopped` for a new version.
        pub state: &'static str,
        /// The job that its message asks for.
        pub job_id: Option<String>,
        /// The attempt, from 0: how often the job was delivered before.
        pub attempt: Option<u32>,
        /// The receipt's number.
        pub receipt: Option<u32>,
        /// The end of its lease as far as it knows, in microseconds.
        pub lease_until_us: Option<u64>,
        /// The idempotency key that it uses.
        pub key: Option<String>,
        /// `found` if it came upon a checkpoint, `saved` if it has saved one; else null.
        pub checkpoint: Option<&'static str>,
        /// What its guard came upon: `nothing`, `row`, `claim` or `payment`; null if it has not
        /// looked.
        pub guard_saw: Option<&'static str>,
        /// The status of the vendor's answer; null while there is none.
        pub vendor_said: Option<u16>,
        /// What has been done for the job that it has no trace of.
        pub unseen: Vec<Unseen>,
    }
}

data! {
    /// Something that another attempt of the same job has done, or a call or an ack of its own
    /// that it has heard nothing of.
    #[derive(Clone, PartialEq, Eq)]
    pub struct Unseen {
        /// Its worker, by letter.
        pub worker: String,
        /// The attempt, from 0.
        pub attempt: u32,
        /// The position of the event in the run.
        pub event: u32,
        /// `wrote` a row, `paid` at the vendor, `ack-lost`, or still `working`.
        pub what: &'static str,
        /// The row of the ledger or of the vendor's, from 1; null where there is none.
        pub row: Option<u32>,
    }
}

/// Something that an attempt has done to the world.
#[derive(Clone, Copy)]
struct Deed {
    by: Attempt,
    event: u32,
    what: &'static str,
    row: Option<u32>,
    seen: bool,
}

/// What is read off the events of one job.
struct Reader {
    me: Attempt,
    sight: Sight,
    /// In the order of their events.
    deeds: Vec<Deed>,
    /// The calls that the vendor has not paid or refused.
    calls: Vec<Attempt>,
    /// Who has put the row into the outbox.
    started: Option<Attempt>,
    /// Who has saved the newest checkpoint, and with which event.
    saved: Option<(Attempt, u32)>,
}

impl Sight {
    /// What `worker` can see after the run's first `cursor` events.
    #[must_use]
    pub fn new(session: &Session, cursor: usize, worker: WorkerId) -> Self {
        let entries = &session.run().trace.entries()[..cursor];
        let progress = session.progress(cursor);
        let state = match progress.of(worker) {
            Doing::Idle => "idle",
            Doing::Down => "down",
            Doing::Stopped => "stopped",
            Doing::Busy { .. } => "busy",
        };
        let free = Self { worker: worker.to_string(), state, ..Self::default() };
        let Doing::Busy { by, .. } = progress.of(worker) else { return free };
        let mut reader = Reader {
            me: by,
            sight: Self::default(),
            deeds: Vec::new(),
            calls: Vec::new(),
            started: None,
            saved: None,
        };
        for (event, entry) in (0..).zip(entries) {
            reader.take(session, event, entry);
        }
        let sight = std::mem::take(&mut reader.sight);
        Self {
            job_id: Some(session.scenario().job_id(by.job)),
            attempt: Some(by.attempt),
            key: Some(session.scenario().key_text(by.key)),
            unseen: reader.unseen(&progress),
            worker: free.worker,
            state,
            ..sight
        }
    }
}

impl Reader {
    fn take(&mut self, session: &Session, event: u32, entry: &Entry) {
        // What the vendor did with a call: it has paid, or it had no need to.
        let done = match entry.event {
            Event::Paid { job, key, payment, .. } => Some((job, key, Some(payment))),
            Event::ReplyLost { job, key, how, .. } if how != Answered::Ran => {
                Some((job, key, None))
            }
            _ => None,
        };
        if let Some((job, key, payment)) = done {
            if job == self.me.job {
                let call = self.calls.iter().position(|call| call.key == key);
                let by = call.map(|place| self.calls.remove(place)).or(self.started);
                if let Some(by) = by.filter(|_| payment.is_some()) {
                    self.note(by, event, "paid", payment);
                }
            }
            return;
        }
        let Some(by) = entry.event.by().filter(|by| by.job == self.me.job) else { return };
        let own = is_same(by, self.me);
        if own {
            self.learn(session, entry);
        }
        match entry.event {
            // Its own work and its own row it has seen.
            Event::Leased { .. } if !own => self.note(by, event, "working", None),
            Event::Wrote { row, .. } if !own => self.note(by, event, "wrote", Some(row)),
            Event::AckLost(_) => self.note(by, event, "ack-lost", None),
            Event::Checkpointed(_) => self.saved = Some((by, event)),
            Event::Started { again: false, .. } => {
                (self.started, self.saved) = (Some(by), Some((by, event)));
            }
            Event::Called { .. } => self.calls.push(by),
            Event::Answer { status, how, .. } if how != Answered::Ran || !is_success(status) => {
                if let Some(place) = self.calls.iter().rposition(|call| is_same(*call, by)) {
                    self.calls.remove(place);
                }
            }
            _ => {}
        }
    }

    /// The worker itself learns something.
    fn learn(&mut self, session: &Session, entry: &Entry) {
        let scenario = session.scenario();
        let sight = &mut self.sight;
        let until = |moment: Moment| Some(moment.as_micros());
        match entry.event {
            Event::Leased { receipt, deadline, .. } => {
                *sight = Sight {
                    receipt: Some(receipt.0),
                    lease_until_us: until(deadline),
                    ..Sight::default()
                };
            }
            Event::Resumed { .. } | Event::Minted { .. } | Event::Started { again: true, .. } => {
                self.find_checkpoint();
            }
            Event::Checkpointed(_) | Event::Started { again: false, .. } => {
                sight.checkpoint = Some("saved");
            }
            Event::Checked { found: false, .. } => sight.guard_saw = Some("nothing"),
            Event::Checked { by, .. } => {
                let asked = scenario.guard == Guard::AskTheVendor;
                sight.guard_saw = Some(if asked { "payment" } else { "row" });
                self.find(if asked { "paid" } else { "wrote" }, by, None);
            }
            Event::AlreadyWritten { by, row } => {
                sight.guard_saw = Some("row");
                self.find("wrote", by, Some(row));
            }
            Event::Wrote { .. } if scenario.guard == Guard::AtomicInsert => {
                sight.guard_saw = Some("nothing");
            }
            Event::Began(_) if scenario.broker.lease_from_start => {
                sight.lease_until_us = until(entry.at.after(scenario.broker.visibility_timeout));
            }
            Event::Beat { outcome: ExtendOutcome::Until(deadline), .. } => {
                sight.lease_until_us = until(deadline);
            }
            Event::Claim { by, outcome } => {
                let row = outcome == Claimed::Done && self.find("wrote", by, None);
                self.sight.guard_saw = Some(match outcome {
                    Claimed::New(_) => "nothing",
                    _ if row => "row",
                    _ => "claim",
                });
            }
            Event::Called { .. } => sight.vendor_said = None,
            Event::Answer { by, status, how } => {
                sight.vendor_said = Some(status);
                if !is_success(status) {
                    return;
                }
                if how == Answered::Replayed {
                    self.find("paid", by, None);
                } else if let Some(newest) = self.deeds.last_mut() {
                    newest.seen |= is_same(by, newest.by);
                }
            }
            _ => {}
        }
    }

    /// Whoever finds a checkpoint knows what the attempt that saved it had done by then: one that
    /// was saved before the effect says nothing of the effect.
    fn find_checkpoint(&mut self) {
        self.sight.checkpoint = Some("found");
        if let Some((by, event)) = self.saved {
            self.see_until(by, event);
        }
    }

    /// The worker finds a row of this refund, or hears of a payment under this key. Says whether it
    /// is one that it did not know of.
    fn find(&mut self, what: &'static str, by: Attempt, row: Option<u32>) -> bool {
        let may_be = |deed: &&Deed| {
            let same_key = deed.by.key == by.key;
            let same_refund = deed.by.refund == by.refund;
            let same = if what == "wrote" { same_refund } else { same_key };
            deed.what == what && !deed.seen && same && (row.is_none() || deed.row == row)
        };
        let Some(&Deed { by, event, .. }) = self.deeds.iter().find(may_be) else { return false };
        self.see_until(by, event);
        true
    }

    /// What an attempt had done by an event is known; that an ack was lost nobody can tell.
    fn see_until(&mut self, by: Attempt, event: u32) {
        for deed in &mut self.deeds {
            deed.seen |= deed.row.is_some() && deed.event <= event && is_same(by, deed.by);
        }
    }

    fn note(&mut self, by: Attempt, event: u32, what: &'static str, row: Option<u32>) {
        self.deeds.push(Deed { by, event, what, row, seen: false });
    }

    fn unseen(mut self, progress: &Progress) -> Vec<Unseen> {
        for deed in self.deeds.iter_mut().filter(|deed| deed.what == "working") {
            let doing = progress.of(deed.by.worker);
            deed.seen = !matches!(doing, Doing::Busy { by, .. } if is_same(by, deed.by));
        }
        self.deeds.retain(|deed| !deed.seen);
        let newest = self.deeds.len().saturating_sub(MOST_DEEDS);
        let unseen = self.deeds[newest..].iter().map(|deed| Unseen {
            worker: deed.by.worker.to_string(),
            attempt: deed.by.attempt,
            event: deed.event,
            what: deed.what,
            row: deed.row,
        });
        unseen.collect()
    }
}

/// Whether two events are of one attempt; its key may change on the way.
fn is_same(by: Attempt, other: Attempt) -> bool {
    (by.worker, by.job, by.copy, by.attempt) == (other.worker, other.job, other.copy, other.attempt)
}
