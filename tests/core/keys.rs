//! The key without times, by which a search with any timing compares worlds: workers that are
//! alike are one, and nothing else is.

use super::generate::replay_line;
use at_least_once::lesson::designs::DESIGNS;
use at_least_once::model::key::IdempotencyKey;
use at_least_once::model::ledger::Claim;
use at_least_once::model::outbox::{RelayState, RelayStep};
use at_least_once::model::queue::{Message, MessageState};
use at_least_once::model::vendor::{Known, Scoped};
use at_least_once::model::worker::{Step, WorkerState};
use at_least_once::sim::choice::{Choice, Choices, Pending};
use at_least_once::sim::event::Counter;
use at_least_once::sim::fault::{Point, Verdict};
use at_least_once::sim::link::Differing;
use at_least_once::sim::play::differing;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::Settings;
use at_least_once::sim::world::World;
use at_least_once::units::{JobIndex, MessageId, WorkerId};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

type Given<'a> = &'a [(&'a str, &'a str)];

/// One job, two workers, no lengths: a lease, a write, a checkpoint, an ack.
const GROUND: Given = &[
    ("workers.count", "2"),
    ("workers.restart", "0s"),
    ("slice.think", "0s"),
    ("vendor.time", "0s"),
    ("relay.time", "0s"),
];
/// No limit, so that nobody counts deliveries.
const UNLIMITED: (&str, &str) = ("queue.max_attempts", "4294967295");

fn start(grounds: &[Given]) -> World {
    let mut settings = Settings::default();
    settings.set_all(&grounds.concat()).expect("allowed");
    World::new(Arc::new(Scenario::new(&settings)), &mut Counter::default())
}

/// The world after these choices, written as in a link.
fn at(given: Given, path: &str) -> World {
    let mut world = start(&[GROUND, given]);
    let mut choices = Choices::new();
    for text in path.split_whitespace() {
        let named: Differing = format!("1:{text}").parse().expect("a choice");
        world.choices(&mut choices);
        let choice = named.find(&choices).unwrap_or_else(|| {
            let pending = choices.iter().map(|choice| Differing::new(1, choice, &choices));
            let pending: Vec<String> = pending.map(|it| it.to_string()).collect();
            panic!("{text} of `{path}` is not pending, but {pending:?}");
        });
        world.apply(&choice, &mut Counter::default());
    }
    world
}

fn key(world: &World) -> Vec<u64> {
    let mut key = Vec::new();
    world.untimed_key(&mut key);
    key
}

