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

use super::choice::{Choice, Choices, Class, Pending};
use super::event::{Counter, Listener};
use super::fault::{Point, Verdict};
use super::property::{PROPERTIES, Property};
use super::scenario::Scenario;
use super::world::World;
use crate::units::Moment;
use foldhash::quality::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Which orders of events count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Any pending event may come next: "with some timings".
    Any,
    /// The timings are kept; only verdicts and ties within one class branch: "with my numbers".
    /// A run of this search is one of play, in which the search says what goes wrong.
    AsSet,
}

/// How much may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Which orders of events count.
    pub timing: Timing,
    /// How many workers and relays may die.
    pub crashes: u32,
    /// How many leases and claims may end under a holder that is alive; none for no bound.
    pub expiries: Option<u32>,
    /// How many keys' lives and dedup windows may end; none for no bound.
    pub forgets: Option<u32>,
    /// How many acks and answers may be lost.
    pub losses: u32,
    /// How many times the queue may deliver once more what was acked.
    pub replicas: u32,
    /// How many states may be visited before the search is cut.
    pub states: usize,
}

impl Bounds {
    /// The bounds of a search unless something else is said: two crashes, no loss, no replica.
    ///
    /// With any timing no key is forgotten: it could be at once, and no design holds against that.
    /// Where the timings are kept, a key lives as long as is set.
    #[must_use]
    pub const fn new(timing: Timing) -> Self {
        let forgets = match timing {
            Timing::Any => Some(0),
            Timing::AsSet => None,
        };
        Self {
            timing,
            crashes: 2,
            expiries: None,
            forgets,
            losses: 0,
            replicas: 0,
            states: 5_000_000,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new(Timing::Any)
    }
}

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// A state in which a property does not hold.
    Breaks(Property),
    /// A state from which, with no further crash, no path leads to an end.
    Stuck,
}

/// Every goal.
pub const GOALS: [Goal; 7] = [
    Goal::Breaks(PROPERTIES[0]),
    Goal::Breaks(PROPERTIES[1]),
    Goal::Breaks(PROPERTIES[2]),
    Goal::Breaks(PROPERTIES[3]),
    Goal::Breaks(PROPERTIES[4]),
    Goal::Breaks(PROPERTIES[5]),
    Goal::Stuck,
];

impl Goal {
    /// The name of what is broken.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaks(property) => property.name(),
            Self::Stuck => "not-stuck",
        }
    }
}

/// A run that reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which goal.
    pub goal: Goal,
    /// The steps to it: none shorter reaches it.
    pub path: Vec<Choice>,
    /// For a state that is stuck: how it goes on from there.
    pub lasso: Option<Lasso>,
}

/// How it goes on from a state that is stuck, within the bounds: round in a circle, or to where
/// nothing more can happen. It is one way of many, and none of them finishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The steps.
    pub steps: Vec<Choice>,
    /// How many of them lead to the circle that the others are; none if there is no circle.
    pub circle: Option<usize>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether everything within the bounds was visited.
    pub complete: bool,
    /// How many states were visited.
    pub states: usize,
    /// How many steps the longest shortest path has.
    pub depth: u32,
    /// From how many states it only goes on with an end that is beyond the bounds. They are neither
    /// ends nor stuck: what would follow was not looked at.
    pub left: usize,
    /// The first violation, if there is one.
    pub violation: Option<Violation>,
}

/// How much has been used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spent {
    crashes: u32,
    expiries: u32,
    forgets: u32,
    losses: u32,
    replicas: u32,
}

/// A state in the tree of shortest paths.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// The place of the choice that leads here among those that are possible in the parent.
    turn: u32,
}

/// What a search knows of a state besides its world.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    spent: Spent,
    /// The last event of another class than crashes: when it was, and the number of the last timer
    /// before it. Where timings are kept, a worker dies before anything else of that instant, or
    /// right at the step's begin.
    last: (Moment, u64),
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

