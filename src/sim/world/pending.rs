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
        sort(out);
    }

    /// Every idle worker with every ready message, in the order in which they are served: the
    /// message that has been visible longest, to the worker that has been idle longest.
    fn receives(&self, out: &mut Choices) {
        let mut idle = Vec::new();
        for (worker, state) in (0..).zip(&self.workers) {
            if let WorkerState::Idle { since } = *state {
                line_up(&mut idle, (since, worker));
            }
        }
        if idle.is_empty() {
            return;
        }
        let mut ready = Vec::new();
        for (message, held) in (0..).zip(&self.messages) {
            if let MessageState::Ready { since } = held.state {
                line_up(&mut ready, (since, message));
            }
        }
        let mut place = 0;
        for (visible, message) in ready {
            for (since, worker) in &idle {
                let worker = WorkerId(u16::try_from(*worker).unwrap_or(u16::MAX));
                let pending = Pending::Receive { worker, message: MessageId(message) };
                out.push(go(pending, visible.max(*since), Class::Receive, place));
                place += 1;
            }
        }
    }

    /// Where a choice would go wrong, for one that is a fault.
    #[must_use]
    pub fn site(&self, choice: &Choice) -> Option<Site> {
        let Pending::Step { worker } = choice.pending else { return None };
        Some(self.task(worker)?.site(choice.point?))
    }
}

/// Puts an entry into its place in a line. Most come last, or nearly so.
fn line_up(line: &mut Vec<(Moment, u32)>, entry: (Moment, u32)) {
    let place = line.partition_point(|other| *other < entry);
    line.insert(place, entry);
}

/// Puts choices in order; no two are alike. This is Shell's method, with the steps 1, 4, 13, …:
/// the library's own is a little faster for long lists, and weighs 3 KB in the page's module.
fn sort(choices: &mut [Choice]) {
    let mut step = 1;
    while step < choices.len() / 3 {
        step = 3 * step + 1;
    }
    while step > 0 {
        for end in step..choices.len() {
            let mut place = end;
            while place >= step && choices[place].order() < choices[place - step].order() {
                choices.swap(place, place - step);
                place -= step;
            }
        }
        step /= 3;
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
