//! Values of plans that know what they may be: serde reads them, and the error says what would be right.

use serde::Deserialize;
use serde::de::{self, Deserializer};
use std::fmt;
use std::str::FromStr;

/// Stands for a value's key in its error: the reader knows the key, the value does not.
const KEY: &str = "{key}";

/// A number from `MIN` to `MAX`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within<const MIN: u32, const MAX: u32>(pub u32);

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Within<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        check_range(KEY, number, MIN, MAX).map_err(de::Error::custom)?;
        Ok(Within(number))
    }
}

/// Whether a number is in a range; if not, the sentence about it.
pub(super) fn check_range(key: &str, number: u32, min: u32, max: u32) -> Result<(), String> {
    match (min..=max).contains(&number) {
        true => Ok(()),
        false => Err(format!("{key} = {number} is out of range; write {min} to {max}")),
    }
}

/// A value that is written as a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Parsed).map_err(|error| de::Error::custom(format!("{KEY}: {error}")))
    }
}

/// The line of a mistake in a text, and the sentence about it.
pub fn explain(error: &toml::de::Error, text: &str) -> (Option<usize>, String) {
    let at = error.span().map(|span| span.start);
    (at.map(|at| line(text, at)), with_key(error, at.and_then(|at| key_before(text, at))))
}

/// The sentence about a mistake in a table whose places are not known.
pub fn explain_in_table(error: &toml::de::Error) -> String {
    let whole = error.to_string();
    let key = whole.rsplit_once("in `").and_then(|(_, rest)| rest.split(['`', '.']).next());
    with_key(error, key)
}

/// The line of a place in a text, counted from 1.
pub fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

fn with_key(error: &toml::de::Error, key: Option<&str>) -> String {
    let message = error.message().trim().replace('\n', ", ");
    message.replacen(KEY, key.unwrap_or("this"), 1)
}

/// The key of the value at a place: what stands before the nearest `=`, or a table's name.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let header = text[begin..].lines().next().unwrap_or_default().trim();
    if let Some(name) = header.strip_prefix('[').filter(|_| text[begin..at].trim().is_empty()) {
        return Some(name.trim_start_matches('[').trim_end_matches(']').trim());
    }
    let key = text[..at].rsplit_once('=')?.0.trim_end();
    key.rsplit(|letter: char| !(letter.is_alphanumeric() || "_-\"".contains(letter))).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only read")]
    struct Plan {
        count: Option<Within<1, 5>>,
        address: Option<Parsed<std::net::IpAddr>>,
        #[serde(default)]
        list: Vec<Parsed<u8>>,
        table: Option<Table>,
    }

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only read")]
    struct Table {
        count: Within<0, 9>,
    }

    #[test]
    fn a_mistake_names_its_line_its_key_and_what_would_be_right() {
        for (text, at, says) in [
            ("count = 9", 1, "count = 9 is out of range; write 1 to 5"),
            ("\ncount   =   0", 2, "count = 0 is out of range; write 1 to 5"),
            ("address = 'x'", 1, "address: invalid IP address syntax"),
            ("\nlist = ['1', 'two']", 2, "list: invalid digit found in string"),
            ("table = { count = 10 }", 1, "count = 10 is out of range; write 0 to 9"),
            ("[table]\ncount = 10", 2, "count = 10 is out of range; write 0 to 9"),
            ("count = 'x'", 1, "invalid type: string \"x\", expected u32"),
        ] {
            let error = toml::from_str::<Plan>(text).unwrap_err();
            assert_eq!(explain(&error, text), (Some(at), says.to_owned()), "{text}");
        }
        let table: toml::Table = "count = 9".parse().unwrap();
        let error = table.try_into::<Plan>().unwrap_err();
        assert_eq!(explain_in_table(&error), "count = 9 is out of range; write 1 to 5");
    }
}
