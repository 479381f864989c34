//! The one table of settings. Terminal flags, element attributes, the link, the controls on the
//! page, the error texts and the reference in the docs all come from it.

use super::profiles;
use super::value::{MOST_ENTRIES, Value};
use crate::WHOLE;
use crate::json::data;
use crate::units::Span;
use std::fmt;

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Switch,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A whole number.
    Number {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
        /// What is counted.
        unit: &'static str,
    },
    /// A length of time, as a number with a unit: `30s`, `250ms`.
    Span {
        /// The shortest.
        min: Span,
        /// The longest.
        max: Span,
    },
    /// Several lengths of time, separated by blanks, or `none`.
    Spans {
        /// The longest of each.
        max: Span,
    },
    /// Fault rules, separated by blanks, or `none`.
    Rules,
}

/// Who owns a setting in a real system: who would have to change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The runtime: broker, worker framework.
    Runtime,
    /// The tool that does the work: here, what refunds.
    DomainTool,
    /// Whoever answers the pager.
    OnCall,
}

impl Owner {
    /// The owner's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::DomainTool => "domain tool",
            Self::OnCall => "on-call",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its place in the table.
    pub id: Id,
    /// Its name: `queue.visibility_timeout`.
    pub path: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// What it is unless an experiment or a reader says otherwise.
    pub default: &'static str,
    /// Who owns it.
    pub owner: Owner,
}

const fn seconds(count: u64) -> Span {
    Span::from_secs(count)
}
const HOUR: Span = seconds(3600);
const DAY: Span = seconds(86_400);

/// How many jobs there may be: on the page so many as it plays and draws without a pause.
const MOST_JOBS: u64 = if WHOLE { 1_000_000 } else { 2_000 };

