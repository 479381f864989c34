//! The same leased queue, written by hand for this one scenario: a heap, arrays, and nothing
//! that another scenario would need.
//!
//! A worker's write, checkpoint and ack are one entry in the heap; a lease's end has one only
//! where it will be reached. What is at one instant comes in the order of the simulation: work,
//! ends of leases and waits, arrivals, receives.

use at_least_once::random::{Address, Draws, Purpose};
use at_least_once::sim::event::Counter;
use at_least_once::sim::fault::Point;
use at_least_once::sim::scenario::Scenario;
use at_least_once::units::{Moment, Span};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// What an entry of the heap is about. The order is that of one instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// A worker has worked.
    Done { worker: u16 },
    /// The lease of this attempt ends.
    LeaseEnd { job: u32, attempt: u32 },
    /// A wait is over.
    WaitEnd { job: u32 },
    /// The next job is there.
    Arrive,
}

#[derive(Clone, Copy)]
struct Job {
    attempts: u32,
    leased: bool,
    written: bool,
    saved: bool,
}

/// What a worker works on.
#[derive(Clone, Copy, Default)]
struct Work {
    job: u32,
    attempt: u32,
    crashes: bool,
}

struct Queue<'a> {
    scenario: &'a Scenario,
    draws: Draws,
    now: Moment,
    heap: BinaryHeap<Reverse<(Moment, Due)>>,
    jobs: Vec<Job>,
    /// Visible jobs and idle workers, those that have waited longest first.
    ready: VecDeque<(Moment, u32)>,
    idle: VecDeque<(Moment, u16)>,
    work: Vec<Work>,
    tally: Counter,
}

pub(crate) fn run(scenario: &Scenario) -> Counter {
    let workers = scenario.crew.count;
    let mut queue = Queue {
        scenario,
        draws: scenario.draws,
        now: Moment::ZERO,
        heap: BinaryHeap::new(),
        jobs: Vec::new(),
        ready: VecDeque::new(),
        idle: (0..workers).map(|worker| (Moment::ZERO, worker)).collect(),
        work: vec![Work::default(); usize::from(workers)],
        tally: Counter::default(),
    };
    queue.wait_for_arrival();
    queue.run();
    queue.tally
}

impl Queue<'_> {
    fn run(&mut self) {
        loop {
            let more_now = self.heap.peek().is_some_and(|entry| entry.0.0 == self.now);
            if !more_now && !self.ready.is_empty() && !self.idle.is_empty() {
                self.receive();
                continue;
            }
            let Some(Reverse((at, due))) = self.heap.pop() else { return };
            self.now = at;
            match due {
                Due::Done { worker } => self.done(worker),
                Due::LeaseEnd { job, attempt } => self.end_lease(job, attempt),
                Due::WaitEnd { job } => {
                    self.tally.events += 1;
                    wait(&mut self.ready, (at, job));
                }
                Due::Arrive => self.arrive(),
            }
        }
    }

    fn push(&mut self, after: Span, due: Due) {
        self.heap.push(Reverse((self.now.after(after), due)));
    }

    fn wait_for_arrival(&mut self) {
        let next = self.jobs.len() as u32;
        if next < self.scenario.workload.jobs {
            let at = Address { job: next, ..Address::new(Purpose::Arrival) };
            let gap = self.draws.exponential(at, self.scenario.workload.gap);
            self.push(gap, Due::Arrive);
        }
    }

    fn arrive(&mut self) {
        let job = self.jobs.len() as u32;
        self.jobs.push(Job { attempts: 0, leased: false, written: false, saved: false });
        self.tally.events += 1;
        wait(&mut self.ready, (self.now, job));
        self.wait_for_arrival();
    }

    fn receive(&mut self) {
        let (Some((_, job)), Some((_, worker))) = (self.ready.pop_front(), self.idle.front())
        else {
            return;
        };
        let row = &mut self.jobs[job as usize];
        let attempt = row.attempts;
        self.tally.events += 1;
        if attempt >= self.scenario.broker.max_attempts {
            return;
        }
        row.attempts += 1;
        row.leased = true;
        self.tally.redeliveries += u64::from(attempt > 0);
        if row.saved {
            // Only the ack is left, and it comes at once.
            row.leased = false;
            self.tally.events += 2;
            let worker = *worker;
            self.idle.pop_front();
            wait(&mut self.idle, (self.now, worker));
            return;
        }
        let worker = *worker;
        self.idle.pop_front();
        let at = Address { job, attempt, ..Address::new(Purpose::Service) };
        let takes = self.draws.exponential(at, self.scenario.lengths.write);
        let crashes = self.crashes(job, attempt);
        self.work[usize::from(worker)] = Work { job, attempt, crashes };
        self.push(takes, Due::Done { worker });
        let lease = self.scenario.broker.visibility_timeout;
        if crashes || takes > lease {
            self.push(lease, Due::LeaseEnd { job, attempt });
        }
    }

    fn crashes(&self, job: u32, attempt: u32) -> bool {
        let point = Point::AfterWrite as u32;
        let at = Address { job, attempt, point, ..Address::new(Purpose::Fault) };
        self.scenario.rate.is_some_and(|(ppm, _)| self.draws.chance(at, ppm))
    }

    /// The write, and then the crash, or the checkpoint and the ack.
    fn done(&mut self, worker: u16) {
        let Work { job, attempt, crashes } = self.work[usize::from(worker)];
        let row = &mut self.jobs[job as usize];
        self.tally.executions += u64::from(!row.written);
        row.written = true;
        self.tally.events += 3;
        if !crashes {
            row.saved = true;
            // The holder's ack deletes the message; a late one is refused.
            let holds = row.leased && row.attempts == attempt + 1;
            row.leased &= !holds;
            self.tally.refused_acks += u64::from(!holds);
        }
        wait(&mut self.idle, (self.now, worker));
    }

    fn end_lease(&mut self, job: u32, attempt: u32) {
        let row = &mut self.jobs[job as usize];
        if !row.leased || row.attempts != attempt + 1 {
            return;
        }
        row.leased = false;
        self.tally.events += 1;
        let at = Address { job, attempt, ..Address::new(Purpose::Backoff) };
        let waits = self.scenario.backoff.delay(attempt, None, &self.draws, at);
        if waits == Span::ZERO {
            wait(&mut self.ready, (self.now, job));
        } else {
            self.push(waits, Due::WaitEnd { job });
        }
    }
}

/// To the end of a line; who comes at the same instant stands by number.
fn wait<T: Copy + Ord>(line: &mut VecDeque<(Moment, T)>, who: (Moment, T)) {
    let after = line.iter().rev().take_while(|other| **other > who).count();
    line.insert(line.len() - after, who);
}
