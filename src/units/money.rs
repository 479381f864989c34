//! Money.

use std::fmt;

/// An amount of money in whole cents.
///
/// ```
/// use at_least_once::units::Cents;
///
/// let twice = Cents::from_cents(1_999).saturating_add(Cents::from_cents(1_999));
/// assert_eq!(twice.to_string(), "39.98");
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(u64);

impl Cents {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// An amount of this many cents.
    #[must_use]
    pub const fn from_cents(cents: u64) -> Self {
        Self(cents)
    }

    /// The amount in cents.
    #[must_use]
    pub const fn as_cents(self) -> u64 {
        self.0
    }

    /// The sum, or none when it passes 2^64 − 1 cents.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The sum, at most 2^64 − 1 cents.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// How money is written, everywhere: `19.99`, with no sign of a currency.
    #[must_use]
    pub fn money_text(self) -> String {
        format!("{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.money_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_two_decimals_and_stops_at_the_end() {
        for (cents, text) in [(0, "0.00"), (5, "0.05"), (1_999, "19.99"), (100_000, "1000.00")] {
            assert_eq!(Cents::from_cents(cents).money_text(), text);
        }
        let all = Cents::from_cents(u64::MAX);
        assert_eq!(all.checked_add(Cents::from_cents(1)), None);
        assert_eq!(all.saturating_add(Cents::from_cents(1)), all);
    }
}
