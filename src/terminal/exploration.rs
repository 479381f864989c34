//! The explorer from a terminal.

use super::args::{ExploreArguments, Format};
use super::scenario_file;
use super::words::Words;
use super::{FIRST, assignments, borrowed};
use at_least_once::lesson::designs::{DESIGNS, Design, Fails};
use at_least_once::lesson::experiments::Experiment;
use at_least_once::lesson::session::Session;
use at_least_once::sim::explore::{
    Bounds, Found, GOALS, Goal, Lasso, Timing, Violation, explore as search,
};
use at_least_once::sim::link::MOST_BYTES;
use at_least_once::sim::play::take;
use at_least_once::sim::record::EventRecord;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::{Refusal, Settings};
use at_least_once::units::span_text;
use serde::Serialize;
use std::sync::Arc;

/// What a search is about.
struct Subject {
    experiment: String,
    settings: Settings,
    bounds: Bounds,
}

/// A search as data.
#[derive(Serialize)]
struct Exploration {
    /// Whether everything within the bounds was visited.
    complete: bool,
    /// How many states were visited.
    states: usize,
    /// How many steps the longest shortest path has.
    depth: u32,
    /// How many states a second.
    states_per_s: u64,
    /// From how many states it only goes on with an end that is beyond the bounds.
    left: usize,
    /// The shortest run in which something goes wrong; null for none.
    violation: Option<ViolationRow>,
}

#[derive(Serialize)]
struct ViolationRow {
    /// What does not hold.
    property: &'static str,
    /// How many steps the run has: none shorter shows it.
    steps: usize,
    /// What happens.
    events: Vec<EventRecord>,
    /// For `not-stuck`: how it goes on from there.
    lasso: Vec<EventRecord>,
    /// How many events of the lasso lead to those that come round and round; null where there is no
    /// circle, but nothing more can happen.
    circle: Option<usize>,
    /// The run as a link; null where it is longer than a link may be.
    link: Option<String>,
}

/// Explores, and tells what was found.
pub(super) fn explore(arguments: &ExploreArguments) -> Result<String, Refusal> {
    let subject = subject(arguments)?;
    let goals = goals(&arguments.property)?;
    let scenario = Scenario::new(&subject.settings);
    let (found, nanos) = timed(|| search(&scenario, &goals, &subject.bounds));
    let rate = found.states as u128 * 1_000_000_000 / nanos;
    let states_per_s = u64::try_from(rate).unwrap_or(u64::MAX);
    let violation = match &found.violation {
        Some(violation) => Some(row(&subject, &scenario, violation)?),
        None => None,
    };
    let exploration = Exploration {
        complete: found.complete,
        states: found.states,
        depth: found.depth,
        states_per_s,
        left: found.left,
        violation,
    };
    Ok(match arguments.format {
        Format::Json => serde_json::to_string_pretty(&exploration).expect("plain data") + "\n",
        Format::Text => tell(&subject, &found, &exploration),
    })
}

/// What a search took. The simulation has no clock; who reports its speed does.
#[expect(clippy::disallowed_types, reason = "the speed is the terminal's to measure")]
fn timed<T>(act: impl FnOnce() -> T) -> (T, u128) {
    let start = std::time::Instant::now();
    let result = act();
    (result, start.elapsed().as_nanos().max(1))
}

fn subject(arguments: &ExploreArguments) -> Result<Subject, Refusal> {
    let timing = match arguments.timing.as_str() {
        "any" => Timing::Any,
        "as-set" => Timing::AsSet,
        other => return Err(Refusal::new("timing", other, "any, as-set", "")),
    };
    let (experiment, mut settings, mut bounds) = if let Some(name) = &arguments.design {
        let design = Design::find(name)?;
        let bounds = match timing {
            Timing::Any => design.bounds(),
            Timing::AsSet => Bounds::new(timing),
        };
        (FIRST.to_owned(), design.settings(), bounds)
    } else {
        let file = match &arguments.scenario {
            Some(path) => scenario_file::read(path)?,
            None => scenario_file::ScenarioFile::default(),
        };
        let id = arguments.experiment.as_deref().or(file.experiment.as_deref());
        let experiment = Experiment::find(id.unwrap_or(FIRST))?;
        let mut settings = experiment.settings();
        settings.set_all(&borrowed(&file.settings))?;
        (experiment.id.to_owned(), settings, Bounds::new(timing))
    };
    settings.set_all(&borrowed(&assignments(&arguments.set)?))?;
    for (path, text) in
        [("workers.count", &arguments.workers), ("queue.max_attempts", &arguments.attempts)]
    {
        if let Some(text) = text {
            settings.set(path, text)?;
        }
    }
    let bound = |name: &str, text: &Option<String>, before: u32| match text {
        Some(text) => number(name, text, 1000),
        None => Ok(before),
    };
    bounds.crashes = bound("crashes", &arguments.crashes, bounds.crashes)?;
    bounds.losses = bound("losses", &arguments.losses, bounds.losses)?;
    bounds.replicas = bound("replicas", &arguments.replicas, bounds.replicas)?;
    for (name, text, bound) in [
        ("expiries", &arguments.expiries, &mut bounds.expiries),
        ("forgets", &arguments.forgets, &mut bounds.forgets),
    ] {
        if let Some(text) = text {
            *bound = Some(number(name, text, 1000)?);
        }
    }
    if let Some(text) = &arguments.states {
        bounds.states = number("states", text, 100_000_000)? as usize;
    }
    Ok(Subject { experiment, settings, bounds })
}

