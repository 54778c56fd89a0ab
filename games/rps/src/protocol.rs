//! Text in and out. Sees views, never states, so it cannot tell what a seat may not know. Works on bytes alone, so
//! that pipes and sockets are the same to it.

use crate::Rps;
use crate::action::{Action, Direction, Order};
use crate::state::Kind;
use crate::view::{Owner, Verdict, View};
use palestra_core::text::{is_space, push_number};
use palestra_core::{Parsed, Progress, Protocol, Situation, Unit};

impl Protocol for Rps {
    const SITUATIONS: &'static [Situation] = SITUATIONS;
    const UNIT: Unit = Unit::Line;

    /// Nothing: the first packet says it all.
    fn hello(_view: View<'_>, _out: &mut Vec<u8>) {}

    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        packet(view, out);
    }

    /// Reads an answer: lines up to one with a point. No answer is malformed; lines that say nothing are counted.
    fn parse(_view: View<'_>, bytes: &[u8], progress: &mut Progress, action: &mut Action) -> Parsed {
        // Without the last line there is nothing to do yet.
        let Some(used) = end_of_answer(bytes, progress) else {
            return Parsed::NeedMore;
        };
        action.clear();
        for line in bytes[..used].split(|byte| *byte == b'\n') {
            match read_line(line) {
                Line::Move(order) => action.orders.push(order),
                Line::Produce(kind) => action.production = Some(kind),
                Line::Unreadable => action.unreadable += 1,
                Line::Nothing => {}
            }
        }
        Parsed::Done { used }
    }

    /// Writes an answer as a bot would. Lines that could not be read are a question mark each.
    fn write_answer(action: &Action, out: &mut Vec<u8>) {
        for order in &action.orders {
            push_number(out, order.unit);
            out.push(b' ');
            out.extend_from_slice(order.direction.word().as_bytes());
            out.push(b'\n');
        }
        if let Some(kind) = action.production {
            out.extend_from_slice(b"prod ");
            out.extend_from_slice(&[kind.letter(), b'\n']);
        }
        for _ in 0..action.unreadable.min(MOST_UNREADABLE) {
            out.extend_from_slice(b"?\n");
        }
        out.extend_from_slice(b".\n");
    }

    /// The last words: when the match is over, both players get the packet of the tick that will not be played.
    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        let due = view.verdict().is_some();
        if due {
            packet(view, out);
        }
        due
    }
}

/// The packet: everything a player is told, before each of its ticks and once more at the end.
pub(crate) fn packet(view: View<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"tick ");
    push_number(out, view.tick());
    out.extend_from_slice(b"\nversus ");
    match view.versus() {
        None => out.extend_from_slice(b"bot"),
        Some(number) => push_number(out, number),
    }
    out.extend_from_slice(b"\nsoldiers ");
    push_number(out, view.own_count() + view.enemy_count());
    out.push(b'\n');
    for soldier in view.soldiers() {
        push_number(out, soldier.id);
        // The rest of the line is put together first, so that it is appended only once.
        let side = if soldier.ally { b'A' } else { b'E' };
        let mut rest = [b' ', side, b' ', soldier.kind.letter(), b' ', 0, 0, 0, 0, 0, 0];
        let [x, y] = view.place(soldier.at);
        let end = put_coordinate(&mut rest, 5, x, b' ');
        let end = put_coordinate(&mut rest, end, y, b'\n');
        out.extend_from_slice(&rest[..end]);
    }
    for (name, owner) in [b'r', b'd'].into_iter().zip(view.bases()) {
        let owner = match owner {
            Owner::Ally => b'A',
            Owner::Enemy => b'E',
            Owner::Neutral => b'N',
        };
        out.extend_from_slice(b"base ");
        out.extend_from_slice(&[name, b' ', owner, b'\n']);
    }
    out.extend_from_slice(b"prod ");
    push_number(out, view.unit_ticks());
    for spent in view.spent() {
        out.push(b' ');
        push_number(out, spent);
    }
    out.push(b'\n');
    if let Some(verdict) = view.verdict() {
        out.extend_from_slice(match verdict {
            Verdict::Victory => b"finished victory\n".as_slice(),
            Verdict::Defeat => b"finished defeat\n",
            Verdict::Draw => b"finished draw\n",
        });
    }
    out.extend_from_slice(b".\n");
}

