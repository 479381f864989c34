//! Moments and spans of simulated time, and how they are written and read.

use std::fmt;
use std::ops::Add;
use std::str::FromStr;

const MILLI: u64 = 1_000;
const SECOND: u64 = 1_000 * MILLI;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The units that a span is read and written in, the largest first.
const UNITS: [(&str, u64); 6] =
    [("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", MILLI), ("us", 1)];

/// With 14 whole digits every span has a text: the longest is 18446744073709.551615s.
const WHOLE_DIGITS: usize = 14;
const FRACTION_DIGITS: usize = 6;

/// A point in simulated time: whole microseconds since the run's start.
///
/// Written like a [`Span`]: `31.95 s` is 31.95 s after the start.
///
/// ```
/// use at_least_once::units::{Moment, Span};
///
/// let leased = Moment::from_micros(1_950_000);
/// let deadline = leased + Span::from_secs(30);
/// assert_eq!(deadline.to_string(), "31.95 s");
/// assert_eq!(deadline.since(leased), Span::from_secs(30));
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// The run's start.
    pub const ZERO: Self = Self(0);
    /// The last moment there is; also what an addition that would pass it gives.
    pub const MAX: Self = Self(u64::MAX);

    /// The moment this many microseconds after the run's start.
    #[must_use]
    pub const fn from_micros(us: u64) -> Self {
        Self(us)
    }

    /// Microseconds since the run's start.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// The moment `span` later, at most [`Moment::MAX`]; `moment + span` is the same.
    #[must_use]
    pub const fn after(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// The span from `earlier` to here; zero when `earlier` is in fact later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Span> for Moment {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        self.after(span)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&span_text(self.0))
    }
}

/// A length of simulated time in whole microseconds.
///
/// Three texts, for three readers: [`Display`](fmt::Display) and [`span_text`]
/// for people (cut off, see there), [`Span::exact_text`] for links and settings
/// (exact), and [`str::parse`] for what people type.
///
/// # Errors
///
/// Parsing takes a decimal number and one unit of `us`, `ms`, `s`, `m` or `min`,
/// `h`, `d`, with or without a space between them. Only a zero may go without a
/// unit. No sign, no exponent, at most 14 digits before the point and 6 after it.
/// What is not a whole number of microseconds is refused, not rounded.
///
/// ```
/// use at_least_once::units::{Span, SpanError};
///
/// assert_eq!("30s".parse(), Ok(Span::from_secs(30)));
/// assert_eq!("1.5 ms".parse(), Ok(Span::from_micros(1_500)));
/// assert_eq!("30".parse::<Span>(), Err(SpanError::NoUnit));
/// assert_eq!("0.5us".parse::<Span>(), Err(SpanError::NotWhole));
/// ```
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span; also what arithmetic that would pass it gives.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of this many microseconds.
    #[must_use]
    pub const fn from_micros(us: u64) -> Self {
        Self(us)
    }

    /// A span of this many milliseconds, at most [`Span::MAX`].
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms.saturating_mul(MILLI))
    }

    /// A span of this many seconds, at most [`Span::MAX`].
    #[must_use]
    pub const fn from_secs(s: u64) -> Self {
        Self(s.saturating_mul(SECOND))
    }

    /// The span in microseconds.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Both spans one after the other, at most [`Span::MAX`].
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left when `other` is taken away, at least zero.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The span `times` over, at most [`Span::MAX`].
    #[must_use]
    pub const fn saturating_mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }

    /// The shortest text that parses back to exactly this span.
    ///
    /// The unit is never larger than the span (`500ms`, not `0.5s`); of two texts
    /// of one length the whole number wins (`102s`, not `1.7m`).
    ///
    /// ```
    /// use at_least_once::units::Span;
    ///
    /// assert_eq!(Span::from_secs(30).exact_text(), "30s");
    /// assert_eq!(Span::from_secs(5 * 60).exact_text(), "5m");
    /// assert_eq!(Span::from_millis(2_400).exact_text(), "2.4s");
    /// ```
    #[must_use]
    pub fn exact_text(self) -> String {
        let mut best: Option<String> = None;
        for (unit, us) in UNITS {
            let (whole, rest) = (self.0 / us, self.0 % us);
            // `rest` is below a day in µs, so a million times as much still fits.
            let millionths = rest * 1_000_000;
            if whole == 0 || !millionths.is_multiple_of(us) {
                continue;
            }
            let number = decimal(whole, millionths / us, FRACTION_DIGITS);
            // The second half of the key: no point before a point.
            let key = |text: &String| (text.len(), text.contains('.'));
            let text = number + unit;
            let fits = whole.to_string().len() <= WHOLE_DIGITS;
            if fits && best.as_ref().is_none_or(|best| key(&text) < key(best)) {
                best = Some(text);
            }
        }
        best.unwrap_or_else(|| "0s".to_owned())
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&span_text(self.0))
    }
}

