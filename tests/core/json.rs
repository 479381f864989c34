//! The small writer of JSON says what `serde_json` says, field by field, for all that crosses.

use crate::generate;
use at_least_once::json::{Json, object, text};
use at_least_once::lesson::program::ProgramLine;
use at_least_once::lesson::sight::Sight;
use at_least_once::lesson::view::{SettingInfo, View};
use at_least_once::sim::settings::Refusal;
use at_least_once::units::WorkerId;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::Value;

/// The two texts, read back: equal, and with the fields in the same order.
fn agree<T: Json + Serialize>(value: &T) {
    let ours: Value = serde_json::from_str(&text(value)).expect("it is JSON");
    let theirs = serde_json::to_value(value).expect("it is data");
    assert_eq!(ours, theirs);
    assert_eq!(ours.to_string(), theirs.to_string());
}

#[test]
fn all_that_crosses_is_written_as_serde_writes_it() {
    let mut views = 0;
    for index in 0..generate::SCENARIOS {
        let session = generate::session(&generate::settings(index, index as u64));
        agree(&SettingInfo::table(&session));
        agree(&session.summary());
        agree(&session.records());
        agree(&session.tasks());
        agree(&ProgramLine::all(&session));
        agree(&session.forked_at());
        agree(&session.sweep(2).expect("so many are allowed"));
        for cursor in 0..=session.run().trace.entries().len() {
            agree(&View::new(&session, cursor));
            agree(&Sight::new(&session, cursor, WorkerId(0)));
            views += 1;
        }
    }
    assert!(views > 1000, "the check reads views: {views}");
}

#[test]
fn what_is_missing_is_null_or_left_out() {
    let session = generate::session(&generate::settings(0, 0));
    let log = text(&session.records());
    assert!(log.starts_with(r#"[{"at_us":0,"event":"sent","job_id":"job_17"},"#), "{log}");
    let view = text(&View::new(&session, 0));
    assert!(
        view.contains(r#""state":"idle","job_id":null,"attempt":null,"step":null,"position":null"#),
        "{view}"
    );
    let mut empty = String::new();
    object(&mut empty, true, "a", &[&None::<u32>]);
    assert_eq!(empty, "{}");
    assert_eq!(text(&Vec::<u32>::new()), "[]");
    assert_eq!(text(&u64::MAX), u64::MAX.to_string());
}

proptest! {
    /// Quotes, backslashes, control characters, and letters from beyond ASCII.
    #[test]
    fn any_text_is_written_as_serde_writes_it(field in ".*", value in "[\\x00-\\x7f\"\\\\é€\u{2028}🦀]*") {
        agree(&field);
        agree(&Refusal::new(&field, &value, value.as_str(), ""));
    }
}
