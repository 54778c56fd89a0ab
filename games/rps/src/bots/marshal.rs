//! The strongest built-in player.

use super::{begin, distance, produce};
use crate::Rps;
use crate::protocol::{Action, Direction};
use crate::state::Kind;
use crate::view::{Owner, Seen, Soldier, View};
use palestra_core::{Bot, BotSeat, Fault};

struct Marshal {
    /// The units to give orders to, the most urgent first.
    ranks: Vec<Rank>,
    /// What stands where once the orders given so far are carried out, by cell.
    board: Vec<Seen>,
}

/// A unit and what it is for.
#[derive(Clone, Copy)]
struct Rank {
    unit: Soldier,
    goal: usize,
    steps: u32,
    /// Whether it still has no goal.
    free: bool,
    /// Whether it may be given up for its goal.
    bold: bool,
}

/// Makes one.
pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Rps>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Marshal { ranks: Vec::new(), board: Vec::new() }))
}

impl Bot<Rps> for Marshal {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        begin(view, action);
        produce(view, wanted(view), action);
        self.board.clear();
        self.board.extend((0..view.indexes()).map(|at| view.cell(at)));
        self.ranks.clear();
        self.ranks.extend(view.own().map(|unit| Rank {
            unit,
            goal: unit.at,
            steps: 0,
            free: true,
            bold: false,
        }));
        self.assign(view);
        self.ranks.sort_unstable_by_key(|rank| (rank.steps, rank.unit.id));
        for place in 0..self.ranks.len() {
            let rank = self.ranks[place];
            if let Some(direction) = self.best_step(view, rank) {
                self.carry_out(view, rank.unit, direction);
                action.order(rank.unit.id, direction);
            }
        }
        Ok(())
    }
}

/// What is worth producing: the kind that does best against the enemy's units, less those already there for it.
fn wanted(view: View<'_>) -> Kind {
    let (mut own, mut enemy) = ([0_i32; 3], [0_i32; 3]);
    for unit in view.own() {
        own[unit.kind as usize] += 1;
    }
    for unit in view.enemies() {
        // The nearer to the own factory, the more it counts.
        let near = 2 * u32::from(view.size()) - distance(view, unit.at, view.own_factory());
        enemy[unit.kind as usize] += 2 + (near / u32::from(view.size())) as i32;
    }
    let value = |kind: Kind| {
        let prey = Kind::ALL.into_iter().find(|other| kind.beats(*other)).unwrap_or(kind);
        let saved = view.spent()[kind as usize] as i32;
        (8 * enemy[prey as usize] - 3 * enemy[kind.beaten_by() as usize] - 16 * own[kind as usize], saved)
    };
    Kind::ALL.into_iter().max_by_key(|kind| value(*kind)).unwrap_or(Kind::Rock)
}

impl Marshal {
    /// Gives every unit a goal.
    fn assign(&mut self, view: View<'_>) {
        let side = u32::from(view.size());
        let strong = view.own_count() >= view.enemy_count() + 2 || view.enemy_count() == 0;
        // Whoever comes near the own factory is met by the nearest unit that beats it.
        for enemy in view.enemies() {
            if distance(view, enemy.at, view.own_factory()) > side {
                continue;
            }
            let beating = |rank: &Rank| rank.unit.kind.beats(enemy.kind);
            if let Some(rank) = self.nearest(view, enemy.at, beating) {
                rank.goal = enemy.at;
                rank.free = false;
                rank.bold = enemy.at == view.own_factory();
            }
        }
        for (at, owner) in view.base_cells().into_iter().zip(view.bases()) {
            if owner == Owner::Ally {
                continue;
            }
            if let Some(rank) = self.nearest(view, at, |_| true) {
                rank.goal = at;
                rank.free = false;
            }
        }
        for rank in &mut self.ranks {
            if rank.free {
                let prey = view
                    .enemies()
                    .filter(|enemy| rank.unit.kind.beats(enemy.kind))
                    .min_by_key(|enemy| distance(view, rank.unit.at, enemy.at));
                rank.goal = match prey {
                    Some(prey) if !strong || distance(view, rank.unit.at, prey.at) <= 5 => prey.at,
                    _ if strong => view.enemy_factory(),
                    _ => rank.unit.at,
                };
            }
            rank.steps = distance(view, rank.unit.at, rank.goal);
        }
    }

    /// The nearest free unit that fits.
    fn nearest(&mut self, view: View<'_>, at: usize, fits: impl Fn(&Rank) -> bool) -> Option<&mut Rank> {
        let free = self.ranks.iter_mut().filter(|rank| rank.free && fits(rank));
        free.min_by_key(|rank| distance(view, rank.unit.at, at))
    }

    /// The step with the best prospects; `None` stays.
    fn best_step(&self, view: View<'_>, rank: Rank) -> Option<Direction> {
        let mut best = (self.worth(view, rank, rank.unit.at) - 1, None);
        for direction in Direction::ALL {
            let to = view.next(rank.unit.at, direction);
            let gain = match self.board[to] {
                Seen::Wall | Seen::Unit { ally: true, .. } => continue,
                Seen::Empty => 0,
                Seen::Unit { kind, .. } if rank.unit.kind.beats(kind) => 90,
                Seen::Unit { kind, .. } if kind == rank.unit.kind && self.trades(view, to) => {
                    if best.0 < 60 {
                        best = (60, Some(direction));
                    }
                    continue;
                }
                Seen::Unit { .. } => continue,
            };
            let worth = gain + self.worth(view, rank, to);
            if worth > best.0 {
                best = (worth, Some(direction));
            }
        }
        best.1
    }

    /// Whether giving a unit for an equal one is fine.
    fn trades(&self, view: View<'_>, at: usize) -> bool {
        at == view.own_factory() || view.own_count() > view.enemy_count()
    }

    /// What it is worth for a unit to stand somewhere.
    fn worth(&self, view: View<'_>, rank: Rank, at: usize) -> i32 {
        let mut worth = -10 * distance(view, at, rank.goal) as i32;
        for direction in Direction::ALL {
            if let Seen::Unit { ally: false, kind, .. } = self.board[view.next(at, direction)] {
                if kind.beats(rank.unit.kind) && !rank.bold {
                    worth -= 70;
                } else if kind == rank.unit.kind && view.own_count() < view.enemy_count() {
                    worth -= 15;
                }
            }
        }
        if at == view.own_factory() {
            worth -= 15;
        }
        if at == view.enemy_factory() {
            worth += 100;
        }
        worth
    }

    fn carry_out(&mut self, view: View<'_>, unit: Soldier, direction: Direction) {
        let to = view.next(unit.at, direction);
        let before = self.board[to];
        self.board[to] = match before {
            Seen::Unit { kind, .. } if kind == unit.kind => Seen::Empty,
            _ => self.board[unit.at],
        };
        self.board[unit.at] = Seen::Empty;
    }
}
