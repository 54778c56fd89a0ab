//! A strong player: goals are handed out to whom they suit best, and every step is weighed.

use super::{begin, distance, produce, towards};
use crate::Rps;
use crate::action::{Action, Direction};
use crate::state::Kind;
use crate::view::{Owner, Seen, Soldier, View};
use palestra_core::{Bot, Fault, Rng};

/// What a step nearer to a goal is worth; everything else is measured by it.
const STEP: i32 = 10;
/// What an enemy is worth more for each step that it is nearer to the own factory than [`ALARM`].
const NEARER: i32 = 15;
/// Enemies within so many steps of the own factory are attackers.
const ALARM: i32 = 18;
/// An enemy on the own factory.
const INTRUDER: i32 = 300;
/// Beating somebody.
const WIN: i32 = 90;
/// Vanishing together with an equal unit, if that is welcome.
const TRADE: i32 = 50;
/// Standing next to somebody who beats the unit.
const DANGER: i32 = 120;
/// Standing on the own factory, where nothing new can appear then.
const IN_THE_WAY: i32 = 15;
/// Standing on the enemy factory.
const HOLDING: i32 = 100;
/// For production: an enemy to be beaten, and what it counts more for each step that it is nearer than [`ALARM`].
const TO_BEAT: i32 = 16;
const TO_BEAT_NEARER: i32 = 2;
/// For production: a unit of that kind that is there already.
const THERE_ALREADY: i32 = 40;

/// What it makes of the goals that there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Style {
    /// An enemy to be beaten.
    pub(super) prey: i32,
    /// A base to be taken.
    pub(super) base: i32,
    /// The enemy factory, for the stronger side and for the weaker one.
    pub(super) conquest: [i32; 2],
}

impl Style {
    pub(super) const USUAL: Style = Style { prey: 60, base: 160, conquest: [240, 180] };
}

pub(super) struct Marshal {
    style: Style,
    rng: Rng,
    ranks: Vec<Rank>,
    /// The enemies, and whether somebody is on the way to each.
    enemies: Vec<(Soldier, bool)>,
    /// What stands where once the orders given so far are carried out, by cell.
    board: Vec<Seen>,
}

/// A unit and what it is for.
#[derive(Clone, Copy)]
struct Rank {
    unit: Soldier,
    goal: usize,
    /// Whether it still has no goal.
    free: bool,
    /// Whether it may be given up for its goal.
    bold: bool,
    /// Whether it has had its order.
    done: bool,
    steps: u32,
}

/// Something to do for a unit.
#[derive(Clone, Copy)]
struct Task {
    value: i32,
    rank: usize,
    goal: usize,
    /// The enemy to be beaten, by its place in the list.
    prey: Option<usize>,
}

impl Bot<Rps> for Marshal {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        begin(view, action);
        produce(view, self.wanted(view), action);
        self.board.clear();
        self.board.extend((0..view.indexes()).map(|at| view.cell(at)));
        self.enemies.clear();
        self.enemies.reserve(view.most_at_once());
        self.enemies.extend(view.enemies().map(|enemy| (enemy, false)));
        self.ranks.clear();
        self.ranks.reserve(view.most_at_once());
        self.ranks.extend(view.own().map(|unit| Rank {
            unit,
            goal: unit.at,
            free: true,
            bold: false,
            done: false,
            steps: 0,
        }));
        self.hand_out_goals(view);
        self.ranks.sort_unstable_by_key(|rank| (rank.steps, rank.unit.id));
        for place in 0..self.ranks.len() {
            self.order(view, place, action);
        }
        Ok(())
    }
}

impl Marshal {
    pub(super) fn new(seed: u64) -> Marshal {
        Marshal {
            style: Style::USUAL,
            rng: Rng::new(seed),
            ranks: Vec::new(),
            enemies: Vec::new(),
            board: Vec::new(),
        }
    }

    /// Plays on in another style.
    pub(super) fn take_on(&mut self, style: Style) {
        self.style = style;
    }

    /// What is worth producing: what beats the enemy's units, the nearer ones first, and is not there for it yet.
    pub(super) fn wanted(&mut self, view: View<'_>) -> Kind {
        if view.enemy_count() == 0 && view.own_count() == 0 {
            // Nobody knows anything yet.
            return view.producing().unwrap_or(Kind::ALL[self.rng.below(3) as usize]);
        }
        let (mut own, mut enemy) = ([0_i32; 3], [0_i32; 3]);
        for unit in view.own() {
            own[unit.kind as usize] += 1;
        }
        for unit in view.enemies() {
            let near = (ALARM - distance(view, unit.at, view.own_factory()) as i32).max(0);
            enemy[unit.kind as usize] += TO_BEAT + TO_BEAT_NEARER * near;
        }
        let value = |kind: Kind| {
            let prey = kind.beaten_by().beaten_by();
            let saved = view.spent()[kind as usize] as i32;
            2 * enemy[prey as usize] - enemy[kind.beaten_by() as usize] - THERE_ALREADY * own[kind as usize]
                + saved
        };
        Kind::ALL.into_iter().max_by_key(|kind| value(*kind)).unwrap_or(Kind::Rock)
    }

