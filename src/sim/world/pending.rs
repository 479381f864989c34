//! What may happen: the list of choices, and the points at which something may go wrong.

use super::World;
use crate::model::queue::MessageState;
use crate::model::worker::{Step, Task, WorkerState};
use crate::sim::choice::{Choice, Choices, Chooser, Class, Pending};
use crate::sim::fault::{Point, Site, Verdict};
use crate::units::{MessageId, Moment, WorkerId};

impl World {
    /// Lists what may happen next, in the order of [`Choice::order`]; nothing when settled.
    pub fn choices(&self, out: &mut Choices) {
        out.clear();
        if self.is_settled() {
            return;
        }
        for (worker, state) in (0..).map(WorkerId).zip(&self.workers) {
            let sequence = self.worker_timer(worker);
            match state {
                WorkerState::Idle { .. } => {}
                WorkerState::Down { until } => {
                    let pending = Pending::Restart { worker };
                    out.push(go(pending, *until, Class::Work, sequence));
                }
                WorkerState::Busy(task) => step_choices(worker, task, sequence, out),
            }
        }
        for (message, held) in (0..).map(MessageId).zip(&self.messages) {
            let sequence = self.message_timer(message);
            match held.state {
                MessageState::Leased(lease) => {
                    let pending = Pending::LeaseEnd { message };
                    out.push(go(pending, lease.deadline, Class::End, sequence));
                }
                MessageState::Delayed { until } => {
                    let pending = Pending::WaitEnd { message };
                    out.push(go(pending, until, Class::End, sequence));
                }
                MessageState::Ready { .. } | MessageState::Acked | MessageState::Dead => {}
            }
        }
        self.receives(out);
        out.sort_unstable_by_key(Choice::order);
    }

    /// Every idle worker with every ready message, in the order in which they are served: the
    /// message that has been visible longest, to the worker that has been idle longest.
    fn receives(&self, out: &mut Choices) {
        let first = out.len();
        for (worker, state) in (0..).map(WorkerId).zip(&self.workers) {
            let WorkerState::Idle { since } = *state else { continue };
            for (message, held) in (0..).map(MessageId).zip(&self.messages) {
                let MessageState::Ready { since: visible } = held.state else { continue };
                let pending = Pending::Receive { worker, message };
                out.push(go(pending, visible.max(since), Class::Receive, 0));
            }
        }
        let receives = &mut out[first..];
        receives.sort_unstable_by_key(|choice| self.turn(choice.pending));
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
        let idle = match self.workers[usize::from(worker.0)] {
            WorkerState::Idle { since } => since,
            WorkerState::Busy(_) | WorkerState::Down { .. } => Moment::ZERO,
        };
        Some((visible, message, idle, worker))
    }

    /// Where a choice would go wrong, for one that is a fault.
    #[must_use]
    pub fn site(&self, choice: &Choice) -> Option<Site> {
        let Pending::Step { worker } = choice.pending else { return None };
        Some(self.task(worker)?.site(choice.point?))
    }
}

impl Task {
    /// The site of a point in this attempt.
    pub(super) fn site(&self, point: Point) -> Site {
        Site { job: self.job, attempt: self.attempt, point }
    }
}

pub(super) fn go(pending: Pending, due: Moment, class: Class, sequence: u64) -> Choice {
    Choice { pending, verdict: Verdict::Go, point: None, due, class, sequence }
}

/// The point between a step and the one before it: a crash there happens as soon as the one
/// before is done.
pub(super) fn point_before(step: Step) -> Option<Point> {
    match step {
        Step::Think | Step::Check => None,
        Step::Write => Some(Point::BeforeWrite),
        Step::Checkpoint => Some(Point::AfterWrite),
        Step::Ack => Some(Point::AfterCheckpoint),
    }
}

/// The points at the moment of the step itself, with what can go wrong there instead of it.
pub(super) fn points_at(step: Step) -> impl Iterator<Item = (Point, Verdict)> {
    let ack = [(Point::BeforeAck, Verdict::Crash), (Point::Ack, Verdict::Lost)];
    ack.into_iter().filter(move |_| step == Step::Ack)
}

/// The first point of a task's step at which the chooser has the worker die, and when that is.
pub(super) fn strike(task: &Task, chooser: &mut impl Chooser) -> Option<(Point, Moment)> {
    let before = point_before(task.step).map(|point| (point, task.since));
    let at = (task.step == Step::Ack).then_some((Point::BeforeAck, task.due));
    let mut points = before.into_iter().chain(at);
    points.find(|(point, _)| chooser.verdict(&task.site(*point)) == Verdict::Crash)
}

/// What may happen to a busy worker: its step, or a fault before or at it.
pub(super) fn step_choices(worker: WorkerId, task: &Task, sequence: u64, out: &mut Choices) {
    let pending = Pending::Step { worker };
    if let Some(point) = point_before(task.step) {
        out.push(Choice {
            verdict: Verdict::Crash,
            point: Some(point),
            ..go(pending, task.since, Class::Crash, sequence)
        });
    }
    for (point, verdict) in points_at(task.step) {
        let class = match verdict {
            Verdict::Crash => Class::Crash,
            Verdict::Go | Verdict::Lost => Class::Work,
        };
        out.push(Choice { verdict, point: Some(point), ..go(pending, task.due, class, sequence) });
    }
    out.push(go(pending, task.due, Class::Work, sequence));
}
