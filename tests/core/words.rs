//! Every code has its words, and every blank in them is a field.

use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::sim::event::Record;
use at_least_once::sim::property::PROPERTIES;
use at_least_once::sim::settings::SETTINGS;
use serde_json::Value;
use std::collections::BTreeSet;

fn text(path: &str) -> Value {
    let path = format!("{}/www/text/en/{path}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The codes of the event enum, with their details, as the source lists them.
fn codes() -> BTreeSet<String> {
    let plain = [
        "sent",
        "leased",
        "resumed",
        "thought",
        "already-written",
        "checkpointed",
        "acked",
        "ack-lost",
        "crashed",
        "restarted",
        "returned",
        "dead",
    ];
    let kinds = [
        ("checked", &["found", "absent"][..]),
        ("wrote", &["first", "again"]),
        ("expired", &["waits", "at-once"]),
        ("ack-late", &["deleted", "ignored", "refused", "gone"]),
    ];
    let detailed = kinds
        .iter()
        .flat_map(|(event, details)| details.iter().map(move |detail| format!("{event}.{detail}")));
    plain.iter().map(|event| (*event).to_owned()).chain(detailed).collect()
}

#[test]
fn every_event_has_its_sentence_and_every_blank_is_a_field() {
    let page = text("page");
    let sentences = page["events"].as_object().expect("events");
    let named: BTreeSet<String> = sentences.keys().cloned().collect();
    assert_eq!(named, codes());
    let full = Record {
        worker: Some("A".into()),
        job_id: Some("job_17".into()),
        attempt: Some(0),
        key: Some("k".into()),
        row: Some(1),
        cents: Some(1),
        deadline_us: Some(1),
        wait_us: Some(1),
        point: Some("after-write"),
        receipt: Some(1),
        ..Record::default()
    };
    let fields = serde_json::to_value(&full).expect("plain data");
    for (code, sentence) in sentences {
        let sentence = sentence.as_str().expect("a text");
        assert!(sentence.ends_with('.'), "{code}: {sentence}");
        for blank in sentence.split('{').skip(1) {
            let (name, _) = blank.split_once('}').expect("a closed blank");
            assert!(fields.get(name).is_some(), "{code}: no field {name}");
        }
    }
}

#[test]
fn every_setting_outcome_property_and_chapter_has_its_words() {
    let page = text("page");
    let has = |value: &Value, what: &str| {
        assert!(value.as_str().is_some_and(|text| !text.trim().is_empty()), "no words for {what}");
    };
    for setting in SETTINGS {
        for part in ["name", "help"] {
            has(&page["settings"][setting.path][part], &format!("{} {part}", setting.path));
        }
        has(&page["owners"][setting.owner.name()], setting.owner.name());
    }
    for fault in super::generate::FAULTS {
        has(&page["slice"]["points"][fault], fault);
    }
    for outcome in [
        "running",
        "acked",
        "ack-late",
        "ack-lost",
        "crashed.before-write",
        "crashed.after-write",
        "crashed.after-checkpoint",
        "crashed.before-ack",
    ] {
        has(&page["outcomes"][outcome], outcome);
    }
    for point in ["before-write", "after-write", "after-checkpoint", "before-ack"] {
        has(&page["points"][point], point);
    }
    for property in PROPERTIES {
        has(&page["properties"][property.name()], property.name());
    }
    for experiment in EXPERIMENTS {
        let chapter = text(experiment.id);
        has(&chapter["title"], "title");
        let tasks = chapter["tasks"].as_array().expect("a list of tasks");
        assert_eq!(tasks.len(), experiment.tasks.len());
        for (words, task) in tasks.iter().zip(experiment.tasks) {
            let text = words.as_str().or(words["text"].as_str()).unwrap_or("");
            assert!(!text.trim().is_empty(), "no words for {}", task.id);
        }
    }
}

/// The word "model" is the language model's; ours is the simulation.
#[test]
fn the_word_model_means_the_language_model() {
    for file in ["page", "double-refund"] {
        let text = text(file).to_string();
        for (place, _) in text.match_indices("model") {
            let before = &text[..place];
            let meant = before.ends_with("language ")
                || before.ends_with("the-")
                || before.ends_with("the ");
            assert!(meant, "{file}: …{}", &text[place.saturating_sub(30)..place + 5]);
        }
    }
}
