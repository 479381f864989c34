//! The binary: its story, its data, what it refuses.

use at_least_once::lesson::experiments::EXPERIMENTS;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn at_least_once(arguments: &[&str], input: Option<&str>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_at-least-once"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.unwrap_or("").as_bytes()).expect("it takes its input");
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

fn text(arguments: &[&str]) -> String {
    let output = at_least_once(arguments, None);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).expect("JSON")
}

#[test]
fn a_run_reads_as_a_story() {
    let story = text(&["run", "--experiment", "double-refund", "--set", "guard=off"]);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("story", story));
}

#[test]
fn a_run_as_data_has_what_it_promises() {
    let run =
        json(&["run", "--experiment", "double-refund", "--set", "guard=off", "--format", "json"]);
    assert_eq!(run["version"], 1);
    assert_eq!(run["seed"], "11");
    assert_eq!(run["ended"], "done");
    assert_eq!(
        run["verdict"],
        serde_json::json!({"ok": false, "owed_cents": 1999, "paid_cents": 5997,
            "ledger_rows": 3, "executions": 3, "redeliveries": 2,
            "vendor_rows": null, "vendor_paid_cents": null, "books_agree": null})
    );
    assert_eq!(run["broken"][0]["property"], "paid-once");
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    let attempts = run["attempts"].as_array().expect("a list");
    assert_eq!(
        keys(&attempts[0]),
        [
            "job_id",
            "attempt",
            "worker",
            "key",
            "new_write",
            "outcome",
            "point",
            "backoff_us",
            "wait_to_dead_us",
            "started_us",
            "ended_us",
            "event_from",
            "event_to"
        ]
    );
    assert_eq!(attempts[1]["point"], "after-write");
    assert_eq!(attempts[2]["backoff_us"], Value::Null);
    let ledger = run["ledger"].as_array().expect("a list");
    assert_eq!(
        keys(&ledger[0]),
        ["row", "key", "cents", "job_id", "attempt", "at_us", "again", "event"]
    );
    assert_eq!(run["events"][1]["event"], "leased");
    assert_eq!(run["events"][1]["key"], "job_17:step_3:refund");
}

/// What a run writes under `scenario` can be given back, from a file and from standard input.
#[test]
fn a_scenario_goes_round() {
    let arguments = ["run", "--set", "guard=off", "--seed", "5", "--format", "json"];
    let first = text(&arguments);
    let scenario = serde_json::from_str::<Value>(&first).expect("JSON")["scenario"].to_string();
    let piped = at_least_once(&["run", "--scenario", "-", "--format", "json"], Some(&scenario));
    assert_eq!(String::from_utf8_lossy(&piped.stdout), first);
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/scenario.json");
    std::fs::write(path, &scenario).expect("the target folder can be written to");
    assert_eq!(text(&["run", "--scenario", path, "--format", "json"]), first);
    // Values of JSON's own types do as well; a flag stands above the file.
    let typed = r#"{"settings": {"seed": 5, "queue.expiry_backoff": true, "guard": "on"}}"#;
    let arguments = ["run", "--scenario", "-", "--set", "guard=off", "--format", "json"];
    let typed = at_least_once(&arguments, Some(typed));
    assert_eq!(String::from_utf8_lossy(&typed.stdout), first);
}

