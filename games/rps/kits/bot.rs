//! Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
use crate::protocol::{
    produce, step, Answer, Game, Soldier, ALLY, DOWN, LEFT, PAPER, RIGHT, ROCK, SCISSORS, UP,
};

/// Your factory is at (0, 0), the enemy's at (LAST, LAST).
const LAST: i64 = 19;
/// Each beats the one before it.
const KINDS: [&str; 3] = [ROCK, PAPER, SCISSORS];

/// The lines of an answer: step(id, direction) and produce(kind).
pub fn choose(game: &Game) -> Vec<Answer> {
    let mut soldiers = game.soldiers.clone();
    let allies = soldiers.iter().filter(|soldier| soldier.side == ALLY).count();
    let mut answer = vec![produce(KINDS[allies % 3])];
    for i in 0..soldiers.len() {
        let soldier = &soldiers[i];
        if soldier.side != ALLY {
            continue;
        }
        let (x, y) = goal(game, soldier);
        let (dx, dy) = ((x - soldier.x).signum(), (y - soldier.y).signum());
        if dx != 0 && is_free(&soldiers, soldier, soldier.x + dx, soldier.y) {
            answer.push(step(soldier.id, if dx > 0 { RIGHT } else { LEFT }));
            soldiers[i].x += dx;
        } else if dy != 0 && is_free(&soldiers, soldier, soldier.x, soldier.y + dy) {
            answer.push(step(soldier.id, if dy > 0 { DOWN } else { UP }));
            soldiers[i].y += dy;
        }
    }
    answer
}

/// The nearest of the enemy's factory and the bases that are not ours.
fn goal(game: &Game, soldier: &Soldier) -> (i64, i64) {
    let mut goals = vec![(LAST, LAST)];
    if game.base_r != ALLY {
        goals.push((LAST, 0));
    }
    if game.base_d != ALLY {
        goals.push((0, LAST));
    }
    let steps = |(x, y): &(i64, i64)| (x - soldier.x).abs() + (y - soldier.y).abs();
    goals.into_iter().min_by_key(steps).expect("at least one")
}

/// Whether nobody is there but an enemy that it beats.
fn is_free(soldiers: &[Soldier], soldier: &Soldier, x: i64, y: i64) -> bool {
    let other = soldiers.iter().find(|other| other.x == x && other.y == y);
    other.map_or(true, |other| other.side != ALLY && beats(&soldier.kind, &other.kind))
}

fn beats(kind: &str, other: &str) -> bool {
    let number = |kind: &str| KINDS.iter().position(|one| *one == kind).expect("a kind");
    number(kind) == (number(other) + 1) % 3
}
