//! Who is at which step, read off the events. The report and the picture both follow it.

use super::event::{Answered, Attempt, Event};
use super::scenario::{CheckpointAt, Scenario};
use crate::WHOLE;
use crate::model::ledger::{Claimed, Guard};
use crate::model::queue::ExtendOutcome;
use crate::model::vendor::is_success;
use crate::model::worker::Step;
use crate::units::WorkerId;

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Waiting for a message.
    Idle,
    /// Killed, and not back yet.
    Down,
    /// It has stopped for a new version, which has not started yet.
    Stopped,
    /// Running a step of an attempt; `stale` once its lease is over.
    Busy {
        /// The attempt.
        by: Attempt,
        /// The step under way.
        step: Step,
        /// Its position in the program.
        position: u8,
        /// Whether its lease is over.
        stale: bool,
    },
}

/// What each worker is doing, as the events tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    workers: Vec<Doing>,
    /// The messages that workers have received and not begun.
    held: Vec<Held>,
}

/// A message that a worker has received and not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    by: Attempt,
    /// Whether its lease is over.
    stale: bool,
}

fn is_same(by: Attempt, other: Attempt) -> bool {
    (by.job, by.copy, by.attempt) == (other.job, other.copy, other.attempt)
}

/// Where an event leaves its attempt.
enum Next {
    /// At the beginning, or behind the checkpoint.
    Begin,
    /// Behind the checkpoint of so many refunds, which it found.
    Resume(u8),
    /// Behind this step.
    After(Step),
    /// In a transaction that is open now.
    Connected,
    /// Behind the effect of this refund, which is skipped.
    Skip,
    /// At the ack.
    ToAck,
    /// Waiting for an answer.
    Await,
    /// Calling again.
    Call,
    /// At an end.
    Free,
    /// Dead.
    Down,
    /// Where it was.
    Same,
}

