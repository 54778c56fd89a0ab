//! Small helpers for text protocols: writing numbers fast, reading words and lines that may be incomplete.

use crate::fault::printable;
use crate::game::SetupError;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Appends a number in decimal.
#[inline]
pub fn push_number(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a line of numbers, with blanks between them.
#[macro_export]
macro_rules! push_line {
    ($out:expr, $first:expr $(, $number:expr)* $(,)?) => {{
        let out: &mut Vec<u8> = $out;
        $crate::text::push_number(out, $first);
        $(
            out.push(b' ');
            $crate::text::push_number(out, $number);
        )*
        out.push(b'\n');
    }};
}

/// Stores all the bytes at `at` and keeps the first `length`; gives the new end.
///
/// For asks of thousands of cells: room is made once, and every cell is a few stores of fixed size into it. The position
/// is handed around by value, so that it stays in a register. The room must reach `N` bytes beyond `at`.
#[inline]
pub fn put<const N: usize>(room: &mut [u8], at: usize, bytes: [u8; N], length: usize) -> usize {
    room[at..at + N].copy_from_slice(&bytes);
    at + length
}

/// Stores a number and the byte `END` behind it, as [`put`] does; the room must reach 11 bytes beyond `at`.
#[inline]
pub fn put_number<const END: u8>(room: &mut [u8], at: usize, number: u32) -> usize {
    match short_number::<END>(number) {
        Some((text, length)) => put(room, at, text, length),
        None => put_long_number(room, at, number, END),
    }
}

/// A number of one to three digits with the byte `END` behind it, and how many bytes that are.
#[inline]
pub fn short_number<const END: u8>(number: u32) -> Option<([u8; 4], usize)> {
    ShortNumbers::<END>::TABLE.get(number as usize).copied()
}

#[cold]
fn put_long_number(room: &mut [u8], at: usize, number: u32, end: u8) -> usize {
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(number).as_bytes();
    room[at..at + text.len()].copy_from_slice(text);
    room[at + text.len()] = end;
    at + text.len() + 1
}

struct ShortNumbers<const END: u8>;

impl<const END: u8> ShortNumbers<END> {
    const TABLE: &'static [([u8; 4], usize); 1000] = &{
        let mut table = [([END; 4], 0); 1000];
        let mut number = 0;
        while number < table.len() {
            let digits = [number / 100, number / 10 % 10, number % 10];
            let skipped = 2 - (number >= 10) as usize - (number >= 100) as usize;
            let mut place = skipped;
            while place < 3 {
                table[number].0[place - skipped] = b'0' + digits[place] as u8;
                place += 1;
            }
            table[number].1 = 4 - skipped;
            number += 1;
        }
        table
    };
}

/// Reads words that are followed by white space: a word at the very end may still be growing, and is not given.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The words of these bytes.
    pub fn new(bytes: &'a [u8]) -> Words<'a> {
        Words { bytes, at: 0 }
    }

    /// How many bytes have been read: everything up to the white space behind the last word given, and that byte.
    pub fn used(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let start = rest.iter().position(|byte| !is_space(*byte))?;
        let length = rest[start..].iter().position(|byte| is_space(*byte))?;
        self.at += start + length + 1;
        Some(&rest[start..start + length])
    }
}

/// The words of a whole file (a map, say), with the line they are on for messages.
#[derive(Clone, Debug)]
pub struct FileWords<'a> {
    /// What the file is called in messages.
    file: &'static str,
    text: &'a str,
    /// Behind the last word given.
    at: usize,
}

