//! The words: the same files that the page reads.

use at_least_once::sim::record::EventRecord;
use at_least_once::units::{Cents, span_text};
use serde_json::{Map, Value};

macro_rules! chapters {
    ($($id:literal),+ $(,)?) => {
        [$(($id, include_str!(concat!("../../www/text/en/", $id, ".json")))),+]
    };
}

/// The texts of the chapters, by experiment.
const CHAPTERS: [(&str, &str); 12] = chapters![
    "double-refund",
    "keys",
    "backoff",
    "timeout-too-short",
    "timeout-too-long",
    "checkpoint",
    "errors",
    "attempts",
    "drain",
    "two-ledgers",
    "open-transaction",
    "runs-twice",
];

/// The texts of one language.
pub(crate) struct Words {
    page: Value,
    desk: Value,
    rest: Value,
    settings: Value,
    chapters: Value,
}

impl Words {
    /// English.
    pub(crate) fn english() -> Self {
        let parse =
            |text| serde_json::from_str(text).expect("the texts are JSON: a test reads them");
        let chapters = CHAPTERS.map(|(id, text)| (id.to_owned(), parse(text)));
        Self {
            page: parse(include_str!("../../www/text/en/page.json")),
            desk: parse(include_str!("../../www/text/en/desk.json")),
            rest: parse(include_str!("../../www/text/en/rest.json")),
            settings: parse(include_str!("../../www/text/en/settings.json")),
            chapters: Value::Object(Map::from_iter(chapters)),
        }
    }

    /// The title of a chapter.
    pub(crate) fn title<'a>(&'a self, experiment: &'a str) -> &'a str {
        self.chapters[experiment]["title"].as_str().unwrap_or(experiment)
    }

    /// What a setting is.
    pub(crate) fn setting_help<'a>(&'a self, path: &'a str) -> &'a str {
        self.settings["help"][path].as_str().unwrap_or(path)
    }

    /// What a property says.
    pub(crate) fn property<'a>(&'a self, name: &'a str) -> &'a str {
        self.page["properties"][name].as_str().unwrap_or(name)
    }

    /// The name of an outcome, `crashed.after-write` or `acked`.
    pub(crate) fn outcome(&self, code: &str) -> String {
        self.desk["outcomes"][code].as_str().unwrap_or(code).to_owned()
    }

    /// The sentence of an event.
    pub(crate) fn sentence(&self, record: &EventRecord) -> String {
        let key = match record.detail {
            Some(detail) => format!("{}.{detail}", record.event),
            None => record.event.to_owned(),
        };
        let in_page = self.page["events"][&key].as_str();
        let template = in_page.or_else(|| self.rest["events"][&key].as_str()).unwrap_or(&key);
        let fields = serde_json::to_value(record).expect("a record is plain data");
        self.fill(template, &fields)
    }

    /// Fills `{field}` with the field of that name: times and money as they are written
    /// everywhere, points in words, the rest as it is.
    fn fill(&self, template: &str, fields: &Value) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((name, behind)) = behind.split_once('}') else { break };
            out += before;
            out += &self.field(name, &fields[name]);
            rest = behind;
        }
        out + rest
    }

    fn field(&self, name: &str, value: &Value) -> String {
        match value {
            Value::Number(number) if name.ends_with("_us") => {
                span_text(number.as_u64().unwrap_or_default())
            }
            Value::Number(number) if name == "cents" => {
                Cents::from_cents(number.as_u64().unwrap_or_default()).money_text()
            }
            Value::String(code) if name == "point" => {
                self.page["points"][code].as_str().unwrap_or(code).to_owned()
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}
