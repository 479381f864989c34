//! Takes events as the stream says, and checks what must hold after each.

use crate::bytes::Bytes;
use crate::scenario::Given;
use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::Experiment;
use at_least_once::sim::choice::{Choice, Choices, Pending};
use at_least_once::sim::link::{Differing, MOST_BYTES};
use at_least_once::sim::play::{differing, play, take};
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::trace::Trace;
use at_least_once::sim::world::World;
use std::sync::Arc;

const EXPERIMENT: &str = "double-refund";
const MOST_STEPS: usize = 200;
/// Play goes on to the end of a run, which may be far: one path in so many is played from a link.
const LINKS: usize = 4;

pub(crate) fn walk(given: &Given, bytes: &mut Bytes<'_>) {
    let given: Vec<(&str, &str)> = given.iter().map(|(path, text)| (*path, &**text)).collect();
    let mut settings = Experiment::find(EXPERIMENT).expect("it is there").settings();
    settings.set_all(&given).expect("each was allowed");
    let scenario = Arc::new(Scenario::new(&settings));
    let mut rules: &Scenario = &scenario;
    let mut trace = Trace::default();
    let mut world = World::new(Arc::clone(&scenario), &mut trace);
    let mut path = Vec::new();
    let mut choices = Choices::new();
    while !bytes.is_empty() && path.len() < MOST_STEPS {
        world.choices(&mut choices);
        check_list(&world, &choices);
        let turn = bytes.number();
        let Some(earliest) = check_advance(&world, &choices) else { break };
        let before = world.now();
        trace.next_step();
        // One turn in four is play's, with what it remembers of what is pending.
        let choice = if turn % 4 == 0 {
            assert!(world.advance(&mut rules, &mut trace));
            earliest
        } else {
            let choice = choices[usize::from(turn / 4) % choices.len()];
            world.apply(&choice, &mut trace);
            choice
        };
        path.push(choice);
        assert_eq!(world.now(), before.max(choice.due), "the clock, after {path:?}");
        for property in [Property::Conserved, Property::WithinLimit] {
            assert!(property.holds(&world), "{property:?}, after {path:?}");
        }
    }
    assert_eq!(take(&scenario, &path), trace, "the same path again");
    let differing = differing(&scenario, &path);
    for choice in &differing {
        assert_eq!(choice.to_string().parse(), Ok(*choice));
    }
    if path.len() % LINKS == 0 {
        check_link(&given, &differing, &trace);
    }
}

/// The order of choices is total, and asking twice gives the same list.
fn check_list(world: &World, choices: &Choices) {
    let ascends = choices.is_sorted_by(|one, other| one.order() < other.order());
    assert!(ascends, "two choices in one place: {choices:?}");
    let mut again = Choices::new();
    world.choices(&mut again);
    assert_eq!(*choices, again);
    let receives = choices.iter().filter(|it| matches!(it.pending, Pending::Receive { .. }));
    assert!(receives.count() <= world.workers().len() * world.messages().len());
}

/// The fast path does what the first choice does that the rules agree to; returns it.
fn check_advance(world: &World, choices: &Choices) -> Option<Choice> {
    let scenario = Arc::clone(world.scenario());
    let mut rules: &Scenario = &scenario;
    let agreed = |choice: &&Choice| match world.site(choice) {
        Some(site) => scenario.verdict(&site) == choice.verdict,
        None => true,
    };
    let earliest = choices.iter().find(agreed).copied();
    let (mut fast, mut listed) = (world.clone(), world.clone());
    let (mut fast_trace, mut listed_trace) = (Trace::default(), Trace::default());
    let advanced = fast.advance(&mut rules, &mut fast_trace);
    assert_eq!(advanced, earliest.is_some(), "settled is settled for both");
    let earliest = earliest?;
    listed.apply(&earliest, &mut listed_trace);
    assert_eq!(fast_trace, listed_trace, "{earliest:?}");
    assert_same(&fast, &listed, &earliest);
    Some(earliest)
}

fn assert_same(one: &World, other: &World, after: &Choice) {
    assert_eq!(one.now(), other.now(), "{after:?}");
    let (mut one_key, mut other_key) = (Vec::new(), Vec::new());
    one.timed_key(&mut one_key);
    other.timed_key(&mut other_key);
    assert_eq!(one_key, other_key, "{after:?}");
    let (mut one_list, mut other_list) = (Choices::new(), Choices::new());
    one.choices(&mut one_list);
    other.choices(&mut other_list);
    assert_eq!(one_list, other_list, "{after:?}");
}

/// Play takes the path from what a link says of it, and the link reads as it is written.
fn check_link(given: &[(&str, &str)], differing: &[Differing], trace: &Trace) {
    let session = Session::new(EXPERIMENT, given).expect("each was allowed");
    let mut link = session.link();
    if !differing.is_empty() {
        let texts: Vec<String> = differing.iter().map(Differing::to_string).collect();
        link.push_str(&format!("&choices={}", texts.join("+")));
    }
    let run = if link.len() <= MOST_BYTES {
        let opened = Session::open(&link).expect("a link is read as it is written");
        assert_eq!(opened.link(), link);
        opened.run().clone()
    } else {
        play(&Arc::new(session.scenario().clone()), differing)
    };
    assert!(run.missed.is_empty(), "{:?} of {link}", run.missed);
    let entries = trace.entries();
    assert_eq!(run.trace.entries()[..entries.len()], *entries, "{link}");
}
