//! The map generator: random, connected, with capitals far apart, or an error that says what to change.
//!
//! Mountains are raised one by one, and only where everything else stays connected, so that there may be fewer of them
//! than their share. Everything here ends after a bounded number of steps.

use crate::map::{Base, Map};
use crate::settings::{Settings, Shares};
use palestra_core::{Rng, SetupError};
use std::collections::VecDeque;

/// Choices of a first capital, of which the best is taken.
const PLACEMENTS: usize = 16;
/// A capital may be this much nearer to the others than the farthest cell is, in percent, so that it is not always in
/// a corner.
const SLACK_PERCENT: u32 = 15;
/// Rounds through the whole board while mountains are still missing.
const ROUNDS: usize = 4;
/// Cells that are looked at in all to tell whether the board would fall apart; beyond that only the surroundings of a
/// mountain are asked.
const FLOOD_BUDGET: usize = 20_000_000;
/// Not in reach.
const FAR: u32 = u32::MAX;

/// Makes a map.
pub(crate) fn generate(
    settings: &Settings,
    height: u32,
    width: u32,
    players: u32,
    seed: u64,
) -> Result<Map, SetupError> {
    let shares = check_request(settings, height, width, players)?;
    let mut rng = Rng::stream(seed, "grifaki map", 0);
    let mut draft = Draft::new(height as usize, width as usize);
    draft.raise_mountains(shares.mountains, &mut rng);
    let mut capitals = draft.place_capitals(players as usize, &mut rng);
    rng.shuffle(&mut capitals);
    let mut sites: Vec<Base> =
        draft.mountain.iter().map(|mountain| if *mountain { Base::Mountain } else { Base::LAND }).collect();
    for (player, at) in (1..).zip(&capitals) {
        sites[*at] = Base::Capital { player };
    }
    let mut land: Vec<usize> = (0..sites.len()).filter(|at| sites[*at] == Base::LAND).collect();
    rng.shuffle(&mut land);
    for at in land.into_iter().take(shares.cities) {
        sites[at] = Base::City { units: settings.neutral_city_army };
    }
    let sites = sites.into_iter().map(Base::bare).collect();
    Ok(Map::new(height as u16, width as u16, players as u8, sites))
}

fn check_request(settings: &Settings, height: u32, width: u32, players: u32) -> Result<Shares, SetupError> {
    let error = |text: String| Err(SetupError::new(text));
    for (side, what) in [(height, "rows"), (width, "columns")] {
        if side < 1 || side > settings.max_side {
            return error(format!(
                "a map of {side} {what} was asked for, and it must have 1 to {}; change it, or the setting max_side",
                settings.max_side
            ));
        }
    }
    if players < 2 || players > settings.max_players {
        return error(format!(
            "a map for {players} players was asked for, and it must be for 2 to {}; change it, or the setting max_players",
            settings.max_players
        ));
    }
    let area = (height * width) as usize;
    let shares = settings.shares(area)?;
    let free = area - shares.mountains;
    if free < players as usize {
        return error(format!(
            "a map of {height} x {width} cells has {free} that are no mountains, and {players} players need one each; \
             ask for a larger map, fewer players or fewer mountains"
        ));
    }
    Ok(shares)
}

/// A map in the making, row by row without a ring.
struct Draft {
    height: usize,
    width: usize,
    mountain: Vec<bool>,
}

impl Draft {
    fn new(height: usize, width: usize) -> Draft {
        Draft { height, width, mountain: vec![false; height * width] }
    }

    fn raise_mountains(&mut self, wanted: usize, rng: &mut Rng) {
        let mut order: Vec<usize> = (0..self.mountain.len()).collect();
        let mut missing = wanted;
        let mut budget = FLOOD_BUDGET;
        for _ in 0..ROUNDS {
            rng.shuffle(&mut order);
            for &at in &order {
                if missing == 0 {
                    return;
                }
                if !self.mountain[at] && self.can_be_mountain(at, &mut budget) {
                    self.mountain[at] = true;
                    missing -= 1;
                }
            }
        }
    }

