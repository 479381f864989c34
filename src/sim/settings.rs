//! The one table of settings. Terminal flags, element attributes, the link, the controls on the
//! page, the error texts and the reference in the docs all come from it.

use super::value::{MOST_ENTRIES, Value};
use crate::json::data;
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
    /// Several lengths of time, separated by blanks.
    Spans {
        /// The longest of each.
        max: Span,
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

const fn seconds(count: u64) -> Span {
    Span::from_secs(count)
}
const HOUR: Span = seconds(3600);
const DAY: Span = seconds(86_400);

const fn count(min: u64, max: u64, unit: &'static str) -> Kind {
    Kind::Number { min, max, unit }
}
const fn span(min: Span, max: Span) -> Kind {
    Kind::Span { min, max }
}
const fn names(names: &'static [&'static str]) -> Kind {
    Kind::Choice(names)
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $id:ident = $path:literal, $kind:expr, $default:literal, $owner:ident;)+) => {
        /// The settings by name, in the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(usize)]
        pub enum Id {
            $($(#[doc = $doc])+ $id,)+
        }

        /// Every setting there is.
        pub static SETTINGS: &[Setting] = &[
            $(Setting { id: Id::$id, path: $path, kind: $kind, default: $default, owner: Owner::$owner },)+
        ];
    };
}

settings! {
    /// The seed that every draw comes from.
    Seed = "seed", count(0, u64::MAX, "seed"), "1", OnCall;
    /// What keeps a repeat from being written. `on` is the atomic insert.
    Guard = "guard", names(&["off", "check-then-insert", "on", "ask-the-model"]), "on", DomainTool;
    /// What goes wrong, and where.
    Faults = "faults", Kind::Rules, "none", OnCall;
    /// How many jobs are sent at the start.
    JobCount = "job.count", count(1, 1000, "jobs"), "1", Runtime;
    /// What each job is owed.
    JobAmount = "job.amount", count(1, 100_000_000, "cents"), "1999", DomainTool;
    /// How many workers there are.
    WorkersCount = "workers.count", count(1, 50, "workers"), "3", OnCall;
    /// How long a crashed worker is away.
    WorkersRestart = "workers.restart", span(Span::ZERO, HOUR), "5s", Runtime;
    /// How long a received message is invisible to others: the length of its lease.
    VisibilityTimeout = "queue.visibility_timeout", span(Span::from_millis(1), seconds(43_200)), "30s", Runtime;
    /// How many deliveries a job has before it is a dead letter.
    MaxAttempts = "queue.max_attempts", count(1, 4_294_967_295, "deliveries"), "5", OnCall;
    /// When a message that has used up its attempts is moved: at the next receive, or as soon as
    /// the last lease ends.
    DeadLetter = "queue.dead_letter", names(&["lazy", "eager"]), "lazy", Runtime;
    /// What the queue does with an ack whose lease is over.
    LateAck = "queue.late_ack", names(&["delete", "newest-receipt", "refuse"]), "newest-receipt", Runtime;
    /// Whether the backoff is added after a lease that ended.
    ExpiryBackoff = "queue.expiry_backoff", Kind::Switch, "off", Runtime;
    /// How long the worker thinks before it writes. 0 leaves the step out.
    SliceThink = "slice.think", span(Span::ZERO, HOUR), "1s", DomainTool;
    /// How long the write takes.
    SliceWrite = "slice.write", span(Span::ZERO, HOUR), "1s", DomainTool;
    /// How long the checkpoint takes.
    SliceCheckpoint = "slice.checkpoint", span(Span::ZERO, HOUR), "500ms", Runtime;
    /// How long the ack takes.
    SliceAck = "slice.ack", span(Span::ZERO, HOUR), "500ms", Runtime;
    /// How the wait grows from attempt to attempt.
    BackoffKind = "backoff.kind", names(&["none", "fixed", "linear", "exponential", "polynomial", "list"]), "exponential", Runtime;
    /// The first wait, before jitter.
    BackoffBase = "backoff.base", span(Span::ZERO, DAY), "1s", Runtime;
    /// The longest wait, after jitter.
    BackoffCap = "backoff.cap", span(Span::ZERO, seconds(30 * 86_400)), "30s", Runtime;
    /// The power of a polynomial backoff.
    BackoffDegree = "backoff.degree", count(1, 10, "power"), "4", Runtime;
    /// The waits of a list backoff; the last one repeats.
    BackoffList = "backoff.list", Kind::Spans { max: DAY }, "1s 5s 30s", Runtime;
    /// How the wait is spread.
    BackoffJitter = "backoff.jitter", names(&["none", "full", "equal", "decorrelated", "percent", "downward", "additive"]), "full", Runtime;
    /// How far `percent` and `downward` spread.
    BackoffPercent = "backoff.percent", count(0, 100, "%"), "20", Runtime;
    /// How much `additive` adds at most.
    BackoffExtra = "backoff.extra", span(Span::ZERO, DAY), "1s", Runtime;
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
    /// A refusal of a value that belongs to no setting.
    #[must_use]
    pub fn new(field: &str, value: &str, limit: impl Into<String>, unit: &str) -> Self {
        let mut shown: String = value.chars().take(80).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        Self { field: field.to_owned(), value: shown, limit: limit.into(), unit: unit.to_owned() }
    }
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
            Kind::Number { min, max, unit } => format!("a whole number from {min} to {max} {unit}"),
            Kind::Span { min, max } => {
                format!("a time from {} to {}, with its unit", min.exact_text(), max.exact_text())
            }
            Kind::Spans { max } => format!(
                "1 to {MOST_ENTRIES} times of at most {} each, separated by blanks",
                max.exact_text()
            ),
            Kind::Rules => {
                let faults: Vec<&str> =
                    super::fault::FAULTS.iter().map(|(name, _)| *name).collect();
                format!(
                    "none, or up to {MOST_ENTRIES} of ATTEMPT:FAULT or JOB/ATTEMPT:FAULT, where FAULT is {}",
                    faults.join(", ")
                )
            }
        }
    }

    /// A refusal of `value` with this setting's limit.
    #[must_use]
    pub fn refuse(&self, value: &str) -> Refusal {
        Refusal::new(self.path, value, self.limit(), self.unit())
    }

    pub(super) fn refuse_with(&self, value: &str, limit: String, unit: &str) -> Refusal {
        Refusal::new(self.path, value, limit, unit)
    }

    /// The default as a value.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match Value::parse(self, self.default) {
            Ok(value) => value,
            Err(refusal) => unreachable!("the table's own defaults are allowed, but {refusal}"),
        }
    }
}

