//! A row of the table: what it allows, and how it refuses the rest.

use super::Id;
use crate::json::data;
use crate::sim::fault::POINTS;
use crate::sim::value::{MOST_ENTRIES, Value};
use crate::units::Span;
use std::fmt;

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Switch,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A whole number.
    Number {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
        /// What is counted.
        unit: &'static str,
    },
    /// A length of time, as a number with a unit: `30s`, `250ms`.
    Span {
        /// The shortest.
        min: Span,
        /// The longest.
        max: Span,
    },
    /// Several lengths of time, separated by blanks, or `none`.
    Spans {
        /// The longest of each.
        max: Span,
        /// How many there may be.
        most: usize,
    },
    /// Fault rules, separated by blanks, or `none`.
    Rules,
}

/// Who owns a setting in a real system: who would have to change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The runtime: broker, worker framework.
    Runtime,
    /// The tool that does the work: here, what refunds.
    DomainTool,
    /// Whoever answers the pager.
    OnCall,
}

impl Owner {
    /// The owner's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::DomainTool => "domain tool",
            Self::OnCall => "on-call",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its place in the table.
    pub id: Id,
    /// Its name: `queue.visibility_timeout`.
    pub path: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// What it is unless an experiment or a reader says otherwise.
    pub default: &'static str,
    /// Who owns it.
    pub owner: Owner,
}

impl Setting {
    /// The element attribute: the path with hyphens.
    #[must_use]
    pub fn attribute(&self) -> String {
        self.path.replace(['.', '_'], "-")
    }

    /// The unit of its values; empty where there is none.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self.kind {
            Kind::Switch | Kind::Choice(_) => "",
            Kind::Number { unit, .. } => unit,
            Kind::Span { .. } | Kind::Spans { .. } => "us, ms, s, m, h or d",
            Kind::Rules => "fault rules",
        }
    }

    /// What it allows, in words.
    #[must_use]
    pub fn limit(&self) -> String {
        match self.kind {
            Kind::Switch => "on or off".to_owned(),
            Kind::Choice(names) => names.join(", "),
            Kind::Number { min, max, unit } => {
                format!("a whole number from {min} to {max} {unit}").trim_end().to_owned()
            }
            Kind::Span { min, max } => {
                format!("a time from {} to {}, with its unit", min.exact_text(), max.exact_text())
            }
            Kind::Spans { max, most } => format!(
                "none, or times of at most {} each, separated by blanks, {most} at most",
                max.exact_text()
            ),
            Kind::Rules => {
                let points = POINTS.iter().filter(|(_, point)| point.is_between());
                let points: Vec<&str> = points.map(|(name, _)| *name).collect();
                format!(
                    "none, or up to {MOST_ENTRIES} of ATTEMPT:FAULT or JOB/ATTEMPT:FAULT, where \
                     FAULT is a crash at a point ({}), ack-lost, ack-twice, replica, reply-lost, \
                     late~TIME, answer-STATUS, throw:POINT, pause:POINT~TIME or crash@TIME",
                    points.join(", ")
                )
            }
        }
    }

    /// A refusal of `value` with this setting's limit.
    #[must_use]
    pub fn refuse(&self, value: &str) -> Refusal {
        Refusal::new(self.path, value, self.limit(), self.unit())
    }

    /// What the page's own build has not: the page asks the larger one, and knows it by these words.
    pub(in crate::sim) fn refuse_here(&self, value: &str, limit: &str) -> Refusal {
        let limit = format!("{limit}; a build with everything can have more");
        self.refuse_with(value, limit, self.unit())
    }

    pub(in crate::sim) fn refuse_with(&self, value: &str, limit: String, unit: &str) -> Refusal {
        Refusal::new(self.path, value, limit, unit)
    }

    /// The default as a value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        Value::parse(self, self.default).unwrap_or_else(|refusal| refusal.fail())
    }
}

data! {
    /// Says no to a value, with all that a reader needs to put it right.
    #[derive(Clone, PartialEq, Eq, thiserror::Error)]
    pub struct Refusal {
        /// The field: a setting's path, or what else was read.
        pub field: String,
        /// The value that was given, shortened when it is long.
        pub value: String,
        /// What would be allowed.
        pub limit: String,
        /// The unit of the limit; empty where there is none.
        pub unit: String,
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be `{}`; allowed: {}", self.field, self.value, self.limit)?;
        if !self.unit.is_empty() && !self.limit.ends_with(&self.unit) {
            write!(f, " (unit: {})", self.unit)?;
        }
        Ok(())
    }
}

impl Refusal {
    /// What stands in the code itself was refused.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(self) -> ! {
        panic!("what the code sets is allowed, but {self}")
    }

    /// A refusal of a value that belongs to no setting.
    #[must_use]
    pub fn new(field: &str, value: &str, limit: impl Into<String>, unit: &str) -> Self {
        // What came in goes to a terminal or a page: no control characters, no endless line.
        let plain = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
        let mut shown: String = value.chars().take(80).map(plain).collect();
        if value.chars().nth(80).is_some() {
            shown.push('…');
        }
        Self { field: field.to_owned(), value: shown, limit: limit.into(), unit: unit.to_owned() }
    }
}