/// Why a text is not a [`Span`]; the message goes after the setting's name and value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// It does not begin with a plain decimal number such as `30` or `1.5`.
    #[error("must begin with a plain number, such as 30s or 1.5s")]
    NoNumber,
    /// A number alone: thirty of what?
    #[error("needs a unit: us, ms, s, m, h or d")]
    NoUnit,
    /// Something else than one unit follows the number; units are in small letters.
    #[error("must end with one of the units us, ms, s, m, h or d")]
    UnknownUnit,
    /// More than 14 digits before the point, or more than 6 after it.
    #[error("has too many digits: at most 14 before the point and 6 after it")]
    TooManyDigits,
    /// Half a microsecond and the like.
    #[error("must be a whole number of microseconds")]
    NotWhole,
    /// Longer than [`Span::MAX`].
    #[error("is too long: at most 213503982 d")]
    TooLong,
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at_checked(end).unwrap_or((text, ""));
        // Without a point the fraction is none, which is as good as zero.
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
            return Err(SpanError::NoNumber);
        }
        if whole.len() > WHOLE_DIGITS || fraction.len() > FRACTION_DIGITS {
            return Err(SpanError::TooManyDigits);
        }
        // Digits only, and few enough for 64 bits: neither can fail.
        let whole: u64 = whole.parse().map_err(|_| SpanError::NoNumber)?;
        let parts: u64 = fraction.parse().map_err(|_| SpanError::NoNumber)?;
        let us = match unit.trim_start() {
            "" if whole == 0 && parts == 0 => 1,
            "" => return Err(SpanError::NoUnit),
            "min" => MINUTE,
            name => UNITS.iter().find(|unit| unit.0 == name).ok_or(SpanError::UnknownUnit)?.1,
        };
        // At most 10^6 parts of a day: far below 2^64.
        let scaled = parts * us;
        let scale = fraction.bytes().fold(1, |scale, _| scale * 10);
        if !scaled.is_multiple_of(scale) {
            return Err(SpanError::NotWhole);
        }
        whole
            .checked_mul(us)
            .and_then(|us| us.checked_add(scaled / scale))
            .map(Self)
            .ok_or(SpanError::TooLong)
    }
}

/// How a span or a moment of `us` microseconds is written for people, everywhere.
///
/// Below a millisecond in `us`, below a second in `ms`, from there on in `s`, behind the `min`,
/// `h` and `d` that it has; `ms` and `s` with up to three decimals. What does not fit is cut off, never rounded up: a time just
/// before a deadline never reads as the deadline.
///
/// ```
/// use at_least_once::units::span_text;
///
/// assert_eq!(span_text(712_000), "712 ms");
/// assert_eq!(span_text(29_999_999), "29.999 s");
/// assert_eq!(span_text(61_272_000), "1 min 1.272 s");
/// assert_eq!(span_text(9_000_000_000), "2 h 30 min");
/// ```
#[must_use]
pub fn span_text(us: u64) -> String {
    match us {
        0 => return "0 s".to_owned(),
        1..MILLI => return format!("{us} us"),
        MILLI..SECOND => return decimal(us / MILLI, us % MILLI, 3) + " ms",
        _ => {}
    }
    let mut out = String::new();
    let mut rest = us;
    for (length, name) in [(DAY, "d"), (HOUR, "h"), (MINUTE, "min")] {
        if rest >= length {
            out.push_str(&format!("{} {name} ", rest / length));
            rest %= length;
        }
    }
    if rest >= MILLI || out.is_empty() {
        out.push_str(&decimal(rest / SECOND, rest % SECOND / MILLI, 3));
        out.push_str(" s");
    }
    out.trim_end().to_owned()
}

