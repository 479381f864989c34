use at_least_once::lesson::Session;
use at_least_once::lesson::experiments::{EXPERIMENTS, Experiment};
use serde_json::Value;

fn text(experiment: &Experiment) -> Value {
    let path = format!("{}/www/text/en/{}.json", env!("CARGO_MANIFEST_DIR"), experiment.id);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn has(value: &Value, what: &str) {
    assert!(value.as_str().is_some_and(|text| !text.trim().is_empty()), "no words for {what}");
}

/// The answer that the texts call right is the run's, and there is a choice that says it.
#[test]
fn the_answer_to_the_question_is_what_the_opening_gives() {
    for (number, experiment) in (1..).zip(EXPERIMENTS) {
        let words = text(experiment);
        assert_eq!(words["number"], number, "{}", experiment.id);
        let session = Session::new(experiment.id, experiment.ticket).expect("allowed");
        let answer = words["question"]["answer"].as_u64().expect("a number");
        assert_eq!(session.asked(), answer, "{}", experiment.id);
        let choices = words["question"]["choices"].as_array().expect("choices");
        let value = |choice: &Value| choice["value"].as_u64().or(choice["rows"].as_u64());
        let values: Vec<u64> = choices.iter().map(|it| value(it).expect("a number")).collect();
        assert!(values.contains(&answer), "{}: {values:?}", experiment.id);
        assert!(values.is_sorted_by(|one, other| one < other), "{}: {values:?}", experiment.id);
        for choice in choices {
            has(&choice["label"], "a choice");
            has(&choice["feedback"], "what is said about a choice");
        }
    }
}

/// Whatever is put side by side or drawn has its name.
#[test]
fn variants_and_studies_have_their_words() {
    for experiment in EXPERIMENTS {
        let (id, words) = (experiment.id, text(experiment));
        if words.get("compare").is_some() {
            for variant in experiment.variants {
                let of = &words["compare"]["variants"][variant.id];
                has(&of["name"], &format!("{id}: {}", variant.id));
                has(&of["line"], &format!("{id}: {}", variant.id));
            }
        }
        let picture = &words["picture"];
        for study in experiment.studies {
            has(&picture["studies"][study.id]["title"], &format!("{id}: {}", study.id));
            has(&picture["studies"][study.id]["caption"], &format!("{id}: {}", study.id));
            for axis in [study.x, study.y] {
                assert!(picture["axes"][axis.name].is_string(), "{id}: {}", axis.name);
            }
            for place in study.places {
                has(&picture["places"][place], &format!("{id}: {place}"));
            }
            for series in study.whole(&experiment.settings()).series {
                has(&picture["series"][series.id], &format!("{id}: {}", series.id));
            }
        }
        for part in ["takeaway", "yours"] {
            let Some(of) = words.get(part) else { continue };
            has(&of["title"], part);
            of["text"].as_array().expect("paragraphs").iter().for_each(|text| has(text, part));
        }
    }
}
