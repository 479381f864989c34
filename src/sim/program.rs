//! The program of a slice: which steps it has, in which order, for these settings.

use super::fault::Point;
use super::scenario::{CheckpointAt, Effect, Reader};
use super::settings::{Id, Settings};
use crate::model::ledger::Guard;
use crate::model::worker::{Line, Program, Step};
use crate::units::Span;

/// The program that these settings make.
pub(super) fn compile(settings: &Settings) -> Program {
    let read = Reader(settings);
    let mut lines = Vec::new();
    let mut add = |step, refund, effect_done| lines.push(Line { step, refund, effect_done });
    if read.span(Id::JobEta) > Span::ZERO {
        add(Step::Hold, 0, false);
    }
    let ack_first = read.choice(Id::AckWhen) == "before";
    if ack_first {
        add(Step::Ack, 0, false);
    }
    if read.switch(Id::Transaction) {
        add(Step::Connect, 0, false);
    }
    if read.span(Id::SliceThink) > Span::ZERO {
        add(Step::Think, 0, false);
    }
    if read.choice(Id::Fencing) == "start" {
        add(Step::Fence, 0, false);
    }
    let (effect, checkpoint) = (read.effect(), read.checkpoint());
    let before = matches!(checkpoint, CheckpointAt::BeforeSkip | CheckpointAt::BeforeMint);
    for refund in 0..read.refunds() {
        if before {
            add(Step::Checkpoint, refund, false);
        }
        let mut called = false;
        for step in effect_steps(read, effect) {
            add(step, refund, called);
            called |= step == Step::Call;
        }
        if checkpoint == CheckpointAt::After && effect != Effect::Outbox {
            add(Step::Checkpoint, refund, true);
        }
    }
    if !ack_first {
        add(Step::Ack, read.refunds() - 1, true);
    }
    Program::new(lines)
}

/// The point at which a worker stands before each line, if it is one.
pub(super) fn points(program: &Program) -> Vec<Option<Point>> {
    let mut points = Vec::new();
    let mut before = None;
    for line in program.lines() {
        points.push(point_before(line, before));
        before = Some(line.step);
    }
    points
}

fn point_before(line: &Line, before: Option<Step>) -> Option<Point> {
    let done = line.effect_done;
    match line.step {
        Step::Call | Step::Start => Some(Point::BeforeCall),
        Step::Write | Step::Check if done => Some(Point::AfterCall),
        Step::Write => Some(Point::BeforeWrite),
        Step::Checkpoint if done => Some(Point::AfterWrite),
        Step::Ack if done && before == Some(Step::Write) => Some(Point::AfterWrite),
        Step::Ack if done => Some(Point::AfterCheckpoint),
        _ if before.is_none() => Some(Point::AfterLease),
        _ => None,
    }
}

