//! A choice as a short text, so that a run with another order of events fits into a link.
//!
//! `7:e0` says: at step 7, the end of the lease of message 0, whatever would have been the
//! earliest. The letters: `s` a worker's step, `b` a crashed worker is back, `e` the end of a
//! lease, `w` the end of a wait, `r1-0` worker 1 receives message 0. What goes wrong stands
//! behind a `!`: `3:s1!after-write`.

use super::choice::{Choice, Pending};
use super::fault::{FAULTS, Fault, Point, Verdict};
use crate::units::{MessageId, WorkerId};
use std::fmt;
use std::str::FromStr;

/// The version of links. It rises when the trace of the same scenario changes.
pub const VERSION: u32 = 1;
/// How long a link may be, in bytes.
pub const MOST_BYTES: usize = 2048;

/// A choice that differs from what play would have taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Differing {
    /// The step, from 1.
    pub step: u32,
    /// The event that is taken there.
    pub pending: Pending,
    /// What goes wrong there.
    pub fault: Option<Fault>,
}

impl Differing {
    /// Records that `choice` was taken at `step`.
    #[must_use]
    pub fn new(step: u32, choice: &Choice) -> Self {
        let fault = choice.point.map(|point: Point| Fault { point, verdict: choice.verdict });
        Self { step, pending: choice.pending, fault }
    }

    /// Whether this is about that choice.
    #[must_use]
    pub fn names(&self, choice: &Choice) -> bool {
        let verdict = self.fault.map_or(Verdict::Go, |fault| fault.verdict);
        let point = self.fault.map(|fault| fault.point);
        (self.pending, verdict, point) == (choice.pending, choice.verdict, choice.point)
    }
}

impl fmt::Display for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.step)?;
        match self.pending {
            Pending::Step { worker } => write!(f, "s{}", worker.0)?,
            Pending::Restart { worker } => write!(f, "b{}", worker.0)?,
            Pending::LeaseEnd { message } => write!(f, "e{}", message.0)?,
            Pending::WaitEnd { message } => write!(f, "w{}", message.0)?,
            Pending::Receive { worker, message } => write!(f, "r{}-{}", worker.0, message.0)?,
        }
        match self.fault {
            Some(fault) => write!(f, "!{}", fault.name()),
            None => Ok(()),
        }
    }
}

/// A text that is no differing choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not STEP:EVENT")]
pub struct NotAChoice(pub String);

impl FromStr for Differing {
    type Err = NotAChoice;

    fn from_str(text: &str) -> Result<Self, NotAChoice> {
        let parse = || {
            let (step, rest) = text.split_once(':')?;
            let (event, fault) = match rest.split_once('!') {
                Some((event, name)) => {
                    let (_, fault) = FAULTS.iter().find(|(known, _)| *known == name)?;
                    (event, Some(*fault))
                }
                None => (rest, None),
            };
            let (letter, ids) = event.split_at_checked(1)?;
            let worker = |text: &str| text.parse().ok().map(WorkerId);
            let message = |text: &str| text.parse().ok().map(MessageId);
            let pending = match letter {
                "s" => Pending::Step { worker: worker(ids)? },
                "b" => Pending::Restart { worker: worker(ids)? },
                "e" => Pending::LeaseEnd { message: message(ids)? },
                "w" => Pending::WaitEnd { message: message(ids)? },
                "r" => {
                    let (who, what) = ids.split_once('-')?;
                    Pending::Receive { worker: worker(who)?, message: message(what)? }
                }
                _ => return None,
            };
            Some(Self { step: step.parse().ok()?, pending, fault })
        };
        parse().ok_or_else(|| NotAChoice(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_is_written() {
        for text in
            ["7:e0", "1:r2-0", "12:s1", "12:s1!after-write", "40:b3", "5:w9", "2:s0!ack-lost"]
        {
            let choice: Differing = text.parse().expect("a choice");
            assert_eq!(choice.to_string(), text);
        }
        for text in ["", "7", "7:", "7:x1", "7:e", "e0", "7:r1", "7:s1!", "7:s1!late", "7:é"] {
            assert!(text.parse::<Differing>().is_err(), "{text}");
        }
    }
}