const fn count(min: u64, max: u64, unit: &'static str) -> Kind {
    Kind::Number { min, max, unit }
}
const fn span(min: Span, max: Span) -> Kind {
    Kind::Span { min, max }
}
const fn names(names: &'static [&'static str]) -> Kind {
    Kind::Choice(names)
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $id:ident = $path:literal, $kind:expr, $default:literal, $owner:ident;)+) => {
        /// The settings by name, in the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(usize)]
        pub enum Id {
            $($(#[doc = $doc])+ $id,)+
        }

        /// Every setting there is.
        pub static SETTINGS: &[Setting] = &[
            $(Setting { id: Id::$id, path: $path, kind: $kind, default: $default, owner: Owner::$owner },)+
        ];
    };
}

settings! {
    /// The seed that every draw comes from.
    Seed = "seed", count(0, u64::MAX, ""), "1", OnCall;
    /// A broker's profile: a named row of the queue's settings.
    Broker = "broker", names(profiles::BROKER_NAMES), "standard", Runtime;
    /// A vendor's profile: what it does with keys. `none` knows no keys.
    Vendor = "vendor", names(profiles::VENDOR_NAMES), "ietf", DomainTool;
    /// Where the money moves: in the local ledger, at the vendor, or out of an outbox.
    Effect = "effect", names(&["ledger", "vendor", "outbox"]), "ledger", DomainTool;
    /// What keeps a repeat from being written. `on` is the atomic insert.
    Guard = "guard", names(&["off", "check-then-insert", "on", "ask-the-model", "ask-the-vendor"]), "on", DomainTool;
    /// Where the guard looks when a vendor is called: at the local write, or before the call.
    GuardAt = "guard.at", names(&["write", "call"]), "write", DomainTool;
    /// What the row of an atomic insert before the call means to whoever finds it.
    GuardClaim = "guard.claim", names(&["done", "in-progress-skip", "in-progress-release"]), "in-progress-release", DomainTool;
    /// How long a claim that is in progress lasts. 0 is without end.
    GuardClaimLife = "guard.claim_life", span(Span::ZERO, DAY), "0s", DomainTool;
    /// How the idempotency key is chosen.
    Key = "key", names(&["none", "per-attempt", "stable", "job", "constant"]), "stable", DomainTool;
    /// Where the checkpoint is; before the effect, a retry skips it or mints a key.
    Checkpoint = "checkpoint", names(&["none", "before-skip", "before-mint", "after"]), "after", DomainTool;
    /// Whether the resource refuses a fencing token below the highest seen: at the write, or also
    /// with the token shown when the work starts.
    Fencing = "fencing", names(&["off", "write", "start"]), "off", DomainTool;
    /// Whether the worker asks, just before the effect, if the message is still its own.
    CheckLease = "lease_check", Kind::Switch, "off", DomainTool;
    /// Whether one database transaction is held from the first step to the local write.
    Transaction = "transaction", Kind::Switch, "off", DomainTool;
    /// How many database connections there are. 0 is no limit.
    Pool = "pool", count(0, 1000, "connections"), "0", OnCall;
    /// What goes wrong, and where.
    Faults = "faults", Kind::Rules, "none", OnCall;
    /// How often something goes wrong: parts per million of the places where it may.
    FaultRate = "faults.rate", count(0, 1_000_000, "ppm"), "0", OnCall;
    /// What goes wrong at that rate.
    FaultRateOf = "faults.rate_of", names(super::fault::RATED), "after-write", OnCall;
    /// How many jobs are sent.
    JobCount = "job.count", count(1, MOST_JOBS, "jobs"), "1", Runtime;
    /// How they arrive: all at the start, or one after the other.
    JobArrivals = "job.arrivals", names(&["at-once", "every", "exponential"]), "at-once", OnCall;
    /// The gap between two arrivals: its length, or its mean.
    JobGap = "job.gap", span(Span::ZERO, DAY), "1s", OnCall;
    /// What each job is owed.
    JobAmount = "job.amount", count(1, 100_000_000, "cents"), "1999", DomainTool;
    /// What a second refund of the same job is owed. 0 is no second refund.
    JobSecond = "job.second_amount", count(0, 100_000_000, "cents"), "0", DomainTool;
    /// How much more each attempt means to pay: a model that plans anew.
    JobDrift = "job.drift", count(0, 1_000_000, "cents"), "0", DomainTool;
    /// How many accounts the jobs belong to, in turn.
    JobAccounts = "job.accounts", count(1, 1000, "accounts"), "1", DomainTool;
    /// How long after its sending a job is due. The worker holds its message until then.
    JobEta = "job.eta", span(Span::ZERO, DAY), "0s", DomainTool;
    /// When the producer sends the same message again, counted from the first time.
    JobResends = "job.resends", Kind::Spans { max: DAY }, "none", Runtime;
    /// How many workers there are.
    WorkersCount = "workers.count", count(1, 50, "workers"), "3", OnCall;
    /// How long a crashed worker is away.
    WorkersRestart = "workers.restart", span(Span::ZERO, HOUR), "5s", Runtime;
    /// How many messages a worker holds at once, the one that it works on among them.
    WorkersPrefetch = "workers.prefetch", count(1, 100, "messages"), "1", Runtime;
    /// How often a worker sends a heartbeat. 0 is never.
    Heartbeat = "workers.heartbeat", span(Span::ZERO, DAY), "0s", Runtime;
    /// How long a heartbeat makes the lease from then on. 0 is the visibility timeout.
    HeartbeatValue = "workers.heartbeat_value", span(Span::ZERO, DAY), "0s", Runtime;
    /// How long a received message is invisible to others: the length of its lease.
    VisibilityTimeout = "queue.visibility_timeout", span(Span::from_millis(1), DAY), "30s", Runtime;
    /// Where a lease's clock starts when a worker holds several messages.
    LeaseFrom = "queue.lease_from", names(&["delivery", "start"]), "delivery", Runtime;
    /// How long a lease may last in all.
    MaxLease = "queue.max_lease", span(Span::from_secs(1), seconds(30 * 86_400)), "12h", Runtime;
    /// How many attempts a job has before it is a dead letter.
    MaxAttempts = "queue.max_attempts", count(1, 4_294_967_295, "deliveries"), "5", OnCall;
    /// Whether a lease that ends counts as an attempt; if not, only failures do.
    ExpiryCounts = "queue.expiry_counts", Kind::Switch, "on", Runtime;
    /// How many leases may end before the job is a dead letter, counted apart. 0 is no limit.
    MaxStalls = "queue.max_stalls", count(0, 1000, "stalls"), "0", OnCall;
    /// When a message that has used up its attempts is moved: at the next receive, or as soon as
    /// the last lease ends.
    DeadLetter = "queue.dead_letter", names(&["lazy", "eager"]), "lazy", Runtime;
    /// What the queue does with an ack whose lease is over.
    LateAck = "queue.late_ack", names(&["delete", "newest-receipt", "refuse"]), "newest-receipt", Runtime;
    /// What the queue does with a heartbeat whose lease is over.
    LateExtend = "queue.late_extend", names(&["refuse", "extend"]), "refuse", Runtime;
    /// Whether the backoff is added after a lease that ended.
    ExpiryBackoff = "queue.expiry_backoff", Kind::Switch, "off", Runtime;
    /// How often the queue looks for leases that have ended. 0 is at once.
    Sweep = "queue.sweep", span(Span::ZERO, HOUR), "0s", Runtime;
    /// When it looks for the first time.
    SweepPhase = "queue.sweep_phase", span(Span::ZERO, HOUR), "0s", Runtime;
    /// How long the queue knows the id of a message that was sent. 0 is not at all.
    DedupWindow = "queue.dedup_window", span(Span::ZERO, DAY), "0s", Runtime;
    /// Whether the message is acked before the work or after it.
    AckWhen = "queue.ack", names(&["before", "after"]), "after", Runtime;
    /// How long the worker thinks before it writes. 0 leaves the step out.
    SliceThink = "slice.think", span(Span::ZERO, HOUR), "1s", DomainTool;
    /// How long the write takes.
    SliceWrite = "slice.write", span(Span::ZERO, HOUR), "1s", DomainTool;
    /// How long the checkpoint takes.
    SliceCheckpoint = "slice.checkpoint", span(Span::ZERO, HOUR), "500ms", Runtime;
    /// How long the ack takes.
    SliceAck = "slice.ack", span(Span::ZERO, HOUR), "500ms", Runtime;
    /// How the length of the effect is spread around its mean.
    SliceSpread = "slice.spread", names(&["fixed", "uniform", "exponential"]), "fixed", DomainTool;
    /// How long the vendor takes for a call. 0 is at once.
    VendorTime = "vendor.time", span(Span::ZERO, HOUR), "1s", DomainTool;
    /// How many calls the vendor runs at once. 0 is no limit.
    VendorSlots = "vendor.slots", count(0, 1000, "calls"), "0", DomainTool;
    /// How long the vendor takes to refuse a call.
    VendorRefusal = "vendor.refusal_time", span(Span::ZERO, HOUR), "20ms", DomainTool;
    /// What it refuses with when it is full.
    VendorRefusalStatus = "vendor.refusal_status", names(&["429", "503"]), "503", DomainTool;
    /// How long a key is known, counted from its first use.
    VendorKeyLife = "vendor.key_life", span(Span::ZERO, seconds(30 * 86_400)), "1d", DomainTool;
    /// Whether a call without a key is refused.
    VendorKeyRequired = "vendor.key_required", Kind::Switch, "off", DomainTool;
    /// Whether a key means something only within its account.
    VendorKeyScoped = "vendor.key_scoped", Kind::Switch, "on", DomainTool;
    /// When the vendor is back, if it is down at the start. 0 is up from the start.
    VendorDownUntil = "vendor.down_until", span(Span::ZERO, DAY), "0s", DomainTool;
    /// When the vendor's test clock is moved to the end of every key's life. 0 is never.
    VendorClock = "vendor.test_clock", span(Span::ZERO, seconds(30 * 86_400)), "0s", DomainTool;
    /// When support takes back what the vendor has paid. 0 is never.
    VendorUndo = "vendor.undo", span(Span::ZERO, seconds(30 * 86_400)), "0s", DomainTool;
    /// How long a worker waits for an answer. 0 is for ever.
    ClientTimeout = "client.timeout", span(Span::ZERO, HOUR), "0s", Runtime;
    /// How many calls a worker makes within an attempt before the attempt has failed.
    ClientTries = "client.tries", count(1, 100, "calls"), "1", Runtime;
    /// How long it waits between them.
    ClientWait = "client.wait", span(Span::ZERO, HOUR), "0s", Runtime;
    /// What a 4xx means that is no conflict in progress: final, or try again.
    RetryClient = "retry.on_4xx", names(&["final", "retry"]), "final", DomainTool;
    /// What no answer means: try again, or final.
    RetryUnknown = "retry.on_no_answer", names(&["retry", "final"]), "retry", DomainTool;
    /// How a failed attempt gives its message back: with a nack, or as a new message.
    RetryHow = "retry.how", names(&["nack", "resend"]), "nack", Runtime;
    /// How the wait grows from attempt to attempt.
    BackoffKind = "backoff.kind", names(&["none", "fixed", "linear", "exponential", "polynomial", "list"]), "exponential", Runtime;
    /// The first wait, before jitter.
    BackoffBase = "backoff.base", span(Span::ZERO, DAY), "1s", Runtime;
    /// The longest wait, after jitter.
    BackoffCap = "backoff.cap", span(Span::ZERO, seconds(30 * 86_400)), "30s", Runtime;
    /// The power of a polynomial backoff.
    BackoffDegree = "backoff.degree", count(1, 10, "power"), "4", Runtime;
    /// The waits of a list backoff; the last one repeats.
    BackoffList = "backoff.list", Kind::Spans { max: DAY }, "1s 5s 30s", Runtime;
    /// How the wait is spread.
    BackoffJitter = "backoff.jitter", names(&["none", "full", "equal", "decorrelated", "percent", "downward", "additive"]), "full", Runtime;
    /// How far `percent` and `downward` spread.
    BackoffPercent = "backoff.percent", count(0, 100, "%"), "20", Runtime;
    /// How much `additive` adds at most.
    BackoffExtra = "backoff.extra", span(Span::ZERO, DAY), "1s", Runtime;
    /// How many relays send the rows of the outbox.
    RelayCount = "relay.count", count(1, 10, "relays"), "1", Runtime;
    /// In which order a relay sends and marks.
    RelayOrder = "relay.order", names(&["publish-then-mark", "mark-then-publish"]), "publish-then-mark", DomainTool;
    /// Whether who gets the rows knows those that it has had.
    RelayDedup = "relay.dedup", Kind::Switch, "on", DomainTool;
    /// Where the key of a row is chosen: in its transaction, or at each send.
    RelayKey = "relay.key", names(&["row", "send"]), "row", DomainTool;
    /// How long each step of a relay takes.
    RelayTime = "relay.time", span(Span::ZERO, HOUR), "100ms", Runtime;
    /// When a new version is deployed. 0 is never.
    DeployAt = "deploy.at", span(Span::ZERO, DAY), "0s", OnCall;
    /// What happens to the old workers: all are killed, or all are drained.
    DeployKind = "deploy.kind", names(&["kill", "drain"]), "kill", OnCall;
    /// Where a worker that is drained stops: at its ack, or already at its checkpoint.
    DeployStop = "deploy.stop", names(&["ack", "checkpoint"]), "ack", OnCall;
    /// How long draining may take before the rest is killed. 0 is as long as it takes.
    DeployGrace = "deploy.grace", span(Span::ZERO, DAY), "0s", OnCall;
}

impl Id {
    /// Whether the page's own build can set it to anything but its default. What it leaves out is
    /// what no chapter sets.
    #[must_use]
    pub fn is_in_page(self) -> bool {
        !matches!(
            self,
            Self::Broker
                | Self::Fencing
                | Self::CheckLease
                | Self::JobDrift
                | Self::JobAccounts
                | Self::JobEta
                | Self::JobResends
                | Self::WorkersPrefetch
                | Self::LeaseFrom
                | Self::MaxLease
                | Self::ExpiryCounts
                | Self::MaxStalls
                | Self::Sweep
                | Self::SweepPhase
                | Self::DedupWindow
                | Self::AckWhen
                | Self::VendorKeyScoped
                | Self::VendorUndo
        )
    }
}

data! {
    /// Says no to a value, with all that a reader needs to put it right.
    #[derive(Clone, PartialEq, Eq, thiserror::Error)]
    pub struct Refusal {
        /// The field: a setting's path, or what else was read.
        pub field: String,
        /// The value that was given, shortened when it is long.
        pub value: String,
        /// What would be allowed.
        pub limit: String,
        /// The unit of the limit; empty where there is none.
        pub unit: String,
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be `{}`; allowed: {}", self.field, self.value, self.limit)?;
        if !self.unit.is_empty() && !self.limit.ends_with(&self.unit) {
            write!(f, " (unit: {})", self.unit)?;
        }
        Ok(())
    }
}

impl Refusal {
    /// A refusal of a value that belongs to no setting.
    #[must_use]
    pub fn new(field: &str, value: &str, limit: impl Into<String>, unit: &str) -> Self {
        // What came in goes to a terminal or a page: no control characters, no endless line.
        let plain = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
        let mut shown: String = value.chars().take(80).map(plain).collect();
        if value.chars().nth(80).is_some() {
            shown.push('…');
        }
        Self { field: field.to_owned(), value: shown, limit: limit.into(), unit: unit.to_owned() }
    }
}

impl Setting {
    /// The element attribute: the path with hyphens.
    #[must_use]
    pub fn attribute(&self) -> String {
        self.path.replace(['.', '_'], "-")
    }

    /// The unit of its values; empty where there is none.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Switch | Kind::Choice(_) => "",
            Kind::Number { unit, .. } => unit,
            Kind::Span { .. } | Kind::Spans { .. } => "us, ms, s, m, h or d",
            Kind::Rules => "fault rules",
        }
    }

    /// What it allows, in words.
    #[must_use]
    pub fn limit(&self) -> String {
        match self.kind {
            Kind::Switch => "on or off".to_owned(),
            Kind::Choice(names) => names.join(", "),
            Kind::Number { min, max, unit } => {
                format!("a whole number from {min} to {max} {unit}").trim_end().to_owned()
            }
            Kind::Span { min, max } => {
                format!("a time from {} to {}, with its unit", min.exact_text(), max.exact_text())
            }
            Kind::Spans { max } => format!(
                "none, or up to {MOST_ENTRIES} times of at most {} each, separated by blanks",
                max.exact_text()
            ),
            Kind::Rules => {
                let points = super::fault::POINTS.iter().filter(|(_, point)| point.is_between());
                let points: Vec<&str> = points.map(|(name, _)| *name).collect();
                format!(
                    "none, or up to {MOST_ENTRIES} of ATTEMPT:FAULT or JOB/ATTEMPT:FAULT, where \
                     FAULT is a crash at a point ({}), ack-lost, ack-twice, replica, reply-lost, \
                     late~TIME, answer-STATUS, throw:POINT, pause:POINT~TIME or crash@TIME",
                    points.join(", ")
                )
            }
        }
    }

    /// A refusal of `value` with this setting's limit.
    #[must_use]
    pub fn refuse(&self, value: &str) -> Refusal {
        Refusal::new(self.path, value, self.limit(), self.unit())
    }

    pub(super) fn refuse_with(&self, value: &str, limit: String, unit: &str) -> Refusal {
        Refusal::new(self.path, value, limit, unit)
    }

    /// The default as a value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match Value::parse(self, self.default) {
            Ok(value) => value,
            Err(refusal) => unreachable!("the table's own defaults are allowed, but {refusal}"),
        }
    }
}