impl<'a> FileWords<'a> {
    /// The words of the text of a file, which messages call by this name.
    pub fn new(file: &'static str, text: &'a str) -> FileWords<'a> {
        FileWords { file, text, at: 0 }
    }

    /// That the whole file has no more bytes than that; the error says behind which of its `parts` it can be cut.
    pub fn check_size(&self, most: usize, parts: impl Display) -> Result<(), SetupError> {
        let (file, bytes) = (self.file, self.text.len());
        if bytes <= most {
            return Ok(());
        }
        Err(SetupError::new(format!(
            "the {file} has {bytes} bytes, and may have {most}; cut it behind one of its {parts}"
        )))
    }

    /// The next word as a number; the error says that `what` should be there.
    pub fn number<T: FromStr>(&mut self, what: impl Display) -> Result<T, SetupError> {
        let word = self.word(&what)?;
        word.parse().map_err(|_| {
            let shown = printable(word.as_bytes());
            self.error(format_args!("{what} should be here, and \"{shown}\" is no such number"))
        })
    }

    /// The next word as a number in this range, in a file that a match wrote and nobody should have changed; the error
    /// says that `what` should be there, or must be in the range.
    pub fn bounded(&mut self, what: impl Display, range: RangeInclusive<u64>) -> Result<u64, SetupError> {
        let number: i64 = self.number(&what)?;
        u64::try_from(number).ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = range.into_inner();
            self.error(format_args!(
                "{what} is {number}, and must be from {least} to {most}; is it the {} as the match wrote it?",
                self.file
            ))
        })
    }

    /// The next word; the error says that `what` should be there.
    pub fn word(&mut self, what: impl Display) -> Result<&'a str, SetupError> {
        self.next().ok_or_else(|| {
            SetupError::new(format!("the {} ends where {what} should be; is it cut off?", self.file))
        })
    }

    /// Takes the next word if it is this one.
    pub fn skip_word(&mut self, wanted: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead.next() == Some(wanted);
        if found {
            *self = ahead;
        }
        found
    }

    /// That nothing is left but white space; the error says behind what it stands.
    pub fn end(&mut self, behind: impl Display) -> Result<(), SetupError> {
        match self.next() {
            None => Ok(()),
            Some(word) => {
                let shown = printable(word.as_bytes());
                Err(self.error(format_args!("\"{shown}\" stands behind {behind}; remove it")))
            }
        }
    }

    /// The text up to the last word given, and the rest.
    pub fn split(&self) -> (&'a str, &'a str) {
        self.text.split_at(self.at)
    }

    /// An error at the last word given.
    pub fn error(&self, what: impl Display) -> SetupError {
        let line = 1 + self.text[..self.at].bytes().filter(|byte| *byte == b'\n').count();
        SetupError::new(format!("{}, line {line}: {what}", self.file))
    }
}

impl<'a> Iterator for FileWords<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        let start = rest.find(|c: char| !c.is_ascii_whitespace())?;
        let word = &rest[start..];
        let length = word.find(|c: char| c.is_ascii_whitespace()).unwrap_or(word.len());
        self.at += start + length;
        Some(&word[..length])
    }
}

/// White space as C's `isspace` has it, which is what bots' libraries go by.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// A whole word as an integer; `None` if it is none or does not fit.
pub fn integer(word: &[u8]) -> Option<i64> {
    match leading_integer(word) {
        Some((number, used)) if used == word.len() => Some(number),
        _ => None,
    }
}

