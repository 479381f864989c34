//! Settings, read as the typed parts of a scenario. They hold only what is allowed, so nothing
//! can fail here.

use super::*;
use crate::WHOLE;
use crate::model::vendor::{Mismatch, Stores};
use crate::sim::value::Value;

/// Reads settings as what they are.
#[derive(Clone, Copy)]
pub(in crate::sim) struct Reader<'a>(pub(in crate::sim) &'a Settings);

impl Reader<'_> {
    pub(super) fn small(self, id: Id) -> u32 {
        u32::try_from(self.0.number(id)).unwrap_or(u32::MAX)
    }

    pub(super) fn few(self, id: Id) -> u16 {
        u16::try_from(self.0.number(id)).unwrap_or(u16::MAX)
    }

    pub(super) fn some(self, id: Id) -> Option<u32> {
        Some(self.small(id)).filter(|number| *number > 0)
    }

    pub(super) fn cents(self, id: Id) -> Cents {
        Cents::from_cents(self.0.number(id))
    }

    pub(in crate::sim) fn span(self, id: Id) -> Span {
        self.0.span(id)
    }

    pub(super) fn some_span(self, id: Id) -> Option<Span> {
        Some(self.span(id)).filter(|span| *span > Span::ZERO)
    }

    pub(super) fn spans(self, id: Id) -> Vec<Span> {
        match self.0.get(id) {
            Value::Spans(spans) => spans.clone(),
            _ => Vec::new(),
        }
    }

    pub(in crate::sim) fn choice(self, id: Id) -> &'static str {
        self.0.choice(id)
    }

    pub(in crate::sim) fn switch(self, id: Id) -> bool {
        self.0.switch(id)
    }

    pub(in crate::sim) fn effect(self) -> Effect {
        match self.choice(Id::Effect) {
            "vendor" => Effect::Vendor,
            "outbox" => Effect::Outbox,
            _ => Effect::Ledger,
        }
    }

    pub(in crate::sim) fn guard(self) -> Guard {
        match self.choice(Id::Guard) {
            "off" => Guard::Off,
            "check-then-insert" => Guard::CheckThenInsert,
            "ask-the-model" => Guard::AskTheModel,
            "ask-the-vendor" => Guard::AskTheVendor,
            _ => Guard::AtomicInsert,
        }
    }

    /// Where the checkpoint is. An outbox has it in the transaction that puts the row there, and
    /// nowhere else.
    pub(in crate::sim) fn checkpoint(self) -> CheckpointAt {
        if self.effect() == Effect::Outbox {
            return CheckpointAt::After;
        }
        match self.choice(Id::Checkpoint) {
            "none" => CheckpointAt::Nowhere,
            "before-skip" => CheckpointAt::BeforeSkip,
            "before-mint" => CheckpointAt::BeforeMint,
            _ => CheckpointAt::After,
        }
    }

    pub(in crate::sim) fn refunds(self) -> u8 {
        1 + u8::from(self.0.number(Id::JobSecond) > 0)
    }
}

pub(super) fn workload(read: Reader<'_>) -> Workload {
    Workload {
        jobs: read.small(Id::JobCount),
        arrivals: match read.choice(Id::JobArrivals) {
            "every" => Arrivals::Every,
            "exponential" => Arrivals::Exponential,
            _ => Arrivals::AtOnce,
        },
        gap: read.span(Id::JobGap),
        amount: read.cents(Id::JobAmount),
        second: Some(read.cents(Id::JobSecond)).filter(|cents| *cents > Cents::ZERO),
        drift: read.cents(Id::JobDrift),
        accounts: read.small(Id::JobAccounts),
        eta: read.span(Id::JobEta),
        resends: read.spans(Id::JobResends),
    }
}

pub(super) fn crew(read: Reader<'_>) -> Crew {
    let value = read.spans(Id::HeartbeatValue).first().copied();
    Crew {
        count: read.few(Id::WorkersCount),
        restart: read.span(Id::WorkersRestart),
        prefetch: usize::from(read.few(Id::WorkersPrefetch)),
        heartbeat: read.span(Id::Heartbeat),
        heartbeat_value: value.unwrap_or(read.span(Id::VisibilityTimeout)),
        pool: read.small(Id::Pool),
    }
}

