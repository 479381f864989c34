//! A worker, the program that it runs for a message, and what it knows.

use super::key::IdempotencyKey;
use super::queue::Receipt;
use crate::units::{Cents, JobIndex, MessageId, Moment, Span};

/// The steps that a program may have. Each takes effect at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Hold the message until the job is due (a countdown inside the worker).
    Hold,
    /// Take a database connection out of the pool, for the rest of the program.
    Connect,
    /// The language model decides what to do.
    Think,
    /// A guard that looks before it acts.
    Check,
    /// A guard that puts its row in first, before the call.
    Claim,
    /// Ask the queue whether the message is still ours.
    CheckLease,
    /// Show the fencing token to the resource.
    Fence,
    /// Start: a transaction in which the job row says "started" and the outbox has its row.
    Start,
    /// The call to the payment vendor reaches it.
    Call,
    /// Wait for the vendor's answer. Comes about as long as a call is under way.
    Await,
    /// The local row is written.
    Write,
    /// The job row learns that the step is finished.
    Checkpoint,
    /// The message is given back as done.
    Ack,
}

impl Step {
    /// The name in data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Connect => "connect",
            Self::Think => "think",
            Self::Check => "check",
            Self::Claim => "claim",
            Self::CheckLease => "check-lease",
            Self::Fence => "fence",
            Self::Start => "start",
            Self::Call => "call",
            Self::Await => "await",
            Self::Write => "write",
            Self::Checkpoint => "checkpoint",
            Self::Ack => "ack",
        }
    }
}

/// A step of a program, and which of the job's refunds it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The step.
    pub step: Step,
    /// The refund, from 0.
    pub refund: u8,
    /// Whether the effect of this refund comes before this step.
    pub effect_done: bool,
}

/// The steps of a slice, in order. Made once for a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    lines: Vec<Line>,
    /// Whether one of them opens a transaction.
    connects: bool,
}

impl Program {
    /// A program of these lines.
    #[must_use]
    pub fn new(lines: Vec<Line>) -> Self {
        let connects = lines.iter().any(|line| line.step == Step::Connect);
        Self { lines, connects }
    }

    /// The line at a position; none past the end.
    #[must_use]
    pub fn at(&self, position: u8) -> Option<Line> {
        self.lines.get(usize::from(position)).copied()
    }

    /// Whether a transaction is open at a step, for which a connection is needed. A worker that
    /// goes on behind a checkpoint comes into the middle of one.
    #[must_use]
    pub fn is_in_transaction(&self, step: Step) -> bool {
        self.connects && !matches!(step, Step::Hold | Step::Checkpoint | Step::Ack)
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Where a delivery goes on that finds `done` refunds checkpointed: behind the checkpoint of
    /// the last of them.
    #[must_use]
    pub fn after_checkpoint(&self, done: u8) -> u8 {
        let last = done.checked_sub(1).and_then(|refund| {
            let saved = |line: &Line| {
                line.refund == refund && matches!(line.step, Step::Checkpoint | Step::Start)
            };
            self.lines.iter().position(saved)
        });
        last.map_or(0, |position| u8::try_from(position + 1).unwrap_or(u8::MAX))
    }

    /// Where a worker goes on that finds at `from` that this refund is made: behind its effect and
    /// its row, at a checkpoint, the ack or the next refund.
    #[must_use]
    pub fn after_effect(&self, from: u8) -> u8 {
        let refund = self.at(from).map(|line| line.refund);
        let behind = |line: &Line| {
            matches!(line.step, Step::Checkpoint | Step::Ack) || Some(line.refund) != refund
        };
        self.first(from.saturating_add(1), behind).unwrap_or(u8::MAX)
    }

    /// The position of the first step of this kind at or after `from`.
    #[must_use]
    pub fn find(&self, step: Step, from: u8) -> Option<u8> {
        self.first(from, |line| line.step == step)
    }

    fn first(&self, from: u8, is: impl Fn(&Line) -> bool) -> Option<u8> {
        let found = self.lines.iter().skip(usize::from(from)).position(is)?;
        u8::try_from(found + usize::from(from)).ok()
    }
}

/// What a worker has in hand: its message and what it has read. Nothing of another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The message received.
    pub message: MessageId,
    /// The job that it asks for.
    pub job: JobIndex,
    /// The number of the message among the job's.
    pub copy: u32,
    /// The attempt number that this delivery has.
    pub attempt: u32,
    /// The receipt of the lease.
    pub receipt: Receipt,
    /// The position in the program.
    pub position: u8,
    /// The step under way.
    pub step: Step,
    /// When the step began: the moment of the one before.
    pub since: Moment,
    /// When the step takes effect.
    pub due: Moment,
    /// Whether a guard that looks first has found that the work is done.
    pub saw: Option<u32>,
    /// The refund at hand, from 0.
    pub refund: u8,
    /// The key that the worker uses for the refund at hand.
    pub key: IdempotencyKey,
    /// The amount that it means to pay.
    pub cents: Cents,
    /// How many calls it has made for the refund at hand.
    pub tries: u32,
    /// Whether it holds a connection of the pool.
    pub connected: bool,
    /// Whether it has stood still before this step already.
    pub paused: bool,
    /// When the work on this message began.
    pub began: Moment,
    /// The sequences of its next heartbeat and of its death by rule; 0 for none.
    pub timers: [u64; 2],
}

/// A message that a worker has received and not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The message.
    pub message: MessageId,
    /// The attempt number that this delivery has.
    pub attempt: u32,
    /// The receipt of the lease.
    pub receipt: Receipt,
}

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// Waiting for a message.
    Idle {
        /// Since when.
        since: Moment,
    },
    /// Running a program.
    Busy(Task),
    /// Crashed or stopped; a supervisor starts it again.
    Down {
        /// When it is back.
        until: Moment,
    },
}

/// How the length of a step is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Always the mean.
    Fixed,
    /// Even between 0 and twice the mean.
    Uniform,
    /// Exponential around the mean.
    Exponential,
}

/// How long each step takes. The others take no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Length of [`Step::Think`].
    pub think: Span,
    /// Length of [`Step::Write`] and [`Step::Start`].
    pub write: Span,
    /// Length of [`Step::Checkpoint`].
    pub checkpoint: Span,
    /// Length of [`Step::Ack`].
    pub ack: Span,
}
