//! Settings as texts: any setting of the table, mostly with a value that means something to it.

use crate::bytes::Bytes;
use at_least_once::sim::fault::{POINTS, STATUSES};
use at_least_once::sim::settings::{Id, Kind, SETTINGS, Setting, Settings};

/// What a reader may have set: paths and texts that are allowed.
pub(crate) type Given = Vec<(&'static str, String)>;

const MOST_SETTINGS: u8 = 32;
const SPANS: [&str; 11] =
    ["0s", "1us", "1ms", "20ms", "300ms", "1s", "2s", "5s", "30s", "1h", "1d"];
const NUMBERS: [&str; 10] =
    ["0", "1", "2", "3", "4", "7", "100", "200000", "1000000", "4294967295"];
/// More of these would only be slower.
const FEW: [&str; 6] = ["1", "2", "3", "4", "5", "6"];
const PLACES: [&str; 9] = ["*", "0", "1", "2", "0/0", "0/1", "1/0", "0.1", "*.0"];

pub(crate) fn given(bytes: &mut Bytes<'_>) -> Given {
    let mut settings = Settings::default();
    let mut given = Given::new();
    for _ in 0..bytes.byte() % MOST_SETTINGS {
        let setting = &SETTINGS[usize::from(bytes.byte()) % SETTINGS.len()];
        let text = text(setting, bytes);
        if settings.set(setting.path, &text).is_ok() {
            given.push((setting.path, text));
        }
    }
    given
}

fn text(setting: &Setting, bytes: &mut Bytes<'_>) -> String {
    let few = matches!(setting.id, Id::JobCount | Id::WorkersCount);
    if bytes.byte() == 255 && !few {
        return bytes.text();
    }
    match setting.kind {
        Kind::Switch => bytes.pick(&["off", "on"]).to_owned(),
        Kind::Choice(names) => bytes.pick(names).to_owned(),
        Kind::Number { .. } if few => bytes.pick(&FEW).to_owned(),
        Kind::Number { .. } => bytes.pick(&NUMBERS).to_owned(),
        Kind::Span { .. } => bytes.pick(&SPANS).to_owned(),
        Kind::Spans { .. } => list(bytes, |bytes| bytes.pick(&SPANS).to_owned()),
        Kind::Rules => list(bytes, rule),
    }
}

fn list(bytes: &mut Bytes<'_>, entry: impl Fn(&mut Bytes<'_>) -> String) -> String {
    let entries: Vec<String> = (0..bytes.byte() % 5).map(|_| entry(bytes)).collect();
    if entries.is_empty() { "none".to_owned() } else { entries.join(" ") }
}

fn rule(bytes: &mut Bytes<'_>) -> String {
    let place = bytes.pick(&PLACES);
    let point = bytes.pick(&POINTS).0;
    let span = bytes.pick(&SPANS);
    let fault = match bytes.byte() % 10 {
        0 => format!("throw:{point}"),
        1 => format!("pause:{point}~{span}"),
        2 => format!("late~{span}"),
        3 => format!("crash@{span}"),
        4 => format!("answer-{}", bytes.pick(&STATUSES)),
        5 => bytes.pick(&["ack-lost", "ack-twice", "replica", "reply-lost"]).to_owned(),
        _ => point.to_owned(),
    };
    format!("{place}:{fault}")
}
