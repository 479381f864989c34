//! The axis: simulated time laid out as playing time, with idle stretches cut short.
//!
//! A lease of 30 s is mostly waiting. Each gap between two moments at which something happens
//! gets playing time by its length, up to a limit; from there on by a root of it, so that a longer
//! wait always looks longer. Such a gap is a *break*, drawn as such. The whole is then scaled to a
//! length that one can watch.
//!
//! With few jobs the limit is twice the middle gap, so that each step has room. Among many jobs
//! only time in which nobody works is cut, and what is as long as the work is not: there it is the
//! waits that tell the story.

use super::picture::{Bar, BarKind};
use crate::sim::event::Event;
use crate::sim::play::Run;

/// How long each gap plays on average, in milliseconds, before the bounds below.
const GAP_MS: u64 = 1_000;
/// A short run plays between these, in milliseconds.
const SHORT_MS: (u64, u64) = (4_000, 12_000);
/// A run with more gaps than this is a long one.
const LONG_GAPS: u64 = 80;
/// A long run plays at most this, in milliseconds.
const LONG_MS: u64 = 60_000;

/// A point of the axis: at this moment so much has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisPoint {
    /// The moment, in microseconds.
    pub at_us: u64,
    /// The playing time until then, in milliseconds.
    pub play_ms: u32,
}

/// The axis of a run. Between two points it is a straight line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// The points, with both coordinates rising; the first is (0, 0).
    pub points: Vec<AxisPoint>,
    /// The stretches that were cut short, as (from, to) in microseconds.
    pub breaks: Vec<(u64, u64)>,
}

impl Axis {
    /// The axis of a run of few jobs.
    #[must_use]
    pub fn of_few(run: &Run) -> Self {
        Self::cut_at_the_middle(&gaps(run))
    }

    /// The axis of a run of many, whose bars these are.
    #[must_use]
    pub fn of_many(run: &Run, bars: &[Bar]) -> Self {
        Self::cut_where_idle(&gaps(run), &busy(bars))
    }

    fn cut_at_the_middle(gaps: &[u64]) -> Self {
        let middle = middle(gaps);
        let (least, most) = ((middle / 8).max(1), middle.saturating_mul(2).max(1));
        Self::new(gaps, |gap, _| {
            if gap > most { root(most, root(most, root(most, gap))) } else { gap.max(least) }
        })
    }

    /// `busy` is in stretches, the last first.
    fn cut_where_idle(gaps: &[u64], busy: &[(u64, u64)]) -> Self {
        let longest = busy.iter().map(|(from, to)| to - from).max().unwrap_or(0);
        let most = longest.saturating_mul(2).max(1);
        let mut ahead = busy;
        Self::new(gaps, |gap, at| {
            while let [rest @ .., (_, to)] = ahead
                && *to <= at
            {
                ahead = rest;
            }
            let idle = ahead.last().is_none_or(|(from, _)| at < *from);
            if idle && gap > most { root(most, gap) } else { gap }
        })
    }

    /// The axis of these gaps, of which each weighs so much, by its length and its start.
    fn new(gaps: &[u64], mut weight: impl FnMut(u64, u64) -> u64) -> Self {
        let mut at_us = 0;
        let mut breaks = Vec::new();
        let mut weights = Vec::with_capacity(gaps.len());
        for gap in gaps {
            let weight = weight(*gap, at_us);
            if weight < *gap {
                breaks.push((at_us, at_us + gap));
            }
            weights.push(weight);
            at_us += gap;
        }
        let total: u64 = weights.iter().sum();
        let length = length_ms(gaps.len() as u64);
        // Of a run of years the last bits are left out, so that the product below has room.
        let coarse = (LONG_MS.ilog2() + 1).saturating_sub(total.leading_zeros());
        let mut points = vec![AxisPoint { at_us: 0, play_ms: 0 }];
        let (mut at_us, mut played) = (0, 0);
        for (weight, gap) in weights.iter().zip(gaps) {
            at_us += gap;
            played += *weight;
            let play_ms = (played >> coarse) * length / (total >> coarse).max(1);
            let play_ms = u32::try_from(play_ms).unwrap_or(u32::MAX);
            points.push(AxisPoint { at_us, play_ms });
        }
        Self { points, breaks }
    }

    /// How long the whole plays, in milliseconds.
    #[must_use]
    pub fn play_ms(&self) -> u32 {
        self.points.last().map_or(0, |point| point.play_ms)
    }
}

