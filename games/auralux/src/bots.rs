//! Players that run inside this process. They see views, as every bot does, and allocate nothing per turn.

mod admiral;
mod expansion;
mod forecast;
mod navarch;

use crate::Auralux;
use crate::messages::Unreadable;
use crate::state::{Order, bits};
use crate::view::View;
use admiral::{Admiral, Style};
use expansion::{Choice, Expansion};
use palestra_core::{Bot, BotSeat, BuiltIn, Fault, Seat};

pub(crate) const BUILT_INS: &[BuiltIn<Auralux>] = &[
    BuiltIn {
        name: "afk",
        aliases: &[],
        level: None,
        summary: "gives no orders",
        make: |seat| seat.plain(Afk),
    },
    BuiltIn {
        name: "upgrade_and_repair_main",
        aliases: &[],
        level: Some(1),
        summary: "spends all ships on the planets they stand on",
        make: |seat| seat.plain(UpgradeAndRepair),
    },
    BuiltIn {
        name: "aggressive_expansion_nearest",
        aliases: &["aggressive"],
        level: Some(3),
        summary: "raises its planets, then sends what is spare to the target nearest to its start",
        make: |seat| seat.plain(Expansion::new(Choice::Nearest, false, seat.seed)),
    },
    BuiltIn {
        name: "aggressive_expansion_nearest_with_sort",
        aliases: &[],
        level: None,
        summary: "the same, planets with the most ships first",
        make: |seat| seat.plain(Expansion::new(Choice::Nearest, true, seat.seed)),
    },
    BuiltIn {
        name: "aggressive_expansion_random",
        aliases: &[],
        level: Some(2),
        summary: "raises its planets, then sends what is spare to targets in a random order",
        make: |seat| seat.plain(Expansion::new(Choice::Random, false, seat.seed)),
    },
    BuiltIn {
        name: "aggressive_expansion_random_with_sort",
        aliases: &[],
        level: None,
        summary: "the same, planets with the most ships first",
        make: |seat| seat.plain(Expansion::new(Choice::Random, true, seat.seed)),
    },
    BuiltIn {
        name: "admiral",
        aliases: &[],
        level: Some(4),
        summary: "counts ships ahead: expands by value, defends in time, attacks where it wins",
        make: |seat| seat.plain(Admiral::new(Style::USUAL)),
    },
    BuiltIn {
        name: "navarch",
        aliases: &[],
        level: Some(5),
        summary: "plays on from every moment in several of the admiral's styles, and takes the one that comes out best",
        make: |seat| seat.plain(navarch::Navarch::default()),
    },
    BuiltIn {
        name: "disqualify",
        aliases: &["none"],
        level: None,
        summary: "gives no orders, and gives up at its first turn; at its fifth with disqualify:5",
        make: give_up,
    },
];

fn give_up(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Auralux>>, String> {
    let turn = match seat.argument {
        None => 1,
        Some(text) => match text.parse::<u32>() {
            Ok(turn) if turn > 0 => turn,
            _ => return Err(format!("\"{text}\" is no turn to give up at; write disqualify:5")),
        },
    };
    Ok(Box::new(GiveUp { turns_left: turn }))
}

/// The seat a bot looks from.
fn own_seat(view: View<'_>) -> Seat {
    view.seat().expect("a bot looks from its seat")
}

/// An order for planets counted from 0. More ships than an order can name stay behind.
fn order(from: usize, to: usize, ships: u64) -> Order {
    Order { from: from as i32 + 1, to: to as i32 + 1, count: ships.min(i32::MAX as u64) as i32 }
}

struct Afk;

impl Bot<Auralux> for Afk {
    fn act(&mut self, _view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        orders.clear();
        Ok(())
    }
}

struct UpgradeAndRepair;

impl Bot<Auralux> for UpgradeAndRepair {
    fn act(&mut self, view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        orders.clear();
        let most = view.settings().max_orders_per_turn as usize;
        for planet in bits(view.owned(own_seat(view))).take(most) {
            let ships = view.planets()[planet].ships;
            if ships > 0 {
                orders.push(order(planet, planet, ships));
            }
        }
        Ok(())
    }
}

struct GiveUp {
    turns_left: u32,
}

impl Bot<Auralux> for GiveUp {
    fn act(&mut self, _view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        orders.clear();
        self.turns_left = self.turns_left.saturating_sub(1);
        if self.turns_left == 0 {
            return Err(Fault::malformed(Unreadable::Resigned {}.into(), b""));
        }
        Ok(())
    }
}
