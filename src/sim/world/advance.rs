//! The fast path: takes the earliest of what is pending without making a list.

use super::World;
use super::index::Index;
use super::pending::{Asked, go, strike};
use super::timers::{Entry, Of, Timer};
use crate::WHOLE;
use crate::model::worker::{Step, WorkerState};
use crate::sim::choice::{Choice, Chooser, Class, Pending};
use crate::sim::event::{Listener, Sink};
use crate::sim::fault::{Point, Verdict};
use crate::units::{Moment, WorkerId};

impl World {
    /// Makes the earliest happen, with the verdict that `chooser` gives, and says whether there
    /// was anything to do. The same as taking from [`World::choices`] the first that the chooser
    /// agrees to, without the list.
    pub fn advance(&mut self, chooser: &mut impl Chooser, sink: &mut dyn Sink) -> bool {
        self.run(chooser, sink, 1) > 0
    }

    /// Advances by at most so many steps; says how many there were. Steps without a length pass
    /// without a look at what cannot come before them.
    pub fn run(&mut self, chooser: &mut impl Chooser, sink: &mut dyn Sink, most: u64) -> u64 {
        self.take(&mut Asked::new(chooser), &mut Listener::new(sink), most)
    }

    fn take(
        &mut self,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
        most: u64,
    ) -> u64 {
        if self.index.as_ref().is_none_or(|index| index.points != asked.points()) {
            self.make_index(asked.points());
        }
        // What a driver has applied itself may not be what comes next, and has asked no chooser.
        if let Some((_, entry)) = self.take_at_once() {
            self.push(entry);
        }
        let mut steps = 0;
        while steps < most {
            self.foresee(asked);
            let (due, worker) = match self.step_at_once() {
                Some(step) => step,
                None => match self.take_first(asked, sink) {
                    First::Step(due, worker) => (due, worker),
                    First::Happened => {
                        steps += 1;
                        continue;
                    }
                    First::Nothing => break,
                },
            };
            self.work(due, worker, asked, sink);
            steps += 1;
        }
        self.foresee(asked);
        steps
    }

    /// Makes the earliest happen; the step of a worker it only names.
    fn take_first(
        &mut self,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) -> First {
        if self.is_settled() {
            return First::Nothing;
        }
        let Some(index) = &self.index else { return First::Nothing };
        let (served, first) = (index.next_receive(), index.first());
        let comes_first =
            served.is_some_and(|(due, ..)| first.is_none_or(|(entry, _)| due < entry.due));
        let timer = if comes_first { None } else { self.next_timer(first) };
        // Receives and reads come last in their instant.
        let due = timer.map_or(Moment::MAX, |(entry, ..)| entry.due);
        let served = served.filter(|served| served.0 < due);
        if !self.relays.is_empty()
            && self.read_before(served.map_or(due, |served| served.0), asked, sink)
        {
            return First::Happened;
        }
        if let Some((due, worker, message)) = served {
            self.now = self.now.max(due);
            self.receive(worker, message, sink);
        } else if let Some((entry, source, pending)) = timer {
            if let Some(index) = &mut self.index {
                index.drop_first(source);
            }
            match (pending, entry.class()) {
                (Pending::Step { worker }, Class::Work) => {
                    return First::Step(entry.due, worker);
                }
                // It asks nobody: past everything that other choices go through.
                (Pending::Arrive, _) if WHOLE => {
                    self.now = self.now.max(entry.due);
                    self.others.forget(entry.sequence());
                    self.arrive_then_wait(sink);
                }
                (pending, _) => self.take_other(&entry, pending, asked, sink),
            }
        } else {
            return First::Nothing;
        }
        First::Happened
    }