impl Progress {
    /// Everybody idle.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        Self { workers: vec![Doing::Idle; usize::from(scenario.crew.count)], held: Vec::new() }
    }

    /// What each worker is doing, by id.
    #[must_use]
    pub fn workers(&self) -> &[Doing] {
        &self.workers
    }

    /// What a worker is doing.
    #[must_use]
    pub fn of(&self, worker: WorkerId) -> Doing {
        self.workers[usize::from(worker.0)]
    }

    /// Takes an event.
    pub fn take(&mut self, scenario: &Scenario, event: &Event) {
        match *event {
            Event::Restarted { worker } => self.set(worker, Doing::Idle),
            Event::Stopped { worker } => self.set(worker, Doing::Stopped),
            // Whoever works on this message works without a lease from here on.
            Event::Expired { job, copy, .. } => {
                for doing in &mut self.workers {
                    if let Doing::Busy { by, stale, .. } = doing {
                        *stale |= (by.job, by.copy) == (job, copy);
                    }
                }
                for held in &mut self.held {
                    held.stale |= (held.by.job, held.by.copy) == (job, copy);
                }
            }
            // A late heartbeat that the queue takes leases the message again.
            Event::Beat { by, outcome: ExtendOutcome::Until(_) } => {
                if let Doing::Busy { stale, .. } = &mut self.workers[usize::from(by.worker.0)] {
                    *stale = false;
                }
            }
            // What is held and not begun goes back to the queue.
            Event::Deployed { drains: true, worker } if WHOLE => {
                self.held.retain(|held| worker.is_some_and(|it| it != held.by.worker));
            }
            _ => {
                if let Some(by) = event.by() {
                    let next = self.next(scenario, event, by);
                    if WHOLE {
                        self.hold(event, by, &next);
                    }
                    self.go(scenario, by, &next);
                }
            }
        }
    }

    fn hold(&mut self, event: &Event, by: Attempt, next: &Next) {
        match event {
            Event::Leased { .. } if matches!(next, Next::Same) => {
                self.held.push(Held { by, stale: false });
            }
            Event::Crashed { .. } => self.held.retain(|held| held.by.worker != by.worker),
            _ => {}
        }
    }

    /// Takes a message that was held, to begin with it; says whether its lease is over.
    fn begin_held(&mut self, by: Attempt) -> bool {
        let place = self.held.iter().position(|held| is_same(held.by, by));
        place.is_some_and(|place| self.held.remove(place).stale)
    }

    fn next(&self, scenario: &Scenario, event: &Event, by: Attempt) -> Next {
        match *event {
            Event::Leased { .. } => match self.of(by.worker) {
                Doing::Idle => Next::Begin,
                Doing::Busy { .. } | Doing::Down | Doing::Stopped => Next::Same,
            },
            Event::Resumed { done, .. } => match scenario.checkpoint {
                CheckpointAt::BeforeSkip => Next::ToAck,
                _ => Next::Resume(done),
            },
            Event::Thought(_) => Next::After(Step::Think),
            Event::Checked { found, .. } if found && self.skips(scenario, by) => {
                match scenario.guard {
                    Guard::AskTheVendor => Next::After(Step::Call),
                    _ => Next::Skip,
                }
            }
            Event::Checked { .. } => Next::After(Step::Check),
            Event::Wrote { .. } | Event::AlreadyWritten { .. } => Next::After(Step::Write),
            Event::Checkpointed(_) => Next::After(Step::Checkpoint),
            Event::Acked { .. } | Event::AckLost(_) if !WHOLE => Next::After(Step::Ack),
            Event::Crashed { .. } => Next::Down,
            Event::Minted { done, .. } => Next::Resume(done),
            Event::Connected(_) => Next::Connected,
            Event::Claim { outcome, .. } => match outcome {
                Claimed::New(_) => Next::After(Step::Claim),
                Claimed::Done => Next::Skip,
                Claimed::InProgress => Next::Same,
            },
            Event::Started { .. } => Next::After(Step::Start),
            Event::Called { .. } => Next::Await,
            Event::Answer { status, how, .. } if is_success(status) => {
                debug_assert!(how != Answered::Refused);
                Next::After(Step::Call)
            }
            Event::Answer { .. } | Event::NoAnswer(_) => Next::Call,
            Event::GaveBack { .. }
            | Event::SentAgain(_)
            | Event::Stepped(_)
            | Event::Failed { .. } => Next::Free,
            _ if !WHOLE => Next::Same,
            Event::Began(_) => Next::Begin,
            Event::Acked { .. } | Event::AckLost(_) => self.after_own(by, Step::Ack),
            Event::Due(_) => Next::After(Step::Hold),
            Event::LeaseChecked { own: true, .. } => Next::After(Step::CheckLease),
            Event::Fence { passed: true, .. } => self.after_own(by, Step::Fence),
            Event::Fence { passed: false, .. } => Next::ToAck,
            _ => Next::Same,
        }
    }

    /// A check that finds something keeps the call from being made only where it comes before.
    fn skips(&self, scenario: &Scenario, by: Attempt) -> bool {
        let Doing::Busy { position, .. } = self.of(by.worker) else { return false };
        let line = scenario.program.at(position);
        let call = scenario.program.find(Step::Call, position);
        line.is_some_and(|line| !line.effect_done) && call.is_some()
    }

    /// Behind a step, if the worker is at it: a token is shown on the way of another one too, and
    /// an ack arrives twice, or follows on a message that was sent again.
    fn after_own(&self, by: Attempt, own: Step) -> Next {
        match self.of(by.worker) {
            Doing::Busy { step, .. } if step == own => Next::After(own),
            _ => Next::Same,
        }
    }

    fn go(&mut self, scenario: &Scenario, by: Attempt, next: &Next) {
        let program = &scenario.program;
        let (from, stale) = match self.of(by.worker) {
            Doing::Busy { by: before, position, stale, .. } => {
                (position, stale && is_same(before, by))
            }
            Doing::Idle | Doing::Down | Doing::Stopped => (0, false),
        };
        let stale = stale || (WHOLE && matches!(next, Next::Begin) && self.begin_held(by));
        let at = |position: u8| match program.at(position) {
            Some(line) => Doing::Busy { by, step: line.step, position, stale },
            None => Doing::Idle,
        };
        let doing = match next {
            Next::Begin => at(0),
            Next::Resume(done) => {
                let position = program.after_checkpoint(*done);
                match program.at(position) {
                    Some(line) if program.is_in_transaction(line.step) => {
                        Doing::Busy { by, step: Step::Connect, position, stale }
                    }
                    _ => at(position),
                }
            }
            // On to the next step, or to the one for which the transaction was opened.
            Next::Connected => {
                let opens = program.at(from).is_some_and(|line| line.step == Step::Connect);
                at(from.saturating_add(u8::from(opens)))
            }
            Next::After(step) => {
                at(program.find(*step, from).map_or(u8::MAX, |found| found.saturating_add(1)))
            }
            Next::Skip => at(program.after_effect(from)),
            Next::ToAck => at(program.find(Step::Ack, from).unwrap_or(u8::MAX)),
            Next::Await => Doing::Busy { by, step: Step::Await, position: from, stale },
            Next::Call => Doing::Busy { by, step: Step::Call, position: from, stale },
            Next::Free => Doing::Idle,
            Next::Down => Doing::Down,
            Next::Same => return,
        };
        self.set(by.worker, doing);
    }

    fn set(&mut self, worker: WorkerId, doing: Doing) {
        self.workers[usize::from(worker.0)] = doing;
    }
}
