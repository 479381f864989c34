//! The pages around the lab: the list of chapters is the table's, every statement about what is
//! simulated names a test that is there, every word is explained once.

use at_least_once::lesson::experiments::EXPERIMENTS;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(name: &str) -> Value {
    let path = Path::new(ROOT).join("www/text/en").join(name).with_extension("json");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("no list of {name}"))
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// The names of the test functions under a folder.
fn tests(folder: &Path, out: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = fs::read_to_string(&path).expect("a text");
            let mut tested = false;
            for line in source.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix("fn ").filter(|_| tested) {
                    out.extend(name.split_once('(').map(|(name, _)| name.to_owned()));
                }
                tested = line == "#[test]" || (tested && line.starts_with("#["));
            }
        }
    }
}

/// Chapters that are opened by their name in the address, in their order, with as many tasks.
#[test]
fn the_contents_are_the_table_of_experiments() {
    let site = text("site");
    let listed: Vec<&str> =
        list(&site, "contents").iter().map(|row| row[0].as_str().expect("an id")).collect();
    let ids: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
    assert_eq!(listed, ids);
    for (experiment, row) in EXPERIMENTS.iter().zip(list(&site, "contents")) {
        let chapter = text(experiment.id);
        assert_eq!(site["tasks"][experiment.id], experiment.tasks.len(), "{}", experiment.id);
        assert_eq!(list(&chapter, "tasks").len(), experiment.tasks.len(), "{}", experiment.id);
        assert_eq!(row[1], chapter["name"], "{}", experiment.id);
        let opens: Vec<(&str, &str)> = chapter["opens"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(path, value)| (path.as_str(), value.as_str().expect("a text")))
            .collect();
        assert_eq!(opens, experiment.ticket, "{} opens with its ticket", experiment.id);
    }
}

#[test]
fn every_statement_about_the_simulation_names_its_test() {
    let mut known = BTreeSet::new();
    tests(&Path::new(ROOT).join("tests/core"), &mut known);
    let mut stated = BTreeSet::new();
    let simulated = text("simulated");
    for part in list(&simulated, "parts") {
        for statement in list(part, "statements") {
            let test = word(statement, "test");
            assert!(known.contains(test), "no test is called {test}");
            assert!(stated.insert(test), "{test} stands twice");
            assert!(word(statement, "text").ends_with('.'), "{statement}");
        }
    }
    assert!(stated.len() > 20);
}

#[test]
fn every_word_is_explained_once_and_found_in_its_own_name() {
    let glossary = text("glossary");
    let (mut ids, mut matches) = (BTreeSet::new(), BTreeSet::new());
    for term in list(&glossary, "terms") {
        assert!(ids.insert(word(term, "id")), "{} stands twice", word(term, "id"));
        for found in list(term, "match") {
            let found = found.as_str().expect("a text");
            assert_eq!(found, found.to_lowercase(), "words are looked up in lower case");
            assert!(matches.insert(found.to_owned()), "{found} means two things");
        }
        assert!(matches.contains(word(term, "word")), "{}", word(term, "word"));
    }
}
