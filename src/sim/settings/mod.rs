//! The one table of settings. Terminal flags, element attributes, the link, the controls on the
//! page, the error texts and the reference in the docs all come from it.

mod setting;
mod table;

use super::profiles;
use super::value::Value;
use crate::WHOLE;
use crate::units::Span;
pub use setting::{Kind, Owner, Refusal, Setting};
pub use table::{Id, SETTINGS};

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
///     "workers.count cannot be `0`; allowed: a whole number from 1 to 200 workers"
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
    /// A [`Refusal`] that lists the paths which come near, or else the groups there are.
    pub fn find(path: &str) -> Result<&'static Setting, Refusal> {
        let found = SETTINGS.iter().find(|setting| setting.path == path);
        found.ok_or_else(|| Refusal::new("setting", path, Self::near(path), ""))
    }

    /// The paths of the same group, or that begin with the same letter; all groups if none does.
    fn near(path: &str) -> String {
        let group = |path: &'static str| path.split('.').next().unwrap_or(path);
        let meant = path.split('.').next().unwrap_or(path);
        let all = || SETTINGS.iter().map(|setting| setting.path);
        let mut near: Vec<&str> = all().filter(|path| group(path) == meant).collect();
        if near.is_empty() {
            let first = path.chars().next();
            near = all().filter(|path| path.chars().next() == first).collect();
        }
        if near.is_empty() {
            near = all().map(group).collect();
            near.dedup();
        }
        near.join(", ")
    }

    /// Gives a setting another value. A profile, of a broker or a vendor, gives the settings of
    /// its row theirs; what is set after it stands.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] for an unknown path and for a value that the setting does not allow; the
    /// settings are then as they were.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), Refusal> {
        let setting = Self::find(path)?;
        // A profile may have set it.
        let stays = || text == setting.default || text == self.text(setting);
        if !WHOLE && !setting.id.is_in_page() && !stays() {
            return Err(setting.refuse_here(text, setting.default));
        }
        self.values[setting.id as usize] = Value::parse(setting, text)?;
        for (id, text) in profiles::row(setting.id, text) {
            self.values[id as usize] = Value::parse(&SETTINGS[id as usize], text)?;
        }
        Ok(())
    }

    /// Gives several settings other values, in order, but profiles first: whatever else is given
    /// stands, wherever it is written.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] of the first that is not taken.
    pub fn set_all(&mut self, given: &[(&str, &str)]) -> Result<(), Refusal> {
        for first in [true, false] {
            for (path, text) in given.iter().filter(|(path, _)| Self::is_profile(path) == first) {
                self.set(path, text)?;
            }
        }
        Ok(())
    }

    /// Whether a path names a profile, which brings a row of other settings with it.
    pub(crate) fn is_profile(path: &str) -> bool {
        [Id::Broker, Id::Vendor].iter().any(|id| SETTINGS[*id as usize].path == path)
    }

    /// Gives settings the values that stand in the code itself, or were in force before.
    ///
    /// # Panics
    ///
    /// When one of them is not allowed: that is a bug of ours.
    pub(crate) fn give(&mut self, given: &[(&str, &str)]) {
        for (path, text) in given {
            if let Err(refusal) = self.set(path, text) {
                refusal.fail();
            }
        }
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

    /// The name of the guard.
    #[must_use]
    pub fn guard(&self) -> &'static str {
        self.choice(Id::Guard)
    }

    pub(super) fn number(&self, id: Id) -> u64 {
        match self.get(id) {
            Value::Number(number) => *number,
            _ => of_another_kind(),
        }
    }

    pub(super) fn span(&self, id: Id) -> Span {
        match self.get(id) {
            Value::Span(span) => *span,
            _ => of_another_kind(),
        }
    }

    pub(super) fn switch(&self, id: Id) -> bool {
        matches!(self.get(id), Value::Switch(true))
    }

    /// The name chosen, of a setting that is a choice.
    pub(crate) fn choice(&self, id: Id) -> &'static str {
        match (self.get(id), SETTINGS[id as usize].kind) {
            (Value::Choice(position), Kind::Choice(names)) => names[*position],
            _ => of_another_kind(),
        }
    }
}

/// What kind of value a setting has is what the table says, and whoever reads it goes by that.
#[cold]
#[inline(never)]
fn of_another_kind() -> ! {
    panic!("the table says of which kind it is")
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
            ("workers.count", "201"),
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
            ("queue.visibility_timeout", "25h"),
            ("backoff.base", "-1s"),
            ("backoff.list", "one"),
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
            ("workers.count", "200"),
            ("seed", "0"),
            ("seed", "18446744073709551615"),
            ("queue.max_attempts", "4294967295"),
            ("queue.visibility_timeout", "1ms"),
            ("queue.visibility_timeout", "1d"),
            ("slice.think", "0s"),
            ("backoff.cap", "30d"),
            ("job.amount", "100000000"),
        ] {
            settings.set(path, text).expect("a limit is allowed");
            assert_eq!(settings.text(Settings::find(path).expect("known")), text);
        }
    }
}
