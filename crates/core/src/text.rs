//! Small helpers for text protocols: writing numbers fast, reading words and lines that may be incomplete.

/// Appends a number in decimal.
#[inline]
pub fn push_number(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
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
    use super::{Words, integer, leading_integer};

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
    }
}
