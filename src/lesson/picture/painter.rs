//! Goes through a run once and draws it.

use super::queue::{Message, Place, Queue};
use super::{Bar, BarKind, Lanes, Lease, Mark, MarkKind, Picture, marks};
use crate::WHOLE;
use crate::model::queue::{AckOutcome, ExtendOutcome};
use crate::model::worker::Step;
use crate::sim::event::{Attempt, Event};
use crate::sim::progress::{Doing, Progress};
use crate::sim::scenario::Scenario;
use crate::sim::trace::Entry;
use crate::units::{JobIndex, Moment, Span, WorkerId};

/// Draws everything but the axis.
pub(super) fn paint(entries: &[Entry], scenario: &Scenario) -> Picture {
    let workers = usize::from(scenario.crew.count);
    let mut painter = Painter {
        scenario,
        lanes: Lanes::new(scenario),
        picture: Picture::default(),
        progress: Progress::new(scenario),
        queue: Queue::default(),
        segments: vec![None; workers],
        holds: vec![Vec::new(); workers],
        at: Moment::ZERO,
        event: 0,
    };
    for (event, (place, entry)) in (0..).zip(entries.iter().enumerate()) {
        (painter.at, painter.event) = (entry.at, event);
        let next = entries.get(place + 1).filter(|next| next.step == entry.step);
        painter.paint(&entry.event, next.map(|next| &next.event));
    }
    painter.close_all();
    let Queue { leases, changes, .. } = painter.queue;
    Picture { leases, depth: changes, ..painter.picture }
}

/// What a worker has under way.
#[derive(Clone, Copy)]
struct Segment {
    by: Attempt,
    kind: BarKind,
    start: Moment,
    late: bool,
}

struct Painter<'a> {
    scenario: &'a Scenario,
    lanes: Lanes,
    picture: Picture,
    progress: Progress,
    queue: Queue,
    segments: Vec<Option<Segment>>,
    /// The messages that each worker has a lease on.
    holds: Vec<Vec<(JobIndex, u32)>>,
    at: Moment,
    event: u32,
}

