//! The explorer: every order of events, within bounds, breadth first.
//!
//! It is a driver over the same [`World::choices`] and [`World::apply`] as play. Because it goes
//! breadth first, a violation that it finds is a shortest one; because every path is a timed
//! run, play replays it to the same events. "None" is said only when everything within the bounds
//! was visited.
//!
//! With [`Timing::Any`] a bound on ends (of leases, claims, keys, windows) says how many the search
//! may have come at all: what is beyond it does not come, and everything else may. With
//! [`Timing::AsSet`] it is the numbers that say when something ends, and nothing passes it by: every
//! path is a run that play plays, once what goes wrong in it is a rule, but for the order of ties.
//! So there an end beyond a bound is where a run leaves the bounds. The search does not go on behind
//! it, and says in how many states that is so ([`Found::left`]).

mod bounds;
mod found;
mod onward;

pub use bounds::{Bounds, Timing};
pub use found::{Found, GOALS, Goal, Lasso, Violation};

use super::choice::{Choice, Choices};
use super::event::{Counter, Listener};
use super::fault::Verdict;
use super::scenario::Scenario;
use super::world::World;
use bounds::Spent;
use foldhash::quality::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use onward::{Onward, Way, dies_already, goes_wrong, may_die, who_dies};
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// A state in the tree of shortest paths.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// The place of the choice that leads here among those that are possible in the parent.
    turn: u32,
}

/// A state whose events have not been tried.
struct Open {
    place: u32,
    world: Box<World>,
    way: Way,
}

/// An edge of the graph without crashes, for liveness.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
}

/// Searches a scenario for the first of `goals` that can be reached within the bounds.
///
/// The scenario's own crashes, rates and deploy are replaced by the bounds; what a rule makes the
/// vendor answer, or the handler throw, stays.
#[must_use]
pub fn explore(scenario: &Scenario, goals: &[Goal], bounds: &Bounds) -> Found {
    let mut search = Search::new(scenario, goals, *bounds);
    search.run()
}

struct Search<'a> {
    goals: &'a [Goal],
    bounds: Bounds,
    nodes: Vec<Node>,
    /// The place in the tree of every state, by 128 bits of its key.
    seen: HashTable<([u64; 2], u32)>,
    hashers: [FixedState; 2],
    start: World,
    frontier: VecDeque<Open>,
    edges: Vec<Edge>,
    /// The states that are settled, and those from which it only goes on beyond the bounds.
    open_ended: Vec<u32>,
    left: usize,
    key: Vec<u64>,
    listed: Choices,
}

impl<'a> Search<'a> {
    fn new(scenario: &Scenario, goals: &'a [Goal], bounds: Bounds) -> Self {
        let scenario = Arc::new(scenario.without_crashes());
        let world = World::new(scenario, &mut Counter::default());
        let mut search = Self {
            goals,
            bounds,
            nodes: Vec::new(),
            seen: HashTable::new(),
            hashers: [FixedState::with_seed(2), FixedState::with_seed(3)],
            start: world,
            frontier: VecDeque::new(),
            edges: Vec::new(),
            open_ended: Vec::new(),
            left: 0,
            key: Vec::new(),
            listed: Choices::new(),
        };
        let (world, way) = (Box::new(search.start.clone()), Way::default());
        let digest = search.digest(&world, &way);
        search.place_of(digest);
        search.nodes.push(Node { parent: 0, turn: 0 });
        search.frontier.push_back(Open { place: 0, world, way });
        search
    }

    fn run(&mut self) -> Found {
        let liveness = self.goals.contains(&Goal::Stuck);
        if let Some(goal) = self.reached(&self.start) {
            return self.found(false, Some((goal, 0)));
        }
        let mut choices = Choices::new();
        let mut counter = Counter::default();
        let mut listener = Listener::new(&mut counter);
        // Worlds whose events have all been tried, to be used again for others.
        let mut spare = vec![Box::new(self.start.clone())];
        while let Some(Open { place, world, way }) = self.frontier.pop_front() {
            match self.bounds.possible(&world, &way, &mut choices) {
                Onward::Within => {}
                Onward::Settled => self.open_ended.push(place),
                Onward::Beyond => {
                    self.left += 1;
                    self.open_ended.push(place);
                }
            }
            for (turn, choice) in (0..).zip(&choices) {
                let Some(way) = self.bounds.after(&world, &way, choice) else { continue };
                let earlier = &choices[..turn as usize];
                if self.bounds.timing == Timing::Any && dies_already(choice, earlier) {
                    continue;
                }
                let mut next = match spare.pop() {
                    Some(mut next) => {
                        next.clone_from(&world);
                        next
                    }
                    None => world.clone(),
                };
                next.tell(choice, &mut listener);
                let digest = self.digest(&next, &way);
                let (to, known) = self.place_of(digest);
                if liveness && choice.verdict != Verdict::Crash {
                    self.edges.push(Edge { from: place, to });
                }
                if known {
                    spare.push(next);
                    continue;
                }
                self.nodes.push(Node { parent: place, turn });
                if let Some(goal) = self.reached(&next) {
                    return self.found(false, Some((goal, to)));
                }
                self.frontier.push_back(Open { place: to, world: next, way });
            }
            spare.push(world);
            if self.nodes.len() > self.bounds.states {
                return self.found(false, None);
            }
        }
        let stuck = if liveness { self.stuck() } else { None };
        self.found(true, stuck.map(|place| (Goal::Stuck, place)))
    }

