//! What may happen: the list of choices, and the points at which something may go wrong.

use super::World;
use super::advance::point_at;
use crate::WHOLE;
use crate::model::queue::MessageState;
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::{Choice, Choices, Chooser, Class, Pending};
use crate::sim::fault::{Point, Points, Site, Verdict};
use crate::sim::scenario::Scenario;
use crate::sorted;
use crate::units::{MessageId, Moment, WorkerId};
use std::cmp::Ordering;

impl World {
    /// Lists what may happen next, in the order of [`Choice::order`]; nothing when settled.
    pub fn choices(&self, out: &mut Choices) {
        self.list_choices(out);
        sort(out, &|left, right| left.order().cmp(&right.order()));
    }

    /// The same list, not sorted: a search drops most of what may go wrong first.
    pub(in crate::sim) fn list_choices(&self, out: &mut Choices) {
        out.clear();
        if self.is_settled() {
            return;
        }
        for (worker, state) in (0..).map(WorkerId).zip(&self.workers) {
            match state {
                WorkerState::Idle { .. } => {}
                WorkerState::Down { until } => {
                    let pending = Pending::Restart { worker };
                    out.push(go(pending, *until, Class::Work, self.worker_timer(worker)));
                }
                WorkerState::Busy(task) => self.step_choices(worker, task, out),
            }
        }
        for (message, held) in
            self.messages.placed().map(|(message, held)| (MessageId(message), held))
        {
            let sequence = self.message_timers[message.0];
            match held.state {
                MessageState::Leased(lease) if lease.deadline < Moment::MAX => {
                    let pending = Pending::LeaseEnd { message };
                    out.push(go(pending, self.noticed(lease.deadline), Class::End, sequence));
                }
                MessageState::Delayed { until } => {
                    let pending = Pending::WaitEnd { message };
                    out.push(go(pending, until, Class::End, sequence));
                }
                _ => {}
            }
        }
        let others = self.others.iter();
        for timer in others {
            if let Pending::Relay { relay } = timer.pending {
                self.relay_choices(relay, timer, out);
            }
            if timer.due < Moment::MAX {
                out.push(go(timer.pending, timer.due, timer.class, timer.sequence));
            }
        }
        self.receives(out);
        self.reads(out);
    }

    /// Every worker with room and every ready message, in the order in which they are served:
    /// the message that has been visible longest, to the worker that has had room longest.
    fn receives(&self, out: &mut Choices) {
        let first = out.len();
        for worker in (0..self.scenario.crew.count).map(WorkerId) {
            let Some(since) = self.room(worker) else { continue };
            for (message, held) in
                self.messages.placed().map(|(message, held)| (MessageId(message), held))
            {
                let MessageState::Ready { since: visible } = held.state else { continue };
                let pending = Pending::Receive { worker, message };
                out.push(go(pending, visible.max(since), Class::Receive, 0));
            }
        }
        let receives = &mut out[first..];
        sort(receives, &|left, right| self.turn(left.pending).cmp(&self.turn(right.pending)));
        for (place, choice) in (0..).zip(receives) {
            choice.sequence = place;
        }
    }

    /// The place of a receive among receives.
    fn turn(&self, pending: Pending) -> Option<(Moment, MessageId, Moment, WorkerId)> {
        let Pending::Receive { worker, message } = pending else { return None };
        let visible = match self.message(message).state {
            MessageState::Ready { since } => since,
            _ => Moment::ZERO,
        };
        Some((visible, message, self.room(worker)?, worker))
    }

    /// Since when a worker has room for another message, if it has.
    pub(super) fn room(&self, worker: WorkerId) -> Option<Moment> {
        if self.is_stopping(worker) {
            return None;
        }
        match self.workers[usize::from(worker.0)] {
            WorkerState::Idle { since } => Some(since),
            WorkerState::Busy(task) => {
                let room = 1 + self.held(worker).len() < self.scenario.crew.prefetch;
                room.then_some(task.began)
            }
            WorkerState::Down { .. } => None,
        }
    }

    /// What may happen to a busy worker: its step, or a fault before or at it.
    fn step_choices(&self, worker: WorkerId, task: &Task, out: &mut Choices) {
        let pending = Pending::Step { worker };
        let sequence = self.worker_timer(worker);
        for (point, due) in self.points_between(task).into_iter().flatten() {
            let mut fault = |verdict| {
                let choice = go(pending, due, Class::Crash, sequence);
                out.push(Choice { verdict, point: Some(point), ..choice });
            };
            fault(Verdict::Crash);
            let ruled = self.scenario.verdict(&site_of(task, point));
            let possible = match ruled {
                Verdict::Throw => true,
                Verdict::Pause(_) => !task.paused,
                _ => false,
            };
            if possible {
                fault(ruled);
            }
        }
        if task.due == Moment::MAX {
            return;
        }
        if let Some(point) = point_at(task.step) {
            let mut fault = |verdict| {
                let choice = go(pending, task.due, Class::Work, sequence);
                out.push(Choice { verdict, point: Some(point), ..choice });
            };
            fault(Verdict::Lost);
            if WHOLE && point == Point::Ack {
                fault(Verdict::Twice);
                fault(Verdict::Replica);
            }
            let ruled = self.scenario.verdict(&site_of(task, point));
            if matches!(ruled, Verdict::Answer(_) | Verdict::Late(_)) {
                fault(ruled);
            }
        }
        out.push(go(pending, task.due, Class::Work, sequence));
    }

