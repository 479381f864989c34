//! Arguments in, text or JSON out.

mod args;
mod claims;
mod exploration;
mod scenario_file;
mod story;
mod words;

use args::{Arguments, Command, Format, RunArguments};
use at_least_once::export::document::Document;
use at_least_once::lesson::experiments::Experiment;
use at_least_once::lesson::session::Session;
use at_least_once::sim::settings::{Refusal, SETTINGS};
use clap::Parser;
use scenario_file::ScenarioFile;
use std::io::{self, Write};
use std::process::ExitCode;
use words::Words;

/// The experiment that is meant when none is named.
const FIRST: &str = "double-refund";

/// Does what the arguments say.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let text = match arguments.command {
        Command::Run(arguments) => run(&arguments),
        Command::Explore(arguments) => exploration::explore(&arguments),
        Command::Designs => Ok(exploration::designs()),
        Command::Settings { experiment } => settings(experiment.as_deref()),
        Command::Experiments => Ok(claims::list(&Words::english())),
        Command::Study { experiment, id, set } => study(&experiment, &id, &set),
    };
    match text {
        Ok(text) => print(&text),
        Err(refusal) => {
            eprintln!("at-least-once: {}", sentence(&refusal));
            ExitCode::from(2)
        }
    }
}

/// A refusal as a sentence. Of an unknown setting the limit is a hint: the names near it.
fn sentence(refusal: &Refusal) -> String {
    if refusal.field == "setting" {
        return format!("no such setting: `{}`; near: {}", refusal.value, refusal.limit);
    }
    refusal.to_string()
}

/// Writes to standard output. A reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("at-least-once: standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &RunArguments) -> Result<String, Refusal> {
    let session = session(arguments)?;
    for choice in &session.run().missed {
        eprintln!(
            "at-least-once: the link's choice `{choice}` is not pending there; the earliest is taken"
        );
    }
    Ok(match arguments.format {
        Format::Text => story::tell(&session, &Words::english()),
        Format::Json => json(&session),
    })
}

fn session(arguments: &RunArguments) -> Result<Session, Refusal> {
    let mut given = assignments(&arguments.set)?;
    given.extend(arguments.seed.iter().map(|seed| ("seed".to_owned(), seed.clone())));
    if let Some(link) = &arguments.link {
        let fragment = link.split_once('#').map_or(&**link, |(_, fragment)| fragment);
        return Session::open(fragment)?.with(&borrowed(&given));
    }
    let file = match &arguments.scenario {
        Some(path) => scenario_file::read(path)?,
        None => ScenarioFile::default(),
    };
    let experiment = arguments.experiment.as_deref().or(file.experiment.as_deref());
    let experiment = experiment.unwrap_or(FIRST);
    let given = [file.settings, given].concat();
    Session::new(experiment, &borrowed(&given))
}

fn study(experiment: &str, id: &str, set: &[String]) -> Result<String, Refusal> {
    let given = assignments(set)?;
    claims::study(&Session::new(experiment, &borrowed(&given))?, id)
}

fn borrowed(given: &[(String, String)]) -> Vec<(&str, &str)> {
    given.iter().map(|(path, text)| (&**path, &**text)).collect()
}

/// `PATH=VALUE` as (path, value).
fn assignments(set: &[String]) -> Result<Vec<(String, String)>, Refusal> {
    let split = |assignment: &String| match assignment.split_once('=') {
        Some((path, text)) => Ok((path.to_owned(), text.to_owned())),
        None => Err(Refusal::new("set", assignment, "PATH=VALUE", "")),
    };
    set.iter().map(split).collect()
}

fn json(session: &Session) -> String {
    let experiment = session.experiment().id;
    let (settings, scenario) = (session.settings(), session.scenario());
    let document = Document::new(experiment, settings, scenario, session.run());
    let text = serde_json::to_string_pretty(&document).expect("a document is plain data");
    text + "\n"
}

/// The table of settings, with the defaults of an experiment; of the one that `run` plays too,
/// if none is named.
fn settings(experiment: Option<&str>) -> Result<String, Refusal> {
    let words = Words::english();
    let values = match experiment {
        Some(id) => Experiment::find(id)?.settings(),
        None => Experiment::find(FIRST)?.settings(),
    };
    let mut out = String::new();
    for setting in SETTINGS {
        let (path, value) = (setting.path, values.text(setting));
        let (limit, owner) = (setting.limit(), setting.owner.name());
        let help = words.setting_help(path);
        out += &format!("{path} = {value}\n    {help}\n    Allowed: {limit}. Owner: {owner}.\n");
    }
    Ok(out)
}
