//! Every code has its words, and every blank in them is a field that such an event really has.

use super::generate;
use at_least_once::lesson::designs::DESIGNS;
use at_least_once::lesson::experiments::EXPERIMENTS;
use at_least_once::random::{Address, Draws, Purpose};
use at_least_once::sim::event::{Event, Sink};
use at_least_once::sim::explore::GOALS;
use at_least_once::sim::fault::POINTS;
use at_least_once::sim::record::CODES;
use at_least_once::sim::report::Outcome;
use at_least_once::sim::scenario::Scenario;
use at_least_once::sim::settings::{Kind, SETTINGS, Settings};
use at_least_once::sim::world::World;
use at_least_once::units::Moment;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn text(path: &str) -> Value {
    let path = format!("{}/www/text/en/{path}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A part of the page's texts, with what of it is fetched only when it is wanted.
fn with_rest(part: &str) -> Value {
    let mut whole = text("page")[part].clone();
    let rest = text("rest")[part].clone();
    let entries = whole.as_object_mut().expect("a part of the texts");
    for (key, words) in rest.as_object().expect("a part of the texts") {
        let twice = entries.insert(key.clone(), words.clone());
        assert!(twice.is_none(), "{key} is in both files");
    }
    whole
}

/// The keys of a part of the page's texts.
fn keys(part: &Value) -> BTreeSet<String> {
    part.as_object().expect("a part of the texts").keys().cloned().collect()
}

fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// The names of the sentences: a code, or a code and its detail.
fn sentence_names() -> BTreeSet<String> {
    let names = |(code, details): &(&str, &[&str])| match details {
        [] => vec![(*code).to_owned()],
        details => details.iter().map(|detail| format!("{code}.{detail}")).collect(),
    };
    CODES.iter().flat_map(names).collect()
}

/// Which fields the events have: for each sentence those that every event of its kind had.
#[derive(Default)]
struct Seen {
    scenario: Option<Arc<Scenario>>,
    fields: BTreeMap<String, BTreeSet<String>>,
}

impl Sink for Seen {
    fn event(&mut self, at: Moment, event: Event) {
        let scenario = self.scenario.as_ref().expect("set before the run");
        let record = serde_json::to_value(event.record(at, scenario)).expect("plain data");
        let name = match event.code() {
            (code, Some(detail)) => format!("{code}.{detail}"),
            (code, None) => code.to_owned(),
        };
        let fields = keys(&record);
        self.fields
            .entry(name)
            .and_modify(|all| all.retain(|it| fields.contains(it)))
            .or_insert(fields);
    }
}

impl Seen {
    /// Plays a scenario, but not for ever.
    fn play(&mut self, settings: &Settings) {
        let scenario = Arc::new(Scenario::new(settings));
        self.scenario = Some(Arc::clone(&scenario));
        let mut rules: &Scenario = &scenario;
        let mut world = World::new(Arc::clone(&scenario), self);
        for _ in 0..400 {
            if !world.advance(&mut rules, self) {
                break;
            }
        }
    }
}

/// Settings drawn from the whole table: every name of every choice, and times and numbers near
/// those at which something happens.
fn drawn(seed: u64) -> Settings {
    const TIMES: [&str; 5] = ["0s", "300ms", "1s", "4s", "12s"];
    const NUMBERS: [&str; 4] = ["0", "1", "2", "4"];
    const FAULTS: [&str; 6] = [
        "none",
        "0:after-write 1:ack-lost 2:replica",
        "0.0:late~3s 0.1:reply-lost 1:answer-503 2:answer-402",
        "0:pause:before-write~9s 0:pause:before-ack~9s 1:throw:before-call 2:ack-twice",
        "*:throw:after-lease",
        "0:crash@1s 0:relay-before 1:relay-between",
    ];
    let draws = Draws::new(seed);
    let mut settings = Settings::default();
    for (place, setting) in (0..).zip(SETTINGS) {
        let pick = |texts: &[&'static str]| {
            let at = Address { point: place, ..Address::new(Purpose::Fault) };
            let last = u64::try_from(texts.len()).expect("few") - 1;
            texts[usize::try_from(draws.uniform(at, 0, last)).expect("few")]
        };
        let text = match setting.kind {
            Kind::Choice(names) => pick(names),
            Kind::Switch => pick(&["off", "on"]),
            Kind::Number { .. } if setting.path == "faults.rate" => pick(&["0", "100000"]),
            Kind::Number { .. } => pick(&NUMBERS),
            Kind::Span { .. } => pick(&TIMES),
            Kind::Spans { .. } => pick(&["none", "2s 40s"]),
            Kind::Rules => pick(&FAULTS),
        };
        // What a setting does not allow leaves it at its default.
        let _refused = settings.set(setting.path, text);
    }
    settings
}

/// Runs in which every code comes up that a run can have.
fn seen() -> Seen {
    let mut seen = Seen::default();
    for given in generate::all() {
        seen.play(generate::session(&given).settings());
    }
    for design in DESIGNS {
        seen.play(&design.settings());
    }
    for seed in 0..1000 {
        seen.play(&drawn(seed));
    }
    seen
}

/// The blanks of a sentence.
fn blanks(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('{').skip(1).map(|rest| rest.split_once('}').expect("a closed blank").0)
}

#[test]
fn every_code_comes_up_and_every_blank_is_a_field_of_it() {
    let sentences = with_rest("events");
    assert_eq!(keys(&sentences), sentence_names());
    let seen = seen().fields;
    let never: Vec<String> =
        sentence_names().into_iter().filter(|name| !seen.contains_key(name)).collect();
    assert!(never.is_empty(), "never seen in a run: {never:?}");
    for (name, fields) in &seen {
        let sentence = sentences[name].as_str().unwrap_or_else(|| panic!("no words for {name}"));
        for blank in blanks(sentence) {
            assert!(fields.contains(blank), "{name}: {blank} is not in every event: {fields:?}");
        }
    }
}

#[test]
fn sentences_are_sentences_and_phrases_are_phrases() {
    let page = text("page");
    let texts = |part: &Value| -> Vec<String> {
        let texts = part.as_object().expect("a part").values();
        texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
    };
    for sentence in texts(&with_rest("events")).into_iter().chain(texts(&text("settings")["help"]))
    {
        let first = sentence.chars().next().expect("not empty");
        assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "{sentence}");
        assert!(first.is_uppercase() || "{*0123456789".contains(first), "{sentence}");
        assert!(!sentence.contains("  "), "{sentence}");
    }
    for part in [&page["points"], &text("desk")["outcomes"]] {
        for phrase in texts(part) {
            let first = phrase.chars().next().expect("not empty");
            assert!(first.is_lowercase() && !phrase.ends_with('.'), "{phrase}");
        }
    }
}

fn outcomes() -> BTreeSet<String> {
    let plain = [
        Outcome::Running,
        Outcome::Acked,
        Outcome::AckLate,
        Outcome::AckLost,
        Outcome::GaveBack,
        Outcome::SentAgain,
        Outcome::Failed,
        Outcome::SteppedBack,
    ];
    // An outcome that is missing above does not compile here.
    for outcome in plain {
        match outcome {
            Outcome::Running
            | Outcome::Acked
            | Outcome::AckLate
            | Outcome::AckLost
            | Outcome::GaveBack
            | Outcome::SentAgain
            | Outcome::Failed
            | Outcome::SteppedBack
            | Outcome::Crashed(_) => {}
        }
    }
    let crashed = POINTS.map(|(name, point)| format!("{}.{name}", Outcome::Crashed(point).name()));
    let plain = plain.map(|outcome| outcome.name().to_owned());
    // `crashed` alone is for a table that knows no point.
    plain.into_iter().chain(crashed).chain(["crashed".to_owned()]).collect()
}

#[test]
fn every_setting_outcome_point_property_and_chapter_has_its_words_and_no_other_has() {
    let page = text("page");
    let desk = text("desk");
    let has = |value: &Value, what: &str| {
        assert!(value.as_str().is_some_and(|text| !text.trim().is_empty()), "no words for {what}");
    };
    let helps = &text("settings")["help"];
    let setting_names = with_rest("settings");
    for part in [&setting_names, helps] {
        assert_eq!(keys(part), named(SETTINGS.iter().map(|setting| setting.path)));
    }
    assert_eq!(keys(&page["points"]), named(POINTS.map(|(name, _)| name)));
    assert_eq!(keys(&page["properties"]), named(GOALS.map(|goal| goal.name())));
    assert_eq!(keys(&desk["outcomes"]), outcomes());
    let mut names = BTreeSet::new();
    for setting in SETTINGS {
        let name = &setting_names[setting.path];
        has(name, setting.path);
        has(&helps[setting.path], setting.path);
        assert!(names.insert(name.as_str()), "two settings are called {name}");
        has(&desk["owners"][setting.owner.name()], setting.owner.name());
    }
    for part in [&page["points"], &page["properties"], &desk["outcomes"]] {
        for (name, words) in part.as_object().expect("a part") {
            has(words, name);
        }
    }
    for fault in generate::FAULTS {
        // What is lost on its way is named by the way.
        let point = fault.strip_suffix("-lost").unwrap_or(fault);
        has(&desk["slice"]["points"][point], fault);
    }
    for experiment in EXPERIMENTS {
        let chapter = text(experiment.id);
        has(&chapter["title"], "title");
        // The page pairs tasks and their words by place.
        let tasks = chapter["tasks"].as_array().expect("tasks");
        assert_eq!(tasks.len(), experiment.tasks.len(), "{}", experiment.id);
        for (task, words) in experiment.tasks.iter().zip(tasks) {
            has(&words["text"], task.id);
            has(&words["hint"], task.id);
        }
    }
}

/// The word "model" is the language model's; ours is the simulation.
#[test]
fn the_word_model_means_the_language_model() {
    let chapters = EXPERIMENTS.iter().map(|experiment| experiment.id);
    let files = ["page", "desk", "rest", "settings", "keyboard", "log", "timeline", "charts"];
    for file in files.into_iter().chain(chapters) {
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
