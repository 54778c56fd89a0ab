//! Exact points, in thousandths.

use super::limits;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use std::str::FromStr;

/// Points, exact, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Points(pub i64);

const UNIT: i64 = 1000;

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);

    /// So many whole points.
    pub const fn whole(points: i32) -> Points {
        Points(points as i64 * UNIT)
    }
}

/// Text or a number that is no number of points.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no number of points: write one with at most three decimals, like 2 or 0.5")]
pub struct PointsError(String);

impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Points, PointsError> {
        let error = || PointsError(text.chars().take(limits::EXCERPT_CHARS).collect());
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() > limits::POINTS_BYTES {
            return Err(error());
        }
        let (negative, size) = text.strip_prefix('-').map_or((false, text), |size| (true, size));
        let (whole, decimals) = size.split_once('.').unwrap_or((size, "0"));
        if !digits(whole) || !digits(decimals) || decimals.len() > 3 {
            return Err(error());
        }
        let size = format!("{whole}{decimals:0<3}").parse::<i64>().map_err(|_| error())?;
        Ok(Points(if negative { -size } else { size }))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.unsigned_abs();
        let (whole, thousandths) = (size / UNIT as u64, size % UNIT as u64);
        let text = format!("{whole}.{thousandths:03}");
        f.pad_integral(self.0 >= 0, "", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Points {
    /// A number, as one would write it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % UNIT {
            0 => serializer.serialize_i64(self.0 / UNIT),
            _ => serializer.serialize_f64(self.0 as f64 / UNIT as f64),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads any number by the text it is written as: the shortest text of a float is the one that was meant.
struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = Points;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of points with at most three decimals")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Points, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Points, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Points, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Points, E> {
        self.visit_str(&number.to_string())
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl Mul<u32> for Points {
    type Output = Points;
    fn mul(self, times: u32) -> Points {
        Points(self.0 * i64::from(times))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        Points(points.map(|points| points.0).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::Points;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn text_and_json_say_the_same_number(thousandths in -1_000_000_000_000_i64..1_000_000_000_000) {
            let points = Points(thousandths);
            prop_assert_eq!(points.to_string().parse::<Points>().unwrap(), points);
            let json = serde_json::to_string(&points).unwrap();
            prop_assert_eq!(&json, &points.to_string());
            prop_assert_eq!(serde_json::from_str::<Points>(&json).unwrap(), points);
        }
    }

    #[test]
    fn points_are_written_as_people_write_them() {
        for text in ["0", "2", "0.5", "-1", "-0.25", "10.001", "100"] {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), text);
        }
        assert_eq!("1.50".parse(), Ok(Points(1500)));
        for text in
            ["", "-", ".", ".5", "5.", "1.2345", "+1", "1e3", "one", "99999999999999999999", "0,5", "--1"]
        {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_configuration_says_points_as_a_number_or_a_text() {
        #[derive(serde::Deserialize)]
        struct Config {
            points: Vec<Points>,
        }
        let config: Config = toml::from_str("points = [2, 0.1, \"-0.5\", 1.0]").unwrap();
        assert_eq!(config.points, [Points(2000), Points(100), Points(-500), Points(1000)]);
        assert!(toml::from_str::<Config>("points = [0.12345]").is_err());
        assert!(toml::from_str::<Config>("points = [nan]").is_err());
    }
}
