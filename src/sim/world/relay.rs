//! The outbox and its relays.

use super::World;
use super::calls::{Answer, Waiter};
use super::pending::go;
use super::timers::Timer;
use crate::model::key::{IdempotencyKey, Minted};
use crate::model::outbox::{OutboxRow, RelayState, RelayStep};
use crate::model::vendor::{Request, is_success};
use crate::random::{Address, Purpose};
use crate::sim::choice::{Choice, Choices, Class, Pending};
use crate::sim::event::{Answered, Attempt, Event, Listener};
use crate::sim::fault::{Point, Site, Verdict};
use crate::units::{Moment, Span, WorkerId};

impl World {
    /// One transaction: the job row says "started", and the outbox has its row. A job that has
    /// been started gets no second one.
    #[cfg_attr(not(feature = "page"), inline(never))]
    pub(super) fn put_into_outbox(
        &mut self,
        by: Attempt,
        worker: WorkerId,
        sink: &mut Listener<'_>,
    ) {
        let Some(task) = self.task(worker) else { return };
        let refund = task.refund;
        let again = self.jobs[task.job.0].checkpoint > refund;
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
                last_wait: None,
            });
            self.jobs[task.job.0].save(refund);
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
    pub(super) fn read_row(&mut self, relay: u16, row: u32, sink: &mut Listener<'_>) {
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

    /// A relay's step takes effect, or something goes wrong instead.
    pub(super) fn relay_step(
        &mut self,
        relay: u16,
        verdict: Verdict,
        point: Option<Point>,
        sink: &mut Listener<'_>,
    ) {
        let (row, step) = match self.relays[usize::from(relay)] {
            RelayState::Busy { row, step, .. } => (row, Some(step)),
            RelayState::Waiting { row, .. } => (row, None),
            RelayState::Idle { .. } | RelayState::Down { .. } => return,
        };
        // A crash has its point.
        if let (Verdict::Crash, Some(point)) = (verdict, point) {
            self.crash_relay(relay, row, point, sink);
            return;
        }
        match step {
            Some(RelayStep::Publish) => self.publish(relay, row, verdict, sink),
            Some(step @ RelayStep::Mark) => {
                self.outbox[row].marked = true;
                let OutboxRow { job, refund, .. } = self.outbox[row];
                sink.event(self.now, Event::Relayed { relay, job, refund, step, known: false });
                self.go_on_relaying(relay, row, step);
            }
            None => self.not_published(relay, row, None, sink),
        }
    }

    fn crash_relay(&mut self, relay: u16, row: usize, point: Point, sink: &mut Listener<'_>) {
        let job = self.outbox[row].job;
        sink.event(self.now, Event::RelayCrashed { relay, job, point });
        if self.scenario.crew.restart == Span::ZERO {
            self.relay_back(relay, sink);
        } else {
            let until = self.now.after(self.scenario.crew.restart);
            self.relays[usize::from(relay)] = RelayState::Down { until };
            self.wait_other(until, Pending::RelayBack { relay });
        }
    }

    fn go_on_relaying(&mut self, relay: u16, row: usize, step: RelayStep) {
        match self.scenario.relays.order.next(step) {
            Some(next) => self.begin_relay(relay, row, next),
            None => self.relays[usize::from(relay)] = RelayState::Idle { since: self.now },
        }
    }

    /// Sends a row, as any client calls: the receiver may be down, full or slow.
    fn publish(&mut self, relay: u16, place: usize, verdict: Verdict, sink: &mut Listener<'_>) {
        self.outbox[place].sends += 1;
        let row = self.outbox[place];
        let minted = Minted::By(row.sends);
        let key = if self.scenario.relays.key_at_send {
            IdempotencyKey { minted, ..row.key }
        } else {
            row.key
        };
        self.jobs[row.job.0].ask(row.refund);
        let OutboxRow { job, refund, cents, sends, .. } = row;
        let request = Request { job, refund, account: self.account(job), key, cents };
        let time =
            self.scenario.spread(self.scenario.vendor.time, row_address(&row, Purpose::Service));
        let waiter = Waiter::Relay { relay, row: place, send: sends };
        match self.send(request, time, waiter, verdict, sink) {
            Some(answer) => self.published(relay, place, answer, sink),
            None => self.wait_for_receiver(relay, place, waiter, sink),
        }
    }

    /// The relay waits: for the answer, or until it gives up on it.
    fn wait_for_receiver(
        &mut self,
        relay: u16,
        row: usize,
        waiter: Waiter,
        sink: &mut Listener<'_>,
    ) {
        let timeout = self.scenario.client.timeout;
        if timeout == Span::ZERO && !self.is_answered(waiter) {
            self.not_published(relay, row, None, sink);
            return;
        }
        let due = if timeout == Span::ZERO { Moment::MAX } else { self.now.after(timeout) };
        let (since, send) = (self.now, self.outbox[row].sends);
        self.relays[usize::from(relay)] = RelayState::Waiting { row, send, since, due };
        self.wait_other(due, Pending::Relay { relay });
        self.note_relay_begun(relay);
    }

    pub(super) fn stop_relay_timer(&mut self, relay: u16) {
        self.others.cancel(Pending::Relay { relay });
    }

    /// The receiver of a row has answered.
    pub(super) fn published(
        &mut self,
        relay: u16,
        row: usize,
        answer: Answer,
        sink: &mut Listener<'_>,
    ) {
        let OutboxRow { job, refund, .. } = self.outbox[row];
        if is_success(answer.status) {
            let known = answer.how == Answered::Replayed;
            let step = RelayStep::Publish;
            sink.event(self.now, Event::Relayed { relay, job, refund, step, known });
            self.go_on_relaying(relay, row, step);
        } else {
            self.jobs[job.0].refuse(refund, answer.is_permanent());
            self.not_published(relay, row, Some(answer.status), sink);
        }
    }

    /// The relay leaves the row as it is: one that is not marked will be read again, for there is
    /// nowhere else to put it; one that was marked first will not.
    pub(super) fn not_published(
        &mut self,
        relay: u16,
        row: usize,
        status: Option<u16>,
        sink: &mut Listener<'_>,
    ) {
        let scenario = &self.scenario;
        let sent = &mut self.outbox[row];
        let (attempt, at) = (sent.sends - 1, row_address(sent, Purpose::Backoff));
        let wait = scenario.backoff.delay(attempt, sent.last_wait, &scenario.draws, at);
        sent.last_wait = Some(wait);
        sent.since = self.now.after(wait);
        sink.event(self.now, Event::NotPublished { relay, job: sent.job, status });
        self.relays[usize::from(relay)] = RelayState::Idle { since: self.now };
    }

    pub(super) fn relay_back(&mut self, relay: u16, sink: &mut Listener<'_>) {
        self.relays[usize::from(relay)] = RelayState::Idle { since: self.now };
        sink.event(self.now, Event::RelayBack { relay });
    }

    /// The site between two steps at which a relay stands. The attempts of a row are its
    /// readings.
    pub(super) fn relay_site(&self, relay: u16) -> Option<Site> {
        let (row, point) = match *self.relays.get(usize::from(relay))? {
            RelayState::Busy { row, step, .. } if step == self.scenario.relays.order.first() => {
                (row, Point::RelayBefore)
            }
            RelayState::Busy { row, .. } => (row, Point::RelayBetween),
            RelayState::Waiting { row, .. } => (row, Point::DuringCall),
            RelayState::Idle { .. } | RelayState::Down { .. } => return None,
        };
        Some(self.site_of_row(relay, row, point))
    }

    /// The site of a relay's call, if that is its step.
    pub(super) fn publish_site(&self, relay: u16) -> Option<Site> {
        match *self.relays.get(usize::from(relay))? {
            RelayState::Busy { row, step: RelayStep::Publish, .. } => {
                Some(self.site_of_row(relay, row, Point::Call))
            }
            _ => None,
        }
    }

    fn site_of_row(&self, relay: u16, row: usize, point: Point) -> Site {
        let row = &self.outbox[row];
        let attempt = row.reads.saturating_sub(1);
        let (refund, retry) = (row.refund, u32::from(relay));
        Site { job: row.job, message: 0, attempt, refund, retry, point }
    }

    /// Since when a relay has been at what it does, if it is at something.
    pub(super) fn relay_since(&self, relay: u16) -> Option<Moment> {
        match self.relays[usize::from(relay)] {
            RelayState::Busy { since, .. } | RelayState::Waiting { since, .. } => Some(since),
            RelayState::Idle { .. } | RelayState::Down { .. } => None,
        }
    }

    /// What may go wrong with a relay's step.
    pub(super) fn relay_choices(&self, relay: u16, timer: &Timer, out: &mut Choices) {
        if let (Some(site), Some(since)) = (self.relay_site(relay), self.relay_since(relay)) {
            out.push(Choice {
                verdict: Verdict::Crash,
                point: Some(site.point),
                ..go(timer.pending, since, Class::Crash, timer.sequence)
            });
        }
        let Some(site) = self.publish_site(relay) else { return };
        let mut fault = |verdict| {
            let choice = go(timer.pending, timer.due, timer.class, timer.sequence);
            out.push(Choice { verdict, point: Some(site.point), ..choice });
        };
        fault(Verdict::Lost);
        let ruled = self.scenario.verdict(&site);
        if matches!(ruled, Verdict::Answer(_) | Verdict::Late(_)) {
            fault(ruled);
        }
    }
}

/// The address of a draw about a sending of a row.
fn row_address(row: &OutboxRow, purpose: Purpose) -> Address {
    Address {
        job: row.job.0,
        attempt: row.sends.saturating_sub(1),
        retry: u32::from(row.refund),
        point: Point::RelayBefore as u32,
        ..Address::new(purpose)
    }
}
