//! What the chapters claim, with their numbers. Every claim of every experiment is played, is
//! shown to be about something that happened, and is broken by its one setting.
//!
//! * `studies` – what their many runs come to.
//! * `tasks` – what fulfils a task, and what only looks like it.
//! * `texts` – the question's answer is the run's, and everything that is drawn has its name.

mod studies;
mod tasks;
mod texts;

use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::claim::Expect;
use at_least_once::lesson::experiments::{EXPERIMENTS, Experiment};
use at_least_once::lesson::studies::StudyPart;
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A run, and the studies that were asked of it: each is played once.
struct Played {
    session: Session,
    studies: RefCell<BTreeMap<&'static str, StudyPart>>,
}

impl Played {
    fn new(experiment: &Experiment, given: &[(&str, &str)]) -> Self {
        let session = Session::new(experiment.id, given).expect("allowed");
        Self { session, studies: RefCell::default() }
    }

    fn holds(&self, expect: Expect) -> bool {
        let facts = self.session.facts();
        let verdict = facts.verdict;
        let starts = || facts.starts().into_iter().map(|at| at.as_micros() / 1000);
        match expect {
            Expect::LedgerRows(rows) => verdict.ledger_rows == rows,
            Expect::Payments(payments) => verdict.vendor_rows == Some(payments),
            Expect::PaidCents(cents) => verdict.paid_cents == cents,
            Expect::Ok(ok) => verdict.ok == ok,
            Expect::Starts(moments) => starts().eq(moments.iter().copied()) && !facts.is_cut(),
            Expect::StartsWithoutEnd(moments) => {
                starts().take(moments.len()).eq(moments.iter().copied()) && facts.is_cut()
            }
            Expect::Count(code, count) => facts.count(code) == count,
            Expect::InStudy { id, series, x, from, to } => {
                let value = self.hundredths(id, series, x);
                value.is_some_and(|value| (from..=to).contains(&value))
            }
        }
    }

    /// A value of a study, in hundredths.
    fn hundredths(&self, id: &'static str, series: &str, x: u64) -> Option<u64> {
        let study = self.session.experiment().study(id).expect("a study");
        let mut studies = self.studies.borrow_mut();
        let whole = studies.entry(id).or_insert_with(|| study.whole(self.session.settings()));
        let of = whole.series.iter().find(|it| it.id == series)?;
        Some(of.at(x)? * 100 / u64::from(study.y.scale))
    }
}

#[test]
fn every_claim_holds_is_about_what_happened_and_can_be_broken() {
    let mut wrong = Vec::new();
    for experiment in EXPERIMENTS {
        let id = experiment.id;
        assert!(!experiment.claims().is_empty(), "{id} claims nothing");
        for claim in experiment.claims() {
            let played = Played::new(experiment, claim.given);
            let facts = played.session.facts();
            for expect in claim.expect.iter().filter(|expect| !played.holds(**expect)) {
                let studies = played.studies.borrow();
                wrong.push(format!(
                    "{id}, {:?}: not {expect:?}, but {:?}, {:?}",
                    claim.given, facts.verdict, studies
                ));
            }
            if facts.count(claim.sometimes) == 0 {
                wrong.push(format!("{id}, {:?}: no {}", claim.given, claim.sometimes));
            }
            let broken = Played::new(experiment, &[claim.given, &[claim.broken_by]].concat());
            if claim.expect.iter().all(|expect| broken.holds(*expect)) {
                wrong.push(format!("{id}: {:?} breaks nothing of {claim:?}", claim.broken_by));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The claims, for the same test with the shipped wasm.
#[test]
fn the_claims_are_written_for_the_shipped_wasm() {
    let mut written = Vec::new();
    for experiment in EXPERIMENTS {
        for claim in experiment.claims() {
            let session = Session::new(experiment.id, claim.given).expect("allowed");
            let settings: serde_json::Map<String, serde_json::Value> =
                claim.given.iter().map(|(path, text)| ((*path).to_owned(), json!(text))).collect();
            let expect: Vec<_> = claim.expect.iter().map(|expect| written_as(*expect)).collect();
            written.push(json!({
                "experiment": experiment.id,
                "settings": settings,
                "expect": expect,
                "sometimes": claim.sometimes,
                "brokenBy": [claim.broken_by.0, claim.broken_by.1],
                "asked": session.asked(),
                "tasks": session.tasks(),
            }));
        }
    }
    let path = format!("{}/claims.json", env!("CARGO_TARGET_TMPDIR"));
    let text = serde_json::to_string(&written).expect("plain data");
    std::fs::write(path, text).expect("the target folder can be written to");
}

/// What is asked of the wasm, and what it must answer.
fn written_as(expect: Expect) -> serde_json::Value {
    match expect {
        Expect::LedgerRows(rows) => json!({ "of": "ledger_rows", "is": rows }),
        Expect::Payments(payments) => json!({ "of": "vendor_rows", "is": payments }),
        Expect::PaidCents(cents) => json!({ "of": "paid_cents", "is": cents }),
        Expect::Ok(ok) => json!({ "of": "ok", "is": ok }),
        Expect::Starts(moments) => json!({ "of": "starts", "is": moments, "ended": "done" }),
        Expect::StartsWithoutEnd(moments) => {
            json!({ "of": "starts", "is": moments, "ended": "cut" })
        }
        Expect::Count(code, count) => json!({ "of": "count", "code": code, "is": count }),
        Expect::InStudy { id, series, x, from, to } => {
            json!({ "of": "study", "id": id, "series": series, "x": x, "is": [from, to] })
        }
    }
}
