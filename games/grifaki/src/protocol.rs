//! Text in and out. Sees views, never states, so it cannot tell what a seat may not know.

use crate::Grifaki;
use crate::action::{Action, Build, Move};
use crate::kind::{Building, Kind};
use crate::messages::Unreadable;
use crate::view::{Seen, Verdict, View};
use palestra_core::fault::printable;
use palestra_core::text::{Words, push_number, put, put_number, saturating_integer};
use palestra_core::{Parsed, Progress, Protocol, Situation, Unit};

impl Protocol for Grifaki {
    const SITUATIONS: &'static [Situation] = SITUATIONS;
    const UNIT: Unit = Unit::Word;

    fn hello(view: View<'_>, out: &mut Vec<u8>) {
        palestra_grid::hello(view.board(), view.players(), view.seat(), out);
    }

    /// What a bot is told when it is to move: `0`, and a line for every cell.
    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"0\n");
        if view.five_words() {
            palestra_grid::write_lines(out, view.board(), view.rows(), LONGEST_LINE, put_cell::<true>);
        } else {
            palestra_grid::write_lines(out, view.board(), view.rows(), LONGEST_LINE, put_cell::<false>);
        }
    }

    /// Reads an answer by words. A word that cannot stand where it stands ends the reading at once.
    fn parse(_view: View<'_>, bytes: &[u8], _: &mut Progress, action: &mut Action) -> Parsed {
        let mut words = Words::new(bytes);
        match read_action(&mut words) {
            Ok(read) => {
                *action = read;
                Parsed::Done { used: words.used() }
            }
            Err(parsed) => parsed,
        }
    }

    /// Writes an answer as a bot would.
    fn write_answer(action: &Action, out: &mut Vec<u8>) {
        match action {
            Action::Empty => out.extend_from_slice(b"EMPTY"),
            Action::Move(order) => {
                out.extend_from_slice(b"MOVE");
                write_cells(order.from, order.to, out);
                push_number(out, order.amount);
            }
            Action::Build(order) => {
                out.extend_from_slice(b"BUILD");
                write_cells(order.from, order.to, out);
                out.extend_from_slice(order.building.word().as_bytes());
            }
        }
        out.push(b'\n');
    }

    /// The last word to a seat: due as soon as it is out or the game is over.
    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        match view.verdict() {
            None => return false,
            Some(Verdict::Lost) => out.extend_from_slice(b"-1"),
            Some(Verdict::Won(seat)) => push_number(out, seat.number()),
        }
        out.push(b'\n');
        true
    }
}

/// `4294967295 64 1 1 64 FALLEN_CAPITAL` and the line break.
const LONGEST_LINE: usize = 36;

/// Writes the line of one cell at `at` and gives its end.
#[inline]
fn put_cell<const FIVE: bool>(room: &mut [u8], at: usize, seen: Seen) -> usize {
    match seen {
        Seen::Hidden { plain: true } if FIVE => put(room, at, *b"0 0 0 0 PLAIN\n\0\0", 14),
        Seen::Hidden { plain: true } => put(room, at, *b"0 0 0 0 0 PLAIN\n", 16),
        Seen::Hidden { plain: false } if FIVE => put(room, at, *b"0 0 0 0 MOUNTAIN\n\0\0\0\0\0\0\0", 17),
        Seen::Hidden { plain: false } => put(room, at, *b"0 0 0 0 0 MOUNTAIN\n\0\0\0\0\0", 19),
        Seen::Clear { kind, owner, units, wall, original } => {
            let at = put_number::<b' '>(room, at, units);
            let wall = b'0' + u8::from(wall);
            if owner < 10 && original < 10 {
                let text = [b'0' + owner, b' ', wall, b' ', b'1', b' ', b'0' + original, b' '];
                let at = put(room, at, text, if FIVE { 6 } else { 8 });
                put_kind(room, at, kind)
            } else {
                put_long_cell::<FIVE>(room, at, owner, wall, original, kind)
            }
        }
    }
}

#[cold]
fn put_long_cell<const FIVE: bool>(
    room: &mut [u8],
    at: usize,
    owner: u8,
    wall: u8,
    original: u8,
    kind: Kind,
) -> usize {
    let at = put_number::<b' '>(room, at, u32::from(owner));
    let at = put(room, at, [wall, b' ', b'1', b' '], 4);
    let at = if FIVE { at } else { put_number::<b' '>(room, at, u32::from(original)) };
    put_kind(room, at, kind)
}