impl Painter<'_> {
    /// Draws an event; `next` is what the same step says after it.
    fn paint(&mut self, event: &Event, next: Option<&Event>) {
        if let Some((sign, job)) = marks::of_others(event, self.lanes) {
            self.mark(sign, job, None);
        }
        self.paint_queue(event, next);
        let Some(by) = event.by() else {
            self.progress.take(self.scenario, event);
            return;
        };
        let before = self.progress.of(by.worker);
        self.progress.take(self.scenario, event);
        let after = self.progress.of(by.worker);
        let lane = Lanes::worker(by.worker);
        if let Some(sign) = marks::of_worker(event, next, lane, self.lanes) {
            self.mark(sign, Some(by.job), Some(by.attempt));
        }
        if before != after {
            self.change(by, event, after);
        }
    }

    /// Where an event leaves the messages.
    fn paint_queue(&mut self, event: &Event, next: Option<&Event>) {
        match *event {
            Event::Sent { job, copy } => self.queue.send(job, copy, self.at, self.event),
            Event::Leased { by, receipt, deadline } => self.lease(by, receipt.0, deadline),
            Event::Acked { by, outcome: AckOutcome::Deleted | AckOutcome::LateDeleted } => {
                self.go(by.job, by.copy, Place::Done);
            }
            Event::Expired { job, copy, wait, .. } => self.expire(job, copy, wait),
            Event::Returned { job } => {
                if let Some(place) = self.queue.find_waiting(job) {
                    self.move_to(place, Place::Ready);
                }
            }
            Event::Dead { job, copy, .. } => self.go(job, copy, Place::Dead),
            Event::Crashed { by, .. } => self.leave_alone(by.worker),
            // The last attempt's message is not visible on its way to the dead letters.
            Event::GaveBack { by, wait: Some(wait) } if !matches!(next, Some(Event::Dead { job, .. }) if *job == by.job) =>
            {
                self.go(by.job, by.copy, self.after(Some(wait)));
            }
            Event::Beat { by, outcome: ExtendOutcome::Until(deadline) } => {
                self.extend(by, deadline);
            }
            _ if !WHOLE => {}
            Event::Began(by) => self.begin_held(by),
            Event::Deployed { drains: true, worker } => self.let_go_of_held(worker),
            _ => {}
        }
    }

    fn lease(&mut self, by: Attempt, receipt: u32, deadline: Moment) {
        let Some(place) = self.queue.find(by.job, by.copy) else { return };
        self.move_to(place, Place::Leased);
        let begun = self.progress.of(by.worker) == Doing::Idle;
        let lease = Lease {
            lane: Lanes::worker(by.worker),
            job: by.job,
            attempt: by.attempt,
            from: self.at,
            deadline,
            ended: self.at,
            receipt,
            event_from: self.event,
            event_to: None,
        };
        self.queue.leases.push(lease);
        let newest = self.queue.leases.len() - 1;
        let message = self.queue.at(place);
        (message.lease, message.attempt, message.begun) = (newest, by.attempt, begun);
        self.holds[usize::from(by.worker.0)].push((by.job, by.copy));
    }

    /// A heartbeat moves the deadline; a late one that the queue takes begins a lease anew.
    fn extend(&mut self, by: Attempt, deadline: Moment) {
        let Some(place) = self.queue.find(by.job, by.copy) else { return };
        let Some(lease) = self.queue.lease_of(place) else { return };
        lease.deadline = deadline;
        let receipt = lease.receipt;
        if self.queue.at(place).place != Place::Leased {
            self.lease(by, receipt, deadline);
            self.queue.at(place).begun = true;
        }
    }

    fn begin_held(&mut self, by: Attempt) {
        let Some(place) = self.queue.find(by.job, by.copy) else { return };
        let message = *self.queue.at(place);
        if message.place == Place::Leased && message.attempt == by.attempt {
            self.queue.at(place).begun = true;
            self.restart_clock(place);
        }
    }

    /// Where a lease's clock starts with the work, this is when it does.
    fn restart_clock(&mut self, place: usize) {
        let deadline = self.at.after(self.scenario.broker.visibility_timeout);
        if self.scenario.broker.lease_from_start
            && let Some(lease) = self.queue.lease_of(place)
        {
            lease.deadline = deadline;
        }
    }

    /// The worker is dead: nobody works on what it has leased.
    fn leave_alone(&mut self, worker: WorkerId) {
        for (job, copy) in self.holds[usize::from(worker.0)].clone() {
            let Some(place) = self.queue.find(job, copy) else { continue };
            if WHOLE && !self.queue.at(place).begun {
                self.restart_clock(place);
            }
            self.queue.at(place).unattended.get_or_insert(self.at);
        }
    }

    /// Workers that are drained give back what they have not begun.
    fn let_go_of_held(&mut self, only: Option<WorkerId>) {
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            if WHOLE && only.is_some_and(|it| it != worker) {
                continue;
            }
            if !matches!(self.progress.of(worker), Doing::Busy { .. }) {
                continue;
            }
            for (job, copy) in self.holds[usize::from(worker.0)].clone() {
                let Some(place) = self.queue.find(job, copy) else { continue };
                let message = *self.queue.at(place);
                if !message.begun && message.unattended.is_none() {
                    self.move_to(place, Place::Ready);
                }
            }
        }
    }

    /// A lease is over: if its holder still works, what it does from here on is late.
    fn expire(&mut self, job: JobIndex, copy: u32, wait: Option<Span>) {
        let Some(place) = self.queue.find(job, copy) else { return };
        let attempt = self.queue.at(place).attempt;
        let lane = self.queue.lease_of(place).map_or(0, |lease| lease.lane);
        let to = self.after(wait);
        self.move_to(place, to);
        self.mark((MarkKind::Expired, lane, Some(0)), Some(job), Some(attempt));
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            let Some(segment) = self.segments[usize::from(worker.0)] else { continue };
            let by = segment.by;
            if (by.job, by.copy) == (job, copy) && !segment.late {
                self.close_segment(worker, false);
                self.segments[usize::from(worker.0)] =
                    Some(Segment { start: self.at, late: true, ..segment });
                let sign = (MarkKind::Stale, Lanes::worker(worker), None);
                self.mark(sign, Some(job), Some(by.attempt));
            }
        }
    }

    /// Where a message is after its lease, with this wait; none if it is given up.
    fn after(&self, wait: Option<Span>) -> Place {
        match wait {
            None => Place::Dead,
            Some(Span::ZERO) => Place::Ready,
            Some(wait) => Place::Waiting { until: self.at.after(wait) },
        }
    }

    fn go(&mut self, job: JobIndex, copy: u32, to: Place) {
        if let Some(place) = self.queue.find(job, copy) {
            self.move_to(place, to);
        }
    }

    /// A message goes somewhere else, and what it was drawn as until now ends.
    fn move_to(&mut self, place: usize, to: Place) {
        if self.queue.at(place).place != to {
            let before = self.queue.go(place, to, self.at, self.event);
            self.close_message(&before);
        }
    }

    fn close_message(&mut self, message: &Message) {
        let Message { job, copy, attempt, since, .. } = *message;
        let lane = self.queue.leases.get(message.lease).map_or(0, |lease| lease.lane);
        let (kind, lane, start) = match message.place {
            Place::Ready => (BarKind::Ready, 0, since),
            Place::Waiting { .. } => (BarKind::Backoff, 0, since),
            Place::Leased => {
                if let Some(holds) = self.holds.get_mut((lane as usize).wrapping_sub(1)) {
                    holds.retain(|held| *held != (job, copy));
                }
                let Some(start) = message.unattended else { return };
                (BarKind::Unattended, lane, start)
            }
            Place::Done | Place::Dead => return,
        };
        self.bar(Bar {
            lane,
            kind,
            start,
            end: self.at,
            job,
            attempt,
            event: self.event,
            late: false,
            cut: false,
        });
    }

    /// A worker does something else than before.
    fn change(&mut self, by: Attempt, event: &Event, after: Doing) {
        self.close_segment(by.worker, matches!(event, Event::Crashed { .. }));
        match after {
            Doing::Busy { by, step, stale, .. } => {
                self.segments[usize::from(by.worker.0)] =
                    Some(Segment { by, kind: bar_kind(step), start: self.at, late: stale });
            }
            Doing::Idle | Doing::Down | Doing::Stopped => {
                let Some(place) = self.queue.find(by.job, by.copy) else { return };
                let at = self.at;
                let message = self.queue.at(place);
                if message.place == Place::Leased && message.attempt == by.attempt {
                    message.unattended.get_or_insert(at);
                }
            }
        }
    }

    fn mark(&mut self, sign: marks::Sign, job: Option<JobIndex>, attempt: Option<u32>) {
        let (kind, lane, to_lane) = sign;
        let (at, event) = (self.at, self.event);
        self.picture.marks.push(Mark { lane, kind, at, job, attempt, event, to_lane });
    }

    fn close_segment(&mut self, worker: WorkerId, cut: bool) {
        let Some(segment) = self.segments[usize::from(worker.0)].take() else { return };
        let Segment { by, kind, start, late } = segment;
        self.bar(Bar {
            lane: Lanes::worker(worker),
            kind,
            start,
            end: self.at,
            job: by.job,
            attempt: by.attempt,
            event: self.event,
            late,
            cut,
        });
    }

    /// What has no length is not drawn, unless it is a message that was visible for an instant.
    fn bar(&mut self, bar: Bar) {
        if bar.start < bar.end || bar.kind == BarKind::Ready {
            self.picture.bars.push(bar);
        }
    }

    /// Ends what a run that was cut, or a lease that nobody waited for, has left open.
    fn close_all(&mut self) {
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            self.close_segment(worker, false);
        }
        for message in self.queue.messages().to_vec() {
            if message.place == Place::Leased
                && let Some(lease) = self.queue.leases.get_mut(message.lease)
            {
                lease.ended = self.at;
            }
            self.close_message(&message);
        }
    }
}

fn bar_kind(step: Step) -> BarKind {
    match step {
        Step::Hold | Step::Connect => BarKind::Wait,
        Step::Think => BarKind::Think,
        Step::Check | Step::Claim | Step::CheckLease | Step::Fence => BarKind::Check,
        Step::Call | Step::Await => BarKind::Call,
        Step::Write | Step::Start => BarKind::Write,
        Step::Checkpoint => BarKind::Checkpoint,
        Step::Ack => BarKind::Ack,
    }
}