pub(super) fn broker(read: Reader<'_>) -> Broker {
    Broker {
        visibility_timeout: read.span(Id::VisibilityTimeout),
        lease_from_start: read.choice(Id::LeaseFrom) == "start",
        max_lease: read.span(Id::MaxLease),
        max_attempts: read.small(Id::MaxAttempts),
        expiry_counts: read.switch(Id::ExpiryCounts),
        max_stalls: Some(read.small(Id::MaxStalls)).filter(|most| WHOLE && *most < u32::MAX),
        dead_letter: match read.choice(Id::DeadLetter) {
            "eager" => DeadLetter::Eager,
            _ => DeadLetter::Lazy,
        },
        late_ack: match read.choice(Id::LateAck) {
            "delete" => LateAck::Delete,
            "refuse" => LateAck::Refuse,
            "ignore" if WHOLE => LateAck::Ignore,
            _ => LateAck::NewestReceipt,
        },
        late_extend: match read.choice(Id::LateExtend) {
            "extend" => LateExtend::Extend,
            _ => LateExtend::Refuse,
        },
        expiry_backoff: read.switch(Id::ExpiryBackoff),
        sweep: read.span(Id::Sweep),
        sweep_phase: read.span(Id::SweepPhase),
        sweep_marks: WHOLE && read.choice(Id::SweepHow) == "mark",
        dedup_window: read.span(Id::DedupWindow),
    }
}

pub(super) fn vendor(read: Reader<'_>) -> VendorSide {
    VendorSide {
        profile: Profile {
            stores: match read.choice(Id::VendorStores) {
                "nothing" => Stores::Nothing,
                "final" if WHOLE => Stores::Final,
                "all" => Stores::All,
                _ => Stores::Successes,
            },
            mismatch: match read.choice(Id::VendorMismatch) {
                "replay" => Mismatch::Replay,
                "400" => Mismatch::Refuse(400),
                "409" if WHOLE => Mismatch::Refuse(409),
                _ => Mismatch::Refuse(422),
            },
            key_required: read.switch(Id::VendorKeyRequired),
            scoped: read.switch(Id::VendorKeyScoped),
        },
        time: read.span(Id::VendorTime),
        slots: read.some(Id::VendorSlots),
        refusal_time: read.span(Id::VendorRefusal),
        refusal_status: if read.choice(Id::VendorRefusalStatus) == "429" { 429 } else { 503 },
        refusal_takes_slot: WHOLE && read.choice(Id::VendorRefusalCost) == "slot",
        key_life: read.span(Id::VendorKeyLife),
        claim_life: if WHOLE { read.some_span(Id::VendorClaimLife) } else { None },
        down_until: read.span(Id::VendorDownUntil),
        test_clock: read.some_span(Id::VendorClock),
        undo: read.some_span(Id::VendorUndo),
    }
}

pub(super) fn client(read: Reader<'_>) -> Client {
    Client {
        timeout: read.span(Id::ClientTimeout),
        tries: read.small(Id::ClientTries),
        wait: read.span(Id::ClientWait),
        retries_4xx: read.choice(Id::RetryClient) == "retry",
        retries_unknown: read.choice(Id::RetryUnknown) == "retry",
        resends: read.choice(Id::RetryHow) == "resend",
    }
}

pub(super) fn relays(read: Reader<'_>) -> Relays {
    Relays {
        count: if read.effect() == Effect::Outbox { read.few(Id::RelayCount) } else { 0 },
        order: match read.choice(Id::RelayOrder) {
            "mark-then-publish" => RelayOrder::MarkThenPublish,
            _ => RelayOrder::PublishThenMark,
        },
        dedup: read.switch(Id::RelayDedup),
        key_at_send: read.choice(Id::RelayKey) == "send",
        time: read.span(Id::RelayTime),
    }
}

pub(super) fn deploy(read: Reader<'_>) -> Option<Deploy> {
    Some(Deploy {
        at: read.some_span(Id::DeployAt)?,
        drains: read.choice(Id::DeployKind) == "drain",
        stops_at_checkpoint: read.choice(Id::DeployStop) == "checkpoint",
        grace: read.some_span(Id::DeployGrace),
        gap: if WHOLE { read.span(Id::DeployGap) } else { Span::ZERO },
    })
}

pub(super) fn rate(read: Reader<'_>) -> Option<(u32, Fault)> {
    let ppm = read.some(Id::FaultRate)?;
    Some((ppm, read.choice(Id::FaultRateOf).parse().ok()?))
}

pub(super) fn backoff(read: Reader<'_>) -> Backoff {
    let percent = read.small(Id::BackoffPercent);
    Backoff {
        kind: match read.choice(Id::BackoffKind) {
            "none" => Kind::None,
            "fixed" => Kind::Fixed,
            "linear" => Kind::Linear,
            "polynomial" => Kind::Polynomial,
            "list" => Kind::List,
            _ => Kind::Exponential,
        },
        base: read.span(Id::BackoffBase),
        cap: read.span(Id::BackoffCap),
        degree: read.small(Id::BackoffDegree),
        list: read.spans(Id::BackoffList),
        jitter: match read.choice(Id::BackoffJitter) {
            "none" => Jitter::None,
            "equal" => Jitter::Equal,
            "decorrelated" => Jitter::Decorrelated,
            "percent" => Jitter::Percent(percent),
            "downward" => Jitter::Downward(percent),
            "additive" => Jitter::Additive(read.span(Id::BackoffExtra)),
            _ => Jitter::Full,
        },
    }
}