/// `whole` and a fraction of `digits` digits, its zeros at the end left out.
fn decimal(whole: u64, fraction: u64, digits: usize) -> String {
    let text = format!("{whole}.{fraction:0digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_one_way_and_cut_off() {
        for (us, text) in [
            (0, "0 s"),
            (12, "12 us"),
            (999, "999 us"),
            (1_000, "1 ms"),
            (1_500, "1.5 ms"),
            (712_000, "712 ms"),
            (999_999, "999.999 ms"),
            (1_000_000, "1 s"),
            (1_000_999, "1 s"),
            (2_400_000, "2.4 s"),
            (10_050_000, "10.05 s"),
            (29_999_999, "29.999 s"),
            (30_000_000, "30 s"),
            (31_950_000, "31.95 s"),
            (59_999_999, "59.999 s"),
            (60_000_000, "1 min"),
            (90_999_999, "1 min 30.999 s"),
            (60_000_999, "1 min"),
            (300_000_000, "5 min"),
            (3_599_999_999, "59 min 59.999 s"),
            (3_600_000_000, "1 h"),
            (3_659_999_999, "1 h 59.999 s"),
            (9_000_000_000, "2 h 30 min"),
            (86_399_999_999, "23 h 59 min 59.999 s"),
            (86_400_000_000, "1 d"),
            (129_600_000_000, "1 d 12 h"),
            (u64::MAX, "213503982 d 8 h 1 min 49.551 s"),
        ] {
            assert_eq!(span_text(us), text);
            assert_eq!(Span::from_micros(us).to_string(), text);
            assert_eq!(Moment::from_micros(us).to_string(), text);
        }
        assert_eq!(format!("[{:>8}]", Span::from_secs(30)), "[    30 s]");
    }

    #[test]
    fn spans_are_read_in_every_unit() {
        for (text, us) in [
            ("0", 0),
            ("0.0", 0),
            ("0s", 0),
            ("12us", 12),
            ("250ms", 250_000),
            ("1500us", 1_500),
            ("1.5s", 1_500_000),
            ("2.4 s", 2_400_000),
            (" 007s ", 7_000_000),
            ("5m", 300_000_000),
            ("5 min", 300_000_000),
            ("2.5h", 9_000_000_000),
            ("1d", 86_400_000_000),
            ("0.000001s", 1),
            ("213503982d", 213_503_982 * DAY),
            ("18446744073709.551615s", u64::MAX),
        ] {
            assert_eq!(text.parse(), Ok(Span::from_micros(us)), "{text}");
        }
    }

    #[test]
    fn what_is_no_span_is_refused_with_its_reason() {
        use SpanError::*;
        for (text, error) in [
            ("", NoNumber),
            ("s", NoNumber),
            ("-1s", NoNumber),
            (".5s", NoNumber),
            ("1.s", NoNumber),
            ("1.2.3s", NoNumber),
            ("٣s", NoNumber),
            ("30", NoUnit),
            ("1.5", NoUnit),
            ("1e3s", UnknownUnit),
            ("1S", UnknownUnit),
            ("1 h 30 min", UnknownUnit),
            ("1µs", UnknownUnit),
            ("123456789012345us", TooManyDigits),
            ("0.1234567d", TooManyDigits),
            ("0.5us", NotWhole),
            ("1.0005ms", NotWhole),
            ("213503983d", TooLong),
            ("18446744073709.551616s", TooLong),
        ] {
            assert_eq!(text.parse::<Span>(), Err(error), "{text}");
        }
        assert_eq!(NoUnit.to_string(), "needs a unit: us, ms, s, m, h or d");
    }

    #[test]
    fn the_exact_text_is_the_shortest_that_reads_well() {
        for (us, text) in [
            (0, "0s"),
            (12, "12us"),
            (1_500, "1.5ms"),
            (250_000, "250ms"),
            (500_000, "500ms"),
            (1_500_000, "1.5s"),
            (30_000_000, "30s"),
            (90_000_000, "90s"),
            (102_000_000, "102s"),
            (300_000_000, "5m"),
            (5_400_000_000, "90m"),
            (86_400_000_000, "1d"),
            (u64::MAX, "18446744073709.551615s"),
        ] {
            assert_eq!(Span::from_micros(us).exact_text(), text);
        }
    }

    #[test]
    fn arithmetic_stops_at_the_ends() {
        assert_eq!(Moment::MAX + Span::from_micros(1), Moment::MAX);
        assert_eq!(Moment::ZERO.since(Moment::MAX), Span::ZERO);
        assert_eq!(Span::from_secs(u64::MAX), Span::MAX);
        assert_eq!(Span::from_millis(u64::MAX), Span::MAX);
        assert_eq!(Span::MAX.saturating_mul(2), Span::MAX);
        assert_eq!(Span::ZERO.saturating_sub(Span::MAX), Span::ZERO);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::super::*;
        use proptest::prelude::*;

        /// Spans of every size, and those that people choose.
        fn spans() -> impl Strategy<Value = u64> {
            let shifted = (any::<u64>(), 0u32..64).prop_map(|(us, by)| us >> by);
            let round = (0u64..10_000, 0..UNITS.len()).prop_map(|(n, unit)| n * UNITS[unit].1);
            prop_oneof![shifted, round, Just(u64::MAX)]
        }

        proptest! {
            #[test]
            fn the_exact_text_parses_back(us in spans()) {
                let span = Span::from_micros(us);
                prop_assert_eq!(span.exact_text().parse(), Ok(span));
            }

            #[test]
            fn what_people_read_is_never_later_than_it_is(us in 0..MINUTE) {
                let read = span_text(us).parse::<Span>().map(Span::as_micros);
                prop_assert!(read.is_ok_and(|read| read <= us && us - read < MILLI));
            }

            #[test]
            fn any_text_is_parsed_or_refused(text in "[0-9]{0,16}\\.?[0-9]{0,8} ?\\PC{0,3}") {
                if let Ok(span) = text.parse::<Span>() {
                    prop_assert_eq!(span.exact_text().parse(), Ok(span));
                }
            }
        }
    }
}
