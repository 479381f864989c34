//! How long a message stays away before its next attempt.
//!
//! Two steps, kept apart: the *growth* says how the wait rises with each attempt,
//! the *jitter* spreads it, so that jobs that failed together do not come back
//! together. The cap bounds what comes out of both.
//!
//! Under jitter the *ceiling* rises and the drawn delay need not: with full jitter
//! the third wait may well be shorter than the first.
//!
//! The attempt just ended is `n`, from 0, so the first wait grows from base·2^0.
//! Real systems often count from 1; their presets shift it.
//!
//! # Sources
//!
//! Full, equal and decorrelated jitter, and the capped exponential under them:
//! Marc Brooker, ["Exponential Backoff And Jitter"][aws], AWS Architecture Blog,
//! 2015, with the code in `aws-samples/aws-arch-backoff-simulator`
//! (`src/backoff_simulator.py`). Each other formula names a system that uses it.
//!
//! [aws]: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/

use crate::random::{Address, Draws};
use crate::units::Span;

/// How the wait grows with the attempt `n`, counted from 0, before the cap.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// 0, whatever the jitter: back at once. As in SQS, which has no backoff of its own.
    #[default]
    None,
    /// base. As in BullMQ's `fixed`, and pg-boss with `retryBackoff` off.
    Fixed,
    /// base · (n + 1). As in RabbitMQ's delayed retry (quorum queues, from 4.3).
    Linear,
    /// base · 2^n. As in Temporal with its default coefficient, BullMQ's
    /// `exponential`, and Celery's `retry_backoff`.
    Exponential,
    /// base · (n + 1)^degree. As in River: degree 4, base 1 s. (Sidekiq, Faktory
    /// and delayed_job count from 0 in it and add a constant, which is not here.)
    Polynomial,
    /// The list's entry n, after its end the last one; 0 for an empty list. As in
    /// resque-retry's `backoff_strategy`.
    List,
}

/// How the wait is spread; c is the capped growth, U a whole number of
/// microseconds drawn evenly, both ends included.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Jitter {
    /// c. As in Temporal and graphile-worker.
    #[default]
    None,
    /// U(0 … c). The AWS article; Celery's `retry_jitter`.
    Full,
    /// c/2 + U(0 … c − c/2). The AWS article; pg-boss's `retryBackoff`.
    Equal,
    /// min(cap, U(base … 3 · the wait before)), the first time 3 · base. The AWS
    /// article. Of the growth it uses the base alone: any kind but
    /// [`Kind::None`] gives the same waits.
    Decorrelated,
    /// U(c − p % … min(cap, c + p %)); more than 100 counts as 100. As in River: 10.
    Percent(u32),
    /// U(c − p % … c); more than 100 counts as 100. As in BullMQ's `jitter`.
    Downward(u32),
    /// min(cap, c + U(0 … x)). As in Sidekiq, Faktory and Oban, whose x grows with n.
    Additive(Span),
}

/// The settings of the wait between two attempts.
///
/// ```
/// use at_least_once::model::backoff::{Backoff, Jitter, Kind};
/// use at_least_once::random::{Address, Draws, Purpose};
/// use at_least_once::units::Span;
///
/// let backoff = Backoff {
///     kind: Kind::Exponential,
///     base: Span::from_secs(1),
///     cap: Span::from_secs(60),
///     jitter: Jitter::Full,
///     ..Backoff::default()
/// };
/// assert_eq!(backoff.ceiling(3, None), Span::from_secs(8));
/// assert_eq!(backoff.ceiling(u32::MAX, None), Span::from_secs(60));
///
/// let at = Address { attempt: 3, ..Address::new(Purpose::Backoff) };
/// assert!(backoff.delay(3, None, &Draws::new(1), at) <= Span::from_secs(8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// How the wait grows.
    pub kind: Kind,
    /// What it grows from; the list does without it.
    pub base: Span,
    /// The longest wait there is, jitter included.
    pub cap: Span,
    /// The exponent of [`Kind::Polynomial`]; 0 makes it fixed.
    pub degree: u32,
    /// The waits of [`Kind::List`], in the order of the attempts.
    pub list: Vec<Span>,
    /// How the wait is spread.
    pub jitter: Jitter,
}

impl Default for Backoff {
    /// No wait, and nothing that would bound one.
    fn default() -> Self {
        Self {
            kind: Kind::None,
            base: Span::ZERO,
            cap: Span::MAX,
            degree: 1,
            list: Vec::new(),
            jitter: Jitter::None,
        }
    }
}

