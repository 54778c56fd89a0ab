//! Grows its planets to the top, then throws whatever is spare at one target after the other.

use super::{order, own_seat};
use crate::Auralux;
use crate::settings::Settings;
use crate::state::{Order, Planet, bit, bits};
use crate::view::View;
use palestra_core::{Bot, Fault, Rng};

/// How it puts its targets in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// By distance from the start planet.
    Nearest,
    /// By chance.
    Random,
}

pub(super) struct Expansion {
    choice: Choice,
    most_ships_first: bool,
    seed: u64,
    /// All planets in the order they are aimed at; made in the first turn.
    targets: Vec<u8>,
    /// Own planets in the order they are considered.
    sorted: Vec<u8>,
}

impl Expansion {
    pub(super) fn new(choice: Choice, most_ships_first: bool, seed: u64) -> Expansion {
        Expansion { choice, most_ships_first, seed, targets: Vec::new(), sorted: Vec::new() }
    }

    fn prepare(&mut self, view: View<'_>) {
        let map = view.map();
        self.targets = (0..map.planets() as u8).collect();
        self.sorted = Vec::with_capacity(map.planets());
        match self.choice {
            Choice::Nearest => {
                let start = map.start(own_seat(view));
                self.targets.sort_by_key(|&planet| map.distance(start, usize::from(planet)));
            }
            Choice::Random => Rng::stream(self.seed, "targets", 0).shuffle(&mut self.targets),
        }
    }
}

impl Bot<Auralux> for Expansion {
    fn act(&mut self, view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        orders.clear();
        if self.targets.is_empty() {
            self.prepare(view);
        }
        let seat = own_seat(view);
        let mut turn = Turn {
            planets: view.planets(),
            settings: view.settings(),
            targets: &self.targets,
            taken: view.producing(seat),
            target: None,
            groups_left: view.settings().max_groups_in_space - view.groups(seat),
            orders,
        };
        if self.most_ships_first {
            self.sorted.clear();
            self.sorted.extend(bits(view.owned(seat)).map(|planet| planet as u8));
            // Unstable sorting takes no memory; the planet's number makes the order complete.
            self.sorted
                .sort_unstable_by_key(|&planet| (u64::MAX - turn.planets[usize::from(planet)].ships, planet));
            for &planet in &self.sorted {
                turn.consider(usize::from(planet));
            }
        } else {
            for planet in bits(view.owned(seat)) {
                turn.consider(planet);
            }
        }
        orders.truncate(view.settings().max_orders_per_turn as usize);
        Ok(())
    }
}

struct Turn<'a> {
    planets: &'a [Planet],
    settings: &'a Settings,
    targets: &'a [u8],
    /// Own planets of level 1 and more: no targets.
    taken: u128,
    /// The target of this turn, once it was looked for.
    target: Option<Option<usize>>,
    /// Groups that may still leave before the limit in space.
    groups_left: u32,
    orders: &'a mut Vec<Order>,
}

impl Turn<'_> {
    #[inline]
    fn consider(&mut self, planet: usize) {
        let Planet { ships, level, armor, .. } = self.planets[planet];
        if level == 0 {
            if ships >= u64::from(self.settings.capture_cost) {
                self.orders.push(order(planet, planet, ships));
            }
            return;
        }
        let missing = u64::from(self.settings.full_armor(level) - armor);
        if let Some(cost) = self.settings.cost_to_raise(level) {
            let enough = ships >= u64::from(cost) + missing;
            if ships > 0 && (enough || missing > 0) {
                self.orders.push(order(planet, planet, ships));
            }
            return;
        }
        let repairs = missing.min(ships);
        if repairs > 0 {
            self.orders.push(order(planet, planet, repairs));
        }
        // Groups that can capture what they reach, so there are not too many of them.
        let spare = ships - repairs;
        if spare >= u64::from(self.settings.capture_cost.max(1))
            && self.groups_left > 0
            && let Some(target) = self.next_target()
        {
            self.groups_left -= 1;
            self.orders.push(order(planet, target, spare));
        }
    }

    fn next_target(&mut self) -> Option<usize> {
        *self.target.get_or_insert_with(|| {
            let free = |planet: &usize| self.taken & bit(*planet) == 0;
            self.targets.iter().map(|&planet| usize::from(planet)).find(free)
        })
    }
}
