//! A scenario: the settings, checked and typed, as the world uses them.

mod read;

use super::choice::Chooser;
use super::fault::{Fault, Point, Points, Rule, Site, Verdict, When};
use super::program;
use super::settings::{Id, Settings};
use super::value::Value;
use crate::WHOLE;
use crate::model::backoff::{Backoff, Jitter, Kind};
use crate::model::key::{IdempotencyKey, KeyPolicy, Minted};
use crate::model::ledger::{ClaimRule, Guard, GuardAt};
use crate::model::outbox::RelayOrder;
use crate::model::queue::{LateAck, LateExtend};
use crate::model::vendor::Profile;
use crate::model::worker::{Lengths, Program, Spread};
use crate::random::{Address, Draws, Purpose};
use crate::units::{Cents, JobIndex, Span};

pub(in crate::sim) use read::Reader;
use read::{backoff, broker, client, crew, deploy, rate, relays, vendor, workload};

/// The number that the first job carries in its name.
const FIRST_JOB: u64 = 17;
/// The step of the job that every slice here runs.
const STEP: u32 = 3;

/// Where the money moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// In the local ledger: write and row are one act.
    Ledger,
    /// At the vendor.
    Vendor,
    /// At whoever gets the rows of the outbox.
    Outbox,
}

/// Where the checkpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointAt {
    /// Nowhere.
    Nowhere,
    /// Before the effect; a delivery that finds it goes on after the effect.
    BeforeSkip,
    /// Before the effect; a delivery that finds it makes the effect under a new key.
    BeforeMint,
    /// After the effect.
    After,
}

/// Whether the resource refuses old fencing tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fencing {
    /// No.
    Off,
    /// At the effect.
    AtEffect,
    /// At the effect, and the token is shown when the work starts.
    FromStart,
}

/// When a message that has used up its attempts is moved to the dead letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLetter {
    /// At the receive that would have been one too many.
    Lazy,
    /// As soon as the last lease ends.
    Eager,
}

/// How jobs arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// All at the start.
    AtOnce,
    /// One every gap, the first at the start.
    Every,
    /// With exponential gaps.
    Exponential,
}

/// The jobs and how they arrive.
#[derive(Clone, Debug)]
pub struct Workload {
    /// How many jobs are sent.
    pub jobs: u32,
    /// How they arrive.
    pub arrivals: Arrivals,
    /// The gap between two arrivals.
    pub gap: Span,
    /// What the first refund of each is owed.
    pub amount: Cents,
    /// What the second is owed, where there is one.
    pub second: Option<Cents>,
    /// How much more each attempt means to pay.
    pub drift: Cents,
    /// How many accounts they belong to.
    pub accounts: u32,
    /// How long after its sending a job is due.
    pub eta: Span,
    /// When the producer sends a job's message again.
    pub resends: Vec<Span>,
}

/// The workers.
#[derive(Clone, Debug)]
pub struct Crew {
    /// How many there are.
    pub count: u16,
    /// How long a crashed one is away.
    pub restart: Span,
    /// How many messages one holds at once.
    pub prefetch: usize,
    /// How often one sends a heartbeat; 0 for never.
    pub heartbeat: Span,
    /// How long a heartbeat makes the lease from then on.
    pub heartbeat_value: Span,
    /// How many database connections there are; 0 for no limit.
    pub pool: u32,
}

