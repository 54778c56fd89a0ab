//! What the viewer's colours of seats are called, for those who read a terminal beside it.

use palestra_core::Seat;
use palestra_server::SEAT_COLOURS;

/// A seat's colour: a square of it, for terminals that can, and its name.
pub(crate) fn colour(seat: Seat) -> String {
    let (name, value) = SEAT_COLOURS[seat.index() % SEAT_COLOURS.len()];
    let [_, red, green, blue] = value.to_be_bytes();
    format!("\x1b[38;2;{red};{green};{blue}m■\x1b[0m {name}")
}

#[cfg(test)]
mod tests {
    use super::colour;
    use palestra_core::Seat;

    #[test]
    fn every_seat_has_one() {
        assert_eq!(anstream::adapter::strip_str(&colour(Seat::new(1))).to_string(), "■ blue");
        assert_eq!(anstream::adapter::strip_str(&colour(Seat::new(18))).to_string(), "■ vermilion");
    }
}
