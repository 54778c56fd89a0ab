//! The map generator: random, connected, and fair, or an error that says what to change.
//!
//! Fair means: every capital has the same land within a radius, up to a tolerance; every player has the same number
//! of cities that are nearer to its capital than to any other, at least one where the board has room; and these cities
//! come at the same walking distances, up to one step. Of several such placements of the capitals, one is taken that divides
//! the land evenly and keeps them far apart.
//! No city has to be taken to get anywhere. Everything here ends after a bounded number of tries.

use crate::Board;
use crate::map::{Map, Site};
use crate::settings::Settings;
use palestra_core::{Rng, SetupError};
use palestra_grid::{FAR, Terrain};
use std::cmp::Ordering;

/// Maps that are begun before giving up; each has fewer mountains than the one before, the last ones none.
const TRIES: u32 = 40;
/// Choices of a first capital on one map, of which the best is taken.
const PLACEMENTS: usize = 16;
/// How many cells of difference between two realms one more step between capitals makes up for.
const STEP_WORTH: i64 = 4;
/// Distances that are tried for one city of each player.
const CITY_TRIES: u32 = 12;
/// Never smaller: capitals are not next to one another.
const LEAST_DISTANCE: u32 = 2;
/// How far the walking distances of matching cities may differ.
const CITY_SLACK: u32 = 1;

/// Makes a map.
pub(crate) fn generate(
    settings: &Settings,
    [rows, columns, players]: [u32; 3],
    seed: u64,
) -> Result<Map, SetupError> {
    check_request(settings, rows, columns, players)?;
    let mut rng = Rng::stream(seed, "generals map", 0);
    let wish = Wish::new(settings, rows, columns, players);
    let mut without_cities = None;
    for attempt in 0..TRIES {
        let mut draft = Draft::new(Board::new(rows as u16, columns as u16));
        // Three quarters of the tries get by with fewer and fewer mountains; the rest has none.
        let percent =
            settings.map_mountain_percent * (TRIES * 3 / 4).saturating_sub(attempt) / (TRIES * 3 / 4);
        draft.raise_mountains(percent, &mut rng);
        draft.connect(&mut rng);
        // A distance that nobody asked for gives way step by step.
        let distance = match settings.map_capital_distance {
            0 => (wish.distance - wish.distance * attempt / TRIES).max(LEAST_DISTANCE),
            asked => asked.max(LEAST_DISTANCE),
        };
        if draft.place_capitals(&wish, distance, &mut rng) {
            draft.place_cities(settings, &mut rng);
            if !draft.cities.is_empty() || settings.map_city_percent == 0 {
                return Ok(draft.finish(settings, &mut rng));
            }
            // Other mountains and capitals may leave room for a city each.
            without_cities.get_or_insert(draft);
        }
    }
    if let Some(draft) = without_cities {
        return Ok(draft.finish(settings, &mut rng));
    }
    Err(SetupError::new(format!(
        "no fair map of {rows} x {columns} cells for {players} players was found; {}",
        if settings.map_capital_distance > LEAST_DISTANCE {
            "lower map_capital_distance, raise map_fair_tolerance, or ask for a larger map"
        } else {
            "ask for a larger map or fewer players, or raise map_fair_tolerance"
        }
    )))
}

fn check_request(settings: &Settings, rows: u32, columns: u32, players: u32) -> Result<(), SetupError> {
    settings.limits().check(rows, columns, players)?;
    let error = |text: String| Err(SetupError::new(text));
    let [least, most] = settings.neutral_city_army;
    if least > most {
        return error(format!(
            "setting neutral_city_army is [{least}, {most}], and the first number must not be the greater one"
        ));
    }
    let longest = rows + columns - 2;
    if settings.map_capital_distance > longest && settings.map_mountain_percent == 0 {
        return error(format!(
            "no two cells of {rows} x {columns} are {} steps apart; lower map_capital_distance",
            settings.map_capital_distance
        ));
    }
    // Capitals that are not next to one another fill at most every other cell.
    if players > (rows * columns).div_ceil(2) {
        return error(format!(
            "{rows} x {columns} cells have no room for {players} capitals that are not next to one another; \
             ask for a larger map or fewer players"
        ));
    }
    Ok(())
}

