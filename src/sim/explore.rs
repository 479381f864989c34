//! The explorer: every order of events, within bounds, breadth first.
//!
//! It is a driver over the same [`World::choices`] and [`World::apply`] as play. Because it goes
//! breadth first, a violation that it finds is a shortest one; because every path is a timed
//! run, play replays it to the same events. "None" is said only when everything within the bounds
//! was visited.

use super::choice::{Choice, Choices, Class, Pending};
use super::event::Counter;
use super::fault::Verdict;
use super::property::{PROPERTIES, Property};
use super::scenario::Scenario;
use super::world::World;
use crate::units::Moment;
use foldhash::quality::FixedState;
use hashbrown::HashMap;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Which orders of events count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Any pending event may come next: "with some timings".
    Any,
    /// The timings are kept; only verdicts and ties within one class branch: "with my numbers".
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
    /// How many keys' lives and dedup windows may end.
    pub forgets: u32,
    /// How many acks and answers may be lost.
    pub losses: u32,
    /// How many times the queue may deliver once more what was acked.
    pub replicas: u32,
    /// How many states may be visited before the search is cut.
    pub states: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            timing: Timing::Any,
            crashes: 2,
            expiries: None,
            forgets: 0,
            losses: 0,
            replicas: 0,
            states: 5_000_000,
        }
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
    /// For a state that is stuck: steps that lead round in a circle from there, or nowhere.
    pub lasso: Vec<Choice>,
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
    choice: Choice,
    depth: u32,
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
    seen: HashMap<(u64, u64), u32, FixedState>,
    hashers: [FixedState; 2],
    frontier: VecDeque<(u32, Box<World>, Spent)>,
    edges: Vec<Edge>,
    settled: Vec<u32>,
    key: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(scenario: &Scenario, goals: &'a [Goal], bounds: Bounds) -> Self {
        let scenario = Arc::new(scenario.without_crashes());
        let world = World::new(scenario, &mut Counter::default());
        let mut search = Self {
            goals,
            bounds,
            nodes: Vec::new(),
            seen: HashMap::with_hasher(FixedState::with_seed(1)),
            hashers: [FixedState::with_seed(2), FixedState::with_seed(3)],
            frontier: VecDeque::new(),
            edges: Vec::new(),
            settled: Vec::new(),
            key: Vec::new(),
        };
        let start = Node { parent: 0, choice: nothing(), depth: 0 };
        let spent = Spent::default();
        let digest = search.digest(&world, &spent);
        search.seen.insert(digest, 0);
        search.nodes.push(start);
        search.frontier.push_back((0, Box::new(world), spent));
        search
    }

    fn run(&mut self) -> Found {
        let liveness = self.goals.contains(&Goal::Stuck);
        let mut choices = Choices::new();
        if let Some((_, world, _)) = self.frontier.front() {
            if let Some(goal) = self.reached(world) {
                return self.found(false, Some((goal, 0, Vec::new())));
            }
        }
        let mut next = self.frontier.front().map(|(_, world, _)| world.clone());
        while let Some((place, world, spent)) = self.frontier.pop_front() {
            let Some(next) = &mut next else { break };
            world.choices(&mut choices);
            if choices.is_empty() {
                self.settled.push(place);
            }
            if self.bounds.timing == Timing::AsSet {
                keep_timings(&world, &mut choices);
            }
            drop_what_rules_replace(&mut choices);
            for choice in &choices {
                let Some(spent) = self.spend(&world, spent, choice) else { continue };
                next.clone_from(&world);
                next.apply(choice, &mut Counter::default());
                let digest = self.digest(next, &spent);
                let known = self.seen.get(&digest).copied();
                let to =
                    known.unwrap_or_else(|| u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
                if liveness && choice.verdict != Verdict::Crash {
                    self.edges.push(Edge { from: place, to });
                }
                if known.is_some() {
                    continue;
                }
                let depth = self.nodes[place as usize].depth + 1;
                self.seen.insert(digest, to);
                self.nodes.push(Node { parent: place, choice: *choice, depth });
                if let Some(goal) = self.reached(next) {
                    return self.found(false, Some((goal, to, Vec::new())));
                }
                self.frontier.push_back((to, next.clone(), spent));
            }
            if self.nodes.len() > self.bounds.states {
                return self.found(false, None);
            }
        }
        let stuck = if liveness { self.stuck() } else { None };
        self.found(true, stuck.map(|(place, lasso)| (Goal::Stuck, place, lasso)))
    }

    fn reached(&self, world: &World) -> Option<Goal> {
        let broken = |goal: &&Goal| match goal {
            Goal::Breaks(property) => !property.holds(world),
            Goal::Stuck => false,
        };
        self.goals.iter().find(broken).copied()
    }

    fn digest(&mut self, world: &World, spent: &Spent) -> (u64, u64) {
        match self.bounds.timing {
            Timing::Any => world.untimed_key(&mut self.key),
            Timing::AsSet => world.timed_key(&mut self.key),
        }
        let used = [spent.crashes, spent.expiries, spent.forgets, spent.losses, spent.replicas];
        for count in used {
            self.key.extend(count.to_le_bytes());
        }
        let hash = |state: &FixedState| {
            let mut hasher = state.build_hasher();
            hasher.write(&self.key);
            hasher.finish()
        };
        (hash(&self.hashers[0]), hash(&self.hashers[1]))
    }

    /// What is spent after a choice; none if it is not within the bounds.
    fn spend(&self, world: &World, spent: Spent, choice: &Choice) -> Option<Spent> {
        let mut spent = spent;
        match choice.verdict {
            Verdict::Crash => spent.crashes += 1,
            Verdict::Lost => spent.losses += 1,
            Verdict::Twice | Verdict::Replica => spent.replicas += 1,
            Verdict::Go
            | Verdict::Throw
            | Verdict::Pause(_)
            | Verdict::Late(_)
            | Verdict::Answer(_) => {}
        }
        // What has no bound is not counted either, so that it does not tell states apart.
        let counts = self.bounds.expiries.is_some();
        match choice.pending {
            Pending::LeaseEnd { message } if counts && world.has_living_holder(message) => {
                spent.expiries += 1;
            }
            Pending::ClaimEnd { key, .. } if counts && world.has_worker_at(key.job) => {
                spent.expiries += 1;
            }
            Pending::KeyEnd { .. } | Pending::WindowEnd { .. } | Pending::TestClock => {
                spent.forgets += 1;
            }
            _ => {}
        }
        let within = spent.crashes <= self.bounds.crashes
            && self.bounds.expiries.is_none_or(|most| spent.expiries <= most)
            && spent.forgets <= self.bounds.forgets
            && spent.losses <= self.bounds.losses
            && spent.replicas <= self.bounds.replicas;
        within.then_some(spent)
    }

    /// The first state, breadth first, from which no path without a crash leads to an end, and
    /// steps from there that lead round in a circle, or to where nothing more can happen.
    fn stuck(&self) -> Option<(u32, Vec<Choice>)> {
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            back[edge.to as usize].push(edge.from);
        }
        let mut ends = vec![false; self.nodes.len()];
        let mut open = self.settled.clone();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut ends[place as usize], true) {
                open.extend(&back[place as usize]);
            }
        }
        let place = ends.iter().position(|ends| !ends)?;
        Some((u32::try_from(place).ok()?, Vec::new()))
    }

    fn found(&self, complete: bool, reached: Option<(Goal, u32, Vec<Choice>)>) -> Found {
        Found {
            complete,
            states: self.nodes.len(),
            depth: self.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            violation: reached.map(|(goal, place, lasso)| Violation {
                goal,
                path: self.path(place),
                lasso,
            }),
        }
    }

    fn path(&self, place: u32) -> Vec<Choice> {
        let mut path = Vec::new();
        let mut place = place;
        while place != 0 {
            let node = self.nodes[place as usize];
            path.push(node.choice);
            place = node.parent;
        }
        path.reverse();
        path
    }
}

