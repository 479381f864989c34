//! Timers: those that belong to no part, by sequence, and what the calendar keeps of every one, by
//! the order in which they come.

use crate::WHOLE;
use crate::sim::choice::{Class, Pending};
use crate::units::{MessageId, Moment, WorkerId};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// A timer that belongs to no worker and no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    pub(super) due: Moment,
    pub(super) class: Class,
    pub(super) sequence: u64,
    pub(super) pending: Pending,
}

/// Timers by sequence. A new one has the highest, so the list is sorted as it grows; few live
/// long, so that what is taken out stands near an end.
#[derive(Debug, Default)]
pub(super) struct Timers(VecDeque<Timer>);

impl Clone for Timers {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Timers {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, timer: Timer) {
        self.0.push_back(timer);
    }

    /// The newest is asked for most, and next to it one that is gone.
    fn place(&self, sequence: u64) -> Option<usize> {
        match self.0.back()?.sequence.cmp(&sequence) {
            Ordering::Equal => Some(self.0.len() - 1),
            Ordering::Less => None,
            Ordering::Greater => self.search(sequence),
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn search(&self, sequence: u64) -> Option<usize> {
        self.0.binary_search_by_key(&sequence, |timer| timer.sequence).ok()
    }

    pub(super) fn get(&self, sequence: u64) -> Option<&Timer> {
        self.0.get(self.place(sequence)?)
    }

    pub(super) fn remove(&mut self, sequence: u64) -> Option<Timer> {
        self.0.remove(self.place(sequence)?)
    }

    /// The same where nobody asks what it was.
    pub(super) fn forget(&mut self, sequence: u64) {
        match self.place(sequence) {
            Some(place) if place + 1 == self.0.len() => self.0.truncate(place),
            Some(place) => self.forget_between(place),
            None => {}
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn forget_between(&mut self, place: usize) {
        self.0.remove(place);
    }

    /// Nothing waits for this any more.
    pub(super) fn cancel(&mut self, pending: Pending) {
        self.0.retain(|timer| timer.pending != pending);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Timer> {
        self.0.iter()
    }
}

/// A timer in the calendar, by whose it is: what it waits for is read off there. One whose part
/// has moved on is passed over. It is copied often, so it is made of whole words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) due: Moment,
    /// The class, and below it the sequence.
    rank: u64,
    /// Whose it is, and below that the number.
    of: u64,
}

impl Entry {
    pub(super) fn new(due: Moment, class: Class, sequence: u64, of: Of) -> Self {
        let of = match of {
            Of::Other => 0,
            Of::Worker(worker) => 1 << 32 | u64::from(worker.0),
            Of::Message(message) => 2 << 32 | u64::from(message.0),
        };
        Self { due, rank: (class as u64) << RANK_BITS | sequence, of }
    }

    #[expect(clippy::cast_possible_truncation, reason = "back to what it was made of")]
    pub(super) fn of(&self) -> Of {
        match self.of >> 32 {
            0 => Of::Other,
            1 => Of::Worker(WorkerId(self.of as u16)),
            _ => Of::Message(MessageId(self.of as u32)),
        }
    }

    pub(super) fn sequence(&self) -> u64 {
        self.rank & ((1 << RANK_BITS) - 1)
    }

    pub(super) fn class(&self) -> Class {
        match self.rank >> RANK_BITS {
            0 => Class::Crash,
            1 => Class::Limit,
            2 => Class::Work,
            3 => Class::End,
            4 => Class::Arrival,
            _ => Class::Receive,
        }
    }

    /// The order of due time, class and sequence in one number; no two that still wait have the
    /// same.
    fn order(&self) -> u128 {
        u128::from(self.due.as_micros()) << 64 | u128::from(self.rank)
    }
}

/// So many timers no run makes.
const RANK_BITS: u32 = 60;

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    // Mostly the due times differ: in wasm that is all that is compared then.
    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.due < other.due || (self.due == other.due && self.rank < other.rank)
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

/// Whose timer it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Worker(WorkerId),
    Message(MessageId),
    Other,
}

/// Timers, of which the first is asked for. A few are at hand, sorted; the others are farther
/// than any of these. The page's runs are so small that all are at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// The latest first. Empty only if there is none at all.
    near: Vec<Entry>,
    far: BinaryHeap<Reverse<Entry>>,
}

/// So many timers are at hand at most.
const NEAR: usize = 64;

impl Queue {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.near.iter().chain(self.far.iter().map(|entry| &entry.0))
    }

    #[inline]
    pub(super) fn first(&self) -> Option<&Entry> {
        self.near.last()
    }

    #[inline]
    pub(super) fn push(&mut self, Entry { due, rank, of }: Entry) {
        self.insert(due, rank, of);
    }

    // An entry comes here by its words, in registers. One that was put together in memory would be
    // read back as it is being written, and all that follows would wait for that.
    #[inline(never)]
    fn insert(&mut self, due: Moment, rank: u64, of: u64) {
        let entry = Entry { due, rank, of };
        if WHOLE && self.far.peek().is_some_and(|first| first.0 < entry) {
            self.far.push(Reverse(entry));
            return;
        }
        let mut place = self.near.len();
        self.near.push(entry);
        while place > 0 && self.near[place - 1] < entry {
            self.near[place] = self.near[place - 1];
            place -= 1;
        }
        self.near[place] = entry;
        if WHOLE && self.near.len() > NEAR {
            self.spill();
        }
    }

    #[cold]
    #[inline(never)]
    fn spill(&mut self) {
        self.far.extend(self.near.drain(..NEAR / 2).map(Reverse));
    }

    #[inline]
    pub(super) fn drop_first(&mut self) {
        self.near.pop();
        if WHOLE && self.near.is_empty() && !self.far.is_empty() {
            self.refill();
        }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let far = std::iter::from_fn(|| self.far.pop());
        self.near.extend(far.take(NEAR / 2).map(|entry| entry.0));
        self.near.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(due: u64, sequence: u64) -> Entry {
        let of = Of::Worker(WorkerId(7));
        Entry::new(Moment::from_micros(due), Class::Work, sequence, of)
    }

    /// What is at hand is made of whole words, and read back.
    #[test]
    fn an_entry_keeps_what_it_is_made_of() {
        let classes =
            [Class::Crash, Class::Limit, Class::Work, Class::End, Class::Arrival, Class::Receive];
        for class in classes {
            let message = Of::Message(MessageId(u32::MAX));
            let entry = Entry::new(Moment::MAX, class, (1 << RANK_BITS) - 1, message);
            assert_eq!((entry.class(), entry.sequence()), (class, (1 << RANK_BITS) - 1));
            assert!(matches!(entry.of(), Of::Message(MessageId(u32::MAX))));
        }
        assert_ne!(entry(1, 1), entry(1, 2));
        assert_ne!(entry(1, 1), entry(2, 1));
        let worker = Entry::new(Moment::ZERO, Class::Work, 0, Of::Worker(WorkerId(u16::MAX)));
        assert!(matches!(worker.of(), Of::Worker(WorkerId(u16::MAX))));
    }

    proptest! {
        /// However many there are, at hand and beyond, the first is the one that a sorted list has.
        #[test]
        fn the_first_is_the_earliest(
            acts in prop::collection::vec((0u8..5, 0u64..500), 0..1500),
        ) {
            let mut queue = Queue::default();
            let mut sorted = Vec::new();
            for (sequence, (act, due)) in (0..).zip(acts) {
                // More come than go, so that many gather.
                if act < 4 || sorted.is_empty() {
                    let entry = entry(due, sequence);
                    queue.push(entry);
                    let place = sorted.partition_point(|other| *other < entry);
                    sorted.insert(place, entry);
                } else {
                    queue.drop_first();
                    sorted.remove(0);
                }
                prop_assert_eq!(queue.first(), sorted.first());
                prop_assert_eq!(queue.iter().count(), sorted.len());
            }
            for entry in &sorted {
                prop_assert_eq!(queue.first(), Some(entry));
                queue.drop_first();
            }
            prop_assert!(queue.first().is_none());
        }
    }

    /// Ten times as many as are kept at hand, latest first, go out earliest first.
    #[test]
    fn more_than_are_at_hand() {
        let mut queue = Queue::default();
        for due in (0..10 * NEAR as u64).rev() {
            queue.push(entry(due, due));
        }
        assert_eq!(queue.near.len() + queue.far.len(), 10 * NEAR);
        assert!(queue.near.len() <= NEAR && !queue.far.is_empty());
        for due in 0..10 * NEAR as u64 {
            assert_eq!(queue.first(), Some(&entry(due, due)));
            queue.drop_first();
        }
        assert!(queue.first().is_none());
    }
}