/// A whole word as an integer of any size; one that does not fit is the largest or smallest that does. `None` if it is
/// none.
pub fn saturating_integer(word: &[u8]) -> Option<i64> {
    let (sign, digits) = match word {
        [sign @ (b'-' | b'+'), digits @ ..] => (*sign, digits),
        digits => (b'+', digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(integer(word).unwrap_or(if sign == b'-' { i64::MIN } else { i64::MAX }))
}

/// The integer at the beginning, as C++ streams read it: white space, a sign, digits. Gives the number and the
/// bytes it took; `None` if there is no digit or the number does not fit 64 bits.
pub fn leading_integer(bytes: &[u8]) -> Option<(i64, usize)> {
    let start = bytes.iter().position(|byte| !is_space(*byte))?;
    let negative = bytes[start] == b'-';
    let mut at = start + usize::from(matches!(bytes[start], b'-' | b'+'));
    let first_digit = at;
    let mut number: i64 = 0;
    while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
        let digit = i64::from(digit - b'0');
        number = number.checked_mul(10)?;
        number = if negative { number.checked_sub(digit)? } else { number.checked_add(digit)? };
        at += 1;
    }
    (at > first_digit).then_some((number, at))
}

#[cfg(test)]
mod tests {
    use super::{FileWords, Words, integer, leading_integer, put, put_number, saturating_integer};

    #[test]
    fn numbers_are_put_as_they_are_written() {
        for number in (0..2000).chain([9_999, 123_456, u32::MAX]) {
            let mut room = [b'x'; 20];
            let end = put_number::<b';'>(&mut room, 3, number);
            assert_eq!(room[3..end], *format!("{number};").as_bytes());
        }
        let mut room = [b'x'; 8];
        assert_eq!((put(&mut room, 2, *b"ab  ", 2), &room), (4, b"xxab  xx"));
    }

    #[test]
    fn words_of_a_file_know_their_line() {
        let mut words = FileWords::new("map", " 3\r\n\nx y");
        assert_eq!(words.number::<u8>("the size"), Ok(3));
        assert!(!words.skip_word("y"));
        let error = words.number::<u8>("a cell").unwrap_err().to_string();
        assert_eq!(error, "map, line 3: a cell should be here, and \"x\" is no such number");
        assert_eq!(words.split().1, " y");
        assert!(
            words
                .clone()
                .end("the last cell")
                .unwrap_err()
                .to_string()
                .ends_with("\"y\" stands behind the last cell; remove it")
        );
        assert!(words.skip_word("y"));
        assert_eq!(words.end("the last cell"), Ok(()));
        let error = words.word("a cell").unwrap_err().to_string();
        assert_eq!(error, "the map ends where a cell should be; is it cut off?");
    }

    #[test]
    fn numbers_of_a_file_keep_to_their_range() {
        let mut words = FileWords::new("log", "3 5\n2 6 -4 9223372036854775807 9223372036854775808 x");
        assert_eq!(words.bounded("the size", 3..=5), Ok(3));
        assert_eq!(words.bounded("the size", 3..=5), Ok(5));
        for number in [2, 6, -4] {
            let error = words.bounded("the size", 3..=5).unwrap_err().to_string();
            let expected = format!(
                "log, line 2: the size is {number}, and must be from 3 to 5; is it the log as the match wrote it?"
            );
            assert_eq!(error, expected);
        }
        assert_eq!(words.bounded("the size", 0..=u64::MAX), Ok(i64::MAX as u64));
        for word in ["9223372036854775808", "x"] {
            let error = words.bounded("the size", 0..=u64::MAX).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("log, line 2: the size should be here, and \"{word}\" is no such number")
            );
        }
        let error = words.bounded("the size", 3..=5).unwrap_err().to_string();
        assert_eq!(error, "the log ends where the size should be; is it cut off?");
    }

    #[test]
    fn a_file_is_no_longer_than_it_may_be() {
        let mut words = FileWords::new("log", "3 ä");
        assert_eq!(words.check_size(4, "turns"), Ok(()));
        words.next();
        let error = words.check_size(3, "turns").unwrap_err().to_string();
        assert_eq!(error, "the log has 4 bytes, and may have 3; cut it behind one of its turns");
    }

    #[test]
    fn a_word_at_the_end_may_still_grow() {
        let mut words = Words::new(b"  12 ab\n-3");
        assert_eq!(words.next(), Some(&b"12"[..]));
        assert_eq!(words.used(), 5);
        assert_eq!(words.next(), Some(&b"ab"[..]));
        assert_eq!(words.next(), None);
        assert_eq!(words.used(), 8);
        assert_eq!(Words::new(b"").next(), None);
        assert_eq!(Words::new(b" \r\n").next(), None);
    }

    #[test]
    fn integers_are_read_as_streams_read_them() {
        assert_eq!(leading_integer(b" -17x"), Some((-17, 4)));
        assert_eq!(leading_integer(b"+5"), Some((5, 2)));
        assert_eq!(leading_integer(b"-"), None);
        assert_eq!(leading_integer(b"x1"), None);
        assert_eq!(leading_integer(b"  "), None);
        assert_eq!(integer(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(integer(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(integer(b"9223372036854775808"), None);
        assert_eq!(integer(b"1x"), None);
        assert_eq!(integer(b"0007"), Some(7));
        assert_eq!(saturating_integer(b"9223372036854775808"), Some(i64::MAX));
        assert_eq!(saturating_integer(b"-99999999999999999999"), Some(i64::MIN));
        assert_eq!(saturating_integer(b"+00000000000000000000000000012"), Some(12));
        for word in [&b"1x"[..], b"", b"-", b"99999999999999999999x", b"--1"] {
            assert_eq!(saturating_integer(word), None);
        }
    }
}