#[test]
fn what_is_wrong_is_refused_with_field_value_limit_and_unit() {
    // (arguments, standard input, what the message has to name)
    let cases: [(&[&str], &str, &[&str]); 22] = [
        (&["run", "--set", "guard=\u{1b}[31mx"], "", &["guard", "\u{fffd}[31mx"]),
        (
            &["run", "--scenario", "-"],
            r#"{"settings":{"seed":"1","seed":"2"}}"#,
            &["scenario", "seed", "twice"],
        ),
        (&["run", "--experiment", "triple"], "", &["experiment", "triple", "double-refund"]),
        (&["run", "--set", "guard=maybe"], "", &["guard", "maybe", "check-then-insert"]),
        (
            &["run", "--set", "workers.count=999"],
            "",
            &["workers.count", "999", "1 to 200", "workers"],
        ),
        (&["run", "--set", "backoff.cap=30"], "", &["backoff.cap", "30", "30d", "unit"]),
        (&["run", "--set", "guard"], "", &["set", "guard", "PATH=VALUE"]),
        (
            &["run", "--set", "gard=on"],
            "",
            &["setting", "gard", "no such setting: `gard`; near: guard"],
        ),
        (
            &["run", "--set", "foo=1"],
            "",
            &["setting", "foo", "no such setting: `foo`; near: fencing"],
        ),
        (
            &["run", "--link", "#v=1&x=double-refund&guard=maybe"],
            "",
            &["link", "guard=maybe", "off"],
        ),
        (
            &["run", "--link", "v=1&x=double-refund&gard=on"],
            "",
            &["link", "gard=on", "such as guard"],
        ),
        (&["run", "--link", "https://example.org/"], "", &["link", "https://example.org/"]),
        (
            &["run", "--link", "https://example.org/#v=1&x=double-refund&choices=first"],
            "",
            &["link", "choices=first", "STEP:EVENT"],
        ),
        (&["run", "--link", "#v=9&x=double-refund"], "", &["link", "v=9", "from 1 to 1"]),
        (&["run", "--seed", "-1"], "", &["seed"]),
        (&["run", "--seed", "1.5"], "", &["seed", "1.5", "18446744073709551615"]),
        (&["run", "--scenario", "no-such-file.json"], "", &["scenario", "no-such-file.json"]),
        (&["run", "--scenario", "-"], "{", &["scenario", "JSON"]),
        (&["run", "--scenario", "-"], "[]", &["scenario", "[]", "object"]),
        (&["run", "--scenario", "-"], r#"{"setings": {}}"#, &["setings", "settings"]),
        (
            &["run", "--scenario", "-"],
            r#"{"settings": {"job.count": true}}"#,
            &["job.count", "true", "jobs"],
        ),
        (
            &["run", "--scenario", "-"],
            r#"{"settings": {"backoff.base": 5}}"#,
            &["backoff.base", "5", "1d"],
        ),
    ];
    for (arguments, input, named) in cases {
        let output = at_least_once(arguments, Some(input));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let message = String::from_utf8_lossy(&output.stderr);
        for name in named {
            assert!(message.contains(name), "{arguments:?}: {message}");
        }
        assert!(message.len() < 2_000 && !message.contains("panicked"), "{message}");
    }
}

#[test]
fn the_table_of_settings_is_listed() {
    let table = text(&["settings", "--experiment", "double-refund"]);
    for setting in at_least_once::sim::settings::SETTINGS {
        assert!(table.contains(&format!("{} = ", setting.path)), "{}", setting.path);
    }
    assert!(table.contains("faults = 0:after-write 1:after-write"));
    assert_eq!(text(&["settings"]), table, "what `run` plays when nothing is named");
    let list = text(&["experiments"]);
    for told in [
        "guard=off: 3 ledger rows, 59.97 paid, not ok (not with faults=0:after-write)",
        "sets seed=11, effect=vendor, key=stable, faults=0:reply-lost 1:reply-lost",
        "studies retries, waits, peak, capacity, last",
        "as it is: starts at 0 s, 10 s, 20 s, 3 ledger rows",
    ] {
        assert!(list.contains(told), "{told}: {list}");
    }
}

/// A run without an end is stopped, and what it has come to by then is no last word.
#[test]
fn a_run_that_is_cut_is_judged_so_far() {
    let whole = text(&["run"]);
    assert!(!whole.contains("cut here") && whole.contains("\nVerdict: "), "{whole}");
    let cut = text(&["run", "--set", "workers.heartbeat=1us"]);
    let end = &cut[cut.find("The run was cut here").expect("it is cut")..];
    assert!(end.ends_with("\nVerdict so far: ok. Paid 0.00, owed 19.99.\n"), "{end}");
}

#[test]
fn every_experiment_runs_and_its_studies_are_tables() {
    for experiment in EXPERIMENTS {
        let story = text(&["run", "--experiment", experiment.id]);
        assert!(story.contains("Verdict: "), "{}", experiment.id);
    }
    let table = text(&["study", "places", "--experiment", "checkpoint"]);
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["crash", "before-skip", "before-mint", "after", "after-key", "outbox"]);
    assert_eq!(rows[1], ["before-call", "0", "1", "1", "1", "1"]);
    assert_eq!(rows[2], ["after-call", "1", "2", "2", "1", "–"]);
    assert_eq!(rows.len(), 6);
    let means = text(&["study", "trade-off", "--experiment", "timeout-too-long"]);
    assert!(means.contains("30 min"), "{means}");
}

#[test]
fn the_explorer_tells_a_shortest_run_and_its_link_replays_it() {
    let story = text(&["explore", "--design", "pay-then-ack"]);
    for told in
        ["The shortest run has 5 steps", "Nobody is paid twice", "Link: #v=1&", "some timings"]
    {
        assert!(story.contains(told), "{told}: {story}");
    }
    let found = json(&[
        "explore",
        "--design",
        "pay-then-ack",
        "--property",
        "paid-once",
        "--format",
        "json",
    ]);
    assert_eq!(found["complete"], false);
    let violation = &found["violation"];
    assert_eq!(
        (violation["property"].as_str(), violation["steps"].as_u64()),
        (Some("paid-once"), Some(5))
    );
    let link = violation["link"].as_str().expect("a link");
    let session = at_least_once::lesson::Session::open(link).expect("a link");
    let events = violation["events"].as_array().expect("events");
    let replayed = serde_json::to_value(session.records()).expect("plain data");
    assert_eq!(replayed.as_array().map(|all| &all[..events.len()]), Some(&events[..]));
    assert!(session.summary().verdict.paid_cents > 1999);
    // The terminal plays it too, from the address of a page or from what stands behind its `#`.
    for link in [format!("https://example.org/lesson/#{link}"), format!("#{link}"), link.to_owned()]
    {
        let run = json(&["run", "--link", &link, "--format", "json"]);
        let replayed = run["events"].as_array().expect("events");
        assert_eq!(replayed[..events.len()], events[..], "{link}");
        assert_eq!(run["broken"][0]["property"], "paid-once");
        assert_eq!(run["broken"][0]["step"], 5);
    }
    // What is set beside a link stands above it, and the order of events stays.
    let arguments =
        ["run", "--link", link, "--set", "key=stable", "--seed", "4", "--format", "json"];
    let other = json(&arguments);
    let key = &other["scenario"]["settings"]["key"];
    assert_eq!((other["seed"].as_str(), key.as_str()), (Some("4"), Some("stable")));
    assert_eq!(other["verdict"]["vendor_rows"], 1);
}