    /// The best of all pairs of a unit and a task first, and so on until every unit has a goal.
    fn hand_out_goals(&mut self, view: View<'_>) {
        let mut bases = view.bases().map(|owner| owner != Owner::Ally);
        while let Some(task) = self.best_task(view, bases) {
            let rank = &mut self.ranks[task.rank];
            rank.free = false;
            rank.goal = task.goal;
            rank.steps = distance(view, rank.unit.at, task.goal);
            match task.prey {
                Some(prey) => {
                    rank.bold = task.goal == view.own_factory();
                    self.enemies[prey].1 = true;
                }
                None => {
                    for (base, open) in view.base_cells().into_iter().zip(&mut bases) {
                        *open &= base != task.goal;
                    }
                }
            }
        }
    }

    fn best_task(&self, view: View<'_>, bases: [bool; 2]) -> Option<Task> {
        let stronger = view.own_count() >= view.enemy_count() + 2 || view.enemy_count() == 0;
        let conquest = self.style.conquest[usize::from(!stronger)];
        let mut best: Option<Task> = None;
        for (rank, Rank { unit, .. }) in self.ranks.iter().enumerate().filter(|(_, rank)| rank.free) {
            let mut consider = |value: i32, goal: usize, prey: Option<usize>| {
                let value = value - STEP * distance(view, unit.at, goal) as i32;
                if best.is_none_or(|best| value > best.value) {
                    best = Some(Task { value, rank, goal, prey });
                }
            };
            for (place, (enemy, taken)) in self.enemies.iter().enumerate() {
                let intruder = enemy.at == view.own_factory();
                if *taken || !(unit.kind.beats(enemy.kind) || intruder && unit.kind == enemy.kind) {
                    continue;
                }
                let near = (ALARM - distance(view, enemy.at, view.own_factory()) as i32).max(0);
                let value = self.style.prey + NEARER * near + if intruder { INTRUDER } else { 0 };
                consider(value - if unit.kind == enemy.kind { TRADE } else { 0 }, enemy.at, Some(place));
            }
            for (base, open) in view.base_cells().into_iter().zip(bases) {
                if open {
                    consider(self.style.base, base, None);
                }
            }
            consider(conquest, view.enemy_factory(), None);
        }
        best
    }

    /// Gives a unit its order. Whoever of its own side stands in the best way is asked to go on first.
    fn order(&mut self, view: View<'_>, place: usize, action: &mut Action) {
        let rank = self.ranks[place];
        if rank.done {
            return;
        }
        self.ranks[place].done = true;
        for direction in towards(view, rank.unit.at, rank.goal) {
            let to = view.next(rank.unit.at, direction);
            if let Seen::Unit { id, ally: true, .. } = self.board[to]
                && let Some(blocking) = self.ranks.iter().position(|other| other.unit.id == id && !other.done)
            {
                self.order(view, blocking, action);
            }
        }
        let first = self.rng.below(4) as usize;
        if let Some(direction) = self.best_step(view, rank, first) {
            self.carry_out(view, rank.unit, direction);
            action.order(rank.unit.id, direction);
        }
    }

    /// The step with the best prospects, of equal ones the first from some direction on; `None` stays.
    fn best_step(&self, view: View<'_>, rank: Rank, first: usize) -> Option<Direction> {
        let mut best = (self.worth(view, rank, rank.unit.at), None);
        for direction in Direction::ALL.into_iter().cycle().skip(first).take(4) {
            let to = view.next(rank.unit.at, direction);
            let worth = match self.board[to] {
                Seen::Wall | Seen::Unit { ally: true, .. } => continue,
                Seen::Empty => self.worth(view, rank, to),
                Seen::Unit { kind, .. } if rank.unit.kind.beats(kind) => WIN + self.worth(view, rank, to),
                Seen::Unit { kind, .. } if kind == rank.unit.kind && trades(view, to) => {
                    TRADE + self.worth(view, rank, rank.unit.at)
                }
                Seen::Unit { .. } => continue,
            };
            if worth > best.0 {
                best = (worth, Some(direction));
            }
        }
        best.1
    }

    /// What it is worth for a unit to stand somewhere.
    fn worth(&self, view: View<'_>, rank: Rank, at: usize) -> i32 {
        let mut worth = -STEP * distance(view, at, rank.goal) as i32;
        for direction in Direction::ALL {
            if let Seen::Unit { ally: false, kind, .. } = self.board[view.next(at, direction)]
                && kind.beats(rank.unit.kind)
                && !rank.bold
            {
                worth -= DANGER;
            }
        }
        if at == view.own_factory() {
            worth -= IN_THE_WAY;
        }
        if at == view.enemy_factory() {
            worth += HOLDING;
        }
        worth
    }

    fn carry_out(&mut self, view: View<'_>, unit: Soldier, direction: Direction) {
        let to = view.next(unit.at, direction);
        let both_vanish = matches!(self.board[to], Seen::Unit { kind, .. } if kind == unit.kind);
        self.board[to] = if both_vanish { Seen::Empty } else { self.board[unit.at] };
        self.board[unit.at] = Seen::Empty;
    }
}

/// Whether giving a unit for an equal one there is fine.
fn trades(view: View<'_>, at: usize) -> bool {
    at == view.own_factory() || view.own_count() > view.enemy_count()
}
