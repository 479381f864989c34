//! A choice as a short text, so that a run with another order of events fits into a link.
//!
//! `7:e0` says: at step 7, the end of the lease of message 0, whatever would have been the
//! earliest. The letters: `s` a worker's step, `h` its heartbeat, `b` a crashed worker is back,
//! `e` the end of a lease, `w` the end of a wait, `r1-0` worker 1 receives message 0, `o0-2`
//! relay 0 reads row 2, `p` a relay's step. Everything else that is pending is named by its
//! place among its like: `x0` is the first of them in the list. What goes wrong stands behind a
//! `!`: `3:s1!after-write`.

use super::choice::{Choice, Pending};
use super::fault::{Fault, Point, Verdict};
use crate::units::{MessageId, WorkerId};
use std::fmt;
use std::str::FromStr;

/// The version of links. It rises when the trace of the same scenario changes.
pub const VERSION: u32 = 1;
/// How long a link may be, in bytes.
pub const MOST_BYTES: usize = 2048;

/// Which event is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// One that has a letter.
    Event(Pending),
    /// Another one, by its place among those without a letter.
    Other(u32),
}

/// A choice that differs from what play would have taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Differing {
    /// The step, from 1.
    pub step: u32,
    /// The event that is taken there.
    pub event: Named,
    /// What goes wrong there.
    pub fault: Option<Fault>,
}

impl Differing {
    /// Records that `choice`, one of `choices`, was taken at `step`.
    #[must_use]
    pub fn new(step: u32, choice: &Choice, choices: &[Choice]) -> Self {
        let fault = choice.point.map(|point: Point| Fault { point, verdict: choice.verdict });
        let event = match letter(choice.pending) {
            Some(_) => Named::Event(choice.pending),
            None => {
                let mut others = others(choices);
                let place = others.position(|other| other.is_same(choice)).unwrap_or(0);
                Named::Other(u32::try_from(place).unwrap_or(u32::MAX))
            }
        };
        Self { step, event, fault }
    }

    /// The choice that this is about, if it is there.
    #[must_use]
    pub fn find(&self, choices: &[Choice]) -> Option<Choice> {
        match self.event {
            Named::Event(pending) => {
                let verdict = self.fault.map_or(Verdict::Go, |fault| fault.verdict);
                let point = self.fault.map(|fault| fault.point);
                let named = |choice: &&Choice| {
                    (pending, verdict, point) == (choice.pending, choice.verdict, choice.point)
                };
                choices.iter().find(named).copied()
            }
            Named::Other(place) => others(choices).nth(place as usize).copied(),
        }
    }
}

/// The choices whose events have no letter of their own.
fn others(choices: &[Choice]) -> impl Iterator<Item = &Choice> {
    choices.iter().filter(|choice| letter(choice.pending).is_none())
}

fn letter(pending: Pending) -> Option<char> {
    match pending {
        Pending::Step { .. } => Some('s'),
        Pending::Beat { .. } => Some('h'),
        Pending::Restart { .. } => Some('b'),
        Pending::LeaseEnd { .. } => Some('e'),
        Pending::WaitEnd { .. } => Some('w'),
        Pending::Receive { .. } => Some('r'),
        Pending::Read { .. } => Some('o'),
        Pending::Relay { .. } => Some('p'),
        _ => None,
    }
}

impl fmt::Display for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.step)?;
        match self.event {
            Named::Other(place) => write!(f, "x{place}")?,
            Named::Event(pending) => {
                let letter = letter(pending).unwrap_or('x');
                match pending {
                    Pending::Step { worker }
                    | Pending::Beat { worker }
                    | Pending::Restart { worker } => write!(f, "{letter}{}", worker.0)?,
                    Pending::LeaseEnd { message } | Pending::WaitEnd { message } => {
                        write!(f, "{letter}{}", message.0)?;
                    }
                    Pending::Receive { worker, message } => {
                        write!(f, "{letter}{}-{}", worker.0, message.0)?;
                    }
                    Pending::Read { relay, row } => write!(f, "{letter}{relay}-{row}")?,
                    Pending::Relay { relay } => write!(f, "{letter}{relay}")?,
                    _ => {}
                }
            }
        }
        match self.fault {
            Some(fault) => write!(f, "!{fault}"),
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
                Some((event, name)) => (event, Some(name.parse::<Fault>().ok()?)),
                None => (rest, None),
            };
            let (letter, ids) = event.split_at_checked(1)?;
            let worker = |text: &str| text.parse().ok().map(WorkerId);
            let message = |text: &str| text.parse().ok().map(MessageId);
            let event = Named::Event(match letter {
                "s" => Pending::Step { worker: worker(ids)? },
                "h" => Pending::Beat { worker: worker(ids)? },
                "b" => Pending::Restart { worker: worker(ids)? },
                "e" => Pending::LeaseEnd { message: message(ids)? },
                "w" => Pending::WaitEnd { message: message(ids)? },
                "p" => Pending::Relay { relay: ids.parse().ok()? },
                "r" => {
                    let (who, what) = ids.split_once('-')?;
                    Pending::Receive { worker: worker(who)?, message: message(what)? }
                }
                "o" => {
                    let (who, what) = ids.split_once('-')?;
                    Pending::Read { relay: who.parse().ok()?, row: what.parse().ok()? }
                }
                "x" if fault.is_none() => {
                    let event = Named::Other(ids.parse().ok()?);
                    return Some(Self { step: step.parse().ok()?, event, fault });
                }
                _ => return None,
            });
            Some(Self { step: step.parse().ok()?, event, fault })
        };
        parse().ok_or_else(|| NotAChoice(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_is_written() {
        for text in [
            "7:e0",
            "1:r2-0",
            "12:s1",
            "12:s1!after-write",
            "40:b3",
            "5:w9",
            "2:s0!ack-lost",
            "9:h1",
            "3:p0",
            "3:p1!relay-between",
            "4:o0-2",
            "8:x0",
            "1:s0!pause:before-write~3s",
        ] {
            let choice: Differing = text.parse().expect("a choice");
            assert_eq!(choice.to_string(), text);
        }
        for text in [
            "",
            "7",
            "7:",
            "7:y1",
            "7:x",
            "7:x0!after-write",
            "7:e",
            "e0",
            "7:r1",
            "7:s1!",
            "7:s1!late",
            "7:é",
        ] {
            assert!(text.parse::<Differing>().is_err(), "{text}");
        }
    }
}
