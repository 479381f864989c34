//! The outbox and its relays.

use super::World;
use super::calendar::Timer;
use super::pending::go;
use crate::model::key::{IdempotencyKey, Minted};
use crate::model::outbox::{OutboxRow, RelayState, RelayStep};
use crate::model::vendor::Request;
use crate::model::worker::Task;
use crate::sim::choice::{Choice, Choices, Class, Pending};
use crate::sim::event::{Attempt, Event, Sink};
use crate::sim::fault::{Point, Site, Verdict};
use crate::units::Span;

impl World {
    /// One transaction: the job row says "started", and the outbox has its row. A job that has
    /// been started gets no second one.
    pub(super) fn put_into_outbox(&mut self, by: Attempt, task: &Task, sink: &mut dyn Sink) {
        let refund = self.refund_at(task);
        let again = self.jobs[task.job.0 as usize].checkpoint > refund;
        if !again {
            self.outbox.push(OutboxRow {
                job: task.job,
                key: task.key,
                cents: task.cents,
                refund,
                since: self.now,
                reads: 0,
                marked: false,
                sends: 0,
            });
            self.jobs[task.job.0 as usize].save(refund);
        }
        sink.event(self.now, Event::Started { by, again });
    }

    /// Every idle relay and every row that is not marked.
    pub(super) fn reads(&self, out: &mut Choices) {
        let first = out.len();
        for (row, place) in self.outbox.iter().zip(0..).filter(|(row, _)| !row.marked) {
            for (relay, state) in (0..).zip(&self.relays) {
                let RelayState::Idle { since } = *state else { continue };
                let pending = Pending::Read { relay, row: place };
                out.push(go(pending, since.max(row.since), Class::Receive, 0));
            }
        }
        for (place, choice) in (0..).zip(&mut out[first..]) {
            choice.sequence = place;
        }
    }

    /// The first of [`World::reads`]: the same order, without the list.
    pub(super) fn first_read(&self) -> Option<Choice> {
        if self.relays.is_empty() {
            return None;
        }
        let mut reads = Choices::new();
        self.reads(&mut reads);
        reads.into_iter().min_by_key(Choice::order)
    }

    /// A relay reads a row that nobody has marked. It takes no lease on it.
    pub(super) fn read_row(&mut self, relay: u16, row: u32, sink: &mut dyn Sink) {
        let place = row as usize;
        self.outbox[place].reads += 1;
        let job = self.outbox[place].job;
        sink.event(self.now, Event::RelayRead { relay, job });
        self.begin_relay(relay, place, self.scenario.relays.order.first());
    }

    fn begin_relay(&mut self, relay: u16, row: usize, step: RelayStep) {
        let (since, due) = (self.now, self.now.after(self.scenario.relays.time));
        self.relays[usize::from(relay)] = RelayState::Busy { row, step, since, due };
        self.wait_other(due, Pending::Relay { relay });
        self.note_relay_begun(relay);
    }

    /// A relay's step takes effect, or the relay dies.
    pub(super) fn relay_step(
        &mut self,
        relay: u16,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut dyn Sink,
    ) {
        let RelayState::Busy { row, step, .. } = self.relays[usize::from(relay)] else { return };
        let job = self.outbox[row].job;
        if verdict == Verdict::Crash {
            let point = point.expect("a crash has its point");
            sink.event(self.now, Event::RelayCrashed { relay, job, point });
            if self.scenario.crew.restart == Span::ZERO {
                self.relay_back(relay, sink);
            } else {
                let until = self.now.after(self.scenario.crew.restart);
                self.relays[usize::from(relay)] = RelayState::Down { until };
                self.wait_other(until, Pending::RelayBack { relay });
            }
            return;
        }
        let known = match step {
            RelayStep::Publish => self.publish(row, sink),
            RelayStep::Mark => {
                self.outbox[row].marked = true;
                false
            }
        };
        sink.event(self.now, Event::Relayed { relay, job, step, known });
        match self.scenario.relays.order.next(step) {
            Some(next) => self.begin_relay(relay, row, next),
            None => self.relays[usize::from(relay)] = RelayState::Idle { since: self.now },
        }
    }

    /// Sends a row. Returns whether who gets it knew it already.
    fn publish(&mut self, place: usize, sink: &mut dyn Sink) -> bool {
        self.outbox[place].sends += 1;
        let row = self.outbox[place];
        if row.sends > 1 && self.scenario.relays.dedup {
            return true;
        }
        let minted = Minted::By(row.sends);
        let key = if self.scenario.relays.key_at_send {
            IdempotencyKey { minted, ..row.key }
        } else {
            row.key
        };
        let account = row.job.0 % self.scenario.workload.accounts;
        let OutboxRow { job, refund, cents, .. } = row;
        self.publish_to_vendor(&Request { job, refund, account, key, cents }, sink)
    }

    pub(super) fn relay_back(&mut self, relay: u16, sink: &mut dyn Sink) {
        self.relays[usize::from(relay)] = RelayState::Idle { since: self.now };
        sink.event(self.now, Event::RelayBack { relay });
    }

    /// The site at which a relay stands. The attempts of a row are its readings.
    pub(super) fn relay_site(&self, relay: u16) -> Option<Site> {
        let RelayState::Busy { row, step, .. } = *self.relays.get(usize::from(relay))? else {
            return None;
        };
        let first = step == self.scenario.relays.order.first();
        let row = &self.outbox[row];
        Some(Site {
            job: row.job,
            message: 0,
            attempt: row.reads.saturating_sub(1),
            retry: u32::from(relay),
            point: if first { Point::RelayBefore } else { Point::RelayBetween },
        })
    }

    /// What may go wrong with a relay's step.
    pub(super) fn relay_choices(&self, relay: u16, timer: &Timer, out: &mut Choices) {
        let Some(site) = self.relay_site(relay) else { return };
        let RelayState::Busy { since, .. } = self.relays[usize::from(relay)] else { return };
        out.push(Choice {
            verdict: Verdict::Crash,
            point: Some(site.point),
            ..go(timer.pending, since, Class::Crash, timer.sequence)
        });
    }
}
