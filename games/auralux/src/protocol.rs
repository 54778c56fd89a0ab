//! The text that bots read and write. Sees views, never states.

use crate::messages::Unreadable;
use crate::state::Order;
use crate::view::View;
use crate::{Auralux, situations};
use palestra_core::text::{leading_integer, push_number};
use palestra_core::{Parsed, Progress, Protocol, Seat, Situation, Unit, push_line};

impl Protocol for Auralux {
    const SITUATIONS: &'static [Situation] = situations::SITUATIONS;
    const UNIT: Unit = Unit::Line;

    /// Who the bot is, how many players and planets there are, and the distance matrix.
    fn hello(view: View<'_>, out: &mut Vec<u8>) {
        let planets = view.planets().len();
        push_line!(out, view.seat().map_or(0, Seat::number), view.seats(), planets);
        for from in 0..planets {
            for (to, distance) in view.map().distances_from(from).iter().enumerate() {
                if to > 0 {
                    out.push(b' ');
                }
                push_number(out, *distance);
            }
            out.push(b'\n');
        }
    }

    /// What the others launched since this player's last turn, and the planets.
    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        let others = || Seat::all(view.seats()).filter(|seat| Some(*seat) != view.seat());
        let moves: usize = others().map(|seat| view.launches(seat).len()).sum();
        push_line!(out, moves);
        for seat in others() {
            push_launches(view, seat, out);
        }
        push_planets(view, out);
    }

    /// Reads the number of orders and then one order a line. What follows the numbers on a line does not matter.
    fn parse(view: View<'_>, bytes: &[u8], progress: &mut Progress, orders: &mut Vec<Order>) -> Parsed {
        if progress.read == 0 {
            orders.clear();
            if let Some(parsed) = parse_count(view, bytes, progress) {
                return parsed;
            }
        }
        while orders.len() < progress.count as usize {
            let Some(line) = progress.next_line(bytes) else {
                return Parsed::NeedMore;
            };
            let Some([from, to, count]) = numbers(line) else {
                return Parsed::malformed(Unreadable::BadOrder { order: orders.len() as u64 + 1 });
            };
            orders.push(Order { from, to, count });
        }
        Parsed::Done { used: progress.read }
    }

    /// Writes an answer as a bot would.
    fn write_answer(orders: &Vec<Order>, out: &mut Vec<u8>) {
        push_line!(out, orders.len());
        for order in orders {
            push_line!(out, order.from, order.to, order.count);
        }
    }

    /// Everybody gets `-1` when the game is over, and nobody before.
    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        if view.is_over() {
            out.extend_from_slice(b"-1\n");
        }
        view.is_over()
    }
}

/// A line `player from to count` for each launch of a player's latest turn.
pub(crate) fn push_launches(view: View<'_>, seat: Seat, out: &mut Vec<u8>) {
    for launch in view.launches(seat) {
        push_line!(out, seat.number(), launch.from + 1, launch.to + 1, launch.ships);
    }
}

/// A line `player ships level armor` for each planet.
pub(crate) fn push_planets(view: View<'_>, out: &mut Vec<u8>) {
    for planet in view.planets() {
        push_line!(out, planet.owner, planet.ships, planet.level, planet.armor);
    }
}

/// Reads the first line; says what came of it if that is not the number of orders.
fn parse_count(view: View<'_>, bytes: &[u8], progress: &mut Progress) -> Option<Parsed> {
    let limit = view.settings().max_orders_per_turn;
    let Some(line) = progress.next_line(bytes) else {
        return Some(Parsed::NeedMore);
    };
    let Some([count]) = numbers(line) else {
        return Some(Parsed::malformed(Unreadable::BadCount {}));
    };
    match u32::try_from(count).ok().filter(|count| *count <= limit) {
        Some(count) => {
            progress.count = count;
            None
        }
        None => Some(Parsed::malformed(Unreadable::CountOutOfRange { count, limit })),
    }
}

/// The integers a line begins with, as C++ streams read them.
fn numbers<const N: usize>(mut line: &[u8]) -> Option<[i32; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        let (value, used) = leading_integer(line)?;
        *number = i32::try_from(value).ok()?;
        line = &line[used..];
    }
    Some(numbers)
}
