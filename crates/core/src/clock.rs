//! Time control. Pure: durations are handed in, nobody here looks at a clock.

use crate::message::{self, Message};
use crate::messages;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much time a bot has for its answers.
///
/// ```
/// use palestra_core::TimeControl;
/// use std::time::Duration;
///
/// let bank: TimeControl = "2s+1ms".parse()?;
/// let (start, increment) = (Duration::from_secs(2), Duration::from_millis(1));
/// assert_eq!(bank, TimeControl::Bank { start, increment });
/// assert_eq!(bank.to_string(), "2s+1ms");
/// # Ok::<(), palestra_core::BadTimeControl>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TimeControl {
    /// A bank for the whole match that grows after every completed turn.
    Bank {
        /// The bank at the start.
        start: Duration,
        /// What each completed turn adds.
        increment: Duration,
    },
    /// So much for every answer, saved or not.
    PerAnswer(Duration),
    /// As long as it takes: for debuggers and humans.
    Unlimited,
}

messages! {
    /// How a time control is told.
    enum Told {
        TimeUnlimited {},
        TimePerAnswer { time: Span },
        TimeBank { bank: Span },
        TimeBankAndIncrement { bank: Span, increment: Span },
    }
}

messages! {
    /// A span of time.
    pub(crate) enum Span {
        Seconds { number: u64 },
        Milliseconds { number: u64 },
        Microseconds { number: u64 },
    }
}

impl TimeControl {
    /// For people; `Display` writes what `--time` reads.
    pub fn message(self) -> Message {
        Message::from(match self {
            TimeControl::Unlimited => Told::TimeUnlimited {},
            TimeControl::PerAnswer(time) => Told::TimePerAnswer { time: span(time) },
            TimeControl::Bank { start, increment } if increment.is_zero() => {
                Told::TimeBank { bank: span(start) }
            }
            TimeControl::Bank { start, increment } => {
                Told::TimeBankAndIncrement { bank: span(start), increment: span(increment) }
            }
        })
    }
}

/// In the largest unit that leaves a whole number.
fn span(duration: Duration) -> Span {
    let micros = duration.as_micros() as u64;
    match micros {
        _ if micros.is_multiple_of(1_000_000) => Span::Seconds { number: micros / 1_000_000 },
        _ if micros.is_multiple_of(1000) => Span::Milliseconds { number: micros / 1000 },
        number => Span::Microseconds { number },
    }
}

/// For people who want to know about how long it was: whole milliseconds from one on, rounded up.
pub(crate) fn rounded_span(duration: Duration) -> Span {
    match duration.as_micros() as u64 {
        micros @ 0..1000 => Span::Microseconds { number: micros },
        micros => Span::Milliseconds { number: micros.div_ceil(1000) },
    }
}

/// Everything that can be told of a time control, for tests.
pub(crate) fn samples() -> Vec<Message> {
    message::samples::<Told>()
}

/// One seat's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    bank: Duration,
}

impl Clock {
    /// A full clock.
    pub(crate) fn new(control: TimeControl) -> Clock {
        let bank = match control {
            TimeControl::Bank { start, .. } => start,
            TimeControl::PerAnswer(limit) => limit,
            TimeControl::Unlimited => Duration::ZERO,
        };
        Clock { control, bank }
    }

    /// How long the next answer may take; `None` is as long as it likes.
    pub(crate) fn budget(&self) -> Option<Duration> {
        (self.control != TimeControl::Unlimited).then_some(self.bank)
    }

    /// Whether an answer that took this long came in time.
    pub(crate) fn allows(&self, spent: Duration) -> bool {
        self.budget().is_none_or(|budget| spent <= budget)
    }

    /// Takes the time of a completed turn from the bank and adds the increment.
    pub(crate) fn charge(&mut self, spent: Duration) {
        if let TimeControl::Bank { increment, .. } = self.control {
            self.bank = self.bank.saturating_sub(spent) + increment;
        }
    }
}