/// The queue.
#[derive(Clone, Debug)]
pub struct Broker {
    /// The length of a lease.
    pub visibility_timeout: Span,
    /// Whether the lease of a message that a worker holds starts when its work does.
    pub lease_from_start: bool,
    /// How long a lease may last in all.
    pub max_lease: Span,
    /// How many attempts count at most.
    pub max_attempts: u32,
    /// Whether every receive counts; if not, only failures do.
    pub expiry_counts: bool,
    /// How many leases may end; none for no limit.
    pub max_stalls: Option<u32>,
    /// When a message is given up after that.
    pub dead_letter: DeadLetter,
    /// What a late ack does.
    pub late_ack: LateAck,
    /// What a late heartbeat does.
    pub late_extend: LateExtend,
    /// Whether the backoff is added after a lease that ended.
    pub expiry_backoff: bool,
    /// How often the queue looks for leases that have ended; 0 for at once.
    pub sweep: Span,
    /// When it looks for the first time.
    pub sweep_phase: Span,
    /// Whether leases end by themselves, and a sweep marks what the next one gives back.
    pub sweep_marks: bool,
    /// How long it knows the id of a message that was sent; 0 for not at all.
    pub dedup_window: Span,
}

/// The payment vendor.
#[derive(Clone, Debug)]
pub struct VendorSide {
    /// What it does with keys.
    pub profile: Profile,
    /// How long a call takes.
    pub time: Span,
    /// How many calls it runs at once; none for no limit.
    pub slots: Option<u32>,
    /// How long it takes to refuse one.
    pub refusal_time: Span,
    /// What it refuses with.
    pub refusal_status: u16,
    /// Whether a call takes a place at the vendor while it is being refused.
    pub refusal_takes_slot: bool,
    /// How long a key is known from its first use.
    pub key_life: Span,
    /// How long a call under way keeps others with its key out; none for until it ends.
    pub claim_life: Option<Span>,
    /// When it is back, if it is down at the start.
    pub down_until: Span,
    /// When its test clock is moved.
    pub test_clock: Option<Span>,
    /// When what it has paid is taken back.
    pub undo: Option<Span>,
}

/// How a worker calls.
#[derive(Clone, Debug)]
pub struct Client {
    /// How long it waits for an answer; 0 for ever.
    pub timeout: Span,
    /// How many calls it makes within an attempt.
    pub tries: u32,
    /// How long it waits between them.
    pub wait: Span,
    /// Whether it tries again after a 4xx that the default table calls final.
    pub retries_4xx: bool,
    /// Whether it tries again after no answer.
    pub retries_unknown: bool,
    /// Whether a failed attempt sends its message again as a new one, instead of a nack.
    pub resends: bool,
}

/// The relays of an outbox.
#[derive(Clone, Debug)]
pub struct Relays {
    /// How many there are.
    pub count: u16,
    /// In which order one sends and marks.
    pub order: RelayOrder,
    /// Whether who gets the rows knows those that it has had.
    pub dedup: bool,
    /// Whether the key is chosen at each send.
    pub key_at_send: bool,
    /// How long each step takes.
    pub time: Span,
}

/// A deploy.
#[derive(Clone, Copy, Debug)]
pub struct Deploy {
    /// When.
    pub at: Span,
    /// Whether the old workers are drained; if not, they are killed.
    pub drains: bool,
    /// Whether a worker that is drained stops already at its checkpoint.
    pub stops_at_checkpoint: bool,
    /// How long draining may take; none for as long as it takes.
    pub grace: Option<Span>,
    /// How long after one worker the next one's turn is; 0 for all at once.
    pub gap: Span,
}

/// Everything that a run depends on.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The source of every draw.
    pub draws: Draws,
    /// The jobs.
    pub workload: Workload,
    /// The workers.
    pub crew: Crew,
    /// The queue.
    pub broker: Broker,
    /// Where the money moves.
    pub effect: Effect,
    /// The lengths of the steps.
    pub lengths: Lengths,
    /// How the length of the effect is spread.
    pub spread: Spread,
    /// What keeps a repeat from being written.
    pub guard: Guard,
    /// Where the guard looks.
    pub guard_at: GuardAt,
    /// What its row before the call means.
    pub claim: ClaimRule,
    /// How long a claim in progress lasts; none for without end.
    pub claim_life: Option<Span>,
    /// How the key is chosen.
    pub key: KeyPolicy,
    /// Where the checkpoint is.
    pub checkpoint: CheckpointAt,
    /// Whether old fencing tokens are refused.
    pub fencing: Fencing,
    /// The payment vendor.
    pub vendor: VendorSide,
    /// How a worker calls.
    pub client: Client,
    /// The relays.
    pub relays: Relays,
    /// A deploy, if there is one.
    pub deploy: Option<Deploy>,
    /// How long to wait between attempts.
    pub backoff: Backoff,
    /// What goes wrong, and where.
    pub faults: Vec<Rule>,
    /// How often something goes wrong, in parts per million, and what.
    pub rate: Option<(u32, Fault)>,
    /// Whether a message is acked before the work.
    pub ack_first: bool,
    /// The steps of a slice.
    pub program: Program,
    /// The point at which a worker stands before each of them, if it is one.
    pub points: Vec<Option<Point>>,
}

