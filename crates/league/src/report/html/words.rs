//! Numbers as people read them.

/// A count, with a thin space between thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// "1 bot", "40 bots".
pub(super) fn many(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { more })
}

/// Points: as they are, with at most two decimals.
pub(super) fn points(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.2}");
    minus(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A rating, without decimals.
pub(super) fn rating(value: f64) -> String {
    match value {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        value if value.is_nan() => "–".to_owned(),
        value => minus(&format!("{value:.0}")),
    }
}

/// A difference of ratings, with its sign.
pub(super) fn difference(value: f64) -> String {
    let text = rating(value);
    if value.round() > 0.0 { format!("+{text}") } else { text }
}

/// A share as a whole percentage, without the sign.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

fn minus(text: &str) -> String {
    match text.strip_prefix('-') {
        Some("0") => "0".to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, difference, percent, points, rating};

    #[test]
    fn numbers_are_short_and_plain() {
        assert_eq!(count(1234), "1234");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!([points(41.5), points(3.0), points(100.0), points(0.0)], ["41.5", "3", "100", "0"]);
        assert_eq!([points(-0.001), points(2.0 / 3.0), points(-1.25)], ["0", "0.67", "−1.25"]);
        assert_eq!([rating(-0.2), rating(1500.4), rating(f64::NEG_INFINITY)], ["0", "1500", "−∞"]);
        assert_eq!([difference(21.4), difference(-3.0), difference(0.2)], ["+21", "−3", "0"]);
        assert_eq!(percent(0.666), "67");
    }
}
