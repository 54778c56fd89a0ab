//! The map generator: random, connected, with capitals far apart, or an error that says what to change.
//!
//! Mountains are raised one by one, and only where everything else stays connected, so that there may be fewer of them
//! than their share. Everything here ends after a bounded number of steps.

use crate::Board;
use crate::map::{Base, Map};
use crate::settings::{Settings, Shares};
use palestra_core::{Rng, SetupError};
use palestra_grid::{FAR, Terrain};

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

/// Makes a map.
pub(crate) fn generate(
    settings: &Settings,
    [height, width, players]: [u32; 3],
    seed: u64,
) -> Result<Map, SetupError> {
    let shares = check_request(settings, height, width, players)?;
    let mut rng = Rng::stream(seed, "grifaki map", 0);
    let mut draft = Draft { terrain: Terrain::new(height as usize, width as usize) };
    draft.raise_mountains(shares.mountains, &mut rng);
    let mut capitals = draft.place_capitals(players as usize, &mut rng);
    rng.shuffle(&mut capitals);
    let mut sites: Vec<Base> = draft
        .terrain
        .mountain
        .iter()
        .map(|mountain| if *mountain { Base::Mountain } else { Base::LAND })
        .collect();
    for (player, at) in (1..).zip(&capitals) {
        sites[*at] = Base::Capital { player };
    }
    let mut land: Vec<usize> = (0..sites.len()).filter(|at| sites[*at] == Base::LAND).collect();
    rng.shuffle(&mut land);
    for at in land.into_iter().take(shares.cities) {
        sites[at] = Base::City { units: settings.neutral_city_army };
    }
    let sites = sites.into_iter().map(Base::bare).collect();
    Ok(Map::new(Board::new(height as u16, width as u16), players as u8, sites))
}

fn check_request(settings: &Settings, height: u32, width: u32, players: u32) -> Result<Shares, SetupError> {
    settings.limits().check(height, width, players)?;
    let area = (height * width) as usize;
    let shares = settings.shares(area)?;
    let free = area - shares.mountains;
    if free < players as usize {
        return Err(SetupError::new(format!(
            "a map of {height} x {width} cells has {free} that are no mountains, and {players} players need one each; \
             ask for a larger map, fewer players or fewer mountains"
        )));
    }
    Ok(shares)
}

/// A map in the making.
struct Draft {
    terrain: Terrain,
}

impl Draft {
    fn raise_mountains(&mut self, wanted: usize, rng: &mut Rng) {
        let mut order: Vec<usize> = (0..self.terrain.area()).collect();
        let mut missing = wanted;
        let mut budget = FLOOD_BUDGET;
        for _ in 0..ROUNDS {
            rng.shuffle(&mut order);
            for &at in &order {
                if missing == 0 {
                    return;
                }
                if !self.terrain.mountain[at] && self.can_be_mountain(at, &mut budget) {
                    self.terrain.mountain[at] = true;
                    missing -= 1;
                }
            }
        }
    }

    /// Whether what is no mountain stays connected without this cell.
    fn can_be_mountain(&mut self, at: usize, budget: &mut usize) -> bool {
        // The last cell stays free.
        let (neighbours, pieces) = self.terrain.pieces_around(at, |next| !self.terrain.mountain[next]);
        if neighbours > 0 && pieces <= 1 {
            return true;
        }
        // Its neighbours may still be connected the long way round.
        if *budget < self.terrain.area() {
            return false;
        }
        *budget -= self.terrain.area();
        self.terrain.mountain[at] = true;
        let first = self.terrain.land().next().unwrap_or(at);
        let distances = self.terrain.distances(&[first], |_| false);
        let whole = self.terrain.land().all(|cell| distances[cell] != FAR);
        self.terrain.mountain[at] = false;
        whole
    }

    /// The cells of the capitals: each as far as possible, more or less, from all before it.
    fn place_capitals(&self, players: usize, rng: &mut Rng) -> Vec<usize> {
        let free: Vec<usize> = self.terrain.land().collect();
        let mut best: (u32, Vec<usize>) = (0, Vec::new());
        for _ in 0..PLACEMENTS {
            let mut capitals = vec![free[rng.below(free.len() as u32) as usize]];
            let mut nearest = FAR;
            while capitals.len() < players {
                let distances = self.terrain.distances(&capitals, |_| false);
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
}
