//! Fractions as decimals, exactly as C++ streams write numbers: six significant digits, no zeros at the end.

use std::fmt::Write as _;

const DIGITS: u32 = 6;
/// What one point is read as: numbers are kept in units of this part.
pub(super) const UNIT: u128 = 1_000_000_000_000;

/// Writes `numerator / denominator`; both are far below 2^100.
pub(super) fn write(numerator: u128, denominator: u128) -> String {
    if numerator == 0 {
        return "0".to_owned();
    }
    // The place of the first digit: 0 for units, 1 for tens, -1 for tenths.
    let mut place = 0_i32;
    while numerator >= denominator * 10_u128.pow(place as u32 + 1) {
        place += 1;
    }
    while place <= 0 && numerator * 10_u128.pow(-place as u32) < denominator {
        place -= 1;
    }
    let shift = DIGITS as i32 - 1 - place;
    let (top, bottom) = if shift >= 0 {
        (numerator * 10_u128.pow(shift as u32), denominator)
    } else {
        (numerator, denominator * 10_u128.pow(-shift as u32))
    };
    let (mut digits, rest) = (top / bottom, top % bottom);
    // To the nearest; halves to the even digit.
    if 2 * rest > bottom || (2 * rest == bottom && digits % 2 == 1) {
        digits += 1;
    }
    if digits == 10_u128.pow(DIGITS) {
        digits /= 10;
        place += 1;
    }
    let all = digits.to_string();
    let kept = all.trim_end_matches('0');
    if !(-4..DIGITS as i32).contains(&place) {
        let (first, others) = kept.split_at(1);
        let point = if others.is_empty() { "" } else { "." };
        let sign = if place < 0 { '-' } else { '+' };
        return format!("{first}{point}{others}e{sign}{:02}", place.unsigned_abs());
    }
    let mut text = String::new();
    if place < 0 {
        let _ = write!(text, "0.{}{kept}", "0".repeat(-place as usize - 1));
        return text;
    }
    let (whole, part) = all.split_at(place as usize + 1);
    let part = part.trim_end_matches('0');
    let point = if part.is_empty() { "" } else { "." };
    format!("{whole}{point}{part}")
}

/// Reads a non-negative decimal of at most 1 in units of [`UNIT`]; digits beyond them are dropped.
pub(super) fn read(text: &str) -> Option<u128> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() + part.len() > 20 || !all_digits(whole) || !all_digits(part) {
        return None;
    }
    let digits: u128 = format!("{whole}{part}").parse().ok()?;
    let shift = exponent.checked_sub(part.len() as i32)?;
    let units = match shift {
        0..=6 => digits * UNIT * 10_u128.pow(shift as u32),
        -30..0 => digits * UNIT / 10_u128.pow(shift.unsigned_abs()),
        _ => return None,
    };
    (units <= UNIT).then_some(units)
}

#[cfg(test)]
mod tests {
    use super::{UNIT, read, write};

    #[test]
    fn written_as_cpp_streams_do() {
        let cases = [
            (0, 7, "0"),
            (1, 1, "1"),
            (1, 2, "0.5"),
            (1, 3, "0.333333"),
            (2, 3, "0.666667"),
            (1, 1024, "0.000976562"),
            (3, 1024, "0.00292969"),
            (1, 10_000, "0.0001"),
            (1, 30_000, "3.33333e-05"),
            (1, 20_000, "5e-05"),
            (9_999_999, 10_000_000, "1"),
            (9_999_994, 10_000_000, "0.999999"),
            (100, 1, "100"),
            (200, 3, "66.6667"),
            (100, 8, "12.5"),
            (1_234_567, 1, "1.23457e+06"),
            (123_456, 1, "123456"),
            (10, 1, "10"),
        ];
        for (numerator, denominator, text) in cases {
            assert_eq!(write(numerator, denominator), text);
        }
    }

    #[test]
    fn read_back() {
        assert_eq!(read("1"), Some(UNIT));
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("0.5"), Some(UNIT / 2));
        assert_eq!(read("0.333333"), Some(333_333_000_000));
        assert_eq!(read("5e-05"), Some(50_000_000));
        for bad in ["", ".", "-1", "x", "1.5", "2", "1e5", "0.5.5", "nan", "1e99999999999", "1e-2147483648"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
