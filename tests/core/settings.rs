//! Every row of the table, from text and back.

use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::model::backoff::Jitter;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::{Kind, SETTINGS, Settings};
use at_least_once::units::Span;
use proptest::prelude::*;

/// Texts that a row allows, its limits among them.
fn allowed(kind: Kind) -> Vec<String> {
    match kind {
        Kind::Switch => vec!["on".into(), "off".into()],
        Kind::Choice(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        Kind::Number { min, max, .. } => vec![min.to_string(), max.to_string()],
        Kind::Span { min, max } => vec![min.exact_text(), max.exact_text()],
        Kind::Spans { max, most: 1 } => vec!["none".into(), "0s".into(), max.exact_text()],
        Kind::Spans { max, .. } => vec![max.exact_text(), "1s 2s 3s".into()],
        Kind::Rules => vec!["none".into(), "0:after-write 3/2:ack-lost".into()],
    }
}

#[test]
fn what_a_row_allows_is_written_back_as_it_was_read() {
    for setting in SETTINGS {
        for text in allowed(setting.kind) {
            let mut settings = Settings::default();
            settings.set(setting.path, &text).expect("allowed");
            assert_eq!(settings.text(setting), text, "{}", setting.path);
        }
    }
}

/// A broker's profile brings its row with it; what else is given stands, wherever it is written.
#[test]
fn what_is_given_beside_a_broker_stands_in_any_order() {
    let given =
        [("queue.visibility_timeout", "7s"), ("broker", "bullmq"), ("queue.max_stalls", "3")];
    let mut orders = [given, given];
    orders[1].reverse();
    for order in orders {
        let mut settings = Settings::default();
        settings.set_all(&order).expect("allowed");
        let text = |path| settings.text(Settings::find(path).expect("known"));
        assert_eq!(text("queue.visibility_timeout"), "7s", "{order:?}");
        assert_eq!(text("queue.max_stalls"), "3", "{order:?}");
        assert_eq!(text("queue.sweep"), "30s", "the rest of the row");
    }
}

/// A refusal names field, value, limit and unit, each once.
#[test]
fn a_refusal_says_what_would_be_allowed() {
    let cases = [
        ("workers.count", "0", "a whole number from 1 to 200 workers"),
        ("seed", "x", "a whole number from 0 to 18446744073709551615"),
        ("queue.expiry_backoff", "maybe", "on or off"),
        (
            "queue.visibility_timeout",
            "1 moon",
            "a time from 1ms to 1d, with its unit (unit: us, ms, s, m, h or d)",
        ),
    ];
    for (path, text, expected) in cases {
        let refusal = Settings::default().set(path, text).expect_err("refused");
        assert_eq!(refusal.to_string(), format!("{path} cannot be `{text}`; allowed: {expected}"));
    }
    // Text is read up to a length, and refused beyond it by that length.
    let said = |bytes: usize| {
        let text = "x".repeat(bytes);
        Settings::default().set("faults", &text).expect_err("no rule").limit
    };
    assert!(said(2048).starts_with("none, or up to 64 of"), "{}", said(2048));
    assert_eq!(said(2049), "at most 2048 bytes of text");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// No text makes a row panic, and one that is refused changes nothing.
    #[test]
    fn any_text_is_taken_or_refused(row in 0..SETTINGS.len(), text in ".{0,40}") {
        let setting = &SETTINGS[row];
        let mut settings = Settings::default();
        match settings.set(setting.path, &text) {
            Ok(()) => {
                let written = settings.text(setting);
                let mut again = Settings::default();
                again.set(setting.path, &written).expect("what is written can be read");
                prop_assert_eq!(again, settings);
            }
            Err(refusal) => {
                prop_assert_eq!(&refusal.field, setting.path);
                prop_assert!(!refusal.limit.is_empty());
                prop_assert_eq!(settings, Settings::default());
            }
        }
    }
}

/// What the page's own module can set: whatever a chapter sets or shows.
#[test]
fn the_page_can_set_what_its_chapters_do() {
    let in_page = |path: &str| Settings::find(path).expect("a setting").id.is_in_page();
    for experiment in EXPERIMENTS {
        let given = experiment.defaults.iter().map(|(path, _)| path);
        for path in given.chain(experiment.shows) {
            assert!(in_page(path), "{}: {path}", experiment.id);
        }
    }
    for path in ["broker", "fencing", "queue.sweep", "vendor.undo"] {
        assert!(!in_page(path), "{path}");
    }
}

/// Each name of a jitter is that jitter.
#[test]
fn jitter_is_what_its_name_says() {
    for (name, jitter) in [
        ("none", Jitter::None),
        ("full", Jitter::Full),
        ("equal", Jitter::Equal),
        ("decorrelated", Jitter::Decorrelated),
        ("percent", Jitter::Percent(35)),
        ("downward", Jitter::Downward(35)),
        ("additive", Jitter::Additive(Span::from_secs(3))),
    ] {
        let mut settings = Settings::default();
        let given = [("backoff.jitter", name), ("backoff.percent", "35"), ("backoff.extra", "3s")];
        settings.set_all(&given).expect("allowed");
        assert_eq!(Scenario::new(&settings).backoff.jitter, jitter, "{name}");
    }
}
