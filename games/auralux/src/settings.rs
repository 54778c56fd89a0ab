//! Every constant of the rules.

palestra_core::settings! {
    /// The constants of Auralux. The ranges keep every sum of ships far below 64 bits.
    pub struct Settings {
        /// Full steps until the game is over; with 0 it is a draw at once.
        max_steps: u32 = 10_000, in 0..=1_000_000;
        /// Ships on each player's planet at the start.
        start_ships: u32 = 100, in 0..=1_000_000;
        /// Ships that capturing a neutral planet destroys.
        capture_cost: u32 = 100, in 0..=1_000_000;
        /// Ships that raising a planet destroys: from level 1, from level 2.
        upgrade_cost: [u32; 2] = [100, 200], in 0..=1_000_000;
        /// Full armor of levels 1, 2 and 3.
        armor: [u32; 3] = [100, 200, 300], in 0..=1_000_000;
        /// Ships that a planet produces in a turn, for each of its levels.
        production_multiplier: u32 = 1, in 0..=1000;
        /// Groups that one player may have in flight; one more perishes.
        max_groups_in_space: u32 = 1000, in 0..=100_000;
        /// Orders in one answer; one more disqualifies. The most that are sure to fit into an answer's bytes.
        max_orders_per_turn: u32 = 1000, in 0..=25_000;
        /// The longest distance between two planets of a map.
        max_distance: u32 = 100, in 1..=1000;
        /// Planets of a map.
        max_planets: u32 = 20, in 2..=128;
        /// Players of a map.
        max_players: u32 = 4, in 2..=8;
    }
}

/// The top level of a planet.
pub const TOP_LEVEL: u8 = 3;

impl Settings {
    /// Full armor of a level.
    pub fn full_armor(&self, level: u8) -> u32 {
        match level {
            0 => 0,
            _ => self.armor[usize::from(level) - 1],
        }
    }

    /// What capturing a neutral planet costs, and raising one of level 1 and of level 2.
    pub(crate) fn costs(&self) -> [u32; 3] {
        [self.capture_cost, self.upgrade_cost[0], self.upgrade_cost[1]]
    }

    /// What raising a planet of this level costs, repairs not counted; `None` where it cannot be raised.
    pub(crate) fn cost_to_raise(&self, level: u8) -> Option<u32> {
        match level {
            0 | TOP_LEVEL.. => None,
            _ => Some(self.upgrade_cost[usize::from(level) - 1]),
        }
    }
}