/// What comes after a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Onward {
    /// Something, or only a crash, or nothing although something is pending.
    Within,
    /// Nothing is pending.
    Settled,
    /// Only what is beyond the bounds, but for a crash.
    Beyond,
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
            match self.possible(&world, &way, &mut choices) {
                Onward::Within => {}
                Onward::Settled => self.open_ended.push(place),
                Onward::Beyond => {
                    self.left += 1;
                    self.open_ended.push(place);
                }
            }
            for (turn, choice) in (0..).zip(&choices) {
                let Some(way) = self.after(&world, &way, choice) else { continue };
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

    /// Lists what may come next within the bounds, in order.
    ///
    /// Where timings are kept, what comes next is known before the bounds are asked: nothing passes
    /// by an end that is beyond them.
    fn possible(&self, world: &World, way: &Way, choices: &mut Choices) -> Onward {
        world.list_choices(choices);
        if choices.is_empty() {
            return Onward::Settled;
        }
        if self.bounds.timing == Timing::AsSet {
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
    fn after(&self, world: &World, way: &Way, choice: &Choice) -> Option<Way> {
        let spent = self.spend(world, way.spent, choice)?;
        let keeps = self.bounds.timing == Timing::Any || choice.class == Class::Crash;
        let now = || (world.now().max(choice.due), world.last_timer());
        Some(Way { spent, last: if keeps { way.last } else { now() } })
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

    /// What is spent after a choice; none if it is not within the bounds.
    fn spend(&self, world: &World, spent: Spent, choice: &Choice) -> Option<Spent> {
        let mut spent = spent;
        let (used, most) = match choice.verdict {
            Verdict::Crash => (&mut spent.crashes, self.bounds.crashes),
            Verdict::Lost => (&mut spent.losses, self.bounds.losses),
            Verdict::Twice | Verdict::Replica => (&mut spent.replicas, self.bounds.replicas),
            Verdict::Go
            | Verdict::Throw
            | Verdict::Pause(_)
            | Verdict::Late(_)
            | Verdict::Answer(_) => match (choice.pending, self.bounds.expiries) {
                (Pending::LeaseEnd { message }, Some(most)) if world.has_living_holder(message) => {
                    (&mut spent.expiries, most)
                }
                (Pending::CallClaimEnd { .. }, Some(most)) => (&mut spent.expiries, most),
                (Pending::ClaimEnd { key, .. }, Some(most)) if world.has_worker_at(key.job) => {
                    (&mut spent.expiries, most)
                }
                (Pending::KeyEnd { .. } | Pending::WindowEnd { .. } | Pending::TestClock, _) => {
                    match self.bounds.forgets {
                        Some(most) => (&mut spent.forgets, most),
                        None => return Some(spent),
                    }
                }
                // What has no bound is not counted either, so that it does not tell states apart.
                _ => return Some(spent),
            },
        };
        *used += 1;
        (*used <= most).then_some(spent)
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
            self.possible(&world, &way, &mut choices);
            let next = choices.iter().find(|choice| !goes_wrong(choice));
            let onward = next.and_then(|next| Some((*next, self.after(&world, &way, next)?)));
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
            self.possible(&world, &way, &mut choices);
            let choice = choices[turn as usize];
            way = self.after(&world, &way, &choice).unwrap_or(way);
            world.apply(&choice, &mut Counter::default());
            path.push(choice);
        }
        (path, world, way)
    }
}

/// Whether the same worker or relay may die a little earlier: where no time is kept, that is
/// the same state.
fn dies_already(choice: &Choice, earlier: &[Choice]) -> bool {
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
fn may_die(world: &World, way: &Way, choice: &Choice) -> bool {
    let (last, timer) = way.last;
    choice.verdict == Verdict::Crash
        && choice.due >= world.now()
        && (choice.due > last || choice.sequence > timer)
}

/// A number for who dies, and at which of the two points where a worker may stand.
fn who_dies(choice: &Choice) -> u64 {
    let at_ack = u64::from(choice.point == Some(Point::BeforeAck));
    match choice.pending {
        Pending::Step { worker } => 1 << 32 | u64::from(worker.0) << 1 | at_ack,
        Pending::Relay { relay } => 2 << 32 | u64::from(relay),
        _ => 0,
    }
}

fn goes_wrong(choice: &Choice) -> bool {
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
