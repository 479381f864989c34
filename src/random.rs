//! Chance from one seed: each draw has an address, and nothing is used up.
//!
//! A stream of random numbers that is read in turn ties every draw to all draws
//! before it: one more crash, and every later delay is another one. Here a draw
//! is a function of the seed and of what it is for, so two runs that differ in
//! one setting differ in nothing else, and can be laid side by side.
//!
//! The values are a contract: the same seed and address give the same draw on
//! every machine, natively and in WebAssembly. All arithmetic is on 64-bit
//! integers, and the tests at the end pin reference values. Whatever changes one
//! of them (a field's place, a number of [`Purpose`], `rand`'s sampling or its
//! feature `unbiased`) changes every trace, and so the version of every link.

use crate::units::Span;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::SplitMix64;

/// What a draw is for. The numbers are lasting names: one is never changed or
/// given to another purpose, a new purpose takes the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// The delay before an attempt comes back.
    Backoff = 1,
    /// How long a step of a slice takes.
    Service = 2,
    /// When a job arrives.
    Arrival = 3,
    /// Whether a fault that has a rate strikes here.
    Fault = 4,
    /// What the payment vendor does: its latency, its failures.
    Vendor = 5,
}

/// Where a draw is made. The worker is not part of it: who takes a job depends
/// on the schedule, and the draw must not.
///
/// What does not matter for a purpose is 0:
///
/// ```
/// use at_least_once::random::{Address, Draws, Purpose};
///
/// let second = Address { job: 7, attempt: 1, ..Address::new(Purpose::Backoff) };
/// let draws = Draws::new(42);
/// assert_eq!(draws.uniform(second, 0, 1_000_000), draws.uniform(second, 0, 1_000_000));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// What the draw is for.
    pub purpose: Purpose,
    /// Which job, from 0; for an arrival, its index.
    pub job: u32,
    /// Which message of the job, from 0: re-enqueues and replicas count.
    pub message: u32,
    /// Which attempt, from 0.
    pub attempt: u32,
    /// Which try within the attempt, from 0: calls, beats and sends count.
    pub retry: u32,
    /// Which point of the slice, or which of the job's refunds, or both.
    pub point: u32,
}

impl Address {
    /// The first address of a purpose: every number 0.
    #[must_use]
    pub const fn new(purpose: Purpose) -> Self {
        Self { purpose, job: 0, message: 0, attempt: 0, retry: 0, point: 0 }
    }
}

/// All draws of a run: the seed, and nothing that changes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Draws {
    seed: u64,
}

impl Draws {
    /// The draws of this seed; every seed is as good as any other, 0 too.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The seed that these draws come from.
    #[must_use]
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// A generator that stands at `at`, for a draw that needs more than one number.
    ///
    /// The address is folded into the seed two fields at a time. Each fold is one
    /// to one, so addresses that differ in one pair of fields (any two neighbours)
    /// never meet, and others meet as rarely as random 64-bit numbers do.
    #[must_use]
    pub fn generator(&self, at: Address) -> SplitMix64 {
        // Every field is named, so that a new one cannot be left out.
        let Address { purpose, job, message, attempt, retry, point } = at;
        let mixed = [(purpose as u32, point), (job, message), (attempt, retry)]
            .into_iter()
            .fold(mix(self.seed), |mixed, (high, low)| {
                mix(mixed ^ (u64::from(high) << 32 | u64::from(low)))
            });
        SplitMix64::seed_from_u64(mixed)
    }

    /// A whole number from `low` to `high`, both included, each equally likely.
    ///
    /// Where `high` is not above `low`, the answer is `low`. (A bias of at most
    /// 2^-64 remains, the price of at most two numbers from the generator.)
    ///
    /// ```
    /// use at_least_once::random::{Address, Draws, Purpose};
    ///
    /// let delay = Draws::new(1).uniform(Address::new(Purpose::Backoff), 500, 1_000);
    /// assert!((500..=1_000).contains(&delay));
    /// ```
    #[must_use]
    pub fn uniform(&self, at: Address, low: u64, high: u64) -> u64 {
        if high <= low {
            return low;
        }
        // `u64`, not `usize`: sampling depends on the width of the type.
        self.generator(at).random_range(low..=high)
    }