/// The steps from the guard's first look to the effect and its row.
fn effect_steps(read: Reader<'_>, effect: Effect) -> Vec<Step> {
    let looks = matches!(read.guard(), Guard::CheckThenInsert | Guard::AskTheModel);
    let at_call = read.choice(Id::GuardAt) == "call";
    let mut steps = Vec::new();
    let guarded_call = effect == Effect::Vendor && at_call;
    if looks && (effect == Effect::Ledger || guarded_call) {
        steps.push(Step::Check);
    }
    if guarded_call && read.guard() == Guard::AtomicInsert {
        steps.push(Step::Claim);
    }
    if effect == Effect::Vendor && read.guard() == Guard::AskTheVendor {
        steps.push(Step::Check);
    }
    if read.switch(Id::CheckLease) {
        steps.push(Step::CheckLease);
    }
    match effect {
        Effect::Ledger => steps.push(Step::Write),
        Effect::Vendor => {
            steps.push(Step::Call);
            if looks && !at_call {
                steps.push(Step::Check);
            }
            steps.push(Step::Write);
        }
        Effect::Outbox => steps.push(Step::Start),
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(given: &[(&str, &str)]) -> Vec<&'static str> {
        let mut settings = Settings::default();
        for (path, text) in given {
            settings.set(path, text).expect("allowed");
        }
        compile(&settings).lines().iter().map(|line| line.step.name()).collect()
    }

    #[test]
    fn which_steps_a_slice_has() {
        let (vendor, call) = (("effect", "vendor"), ("guard.at", "call"));
        let outbox = ("effect", "outbox");
        let cases: [(&[(&str, &str)], &str); 17] = [
            (&[], "think write checkpoint ack"),
            (&[("slice.think", "0s")], "write checkpoint ack"),
            (&[("guard", "check-then-insert")], "think check write checkpoint ack"),
            (&[("guard", "ask-the-model")], "think check write checkpoint ack"),
            (&[("checkpoint", "none")], "think write ack"),
            (&[("checkpoint", "before-skip")], "think checkpoint write ack"),
            (&[("queue.ack", "before")], "ack think write checkpoint"),
            (
                &[
                    ("job.eta", "1s"),
                    ("transaction", "on"),
                    ("fencing", "start"),
                    ("lease_check", "on"),
                ],
                "hold connect think fence check-lease write checkpoint ack",
            ),
            (&[vendor], "think call write checkpoint ack"),
            (&[vendor, ("guard", "check-then-insert")], "think call check write checkpoint ack"),
            (
                &[vendor, ("guard", "check-then-insert"), call],
                "think check call write checkpoint ack",
            ),
            (&[vendor, call], "think claim call write checkpoint ack"),
            (&[vendor, ("guard", "ask-the-vendor")], "think check call write checkpoint ack"),
            (&[("guard", "ask-the-vendor")], "think write checkpoint ack"),
            (&[outbox], "think start ack"),
            (&[outbox, ("checkpoint", "before-skip")], "think start ack"),
            (&[outbox, ("checkpoint", "before-mint")], "think start ack"),
        ];
        for (given, expected) in cases {
            assert_eq!(steps(given).join(" "), expected, "{given:?}");
        }
        assert_eq!(
            steps(&[vendor, ("job.second_amount", "200")]).join(" "),
            "think call write checkpoint call write checkpoint ack"
        );
    }

    #[test]
    fn where_a_delivery_goes_on_that_finds_a_checkpoint() {
        let mut settings = Settings::default();
        settings.set("job.second_amount", "200").expect("allowed");
        let program = compile(&settings);
        // think write checkpoint write checkpoint ack
        let on = [0, 1, 2].map(|done| program.after_checkpoint(done));
        assert_eq!(on, [0, 3, 5]);
    }

    #[test]
    fn where_a_worker_goes_on_that_finds_a_refund_made() {
        let claims = [("effect", "vendor"), ("guard.at", "call"), ("job.second_amount", "200")];
        for (given, on) in [
            // think claim call write checkpoint claim call write checkpoint ack
            (&[] as &[(&str, &str)], [(1, 4), (5, 8)]),
            // think claim call write claim call write ack
            (&[("checkpoint", "none")], [(1, 4), (4, 7)]),
            // ack think claim call write claim call write
            (&[("checkpoint", "none"), ("queue.ack", "before")], [(2, 5), (5, u8::MAX)]),
        ] {
            let mut settings = Settings::default();
            settings.set_all(&[&claims, given].concat()).expect("allowed");
            let program = compile(&settings);
            for (from, to) in on {
                assert_eq!(program.lines()[usize::from(from)].step, Step::Claim, "{given:?}");
                assert_eq!(program.after_effect(from), to, "{given:?} from {from}");
            }
        }
    }

    /// A look before the call is no point of its own; one behind it stands where the call is done.
    #[test]
    fn at_which_points_a_worker_stands() {
        let call = [("effect", "vendor"), ("guard.at", "call")];
        let looks_first = [call[0], call[1], ("guard", "check-then-insert")];
        let cases: [(&[(&str, &str)], &str); 8] = [
            (
                &[],
                "think after-lease, write before-write, checkpoint after-write, ack after-checkpoint",
            ),
            (&[("checkpoint", "none")], "think after-lease, write before-write, ack after-write"),
            (
                &[("checkpoint", "before-skip")],
                "think after-lease, checkpoint -, write before-write, ack after-write",
            ),
            (
                &[("checkpoint", "before-mint"), ("slice.think", "0s")],
                "checkpoint after-lease, write before-write, ack after-write",
            ),
            (
                &[("effect", "vendor"), ("guard", "check-then-insert")],
                "think after-lease, call before-call, check after-call, write after-call, \
                 checkpoint after-write, ack after-checkpoint",
            ),
            (
                &looks_first,
                "think after-lease, check -, call before-call, write after-call, \
                 checkpoint after-write, ack after-checkpoint",
            ),
            (
                &[("slice.think", "0s"), ("guard", "check-then-insert")],
                "check after-lease, write before-write, checkpoint after-write, \
                 ack after-checkpoint",
            ),
            (
                &[("queue.ack", "before")],
                "ack after-lease, think -, write before-write, checkpoint after-write",
            ),
        ];
        for (given, expected) in cases {
            let mut settings = Settings::default();
            settings.set_all(given).expect("allowed");
            let program = compile(&settings);
            let name = |(line, point): (&Line, Option<Point>)| {
                format!("{} {}", line.step.name(), point.map_or("-", Point::name))
            };
            let stands: Vec<String> =
                program.lines().iter().zip(points(&program)).map(name).collect();
            assert_eq!(stands.join(", "), expected, "{given:?}");
        }
    }
}