/// Keeps what may come next when the timings are kept: the events that are earliest by moment and
/// class, and the faults whose moment has come.
fn keep_timings(world: &World, choices: &mut Choices) {
    let plain = |choice: &&Choice| choice.verdict == Verdict::Go;
    let Some((due, class)) =
        choices.iter().filter(plain).map(|choice| (choice.due, choice.class)).min()
    else {
        return;
    };
    let now = world.now();
    choices.retain(|choice| match choice.class {
        Class::Crash => choice.due >= now && choice.due <= due,
        _ => (choice.due, choice.class) == (due, class),
    });
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

fn nothing() -> Choice {
    Choice {
        pending: Pending::Arrive,
        verdict: Verdict::Go,
        point: None,
        due: Moment::ZERO,
        class: Class::Arrival,
        sequence: 0,
    }
}

impl Found {
    /// Whether a violation of this goal was found.
    #[must_use]
    pub fn breaks(&self, goal: Goal) -> bool {
        self.violation.as_ref().is_some_and(|violation| violation.goal == goal)
    }
}

/// Walks from a state that is stuck along plain events until a state comes again, or nothing
/// more can happen.
#[must_use]
pub fn lasso(scenario: &Scenario, path: &[Choice]) -> Vec<Choice> {
    let scenario = Arc::new(scenario.without_crashes());
    let mut world = World::new(scenario, &mut Counter::default());
    for choice in path {
        world.apply(choice, &mut Counter::default());
    }
    let mut seen = Vec::new();
    let mut out = Vec::new();
    let mut choices = Choices::new();
    let mut key = Vec::new();
    loop {
        world.untimed_key(&mut key);
        if seen.contains(&key) || out.len() > 200 {
            return out;
        }
        seen.push(key.clone());
        world.choices(&mut choices);
        drop_what_rules_replace(&mut choices);
        let plain = |choice: &&Choice| {
            !matches!(
                choice.verdict,
                Verdict::Crash | Verdict::Lost | Verdict::Twice | Verdict::Replica
            )
        };
        let Some(choice) = choices.iter().find(plain).copied() else { return out };
        world.apply(&choice, &mut Counter::default());
        out.push(choice);
    }
}
