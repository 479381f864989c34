//! Where each message is, as the events tell it: what the queue's lane, the leases and the depth
//! are drawn from.

use super::{Depth, DepthChange, Lease};
use crate::units::{JobIndex, Moment};

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Ready,
    Waiting { until: Moment },
    Leased,
    Done,
    Dead,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) job: JobIndex,
    pub(super) copy: u32,
    pub(super) place: Place,
    /// Since when it is there.
    pub(super) since: Moment,
    /// The attempt of its newest lease, and where that stands among the leases.
    pub(super) attempt: u32,
    pub(super) lease: usize,
    /// Since when its lease is held by nobody who works on it.
    pub(super) unattended: Option<Moment>,
    /// Whether its holder has begun with it.
    pub(super) begun: bool,
}

/// The messages, by job and number among the job's.
#[derive(Debug, Default)]
pub(super) struct Queue {
    messages: Vec<Message>,
    depth: Depth,
    pub(super) leases: Vec<Lease>,
    pub(super) changes: Vec<DepthChange>,
}

impl Queue {
    /// A message was sent, and is visible.
    pub(super) fn send(&mut self, job: JobIndex, copy: u32, at: Moment, event: u32) {
        let message = Message {
            job,
            copy,
            place: Place::Ready,
            since: at,
            attempt: 0,
            lease: usize::MAX,
            unattended: None,
            begun: false,
        };
        let place = self.messages.partition_point(|other| (other.job, other.copy) < (job, copy));
        self.messages.insert(place, message);
        *self.count(Place::Ready) += 1;
        self.note(at, event);
    }

    /// Where a message stands in the list. It changes when another one is sent.
    pub(super) fn find(&self, job: JobIndex, copy: u32) -> Option<usize> {
        self.messages.binary_search_by_key(&(job, copy), |it| (it.job, it.copy)).ok()
    }

    /// The message of a job whose wait is over first.
    pub(super) fn find_waiting(&self, job: JobIndex) -> Option<usize> {
        let first = self.messages.partition_point(|it| it.job < job);
        let of_job = self.messages[first..].iter().take_while(|it| it.job == job);
        let waiting = of_job.zip(first..).filter_map(|(message, place)| match message.place {
            Place::Waiting { until } => Some((until, place)),
            _ => None,
        });
        waiting.min().map(|(_, place)| place)
    }

    pub(super) fn at(&mut self, place: usize) -> &mut Message {
        &mut self.messages[place]
    }

    pub(super) fn lease_of(&mut self, place: usize) -> Option<&mut Lease> {
        self.leases.get_mut(self.messages[place].lease)
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// A message is somewhere else from now on. Returns it as it was before.
    pub(super) fn go(&mut self, place: usize, to: Place, at: Moment, event: u32) -> Message {
        let before = self.messages[place];
        if before.place == Place::Leased
            && let Some(lease) = self.leases.get_mut(before.lease)
        {
            (lease.ended, lease.event_to) = (at, Some(event));
        }
        *self.count(before.place) -= 1;
        *self.count(to) += 1;
        self.note(at, event);
        self.messages[place] =
            Message { place: to, since: at, unattended: None, begun: false, ..before };
        before
    }

    fn count(&mut self, place: Place) -> &mut u32 {
        match place {
            Place::Ready => &mut self.depth.ready,
            Place::Waiting { .. } => &mut self.depth.waiting,
            Place::Leased => &mut self.depth.leased,
            Place::Done => &mut self.depth.done,
            Place::Dead => &mut self.depth.dead,
        }
    }

    fn note(&mut self, at: Moment, event: u32) {
        self.changes.push(DepthChange { event, at, depth: self.depth });
    }
}
