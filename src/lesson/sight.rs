//! What a worker can see at a moment, and what it has no trace of: the whole of the lesson.
//!
//! A worker has its message, its receipt, and the answers that it got. What another attempt of the
//! same job has done it learns only from a checkpoint, a guard that finds the row, or a vendor
//! that knows the key.

use super::session::Session;
use crate::json::data;
use crate::model::ledger::{Claimed, Guard};
use crate::model::queue::ExtendOutcome;
use crate::model::vendor::is_success;
use crate::sim::event::{Answered, Attempt, Event};
use crate::sim::progress::{Doing, Progress};
use crate::sim::trace::Entry;
use crate::units::{Moment, WorkerId};

/// How many deeds of others are listed at most: the newest.
const MOST_DEEDS: usize = 50;

data! {
    /// What a worker can see. All but the first two are null unless it is busy.
    #[derive(Default)]
    pub struct Sight {
        /// The worker, by letter.
        pub worker: String,
        /// `idle`, `busy` or `down`.
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
        /// What its guard came upon: `nothing`, `row` or `claim`; null if it has not looked.
        pub guard_saw: Option<&'static str>,
        /// The status of the vendor's answer; null while there is none.
        pub vendor_said: Option<u16>,
        /// What other attempts of the job have done that it has no trace of.
        pub unseen: Vec<Unseen>,
    }
}

data! {
    /// Something that another attempt of the same job has done.
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
    /// Who has put the row into the outbox, and who has saved the newest checkpoint.
    started: Option<Attempt>,
    saved: Option<Attempt>,
    /// Where each other attempt began.
    leased: Vec<(Attempt, u32)>,
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
            leased: Vec::new(),
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
        if let Event::Paid { job, key, payment, .. } = entry.event {
            if job == self.me.job {
                let call = self.calls.iter().position(|call| call.key == key);
                let by = call.map(|place| self.calls.remove(place)).or(self.started);
                self.note(by, event, "paid", Some(payment));
            }
            return;
        }
        let Some(by) = entry.event.by().filter(|by| by.job == self.me.job) else { return };
        if is_same(by, self.me) {
            self.learn(session, entry);
        }
        match entry.event {
            Event::Leased { .. } => self.leased.push((by, event)),
            Event::Wrote { row, .. } => self.note(Some(by), event, "wrote", Some(row)),
            Event::AckLost(_) => self.note(Some(by), event, "ack-lost", None),
            Event::Checkpointed(_) => self.saved = Some(by),
            Event::Started { .. } => (self.started, self.saved) = (Some(by), Some(by)),
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
            Event::Resumed(_) => self.find_checkpoint(),
            Event::Checkpointed(_) => sight.checkpoint = Some("saved"),
            Event::Checked { found, .. } => {
                sight.guard_saw = Some(if found { "row" } else { "nothing" });
                if found {
                    self.see(|deed| deed.what == "wrote");
                }
            }
            Event::AlreadyWritten { row, .. } => {
                sight.guard_saw = Some("row");
                self.see(|deed| deed.what == "wrote" && deed.row == Some(row));
            }
            Event::Wrote { .. } if scenario.guard == Guard::AtomicInsert => {
                sight.guard_saw = Some("nothing");
            }
            Event::Minted(_) => self.find_checkpoint(),
            Event::Began(_) if scenario.broker.lease_from_start => {
                sight.lease_until_us = until(entry.at.after(scenario.broker.visibility_timeout));
            }
            Event::Beat { outcome: ExtendOutcome::Until(deadline), .. } => {
                sight.lease_until_us = until(deadline);
            }
            Event::Started { .. } => sight.checkpoint = Some("saved"),
            Event::Claim { outcome, .. } => {
                sight.guard_saw = Some(match outcome {
                    Claimed::New(_) => "nothing",
                    Claimed::Done => "row",
                    Claimed::InProgress => "claim",
                });
            }
            Event::Called { .. } => sight.vendor_said = None,
            Event::Answer { by, status, how } => {
                sight.vendor_said = Some(status);
                if how == Answered::Replayed && is_success(status) {
                    self.see(|deed| deed.what == "paid" && deed.by.key == by.key);
                }
            }
            _ => {}
        }
    }

    /// Whoever finds a checkpoint knows what the attempt has paid that saved it.
    fn find_checkpoint(&mut self) {
        self.sight.checkpoint = Some("found");
        let saved = self.saved;
        for deed in self.deeds.iter_mut().filter(|deed| deed.row.is_some()) {
            deed.seen |= saved.is_some_and(|by| is_same(by, deed.by));
        }
    }

    /// The first deed that this is about leaves a trace.
    fn see(&mut self, is_about: impl Fn(&Deed) -> bool) {
        if let Some(deed) = self.deeds.iter_mut().find(|deed| is_about(deed)) {
            deed.seen = true;
        }
    }

    fn note(&mut self, by: Option<Attempt>, event: u32, what: &'static str, row: Option<u32>) {
        if let Some(by) = by.filter(|by| !is_same(*by, self.me)) {
            let place = self.deeds.partition_point(|deed| deed.event <= event);
            self.deeds.insert(place, Deed { by, event, what, row, seen: false });
        }
    }

    fn unseen(mut self, progress: &Progress) -> Vec<Unseen> {
        for doing in progress.workers() {
            let Doing::Busy { by, .. } = *doing else { continue };
            let began = self.leased.iter().rfind(|(other, _)| is_same(*other, by));
            let Some((_, event)) = began.filter(|_| !is_same(by, self.me)) else { continue };
            let place = self.deeds.partition_point(|deed| deed.event < *event);
            let working = Deed { by, event: *event, what: "working", row: None, seen: false };
            self.deeds.insert(place, working);
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
