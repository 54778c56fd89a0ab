//! Every constant of the rules and of the map generator. The rules code has no numbers of its own.

palestra_core::settings! {
    /// The constants of Generals.
    pub struct Settings {
        /// Rounds until the game ends and the largest army wins.
        max_turns: u32 = 1000, in 1..=1_000_000;
        /// Every so many rounds each owned city and each capital gets one more unit.
        city_growth_every: u32 = 2, in 1..=1_000_000;
        /// Every so many rounds each owned empty cell gets one more unit.
        land_growth_every: u32 = 50, in 1..=1_000_000;
        /// The fewest and the most units that the map generator puts into a neutral city.
        neutral_city_army: [u32; 2] = [35, 55], in 0..=1_000_000;
        /// Whether an attack that exactly cancels the defenders takes the cell, with 0 units left in it.
        tie_captures: bool = false;
        /// Units in each capital at the start.
        start_army: u32 = 1, in 1..=1_000_000;
        /// The most rows and the most columns of a map.
        max_side: u32 = 50, in 1..=200;
        /// The most players of a map.
        max_players: u32 = 16, in 2..=64;
        /// Rows of the map that is made for a match without one.
        map_rows: u32 = 20, in 1..=200;
        /// Columns of the map that is made for a match without one.
        map_columns: u32 = 20, in 1..=200;
        /// The least walking distance between two capitals of a generated map; 0 chooses it from the size of the map.
        map_capital_distance: u32 = 0, in 0..=400;
        /// The walking distance from a capital within which the land of all players is compared; 0 chooses it from
        /// the size of the map.
        map_fair_radius: u32 = 0, in 0..=50;
        /// By how many cells the land within that distance may differ between two players.
        map_fair_tolerance: u32 = 2, in 0..=1000;
        /// Mountains of a generated map, in percent of all cells. Fewer where so many would cut the map into pieces.
        map_mountain_percent: u32 = 20, in 0..=60;
        /// Cities of a generated map, in percent of all cells, the same number for each player. Fewer where they
        /// would not be fair.
        map_city_percent: u32 = 3, in 0..=30;
    }
}

impl Settings {
    /// How large a map may be.
    pub(crate) fn limits(&self) -> palestra_grid::Limits {
        palestra_grid::Limits { side: self.max_side, players: self.max_players }
    }
}
