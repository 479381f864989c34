//! Faults: a closed list of named points in a slice, and rules that say what goes wrong there.

use crate::units::JobIndex;
use std::fmt;
use std::str::FromStr;

/// A place in a slice where something may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// The row is about to be written.
    BeforeWrite,
    /// The row is there, or the guard has found it; the checkpoint is not.
    AfterWrite,
    /// The checkpoint is saved, or was found.
    AfterCheckpoint,
    /// The ack is about to be sent.
    BeforeAck,
    /// The ack is on its way to the queue.
    Ack,
}

/// What happens at a point. In a list of choices what goes wrong stands before what does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The worker dies there.
    Crash,
    /// What was sent never arrives, and the sender does not learn of it.
    Lost,
    /// Nothing goes wrong.
    Go,
}

/// A fault by its name: a point, and what goes wrong there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Where.
    pub point: Point,
    /// What; never [`Verdict::Go`].
    pub verdict: Verdict,
}

/// The faults, in the order of the slice.
pub const FAULTS: [(&str, Fault); 5] = [
    ("before-write", Fault::crash(Point::BeforeWrite)),
    ("after-write", Fault::crash(Point::AfterWrite)),
    ("after-checkpoint", Fault::crash(Point::AfterCheckpoint)),
    ("before-ack", Fault::crash(Point::BeforeAck)),
    ("ack-lost", Fault { point: Point::Ack, verdict: Verdict::Lost }),
];

impl Fault {
    const fn crash(point: Point) -> Self {
        Self { point, verdict: Verdict::Crash }
    }

    /// The name in links, flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        FAULTS.iter().find(|(_, fault)| *fault == self).map_or("none", |(name, _)| name)
    }
}

impl Point {
    /// The name of the point, as a trace writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BeforeWrite => "before-write",
            Self::AfterWrite => "after-write",
            Self::AfterCheckpoint => "after-checkpoint",
            Self::BeforeAck => "before-ack",
            Self::Ack => "ack",
        }
    }
}

/// Where a driver is asked what happens. Like a draw it has an address, so that turning the
/// guard on or adding a crash elsewhere changes nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The job at hand.
    pub job: JobIndex,
    /// Its attempt, from 0.
    pub attempt: u32,
    /// The place in the slice.
    pub point: Point,
}

/// A rule: at this point of this attempt, this goes wrong.
///
/// Its text is `ATTEMPT:FAULT` for every job or `JOB/ATTEMPT:FAULT` for one, both counted
/// from 0.
///
/// ```
/// use at_least_once::sim::fault::Rule;
///
/// let rule: Rule = "0:after-write".parse()?;
/// assert_eq!((rule.job, rule.attempt), (None, 0));
/// assert_eq!(rule.to_string(), "0:after-write");
/// assert!("0:nowhere".parse::<Rule>().is_err());
/// # Ok::<(), at_least_once::sim::fault::NotARule>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The job, or any.
    pub job: Option<JobIndex>,
    /// The attempt, from 0.
    pub attempt: u32,
    /// What goes wrong.
    pub fault: Fault,
}

impl Rule {
    /// What this rule says about a site, if it is about that site.
    #[must_use]
    pub fn at(&self, site: &Site) -> Option<Verdict> {
        let named = self.job.is_none_or(|job| job == site.job)
            && self.attempt == site.attempt
            && self.fault.point == site.point;
        named.then_some(self.fault.verdict)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(JobIndex(job)) = self.job {
            write!(f, "{job}/")?;
        }
        write!(f, "{}:{}", self.attempt, self.fault.name())
    }
}

/// A text that is no rule. The caller knows the field and says what would be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not ATTEMPT:FAULT or JOB/ATTEMPT:FAULT")]
pub struct NotARule(pub String);

impl FromStr for Rule {
    type Err = NotARule;

    fn from_str(text: &str) -> Result<Self, NotARule> {
        let parse = || {
            let (place, name) = text.split_once(':')?;
            let (job, attempt) = match place.split_once('/') {
                Some((job, attempt)) => (Some(JobIndex(whole(job)?)), attempt),
                None => (None, place),
            };
            let (_, fault) = FAULTS.iter().find(|(known, _)| *known == name)?;
            Some(Self { job, attempt: whole(attempt)?, fault: *fault })
        };
        parse().ok_or_else(|| NotARule(text.to_owned()))
    }
}

/// A whole number in digits alone: no sign, no blank.
fn whole(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_can_be_written_and_read_back() {
        for (name, fault) in FAULTS {
            for text in [format!("2:{name}"), format!("7/0:{name}")] {
                let rule: Rule = text.parse().expect("a rule");
                assert_eq!(rule.fault, fault);
                assert_eq!(rule.to_string(), text);
            }
        }
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for text in [
            "",
            ":",
            "0",
            "0:",
            ":after-write",
            "0:After-Write",
            "-1:after-write",
            "+1:after-write",
            " 0:after-write",
            "0: after-write",
            "a/0:after-write",
            "4294967296:after-write",
            "0/:after-write",
            "1/2/3:after-write",
        ] {
            assert_eq!(text.parse::<Rule>(), Err(NotARule(text.to_owned())));
        }
    }

    #[test]
    fn a_rule_speaks_of_its_own_site_only() {
        let site = |job, attempt, point| Site { job: JobIndex(job), attempt, point };
        let any: Rule = "1:after-write".parse().expect("a rule");
        let one: Rule = "3/1:after-write".parse().expect("a rule");
        assert_eq!(any.at(&site(0, 1, Point::AfterWrite)), Some(Verdict::Crash));
        assert_eq!(one.at(&site(3, 1, Point::AfterWrite)), Some(Verdict::Crash));
        for other in [
            site(0, 1, Point::AfterWrite),
            site(3, 0, Point::AfterWrite),
            site(3, 1, Point::BeforeWrite),
        ] {
            assert_eq!(one.at(&other), None);
        }
    }
}
