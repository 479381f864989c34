//! What may come next in a search: within its bounds, and in the order that its timing keeps.

use super::bounds::{Bounds, Spent, Timing};
use crate::sim::choice::{Choice, Choices, Class, Pending};
use crate::sim::fault::{Point, Verdict};
use crate::sim::world::World;
use crate::units::Moment;

/// What a search knows of a state besides its world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) spent: Spent,
    /// The last event of another class than crashes: when it was, and the number of the last timer
    /// before it. Where timings are kept, a worker dies before anything else of that instant, or
    /// right at the step's begin.
    last: (Moment, u64),
}

/// What comes after a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onward {
    /// Something, or only a crash, or nothing although something is pending.
    Within,
    /// Nothing is pending.
    Settled,
    /// Only what is beyond the bounds, but for a crash.
    Beyond,
}

impl Bounds {
    /// Lists what may come next within the bounds, in order.
    ///
    /// Where timings are kept, what comes next is known before the bounds are asked: nothing passes
    /// by an end that is beyond them.
    pub(super) fn possible(&self, world: &World, way: &Way, choices: &mut Choices) -> Onward {
        world.list_choices(choices);
        if choices.is_empty() {
            return Onward::Settled;
        }
        if self.timing == Timing::AsSet {
            keep_timings(world, way, choices);
        }
        drop_what_rules_replace(choices);
        let (mut within, mut beyond) = (false, false);
        choices.retain(|choice| {
            let is_within = self.spend(world, way.spent, choice).is_some();
            if choice.verdict != Verdict::Crash {
                within |= is_within;
                beyond |= !is_within;
            }
            is_within
        });
        choices.sort_unstable_by_key(Choice::order);
        if beyond && !within { Onward::Beyond } else { Onward::Within }
    }

    /// What a search knows after a choice; none if it is not within the bounds.
    pub(super) fn after(&self, world: &World, way: &Way, choice: &Choice) -> Option<Way> {
        let spent = self.spend(world, way.spent, choice)?;
        let keeps = self.timing == Timing::Any || choice.class == Class::Crash;
        let now = || (world.now().max(choice.due), world.last_timer());
        Some(Way { spent, last: if keeps { way.last } else { now() } })
    }
}

/// Whether the same worker or relay may die a little earlier: where no time is kept, that is
/// the same state.
pub(super) fn dies_already(choice: &Choice, earlier: &[Choice]) -> bool {
    let dies = |other: &Choice| other.verdict == Verdict::Crash;
    dies(choice) && earlier.iter().any(|other| dies(other) && other.pending == choice.pending)
}

/// Keeps what may come next when the timings are kept: the events that are earliest by moment and
/// class, and the crashes whose moment has come. A handler that throws because a rule says so comes
/// in its turn like any event.
fn keep_timings(world: &World, way: &Way, choices: &mut Choices) {
    let comes = |choice: &&Choice| matches!(choice.verdict, Verdict::Go | Verdict::Throw);
    let Some((due, class)) =
        choices.iter().filter(comes).map(|choice| (choice.due, choice.class)).min()
    else {
        return;
    };
    choices.retain(|choice| match choice.verdict {
        Verdict::Crash => choice.due <= due && may_die(world, way, choice),
        _ => (choice.due, choice.class) == (due, class),
    });
}

/// Whether a choice is a crash whose moment has not passed by: at its instant it comes before
/// everything else, or right after the event by which its step began.
pub(super) fn may_die(world: &World, way: &Way, choice: &Choice) -> bool {
    let (last, timer) = way.last;
    choice.verdict == Verdict::Crash
        && choice.due >= world.now()
        && (choice.due > last || choice.sequence > timer)
}

/// A number for who dies, and at which of the two points where a worker may stand.
pub(super) fn who_dies(choice: &Choice) -> u64 {
    let at_ack = u64::from(choice.point == Some(Point::BeforeAck));
    match choice.pending {
        Pending::Step { worker } => 1 << 32 | u64::from(worker.0) << 1 | at_ack,
        Pending::Relay { relay } => 2 << 32 | u64::from(relay),
        _ => 0,
    }
}

pub(super) fn goes_wrong(choice: &Choice) -> bool {
    matches!(choice.verdict, Verdict::Crash | Verdict::Lost | Verdict::Twice | Verdict::Replica)
}

/// Where a rule of the scenario makes the vendor answer or the handler throw, that is what
/// happens: nothing else can.
fn drop_what_rules_replace(choices: &mut Choices) {
    let ruled: Vec<Pending> = choices
        .iter()
        .filter(|choice| matches!(choice.verdict, Verdict::Answer(_) | Verdict::Throw))
        .map(|choice| choice.pending)
        .collect();
    if ruled.is_empty() {
        return;
    }
    choices.retain(|choice| {
        let replaced = ruled.contains(&choice.pending);
        !replaced || matches!(choice.verdict, Verdict::Answer(_) | Verdict::Throw | Verdict::Crash)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::WorkerId;
    use std::collections::BTreeSet;

    /// In a key each death that is still possible is one of its own.
    #[test]
    fn who_may_die_is_told_apart() {
        let death = |pending, point| Choice {
            pending,
            verdict: Verdict::Crash,
            point: Some(point),
            due: Moment::ZERO,
            class: Class::Crash,
            sequence: 1,
        };
        let workers = [0, 1].map(|worker| Pending::Step { worker: WorkerId(worker) });
        let at_ack = workers.map(|worker| death(worker, Point::BeforeAck));
        let before = workers.map(|worker| death(worker, Point::AfterWrite));
        let relays = [0, 1].map(|relay| death(Pending::Relay { relay }, Point::RelayBetween));
        let all = [at_ack, before, relays].concat();
        let numbers: BTreeSet<u64> = all.iter().map(who_dies).collect();
        assert_eq!(numbers.len(), all.len());
    }
}
