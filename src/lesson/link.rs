//! A session as a line of text for the fragment of an address, and back.

use super::experiments::Experiment;
use crate::WHOLE;
use crate::json::write_to;
use crate::sim::link::{Differing, MOST_BYTES, VERSION};
use crate::sim::settings::{Id, Refusal, SETTINGS, Settings};

/// What a link says.
pub(super) struct Opened {
    pub(super) experiment: &'static Experiment,
    pub(super) settings: Settings,
    pub(super) differing: Vec<Differing>,
    /// How many events have happened at the moment that it is about.
    pub(super) cursor: Option<usize>,
}

/// Writes a link.
pub(super) fn write(
    experiment: &Experiment,
    settings: &Settings,
    differing: &[Differing],
    cursor: Option<usize>,
) -> String {
    let mut link = format!("v={VERSION}&x={}", experiment.id);
    let mut base = experiment.settings();
    // A profile comes first and brings its row with it.
    for id in if WHOLE { &[Id::Broker, Id::Vendor][..] } else { &[Id::Vendor] } {
        if settings.get(*id) != base.get(*id) {
            let (path, text) = (SETTINGS[*id as usize].path, settings.choice(*id));
            base.give(&[(path, text)]);
            write_to(&mut link, format_args!("&{path}={text}"));
        }
    }
    for (setting, text) in settings.differing(&base) {
        write_to(&mut link, format_args!("&{}={}", setting.path, text.replace(' ', "+")));
    }
    for (place, choice) in differing.iter().enumerate() {
        let before = if place == 0 { "&choices=" } else { "+" };
        write_to(&mut link, format_args!("{before}{choice}"));
    }
    if let Some(cursor) = cursor {
        write_to(&mut link, format_args!("&m={cursor}"));
    }
    link
}

/// Reads a link.
pub(super) fn read(link: &str) -> Result<Opened, Refusal> {
    if link.len() > MOST_BYTES {
        let limit = format!("at most {MOST_BYTES} bytes");
        return Err(Refusal::new("link", link, limit, "bytes"));
    }
    let mut experiment = None;
    let mut version = None;
    let mut cursor = None;
    let mut names: Vec<&str> = Vec::new();
    let mut rest = Vec::new();
    for part in link.split('&').filter(|part| !part.is_empty()) {
        let Some((name, text)) = part.split_once('=') else {
            return Err(refuse(part, "NAME=VALUE"));
        };
        // Which of two values was meant nobody knows.
        if names.contains(&name) {
            return Err(refuse(part, "each name once"));
        }
        names.push(name);
        let text = text.replace('+', " ");
        match name {
            "v" => version = text.parse::<u32>().ok(),
            "x" => {
                experiment = Some(Experiment::find(&text).map_err(|it| refuse(part, &it.limit))?)
            }
            "m" => {
                let number = text.parse().map_err(|_| refuse(part, "m=EVENTS, a whole number"))?;
                cursor = Some(number);
            }
            _ => rest.push((part, name, text)),
        }
    }
    if !version.is_some_and(|number| (1..=VERSION).contains(&number)) {
        return Err(refuse(link, &format!("v=VERSION first, from 1 to {VERSION}")));
    }
    let Some(experiment) = experiment else {
        return Err(refuse(link, "x=EXPERIMENT"));
    };
    let mut settings = experiment.settings();
    let mut differing = Vec::new();
    // Profiles first: what is said beside them stands.
    for first in [true, false] {
        for (part, name, text) in &rest {
            if Settings::is_profile(name) != first {
                continue;
            }
            if *name == "choices" {
                for choice in text.split(' ').filter(|choice| !choice.is_empty()) {
                    differing.push(choice.parse().map_err(|_| refuse(part, "STEP:EVENT"))?);
                }
                continue;
            }
            settings.set(name, text).map_err(|it| match it.field.as_str() {
                "setting" => refuse(part, &format!("the names of settings, such as {}", it.limit)),
                _ => refuse(part, &it.limit),
            })?;
        }
    }
    Ok(Opened { experiment, settings, differing, cursor })
}

/// A refusal of a moment that the run does not have.
pub(super) fn refuse_moment(cursor: usize, events: usize) -> Refusal {
    refuse(&format!("m={cursor}"), &format!("m=EVENTS, from 0 to {events}"))
}

fn refuse(part: &str, limit: &str) -> Refusal {
    Refusal::new("link", part, limit, "")
}
