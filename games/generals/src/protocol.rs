//! Text in and out. Sees views, never states, so it cannot tell what a seat may not know.

use crate::Generals;
use crate::action::{Action, Amount, Move};
use crate::messages::Unreadable;
use crate::state::Kind;
use crate::view::{Seen, View};
use palestra_core::fault::printable;
use palestra_core::text::{Words, integer, push_number, put, put_number, short_number};
use palestra_core::{Parsed, Progress, Protocol, Situation, Unit, push_line};

impl Protocol for Generals {
    const SITUATIONS: &'static [Situation] = SITUATIONS;
    const UNIT: Unit = Unit::Word;

    fn hello(view: View<'_>, out: &mut Vec<u8>) {
        palestra_grid::hello(view.board(), view.players(), view.seat(), out);
    }

    /// What a bot is told when it is to move: `1`, everybody's totals, and every cell.
    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"1\n");
        for totals in view.totals() {
            push_line!(out, totals.army, totals.land);
        }
        palestra_grid::write_lines(out, view.board(), view.rows(), LONGEST_LINE, put_cell);
    }

    /// Reads an answer by words. A word that is no integer, or no option where one is due, ends the reading at once.
    fn parse(_view: View<'_>, bytes: &[u8], _: &mut Progress, action: &mut Action) -> Parsed {
        let mut words = Words::new(bytes);
        let Some(option) = words.next() else {
            return Parsed::NeedMore;
        };
        let amount = match integer(option) {
            Some(-1) => {
                *action = Action::Pass;
                return Parsed::Done { used: words.used() };
            }
            Some(1) => Amount::AllButOne,
            Some(2) => Amount::Half,
            Some(other) => {
                return Parsed::malformed(Unreadable::NoOption { option: other });
            }
            None => return no_integer(option),
        };
        let mut numbers = [0; 4];
        for number in &mut numbers {
            let Some(word) = words.next() else {
                return Parsed::NeedMore;
            };
            match integer(word) {
                Some(value) => *number = value,
                None => return no_integer(word),
            }
        }
        let [row, column, to_row, to_column] = numbers;
        *action = Action::Move(Move { amount, from: [row, column], to: [to_row, to_column] });
        Parsed::Done { used: words.used() }
    }

    /// Writes an answer as a bot would.
    fn write_answer(action: &Action, out: &mut Vec<u8>) {
        let Action::Move(order) = action else {
            out.extend_from_slice(b"-1\n");
            return;
        };
        out.push(match order.amount {
            Amount::AllButOne => b'1',
            Amount::Half => b'2',
        });
        for number in [order.from, order.to].as_flattened() {
            out.push(b' ');
            push_number(out, *number);
        }
        out.push(b'\n');
    }

    /// The last word to a seat: due as soon as it is out or the game is over.
    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        let due = view.is_over();
        if due {
            out.extend_from_slice(b"0\n");
        }
        due
    }
}

/// `1 2 64 4294967295` and the line break.
const LONGEST_LINE: usize = 18;

/// Writes the line of one cell at `at` and gives its end.
#[inline]
fn put_cell(room: &mut [u8], at: usize, seen: Seen) -> usize {
    match seen {
        Seen::Hidden { obstacle } => put(room, at, [b'0', b' ', b'1' + u8::from(obstacle), b'\n'], 4),
        Seen::Plain { kind: Kind::Mountain, .. } => put(room, at, *b"1 4\n", 4),
        Seen::Plain { kind, owner, units } => {
            let kind = b'0' + kind as u8;
            match short_number::<b'\n'>(units) {
                Some(([a, b, c, d], length)) if owner < 10 => {
                    let line = [b'1', b' ', kind, b' ', b'0' + owner, b' ', a, b, c, d, 0, 0];
                    put(room, at, line, 6 + length)
                }
                _ => put_long_cell(room, at, kind, owner, units),
            }
        }
    }
}

#[cold]
fn put_long_cell(room: &mut [u8], at: usize, kind: u8, owner: u8, units: u32) -> usize {
    let at = put(room, at, [b'1', b' ', kind, b' '], 4);
    let at = put_number::<b' '>(room, at, u32::from(owner));
    put_number::<b'\n'>(room, at, units)
}

fn no_integer(word: &[u8]) -> Parsed {
    Parsed::malformed(Unreadable::NoInteger { word: printable(word) })
}

/// Short games that bring out the usual mistakes of a bot.
const SITUATIONS: &[Situation] = &[
    Situation {
        name: "the smallest board: two cells, both capitals",
        map: Some("1 2 2\n3 3\n"),
        settings: &[("max_turns", "20")],
        seats: &[None, Some("rest")],
    },
    Situation {
        name: "a single column, more rows than columns, second seat",
        map: Some("9 1 2\n1\n3\n1\n1\n2 3\n1\n1\n3\n1\n"),
        settings: &[("max_turns", "60")],
        seats: &[Some("greedy"), None],
    },
    Situation {
        name: "a capital between mountains that has nowhere to go",
        map: Some("3 5 2\n1 4 1 1 1\n4 3 4 1 3\n1 4 1 1 1\n"),
        settings: &[("max_turns", "30")],
        seats: &[None, Some("random")],
    },
    Situation {
        name: "the last of eight seats, with opponents that drop out early",
        map: None,
        settings: &[("max_turns", "150"), ("map_rows", "16"), ("map_columns", "20")],
        seats: &[
            Some("hunter"),
            Some("random"),
            Some("greedy"),
            Some("hunter"),
            Some("rest"),
            Some("random"),
            Some("greedy"),
            None,
        ],
    },
    Situation {
        name: "the largest usual board, 50 x 50",
        map: None,
        settings: &[("max_turns", "120"), ("map_rows", "50"), ("map_columns", "50")],
        seats: &[None, Some("greedy")],
    },
    Situation {
        name: "over after a single round",
        map: None,
        settings: &[("max_turns", "1")],
        seats: &[Some("random"), None],
    },
    Situation {
        name: "a whole game against an opponent that only rests",
        map: None,
        settings: &[("map_rows", "10"), ("map_columns", "12")],
        seats: &[None, Some("rest")],
    },
    Situation { name: "a strong opponent", map: None, settings: &[], seats: &[Some("hunter"), None] },
];