#[inline]
fn put_kind(room: &mut [u8], at: usize, kind: Kind) -> usize {
    let (text, length) = match kind {
        Kind::Plain => (*b"PLAIN\n..........", 6),
        Kind::City => (*b"CITY\n...........", 5),
        Kind::Capital => (*b"CAPITAL\n........", 8),
        Kind::FallenCapital => (*b"FALLEN_CAPITAL\n.", 15),
        Kind::Mountain => (*b"MOUNTAIN\n.......", 9),
    };
    put(room, at, text, length)
}

pub(crate) fn read_action(words: &mut Words<'_>) -> Result<Action, Parsed> {
    match words.next().ok_or(Parsed::NeedMore)? {
        b"EMPTY" => Ok(Action::Empty),
        b"MOVE" => read_move(words),
        b"BUILD" => read_build(words),
        other => Err(Parsed::malformed(Unreadable::NoAction { word: printable(other) })),
    }
}

fn read_move(words: &mut Words<'_>) -> Result<Action, Parsed> {
    let (from, to) = read_cells(words)?;
    let amount = read_number(words)?;
    Ok(Action::Move(Move { from, to, amount }))
}

fn read_build(words: &mut Words<'_>) -> Result<Action, Parsed> {
    let (from, to) = read_cells(words)?;
    let building = match words.next().ok_or(Parsed::NeedMore)? {
        b"WALL" => Building::Wall,
        b"CITY" => Building::City,
        other => return Err(Parsed::malformed(Unreadable::NoBuilding { word: printable(other) })),
    };
    Ok(Action::Build(Build { from, to, building }))
}

fn read_cells(words: &mut Words<'_>) -> Result<([i64; 2], [i64; 2]), Parsed> {
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = read_number(words)?;
    }
    let [x1, y1, x2, y2] = numbers;
    Ok(([x1, y1], [x2, y2]))
}

fn read_number(words: &mut Words<'_>) -> Result<i64, Parsed> {
    let word = words.next().ok_or(Parsed::NeedMore)?;
    // One of any size can be read; what does not fit is too many in any case, or no place of any board.
    saturating_integer(word).ok_or_else(|| Parsed::malformed(Unreadable::NoInteger { word: printable(word) }))
}

fn write_cells(from: [i64; 2], to: [i64; 2], out: &mut Vec<u8>) {
    out.push(b' ');
    for number in [from, to].as_flattened() {
        push_number(out, *number);
        out.push(b' ');
    }
}

/// Short games that bring out the usual mistakes of a bot.
const SITUATIONS: &[Situation] = &[
    Situation {
        name: "the smallest board: two cells, both capitals",
        map: Some("1 2 2\n@1 @2\n"),
        settings: &[("max_game_duration", "30")],
        seats: &[None, Some("idle")],
    },
    Situation {
        name: "a single column, more rows than columns, second seat",
        map: Some("9 1 2\n.\n@1\n.\n.\nc5#\n.\n.\n@2\n.\n"),
        settings: &[("max_game_duration", "80")],
        seats: &[Some("expander"), None],
    },
    Situation {
        name: "a capital between mountains that has nowhere to go",
        map: Some("3 5 2\n. M . . .\nM @1 M . @2\n. M . . .\n"),
        settings: &[("max_game_duration", "60")],
        seats: &[None, Some("random")],
    },
    Situation {
        name: "the last of eight seats, with opponents that drop out early",
        map: None,
        settings: &[("max_game_duration", "250"), ("height", "16"), ("width", "20")],
        seats: &[
            Some("warlord"),
            Some("random"),
            Some("expander"),
            Some("warlord"),
            Some("idle"),
            Some("random"),
            Some("expander"),
            None,
        ],
    },
    Situation {
        name: "a large board, 50 x 50",
        map: None,
        settings: &[("max_game_duration", "150"), ("height", "50"), ("width", "50")],
        seats: &[None, Some("expander")],
    },
    Situation {
        name: "over after a single tick",
        map: None,
        settings: &[("max_game_duration", "1")],
        seats: &[Some("random"), None],
    },
    Situation {
        name: "a small board with an opponent that does anything",
        map: None,
        settings: &[("max_game_duration", "200"), ("height", "10"), ("width", "12")],
        seats: &[None, Some("random")],
    },
    Situation {
        name: "a strong opponent",
        map: None,
        settings: &[("max_game_duration", "600")],
        seats: &[Some("warlord"), None],
    },
];