impl Scenario {
    /// Makes a scenario of settings. Settings hold only what is allowed, so nothing can fail.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let read = Reader(settings);
        let program = program::compile(settings);
        Self {
            draws: Draws::new(settings.number(Id::Seed)),
            workload: workload(read),
            crew: crew(read),
            broker: broker(read),
            effect: read.effect(),
            lengths: Lengths {
                think: read.span(Id::SliceThink),
                write: read.span(Id::SliceWrite),
                checkpoint: read.span(Id::SliceCheckpoint),
                ack: read.span(Id::SliceAck),
            },
            spread: match read.choice(Id::SliceSpread) {
                "uniform" => Spread::Uniform,
                "exponential" => Spread::Exponential,
                _ => Spread::Fixed,
            },
            guard: read.guard(),
            guard_at: match read.choice(Id::GuardAt) {
                "call" => GuardAt::Call,
                _ => GuardAt::Write,
            },
            claim: match read.choice(Id::GuardClaim) {
                "done" => ClaimRule::Done,
                "in-progress-skip" => ClaimRule::InProgressSkip,
                _ => ClaimRule::InProgressRelease,
            },
            claim_life: read.some_span(Id::GuardClaimLife),
            key: match read.choice(Id::Key) {
                "none" => KeyPolicy::None,
                "per-attempt" => KeyPolicy::PerAttempt,
                "job" => KeyPolicy::PerJob,
                "constant" => KeyPolicy::Constant,
                _ => KeyPolicy::Stable,
            },
            checkpoint: read.checkpoint(),
            fencing: match read.choice(Id::Fencing) {
                "write" => Fencing::AtEffect,
                "start" => Fencing::FromStart,
                _ => Fencing::Off,
            },
            vendor: vendor(read),
            client: client(read),
            relays: relays(read),
            deploy: deploy(read),
            backoff: backoff(read),
            faults: match settings.get(Id::Faults) {
                Value::Rules(rules) => rules.clone(),
                _ => Vec::new(),
            },
            rate: rate(read),
            ack_first: read.choice(Id::AckWhen) == "before",
            points: program::points(&program),
            program,
        }
    }

    /// The same scenario, in which nothing goes wrong that a search decides about: no crashes of
    /// its own, no rates, no deploy. What the vendor answers by rule stays.
    #[must_use]
    pub fn without_crashes(&self) -> Self {
        let stays = |rule: &&Rule| {
            matches!(rule.when, When::At(fault)
                if matches!(fault.verdict, Verdict::Answer(_) | Verdict::Throw))
        };
        Self {
            faults: self.faults.iter().filter(stays).copied().collect(),
            rate: None,
            deploy: None,
            ..self.clone()
        }
    }

    /// What a job is owed in all.
    #[must_use]
    pub fn owed(&self) -> Cents {
        let second = self.workload.second.unwrap_or(Cents::ZERO);
        self.workload.amount.saturating_add(second)
    }

    /// How many refunds a job makes.
    #[must_use]
    pub fn refunds(&self) -> u8 {
        1 + u8::from(self.workload.second.is_some())
    }

    /// Whether a worker acks before the work.
    #[must_use]
    pub fn acks_first(&self) -> bool {
        WHOLE && self.ack_first
    }

    /// The account that a job belongs to.
    #[must_use]
    pub fn account(&self, job: JobIndex) -> u32 {
        if WHOLE { job.0 % self.workload.accounts } else { 0 }
    }

    /// What an attempt means to pay for a refund.
    #[must_use]
    pub fn planned(&self, refund: u8, attempt: u32) -> Cents {
        let amount = match (refund, self.workload.second) {
            (1, Some(second)) => second,
            _ => self.workload.amount,
        };
        if !WHOLE || self.workload.drift == Cents::ZERO {
            return amount;
        }
        let drift = self.workload.drift.as_cents().saturating_mul(u64::from(attempt));
        amount.saturating_add(Cents::from_cents(drift))
    }

    /// A length of the effect, drawn for one message's attempt.
    #[cfg_attr(not(feature = "page"), inline(always))]
    #[must_use]
    pub fn spread(&self, mean: Span, at: Address) -> Span {
        match self.spread {
            Spread::Fixed => mean,
            Spread::Uniform => {
                let most = mean.as_micros().saturating_mul(2);
                Span::from_micros(self.draws.uniform(at, 0, most))
            }
            Spread::Exponential => self.draws.exponential(at, mean),
        }
    }

    /// How long after the job before it a job arrives.
    #[must_use]
    pub fn gap_before(&self, job: u32) -> Span {
        let gap = self.workload.gap;
        match self.workload.arrivals {
            Arrivals::Exponential => {
                let at = Address { job, ..Address::new(Purpose::Arrival) };
                self.draws.exponential(at, gap)
            }
            Arrivals::AtOnce | Arrivals::Every => gap,
        }
    }

    /// A job's name: `job_17` is the first.
    #[must_use]
    pub fn job_id(&self, job: JobIndex) -> String {
        format!("job_{}", FIRST_JOB + u64::from(job.0))
    }

    /// A key's text: `job_17:step_3:refund`; `none` where no key is sent.
    #[must_use]
    pub fn key_text(&self, key: IdempotencyKey) -> String {
        let job = self.job_id(key.job);
        let second = if key.refund > 0 { "_2" } else { "" };
        match key.minted {
            Minted::Stable => format!("{job}:step_{STEP}:refund{second}"),
            Minted::By(number) => format!("{job}:step_{STEP}:refund{second}:{number}"),
            Minted::Missing => "none".to_owned(),
            Minted::Job => job,
            Minted::Constant => "refund".to_owned(),
        }
    }

    /// What its own rules and its rate say about a site.
    #[must_use]
    pub fn verdict(&self, site: &Site) -> Verdict {
        let about = self.faults.iter().filter_map(|rule| Some((rule.precision(), rule.at(site)?)));
        if let Some((_, verdict)) = about.max_by_key(|(precision, _)| *precision) {
            return verdict;
        }
        match self.rate {
            Some((ppm, fault)) if fault.point == site.point => {
                let at = Address {
                    purpose: Purpose::Fault,
                    job: site.job.0,
                    message: site.message,
                    attempt: site.attempt,
                    retry: site.retry,
                    point: u32::from(site.refund) << 8 | site.point as u32,
                };
                if self.draws.chance(at, ppm) { fault.verdict } else { Verdict::Go }
            }
            _ => Verdict::Go,
        }
    }
}

/// The scenario's own rules and rate as a chooser.
impl Chooser for &Scenario {
    fn verdict(&mut self, site: &Site) -> Verdict {
        Scenario::verdict(self, site)
    }

    fn points(&self) -> Points {
        let ruled = self.faults.iter().filter_map(|rule| match rule.when {
            When::At(fault) => Some(fault.point),
            When::After(_) => None,
        });
        let rated = self.rate.iter().map(|(_, fault)| fault.point);
        ruled.chain(rated).fold(Points::NONE, Points::and)
    }
}