impl Backoff {
    /// What the kind alone gives after attempt `n`: no cap, no jitter. At most
    /// [`Span::MAX`], for every `n`.
    #[must_use]
    pub fn growth(&self, n: u32) -> Span {
        let times = match self.kind {
            Kind::None => 0,
            Kind::Fixed => 1,
            Kind::Linear => u64::from(n) + 1,
            // From 2^64 on the largest factor stands in: a base of 0 stays 0, and
            // any other is past the end already.
            Kind::Exponential => 1u64.checked_shl(n).unwrap_or(u64::MAX),
            Kind::Polynomial => (u64::from(n) + 1).saturating_pow(self.degree),
            Kind::List => {
                let wait = usize::try_from(n).ok().and_then(|n| self.list.get(n));
                return wait.or(self.list.last()).copied().unwrap_or(Span::ZERO);
            }
        };
        self.base.saturating_mul(times)
    }

    /// The longest wait that can be drawn after attempt `n`; never above the cap.
    ///
    /// `previous` is the wait before this one, none for the first. Only
    /// [`Jitter::Decorrelated`] looks at it.
    #[must_use]
    pub fn ceiling(&self, n: u32, previous: Option<Span>) -> Span {
        self.range(n, previous).1.min(self.cap)
    }

    /// The shortest wait that can be drawn after attempt `n`; arguments as for
    /// [`ceiling`](Self::ceiling).
    #[must_use]
    pub fn floor(&self, n: u32, previous: Option<Span>) -> Span {
        self.range(n, previous).0.min(self.cap)
    }

    /// The wait after attempt `n`, drawn at `at`: from
    /// [`floor`](Self::floor) to [`ceiling`](Self::ceiling).
    #[must_use]
    pub fn delay(&self, n: u32, previous: Option<Span>, draws: &Draws, at: Address) -> Span {
        let (low, high) = self.range(n, previous);
        // The cap comes after the draw: decorrelated and additive jitter put the
        // weight of all that lies above it on the cap itself.
        Span::from_micros(draws.uniform(at, low.as_micros(), high.as_micros())).min(self.cap)
    }

    /// What the draw is from, both ends included, before the last look at the cap.
    fn range(&self, n: u32, previous: Option<Span>) -> (Span, Span) {
        if self.kind == Kind::None {
            return (Span::ZERO, Span::ZERO);
        }
        let capped = self.growth(n).min(self.cap);
        match self.jitter {
            Jitter::None => (capped, capped),
            Jitter::Full => (Span::ZERO, capped),
            Jitter::Equal => (Span::from_micros(capped.as_micros() / 2), capped),
            Jitter::Decorrelated => {
                // A wait that the cap cut below a third of the base would turn the
                // range round; the base is then all there is to draw.
                let high = previous.unwrap_or(self.base).saturating_mul(3);
                (self.base, high.max(self.base))
            }
            Jitter::Percent(percent) => {
                let part = share(capped, percent);
                (capped.saturating_sub(part), capped.saturating_add(part).min(self.cap))
            }
            Jitter::Downward(percent) => (capped.saturating_sub(share(capped, percent)), capped),
            Jitter::Additive(extra) => (capped, capped.saturating_add(extra)),
        }
    }
}