/// From each moment at which something happens to the next, to the end of the run.
fn gaps(run: &Run) -> Vec<u64> {
    let mut gaps = Vec::new();
    let mut last = 0;
    let mut until = |at_us: u64| {
        if at_us > last {
            gaps.push(at_us - last);
            last = at_us;
        }
    };
    for entry in run.trace.entries() {
        // That a crashed worker is back does not end an idle stretch.
        if !matches!(entry.event, Event::Restarted { .. }) {
            until(entry.at.as_micros());
        }
    }
    until(run.trace.end().as_micros());
    gaps
}

/// When somebody works, in stretches (from, to) that do not touch, the last first. Bars come in
/// the order in which they end.
fn busy(bars: &[Bar]) -> Vec<(u64, u64)> {
    let mut stretches: Vec<(u64, u64)> = Vec::new();
    for bar in bars.iter().rev().filter(|bar| bar.lane > 0 && bar.kind != BarKind::Unattended) {
        let (from, to) = (bar.start.as_micros(), bar.end.as_micros());
        match stretches.last_mut() {
            Some((start, _)) if to >= *start => *start = from.min(*start),
            _ => stretches.push((from, to)),
        }
    }
    stretches
}

/// The side of a square as large as a rectangle with these sides. It is close enough when each
/// side is taken for itself, and has room.
fn root(a: u64, b: u64) -> u64 {
    square_root(a) * square_root(b)
}

/// The square root of a number, rounded down, bit by bit.
fn square_root(of: u64) -> u64 {
    let mut root = 0;
    for bit in (0..u64::BITS / 2).rev() {
        let larger = root | 1 << bit;
        if larger * larger <= of {
            root = larger;
        }
    }
    root
}

/// What would stand in the middle if the gaps were sorted; 0 for none. It is closed in on by
/// halves, in one pass for each bit that a gap has: there is no need to sort.
fn middle(gaps: &[u64]) -> u64 {
    let (mut low, mut high) = (0, gaps.iter().copied().max().unwrap_or(0));
    while low < high {
        let half = low + (high - low) / 2;
        if gaps.iter().filter(|gap| **gap <= half).count() > gaps.len() / 2 {
            high = half;
        } else {
            low = half + 1;
        }
    }
    low
}

