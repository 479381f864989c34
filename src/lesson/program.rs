//! The program of a slice as data: what the handler's code on the page is composed of.

use super::session::Session;
use crate::json::data;
use crate::model::worker::Step;
use crate::sim::fault::Point;
use crate::sim::settings::Id;
use crate::units::Span;

data! {
    /// A step of a slice.
    #[derive(Clone, PartialEq, Eq)]
    pub struct ProgramLine {
        /// The step: `think`, `check`, `write` and so on.
        pub step: &'static str,
        /// How long it takes, in microseconds: its length, or the mean of it.
        pub us: u64,
        /// Which of the job's refunds it is about, from 1.
        pub refund: u32,
        /// The guard of a check or a write, what a claim means, where the checkpoint or the ack
        /// is; null where there is nothing to choose.
        pub detail: Option<&'static str>,
        /// How the idempotency key is chosen, for a step that uses it; else null.
        pub key: Option<&'static str>,
        /// The point between the step before and this one, where a worker may die; null if it is
        /// none. Before an ack there is `before-ack` besides.
        pub point: Option<&'static str>,
    }
}

impl ProgramLine {
    /// The steps of a session's slice, in order. A worker's `position` counts them from 0.
    #[must_use]
    pub fn all(session: &Session) -> Vec<Self> {
        let scenario = session.scenario();
        let chosen = |id| Some(session.settings().choice(id));
        let lines = scenario.program.lines().iter().zip(&scenario.points);
        lines
            .map(|(line, point)| Self {
                step: line.step.name(),
                us: match line.step {
                    Step::Hold => scenario.workload.eta,
                    Step::Think => scenario.lengths.think,
                    Step::Call => scenario.vendor.time,
                    Step::Write | Step::Start => scenario.lengths.write,
                    Step::Checkpoint => scenario.lengths.checkpoint,
                    Step::Ack => scenario.lengths.ack,
                    _ => Span::ZERO,
                }
                .as_micros(),
                refund: u32::from(line.refund) + 1,
                detail: match line.step {
                    Step::Check | Step::Write => chosen(Id::Guard),
                    Step::Claim => chosen(Id::GuardClaim),
                    Step::Fence => chosen(Id::Fencing),
                    Step::Call => chosen(Id::Vendor),
                    Step::Checkpoint => chosen(Id::Checkpoint),
                    Step::Ack => chosen(Id::AckWhen),
                    _ => None,
                },
                key: match line.step {
                    Step::Check | Step::Claim | Step::Call | Step::Start | Step::Write => {
                        chosen(Id::Key)
                    }
                    _ => None,
                },
                point: point.map(Point::name),
            })
            .collect()
    }
}
