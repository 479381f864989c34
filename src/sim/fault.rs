//! Faults: a closed list of named points in a slice, and rules that say what goes wrong there.

use crate::units::{JobIndex, Span};
use std::fmt;
use std::str::FromStr;

/// A place in a slice where something may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// The worker has the message and has done nothing.
    AfterLease,
    /// The vendor is about to be called, or the outbox row about to be written.
    BeforeCall,
    /// The call is on its way to the vendor.
    Call,
    /// The vendor runs the call, and the worker waits.
    DuringCall,
    /// The vendor has said yes; the local row is not there.
    AfterCall,
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
    /// A relay has read a row and is about to do its first thing with it.
    RelayBefore,
    /// A relay has done the first of its two things.
    RelayBetween,
    /// Anywhere: a deploy killed it.
    Deploy,
    /// Anywhere: a rule killed it some time after its lease began.
    Anywhere,
}

/// Some of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points(u16);

impl Points {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);

    /// One of them.
    #[must_use]
    pub const fn of(point: Point) -> Self {
        Self(1 << point as u16)
    }

    /// These, and another.
    #[must_use]
    pub fn and(self, point: Point) -> Self {
        Self(self.0 | Self::of(point).0)
    }

    /// Whether these have any of the others.
    #[must_use]
    pub fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Whether a point is among them.
    #[must_use]
    pub fn has(self, point: Point) -> bool {
        self.meet(Self::of(point))
    }
}

/// What happens at a point. In a list of choices what goes wrong stands before what does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The worker dies there.
    Crash,
    /// What was sent never arrives, or its answer does not; the sender does not learn which.
    Lost,
    /// It arrives twice.
    Twice,
    /// It arrives, and yet the queue delivers once more: rare, and allowed.
    Replica,
    /// The handler throws: the attempt has failed, the worker lives.
    Throw,
    /// The worker stands still for so long, and does not know.
    Pause(Span),
    /// The call reaches the vendor so much later, with nobody waiting any more.
    Late(Span),
    /// The vendor answers with this status instead.
    Answer(u16),
    /// Nothing goes wrong.
    Go,
}

/// A fault: a point, and what goes wrong there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Where.
    pub point: Point,
    /// What; never [`Verdict::Go`].
    pub verdict: Verdict,
}

/// The points with their names, in the order of the slice.
pub const POINTS: [(&str, Point); 14] = [
    ("after-lease", Point::AfterLease),
    ("before-call", Point::BeforeCall),
    ("call", Point::Call),
    ("during-call", Point::DuringCall),
    ("after-call", Point::AfterCall),
    ("before-write", Point::BeforeWrite),
    ("after-write", Point::AfterWrite),
    ("after-checkpoint", Point::AfterCheckpoint),
    ("before-ack", Point::BeforeAck),
    ("ack", Point::Ack),
    ("relay-before", Point::RelayBefore),
    ("relay-between", Point::RelayBetween),
    ("deploy", Point::Deploy),
    ("anywhere", Point::Anywhere),
];

/// The statuses that a vendor can be made to answer with.
pub const STATUSES: [u16; 13] = [400, 401, 402, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504];

/// What may go wrong at a rate.
pub const RATED: &[&str] = &[
    "before-call",
    "after-call",
    "before-write",
    "after-write",
    "after-checkpoint",
    "before-ack",
    "ack-lost",
    "reply-lost",
    "answer-429",
    "answer-500",
    "answer-503",
];

/// The faults that are no crash at a point of their name and take no time.
const NAMED: [(&str, Fault); 4] = [
    ("ack-lost", Fault { point: Point::Ack, verdict: Verdict::Lost }),
    ("ack-twice", Fault { point: Point::Ack, verdict: Verdict::Twice }),
    ("replica", Fault { point: Point::Ack, verdict: Verdict::Replica }),
    ("reply-lost", Fault { point: Point::Call, verdict: Verdict::Lost }),
];

impl Point {
    /// The name of the point, as a trace writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        POINTS.iter().find(|(_, point)| *point == self).map_or("", |(name, _)| name)
    }

    /// Whether the worker stands between two steps here, so that it may die, throw or pause.
    #[must_use]
    pub fn is_between(self) -> bool {
        !matches!(self, Self::Call | Self::Ack | Self::Deploy | Self::Anywhere)
    }
}

/// How a fault is written: `after-write` (a crash there), `throw:before-write`,
/// `pause:before-write~45s`, `late~30s`, `answer-503`, `ack-lost`, `ack-twice`, `replica`,
/// `reply-lost`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, fault)| fault == self) {
            return f.write_str(name);
        }
        let point = self.point.name();
        match self.verdict {
            Verdict::Throw => write!(f, "throw:{point}"),
            Verdict::Pause(span) => write!(f, "pause:{point}~{}", span.exact_text()),
            Verdict::Late(span) => write!(f, "late~{}", span.exact_text()),
            Verdict::Answer(status) => write!(f, "answer-{status}"),
            _ => f.write_str(point),
        }
    }
}

