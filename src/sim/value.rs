//! The value of a setting: parsed from text at the edge, written back as the same text.

use super::fault::Rule;
use super::settings::{Id, Kind, Refusal, Setting};
use crate::WHOLE;
use crate::units::Span;

/// How long a text may be that is read as a value. Longer ones are refused unread.
pub const MOST_CHARS: usize = 2048;
/// How many rules or waits a value may list.
pub const MOST_ENTRIES: usize = 64;

/// A value that its setting allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// The position in the setting's list of names.
    Choice(usize),
    /// A whole number, in the setting's unit.
    Number(u64),
    /// A length of time.
    Span(Span),
    /// Lengths of time, in order.
    Spans(Vec<Span>),
    /// Fault rules, in order, each once.
    Rules(Vec<Rule>),
}

impl Value {
    /// Reads a value as the setting allows it.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names the field, the value, the limit and the unit, when the text is
    /// not of the setting's type or is out of its range.
    pub fn parse(setting: &Setting, text: &str) -> Result<Self, Refusal> {
        if text.len() > MOST_CHARS {
            return Err(setting.refuse_with(
                text,
                format!("at most {MOST_CHARS} bytes of text"),
                "bytes",
            ));
        }
        let refuse = || setting.refuse(text);
        match setting.kind {
            Kind::Switch => match text {
                "on" | "true" => Ok(Self::Switch(true)),
                "off" | "false" => Ok(Self::Switch(false)),
                _ => Err(refuse()),
            },
            Kind::Choice(names) => {
                let place = names.iter().position(|name| *name == text);
                place.map(Self::Choice).ok_or_else(|| match setting.id {
                    // The whole build knows one more.
                    Id::Vendor if !WHOLE => setting.refuse_here(text, &setting.limit()),
                    _ => refuse(),
                })
            }
            Kind::Number { min, max, .. } => {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                digits
                    .then(|| text.parse().ok())
                    .flatten()
                    .filter(|number| (min..=max).contains(number))
                    .map(Self::Number)
                    .ok_or_else(refuse)
            }
            Kind::Span { min, max } => match text.parse::<Span>() {
                Ok(span) if (min..=max).contains(&span) => Ok(Self::Span(span)),
                _ => Err(refuse()),
            },
            Kind::Spans { max, most } => {
                if text == "none" {
                    return Ok(Self::Spans(Vec::new()));
                }
                let mut spans = Vec::new();
                for entry in entries(text) {
                    match entry.parse() {
                        Ok(span) if span <= max => spans.push(span),
                        _ => return Err(refuse()),
                    }
                }
                let fits = (1..=most).contains(&spans.len());
                if fits { Ok(Self::Spans(spans)) } else { Err(refuse()) }
            }
            Kind::Rules => {
                if matches!(text, "none" | "") {
                    return Ok(Self::Rules(Vec::new()));
                }
                let mut rules = Vec::new();
                for entry in entries(text) {
                    match entry.parse::<Rule>() {
                        Ok(rule) if !WHOLE && !rule.is_in_page() => {
                            return Err(setting.refuse_here(text, &setting.limit()));
                        }
                        Ok(rule) => {
                            if let Err(place) = rules.binary_search(&rule) {
                                rules.insert(place, rule);
                            }
                        }
                        _ => return Err(refuse()),
                    }
                }
                let fits = rules.len() <= MOST_ENTRIES;
                if fits { Ok(Self::Rules(rules)) } else { Err(refuse()) }
            }
        }
    }

    /// The shortest text that reads back as this value.
    #[must_use]
    pub fn text(&self, setting: &Setting) -> String {
        match self {
            Self::Switch(on) => (if *on { "on" } else { "off" }).to_owned(),
            Self::Choice(position) => match setting.kind {
                Kind::Choice(names) => names.get(*position).copied().unwrap_or("").to_owned(),
                _ => String::new(),
            },
            Self::Number(number) => number.to_string(),
            Self::Span(span) => span.exact_text(),
            Self::Spans(spans) if spans.is_empty() => "none".to_owned(),
            Self::Spans(spans) => joined(spans, |span| span.exact_text()),
            Self::Rules(rules) if rules.is_empty() => "none".to_owned(),
            Self::Rules(rules) => joined(rules, Rule::to_string),
        }
    }
}

/// The entries of a list: separated by blanks or commas.
fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',']).filter(|entry| !entry.is_empty())
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let mut out = String::new();
    for item in items {
        let before = if out.is_empty() { "" } else { " " };
        out.push_str(before);
        out.push_str(&text(item));
    }
    out
}
