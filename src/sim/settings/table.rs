//! The table itself.

use super::{Kind, Owner, Setting};
use crate::WHOLE;
use crate::sim::value::MOST_ENTRIES;
use crate::sim::{fault, profiles};
use crate::units::Span;

const fn seconds(count: u64) -> Span {
    Span::from_secs(count)
}
const HOUR: Span = seconds(3600);
const DAY: Span = seconds(86_400);

/// How many workers there may be: on the page so many as it draws without a pause.
const MOST_WORKERS: u64 = if WHOLE { 200 } else { 50 };
/// How many jobs there may be: on the page so many as it plays and draws without a pause.
const MOST_JOBS: u64 = if WHOLE { 1_000_000 } else { 2_000 };

/// The texts of some choices: the page's build has those that it can use.
const LATE_ACKS: &[&str] = if WHOLE {
    &["delete", "newest-receipt", "refuse", "ignore"]
} else {
    &["delete", "newest-receipt", "refuse"]
};
const STORES: &[&str] = if WHOLE {
    &["nothing", "successes", "final", "all"]
} else {
    &["nothing", "successes", "all"]
};
const MISMATCHES: &[&str] =
    if WHOLE { &["400", "409", "422", "replay"] } else { &["400", "422", "replay"] };

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
    GuardClaimLife = "guard.claim_life", span(Span::ZERO, seconds(30 * 86_400)), "0s", DomainTool;
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
    FaultRateOf = "faults.rate_of", names(fault::RATED), "after-write", OnCall;
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
    JobResends = "job.resends", Kind::Spans { max: DAY, most: MOST_ENTRIES }, "none", Runtime;
    /// How many workers there are.
    WorkersCount = "workers.count", count(1, MOST_WORKERS, "workers"), "3", OnCall;
    /// How long a crashed worker is away.
    WorkersRestart = "workers.restart", span(Span::ZERO, HOUR), "5s", Runtime;
    /// How many messages a worker holds at once, the one that it works on among them.
    WorkersPrefetch = "workers.prefetch", count(1, 100, "messages"), "1", Runtime;
    /// How often a worker sends a heartbeat. 0 is never.
    Heartbeat = "workers.heartbeat", span(Span::ZERO, DAY), "0s", Runtime;
    /// How long a heartbeat makes the lease from then on. None is the visibility timeout; 0 gives
    /// the message back at once.
    HeartbeatValue = "workers.heartbeat_value", Kind::Spans { max: DAY, most: 1 }, "none", Runtime;
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
    /// How many leases may end before the job is a dead letter, counted apart. The most there is
    /// is no limit.
    MaxStalls = "queue.max_stalls", count(0, 4_294_967_295, "stalls"), "4294967295", OnCall;
    /// When a message that has used up its attempts is moved: at the next receive, or as soon as
    /// the last lease ends.
    DeadLetter = "queue.dead_letter", names(&["lazy", "eager"]), "lazy", Runtime;
    /// What the queue does with an ack whose lease is over.
    LateAck = "queue.late_ack", names(LATE_ACKS), "newest-receipt", Runtime;
    /// What the queue does with a heartbeat whose lease is over.
    LateExtend = "queue.late_extend", names(&["refuse", "extend"]), "refuse", Runtime;
    /// Whether the backoff is added after a lease that ended.
    ExpiryBackoff = "queue.expiry_backoff", Kind::Switch, "off", Runtime;
    /// How often the queue looks for leases that have ended. 0 is at once.
    Sweep = "queue.sweep", span(Span::ZERO, HOUR), "0s", Runtime;
    /// When it looks for the first time.
    SweepPhase = "queue.sweep_phase", span(Span::ZERO, HOUR), "0s", Runtime;
    /// What a sweep does: it ends the leases that are past their deadline; or they end by
    /// themselves, one sweep marks their messages, and the next gives back those still marked.
    SweepHow = "queue.sweep_how", names(if WHOLE { &["end", "mark"] } else { &["end"] }), "end", Runtime;
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
    /// What a refusal costs: nothing, or one of the places for calls while it takes.
    VendorRefusalCost = "vendor.refusal_cost", names(if WHOLE { &["free", "slot"] } else { &["free"] }), "free", DomainTool;
    /// Which answers are stored under their key: none, successes, also declined payments, or all.
    VendorStores = "vendor.stores", names(STORES), "successes", DomainTool;
    /// What a known key with another amount gets: this status, or the stored answer.
    VendorMismatch = "vendor.mismatch", names(MISMATCHES), "422", DomainTool;
    /// How long a call under way keeps others with its key out. 0 is until it ends.
    VendorClaimLife = "vendor.claim_life", span(Span::ZERO, DAY), "0s", DomainTool;
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
    BackoffList = "backoff.list", Kind::Spans { max: DAY, most: MOST_ENTRIES }, "1s 5s 30s", Runtime;
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
    /// How long after one worker it is the next one's turn. 0 is all at once.
    DeployGap = "deploy.gap", span(Span::ZERO, HOUR), "0s", OnCall;
    /// What happens to the old workers: all are killed, or all are drained.
    DeployKind = "deploy.kind", names(&["kill", "drain"]), "kill", OnCall;
    /// Where a worker that is drained stops: at its ack, or already at its checkpoint; at the end of
    /// its lease in any case.
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
                | Self::SweepHow
                | Self::DedupWindow
                | Self::AckWhen
                | Self::VendorKeyScoped
                | Self::VendorRefusalCost
                | Self::VendorStores
                | Self::VendorMismatch
                | Self::VendorClaimLife
                | Self::DeployGap
                | Self::VendorUndo
        )
    }
}