    /// The place of a state in the tree, which is the next one if it is not known, and whether
    /// it is.
    fn place_of(&mut self, digest: [u64; 2]) -> (u32, bool) {
        let same = |(other, _): &([u64; 2], u32)| *other == digest;
        // Half of the digest is as good a hash as any.
        match self.seen.entry(digest[0], same, |(digest, _)| digest[0]) {
            Entry::Occupied(known) => (known.get().1, true),
            Entry::Vacant(vacant) => {
                let place = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
                vacant.insert((digest, place));
                (place, false)
            }
        }
    }

    fn reached(&self, world: &World) -> Option<Goal> {
        let broken = |goal: &&Goal| match goal {
            Goal::Breaks(property) => !property.holds(world),
            Goal::Stuck => false,
        };
        self.goals.iter().find(broken).copied()
    }

    fn digest(&mut self, world: &World, way: &Way) -> [u64; 2] {
        let Spent { crashes, expiries, forgets, losses, replicas } = way.spent;
        match self.bounds.timing {
            Timing::Any => world.untimed_key(&mut self.key),
            Timing::AsSet => {
                world.timed_key(&mut self.key);
                if crashes < self.bounds.crashes {
                    world.list_choices(&mut self.listed);
                    let dying = self.listed.iter().filter(|choice| may_die(world, way, choice));
                    self.key.extend(dying.map(who_dies));
                }
            }
        }
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        // With its length, so that a word of nothing at its end tells no two apart.
        let length = u32::try_from(self.key.len()).unwrap_or(u32::MAX);
        self.key.extend_from_slice(&[
            pair(crashes, expiries),
            pair(forgets, losses),
            pair(replicas, length),
        ]);
        let mut hashers = [self.hashers[0].build_hasher(), self.hashers[1].build_hasher()];
        let (pairs, last) = self.key.as_chunks::<2>();
        let last = last.iter().map(|last| [*last, 0]);
        for [low, high] in pairs.iter().copied().chain(last) {
            let pair = u128::from(high) << 64 | u128::from(low);
            hashers[0].write_u128(pair);
            hashers[1].write_u128(pair);
        }
        hashers.map(|hasher| hasher.finish())
    }

    /// The first state, breadth first, from which no path without a crash leads to an end.
    fn stuck(&self) -> Option<u32> {
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            back[edge.to as usize].push(edge.from);
        }
        let mut ends = vec![false; self.nodes.len()];
        let mut open = self.open_ended.clone();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut ends[place as usize], true) {
                open.extend(&back[place as usize]);
            }
        }
        let place = ends.iter().position(|ends| !ends)?;
        u32::try_from(place).ok()
    }

    /// Goes on from a state that is stuck, along events in which nothing goes wrong, until a state
    /// comes again. Whatever is chosen stays among the states that are stuck.
    fn lasso(&mut self, mut world: World, mut way: Way) -> Lasso {
        let (mut seen, mut steps) = (Vec::new(), Vec::new());
        let mut choices = Choices::new();
        loop {
            let digest = self.digest(&world, &way);
            let circle = seen.iter().position(|other| *other == digest);
            seen.push(digest);
            self.bounds.possible(&world, &way, &mut choices);
            let next = choices.iter().find(|choice| !goes_wrong(choice));
            let onward =
                next.and_then(|next| Some((*next, self.bounds.after(&world, &way, next)?)));
            let (None, Some((choice, after))) = (circle, onward) else {
                return Lasso { steps, circle };
            };
            world.apply(&choice, &mut Counter::default());
            way = after;
            steps.push(choice);
        }
    }

    fn found(&mut self, complete: bool, reached: Option<(Goal, u32)>) -> Found {
        // Breadth first, the last state is one of the farthest.
        let last = u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX);
        let violation = reached.map(|(goal, place)| {
            let (path, world, way) = self.path(place);
            let lasso = (goal == Goal::Stuck).then(|| self.lasso(world, way));
            Violation { goal, path, lasso }
        });
        Found {
            complete,
            states: self.nodes.len(),
            depth: u32::try_from(self.turns(last).len()).unwrap_or(u32::MAX),
            left: self.left,
            violation,
        }
    }

    /// The place of each choice on the way to a state among those that were possible.
    fn turns(&self, place: u32) -> Vec<u32> {
        let mut turns = Vec::new();
        let mut place = place;
        while place != 0 {
            let Node { parent, turn } = self.nodes[place as usize];
            turns.push(turn);
            place = parent;
        }
        turns.reverse();
        turns
    }

    /// The choices on the way to a state, and the state: the way is gone again, because a tree of
    /// them would be most of what a search has to hold.
    fn path(&self, place: u32) -> (Vec<Choice>, World, Way) {
        let (mut world, mut way) = (self.start.clone(), Way::default());
        let mut choices = Choices::new();
        let mut path = Vec::new();
        for turn in self.turns(place) {
            self.bounds.possible(&world, &way, &mut choices);
            let choice = choices[turn as usize];
            way = self.bounds.after(&world, &way, &choice).unwrap_or(way);
            world.apply(&choice, &mut Counter::default());
            path.push(choice);
        }
        (path, world, way)
    }
}