/// A time control that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is no time control; write 2s+1ms (bank and increment), 250ms/answer, or none")]
pub struct BadTimeControl(String);

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        let bad = || BadTimeControl(text.to_owned());
        if text == "none" {
            return Ok(TimeControl::Unlimited);
        }
        if let Some(limit) = text.strip_suffix("/answer") {
            return Ok(TimeControl::PerAnswer(duration(limit).ok_or_else(bad)?));
        }
        let (start, increment) = text.split_once('+').unwrap_or((text, "0ms"));
        Ok(TimeControl::Bank {
            start: duration(start).ok_or_else(bad)?,
            increment: duration(increment).ok_or_else(bad)?,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Bank { start, increment } if increment.is_zero() => write_duration(f, *start),
            TimeControl::Bank { start, increment } => {
                write_duration(f, *start)?;
                f.write_str("+")?;
                write_duration(f, *increment)
            }
            TimeControl::PerAnswer(limit) => {
                write_duration(f, *limit)?;
                f.write_str("/answer")
            }
            TimeControl::Unlimited => f.write_str("none"),
        }
    }
}

/// `2s`, `250ms`, `1.5s`, `50us`, `2m`: a decimal number and a unit, at most a day.
fn duration(text: &str) -> Option<Duration> {
    const DAY: u128 = 24 * 3600 * 1_000_000_000;
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit_at);
    let nanos_per_unit: u128 = match unit {
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 12;
    if !digits(whole) || !digits(part) || whole.is_empty() {
        return None;
    }
    let mut nanos = whole.parse::<u128>().ok()? * nanos_per_unit;
    if !part.is_empty() {
        nanos += part.parse::<u128>().ok()? * nanos_per_unit / 10_u128.pow(part.len() as u32);
    }
    (nanos <= DAY).then(|| Duration::from_nanos(nanos as u64))
}

fn write_duration(f: &mut fmt::Formatter<'_>, duration: Duration) -> fmt::Result {
    let nanos = duration.as_nanos();
    match nanos {
        _ if nanos.is_multiple_of(1_000_000_000) => write!(f, "{}s", nanos / 1_000_000_000),
        _ if nanos.is_multiple_of(1_000_000) => write!(f, "{}ms", nanos / 1_000_000),
        _ => write!(f, "{}us", nanos / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, TimeControl};
    use std::time::Duration;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn time_controls_read_as_they_are_written() {
        for text in ["2s+1ms", "250ms/answer", "none", "90s", "1500us/answer"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!(
            "1.5s+0.5ms".parse(),
            Ok(TimeControl::Bank { start: MS(1500), increment: Duration::from_micros(500) })
        );
        assert_eq!("2m".parse(), Ok(TimeControl::Bank { start: MS(120_000), increment: MS(0) }));
        for text in ["", "2", "2s+", "-1s", "1e9s", "s", "2h", "99999999s", "2s/turn", "1..2s", "١s"] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("250ms/answer"), "{error}");
        }
    }

    #[test]
    fn a_bank_is_used_up_to_the_last_moment() {
        let mut clock = Clock::new("2s+1ms".parse().unwrap());
        assert!(clock.allows(MS(2000)) && !clock.allows(MS(2001)));
        clock.charge(MS(1000));
        // The seed's own example: one second spent on the first turn leaves 1.001 s.
        assert_eq!(clock.budget(), Some(MS(1001)));
        clock.charge(MS(1001));
        assert_eq!(clock.budget(), Some(MS(1)));
    }

    #[test]
    fn an_answer_limit_does_not_add_up() {
        let mut clock = Clock::new("250ms/answer".parse().unwrap());
        clock.charge(MS(200));
        assert_eq!(clock.budget(), Some(MS(250)));
        let mut clock = Clock::new(TimeControl::Unlimited);
        clock.charge(MS(200));
        assert!(clock.budget().is_none() && clock.allows(MS(1 << 40)));
    }
}
