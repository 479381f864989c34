//! The protocol of `tests/core/crosscheck.rs`, written by hand twice: as a model for `stateright`,
//! and as a search over states that fit one word.
//!
//! Three workers, two jobs, two crashes, four attempts; the guard is on.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use stateright::{Checker, Model, Property};

const WORKERS: usize = 3;
const JOBS: usize = 2;
const CRASHES: u8 = 2;
const ATTEMPTS: u8 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Ready,
    Leased { holder: u8 },
    Done,
    Dead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Job {
    place: Place,
    attempts: u8,
    saved: bool,
    rows: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Write,
    Checkpoint,
    Ack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Task {
    job: u8,
    step: Step,
    /// Whether the lease under which it works has not ended.
    fresh: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    crashes: u8,
    jobs: [Job; JOBS],
    workers: [Option<Task>; WORKERS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Lease { worker: u8, job: u8 },
    Step { worker: u8 },
    Crash { worker: u8 },
    Expire { job: u8 },
}

impl State {
    fn start() -> Self {
        let job = Job { place: Place::Ready, attempts: 0, saved: false, rows: 0 };
        Self { crashes: 0, jobs: [job; JOBS], workers: [None; WORKERS] }
    }

    fn each_action(&self, mut take: impl FnMut(Action)) {
        for (worker, task) in (0..).zip(&self.workers) {
            if task.is_some() {
                take(Action::Step { worker });
                if self.crashes < CRASHES {
                    take(Action::Crash { worker });
                }
                continue;
            }
            for (job, row) in (0..).zip(&self.jobs) {
                if row.place == Place::Ready {
                    take(Action::Lease { worker, job });
                }
            }
        }
        for (job, row) in (0..).zip(&self.jobs) {
            if matches!(row.place, Place::Leased { .. }) {
                take(Action::Expire { job });
            }
        }
    }

    fn take(mut self, action: Action) -> Self {
        match action {
            Action::Lease { worker, job } => {
                let row = &mut self.jobs[usize::from(job)];
                row.place = Place::Leased { holder: worker };
                row.attempts += 1;
                let step = if row.saved { Step::Ack } else { Step::Write };
                self.workers[usize::from(worker)] = Some(Task { job, step, fresh: true });
            }
            Action::Step { worker } => {
                let Some(task) = &mut self.workers[usize::from(worker)] else { return self };
                let row = &mut self.jobs[usize::from(task.job)];
                match task.step {
                    Step::Write => {
                        row.rows = row.rows.max(1);
                        task.step = Step::Checkpoint;
                    }
                    Step::Checkpoint => {
                        row.saved = true;
                        task.step = Step::Ack;
                    }
                    Step::Ack => {
                        if task.fresh {
                            row.place = Place::Done;
                        }
                        self.workers[usize::from(worker)] = None;
                    }
                }
            }
            Action::Crash { worker } => {
                self.crashes += 1;
                self.workers[usize::from(worker)] = None;
            }
            Action::Expire { job } => {
                let row = &mut self.jobs[usize::from(job)];
                row.place = if row.attempts == ATTEMPTS { Place::Dead } else { Place::Ready };
                for task in self.workers.iter_mut().flatten().filter(|task| task.job == job) {
                    task.fresh = false;
                }
            }
        }
        self
    }

    fn is_paid_once(&self) -> bool {
        self.jobs.iter().all(|job| job.rows <= 1)
    }
}

/// The protocol as `stateright` takes it.
pub(crate) struct Protocol;

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        state.each_action(|action| actions.push(action));
    }

    fn next_state(&self, last_state: &State, action: Action) -> Option<State> {
        Some(last_state.take(action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("paid once", |_, state: &State| state.is_paid_once())]
    }
}

/// Visits everything with `stateright`; returns how many states there are.
pub(crate) fn with_stateright() -> usize {
    let checker = Protocol.checker().threads(1).spawn_bfs().join();
    checker.assert_properties();
    checker.unique_state_count()
}

/// A state in one word: 2 bits of crashes; for each job 2 of its place, 2 of its holder, 3 of its
/// attempts, 1 of its checkpoint, 1 of its row; for each worker 2 of its job (0 for idle), 2 of its
/// step, 1 of its lease.
#[derive(Clone, Copy)]
struct Packed(u64);

const READY: u64 = 0;
const LEASED: u64 = 1;
const DONE: u64 = 2;
const DEAD: u64 = 3;

const JOB_BITS: u32 = 9;
const TASK_BITS: u32 = 5;
const FIRST_JOB: u32 = 2;
const FIRST_TASK: u32 = FIRST_JOB + JOB_BITS * JOBS as u32;

impl Packed {
    fn get(self, at: u32, bits: u32) -> u64 {
        self.0 >> at & ((1 << bits) - 1)
    }

    fn set(self, at: u32, bits: u32, value: u64) -> Self {
        let mask = ((1 << bits) - 1) << at;
        Self(self.0 & !mask | value << at)
    }

    fn each_next(self, mut take: impl FnMut(Self)) {
        let crashes = self.get(0, 2);
        for worker in 0..WORKERS as u32 {
            let task = FIRST_TASK + worker * TASK_BITS;
            match self.get(task, 2) {
                0 => {
                    for job in 0..JOBS as u32 {
                        let row = FIRST_JOB + job * JOB_BITS;
                        if self.get(row, 2) == READY {
                            let step = if self.get(row + 7, 1) == 1 { 2 } else { 0 };
                            let leased =
                                LEASED | u64::from(worker) << 2 | (self.get(row + 4, 3) + 1) << 4;
                            let busy = (u64::from(job) + 1) | step << 2 | 1 << 4;
                            take(self.set(row, 7, leased).set(task, TASK_BITS, busy));
                        }
                    }
                }
                job => {
                    let row = FIRST_JOB + (job as u32 - 1) * JOB_BITS;
                    take(match self.get(task + 2, 2) {
                        0 => self.set(row + 8, 1, 1).set(task + 2, 2, 1),
                        1 => self.set(row + 7, 1, 1).set(task + 2, 2, 2),
                        _ if self.get(task + 4, 1) == 1 => {
                            self.set(row, 4, DONE).set(task, TASK_BITS, 0)
                        }
                        _ => self.set(task, TASK_BITS, 0),
                    });
                    if crashes < u64::from(CRASHES) {
                        take(self.set(0, 2, crashes + 1).set(task, TASK_BITS, 0));
                    }
                }
            }
        }
        for job in 0..JOBS as u32 {
            let row = FIRST_JOB + job * JOB_BITS;
            if self.get(row, 2) != LEASED {
                continue;
            }
            let used_up = self.get(row + 4, 3) == u64::from(ATTEMPTS);
            let mut next = self.set(row, 4, if used_up { DEAD } else { READY });
            for worker in 0..WORKERS as u32 {
                let task = FIRST_TASK + worker * TASK_BITS;
                if self.get(task, 2) == u64::from(job) + 1 {
                    next = next.set(task + 4, 1, 0);
                }
            }
            take(next);
        }
    }
}

/// Visits everything, a word a state; returns how many states there are.
pub(crate) fn packed() -> usize {
    let mut seen: HashSet<u64, FixedState> = HashSet::with_hasher(FixedState::with_seed(1));
    let mut level = vec![Packed(0)];
    let mut next = Vec::new();
    seen.insert(0);
    while !level.is_empty() {
        for state in level.drain(..) {
            state.each_next(|state| {
                if seen.insert(state.0) {
                    next.push(state);
                }
            });
        }
        std::mem::swap(&mut level, &mut next);
    }
    seen.len()
}
