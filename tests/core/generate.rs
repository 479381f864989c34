//! Scenarios that together reach every fault point, every backoff and every jitter.

use at_least_once::lesson::Session;
use at_least_once::sim::link::{Differing, MOST_BYTES};
use at_least_once::sim::settings::{SETTINGS, Settings};

pub(crate) const SCENARIOS: usize = 84;
pub(crate) const SEEDS: u64 = 20;

pub(crate) const KINDS: [&str; 6] =
    ["none", "fixed", "linear", "exponential", "polynomial", "list"];
pub(crate) const JITTERS: [&str; 7] =
    ["none", "full", "equal", "decorrelated", "percent", "downward", "additive"];
const GUARDS: [&str; 4] = ["off", "check-then-insert", "on", "ask-the-model"];
const LATE_ACKS: [&str; 3] = ["delete", "newest-receipt", "refuse"];
pub(crate) const FAULTS: [&str; 5] =
    ["before-write", "after-write", "after-checkpoint", "before-ack", "ack-lost"];

/// The settings of one scenario, as (path, text).
pub(crate) type Given = Vec<(String, String)>;

/// Scenario `index` with seed `seed`. 6 kinds and 7 jitters have no common factor, so 42
/// scenarios pair each with each; the rest repeats them with other numbers.
pub(crate) fn settings(index: usize, seed: u64) -> Given {
    let pick = |names: &[&'static str]| names[index % names.len()];
    let fault = |shift: usize| FAULTS[(index + shift) % FAULTS.len()];
    // In every seventh the lease ends under a worker that is alive, on its first attempt.
    let (timeout, first) = if index % 7 == 3 { ("1700ms", 1) } else { ("20s", 0) };
    let second = first + 1;
    [
        ("seed", (seed * 1_000_003 + index as u64).to_string()),
        ("guard", pick(&GUARDS).to_owned()),
        ("faults", format!("{first}:{} {second}:{} 1/2:{}", fault(0), fault(1), fault(2))),
        ("job.count", (1 + index % 3).to_string()),
        ("workers.count", (1 + index % 4).to_string()),
        ("workers.restart", ["0s", "5s", "700ms"][index % 3].to_owned()),
        ("queue.visibility_timeout", timeout.to_owned()),
        ("queue.max_attempts", (2 + index % 4).to_string()),
        ("queue.dead_letter", ["lazy", "eager"][index % 2].to_owned()),
        ("queue.late_ack", pick(&LATE_ACKS).to_owned()),
        ("queue.expiry_backoff", if index % 11 == 10 { "off" } else { "on" }.to_owned()),
        ("slice.think", ["1s", "0s", "250ms"][index % 3].to_owned()),
        ("backoff.kind", pick(&KINDS).to_owned()),
        ("backoff.jitter", pick(&JITTERS).to_owned()),
        ("backoff.base", ["1s", "100ms", "3s"][index % 3].to_owned()),
        ("backoff.cap", ["30s", "2s"][index % 2].to_owned()),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text))
    .collect()
}

/// A session with these settings.
pub(crate) fn session(given: &Given) -> Session {
    let given: Vec<(&str, &str)> = given.iter().map(|(path, text)| (&**path, &**text)).collect();
    Session::new("double-refund", &given).expect("generated settings are allowed")
}

/// Every scenario with every seed.
pub(crate) fn all() -> impl Iterator<Item = Given> {
    (0..SCENARIOS).flat_map(|index| (0..SEEDS).map(move |seed| settings(index, seed)))
}

/// The line by which the terminal plays a run again: what is set on top of the table's defaults,
/// and the choices by which the run differs from what play would do.
pub(crate) fn replay_line<P: AsRef<str>, T: AsRef<str>>(
    given: &[(P, T)],
    differing: &[Differing],
) -> String {
    let mut settings = Settings::default();
    for (path, text) in given {
        settings.set(path.as_ref(), text.as_ref()).expect("generated settings are allowed");
    }
    let texts: Vec<String> = SETTINGS.iter().map(|setting| settings.text(setting)).collect();
    let paths = SETTINGS.iter().map(|setting| setting.path);
    let given: Vec<(&str, &str)> = paths.zip(texts.iter().map(String::as_str)).collect();
    let link = Session::new("double-refund", &given).expect("allowed").link();
    let choices: Vec<String> = differing.iter().map(Differing::to_string).collect();
    let choices = if choices.is_empty() { choices } else { vec![choices.join("+")] };
    let choices = choices.iter().map(|choices| format!("&choices={choices}")).collect::<String>();
    if link.len() + choices.len() <= MOST_BYTES {
        return format!("at-least-once run --link '#{link}{choices}'");
    }
    // What is too long for a link as a whole is set beside it.
    let (at, set) =
        link.match_indices('&').nth(1).map_or((&*link, ""), |(at, _)| link.split_at(at));
    let set: String = set.replace('&', "' --set '").replace('+', " ");
    format!("at-least-once run --link '#{at}{choices}{set}'")
}