/// A value for every setting of the table.
///
/// ```
/// use at_least_once::sim::settings::Settings;
///
/// let mut settings = Settings::default();
/// settings.set("queue.visibility_timeout", "10s")?;
/// let refusal = settings.set("workers.count", "0").unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "workers.count cannot be `0`; allowed: a whole number from 1 to 50 workers"
/// );
/// # Ok::<(), at_least_once::sim::settings::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    values: Vec<Value>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { values: SETTINGS.iter().map(Setting::default_value).collect() }
    }
}

impl Settings {
    /// The setting with this path.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that lists the paths there are.
    pub fn find(path: &str) -> Result<&'static Setting, Refusal> {
        SETTINGS.iter().find(|setting| setting.path == path).ok_or_else(|| {
            let paths: Vec<&str> = SETTINGS.iter().map(|setting| setting.path).collect();
            Refusal::new("setting", path, paths.join(", "), "")
        })
    }

    /// Gives a setting another value.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for an unknown path and for a value that the setting does not allow; the
    /// settings are then as they were.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        let setting = Self::find(path)?;
        self.values[setting.id as usize] = Value::parse(setting, text)?;
        Ok(())
    }

    /// The value of a setting.
    #[must_use]
    pub fn get(&self, id: Id) -> &Value {
        &self.values[id as usize]
    }

    /// The value of a setting as the text that [`Settings::set`] takes.
    #[must_use]
    pub fn text(&self, setting: &Setting) -> String {
        self.get(setting.id).text(setting)
    }

    /// The settings whose value differs from `base`, with their texts, in the table's order.
    pub fn differing<'a>(
        &'a self,
        base: &'a Self,
    ) -> impl Iterator<Item = (&'static Setting, String)> + 'a {
        SETTINGS
            .iter()
            .filter(|setting| self.get(setting.id) != base.get(setting.id))
            .map(|setting| (setting, self.text(setting)))
    }

    pub(super) fn number(&self, id: Id) -> u64 {
        match self.get(id) {
            Value::Number(number) => *number,
            _ => unreachable!("the table says that it is a number"),
        }
    }

    pub(super) fn span(&self, id: Id) -> Span {
        match self.get(id) {
            Value::Span(span) => *span,
            _ => unreachable!("the table says that it is a time"),
        }
    }

    pub(super) fn switch(&self, id: Id) -> bool {
        matches!(self.get(id), Value::Switch(true))
    }

    /// The name chosen.
    pub(super) fn choice(&self, id: Id) -> &'static str {
        match (self.get(id), SETTINGS[id as usize].kind) {
            (Value::Choice(position), Kind::Choice(names)) => names[*position],
            _ => unreachable!("the table says that it is a choice"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_its_ids_and_its_names_are_unique() {
        let mut attributes = Vec::new();
        for (position, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.id as usize, position, "{}", setting.path);
            attributes.push(setting.attribute());
        }
        attributes.sort();
        attributes.dedup();
        assert_eq!(attributes.len(), SETTINGS.len(), "an attribute names one setting");
    }

    #[test]
    fn every_default_is_allowed_and_is_written_as_it_is_read() {
        let settings = Settings::default();
        for setting in SETTINGS {
            assert_eq!(settings.text(setting), setting.default, "{}", setting.path);
        }
    }

    #[test]
    fn a_refusal_names_field_value_limit_and_unit_and_changes_nothing() {
        let long = "9".repeat(3000);
        let cases = [
            ("workers.count", "0"),
            ("workers.count", "51"),
            ("workers.count", "-1"),
            ("workers.count", "1.5"),
            ("workers.count", "1e1"),
            ("workers.count", ""),
            ("workers.count", " 3"),
            ("workers.count", "3 workers"),
            ("seed", "18446744073709551616"),
            ("guard", "On"),
            ("guard", "yes"),
            ("queue.expiry_backoff", "1"),
            ("queue.visibility_timeout", "30"),
            ("queue.visibility_timeout", "0s"),
            ("queue.visibility_timeout", "13h"),
            ("backoff.base", "-1s"),
            ("backoff.list", ""),
            ("backoff.list", "1s,two"),
            ("faults", "none 0:after-write"),
            ("faults", "0:after-lunch"),
            ("job.amount", "0"),
            ("workers.count", long.as_str()),
        ];
        for (path, text) in cases {
            let mut settings = Settings::default();
            let refusal = settings.set(path, text).expect_err(&format!("{path}={text}"));
            assert_eq!(refusal.field, path);
            assert!(text.starts_with(refusal.value.trim_end_matches('…')), "{refusal}");
            assert!(refusal.value.chars().count() <= 81 && !refusal.limit.is_empty());
            assert_eq!(settings, Settings::default(), "{path}={text}");
        }
        let unknown = Settings::default().set("queue.lease", "1s").expect_err("unknown");
        assert_eq!((unknown.field.as_str(), unknown.value.as_str()), ("setting", "queue.lease"));
        assert!(unknown.limit.contains("queue.visibility_timeout"), "{unknown}");
    }

    #[test]
    fn limits_are_inside() {
        let mut settings = Settings::default();
        for (path, text) in [
            ("workers.count", "1"),
            ("workers.count", "50"),
            ("seed", "0"),
            ("seed", "18446744073709551615"),
            ("queue.max_attempts", "4294967295"),
            ("queue.visibility_timeout", "1ms"),
            ("queue.visibility_timeout", "12h"),
            ("slice.think", "0s"),
            ("backoff.cap", "30d"),
            ("job.amount", "100000000"),
        ] {
            settings.set(path, text).expect("a limit is allowed");
            assert_eq!(settings.text(Settings::find(path).expect("known")), text);
        }
    }
}