/// A choice that is not pending at its step is no damage: the earliest is taken, and it is said.
#[test]
fn a_link_whose_choice_is_not_pending_is_played_and_says_so() {
    let output = at_least_once(&["run", "--link", "#v=1&x=double-refund&choices=2:e77"], None);
    assert!(output.status.success() && !output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("`2:e77`") && told.contains("earliest"), "{told}");
}

#[test]
fn none_is_said_only_when_everything_was_visited() {
    let right = json(&["explore", "--design", "vendor-key", "--format", "json"]);
    assert_eq!((&right["complete"], &right["violation"]), (&Value::Bool(true), &Value::Null));
    assert!(right["states"].as_u64() > Some(100) && right["states_per_s"].as_u64() > Some(0));
    assert_eq!(right["left"], 0);
    // A lease of 30 s that may not end under work of 40: what would follow is not looked at.
    let long = ["explore", "--timing", "as-set", "--expiries", "0", "--set", "slice.write=40s"];
    let left = text(&long);
    assert!(left.starts_with("None: within the bounds"), "{left}");
    assert!(left.contains("beyond the bounds"), "{left}");
    let cut = text(&["explore", "--design", "vendor-key", "--states", "50"]);
    assert!(cut.starts_with("Cut:") && !cut.contains("None"), "{cut}");
    // With the timings as set, the demo's lease of 30 s ends under nobody who is alive.
    let any = json(&[
        "explore",
        "--set",
        "guard=off",
        "--crashes",
        "0",
        "--property",
        "paid-once",
        "--format",
        "json",
    ]);
    assert_eq!(any["violation"]["property"], "paid-once");
    let set = json(&[
        "explore",
        "--set",
        "guard=off",
        "--crashes",
        "0",
        "--property",
        "paid-once",
        "--timing",
        "as-set",
        "--format",
        "json",
    ]);
    assert_eq!((&set["complete"], &set["violation"]), (&Value::Bool(true), &Value::Null));
}

#[test]
fn what_hangs_is_shown_as_a_lasso() {
    let found = json(&[
        "explore",
        "--design",
        "claim-for-ever",
        "--property",
        "not-stuck",
        "--format",
        "json",
    ]);
    assert_eq!(found["violation"]["steps"], 3);
    let lasso = found["violation"]["lasso"].as_array().expect("a lasso");
    let circle = found["violation"]["circle"].as_u64().expect("a circle");
    assert!(circle < lasso.len() as u64);
    let story = text(&["explore", "--design", "claim-for-ever", "--property", "not-stuck"]);
    assert!(story.contains("\nFrom here it goes round and round:\n"), "{story}");
    // Without leases that end under the living, the longer way to pay twice is found.
    let longer = json(&[
        "explore",
        "--design",
        "pay-then-ack",
        "--property",
        "paid-once",
        "--expiries",
        "0",
        "--format",
        "json",
    ]);
    assert_eq!(longer["violation"]["steps"], 6);
}

#[test]
fn the_explorer_refuses_what_it_cannot_do() {
    let cases: [(&[&str], &[&str]); 5] = [
        (&["explore", "--property", "paid-often"], &["property", "paid-often", "paid-once"]),
        (&["explore", "--timing", "never"], &["timing", "never", "as-set"]),
        (&["explore", "--crashes", "-1"], &["crashes", "-1", "1000"]),
        (&["explore", "--workers", "0"], &["workers.count", "0", "200"]),
        (&["explore", "--design", "wishful"], &["design", "wishful", "vendor-key"]),
    ];
    for (arguments, named) in cases {
        let output = at_least_once(arguments, None);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(named.iter().all(|name| message.contains(name)), "{arguments:?}: {message}");
    }
    assert!(text(&["designs"]).contains("vendor-key: RIGHT"));
}

#[test]
fn the_help_says_what_is_meant_when_nothing_is_said() {
    let help = text(&["explore", "--help"]);
    for default in
        ["2 unless said", "5000000 unless said", "no bound unless said", "[default: any]"]
    {
        assert!(help.contains(default), "{default}: {help}");
    }
    let states = at_least_once::sim::explore::Bounds::default().states;
    assert_eq!(states, 5_000_000);
}
