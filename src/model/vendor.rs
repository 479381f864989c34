//! The payment vendor: idempotency keys, its own ledger, a limit of calls at once.
//!
//! Vendors disagree, so what they disagree about is a [`Profile`].

use super::key::IdempotencyKey;
use crate::WHOLE;
use crate::sorted::Sorted;
use crate::units::{Cents, JobIndex, Moment};

/// Which answers a vendor stores under their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// None: it knows no keys.
    Nothing,
    /// Those of executions that succeeded. Others may be tried again with the same key.
    Successes,
    /// Those that say what came of an execution: a success, or a payment that was declined (402).
    /// A 500 frees the key (the reference application).
    Final,
    /// Those of every execution, a 500 among them: the same key gets it for ever (Stripe v1).
    All,
}

/// What a vendor answers to a known key with another payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// This status; nothing runs, the stored answer stays.
    Refuse(u16),
    /// The stored answer, whatever the payload (Worldline, Qonto).
    Replay,
}

/// What vendors disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Which answers are stored.
    pub stores: Stores,
    /// What another payload under the same key gets.
    pub mismatch: Mismatch,
    /// Whether a call without a key is refused with 400.
    pub key_required: bool,
    /// Whether a key means something only within its account.
    pub scoped: bool,
}

/// Whose key, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scoped {
    /// The account; 0 for all where keys are not scoped.
    pub account: u32,
    /// The key.
    pub key: IdempotencyKey,
}

/// What a vendor knows of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A call with it is under way.
    InFlight {
        /// The payload: what it pays.
        cents: Cents,
        /// Whether the key's life has ended meanwhile: its answer will not be stored.
        over: bool,
        /// Whether the next call may take the work up again.
        free: bool,
    },
    /// Its answer is stored.
    Stored {
        /// The payload: what it paid.
        cents: Cents,
        /// The status.
        status: u16,
    },
}

/// A call, as it reaches the vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// For which job.
    pub job: JobIndex,
    /// For which of its refunds.
    pub refund: u8,
    /// From which account.
    pub account: u32,
    /// Under which key.
    pub key: IdempotencyKey,
    /// How much to pay.
    pub cents: Cents,
}

/// How a vendor takes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It runs; [`Vendor::finish`] ends it.
    Runs,
    /// The stored answer of an earlier call; nothing runs.
    Replays {
        /// Its status.
        status: u16,
    },
    /// A refusal; nothing runs, nothing is stored.
    Refuses {
        /// Its status.
        status: u16,
    },
    /// A call with the same key and payload is under way.
    InProgress,
}

/// A row of the vendor's own ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// For which job.
    pub job: JobIndex,
    /// For which of its refunds.
    pub refund: u8,
    /// Under which key.
    pub key: IdempotencyKey,
    /// How much.
    pub cents: Cents,
    /// When.
    pub at: Moment,
    /// Whether it was taken back since.
    pub undone: bool,
}

/// The vendor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Vendor {
    keys: Sorted<Scoped, Known>,
    payments: Vec<Payment>,
    /// How many calls are running.
    pub running: u32,
}

/// A clone into a vendor that is there already takes over its memory.
impl Clone for Vendor {
    fn clone(&self) -> Self {
        let Self { keys, payments, running } = self;
        Self { keys: keys.clone(), payments: payments.clone(), running: *running }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { keys, payments, running } = source;
        clone_fields!(self: keys, payments);
        self.running = *running;
    }
}

/// The status of a call whose key belongs to one that is under way.
pub const IN_PROGRESS: u16 = 409;
/// The status of a success.
pub const CREATED: u16 = 201;

impl Profile {
    /// The scope of a request's key.
    #[must_use]
    pub fn scope(&self, request: &Request) -> Scoped {
        Scoped { account: if self.scoped { request.account } else { 0 }, key: request.key }
    }

    fn knows_keys(&self) -> bool {
        self.stores != Stores::Nothing
    }
}