/// A value for every setting of the table.
///
/// ```
/// use at_least_once::sim::settings::Settings;
///
/// let mut settings = Settings::default();
/// settings.set("queue.visibility_timeout", "10s")?;
/// let refusal = settings.set("workers.count", "0").unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "workers.count cannot be `0`; allowed: a whole number from 1 to 50 workers"
/// );
/// # Ok::<(), at_least_once::sim::settings::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    values: Vec<Value>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { values: SETTINGS.iter().map(Setting::default_value).collect() }
    }
}

impl Settings {
    /// The setting with this path.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that lists the paths which come near, or else the groups there are.
    pub fn find(path: &str) -> Result<&'static Setting, Refusal> {
        let found = SETTINGS.iter().find(|setting| setting.path == path);
        found.ok_or_else(|| Refusal::new("setting", path, Self::near(path), ""))
    }

    /// The paths of the same group, or that begin with the same letter; all groups if none does.
    fn near(path: &str) -> String {
        let group = |path: &'static str| path.split('.').next().unwrap_or(path);
        let meant = path.split('.').next().unwrap_or(path);
        let all = || SETTINGS.iter().map(|setting| setting.path);
        let mut near: Vec<&str> = all().filter(|path| group(path) == meant).collect();
        if near.is_empty() {
            let first = path.chars().next();
            near = all().filter(|path| path.chars().next() == first).collect();
        }
        if near.is_empty() {
            near = all().map(group).collect();
            near.dedup();
        }
        near.join(", ")
    }

    /// Gives a setting another value. A broker's profile gives the settings of its row theirs;
    /// what is set after it stands.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for an unknown path and for a value that the setting does not allow; the
    /// settings are then as they were.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        let setting = Self::find(path)?;
        if !WHOLE && !setting.id.is_in_page() && text != setting.default {
            let limit = format!("{}; a build with everything can have more", setting.default);
            return Err(Refusal::new(path, text, limit, setting.unit()));
        }
        self.values[setting.id as usize] = Value::parse(setting, text)?;
        for (path, text) in profiles::row(setting.id, text) {
            self.set(path, text)?;
        }
        Ok(())
    }

    /// Gives several settings other values, in order, but a broker's profile first: whatever else
    /// is given stands, wherever it is written.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of the first that is not taken.
    pub fn set_all(&mut self, given: &[(&str, &str)]) -> Result<(), Refusal> {
        let broker = SETTINGS[Id::Broker as usize].path;
        for first in [true, false] {
            for (path, text) in given.iter().filter(|(path, _)| (*path == broker) == first) {
                self.set(path, text)?;
            }
        }
        Ok(())
    }

    /// Gives settings the values that stand in the code itself, or were in force before.
    ///
    /// # Panics
    ///
    /// When one of them is not allowed: that is a bug of ours.
    pub(crate) fn give(&mut self, given: &[(&str, &str)]) {
        for (path, text) in given {
            if let Err(refusal) = self.set(path, text) {
                unreachable!("what the code sets is allowed, but {refusal}");
            }
        }
    }

    /// The value of a setting.
    #[must_use]
    pub fn get(&self, id: Id) -> &Value {
        &self.values[id as usize]
    }

    /// The value of a setting as the text that [`Settings::set`] takes.
    #[must_use]
    pub fn text(&self, setting: &Setting) -> String {
        self.get(setting.id).text(setting)
    }

    /// The settings whose value differs from `base`, with their texts, in the table's order.
    pub fn differing<'a>(
        &'a self,
        base: &'a Self,
    ) -> impl Iterator<Item = (&'static Setting, String)> + 'a {
        SETTINGS
            .iter()
            .filter(|setting| self.get(setting.id) != base.get(setting.id))
            .map(|setting| (setting, self.text(setting)))
    }

    /// The name of the guard.
    #[must_use]
    pub fn guard(&self) -> &'static str {
        self.choice(Id::Guard)
    }

    pub(super) fn number(&self, id: Id) -> u64 {
        match self.get(id) {
            Value::Number(number) => *number,
            _ => unreachable!("the table says that it is a number"),
        }
    }

    pub(super) fn span(&self, id: Id) -> Span {
        match self.get(id) {
            Value::Span(span) => *span,
            _ => unreachable!("the table says that it is a time"),
        }
    }

    pub(super) fn switch(&self, id: Id) -> bool {
        matches!(self.get(id), Value::Switch(true))
    }

    /// The name chosen, of a setting that is a choice.
    pub(crate) fn choice(&self, id: Id) -> &'static str {
        match (self.get(id), SETTINGS[id as usize].kind) {
            (Value::Choice(position), Kind::Choice(names)) => names[*position],
            _ => unreachable!("the table says that it is a choice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_its_ids_and_its_names_are_unique() {
        let mut attributes = Vec::new();
        for (position, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.id as usize, position, "{}", setting.path);
            attributes.push(setting.attribute());
        }
        attributes.sort();
        attributes.dedup();
        assert_eq!(attributes.len(), SETTINGS.len(), "an attribute names one setting");
    }

    #[test]
    fn every_default_is_allowed_and_is_written_as_it_is_read() {
        let settings = Settings::default();
        for setting in SETTINGS {
            assert_eq!(settings.text(setting), setting.default, "{}", setting.path);
        }
    }

    #[test]
    fn a_refusal_names_field_value_limit_and_unit_and_changes_nothing() {
        let long = "9".repeat(3000);
        let cases = [
            ("workers.count", "0"),
            ("workers.count", "51"),
            ("workers.count", "-1"),
            ("workers.count", "1.5"),
            ("workers.count", "1e1"),
            ("workers.count", ""),
            ("workers.count", " 3"),
            ("workers.count", "3 workers"),
            ("seed", "18446744073709551616"),
            ("guard", "On"),
            ("guard", "yes"),
            ("queue.expiry_backoff", "1"),
            ("queue.visibility_timeout", "30"),
            ("queue.visibility_timeout", "0s"),
            ("queue.visibility_timeout", "25h"),
            ("backoff.base", "-1s"),
            ("backoff.list", "one"),
            ("backoff.list", "1s,two"),
            ("faults", "none 0:after-write"),
            ("faults", "0:after-lunch"),
            ("job.amount", "0"),
            ("workers.count", long.as_str()),
        ];
        for (path, text) in cases {
            let mut settings = Settings::default();
            let refusal = settings.set(path, text).expect_err(&format!("{path}={text}"));
            assert_eq!(refusal.field, path);
            assert!(text.starts_with(refusal.value.trim_end_matches('…')), "{refusal}");
            assert!(refusal.value.chars().count() <= 81 && !refusal.limit.is_empty());
            assert_eq!(settings, Settings::default(), "{path}={text}");
        }
        let unknown = Settings::default().set("queue.lease", "1s").expect_err("unknown");
        assert_eq!((unknown.field.as_str(), unknown.value.as_str()), ("setting", "queue.lease"));
        assert!(unknown.limit.contains("queue.visibility_timeout"), "{unknown}");
    }

    #[test]
    fn limits_are_inside() {
        let mut settings = Settings::default();
        for (path, text) in [
            ("workers.count", "1"),
            ("workers.count", "50"),
            ("seed", "0"),
            ("seed", "18446744073709551615"),
            ("queue.max_attempts", "4294967295"),
            ("queue.visibility_timeout", "1ms"),
            ("queue.visibility_timeout", "1d"),
            ("slice.think", "0s"),
            ("backoff.cap", "30d"),
            ("job.amount", "100000000"),
        ] {
            settings.set(path, text).expect("a limit is allowed");
            assert_eq!(settings.text(Settings::find(path).expect("known")), text);
        }
    }
}
