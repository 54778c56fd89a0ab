//! A player of middle strength: every unit for itself, towards the nearest thing worth having.

use super::{begin, distance, produce, towards};
use crate::Rps;
use crate::action::{Action, Direction};
use crate::state::Kind;
use crate::view::{Owner, Seen, Soldier, View};
use palestra_core::{Bot, Fault, Rng};

/// How far a unit goes for an enemy that it beats.
const HUNTING_GROUND: u32 = 5;

pub(super) struct Greedy {
    pub(super) rng: Rng,
}

impl Bot<Rps> for Greedy {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        begin(view, action);
        produce(view, wanted(view), action);
        for unit in view.own() {
            if unit.at == view.enemy_factory() {
                continue;
            }
            if let Some(direction) = self.best_step(view, unit, target(view, unit)) {
                action.order(unit.id, direction);
            }
        }
        Ok(())
    }
}

/// The kind that beats what the enemy has most of; without an enemy, one after the other.
fn wanted(view: View<'_>) -> Kind {
    if view.enemy_count() == 0 {
        return Kind::ALL[view.finished() as usize % 3];
    }
    let mut counts = [0; 3];
    for enemy in view.enemies() {
        counts[enemy.kind as usize] += 1;
    }
    let most = Kind::ALL.into_iter().max_by_key(|kind| counts[*kind as usize]);
    most.unwrap_or(Kind::Rock).beaten_by()
}

/// The nearest of: an enemy it beats, a base to take; else the enemy factory.
fn target(view: View<'_>, unit: Soldier) -> usize {
    let prey = view
        .enemies()
        .filter(|enemy| unit.kind.beats(enemy.kind))
        .map(|enemy| enemy.at)
        .filter(|at| distance(view, unit.at, *at) <= HUNTING_GROUND);
    let bases = view
        .base_cells()
        .into_iter()
        .zip(view.bases())
        .filter(|(_, owner)| *owner != Owner::Ally)
        .map(|(at, _)| at);
    prey.chain(bases).min_by_key(|at| distance(view, unit.at, *at)).unwrap_or(view.enemy_factory())
}

impl Greedy {
    /// A step nearer that does not run into a wall, a friend, or an enemy that it does not beat.
    fn best_step(&mut self, view: View<'_>, unit: Soldier, target: usize) -> Option<Direction> {
        let good = |direction: &Direction| match view.cell(view.next(unit.at, *direction)) {
            Seen::Empty => true,
            Seen::Unit { ally: false, kind, .. } => unit.kind.beats(kind),
            Seen::Wall | Seen::Unit { .. } => false,
        };
        let mut directions = towards(view, unit.at, target).filter(good);
        match (directions.next(), directions.next()) {
            (Some(one), Some(other)) => Some(if self.rng.chance(1, 2) { one } else { other }),
            (one, _) => one,
        }
    }
}