    /// A relay reads a row, if one can before this moment.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn read_before(
        &mut self,
        due: Moment,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) -> bool {
        let Some(read) = self.first_read().filter(|read| read.due < due) else { return false };
        self.apply_asking(read, asked, sink);
        true
    }

    /// Takes a timer that is neither a worker's step nor the arrival of a job.
    #[cfg_attr(not(feature = "page"), inline(never))]
    fn take_other(
        &mut self,
        entry: &Entry,
        pending: Pending,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) {
        let choice = go(pending, entry.due, entry.class(), entry.sequence());
        self.apply_asking(choice, asked, sink);
    }

    /// The step without a length that a worker has just begun, if nothing comes before it. Receives
    /// never do at the same instant, and a world with somebody at work is not settled.
    fn step_at_once(&mut self) -> Option<(Moment, WorkerId)> {
        let (worker, entry) = self.take_at_once()?;
        let first = self.index.as_ref().is_some_and(|index| index.is_first(&entry));
        if first && self.task_of(worker).is_some() {
            return Some((entry.due, worker));
        }
        self.push(entry);
        None
    }

    /// The timer of that step, if its worker still waits for it.
    fn take_at_once(&mut self) -> Option<(WorkerId, Entry)> {
        // The page's runs are so short that all wait alike.
        if !WHOLE {
            return None;
        }
        let (due, sequence, worker) = self.index.as_mut()?.at_once.take()?;
        let entry = Entry::new(due, Class::Work, sequence, Of::Worker(worker));
        (self.worker_timer(worker) == sequence).then_some((worker, entry))
    }

    /// Makes a worker's step take effect, with the verdict that the chooser gives.
    fn work(
        &mut self,
        due: Moment,
        worker: WorkerId,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) {
        let WorkerState::Busy(task) = &self.workers[usize::from(worker.0)] else { return };
        let point = point_at(task.step);
        let verdict = point.map_or(Verdict::Go, |point| asked.at(task, point));
        self.now = self.now.max(due);
        self.step(worker, verdict, point, sink);
    }

    /// Applies a choice at whose points the chooser is still to be asked.
    fn apply_asking(
        &mut self,
        mut choice: Choice,
        asked: &mut Asked<'_, impl Chooser>,
        sink: &mut Listener<'_>,
    ) {
        let verdict = match choice.pending {
            Pending::Step { worker } => match &self.workers[usize::from(worker.0)] {
                WorkerState::Busy(task) => {
                    strike(self, task, asked).map(|(point, verdict, _)| (point, verdict))
                }
                WorkerState::Idle { .. } | WorkerState::Down { .. } => None,
            },
            Pending::Relay { relay } if choice.class == Class::Crash => {
                self.relay_site(relay).map(|site| (site.point, Verdict::Crash))
            }
            Pending::Relay { relay } => {
                self.publish_site(relay).map(|site| (site.point, asked.verdict(&site)))
            }
            _ => None,
        };
        if let Some((point, verdict)) = verdict.filter(|(_, verdict)| *verdict != Verdict::Go) {
            (choice.verdict, choice.point) = (verdict, Some(point));
        }
        self.tell(&choice, sink);
    }

    /// Workers and relays that have begun a step may stand before a point at which they die or
    /// stand still: that goes into the calendar.
    #[inline]
    fn foresee(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        let begun = |index: &Index| !(index.begun.is_empty() && index.relays_begun.is_empty());
        if self.index.as_deref().is_some_and(begun) {
            self.ask(asked);
        }
    }

    #[inline(never)]
    fn ask(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        while let Some(worker) = self.index.as_mut().and_then(|index| index.begun.pop()) {
            let WorkerState::Busy(task) = &self.workers[usize::from(worker.0)] else { continue };
            if let Some((_, _, due)) = strike(self, task, asked) {
                let sequence = self.worker_timer(worker);
                self.push(Entry::new(due, Class::Crash, sequence, Of::Worker(worker)));
            }
        }
        if self.index.as_ref().is_some_and(|index| !index.relays_begun.is_empty()) {
            self.ask_for_relays(asked);
        }
    }

    #[inline(never)]
    fn ask_for_relays(&mut self, asked: &mut Asked<'_, impl Chooser>) {
        while let Some(relay) = self.index.as_mut().and_then(|index| index.relays_begun.pop()) {
            let Some(site) = self.relay_site(relay) else { continue };
            if asked.verdict(&site) == Verdict::Crash {
                self.push_relay_crash(relay);
            }
        }
    }

    fn push_relay_crash(&mut self, relay: u16) {
        let Some(since) = self.relay_since(relay) else { return };
        let pending = Pending::Relay { relay };
        let current = self.others.iter().find(|timer| timer.pending == pending);
        if let Some(timer) = current.copied() {
            let Timer { sequence, .. } = timer;
            self.push(Entry::new(since, Class::Crash, sequence, Of::Other));
        }
    }
}

/// What is the earliest.
enum First {
    /// A worker's step, which is due then.
    Step(Moment, WorkerId),
    /// Something else, which has happened.
    Happened,
    Nothing,
}

/// The point at the moment of a step itself.
pub(super) fn point_at(step: Step) -> Option<Point> {
    match step {
        Step::Call => Some(Point::Call),
        Step::Ack => Some(Point::Ack),
        _ => None,
    }
}
