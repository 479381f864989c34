//! Rule 22: nothing is lost and nothing comes from nowhere.

use super::places;
use crate::generate::replay_line;
use at_least_once::sim::choice::{Choice, Choices};
use at_least_once::sim::event::{Event, Sink};
use at_least_once::sim::play::differing;
use at_least_once::sim::property::Property;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use at_least_once::units::Moment;
use proptest::prelude::*;
use std::sync::Arc;

/// What rule 22 draws from: a setting and what it may be.
const RANDOM: &[(&str, &[&str])] = &[
    ("broker", &["standard", "fifo", "exactly-once", "celery-redis", "bullmq"]),
    ("effect", &["ledger", "vendor", "outbox"]),
    ("guard", &["off", "on", "check-then-insert"]),
    ("checkpoint", &["none", "after", "before-skip", "before-mint"]),
    ("fencing", &["off", "start"]),
    (
        "faults",
        &[
            "none",
            "0:before-write 1:throw:before-ack",
            "0:replica 1:ack-twice",
            "0/0:crash@1s 1/0:pause:before-ack~40s 1:replica",
            "*:throw:before-call 0:ack-lost",
        ],
    ),
    ("faults.rate", &["0", "200000"]),
    ("job.count", &["1", "3", "6"]),
    ("job.arrivals", &["at-once", "every", "exponential"]),
    ("job.resends", &["none", "2s 40s"]),
    ("job.eta", &["0s", "3s"]),
    ("workers.count", &["1", "2", "4"]),
    ("workers.restart", &["0s", "5s"]),
    ("workers.prefetch", &["1", "2", "10"]),
    ("workers.heartbeat", &["0s", "2s"]),
    ("workers.heartbeat_value", &["none", "1s", "0s"]),
    ("queue.visibility_timeout", &["2s", "30s"]),
    ("queue.lease_from", &["delivery", "start"]),
    ("queue.max_attempts", &["1", "3"]),
    ("queue.expiry_counts", &["on", "off"]),
    ("queue.max_stalls", &["4294967295", "1", "0"]),
    ("queue.dead_letter", &["lazy", "eager"]),
    ("queue.late_ack", &["delete", "newest-receipt", "refuse", "ignore"]),
    ("queue.late_extend", &["refuse", "extend"]),
    ("queue.expiry_backoff", &["on", "off"]),
    ("queue.sweep", &["0s", "7s"]),
    ("queue.sweep_how", &["end", "mark"]),
    ("queue.dedup_window", &["0s", "5s"]),
    ("queue.ack", &["after", "before"]),
    ("retry.how", &["nack", "resend"]),
    ("backoff.kind", &["none", "exponential"]),
    ("vendor.key_required", &["off", "on"]),
    ("deploy.at", &["0s", "3s"]),
    ("deploy.kind", &["kill", "drain"]),
    ("deploy.grace", &["0s", "1s"]),
    ("deploy.gap", &["0s", "2s"]),
];
pub(super) const RANDOM_NAMES: [&str; 6] =
    ["22-random-0", "22-random-1", "22-random-2", "22-random-3", "22-random-4", "22-random-5"];

/// One value of each row of [`RANDOM`].
pub(super) fn random(pick: impl Fn(usize) -> usize) -> Vec<(&'static str, &'static str)> {
    let rows = RANDOM.iter().enumerate();
    rows.map(|(place, (path, texts))| (*path, texts[pick(place) % texts.len()])).collect()
}

/// Counts what the queue says about messages: sent, deleted by an ack, moved to the dead letters.
#[derive(Default)]
struct Said {
    sent: usize,
    acked: usize,
    dead: usize,
}

impl Sink for Said {
    fn event(&mut self, _: Moment, event: Event) {
        match event.code() {
            ("sent", _) => self.sent += 1,
            ("acked", _) | ("ack-late", Some("deleted")) => self.acked += 1,
            ("dead", _) => self.dead += 1,
            _ => {}
        }
    }
}

/// Sent = ready + in flight + delayed + acked + dead, by the events and by the state.
fn conserved(world: &World, said: &Said) -> bool {
    let [ready, leased, delayed, acked, dead] = places(world);
    said.sent == ready + leased + delayed + said.acked + said.dead
        && (said.acked, said.dead) == (acked, dead)
        && Property::Conserved.holds(world)
}

/// What a random run came upon.
#[derive(Debug, Default)]
struct Seen {
    steps: usize,
    places: [usize; 5],
}

/// Takes `turns` steps: any pending event by the number of the turn, or the earliest where
/// `earliest` says so, and checks after each.
fn wander(
    given: &[(&str, &str)],
    turns: &[u16],
    earliest: impl Fn(u16) -> bool,
) -> Result<Seen, String> {
    let mut settings = Settings::default();
    for (path, text) in given {
        settings.set(path, text).expect("allowed");
    }
    let scenario = Arc::new(Scenario::new(&settings));
    let (mut rules, mut said): (&Scenario, Said) = (&scenario, Said::default());
    let mut world = World::new(Arc::clone(&scenario), &mut said);
    let mut choices = Choices::new();
    let mut path: Vec<Choice> = Vec::new();
    let mut seen = Seen::default();
    for turn in turns {
        world.choices(&mut choices);
        if earliest(*turn) {
            let agreed = |choice: &&Choice| {
                world.site(choice).is_none_or(|site| scenario.verdict(&site) == choice.verdict)
            };
            path.extend(choices.iter().find(agreed));
            world.advance(&mut rules, &mut said);
        } else {
            let place = usize::from(*turn) % choices.len().max(1);
            let Some(choice) = choices.get(place) else { break };
            world.apply(choice, &mut said);
            path.push(*choice);
        }
        seen.steps += 1;
        for (most, now) in seen.places.iter_mut().zip(places(&world)) {
            *most = now.max(*most);
        }
        if !conserved(&world, &said) {
            let (places, found) = (places(&world), (world.found(), world.sent()));
            let line = replay_line(given, &differing(&scenario, &path));
            return Err(format!("{places:?} {found:?} at step {}\n{line}", seen.steps));
        }
    }
    Ok(seen)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Rule 22: nothing is lost and nothing comes from nowhere, after every step of any run.
    #[test]
    fn rule_22_every_message_sent_is_somewhere(
        picks in prop::collection::vec(0..60_usize, RANDOM.len()),
        seed in any::<u64>(),
        turns in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        let seed = seed.to_string();
        let mut given = random(|place| picks[place]);
        given.push(("seed", seed.as_str()));
        // Any order; the order of play; and both in one run.
        for mode in 0..3_u16 {
            let walked = wander(&given, &turns, |turn| mode == 1 || (mode == 2 && turn % 3 > 0));
            prop_assert!(walked.is_ok(), "{}, mode {mode}", walked.unwrap_err());
        }
    }
}

/// Rule 22: and it is about something: messages were in every place that there is.
#[test]
fn rule_22_has_seen_messages_in_every_place() {
    let mut places = [0; 5];
    let mut steps = 0;
    for number in 0..60_usize {
        let given = random(|place| number * 7 + number / 5 + place * number);
        let turn = |place: usize| u16::try_from((number * 7919 + place * 104_729) % 65_521);
        let turns: Vec<u16> = (0..120).map(|place| turn(place).expect("small")).collect();
        let seen = wander(&given, &turns, |_| false).expect("conserved");
        steps += seen.steps;
        for (most, now) in places.iter_mut().zip(seen.places) {
            *most = now.max(*most);
        }
    }
    assert!(steps > 3000 && places.iter().all(|most| *most > 1), "{steps} steps, {places:?}");
}
