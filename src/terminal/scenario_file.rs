//! A scenario as JSON: `{"experiment": ID, "settings": {PATH: VALUE}}`, as `run --format json`
//! writes it under `scenario`.

use at_least_once::sim::settings::{Kind, Refusal, Settings};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::io::Read;
use std::path::Path;

/// How large a scenario file may be, in bytes.
const MOST_BYTES: u64 = 65_536;

/// What a scenario file says.
#[derive(Debug, Default)]
pub(crate) struct ScenarioFile {
    /// The experiment that it starts from.
    pub(crate) experiment: Option<String>,
    /// Settings on top of that, as (path, text).
    pub(crate) settings: Vec<(String, String)>,
}

/// Reads a scenario file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<ScenarioFile, Refusal> {
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        Refusal::new("scenario", &shown, format!("a file that can be read ({error})"), "")
    };
    let mut text = String::new();
    let limited =
        |reader: &mut dyn Read, text: &mut String| reader.take(MOST_BYTES + 1).read_to_string(text);
    if path == Path::new("-") {
        limited(&mut std::io::stdin().lock(), &mut text).map_err(unreadable)?;
    } else {
        let mut file = std::fs::File::open(path).map_err(unreadable)?;
        limited(&mut file, &mut text).map_err(unreadable)?;
    }
    if text.len() as u64 > MOST_BYTES {
        return Err(Refusal::new(
            "scenario",
            &shown,
            format!("at most {MOST_BYTES} bytes"),
            "bytes",
        ));
    }
    parse(&shown, &text)
}

fn parse(shown: &str, text: &str) -> Result<ScenarioFile, Refusal> {
    let Unique(value) = serde_json::from_str(text)
        .map_err(|error| Refusal::new("scenario", shown, format!("JSON ({error})"), ""))?;
    let Value::Object(fields) = value else {
        return Err(Refusal::new("scenario", &value.to_string(), "a JSON object", ""));
    };
    let mut file = ScenarioFile::default();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("experiment", Value::String(id)) => file.experiment = Some(id),
            ("settings", Value::Object(settings)) => {
                for (path, value) in settings {
                    let text = text_of(&path, &value)?;
                    file.settings.push((path, text));
                }
            }
            ("experiment", other) => {
                return Err(Refusal::new("experiment", &other.to_string(), "a text", ""));
            }
            ("settings", other) => {
                let limit = "an object of paths and values";
                return Err(Refusal::new("settings", &other.to_string(), limit, ""));
            }
            (other, _) => {
                return Err(Refusal::new("scenario field", other, "experiment, settings", ""));
            }
        }
    }
    Ok(file)
}

/// The value of a setting as text. Texts are taken as they are; a switch may be a JSON boolean,
/// a number a JSON number. A time needs its unit, so it is a text.
fn text_of(path: &str, value: &Value) -> Result<String, Refusal> {
    let setting = Settings::find(path)?;
    match (setting.kind, value) {
        (_, Value::String(text)) => Ok(text.clone()),
        (Kind::Switch, Value::Bool(on)) => Ok((if *on { "on" } else { "off" }).to_owned()),
        (Kind::Number { .. }, Value::Number(number)) => Ok(number.to_string()),
        (_, other) => Err(setting.refuse(&other.to_string())),
    }
}

/// A JSON value in which no object has a name twice: of two, one would silently win.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some((name, Unique(value))) = map.next_entry::<String, Unique>()? {
            if out.insert(name.clone(), value).is_some() {
                return Err(de::Error::custom(format!("`{name}` stands there twice")));
            }
        }
        Ok(Value::Object(out))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(Unique(value)) = list.next_element()? {
            out.push(value);
        }
        Ok(Value::Array(out))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, is: bool) -> Result<Value, E> {
        Ok(Value::Bool(is))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}