impl FromStr for Fault {
    type Err = NotARule;

    fn from_str(text: &str) -> Result<Self, NotARule> {
        let parse = || {
            if let Some((_, fault)) = NAMED.iter().find(|(name, _)| *name == text) {
                return Some(*fault);
            }
            let between = |name: &str| {
                let (_, point) = POINTS.iter().find(|(known, _)| *known == name)?;
                point.is_between().then_some(*point)
            };
            if let Some(status) = text.strip_prefix("answer-") {
                let status = STATUSES.iter().find(|known| known.to_string() == status)?;
                return Some(Self { point: Point::Call, verdict: Verdict::Answer(*status) });
            }
            if let Some(span) = text.strip_prefix("late~") {
                let verdict = Verdict::Late(span.parse().ok()?);
                return Some(Self { point: Point::Call, verdict });
            }
            if let Some(point) = text.strip_prefix("throw:") {
                return Some(Self { point: between(point)?, verdict: Verdict::Throw });
            }
            if let Some(rest) = text.strip_prefix("pause:") {
                let (point, span) = rest.split_once('~')?;
                let verdict = Verdict::Pause(span.parse().ok()?);
                return Some(Self { point: between(point)?, verdict });
            }
            Some(Self { point: between(text)?, verdict: Verdict::Crash })
        };
        parse().ok_or_else(|| NotARule(text.to_owned()))
    }
}

/// Where a driver is asked what happens. Like a draw it has an address, so that turning the
/// guard on or adding a crash elsewhere changes nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The job at hand.
    pub job: JobIndex,
    /// The number of the message among the job's.
    pub message: u32,
    /// Its attempt, from 0.
    pub attempt: u32,
    /// The refund at hand, from 0. A rule does not ask for it.
    pub refund: u8,
    /// Which call or send for it in that attempt, from 0.
    pub retry: u32,
    /// The place in the slice.
    pub point: Point,
}

/// When in an attempt a rule strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// At this fault's point.
    At(Fault),
    /// So long after the attempt's lease began: the worker dies, wherever it is.
    After(Span),
}

/// A rule: in this attempt, this goes wrong.
///
/// Its text is `ATTEMPT:FAULT` for every job or `JOB/ATTEMPT:FAULT` for one, both counted from
/// 0; `*` is every attempt; `ATTEMPT.TRY` is one call of an attempt. `0:crash@12s` kills the
/// worker 12 s after the lease began.
///
/// ```
/// use at_least_once::sim::fault::Rule;
///
/// let rule: Rule = "0:after-write".parse()?;
/// assert_eq!((rule.job, rule.attempt), (None, Some(0)));
/// assert_eq!(rule.to_string(), "0:after-write");
/// assert!("0:nowhere".parse::<Rule>().is_err());
/// # Ok::<(), at_least_once::sim::fault::NotARule>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The job, or any.
    pub job: Option<JobIndex>,
    /// The attempt, from 0, or any.
    pub attempt: Option<u32>,
    /// Which call of it, from 0, or any.
    pub retry: Option<u32>,
    /// What goes wrong, and when.
    pub when: When,
}

impl Rule {
    /// What this rule says about a site, if it is about that site.
    #[must_use]
    pub fn at(&self, site: &Site) -> Option<Verdict> {
        let When::At(fault) = self.when else { return None };
        let named = self.is_about(site.job, site.attempt)
            && self.retry.is_none_or(|retry| retry == site.retry)
            && fault.point == site.point;
        named.then_some(fault.verdict)
    }

    /// Whether the page's own build knows what this rule is about: crashes, errors, answers,
    /// pauses, and what is lost.
    #[must_use]
    pub fn is_in_page(&self) -> bool {
        let When::At(fault) = self.when else { return true };
        matches!(
            fault.verdict,
            Verdict::Crash
                | Verdict::Lost
                | Verdict::Throw
                | Verdict::Answer(_)
                | Verdict::Pause(_)
        )
    }

    /// How much a rule pins down. Where several speak of a site, the most precise one decides.
    #[must_use]
    pub fn precision(&self) -> u8 {
        u8::from(self.job.is_some()) << 2
            | u8::from(self.attempt.is_some()) << 1
            | u8::from(self.retry.is_some())
    }