fn length_ms(gaps: u64) -> u64 {
    if gaps == 0 {
        0
    } else if gaps <= LONG_GAPS {
        (gaps * GAP_MS).clamp(SHORT_MS.0, SHORT_MS.1)
    } else {
        (gaps * SHORT_MS.1 / LONG_GAPS).min(LONG_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{JobIndex, Moment};

    const SECOND: u64 = 1_000_000;

    fn between(moments: &[u64]) -> Vec<u64> {
        moments.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    fn few(moments: &[u64]) -> Axis {
        Axis::cut_at_the_middle(&between(moments))
    }

    fn many(moments: &[u64], busy: &[(u64, u64)]) -> Axis {
        Axis::cut_where_idle(&between(moments), busy)
    }

    /// How long each gap plays.
    fn lengths(axis: &Axis) -> Vec<u32> {
        axis.points.windows(2).map(|pair| pair[1].play_ms - pair[0].play_ms).collect()
    }

    #[test]
    fn idle_stretches_are_cut_short_and_marked() {
        let axis = few(&[0, SECOND, 2 * SECOND, 514 * SECOND, 515 * SECOND]);
        assert_eq!(axis.breaks, [(2 * SECOND, 514 * SECOND)]);
        // Weights 1, 1, 4, 1 share four seconds.
        let near = |length: u32, weight: u32| length.abs_diff(weight * 4000 / 7) < 10;
        let lengths = lengths(&axis);
        assert!(lengths.iter().zip([1, 1, 4, 1]).all(|(a, b)| near(*a, b)), "{lengths:?}");
    }

    #[test]
    fn a_longer_wait_looks_longer() {
        let waits = [1, 2, 4, 8, 16].map(|wait| wait * SECOND);
        let mut moments = vec![0];
        let mut busy = Vec::new();
        for wait in waits {
            let from = moments.last().copied().unwrap_or_default();
            moments.extend([from + SECOND / 5, from + SECOND / 5 + wait]);
            busy.insert(0, (from, from + SECOND / 5));
        }
        for axis in [few(&moments), many(&moments, &busy)] {
            let drawn: Vec<u32> = lengths(&axis).into_iter().skip(1).step_by(2).collect();
            assert!(drawn.is_sorted_by(|a, b| a < b), "{drawn:?}");
        }
        // In a crowd each is drawn by its root: 1.4 times the one before.
        let drawn: Vec<u32> =
            lengths(&many(&moments, &busy)).into_iter().skip(1).step_by(2).collect();
        assert!(drawn.windows(2).all(|pair| (139..143).contains(&(pair[1] * 100 / pair[0]))));
    }

    #[test]
    fn in_a_crowd_time_in_which_somebody_works_is_true() {
        // One works all the time, another now and then: the middle gap says nothing.
        let moments: Vec<u64> = [0, 1, 2, 30, 31, 90, 100].map(|at| at * SECOND).to_vec();
        let axis = many(&moments, &[(0, 100 * SECOND)]);
        assert_eq!(axis.breaks, []);
        let length = axis.play_ms();
        let true_time = |point: &AxisPoint| {
            let play_ms = point.at_us * u64::from(length) / (100 * SECOND);
            u64::from(point.play_ms) == play_ms
        };
        assert!(axis.points.iter().all(true_time), "{:?}", axis.points);
    }

    #[test]
    fn who_works_at_the_same_time_works_in_one_stretch() {
        let bar = |lane, start, end, kind| Bar {
            lane,
            kind,
            start: Moment::from_micros(start),
            end: Moment::from_micros(end),
            job: JobIndex(0),
            attempt: 0,
            event: 0,
            late: false,
            cut: false,
        };
        let bars = [
            bar(1, 0, 2, BarKind::Call),
            bar(2, 1, 4, BarKind::Call),
            bar(1, 4, 5, BarKind::Ack),
            bar(1, 5, 40, BarKind::Unattended),
            bar(0, 5, 40, BarKind::Backoff),
            bar(1, 41, 42, BarKind::Write),
            bar(2, 40, 43, BarKind::Write),
        ];
        assert_eq!(busy(&bars), [(40, 43), (0, 5)]);
    }

    #[test]
    fn a_root_is_rounded_down() {
        for side in [0, 1, 2, 3, 1_000, 65_535, u64::from(u32::MAX)] {
            assert_eq!(square_root(side * side), side);
            assert_eq!(square_root(side * side + side), side);
        }
        assert_eq!(square_root(u64::MAX), u64::from(u32::MAX));
    }

    #[test]
    fn what_is_as_long_as_the_work_is_not_cut() {
        let busy = [(9, 10), (3, 4), (0, 1)].map(|(from, to)| (from * SECOND, to * SECOND));
        let axis = many(&[0, 1, 3, 4, 9, 10].map(|at| at * SECOND), &busy);
        assert_eq!(axis.breaks, [(4 * SECOND, 9 * SECOND)]);
    }

    #[test]
    fn the_middle_is_that_of_a_sorted_list() {
        let mut gaps = Vec::new();
        for place in 0..200_u64 {
            let mut sorted = gaps.clone();
            sorted.sort_unstable();
            assert_eq!(middle(&gaps), sorted.get(gaps.len() / 2).copied().unwrap_or(0));
            gaps.push(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (place % 64));
        }
    }

    #[test]
    fn a_run_in_which_nothing_takes_time_has_no_length() {
        let axis = few(&[0]);
        assert_eq!((axis.play_ms(), axis.points.len(), axis.breaks.len()), (0, 1, 0));
    }

    #[test]
    fn a_run_of_a_hundred_years_has_an_axis() {
        let moments: Vec<u64> = (0..100).map(|year| year * 31_557_600_000_000).collect();
        let axis = few(&moments);
        let length = u32::try_from(length_ms(99)).expect("it can be watched");
        assert_eq!(axis.play_ms(), length);
        assert_eq!(axis.points[33].play_ms, length / 3);
    }

    #[test]
    fn a_long_run_is_bounded() {
        let moments: Vec<u64> = (0..5_000).map(|index| index * 977).collect();
        let axis = few(&moments);
        assert_eq!(u64::from(axis.play_ms()), LONG_MS);
        let rises = |pair: &[AxisPoint]| pair[0].play_ms <= pair[1].play_ms;
        assert!(axis.points.windows(2).all(rises));
    }
}