impl Vendor {
    /// The vendor's own ledger, oldest first.
    #[must_use]
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// What is known of a key.
    #[must_use]
    pub fn known(&self, key: Scoped) -> Option<Known> {
        self.keys.get(&key).copied()
    }

    /// Every key that is known, in order.
    pub fn keys(&self) -> impl Iterator<Item = (&Scoped, &Known)> {
        self.keys.iter()
    }

    /// A call arrives. Another payload is judged before in-flight; nothing is stored before
    /// execution begins.
    pub fn begin(&mut self, profile: &Profile, request: &Request) -> Begun {
        if !request.key.is_sent() {
            let required = profile.key_required;
            return if required { Begun::Refuses { status: 400 } } else { Begun::Runs };
        }
        if !profile.knows_keys() {
            return Begun::Runs;
        }
        let scope = profile.scope(request);
        match (self.keys.get(&scope), profile.mismatch) {
            (
                Some(Known::InFlight { cents, .. } | Known::Stored { cents, .. }),
                Mismatch::Refuse(status),
            ) if *cents != request.cents => Begun::Refuses { status },
            (Some(Known::Stored { status, .. }), _) => Begun::Replays { status: *status },
            (Some(Known::InFlight { free, .. }), _) if !WHOLE || !free => Begun::InProgress,
            (known, _) => {
                let over = WHOLE && matches!(known, Some(Known::InFlight { over: true, .. }));
                let known = Known::InFlight { cents: request.cents, over, free: false };
                self.keys.insert(scope, known);
                Begun::Runs
            }
        }
    }

    /// How often a refund of a job has been paid.
    #[must_use]
    pub fn paid(&self, job: JobIndex, refund: u8) -> usize {
        let same = |payment: &&Payment| (payment.job, payment.refund) == (job, refund);
        self.payments.iter().filter(same).count()
    }

    /// Whether a payment was made under this key: what a read of the vendor's ledger finds, also
    /// when the key's life is over.
    #[must_use]
    pub fn has_paid(&self, key: IdempotencyKey) -> bool {
        key.is_sent() && self.payments.iter().any(|payment| payment.key == key)
    }

    /// A call that runs ends with `status`; one of 2xx has paid. Returns the number of the
    /// payment, from 1.
    ///
    /// Where another call took its work up and is done, it pays nothing: what was paid is in the
    /// record of the key, [`Vendor::known`].
    pub fn finish(
        &mut self,
        profile: &Profile,
        request: &Request,
        status: u16,
        at: Moment,
    ) -> Option<u32> {
        let success = is_success(status);
        let has_key = request.key.is_sent() && profile.knows_keys();
        let scope = profile.scope(request);
        if WHOLE && has_key && matches!(self.keys.get(&scope), Some(Known::Stored { .. })) {
            return None;
        }
        let Request { job, refund, key, cents, .. } = *request;
        if success {
            self.payments.push(Payment { job, refund, key, cents, at, undone: false });
        }
        if has_key {
            let over = matches!(self.keys.get(&scope), Some(Known::InFlight { over: true, .. }));
            let stores = match profile.stores {
                Stores::Nothing | Stores::Successes => success,
                Stores::Final => WHOLE && status < 500,
                Stores::All => true,
            };
            if !over && stores {
                self.keys.insert(scope, Known::Stored { cents, status });
            } else {
                self.keys.remove(&scope);
            }
        }
        success.then(|| u32::try_from(self.payments.len()).unwrap_or(u32::MAX))
    }

    /// A call under way no longer keeps others with its key out. Says whether there is one.
    pub fn free(&mut self, key: Scoped) -> bool {
        let Some(Known::InFlight { free, .. }) = self.keys.get_mut(&key) else { return false };
        *free = true;
        true
    }

    /// A key's life is over: it is as if it had never been used. A call under way keeps its own
    /// until it ends.
    pub fn forget(&mut self, key: Scoped) {
        match self.keys.get_mut(&key) {
            Some(Known::InFlight { over, .. }) => *over = true,
            Some(Known::Stored { .. }) => _ = self.keys.remove(&key),
            None => {}
        }
    }