fn number(name: &str, text: &str, most: u32) -> Result<u32, Refusal> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten().filter(|number| *number <= most);
    let limit = || format!("a whole number from 0 to {most} {name}");
    number.ok_or_else(|| Refusal::new(name, text, limit(), name))
}

fn goals(names: &[String]) -> Result<Vec<Goal>, Refusal> {
    if names.is_empty() {
        return Ok(GOALS.to_vec());
    }
    let find = |name: &String| {
        let goal = GOALS.iter().find(|goal| goal.name() == name).copied();
        let all: Vec<&str> = GOALS.iter().map(|goal| goal.name()).collect();
        goal.ok_or_else(|| Refusal::new("property", name, all.join(", "), ""))
    };
    names.iter().map(find).collect()
}

fn row(
    subject: &Subject,
    scenario: &Scenario,
    violation: &Violation,
) -> Result<ViolationRow, Refusal> {
    let explored = Arc::new(scenario.without_crashes());
    let records = |path: &[_]| -> Vec<EventRecord> {
        let trace = take(&explored, path);
        trace.entries().iter().map(|entry| entry.event.record(entry.at, &explored)).collect()
    };
    let events = records(&violation.path);
    let after = |steps: &[_]| records(&[&violation.path, steps].concat()).split_off(events.len());
    let lasso = violation.lasso.as_ref().map_or_else(Vec::new, |lasso| after(&lasso.steps));
    let circle = match &violation.lasso {
        Some(Lasso { steps, circle: Some(place) }) => Some(after(&steps[..*place]).len()),
        _ => None,
    };
    let session = Session::on_path(&subject.experiment, &subject.settings, &violation.path)?;
    let link = Some(session.link()).filter(|link| link.len() <= MOST_BYTES);
    Ok(ViolationRow {
        property: violation.goal.name(),
        steps: violation.path.len(),
        events,
        lasso,
        circle,
        link,
    })
}

fn tell(subject: &Subject, found: &Found, exploration: &Exploration) -> String {
    let words = Words::english();
    let how = match subject.bounds.timing {
        Timing::Any => "with some timings",
        Timing::AsSet => "with the timings as set",
    };
    let (states, depth) = (found.states, found.depth);
    let rate = exploration.states_per_s;
    let mut visited = format!("{states} states, up to {depth} steps deep, {rate} states a second");
    if found.left > 0 {
        visited += &format!(
            ".\nIn {} of them the next thing is an end beyond the bounds (--expiries, --forgets); what \
             would follow was not looked at",
            found.left
        );
    }
    let Some(violation) = &exploration.violation else {
        return if found.complete {
            format!(
                "None: within the bounds nothing goes wrong, {how}.\nEverything within them was visited: {visited}.\n"
            )
        } else {
            format!(
                "Cut: nothing found so far, but not everything was visited.\nVisited: {visited}.\n"
            )
        };
    };
    let (broken, steps) = (words.property(violation.property), violation.steps);
    let mut out =
        format!("Does not hold, {how}: {broken}\nThe shortest run has {steps} steps:\n\n");
    let sentence = |record: &EventRecord| {
        format!("{:>10}  {}\n", span_text(record.at_us), words.sentence(record))
    };
    out.extend(violation.events.iter().map(sentence));
    if violation.property == Goal::Stuck.name() {
        let (lead, round) =
            violation.lasso.split_at(violation.circle.unwrap_or(violation.lasso.len()));
        if !lead.is_empty() {
            out += "\nFrom here it goes on:\n";
            out.extend(lead.iter().map(sentence));
        }
        out += match violation.circle {
            Some(_) => "\nFrom here it goes round and round:\n",
            None => "\nFrom here nothing more can happen.\n",
        };
        out.extend(round.iter().map(sentence));
    }
    out += &match &violation.link {
        Some(link) => format!("\nLink: #{link}\n"),
        None => "\nThe run is longer than a link may be.\n".to_owned(),
    };
    out += &format!("Visited: {visited}.\n");
    out
}

/// The designs, and what the explorer finds in them.
pub(super) fn designs() -> String {
    let line = |design: &Design| {
        let fails: Vec<String> = design.fails.iter().map(finding).collect();
        let finds = if fails.is_empty() { "holds".to_owned() } else { fails.join("; ") };
        format!("{}: {}\n    {finds}\n", design.id, design.about)
    };
    DESIGNS.iter().map(line).collect()
}

fn finding(fails: &Fails) -> String {
    match fails {
        Fails::PaysTwice(steps) => format!("pays twice after {steps} steps"),
        Fails::Loses(steps) => format!("loses a job after {steps} steps"),
        Fails::Hangs(steps) => format!("never finishes from step {steps} on"),
    }
}
