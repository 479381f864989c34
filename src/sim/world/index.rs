//! What is pending, by the order in which it comes.

use super::World;
use super::timers::{Entry, Of, Queue};
use crate::sim::fault::Points;
use crate::units::{MessageId, Moment, WorkerId};
use crate::window::Window;
use std::collections::VecDeque;

/// What is pending, in the order in which it comes.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// Ready messages by (visible since, message).
    pub(super) ready: Line,
    /// Workers with room by (since, worker): who has waited longest takes the next message.
    pub(super) room: Line,
    /// The timer of a worker that has begun a step without a length, which need not wait with the
    /// others: when, its sequence, whose.
    pub(super) at_once: Option<(Moment, u64, WorkerId)>,
    /// Ends of leases, as long as each comes after the one before: where all leases are equally
    /// long, that is all of them, and most are passed over without ever being sorted.
    pub(super) ends: VecDeque<Entry>,
    /// Every other timer.
    pub(super) queue: Queue,
    /// Where the chooser is to be asked.
    pub(super) points: Points,
    /// Workers and relays that have begun a step whose points have not been asked about.
    pub(super) begun: Vec<WorkerId>,
    pub(super) relays_begun: Vec<u16>,
}

impl Index {
    pub(super) fn new(points: Points) -> Self {
        Self {
            ready: Line::default(),
            room: Line::default(),
            at_once: None,
            ends: VecDeque::new(),
            queue: Queue::default(),
            points,
            begun: Vec::new(),
            relays_begun: Vec::new(),
        }
    }

    pub(super) fn ready(&self) -> usize {
        self.ready.0.len()
    }

    /// How many messages have an end of a lease or of a wait to come.
    pub(super) fn timed_messages(&self, world: &World) -> usize {
        let current = |entry: &&Entry| match entry.of() {
            Of::Message(message) => world.message_timer(message) == Some(entry.sequence()),
            Of::Worker(_) | Of::Other => false,
        };
        self.queue.iter().chain(&self.ends).filter(current).count()
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.queue.push(entry);
    }

    /// The end of a lease or of a wait.
    #[inline]
    pub(super) fn push_end(&mut self, entry: Entry) {
        if self.ends.back().is_none_or(|last| *last < entry) {
            self.ends.push_back(entry);
        } else {
            self.queue.push(entry);
        }
    }

    /// The earliest timer, whether its part still waits for it or not, and where it is.
    pub(super) fn first(&self) -> Option<(Entry, Source)> {
        match (self.ends.front(), self.queue.first()) {
            (Some(end), first) if first.is_none_or(|first| end < first) => {
                Some((*end, Source::Ends))
            }
            (_, first) => Some((*first?, Source::Queue)),
        }
    }

    /// Whether a timer comes before every one in the calendar.
    pub(super) fn is_first(&self, entry: &Entry) -> bool {
        self.ends.front().is_none_or(|first| entry < first)
            && self.queue.first().is_none_or(|first| entry < first)
    }

    /// Drops ends of leases that nobody waits for any more, up to the first that somebody does.
    pub(super) fn drop_past_ends(&mut self, timers: &Window<u64>) {
        while let Some(entry) = self.ends.front()
            && let Of::Message(message) = entry.of()
            && timers.get(message.0) != Some(&entry.sequence())
        {
            self.ends.pop_front();
        }
    }

    pub(super) fn drop_first(&mut self, source: Source) {
        match source {
            Source::Ends => drop(self.ends.pop_front()),
            Source::Queue => self.queue.drop_first(),
        }
    }

    /// The next receive, and when it is due: the message that has been visible longest, by the
    /// worker that has had room longest.
    pub(super) fn next_receive(&self) -> Option<(Moment, WorkerId, MessageId)> {
        let (visible, message) = *self.ready.0.front()?;
        let (since, worker) = *self.room.0.front()?;
        let worker = WorkerId(worker.try_into().ok()?);
        Some((visible.max(since), worker, MessageId(message)))
    }
}

/// Where a timer is kept.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Ends,
    Queue,
}

/// Messages or workers by number, who waits longest first; those who wait equally long stand by
/// number. Nearly all come at the back and leave at the front.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(VecDeque<(Moment, u32)>);

impl Line {
    pub(super) fn insert(&mut self, since: Moment, who: u32) {
        let entry = (since, who);
        if self.0.back().is_none_or(|last| *last < entry) {
            self.0.push_back(entry);
        } else {
            self.insert_between(entry);
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn insert_between(&mut self, entry: (Moment, u32)) {
        if let Err(place) = self.0.binary_search(&entry) {
            self.0.insert(place, entry);
        }
    }

    pub(super) fn remove(&mut self, since: Moment, who: u32) {
        let entry = (since, who);
        if self.0.front() == Some(&entry) {
            self.0.pop_front();
        } else {
            self.remove_between(entry);
        }
    }

    #[cfg_attr(not(feature = "page"), inline(never))]
    fn remove_between(&mut self, entry: (Moment, u32)) {
        if let Ok(place) = self.0.binary_search(&entry) {
            self.0.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::choice::Class;

    /// What nobody waits for any more goes, up to the first end that somebody does wait for.
    #[test]
    fn past_ends_are_dropped() {
        let mut index = Index::new(Points::NONE);
        let mut timers = Window::default();
        for message in 0..4 {
            let (due, sequence) = (Moment::from_micros(10), u64::from(message) + 1);
            timers.push(sequence);
            index.push_end(Entry::new(due, Class::End, sequence, Of::Message(MessageId(message))));
        }
        let left = |index: &Index| index.ends.iter().map(Entry::sequence).collect::<Vec<_>>();
        index.drop_past_ends(&timers);
        assert_eq!(left(&index), [1, 2, 3, 4]);
        (timers[0], timers[1], timers[3]) = (8, 9, 10);
        index.drop_past_ends(&timers);
        assert_eq!(left(&index), [3, 4]);
    }
}
