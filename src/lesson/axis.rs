//! The axis: simulated time laid out as playing time, with idle stretches cut short.
//!
//! A lease of 30 s is mostly waiting. Each gap between two moments at which something happens
//! gets playing time by its length, but no more than twice what the middle gap gets; a longer
//! one is a *break*, drawn as such. The whole is then scaled to a length that one can watch.

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
    /// The axis of a run.
    #[must_use]
    pub fn new(run: &Run) -> Self {
        let mut moments = vec![0];
        for entry in run.trace.entries() {
            // That a crashed worker is back does not end an idle stretch.
            let at_us = entry.at.as_micros();
            if !matches!(entry.event, Event::Restarted { .. }) && moments.last() != Some(&at_us) {
                moments.push(at_us);
            }
        }
        let end = run.trace.end().as_micros();
        if moments.last() != Some(&end) {
            moments.push(end);
        }
        Self::of_moments(&moments)
    }

    fn of_moments(moments: &[u64]) -> Self {
        let gaps: Vec<u64> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let middle = middle(&gaps);
        let (least, most) = ((middle / 8).max(1), middle.saturating_mul(2).max(1));
        let weights: Vec<u64> = gaps.iter().map(|gap| (*gap).clamp(least, most)).collect();
        let total: u64 = weights.iter().sum();
        let length = length_ms(gaps.len() as u64);
        // Of a run of years the last bits are left out, so that the product below has room.
        let coarse = (LONG_MS.ilog2() + 1).saturating_sub(total.leading_zeros());
        let mut points = vec![AxisPoint { at_us: 0, play_ms: 0 }];
        let mut played = 0;
        for (weight, at_us) in weights.iter().zip(&moments[1..]) {
            played += *weight;
            let play_ms = (played >> coarse) * length / (total >> coarse).max(1);
            let play_ms = u32::try_from(play_ms).unwrap_or(u32::MAX);
            points.push(AxisPoint { at_us: *at_us, play_ms });
        }
        let cut = |pair: &&[u64]| pair[1] - pair[0] > most;
        let breaks = moments.windows(2).filter(cut).map(|pair| (pair[0], pair[1])).collect();
        Self { points, breaks }
    }

    /// How long the whole plays, in milliseconds.
    #[must_use]
    pub fn play_ms(&self) -> u32 {
        self.points.last().map_or(0, |point| point.play_ms)
    }
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

    #[test]
    fn idle_stretches_are_cut_short_and_marked() {
        let second = 1_000_000;
        let axis = Axis::of_moments(&[0, second, 2 * second, 30 * second, 31 * second]);
        assert_eq!(axis.breaks, [(2 * second, 30 * second)]);
        // Weights 1, 1, 2, 1 share four seconds.
        let played: Vec<u32> = axis.points.iter().map(|point| point.play_ms).collect();
        assert_eq!(played, [0, 800, 1600, 3200, 4000]);
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
        let axis = Axis::of_moments(&[0]);
        assert_eq!((axis.play_ms(), axis.points.len(), axis.breaks.len()), (0, 1, 0));
    }

    #[test]
    fn a_run_of_a_hundred_years_has_an_axis() {
        let moments: Vec<u64> = (0..100).map(|year| year * 31_557_600_000_000).collect();
        let axis = Axis::of_moments(&moments);
        let length = u32::try_from(length_ms(99)).expect("it can be watched");
        assert_eq!(axis.play_ms(), length);
        assert_eq!(axis.points[33].play_ms, length / 3);
    }

    #[test]
    fn a_long_run_is_bounded() {
        let moments: Vec<u64> = (0..5_000).map(|index| index * 977).collect();
        let axis = Axis::of_moments(&moments);
        assert_eq!(u64::from(axis.play_ms()), LONG_MS);
        let rises = |pair: &[AxisPoint]| pair[0].play_ms <= pair[1].play_ms;
        assert!(axis.points.windows(2).all(rises));
    }
}