    /// Where a choice would go wrong, for one that is a fault.
    #[must_use]
    pub fn site(&self, choice: &Choice) -> Option<Site> {
        let point = choice.point?;
        match choice.pending {
            Pending::Step { worker } => Some(site_of(&self.task(worker)?, point)),
            Pending::Relay { relay } if point == Point::Call => self.publish_site(relay),
            Pending::Relay { relay } => self.relay_site(relay),
            _ => None,
        }
    }

    /// The points between steps at which a task stands: the one between its step and the step
    /// before, where a fault happens as soon as that one is done, and the one just before the ack.
    fn points_between(&self, task: &Task) -> [Option<(Point, Moment)>; 2] {
        let before =
            point_before(&self.scenario, task.position, task.step).map(|point| (point, task.since));
        let ack = (task.step == Step::Ack).then_some((Point::BeforeAck, task.due));
        [before, ack]
    }
}

fn point_before(scenario: &Scenario, position: u8, step: Step) -> Option<Point> {
    if step == Step::Await {
        return Some(Point::DuringCall);
    }
    // Who connects in order to go on behind a checkpoint is not at that step yet.
    if step == Step::Connect && position > 0 {
        return None;
    }
    scenario.points.get(usize::from(position)).copied().flatten()
}

/// The points between steps at which a worker stands before a step at a position.
pub(super) fn points_between(scenario: &Scenario, position: u8, step: Step) -> Points {
    let ack = if step == Step::Ack { Points::of(Point::BeforeAck) } else { Points::NONE };
    point_before(scenario, position, step).map_or(ack, |point| ack.and(point))
}

/// Compiled once for every order there is: the page's module has to be small.
fn sort(choices: &mut [Choice], order: &dyn Fn(&Choice, &Choice) -> Ordering) {
    if WHOLE {
        choices.sort_unstable_by(order);
    } else {
        sorted::sort(choices, order);
    }
}

pub(super) fn go(pending: Pending, due: Moment, class: Class, sequence: u64) -> Choice {
    Choice { pending, verdict: Verdict::Go, point: None, due, class, sequence }
}

/// The class of an event that has a timer of its own.
pub(super) fn class_of(pending: Pending) -> Class {
    match pending {
        Pending::Kill { .. } | Pending::Deploy { .. } | Pending::GraceEnd { .. } => Class::Crash,
        Pending::Answer { .. }
        | Pending::KeyEnd { .. }
        | Pending::ClaimEnd { .. }
        | Pending::CallClaimEnd { .. }
        | Pending::WindowEnd { .. }
        | Pending::TestClock
        | Pending::VendorBack => Class::Limit,
        Pending::Step { .. }
        | Pending::Beat { .. }
        | Pending::Restart { .. }
        | Pending::LateCall { .. }
        | Pending::Relay { .. }
        | Pending::RelayBack { .. }
        | Pending::Undo => Class::Work,
        Pending::LeaseEnd { .. } | Pending::WaitEnd { .. } => Class::End,
        Pending::Arrive | Pending::Resend { .. } => Class::Arrival,
        Pending::Receive { .. } | Pending::Read { .. } => Class::Receive,
    }
}

/// The site of a point in a task.
pub(super) fn site_of(task: &Task, point: Point) -> Site {
    let Task { job, copy: message, attempt, refund, tries: retry, .. } = *task;
    Site { job, message, attempt, refund, retry, point }
}

/// A chooser that is asked only where it may have something to say.
pub(super) struct Asked<'a, C> {
    chooser: &'a mut C,
    points: Points,
}

impl<'a, C: Chooser> Asked<'a, C> {
    pub(super) fn new(chooser: &'a mut C) -> Self {
        let points = chooser.points();
        Self { chooser, points }
    }

    pub(super) fn points(&self) -> Points {
        self.points
    }

    /// The verdict at a point of a task.
    pub(super) fn at(&mut self, task: &Task, point: Point) -> Verdict {
        if self.points.has(point) { self.verdict_at(task, point) } else { Verdict::Go }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn verdict_at(&mut self, task: &Task, point: Point) -> Verdict {
        self.verdict(&site_of(task, point))
    }

    /// The verdict at a site.
    pub(super) fn verdict(&mut self, site: &Site) -> Verdict {
        self.chooser.verdict(site)
    }
}

/// The first point of a task's step at which the chooser has the worker die, throw or stand
/// still, and when that is.
#[cfg_attr(not(feature = "page"), inline(always))]
pub(super) fn strike(
    world: &World,
    task: &Task,
    asked: &mut Asked<'_, impl Chooser>,
) -> Option<(Point, Verdict, Moment)> {
    let mut strikes = |point| {
        let verdict = asked.at(task, point);
        let strikes = match verdict {
            Verdict::Crash | Verdict::Throw => true,
            Verdict::Pause(_) => !task.paused,
            _ => false,
        };
        strikes.then_some(verdict)
    };
    if let Some(point) = point_before(&world.scenario, task.position, task.step)
        && let Some(verdict) = strikes(point)
    {
        return Some((point, verdict, task.since));
    }
    if task.step != Step::Ack {
        return None;
    }
    Some((Point::BeforeAck, strikes(Point::BeforeAck)?, task.due))
}
