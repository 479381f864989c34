//! What the simulation counts in: moments and spans in microseconds, money in
//! cents, and the numbers that jobs, messages and workers go by.
//!
//! A moment and a span are two types, so that adding two moments does not
//! compile. All arithmetic saturates: 2^64 µs are 584,542 years, and a run that
//! gets there has no use for more.

mod money;
mod time;

pub use money::Cents;
use std::fmt;
pub use time::{Moment, Span, SpanError, span_text};

/// Which job of the run, from 0; also the job's part of a draw's address.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobIndex(pub u32);

/// Which message of the run, from 0: a re-enqueue or a replica is another message, a
/// redelivery is the same one.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub u32);

/// Which worker, from 0; written as letters, like the columns of a sheet.
///
/// ```
/// use at_least_once::units::WorkerId;
///
/// assert_eq!(WorkerId(0).to_string(), "A");
/// assert_eq!(WorkerId(26).to_string(), "AA");
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u16);

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Base 26 without a zero, the last letter first: 25 is Z, 26 is AA.
        let mut letters = Vec::new();
        let mut rest = u32::from(self.0) + 1;
        while rest > 0 {
            rest -= 1;
            letters.extend(char::from_digit(10 + rest % 26, 36));
            rest /= 26;
        }
        let text: String = letters.iter().rev().map(char::to_ascii_uppercase).collect();
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_have_letters() {
        for (worker, text) in
            [(0, "A"), (2, "C"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (65_535, "CRXP")]
        {
            assert_eq!(WorkerId(worker).to_string(), text);
        }
    }
}
