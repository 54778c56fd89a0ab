//! Decimal numbers such as 1.3, kept exactly. Never a floating point number on the way.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The most digits behind the point.
const MOST_PLACES: u32 = 9;
/// No decimal is larger: with all its places it still fits 64 bits many times over.
const LARGEST: u64 = 1_000_000;

/// A non-negative decimal number, exact, in its shortest form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// The digits without the point.
    digits: u64,
    /// How many of them are behind the point.
    places: u32,
}

impl Decimal {
    /// `digits` with the point before the last `places` of them.
    ///
    /// # Panics
    /// If there are more than nine places.
    pub const fn new(digits: u64, places: u32) -> Decimal {
        assert!(places <= MOST_PLACES, "too many places");
        let mut shortest = Decimal { digits, places };
        while shortest.places > 0 && shortest.digits.is_multiple_of(10) {
            shortest.digits /= 10;
            shortest.places -= 1;
        }
        shortest
    }

    /// Numerator and denominator, in lowest terms.
    pub fn fraction(self) -> (u64, u64) {
        let denominator = 10_u64.pow(self.places);
        let (mut a, mut b) = (self.digits, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (self.digits / a, denominator / a)
    }

    /// How many billionths it is: every decimal is a whole number of them.
    pub(crate) fn billionths(self) -> u64 {
        self.digits * 10_u64.pow(MOST_PLACES - self.places)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = 10_u64.pow(self.places);
        write!(f, "{}", self.digits / one)?;
        if self.places > 0 {
            write!(f, ".{:0width$}", self.digits % one, width = self.places as usize)?;
        }
        Ok(())
    }
}

/// A text that is no such number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadDecimal(String);

impl fmt::Display for BadDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = palestra_core::fault::printable(self.0.as_bytes());
        write!(
            f,
            "\"{shown}\" is no number like 1.3 from 0 to {LARGEST} with at most {MOST_PLACES} digits behind the point"
        )
    }
}

impl FromStr for Decimal {
    type Err = BadDecimal;

    fn from_str(text: &str) -> Result<Decimal, BadDecimal> {
        read(text).ok_or_else(|| BadDecimal(text.to_owned()))
    }
}

/// `1`, `1.30`, `13e-1`: as JSON writes numbers, without a sign.
fn read(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, behind) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    if whole.is_empty() || !whole.bytes().chain(behind.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{whole}{behind}");
    // Where the point is, counted from the left; zeros at both ends only move it.
    let point = i64::try_from(whole.len()).ok()? + i64::from(exponent);
    let digits = digits.trim_end_matches('0');
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let (digits, point) = (&digits[leading..], point - leading as i64);
    if digits.is_empty() {
        return Some(Decimal::new(0, 0));
    }
    let places = digits.len() as i64 - point;
    if places > i64::from(MOST_PLACES) || point > 7 || digits.len() > 16 {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    let decimal = match u32::try_from(places) {
        Ok(places) => Decimal::new(number, places),
        Err(_) => Decimal::new(number * 10_u64.pow(u32::try_from(-places).ok()?), 0),
    };
    (decimal.billionths() <= Decimal::new(LARGEST, 0).billionths()).then_some(decimal)
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        // A number is taken by its shortest text, which is what was written for up to 15 digits.
        let text = match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn read(text: &str) -> Option<Decimal> {
        text.parse().ok()
    }

    #[test]
    fn decimals_are_read_exactly_and_written_in_their_shortest_form() {
        for (text, shortest, fraction) in [
            ("1.3", "1.3", (13, 10)),
            ("1.30", "1.3", (13, 10)),
            ("0.060", "0.06", (3, 50)),
            ("1", "1", (1, 1)),
            ("1.0", "1", (1, 1)),
            ("0", "0", (0, 1)),
            ("0.000", "0", (0, 1)),
            ("100", "100", (100, 1)),
            ("0.000000001", "0.000000001", (1, 1_000_000_000)),
            ("1e-7", "0.0000001", (1, 10_000_000)),
            ("13E-1", "1.3", (13, 10)),
            ("1.5e2", "150", (150, 1)),
            ("1000000", "1000000", (1_000_000, 1)),
            ("999999.999999999", "999999.999999999", (999_999_999_999_999, 1_000_000_000)),
            ("007.50", "7.5", (15, 2)),
        ] {
            let decimal = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(decimal.to_string(), shortest);
            assert_eq!(decimal.fraction(), fraction, "{text}");
            assert_eq!(read(shortest), Some(decimal));
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1.3.4",
            "1,3",
            "x",
            "1e",
            "e5",
            "1e99",
            "1e-99",
            "1000000.1",
            "1e7",
            "0.0000000001",
            "99999999999999999999",
            "1 ",
            "NaN",
            "null",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn json_has_it_as_a_text_and_takes_a_number_too() {
        let decimal: Decimal = serde_json::from_str("1.3").unwrap();
        assert_eq!(decimal, Decimal::new(13, 1));
        assert_eq!(serde_json::to_string(&decimal).unwrap(), "\"1.3\"");
        assert_eq!(serde_json::from_str::<Decimal>("\"1.3\"").unwrap(), decimal);
        assert_eq!(serde_json::from_str::<Decimal>("2").unwrap(), Decimal::new(2, 0));
        let error = serde_json::from_str::<Decimal>("-0.5").unwrap_err().to_string();
        assert!(error.starts_with("\"-0.5\" is no number like 1.3"), "{error}");
        assert!(serde_json::from_str::<Decimal>("[]").is_err());
    }
}