/// `percent` of a span, cut off to whole microseconds; at most the whole of it.
fn share(span: Span, percent: u32) -> Span {
    let (us, percent) = (span.as_micros(), u64::from(percent.min(100)));
    // Hundreds and the rest apart: exact, and no product passes 64 bits.
    Span::from_micros(us / 100 * percent + us % 100 * percent / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    const SECOND: Span = Span::from_secs(1);

    fn secs(list: &[u64]) -> Vec<Span> {
        list.iter().copied().map(Span::from_secs).collect()
    }

    fn of(kind: Kind, cap: u64, jitter: Jitter) -> Backoff {
        let list = secs(&[0, 60, 600]);
        Backoff { kind, base: SECOND, cap: Span::from_secs(cap), degree: 4, list, jitter }
    }

    fn at(job: u32, attempt: u32) -> Address {
        Address { job, attempt, ..Address::new(Purpose::Backoff) }
    }

    #[test]
    fn each_kind_grows_as_its_formula_says() {
        for (kind, cap, expected) in [
            (Kind::None, 1_000, [0, 0, 0, 0, 0]),
            (Kind::Fixed, 1_000, [1, 1, 1, 1, 1]),
            (Kind::Linear, 1_000, [1, 2, 3, 4, 5]),
            (Kind::Exponential, 1_000, [1, 2, 4, 8, 16]),
            (Kind::Polynomial, 1_000, [1, 16, 81, 256, 625]),
            (Kind::List, 1_000, [0, 60, 600, 600, 600]),
            (Kind::Fixed, 0, [0, 0, 0, 0, 0]),
            (Kind::Linear, 3, [1, 2, 3, 3, 3]),
            (Kind::Exponential, 10, [1, 2, 4, 8, 10]),
            (Kind::Polynomial, 100, [1, 16, 81, 100, 100]),
            (Kind::List, 90, [0, 60, 90, 90, 90]),
        ] {
            let backoff = of(kind, cap, Jitter::None);
            let ceilings: Vec<Span> = (0..5).map(|n| backoff.ceiling(n, None)).collect();
            let delays: Vec<Span> =
                (0..5).map(|n| backoff.delay(n, None, &Draws::new(1), at(0, n))).collect();
            assert_eq!(ceilings, secs(&expected), "{kind:?}");
            assert_eq!(delays, ceilings, "{kind:?}");
        }
    }

    #[test]
    fn growth_stops_at_the_longest_span() {
        let grown = |kind, base, degree, n| {
            let base = Span::from_micros(base);
            Backoff { kind, base, degree, ..Backoff::default() }.growth(n).as_micros()
        };
        assert_eq!(grown(Kind::Exponential, 1, 0, 63), 1 << 63);
        assert_eq!(grown(Kind::Exponential, 1, 0, 64), u64::MAX);
        assert_eq!(grown(Kind::Exponential, 3, 0, 62), 3 << 62);
        assert_eq!(grown(Kind::Exponential, 3, 0, 63), u64::MAX);
        assert_eq!(grown(Kind::Exponential, 0, 0, u32::MAX), 0);
        assert_eq!(grown(Kind::Linear, 1, 0, u32::MAX), 1 << 32);
        assert_eq!(grown(Kind::Linear, 1 << 32, 0, u32::MAX), u64::MAX);
        assert_eq!(grown(Kind::Polynomial, 1, 2, u32::MAX), u64::MAX);
        assert_eq!(grown(Kind::Polynomial, 5, 0, u32::MAX), 5);
        assert_eq!(grown(Kind::Polynomial, 1, u32::MAX, 0), 1);
        assert_eq!(grown(Kind::List, 1, 0, 3), 0);
    }

    /// Capped growth 10,001 µs, cap 10,500 µs: the ends, and both really drawn.
    #[test]
    fn each_jitter_draws_from_its_range() {
        let ms = Span::from_millis;
        for (jitter, previous, floor, ceiling) in [
            (Jitter::None, None, 10_001, 10_001),
            (Jitter::Full, None, 0, 10_001),
            (Jitter::Equal, None, 5_000, 10_001),
            (Jitter::Percent(0), None, 10_001, 10_001),
            (Jitter::Percent(3), None, 9_701, 10_301),
            (Jitter::Percent(10), None, 9_001, 10_500),
            (Jitter::Percent(100), None, 0, 10_500),
            (Jitter::Percent(101), None, 0, 10_500),
            (Jitter::Downward(10), None, 9_001, 10_001),
            (Jitter::Downward(100), None, 0, 10_001),
            (Jitter::Additive(Span::ZERO), None, 10_001, 10_001),
            (Jitter::Additive(Span::from_micros(200)), None, 10_001, 10_201),
            (Jitter::Additive(ms(5)), None, 10_001, 10_500),
            (Jitter::Decorrelated, None, 10_001, 10_500),
            (Jitter::Decorrelated, Some(ms(1)), 10_001, 10_001),
        ] {
            let backoff = Backoff {
                kind: Kind::Fixed,
                base: Span::from_micros(10_001),
                cap: Span::from_micros(10_500),
                jitter,
                ..Backoff::default()
            };
            assert_eq!(backoff.floor(0, previous).as_micros(), floor, "{jitter:?}");
            assert_eq!(backoff.ceiling(0, previous).as_micros(), ceiling, "{jitter:?}");
            let draw = |job| backoff.delay(0, previous, &Draws::new(3), at(job, 0)).as_micros();
            // 2,000 draws leave a twentieth at either end empty in e^-100 of cases.
            let (least, most) = (0..2_000)
                .map(draw)
                .fold((u64::MAX, 0), |(least, most), us| (least.min(us), most.max(us)));
            let twentieth = (ceiling - floor) / 20;
            assert!((floor..=floor + twentieth).contains(&least), "{jitter:?}: {least}");
            assert!((ceiling - twentieth..=ceiling).contains(&most), "{jitter:?}: {most}");
        }
    }

    /// A share is exact to the microsecond, also of what is no multiple of a hundred.
    #[test]
    fn a_share_of_a_short_wait_is_its_share() {
        for (us, percent, part) in [(150, 20, 30), (199, 50, 99), (99, 100, 99), (7, 10, 0)] {
            assert_eq!(
                share(Span::from_micros(us), percent).as_micros(),
                part,
                "{percent} % of {us}"
            );
        }
    }

    #[test]
    fn decorrelated_waits_follow_from_each_other() {
        let backoff = of(Kind::Exponential, 60, Jitter::Decorrelated);
        assert_eq!(backoff.ceiling(0, None), Span::from_secs(3));
        assert_eq!(backoff.ceiling(9, Some(Span::from_secs(5))), Span::from_secs(15));
        assert_eq!(backoff.ceiling(9, Some(Span::from_secs(21))), Span::from_secs(60));
        assert_eq!(backoff.floor(9, Some(Span::from_secs(21))), SECOND);
        // A base above the cap: the cap, always.
        let tight = Backoff { base: Span::from_secs(90), ..backoff };
        assert_eq!(tight.floor(0, None), Span::from_secs(60));
        assert_eq!(tight.delay(1, Some(SECOND), &Draws::new(1), at(0, 1)), Span::from_secs(60));
    }

    /// What the lesson must not say wrongly: the ceiling rises, the delay need not.
    #[test]
    fn full_jitter_can_draw_a_shorter_wait_later() {
        let backoff = of(Kind::Exponential, 60, Jitter::Full);
        let ceilings: Vec<Span> = (0..5).map(|n| backoff.ceiling(n, None)).collect();
        assert!(ceilings.is_sorted_by(|a, b| a < b));
        let falls = |seed| {
            let draws = Draws::new(seed);
            let delays: Vec<Span> =
                (0..5).map(|n| backoff.delay(n, None, &draws, at(0, n))).collect();
            !delays.is_sorted()
        };
        let fell = (0..100).filter(|&seed| falls(seed)).count();
        assert!((1..100).contains(&fell), "{fell} of 100 seeds");
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        fn spans() -> impl Strategy<Value = Span> {
            let any_size = (any::<u64>(), 0u32..64).prop_map(|(us, by)| us >> by);
            prop_oneof![4 => any_size, 1 => Just(0), 1 => Just(u64::MAX)]
                .prop_map(Span::from_micros)
        }

        fn attempts() -> impl Strategy<Value = u32> {
            prop_oneof![0u32..100, any::<u32>(), Just(u32::MAX)]
        }

        prop_compose! {
            fn backoffs()(
                kind in prop::sample::select(vec![
                    Kind::None, Kind::Fixed, Kind::Linear,
                    Kind::Exponential, Kind::Polynomial, Kind::List,
                ]),
                (base, cap, extra) in (spans(), spans(), spans()),
                degree in prop_oneof![0u32..6, any::<u32>()],
                list in prop::collection::vec(spans(), 0..4),
                percent in prop_oneof![0u32..=100, any::<u32>()],
                jitter in 0usize..7,
            ) -> Backoff {
                let jitter = [
                    Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated,
                    Jitter::Percent(percent), Jitter::Downward(percent), Jitter::Additive(extra),
                ][jitter];
                Backoff { kind, base, cap, degree, list, jitter }
            }
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2_000))]

            #[test]
            fn every_wait_keeps_its_bounds(
                backoff in backoffs(),
                n in attempts(),
                previous in prop::option::of(spans()),
                seed: u64,
            ) {
                let delay = backoff.delay(n, previous, &Draws::new(seed), at(0, n));
                prop_assert!(backoff.floor(n, previous) <= delay);
                prop_assert!(delay <= backoff.ceiling(n, previous));
                prop_assert!(backoff.ceiling(n, previous) <= backoff.cap);
                prop_assert!(backoff.kind != Kind::None || delay == Span::ZERO);
            }

            #[test]
            fn the_ceiling_never_falls(mut backoff in backoffs(), n in attempts(), more in attempts()) {
                backoff.list.sort();
                let later = n.saturating_add(more);
                prop_assert!(backoff.ceiling(n, None) <= backoff.ceiling(later, None));
            }
        }
    }
}