    /// Whether what is no mountain stays connected without this cell.
    fn can_be_mountain(&mut self, at: usize, budget: &mut usize) -> bool {
        if self.surroundings_hold(at) {
            return true;
        }
        // Its neighbours may still be connected the long way round.
        if *budget < self.mountain.len() {
            return false;
        }
        *budget -= self.mountain.len();
        self.mountain[at] = true;
        let distances =
            self.distances(&[(0..self.mountain.len()).find(|at| !self.mountain[*at]).unwrap_or(at)]);
        let whole = (0..self.mountain.len()).all(|cell| self.mountain[cell] || distances[cell] != FAR);
        self.mountain[at] = false;
        whole
    }

    /// Whether the free neighbours of a cell are connected with one another by the eight cells around it. At least one
    /// must be there: the last free cell stays free.
    fn surroundings_hold(&self, at: usize) -> bool {
        const RING: [(isize, isize); 8] =
            [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
        let (row, column) = ((at / self.width) as isize, (at % self.width) as isize);
        let free = RING.map(|(down, right)| {
            let (row, column) = (row + down, column + right);
            let inside =
                (0..self.height as isize).contains(&row) && (0..self.width as isize).contains(&column);
            inside && !self.mountain[row as usize * self.width + column as usize]
        });
        if free.iter().all(|free| *free) {
            return true;
        }
        // Once around: runs of free cells that have a side neighbour in them. Those are at the odd places.
        let sides = (1..8).step_by(2).filter(|place| free[*place]).count();
        let breaks = (1..8).step_by(2).filter(|&place| {
            // A side neighbour whose run ends right behind it, before the next side neighbour.
            free[place] && !(free[(place + 1) % 8] && free[(place + 2) % 8])
        });
        sides > 0 && breaks.count() <= 1
    }

    /// The cells of the capitals: each as far as possible, more or less, from all before it.
    fn place_capitals(&self, players: usize, rng: &mut Rng) -> Vec<usize> {
        let free: Vec<usize> = (0..self.mountain.len()).filter(|at| !self.mountain[*at]).collect();
        let mut best: (u32, Vec<usize>) = (0, Vec::new());
        for _ in 0..PLACEMENTS {
            let mut capitals = vec![free[rng.below(free.len() as u32) as usize]];
            let mut nearest = FAR;
            while capitals.len() < players {
                let distances = self.distances(&capitals);
                let farthest = free.iter().map(|at| distances[*at]).max().unwrap_or(0);
                let enough = (farthest - farthest * SLACK_PERCENT / 100).max(1);
                let good: Vec<usize> = free.iter().copied().filter(|at| distances[*at] >= enough).collect();
                let Some(&next) = rng.pick(&good) else {
                    break;
                };
                nearest = nearest.min(distances[next]);
                capitals.push(next);
            }
            if capitals.len() == players && nearest > best.0 {
                best = (nearest, capitals);
            }
        }
        best.1
    }

    /// Walking distances from the nearest of some cells.
    fn distances(&self, sources: &[usize]) -> Vec<u32> {
        let mut distances = vec![FAR; self.mountain.len()];
        let mut queue: VecDeque<usize> = sources.iter().copied().collect();
        for source in sources {
            distances[*source] = 0;
        }
        while let Some(at) = queue.pop_front() {
            let column = at % self.width;
            let next = [
                (at >= self.width).then(|| at - self.width),
                (column > 0).then(|| at - 1),
                (column + 1 < self.width).then(|| at + 1),
                (at + self.width < self.mountain.len()).then(|| at + self.width),
            ];
            for next in next.into_iter().flatten() {
                if distances[next] == FAR && !self.mountain[next] {
                    distances[next] = distances[at] + 1;
                    queue.push_back(next);
                }
            }
        }
        distances
    }
}