/// Writes a number of one or two digits, which every coordinate is, and what follows it; gives the end of it.
#[inline]
fn put_coordinate(line: &mut [u8; 11], mut at: usize, number: u16, behind: u8) -> usize {
    if number >= 10 {
        line[at] = b'0' + (number / 10) as u8;
        at += 1;
    }
    line[at] = b'0' + (number % 10) as u8;
    line[at + 1] = behind;
    at + 2
}

/// The number of bytes up to the end of the first line that is a point; the lines before need not be looked at again.
fn end_of_answer(bytes: &[u8], progress: &mut Progress) -> Option<usize> {
    loop {
        if is_end(progress.next_line(bytes)?) {
            return Some(progress.read);
        }
    }
}

fn is_end(line: &[u8]) -> bool {
    let mut words = words(line);
    words.next() == Some(b".") && words.next().is_none()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| is_space(*byte)).filter(|word| !word.is_empty())
}

/// What one line of an answer says.
enum Line {
    Move(Order),
    Produce(Kind),
    /// The point at the end, a blank line, or a line to the server that belongs to no answer.
    Nothing,
    Unreadable,
}

fn read_line(line: &[u8]) -> Line {
    let mut words = words(line);
    let Some(first) = words.next() else {
        return Line::Nothing;
    };
    match (first, words.next(), words.next()) {
        // What a client says to the server around matches; it may come at any moment.
        (b"pong" | b"opponent" | b"login", ..) | (b".", None, _) => Line::Nothing,
        (b"prod", Some(kind), None) => read_kind(kind).map_or(Line::Unreadable, Line::Produce),
        (unit, Some(direction), None) => match (read_id(unit), read_direction(direction)) {
            (Some(unit), Some(direction)) => Line::Move(Order { unit, direction }),
            _ => Line::Unreadable,
        },
        _ => Line::Unreadable,
    }
}

fn read_id(word: &[u8]) -> Option<u32> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn read_kind(word: &[u8]) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| [kind.letter()] == word)
}

fn read_direction(word: &[u8]) -> Option<Direction> {
    Direction::ALL.into_iter().find(|direction| direction.word().as_bytes() == word)
}

/// As many unreadable lines as an answer can have.
const MOST_UNREADABLE: u32 = (palestra_core::limits::ANSWER_BYTES / 2) as u32;

/// Short games that bring out the usual mistakes of a bot.
pub(crate) const SITUATIONS: &[Situation] = &[
    Situation {
        name: "a whole match against the primitive bot, as the starter",
        map: None,
        settings: &[],
        seats: &[None, Some("bot")],
    },
    Situation {
        name: "over after a single tick, before the second player was asked",
        map: None,
        settings: &[("max_ticks", "1")],
        seats: &[Some("bot"), None],
    },
    Situation {
        name: "the smallest arena, where enemies meet at once",
        map: Some("arena 4\n"),
        settings: &[("first_unit_ticks", "2"), ("max_ticks", "400")],
        seats: &[None, Some("random")],
    },
    Situation {
        name: "a draw at the limit, as the second player",
        map: None,
        settings: &[("max_ticks", "60")],
        seats: &[Some("greedy"), None],
    },
    Situation {
        name: "hundreds of units in a large arena",
        map: Some("arena 40\n"),
        settings: &[("first_unit_ticks", "1"), ("unit_ticks_growth", "0"), ("max_ticks", "600")],
        seats: &[None, Some("random")],
    },
    Situation {
        name: "an enemy that wanders about for a long match",
        map: None,
        settings: &[("hold_ticks", "1000")],
        seats: &[Some("random"), None],
    },
    Situation { name: "a strong opponent", map: None, settings: &[], seats: &[Some("marshal"), None] },
];