/// What differs, the settings, and two paths that come to worlds which differ in that alone.
type Pair = (&'static str, Given<'static>, [&'static str; 2]);

const OFF: (&str, &str) = ("guard", "off");
const CHECKS: (&str, &str) = ("guard", "check-then-insert");
const VENDOR: (&str, &str) = ("effect", "vendor");
const CLAIMS: Given = &[VENDOR, ("guard.at", "call")];
const OUTBOX: Given = &[("effect", "outbox")];
const FENCED: Given = &[("fencing", "write"), UNLIMITED];
const REFUSED: Given = &[VENDOR, ("faults", "0:answer-503"), ("client.tries", "2")];
const DELAYS: Given = &[("queue.expiry_backoff", "on")];
const STALLS: Given = &[UNLIMITED, ("queue.max_stalls", "5")];
const TWO_JOBS: Given = &[("job.count", "2")];
const TWO_REFUNDS: Given = &[("job.second_amount", "200"), UNLIMITED];

const PREFETCH: Given = &[("job.count", "3"), ("workers.prefetch", "2")];
const POOL: Given =
    &[("workers.count", "3"), ("job.count", "3"), ("transaction", "on"), ("pool", "1")];

const DRAINS: Given = &[("deploy.at", "1s"), ("deploy.kind", "drain")];
/// A new version that goes from worker to worker: the first is killed first.
const ROLLS: Given = &[("deploy.at", "1s"), ("deploy.kind", "kill"), ("deploy.gap", "5s")];
const PAUSES: Given = &[("faults", "0:pause:before-write~3s")];

const DIFFERENT: [Pair; 36] = [
    ("whose turn it is in a deploy", ROLLS, ["r0-0", "r1-0"]),
    ("a row", &[], ["r0-0 s0!before-write", "r0-0 s0 s0!after-write"]),
    ("a checkpoint", &[], ["r0-0 s0 s0!after-write", "r0-0 s0 s0 s0!after-checkpoint"]),
    (
        "a second row",
        &[OFF, UNLIMITED],
        ["r0-0 s0 s0!after-write", "r0-0 s0 s0!after-write e0 r0-0 s0 s0!after-write"],
    ),
    (
        "an attempt",
        &[],
        ["r0-0 s0!before-write e0", "r0-0 s0!before-write e0 r0-0 s0!before-write e0"],
    ),
    ("a stall", STALLS, ["r0-0 s0!before-write e0", "r0-0 e0 r1-0 s0 s0 s0 s1!before-write e0"]),
    (
        "how many stalls",
        STALLS,
        ["r0-0 s0!before-write e0", "r0-0 s0!before-write e0 r0-0 s0!before-write e0"],
    ),
    ("a lease", &[UNLIMITED], ["r0-0 s0!before-write", "r0-0 s0!before-write e0"]),
    ("a holder that is alive", &[UNLIMITED], ["r0-0", "r0-0 e0"]),
    (
        "a stale receipt that is the newest",
        &[UNLIMITED],
        ["r0-0 e0", "r0-0 e0 r1-0 s1!before-write e0"],
    ),
    ("a step", &[], ["r0-0 e0 s0", "r0-0 e0 s0 s0"]),
    ("a message that waits", DELAYS, ["r0-0 s0!before-write e0", "r0-0 s0!before-write e0 w0"]),
    (
        "a worker that is down",
        &[("workers.restart", "5s")],
        ["r0-0 s0!before-write", "r0-0 s0!before-write b0"],
    ),
    (
        "acked or dead",
        &[("queue.max_attempts", "1"), ("queue.dead_letter", "eager")],
        ["r0-0 s0 s0 s0", "r0-0 s0 s0 s0!before-ack e0"],
    ),
    (
        "a row that the worker has seen",
        &[CHECKS],
        ["r0-0 s0 e0 r1-0 s1 s1", "r0-0 e0 r1-0 s1 s1 s0"],
    ),
    ("a claim", CLAIMS, ["r0-0 s0!after-lease", "r0-0 s0 s0!before-call"]),
    ("a claim that is done", CLAIMS, ["r0-0 s0 s0 s0!after-call", "r0-0 s0 s0 s0 s0!after-write"]),
    ("a payment", &[VENDOR, ("key", "none")], ["r0-0 s0!before-call", "r0-0 s0 s0!after-call"]),
    (
        "a key that the vendor knows",
        &[VENDOR],
        ["r0-0 s0 s0!after-call", "r0-0 s0 s0!after-call x0"],
    ),
    (
        "a call of which its worker will not hear",
        &[VENDOR, ("vendor.time", "1s"), ("client.timeout", "0s")],
        ["r0-0 s0", "r0-0 s0!reply-lost"],
    ),
    (
        "whose call is answered, of two workers that wait",
        &[VENDOR, ("key", "none"), ("vendor.time", "1s"), ("client.timeout", "5s")],
        ["r0-0 s0!reply-lost e0 r1-0 s1", "r1-0 e0 r0-0 s0!reply-lost s1"],
    ),
    ("a vendor that is down", &[VENDOR, ("vendor.down_until", "5s")], ["r0-0", "x0 r0-0"]),
    ("a second call of the attempt", REFUSED, ["r0-0", "r0-0 s0!answer-503"]),
    ("a token", FENCED, ["r0-0 s0!before-write", "r0-0 s0 s0!after-write"]),
    (
        "a token that is out of date",
        FENCED,
        ["r0-0 e0 r1-0 s1!before-write", "r0-0 e0 r1-0 s1 s1!after-write"],
    ),
    ("a row of the outbox", OUTBOX, ["r0-0 s0!before-call", "r0-0 s0 s0!after-checkpoint"]),
    (
        "a row that is marked",
        OUTBOX,
        ["r0-0 s0 s0 o0-0 p0 p0!relay-between", "r0-0 s0 s0 o0-0 p0 p0"],
    ),
    (
        "how often a row was sent",
        OUTBOX,
        [
            "r0-0 s0 s0 o0-0 p0 p0!relay-between",
            "r0-0 s0 s0 o0-0 p0 p0!relay-between o0-0 p0 p0!relay-between",
        ],
    ),
    ("a relay between its steps", OUTBOX, ["r0-0 s0 o0-0", "r0-0 s0 o0-0 p0"]),
    ("a worker that stands still", PAUSES, ["r0-0", "r0-0 s0!pause:before-write~3s"]),
    ("a worker that is to stop", DRAINS, ["x0 r0-0", "r0-0 x0"]),
    // Where workers are not alike, who is who does matter.
    ("what the worker works on that holds job 2", PREFETCH, ["r0-0 r1-1 r1-2", "r1-0 r0-1 r1-2"]),
    ("who has the connection", POOL, ["r0-0 r1-1", "r1-1 r0-0"]),
    ("who is first in line for a connection", POOL, ["r0-0 r1-1 r2-2", "r0-0 r2-1 r1-2"]),
    ("which job is done", TWO_JOBS, ["r0-0 s0 s0 s0", "r0-1 s0 s0 s0"]),
    (
        "the first of two refunds",
        TWO_REFUNDS,
        ["r0-0 s0 s0 s0!before-write e0", "r0-0 s0 s0 s0 s0 s0!after-checkpoint e0"],
    ),
];

#[test]
fn worlds_that_differ_have_different_keys() {
    for (what, given, [one, other]) in DIFFERENT {
        let (one, other) = (at(given, one), at(given, other));
        assert_ne!(key(&one), key(&other), "{what}");
    }
}

/// With the timings as set a relay's backoff goes by how often it has sent a row, however often
/// that was.
#[test]
fn how_often_a_row_was_sent_is_in_the_timed_key() {
    let sent = |times: usize| {
        let sends = " o0-0 p0 p0!relay-between".repeat(times);
        at(OUTBOX, &format!("r0-0 s0 s0{sends}"))
    };
    let timed = |world: &World| {
        let mut key = Vec::new();
        world.timed_key(&mut key);
        key
    };
    let (two, three) = (sent(2), sent(3));
    assert_eq!(key(&two), key(&three));
    assert_ne!(timed(&two), timed(&three));
}

/// An ack may arrive twice, or be followed by another delivery; a call may only go unheard, where
/// no rule says more.
#[test]
fn what_may_go_wrong_on_the_way() {
    let verdicts = |path, point| {
        let mut choices = Choices::new();
        at(&[VENDOR], path).choices(&mut choices);
        let there = choices.iter().filter(|choice| choice.point == Some(point));
        there.map(|choice| choice.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("r0-0", Point::Call), [Verdict::Lost]);
    let ack = [Verdict::Lost, Verdict::Twice, Verdict::Replica];
    assert_eq!(verdicts("r0-0 s0 s0 s0", Point::Ack), ack);
    assert_eq!(verdicts("r0-0 s0 s0 s0", Point::BeforeAck), [Verdict::Crash]);
}

/// What nobody will ever ask about is not in the key, or a run without end would never come round.
const SAME: [Pair; 6] = [
    ("who", &[], ["r0-0 s0 s0", "r1-0 s1 s1"]),
    ("who is stale", &[], ["r0-0 e0 r1-0 s1", "r1-0 e0 r0-0 s0"]),
    (
        "how often, where there is no limit",
        &[UNLIMITED],
        ["r0-0 s0!before-write e0", "r0-0 s0!before-write e0 r0-0 s0!before-write e0"],
    ),
    ("how often, once it is over", &[], ["r0-0 s0 s0 s0", "r0-0 s0!before-write e0 r0-0 s0 s0 s0"]),
    (
        "a third row",
        &[OFF, UNLIMITED],
        [
            "r0-0 s0 s0!after-write e0 r0-0 s0 s0!after-write",
            "r0-0 s0 s0!after-write e0 r0-0 s0 s0!after-write e0 r1-0 s1 s1!after-write",
        ],
    ),
    ("which worker died", &[UNLIMITED], ["r0-0 s0!before-write", "r1-0 s1!before-write"]),
];

#[test]
fn worlds_that_differ_in_what_nobody_asks_for_have_one_key() {
    for (what, given, [one, other]) in SAME {
        let (one, other) = (at(given, one), at(given, other));
        assert_eq!(key(&one), key(&other), "{what}");
    }
}

/// The same event for the worker in another's place.
fn exchanged(choice: &Choice, order: &[u16]) -> Choice {
    let other = |worker: WorkerId| WorkerId(order[usize::from(worker.0)]);
    let pending = match choice.pending {
        Pending::Step { worker } => Pending::Step { worker: other(worker) },
        Pending::Restart { worker } => Pending::Restart { worker: other(worker) },
        Pending::Receive { worker, message } => Pending::Receive { worker: other(worker), message },
        pending => pending,
    };
    Choice { pending, ..*choice }
}

/// Settings under which nothing but what a worker does tells it from another: every design, with
/// three workers and two jobs.
fn design(place: usize) -> World {
    let given = of_design(place);
    let given: Vec<(&str, &str)> = given.iter().map(|(path, text)| (*path, &**text)).collect();
    start(&[&given])
}

fn of_design(place: usize) -> Vec<(&'static str, String)> {
    let settings = DESIGNS[place].settings();
    let base = Settings::default();
    let own = settings.differing(&base).map(|(setting, text)| (setting.path, text));
    let crew = [("workers.count", "3"), ("job.count", "2")];
    own.chain(crew.map(|(path, text)| (path, text.to_owned()))).collect()
}

/// The line that plays a path from the start of a design again in the terminal.
fn replay(place: usize, path: &[Choice]) -> String {
    let start = design(place);
    replay_line(&of_design(place), &differing(start.scenario(), path))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whoever does what, the key is the same: the same run with its workers exchanged.
    #[test]
    fn an_exchange_of_workers_leaves_the_key(
        place in 0..DESIGNS.len(),
        order in Just(vec![0_u16, 1, 2]).prop_shuffle(),
        turns in prop::collection::vec(any::<u16>(), 1..60),
    ) {
        let mut world = design(place);
        let mut other = world.clone();
        let mut path = Vec::new();
        let (mut choices, mut others) = (Choices::new(), Choices::new());
        for turn in turns {
            world.choices(&mut choices);
            let Some(choice) = choices.get(usize::from(turn) % choices.len().max(1)) else { break };
            let same = exchanged(choice, &order);
            other.choices(&mut others);
            let same = others.iter().find(|it| it.is_same(&same)).copied();
            world.apply(choice, &mut Counter::default());
            other.apply(&same.expect("pending for the other, too"), &mut Counter::default());
            path.push(*choice);
            prop_assert_eq!(key(&world), key(&other), "{:?}\n{}", order, replay(place, &path));
        }
    }
}

/// All that a world says about itself.
fn told(world: &World) -> impl PartialEq + std::fmt::Debug + use<> {
    let (mut timed, mut choices) = (Vec::new(), Choices::new());
    world.timed_key(&mut timed);
    world.choices(&mut choices);
    (
        (timed, choices, world.now()),
        (world.jobs().to_vec(), world.messages().to_vec(), world.workers().to_vec()),
        (world.outbox().to_vec(), world.relays().to_vec()),
        (world.ledger().clone(), world.vendor().clone()),
        (world.ledger().rows().to_vec(), world.vendor().payments().to_vec()),
        (world.sent(), world.found(), world.is_settled()),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A clone, into a new world or into one that is there, is the same world, and what happens
    /// to it does not happen to the other.
    #[test]
    fn a_clone_is_the_same_world(
        place in 0..DESIGNS.len(), turns in prop::collection::vec(any::<u16>(), 1..40),
    ) {
        let mut world = design(place);
        let mut other = design((place + 1) % DESIGNS.len());
        let (mut choices, mut path) = (Choices::new(), Vec::new());
        for turn in turns {
            world.choices(&mut choices);
            let Some(choice) = choices.get(usize::from(turn) % choices.len().max(1)) else { break };
            let before = told(&world);
            let mut next = world.clone();
            path.push(*choice);
            let line = || replay(place, &path);
            prop_assert_eq!(&told(&next), &before, "{}", line());
            other.clone_from(&world);
            prop_assert_eq!(&told(&other), &before, "{}", line());
            next.apply(choice, &mut Counter::default());
            other.apply(choice, &mut Counter::default());
            prop_assert_eq!(told(&next), told(&other), "{}", line());
            prop_assert_eq!(&told(&world), &before, "{}", line());
            world = next;
        }
    }
}

/// What there is to know of a world for whoever does not ask when, with nothing packed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plain {
    jobs: Vec<JobFacts>,
    messages: Vec<(JobIndex, u8, bool, u32)>,
    workers: Vec<WorkerFacts>,
    keys: Vec<(Scoped, Known)>,
    claims: Vec<(IdempotencyKey, bool)>,
    rows: Vec<(JobIndex, bool)>,
    relays: Vec<(u8, usize, Option<RelayStep>)>,
    pending: Vec<Pending>,
}

/// Checkpoint; refused, tried again, acked, dead; token; rows and payments of each refund.
type JobFacts = (u8, (u8, [bool; 3]), Option<bool>, Vec<[usize; 2]>);
/// Down or not; of a task: step, position, message, the message's place, what the worker knows,
/// its token, its tries and its key.
type WorkerFacts =
    (bool, Option<(Step, u8, usize, u8, [bool; 3], Option<Ordering>, u32, IdempotencyKey)>);

fn place(message: &Message) -> u8 {
    match message.state {
        MessageState::Ready { .. } => 0,
        MessageState::Leased(_) => 1,
        MessageState::Delayed { .. } => 2,
        MessageState::Acked => 3,
        MessageState::Dead => 4,
    }
}

fn plain(world: &World, choices: &Choices) -> Plain {
    let refunds = 0..world.scenario().refunds();
    let job = |(index, job): (JobIndex, &at_least_once::model::job::Job)| {
        let mine = || world.messages().iter().filter(|message| message.job == index);
        let newest = mine().map(|message| message.receipt.0).max().unwrap_or(0);
        let facts = |refund| {
            let rows = world.ledger().of_job(index).filter(|(_, row)| row.refund == refund);
            [rows.count().min(2), world.vendor().paid(index, refund).min(2)]
        };
        let acked = mine().any(|message| message.state == MessageState::Acked);
        let dead = mine().any(|message| message.state == MessageState::Dead);
        (
            job.checkpoint,
            (job.refused, [job.retried, acked, dead]),
            world.ledger().token(index).map(|token| token >= newest),
            refunds.clone().map(facts).collect(),
        )
    };
    let limit = world.scenario().broker.max_attempts;
    let message = |(id, message): (MessageId, &Message)| {
        let counted = if limit < u32::MAX { message.counted } else { 0 };
        (message.job, place(message), world.has_living_holder(id), counted)
    };
    let live = |(_, message): &(MessageId, &Message)| place(message) < 3;
    let living = || (0..).map(MessageId).zip(world.messages()).filter(live);
    let worker = |state: &WorkerState| match state {
        WorkerState::Idle { .. } => (false, None),
        WorkerState::Down { .. } => (true, None),
        WorkerState::Busy(task) => {
            let message = &world.messages()[task.message.0 as usize];
            let newest = task.receipt == message.receipt;
            let token = world.ledger().token(task.job).map(|token| task.receipt.0.cmp(&token));
            let knows = [newest, task.saw.is_some(), task.connected];
            // A message is known by its place among the others, one that is over by its job.
            let number = living().position(|(id, _)| id == task.message);
            let number = number.unwrap_or(task.job.0 as usize);
            let at = (task.step, task.position, number, place(message));
            (false, Some((at.0, at.1, at.2, at.3, knows, token, task.tries, task.key)))
        }
    };
    let mut workers: Vec<WorkerFacts> = world.workers().iter().map(worker).collect();
    workers.sort_by_key(|facts| format!("{facts:?}"));
    let mut pending: Vec<Pending> = choices.iter().map(|choice| choice.pending).collect();
    pending.retain(|pending| pending.has_own_timer());
    pending.sort_unstable();
    pending.dedup();
    let claim = |(key, claim): (&IdempotencyKey, &Claim)| (*key, claim.done);
    Plain {
        jobs: (0..).map(JobIndex).zip(world.jobs()).map(job).collect(),
        messages: living().map(message).collect(),
        workers,
        keys: world.vendor().keys().map(|(key, known)| (*key, *known)).collect(),
        claims: world.ledger().claims().map(claim).collect(),
        rows: world.outbox().iter().map(|row| (row.job, row.marked)).collect(),
        relays: world.relays().iter().map(relay).collect(),
        pending,
    }
}

fn relay(state: &RelayState) -> (u8, usize, Option<RelayStep>) {
    match *state {
        RelayState::Idle { .. } => (0, 0, None),
        RelayState::Down { .. } => (1, 0, None),
        RelayState::Busy { row, step, .. } => (2, row, Some(step)),
        RelayState::Waiting { row, .. } => (3, row, None),
    }
}

/// Two worlds with one key are one world: in every design, as far as a search comes in so many
/// states, with another delivery and with whatever else may go wrong.
#[test]
fn one_key_is_one_world() {
    const STATES: usize = 300;
    let mut met = 0;
    for (place, id) in DESIGNS.iter().map(|design| design.id).enumerate() {
        let world = design(place);
        let mut choices = Choices::new();
        world.choices(&mut choices);
        let mut known = BTreeMap::from([(key(&world), plain(&world, &choices))]);
        let mut open = VecDeque::from([world]);
        let mut next_choices = Choices::new();
        while let Some(world) = open.pop_front().filter(|_| known.len() < STATES) {
            world.choices(&mut choices);
            for choice in &choices {
                let mut next = world.clone();
                next.apply(choice, &mut Counter::default());
                next.choices(&mut next_choices);
                if next_choices.is_empty() {
                    continue;
                }
                let (key, facts) = (key(&next), plain(&next, &next_choices));
                if let Some(same) = known.get(&key) {
                    assert_eq!(*same, facts, "{id}: after {choice:?}");
                    met += 1;
                } else {
                    known.insert(key, facts);
                    open.push_back(next);
                }
            }
        }
    }
    assert!(met > 6_000, "{met} worlds were met again");
}
