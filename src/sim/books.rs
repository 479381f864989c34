//! What each refund was paid, where the money moves and in the local ledger, and how many of the
//! refunds that makes right or wrong. A job that was paid one of them twice and the other never has
//! not been paid what it is owed, even where that is the same sum.

/// How the books stand: of how many refunds they say what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// Refunds that were paid as much as is owed.
    pub(super) exact: u32,
    /// Refunds that were paid more.
    pub(super) overpaid: u32,
    /// Refunds that one ledger has paid more than the other.
    pub(super) differing: u32,
}

/// What each refund was paid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Books {
    /// Where the money moves, and in the local ledger, in cents.
    paid: Vec<(u64, u64)>,
    standing: Standing,
    /// The standing from an event on, wherever it changes.
    changes: Vec<(u32, Standing)>,
}

impl Books {
    /// A refund is paid some cents where the money moves, and some in the local ledger.
    pub(super) fn pay(&mut self, event: u32, refund: usize, owed: u64, cents: (u64, u64)) {
        let Some(paid) = self.paid.get_mut(refund) else { return };
        let one = |holds: bool| u32::from(holds);
        self.standing.exact -= one(paid.0 == owed);
        self.standing.overpaid -= one(paid.0 > owed);
        self.standing.differing -= one(paid.0 != paid.1);
        *paid = (paid.0.saturating_add(cents.0), paid.1.saturating_add(cents.1));
        self.standing.exact += one(paid.0 == owed);
        self.standing.overpaid += one(paid.0 > owed);
        self.standing.differing += one(paid.0 != paid.1);
        self.changes.push((event, self.standing));
    }

    /// So many refunds more that have been paid nothing yet.
    pub(super) fn open(&mut self, refunds: u8) {
        self.paid.resize(self.paid.len() + usize::from(refunds), (0, 0));
    }

    /// How the books stand before the event at `cursor`.
    pub(super) fn standing_at(&self, cursor: u32) -> Standing {
        let count = self.changes.partition_point(|(event, _)| *event < cursor);
        count.checked_sub(1).map_or(Standing::default(), |last| self.changes[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refund_is_unpaid_then_paid_then_paid_too_much() {
        let mut books = Books::default();
        books.open(2);
        for (event, refund, cents) in
            [(3, 0, (60, 0)), (5, 0, (40, 100)), (8, 1, (100, 0)), (9, 0, (1, 0))]
        {
            books.pay(event, refund, 100, cents);
        }
        let standing = |cursor| {
            let Standing { exact, overpaid, differing } = books.standing_at(cursor);
            (exact, overpaid, differing)
        };
        assert_eq!(
            [3, 4, 6, 9, 10].map(standing),
            [(0, 0, 0), (0, 0, 1), (1, 0, 0), (2, 0, 1), (1, 1, 2)],
            "the books before an event",
        );
        // Of a refund that is not there nothing is known.
        books.pay(11, 7, 100, (100, 100));
        assert_eq!(books.standing_at(u32::MAX).exact, 1);
    }
}