    /// Draws a span that is exponentially spread around `mean`, rounded to a microsecond.
    ///
    /// The inverse of the distribution function at an even draw from (0, 1): `-ln(u) * mean`,
    /// with the logarithm of the `libm` crate, which gives the same bits everywhere.
    #[must_use]
    #[inline]
    pub fn exponential(&self, at: Address, mean: Span) -> Span {
        exponential_at(self.generator(at).next_u64(), mean)
    }

    /// True in `ppm` of a million addresses: never at 0, always from 1,000,000 on.
    ///
    /// A higher rate hits wherever a lower one does, so raising a rate only adds faults.
    #[must_use]
    pub fn chance(&self, at: Address, ppm: u32) -> bool {
        /// A millionth of all words.
        const PART: u64 = u64::MAX / 1_000_000;
        // It never wraps. In wasm a product that is checked is one of 128 bits.
        ppm >= 1_000_000 || self.generator(at).next_u64() < u64::from(ppm).wrapping_mul(PART)
    }
}

/// The exponential draw that a word is. It takes numbers, where an address would go through memory.
#[expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a draw that needs a logarithm; rounded to an integer at once"
)]
#[inline(never)]
fn exponential_at(word: u64, mean: Span) -> Span {
    let even = word >> 11;
    let unit = (even as f64 + 0.5) / (1_u64 << 53) as f64;
    let drawn = -libm::log(unit) * mean.as_micros() as f64;
    // A half goes up. `libm::round` gives the same, at a third of the logarithm's time in wasm.
    let whole = drawn as u64;
    let is_half = drawn - whole as f64 >= 0.5;
    Span::from_micros(whole.saturating_add(u64::from(is_half)))
}

