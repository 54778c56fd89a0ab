//! Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
use crate::protocol::{send_ships, Answer, Game};

const CAPTURE_COST: i64 = 100;
const TOP_LEVEL: i64 = 3;

/// The orders of a turn: send_ships(...), with planets counted from 1.
pub fn choose(game: &Game) -> Vec<Answer> {
    let mut orders = Vec::new();
    for (here, planet) in game.planets.iter().enumerate() {
        let number = here as i64 + 1;
        if planet.owner != game.me || planet.ships == 0 {
            continue;
        }
        if planet.level < TOP_LEVEL || planet.armor < 100 * planet.level {
            if planet.level > 0 || planet.ships >= CAPTURE_COST {
                orders.push(send_ships(number, number, planet.ships)); // capture, repair or raise
            }
        } else if planet.ships > CAPTURE_COST {
            if let Some(target) = nearest_weak(game, here) {
                orders.push(send_ships(number, target as i64 + 1, planet.ships));
            }
        }
    }
    orders
}

/// The planet of somebody else that is best to attack from here.
fn nearest_weak(game: &Game, here: usize) -> Option<usize> {
    let cost = |there: &usize| {
        let planet = &game.planets[*there];
        game.distances[here * game.planets.len() + there] + (planet.ships + planet.armor) / 2
    };
    (0..game.planets.len()).filter(|there| game.planets[*there].owner != game.me).min_by_key(cost)
}