    /// Takes back what was paid for a job. Its keys stay known, so a late original does not
    /// pay again.
    pub fn undo(&mut self, job: JobIndex) {
        for payment in self.payments.iter_mut().filter(|payment| payment.job == job) {
            payment.undone = true;
        }
    }
}

/// Whether a status says that the call has done its work.
#[must_use]
pub fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Whether a client tries again after this status by default: 408, 425, 429 and 5xx. A conflict
/// "in progress" is the worker's own case, because it depends on what the conflict is about.
#[must_use]
pub fn is_retried(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Profile = Profile {
        stores: Stores::Successes,
        mismatch: Mismatch::Refuse(422),
        key_required: false,
        scoped: true,
    };

    fn request(account: u32, cents: u64) -> Request {
        Request {
            job: JobIndex(0),
            refund: 0,
            account,
            key: IdempotencyKey::stable(JobIndex(0)),
            cents: Cents::from_cents(cents),
        }
    }

    fn call(vendor: &mut Vendor, profile: &Profile, request: &Request, status: u16) -> (u16, bool) {
        match vendor.begin(profile, request) {
            Begun::Runs => {
                vendor.finish(profile, request, status, Moment::ZERO);
                (status, false)
            }
            Begun::Replays { status } => (status, true),
            Begun::Refuses { status } => (status, false),
            Begun::InProgress => (IN_PROGRESS, false),
        }
    }

    fn paid(vendor: &Vendor) -> Vec<u64> {
        vendor.payments().iter().map(|payment| payment.cents.as_cents()).collect()
    }

    #[test]
    fn the_first_use_runs_and_the_second_gets_its_answer() {
        let mut vendor = Vendor::default();
        assert_eq!(call(&mut vendor, &STRICT, &request(1, 5), 201), (201, false));
        // Even though the endpoint would now fail.
        assert_eq!(call(&mut vendor, &STRICT, &request(1, 5), 500), (201, true));
        assert_eq!(paid(&vendor), [5]);
    }

    #[test]
    fn another_payload_runs_nothing_and_leaves_the_stored_answer() {
        for (mismatch, expected) in [
            (Mismatch::Refuse(422), (422, false)),
            (Mismatch::Refuse(400), (400, false)),
            (Mismatch::Refuse(409), (409, false)),
            (Mismatch::Replay, (201, true)),
        ] {
            let profile = Profile { mismatch, ..STRICT };
            let mut vendor = Vendor::default();
            call(&mut vendor, &profile, &request(1, 5), 201);
            assert_eq!(call(&mut vendor, &profile, &request(1, 6), 201), expected);
            assert_eq!(call(&mut vendor, &profile, &request(1, 5), 201), (201, true));
            assert_eq!(paid(&vendor), [5]);
        }
    }

    #[test]
    fn another_payload_is_judged_before_in_flight() {
        let mut vendor = Vendor::default();
        assert_eq!(vendor.begin(&STRICT, &request(1, 5)), Begun::Runs);
        assert_eq!(vendor.begin(&STRICT, &request(1, 6)), Begun::Refuses { status: 422 });
        assert_eq!(vendor.begin(&STRICT, &request(1, 5)), Begun::InProgress);
        assert_eq!(vendor.finish(&STRICT, &request(1, 5), 201, Moment::ZERO), Some(1));
        assert_eq!(paid(&vendor), [5]);
    }

    #[test]
    fn whether_an_error_is_stored_is_the_profiles_business() {
        for (stores, again) in [
            (Stores::All, (500, true)),
            (Stores::Successes, (201, false)),
            (Stores::Nothing, (201, false)),
        ] {
            let profile = Profile { stores, ..STRICT };
            let mut vendor = Vendor::default();
            assert_eq!(call(&mut vendor, &profile, &request(1, 5), 500), (500, false));
            assert_eq!(call(&mut vendor, &profile, &request(1, 5), 201), again, "{stores:?}");
        }
    }

    #[test]
    fn a_key_belongs_to_its_account() {
        for (scoped, expected) in [(true, vec![5, 5]), (false, vec![5])] {
            let profile = Profile { scoped, ..STRICT };
            let mut vendor = Vendor::default();
            call(&mut vendor, &profile, &request(1, 5), 201);
            call(&mut vendor, &profile, &request(2, 5), 201);
            assert_eq!(paid(&vendor), expected);
        }
    }

    #[test]
    fn a_missing_key_is_refused_where_one_is_required() {
        let missing = Request {
            key: IdempotencyKey::chosen(crate::model::key::KeyPolicy::None, JobIndex(0), 0, 0),
            ..request(1, 5)
        };
        for (key_required, status, payments) in [(true, 400, 0), (false, 201, 2)] {
            let profile = Profile { key_required, ..STRICT };
            let mut vendor = Vendor::default();
            for _ in 0..2 {
                assert_eq!(call(&mut vendor, &profile, &missing, 201).0, status);
            }
            assert_eq!(vendor.payments().len(), payments);
        }
    }

    /// A vendor that knows no keys remembers none, and a call without a key leaves none behind.
    #[test]
    fn what_is_no_key_is_not_remembered() {
        let forgetful = Profile { stores: Stores::Nothing, ..STRICT };
        let none = IdempotencyKey::chosen(crate::model::key::KeyPolicy::None, JobIndex(0), 0, 0);
        let missing = Request { key: none, ..request(1, 5) };
        for (profile, request) in [(forgetful, request(1, 5)), (STRICT, missing)] {
            let mut vendor = Vendor::default();
            assert_eq!(call(&mut vendor, &profile, &request, 201), (201, false));
            assert_eq!(vendor.keys().count(), 0, "{profile:?}");
        }
    }

    #[test]
    fn a_clone_knows_what_the_vendor_knows() {
        let mut vendor = Vendor { running: 2, ..Vendor::default() };
        call(&mut vendor, &STRICT, &request(1, 5), 201);
        let mut other = Vendor::default();
        other.clone_from(&vendor);
        for copy in [other, vendor.clone()] {
            assert_eq!(copy, vendor);
            assert_eq!((paid(&copy), copy.keys().count(), copy.running), (vec![5], 1, 2));
        }
    }

    #[test]
    fn a_forgotten_key_pays_again_and_an_undone_payment_does_not() {
        let mut vendor = Vendor::default();
        call(&mut vendor, &STRICT, &request(1, 5), 201);
        vendor.undo(JobIndex(0));
        assert_eq!(call(&mut vendor, &STRICT, &request(1, 5), 201), (201, true));
        vendor.forget(STRICT.scope(&request(1, 5)));
        assert!(vendor.has_paid(request(1, 5).key));
        assert!(!vendor.has_paid(IdempotencyKey::stable(JobIndex(9))));
        assert_eq!(call(&mut vendor, &STRICT, &request(1, 5), 201), (201, false));
        assert_eq!(vendor.payments().len(), 2);
        // A call under way keeps its key.
        let other = Request { key: IdempotencyKey::stable(JobIndex(9)), ..request(1, 5) };
        vendor.begin(&STRICT, &other);
        vendor.forget(STRICT.scope(&other));
        assert!(vendor.known(STRICT.scope(&other)).is_some());
    }

    #[test]
    fn which_statuses_are_tried_again() {
        for status in [408, 425, 429, 500, 502, 503, 504, 599] {
            assert!(is_retried(status), "{status}");
        }
        for status in [200, 201, 400, 401, 402, 404, 409, 410, 422, 600] {
            assert!(!is_retried(status), "{status}");
        }
        assert!(is_success(200) && is_success(299) && !is_success(199) && !is_success(300));
    }
}