/// What a fair map is, in numbers.
struct Wish {
    players: usize,
    distance: u32,
    radius: u32,
    tolerance: u32,
}

impl Wish {
    fn new(settings: &Settings, rows: u32, columns: u32, players: u32) -> Wish {
        let radius = match settings.map_fair_radius {
            0 => fair_radius(rows, columns, players),
            asked => asked,
        };
        // Far enough that the surroundings that are compared do not meet, and further on long, thin boards.
        let natural = fair_radius(rows, columns, players);
        let distance = (2 * natural + 1).max((rows + columns - 2) / (players + 1));
        Wish { players: players as usize, distance, radius, tolerance: settings.map_fair_tolerance }
    }
}

/// The largest radius whose cells, on open land, are at most half of a player's share of the board.
fn fair_radius(rows: u32, columns: u32, players: u32) -> u32 {
    const MOST: u32 = 10;
    let share = rows * columns / players / 2;
    (1..=MOST).rev().find(|r| 2 * r * (r + 1) < share).unwrap_or(1)
}

/// A map in the making, row by row without a ring.
struct Draft {
    board: Board,
    terrain: Terrain,
    capitals: Vec<usize>,
    cities: Vec<usize>,
    /// By cell, whether it is one of the cities.
    city: Vec<bool>,
    /// By capital: the walking distance of every cell.
    distances: Vec<Vec<u32>>,
}

impl Draft {
    fn new(board: Board) -> Draft {
        Draft {
            board,
            terrain: Terrain::new(usize::from(board.rows()), usize::from(board.columns())),
            capitals: Vec::new(),
            cities: Vec::new(),
            city: vec![false; board.area()],
            distances: Vec::new(),
        }
    }

    fn raise_mountains(&mut self, percent: u32, rng: &mut Rng) {
        let mut order: Vec<usize> = (0..self.board.area()).collect();
        rng.shuffle(&mut order);
        let count = self.board.area() * percent as usize / 100;
        for at in &order[..count] {
            self.terrain.mountain[*at] = true;
        }
    }

    /// Takes mountains away until all land is in one piece.
    fn connect(&mut self, rng: &mut Rng) {
        let mut order: Vec<usize> = (0..self.board.area()).filter(|at| self.terrain.mountain[*at]).collect();
        rng.shuffle(&mut order);
        let mut pieces = Pieces::new(self.board.area());
        for at in 0..self.board.area() {
            if !self.terrain.mountain[at] {
                self.join(&mut pieces, at);
            }
        }
        // First what joins two pieces by itself; what then still lies apart is dug out step by step, and as the
        // order is walked again every time, it ends at the latest with the last mountain.
        while !self.in_one_piece(&mut pieces) {
            let bridge = order.iter().position(|&at| {
                let mut around = self.terrain.neighbours(at).filter(|next| !self.terrain.mountain[*next]);
                around.next().is_some_and(|first| {
                    let piece = pieces.find(first);
                    around.any(|next| pieces.find(next) != piece)
                })
            });
            let taken = order.swap_remove(bridge.unwrap_or(0));
            self.terrain.mountain[taken] = false;
            self.join(&mut pieces, taken);
        }
    }

    fn join(&self, pieces: &mut Pieces, at: usize) {
        for next in self.terrain.neighbours(at) {
            if !self.terrain.mountain[next] {
                pieces.join(at, next);
            }
        }
    }

    fn in_one_piece(&self, pieces: &mut Pieces) -> bool {
        let mut land = self.terrain.land();
        let Some(first) = land.next() else { return true };
        let piece = pieces.find(first);
        land.all(|at| pieces.find(at) == piece)
    }

