//! What the viewer's colours of seats are called, for those who read a terminal beside it.

use palestra_core::Seat;

/// The viewer's colours in its order; beyond the last it begins again.
const COLOURS: [(&str, u32); 16] = [
    ("blue", 0x00_72_b2),
    ("vermilion", 0xd5_5e_00),
    ("green", 0x00_9e_73),
    ("pink", 0xcc_79_a7),
    ("orange", 0xe6_9f_00),
    ("sky blue", 0x56_b4_e9),
    ("yellow", 0xf0_e4_42),
    ("purple", 0x8f_6b_c4),
    ("dark blue", 0x00_40_6b),
    ("brown", 0x8a_3d_00),
    ("dark green", 0x00_5c_43),
    ("plum", 0x8c_3f_69),
    ("light green", 0xb5_d9_9c),
    ("light blue", 0xa8_d8_f5),
    ("peach", 0xf7_b8_9a),
    ("grey", 0x6e_6e_6e),
];

/// A seat's colour: a square of it, for terminals that can, and its name.
pub(crate) fn colour(seat: Seat) -> String {
    let (name, value) = COLOURS[seat.index() % COLOURS.len()];
    let [_, red, green, blue] = value.to_be_bytes();
    format!("\x1b[38;2;{red};{green};{blue}m■\x1b[0m {name}")
}

#[cfg(test)]
mod tests {
    use super::{COLOURS, colour};
    use palestra_core::Seat;
    use std::path::Path;

    #[test]
    fn they_are_the_viewers() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/kit/palette.ts");
        let text = std::fs::read_to_string(file).unwrap();
        let (_, fills) = text.split_once("FILLS = [").unwrap();
        let fills: Vec<&str> = fills.split(']').next().unwrap().split(',').map(str::trim).collect();
        let ours: Vec<String> = COLOURS.iter().map(|(_, value)| format!("'#{value:06x}'")).collect();
        assert_eq!(fills[..fills.len() - 1], ours);
    }

    #[test]
    fn every_seat_has_one() {
        assert_eq!(anstream::adapter::strip_str(&colour(Seat::new(1))).to_string(), "■ blue");
        assert_eq!(anstream::adapter::strip_str(&colour(Seat::new(18))).to_string(), "■ vermilion");
    }
}