    /// When the worker of an attempt dies, if this rule kills it after some time.
    #[must_use]
    pub fn kills(&self, job: JobIndex, attempt: u32) -> Option<Span> {
        match self.when {
            When::After(span) if self.is_about(job, attempt) => Some(span),
            _ => None,
        }
    }

    fn is_about(&self, job: JobIndex, attempt: u32) -> bool {
        self.job.is_none_or(|named| named == job)
            && self.attempt.is_none_or(|named| named == attempt)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(JobIndex(job)) = self.job {
            write!(f, "{job}/")?;
        }
        match self.attempt {
            Some(attempt) => write!(f, "{attempt}")?,
            None => f.write_str("*")?,
        }
        if let Some(retry) = self.retry {
            write!(f, ".{retry}")?;
        }
        match self.when {
            When::At(fault) => write!(f, ":{fault}"),
            When::After(span) => write!(f, ":crash@{}", span.exact_text()),
        }
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
            let (place, what) = text.split_once(':')?;
            let (job, place) = match place.split_once('/') {
                Some((job, place)) => (Some(JobIndex(whole(job)?)), place),
                None => (None, place),
            };
            let (attempt, retry) = match place.split_once('.') {
                Some((attempt, retry)) => (attempt, Some(whole(retry)?)),
                None => (place, None),
            };
            let attempt = if attempt == "*" { None } else { Some(whole(attempt)?) };
            let when = match what.strip_prefix("crash@") {
                Some(span) => When::After(span.parse().ok()?),
                None => When::At(what.parse().ok()?),
            };
            Some(Self { job, attempt, retry, when })
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
        let mut faults: Vec<String> = NAMED.iter().map(|(name, _)| (*name).to_owned()).collect();
        for (name, point) in POINTS {
            if point.is_between() {
                faults.extend([
                    name.to_owned(),
                    format!("throw:{name}"),
                    format!("pause:{name}~45s"),
                ]);
            }
        }
        faults.extend(STATUSES.iter().map(|status| format!("answer-{status}")));
        faults.extend(["late~30s".to_owned(), "crash@12s".to_owned()]);
        for fault in &faults {
            for place in ["2", "7/0", "*", "3.1", "7/*.0"] {
                let text = format!("{place}:{fault}");
                let rule: Rule = text.parse().expect("a rule");
                assert_eq!(rule.to_string(), text);
            }
        }
        for name in RATED {
            name.parse::<Fault>().expect("a fault that may have a rate");
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
            "0:call",
            "0:ack",
            "0:pause:ack~1s",
            "0:pause:before-write",
            "0:pause:before-write~1",
            "0:late",
            "0:answer-200",
            "0:answer-",
            "0:crash@",
            "0:crash@5",
            "0.:after-write",
            "**:after-write",
        ] {
            assert_eq!(text.parse::<Rule>(), Err(NotARule(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn the_rule_that_pins_down_more_decides() {
        let precision = |text: &str| text.parse::<Rule>().expect("a rule").precision();
        let rising = ["*", "*.1", "0", "0.1", "3/*", "3/*.1", "3/0", "3/0.1"];
        let precisions = rising.map(|site| precision(&format!("{site}:after-write")));
        assert!(precisions.is_sorted_by(|one, next| one < next), "{precisions:?}");
    }

    #[test]
    fn points_meet_where_they_share_one() {
        let both = Points::of(Point::Call).and(Point::Ack);
        assert!(both.has(Point::Call) && both.has(Point::Ack) && !both.has(Point::AfterCall));
        assert!(both.meet(Points::of(Point::Ack).and(Point::AfterCall)));
        assert!(!both.meet(Points::of(Point::AfterCall)) && !both.meet(Points::NONE));
    }

    #[test]
    fn a_rule_speaks_of_its_own_site_only() {
        let site = |job, attempt, retry, point| Site {
            job: JobIndex(job),
            message: 0,
            attempt,
            refund: 0,
            retry,
            point,
        };
        let rule = |text: &str| text.parse::<Rule>().expect("a rule");
        let there = site(3, 1, 2, Point::AfterWrite);
        for text in ["1:after-write", "3/1:after-write", "*:after-write", "1.2:after-write"] {
            assert_eq!(rule(text).at(&there), Some(Verdict::Crash), "{text}");
        }
        for text in
            ["0:after-write", "2/1:after-write", "1.1:after-write", "1:before-write", "1:crash@5s"]
        {
            assert_eq!(rule(text).at(&there), None, "{text}");
        }
        assert_eq!(rule("1:crash@5s").kills(JobIndex(3), 1), Some(Span::from_secs(5)));
        assert_eq!(rule("1:crash@5s").kills(JobIndex(3), 2), None);
        assert_eq!(rule("1:after-write").kills(JobIndex(3), 1), None);
    }
}