    /// Puts the capitals where they are far enough apart and have the same land around them; says whether it could.
    fn place_capitals(&mut self, wish: &Wish, distance: u32, rng: &mut Rng) -> bool {
        let land = self.land_within(wish.radius);
        let mut order: Vec<usize> = self.terrain.land().collect();
        rng.shuffle(&mut order);
        // Cramped places last: a capital in a dead end is fair if everybody has one, and dull.
        let mut by_land = order.clone();
        by_land.sort_by_key(|at| std::cmp::Reverse(land[*at]));
        let roomy = by_land.get(by_land.len() / 2).map_or(0, |at| land[*at]);
        order.sort_by_key(|at| land[*at] < roomy);
        // Anywhere at first; close together only where nothing else fits.
        for tight in [false, true] {
            let mut best: Option<(i64, Vec<usize>)> = None;
            for &first in order.iter().take(PLACEMENTS) {
                let least = land[first].saturating_sub(wish.tolerance / 2);
                let most = least + wish.tolerance;
                let fits: Vec<usize> =
                    order.iter().copied().filter(|at| (least..=most).contains(&land[*at])).collect();
                if self.spread_capitals(wish.players, first, &fits, distance, tight, rng) {
                    let cost = self.cost();
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, self.capitals.clone()));
                    }
                }
            }
            if let Some((_, capitals)) = best {
                self.distances =
                    capitals.iter().map(|at| self.terrain.distances(&[*at], |_| false)).collect();
                self.capitals = capitals;
                return true;
            }
        }
        false
    }

    /// What speaks against these capitals: realms of different size, and capitals close together.
    fn cost(&self) -> i64 {
        let mut sizes = vec![0; self.capitals.len()];
        for at in self.terrain.land() {
            if let Some(player) = self.ruler(at) {
                sizes[player] += 1;
            }
        }
        let unevenness = sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0);
        let nearest = self
            .distances
            .iter()
            .flat_map(|steps| self.capitals.iter().map(|at| steps[*at]))
            .filter(|steps| *steps > 0)
            .min();
        unevenness - STEP_WORTH * i64::from(nearest.unwrap_or(0))
    }

    /// Whose capital is nearer to a cell than all others; nobody's if two are equally near.
    fn ruler(&self, at: usize) -> Option<usize> {
        let mut best = (FAR, None);
        for (player, steps) in self.distances.iter().enumerate() {
            match steps[at].cmp(&best.0) {
                Ordering::Less => best = (steps[at], Some(player)),
                Ordering::Equal => best.1 = None,
                Ordering::Greater => {}
            }
        }
        best.1
    }

    fn spread_capitals(
        &mut self,
        players: usize,
        first: usize,
        fits: &[usize],
        distance: u32,
        tight: bool,
        rng: &mut Rng,
    ) -> bool {
        self.capitals.clear();
        self.distances.clear();
        let mut nearest = vec![FAR; self.board.area()];
        let mut next = Some(first);
        while let Some(at) = next {
            let walk = self.terrain.distances(&[at], |_| false);
            for (near, steps) in nearest.iter_mut().zip(&walk) {
                *near = (*near).min(*steps);
            }
            self.capitals.push(at);
            self.distances.push(walk);
            if self.capitals.len() == players {
                return true;
            }
            let open: Vec<usize> =
                fits.iter().copied().filter(|at| (distance..FAR).contains(&nearest[*at])).collect();
            next = if tight {
                open.iter().copied().min_by_key(|at| nearest[*at])
            } else {
                rng.pick(&open).copied()
            };
        }
        false
    }

    /// For every cell of land: how much land is within so many steps of it, itself included.
    fn land_within(&self, radius: u32) -> Vec<u32> {
        let mut seen = vec![usize::MAX; self.board.area()];
        let mut queue = Vec::new();
        let mut land = vec![0; self.board.area()];
        for start in 0..self.board.area() {
            if self.terrain.mountain[start] {
                continue;
            }
            queue.clear();
            queue.push((start, 0));
            seen[start] = start;
            let mut head = 0;
            while let Some(&(at, steps)) = queue.get(head) {
                head += 1;
                if steps == radius {
                    continue;
                }
                for next in self.terrain.neighbours(at) {
                    if !self.terrain.mountain[next] && seen[next] != start {
                        seen[next] = start;
                        queue.push((next, steps + 1));
                    }
                }
            }
            land[start] = queue.len() as u32;
        }
        land
    }

    /// Gives every player one city after the other, at matching distances, as long as that works.
    fn place_cities(&mut self, settings: &Settings, rng: &mut Rng) {
        let players = self.capitals.len();
        if settings.map_city_percent == 0 {
            return;
        }
        let each = (self.board.area() * settings.map_city_percent as usize / 100 / players).max(1);
        // By player: the cells that are nearer to its capital than to any other, but not next to it.
        let mut realms = vec![Vec::new(); players];
        for at in self.terrain.land() {
            if let Some(player) = self.ruler(at)
                && self.distances[player][at] >= 2
            {
                realms[player].push(at);
            }
        }
        let reach = |player: usize| realms[player].iter().map(|at| self.distances[player][*at]).max();
        let Some(reach) = (0..players).map(reach).min().flatten() else {
            return;
        };
        for _ in 0..each {
            let placed = (0..CITY_TRIES).any(|_| {
                let steps = rng.between(2, reach.max(2));
                self.place_matching_cities(&realms, steps, rng)
            });
            if !placed {
                break;
            }
        }
        // On a small board few distances work, and chance may have missed them.
        if self.cities.is_empty() {
            let _ = (0..CITY_TRIES)
                .flat_map(|_| 2..=reach)
                .any(|steps| self.place_matching_cities(&realms, steps, rng));
        }
    }

    /// A city for every player, all about so many steps from its capital; all of them or none.
    fn place_matching_cities(&mut self, realms: &[Vec<usize>], steps: u32, rng: &mut Rng) -> bool {
        let before = self.cities.len();
        for (player, realm) in realms.iter().enumerate() {
            let mut fits: Vec<usize> = realm
                .iter()
                .copied()
                .filter(|at| (steps..=steps + CITY_SLACK).contains(&self.distances[player][*at]))
                .filter(|at| !self.city[*at])
                .collect();
            rng.shuffle(&mut fits);
            let Some(at) = fits.into_iter().find(|at| !self.bars_the_way(*at)) else {
                for at in self.cities.drain(before..) {
                    self.city[at] = false;
                }
                return false;
            };
            self.cities.push(at);
            self.city[at] = true;
        }
        true
    }

    /// Whether a city here would cut other land off.
    fn bars_the_way(&self, at: usize) -> bool {
        let open = |next: usize| !self.terrain.mountain[next] && !self.city[next];
        let (_, pieces) = self.terrain.pieces_around(at, open);
        if pieces <= 1 {
            return false;
        }
        let steps = self.terrain.distances(&[self.capitals[0]], |next| next == at || self.city[next]);
        (0..self.board.area()).any(|next| next != at && open(next) && steps[next] == FAR)
    }

    fn finish(self, settings: &Settings, rng: &mut Rng) -> Map {
        let mut sites: Vec<Site> = self
            .terrain
            .mountain
            .iter()
            .map(|mountain| if *mountain { Site::Mountain } else { Site::Empty })
            .collect();
        for at in &self.capitals {
            sites[*at] = Site::Capital;
        }
        let [least, most] = settings.neutral_city_army;
        for at in &self.cities {
            sites[*at] = Site::City { units: rng.between(least, most) };
        }
        Map::new(self.board, sites)
    }
}

/// Which cells hang together: a union-find.
struct Pieces(Vec<usize>);

impl Pieces {
    fn new(count: usize) -> Pieces {
        Pieces((0..count).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
    }
}
