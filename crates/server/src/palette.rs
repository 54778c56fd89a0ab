//! The colours of seats, for the page and for a terminal beside it.

/// What they are called, in the order of the seats; beyond the last it begins again.
///
/// The first eight are Okabe and Ito's, which stay apart for every common kind of colour blindness; the others are their
/// darker and lighter relatives, told apart from them by letter and pattern.
pub const SEAT_COLOURS: [(&str, u32); 16] = [
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
