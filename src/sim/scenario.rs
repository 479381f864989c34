//! A scenario: the settings, checked and typed, as the world uses them.

use super::choice::Chooser;
use super::fault::{Rule, Site, Verdict};
use super::settings::{Id, Settings};
use super::value::Value;
use crate::model::backoff::{Backoff, Jitter, Kind};
use crate::model::key::IdempotencyKey;
use crate::model::ledger::Guard;
use crate::model::queue::LateAck;
use crate::model::worker::Slice;
use crate::random::Draws;
use crate::units::{Cents, JobIndex, Span};

/// The number that the first job carries in its name.
const FIRST_JOB: u64 = 17;
/// The step of the job that every slice here runs.
const STEP: u32 = 3;

/// When a message that has used up its attempts is moved to the dead letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLetter {
    /// At the receive that would have been one too many.
    Lazy,
    /// As soon as the last lease ends.
    Eager,
}

/// Everything that a run depends on.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The source of every draw.
    pub draws: Draws,
    /// How many jobs are sent at the start.
    pub jobs: u32,
    /// What each of them is owed.
    pub amount: Cents,
    /// How many workers there are.
    pub workers: u16,
    /// How long a crashed worker is away.
    pub restart: Span,
    /// The length of a lease.
    pub visibility_timeout: Span,
    /// How many deliveries a job has at most.
    pub max_attempts: u32,
    /// When it is given up after that.
    pub dead_letter: DeadLetter,
    /// What a late ack does.
    pub late_ack: LateAck,
    /// Whether the backoff is added after a lease that ended.
    pub expiry_backoff: bool,
    /// The lengths of the steps.
    pub slice: Slice,
    /// What keeps a repeat from being written.
    pub guard: Guard,
    /// How long to wait between attempts.
    pub backoff: Backoff,
    /// What goes wrong, and where.
    pub faults: Vec<Rule>,
}

impl Scenario {
    /// Makes a scenario of settings. Settings hold only what is allowed, so nothing can fail.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let small = |id| u32::try_from(settings.number(id)).unwrap_or(u32::MAX);
        Self {
            draws: Draws::new(settings.number(Id::Seed)),
            jobs: small(Id::JobCount),
            amount: Cents::from_cents(settings.number(Id::JobAmount)),
            workers: u16::try_from(settings.number(Id::WorkersCount)).unwrap_or(u16::MAX),
            restart: settings.span(Id::WorkersRestart),
            visibility_timeout: settings.span(Id::VisibilityTimeout),
            max_attempts: small(Id::MaxAttempts),
            dead_letter: match settings.choice(Id::DeadLetter) {
                "eager" => DeadLetter::Eager,
                _ => DeadLetter::Lazy,
            },
            late_ack: match settings.choice(Id::LateAck) {
                "delete" => LateAck::Delete,
                "refuse" => LateAck::Refuse,
                _ => LateAck::NewestReceipt,
            },
            expiry_backoff: settings.switch(Id::ExpiryBackoff),
            slice: Slice {
                think: settings.span(Id::SliceThink),
                write: settings.span(Id::SliceWrite),
                checkpoint: settings.span(Id::SliceCheckpoint),
                ack: settings.span(Id::SliceAck),
            },
            guard: match settings.choice(Id::Guard) {
                "off" => Guard::Off,
                "check-then-insert" => Guard::CheckThenInsert,
                "ask-the-model" => Guard::AskTheModel,
                _ => Guard::AtomicInsert,
            },
            backoff: backoff(settings),
            faults: match settings.get(Id::Faults) {
                Value::Rules(rules) => rules.clone(),
                _ => Vec::new(),
            },
        }
    }

    /// The same scenario from another seed.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { draws: Draws::new(seed), ..self.clone() }
    }

    /// A job's name: `job_17` is the first.
    #[must_use]
    pub fn job_id(&self, job: JobIndex) -> String {
        format!("job_{}", FIRST_JOB + u64::from(job.0))
    }

    /// A key's text: `job_17:step_3:refund`.
    #[must_use]
    pub fn key_text(&self, key: IdempotencyKey) -> String {
        format!("{}:step_{STEP}:refund", self.job_id(key.job))
    }
}

fn backoff(settings: &Settings) -> Backoff {
    let percent = u32::try_from(settings.number(Id::BackoffPercent)).unwrap_or(100);
    Backoff {
        kind: match settings.choice(Id::BackoffKind) {
            "none" => Kind::None,
            "fixed" => Kind::Fixed,
            "linear" => Kind::Linear,
            "polynomial" => Kind::Polynomial,
            "list" => Kind::List,
            _ => Kind::Exponential,
        },
        base: settings.span(Id::BackoffBase),
        cap: settings.span(Id::BackoffCap),
        degree: u32::try_from(settings.number(Id::BackoffDegree)).unwrap_or(1),
        list: match settings.get(Id::BackoffList) {
            Value::Spans(spans) => spans.clone(),
            _ => Vec::new(),
        },
        jitter: match settings.choice(Id::BackoffJitter) {
            "none" => Jitter::None,
            "equal" => Jitter::Equal,
            "decorrelated" => Jitter::Decorrelated,
            "percent" => Jitter::Percent(percent),
            "downward" => Jitter::Downward(percent),
            "additive" => Jitter::Additive(settings.span(Id::BackoffExtra)),
            _ => Jitter::Full,
        },
    }
}

/// The scenario's own fault rules as a chooser: the first that speaks of the site decides.
impl Chooser for &[Rule] {
    fn verdict(&mut self, site: &Site) -> Verdict {
        self.iter().find_map(|rule| rule.at(site)).unwrap_or(Verdict::Go)
    }
}