/// SplitMix64's step as a function: one to one, and every bit of the word moves
/// about half the bits of the result.
fn mix(word: u64) -> u64 {
    SplitMix64::seed_from_u64(word).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Address = Address::new(Purpose::Backoff);

    /// The address one step on in each of its fields.
    fn neighbours(at: Address) -> [Address; 6] {
        [
            Address { purpose: Purpose::Service, ..at },
            Address { job: at.job + 1, ..at },
            Address { message: at.message + 1, ..at },
            Address { attempt: at.attempt + 1, ..at },
            Address { retry: at.retry + 1, ..at },
            Address { point: at.point + 1, ..at },
        ]
    }

    fn word(seed: u64, at: Address) -> u64 {
        Draws::new(seed).generator(at).next_u64()
    }

    #[test]
    fn reference_values() {
        let far = Address {
            purpose: Purpose::Vendor,
            job: u32::MAX,
            message: 1,
            attempt: 2,
            retry: 3,
            point: 4,
        };
        // Computed by a second implementation, in Python, from the description alone.
        for (seed, first, next, elsewhere) in [
            (0, 0xdee0_2758_fcff_3521, 0x9394_305e_cf63_f11b, 0xa785_9539_1e32_df02_u64),
            (1, 0x2378_a53e_9f29_4347, 0x1e4a_fdb8_6a5b_2a1f, 0x4fc5_68aa_c638_7491),
            (u64::MAX, 0x3c9a_2942_a792_9b62, 0x4dcf_0ded_2369_582c, 0x13d3_cb4e_61b5_9e45),
        ] {
            let mut generator = Draws::new(seed).generator(FIRST);
            assert_eq!([generator.next_u64(), generator.next_u64()], [first, next]);
            assert_eq!(word(seed, far), elsewhere);
        }
        let second = Address { attempt: 1, ..FIRST };
        for (low, high, expected) in [
            (0, 1, [1, 1, 1]),
            (1, 6, [4, 6, 5]),
            (0, 999_999, [529_498, 878_307, 825_360]),
            (500_000, 30_000_000, [16_120_211, 26_410_067, 24_848_146]),
            (
                0,
                1 << 63,
                [4_883_763_437_645_476_384, 8_100_955_536_219_136_899, 7_612_610_519_939_264_711],
            ),
            (
                0,
                u64::MAX,
                [9_767_526_875_290_952_767, 16_201_911_072_438_273_796, 15_225_221_039_878_529_420],
            ),
        ] {
            let drawn = [FIRST, far, second].map(|at| Draws::new(42).uniform(at, low, high));
            assert_eq!(drawn, expected, "{low}..={high}");
        }
    }

    #[test]
    fn purposes_keep_their_numbers() {
        use Purpose::*;
        let numbers = [Backoff, Service, Arrival, Fault, Vendor].map(|purpose| purpose as u8);
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_edges_of_a_range() {
        let draws = Draws::new(1);
        assert_eq!(draws.uniform(FIRST, 5, 5), 5);
        assert_eq!(draws.uniform(FIRST, 5, 4), 5);
        assert_eq!(draws.uniform(FIRST, u64::MAX, u64::MAX), u64::MAX);
        let faces: Vec<u64> =
            (0..100).map(|job| draws.uniform(Address { job, ..FIRST }, 1, 6)).collect();
        assert_eq!(faces.iter().min(), Some(&1));
        assert_eq!(faces.iter().max(), Some(&6));
    }

    #[test]
    fn a_rate_hits_as_often_as_it_says_and_a_higher_one_hits_there_too() {
        let draws = Draws::new(7);
        let hits =
            |ppm| (0..100_000).filter(move |&job| draws.chance(Address { job, ..FIRST }, ppm));
        assert_eq!(hits(0).count(), 0);
        assert_eq!(hits(1_000_000).count(), 100_000);
        assert_eq!(hits(u32::MAX).count(), 100_000);
        // 1,000 expected; five standard deviations are 157.
        assert!(hits(10_000).count().abs_diff(1_000) < 157);
        let more: Vec<u32> = hits(20_000).collect();
        assert!(hits(10_000).all(|job| more.contains(&job)));
    }

    /// Between an address and its neighbour in any field, and between one seed and
    /// the next, each of the 64 bits differs half of the time.
    #[test]
    fn neighbours_have_nothing_in_common() {
        const PAIRS: u32 = 4_096;
        let mut flips = [[0u32; 64]; 7];
        for job in 0..PAIRS {
            let at = Address { job, attempt: job % 5, ..FIRST };
            let here = word(11, at);
            let there = neighbours(at).map(|at| word(11, at)).into_iter().chain([word(12, at)]);
            for (flips, there) in flips.iter_mut().zip(there) {
                for (bit, count) in flips.iter_mut().enumerate() {
                    *count += u32::from((here ^ there) >> bit & 1 == 1);
                }
            }
        }
        // 2,048 expected, standard deviation 32; five of them, over 448 counts.
        for count in flips.as_flattened() {
            assert!(count.abs_diff(PAIRS / 2) < 5 * 32, "{count} of {PAIRS}");
        }
    }

    /// Draws at an address and at its neighbour, in a table of 16 by 16: each of
    /// the 256 cells is equally full, so neither draw says a thing about the other.
    #[test]
    fn pairs_of_neighbours_fill_a_table_evenly() {
        const EXPECTED: u64 = 256;
        let draws = Draws::new(2_024);
        for field in 0..6 {
            let mut cells = [0u64; 256];
            for job in 0..65_536 {
                let at = Address { job, ..FIRST };
                let pair = [at, neighbours(at)[field]].map(|at| draws.uniform(at, 0, 15));
                cells[usize::try_from(pair[0] * 16 + pair[1]).unwrap_or(usize::MAX)] += 1;
            }
            // Chi-square in integers, 255 degrees of freedom: mean 255, standard
            // deviation 22.6; between about minus and plus five of them.
            let squares: u64 = cells.iter().map(|n| n.abs_diff(EXPECTED).pow(2)).sum();
            let chi_square = squares / EXPECTED;
            assert!((142..368).contains(&chi_square), "field {field}: {chi_square}");
        }
    }

    #[test]
    fn no_two_addresses_of_a_small_run_meet() {
        let mut words = Vec::new();
        for job in 0..20 {
            for attempt in 0..10 {
                for point in 0..10 {
                    let at = Address { job, attempt, point, ..FIRST };
                    words.extend([at, Address { message: 1, ..at }].map(|at| word(0, at)));
                }
            }
        }
        let drawn = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), drawn);
    }
}
