//! The strongest built-in player. It plans whole sequences of moves and compares them by what they bring for each move,
//! within a budget of nodes.
//!
//! Land is taken along the ways of a beam search ([`Ways`]), armies come together along a tree ([`Gather`]) of the size
//! that pays best, and an army that sets out walks where it meets least. Every turn, before it goes on with a plan, it
//! looks whether an enemy's capital falls at once, and whether an army in sight could reach its own.

use super::memory::{Known, Memory};
use super::step;
use crate::action::{Action, Amount};
use crate::view::View;
use crate::{Board, Generals};
use palestra_core::{Bot, BotSeat, Fault};
use palestra_grid::{Arrived, Breadth, Flood, Found, Gather, Ways};

/// Cells looked at in a turn while units are gathered.
const GATHER_NODES: u32 = 12_000;
/// How widely it looks for land.
const LAND: Breadth = Breadth { beam: 6, steps: 16, nodes: 1_500 };
/// What a cell is worth that was nobody's, one that was an enemy's, and one from which more can be taken.
const FREE_LAND: u32 = 10;
const ENEMY_LAND: u32 = 20;
const MORE_BEHIND: u32 = 1;
/// The first units wait in the capital until so many can leave together; fewer on a small board.
const FIRST_ARMY: u32 = 13;
/// From this round on it attacks.
const FIRST_ATTACK: u32 = 50;
/// Land grows at the end of so many rounds; an attack begins in the first of them, with what has grown.
const CYCLE: u32 = 50;
const ATTACKS_BEGIN: u32 = 40;
/// Moves for which armies are gathered before they set out, and steps that an army has before it on average.
const GATHERINGS: [u16; 3] = [8, 14, 20];
const MARCH_STEPS: u64 = 10;
/// Rounds between two attacks in which it takes land.
const PAUSE: u32 = 3;
/// Enemies this near to the capital are looked at as dangers.
const DANGER_STEPS: u16 = 9;
/// An army smaller than this does not set out.
const LEAST_ARMY: u32 = 8;
/// An army smaller than this does not go on.
const LEAST_REST: u32 = 4;
/// How far away from each other two capitals are thought to be.
const CAPITALS_APART: i64 = 15;

pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Generals>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Strategist::default()))
}

#[derive(Default)]
struct Strategist {
    memory: Memory,
    near: Flood,
    far: Flood,
    gather: Gather,
    ways: Ways,
    /// What is still to be done, the next move last.
    plan: Vec<(u16, u16)>,
    /// Where an army sets out from when the plan is done.
    sets_out: Option<u16>,
    /// Where the army that is on the march stands.
    army: Option<u16>,
    /// No attack begins before this round.
    pause: u32,
}

impl Bot<Generals> for Strategist {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        if let Some(seat) = view.seat() {
            let board = view.board();
            if self.memory.look(view, seat.number()) {
                self.near = Flood::new(board);
                self.far = Flood::new(board);
                self.gather = Gather::new(board);
                self.ways = Ways::new(LAND);
                self.plan = Vec::with_capacity(board.indexes());
            }
            let mut turn = Turn { me: seat.number(), board, view, nodes: GATHER_NODES, mind: self };
            if let Some((from, to)) = turn.choose() {
                *action = step(view, Amount::AllButOne, from, to);
            }
        }
        Ok(())
    }
}

struct Turn<'a, 'v> {
    me: u8,
    board: Board,
    view: View<'v>,
    nodes: u32,
    mind: &'a mut Strategist,
}

type Step = (usize, usize);

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Step> {
        if let Some(step) = self.take_capital().or_else(|| self.defend()) {
            return Some(step);
        }
        if let Some(step) = self.march() {
            return Some(step);
        }
        if let Some(step) = self.go_on() {
            return Some(step);
        }
        if let Some(army) = self.mind.sets_out.take() {
            self.mind.army = Some(army);
            if let Some(step) = self.march() {
                return Some(step);
            }
        }
        let round = self.view.round();
        if round < FIRST_ATTACK.max(self.mind.pause) || round % CYCLE >= ATTACKS_BEGIN {
            return self.take_land().or_else(|| self.prepare_attack());
        }
        self.prepare_attack().or_else(|| self.take_land())
    }

    fn known(&self, at: usize) -> Known {
        self.mind.memory.cells[at]
    }

    fn mine(&self, at: usize) -> bool {
        self.known(at).owner == self.me
    }

    fn enemy(&self, at: usize) -> bool {
        self.known(at).enemy_of(self.me)
    }

    fn beats(&self, from: usize, to: usize) -> bool {
        self.known(from).spare() > self.known(to).units
    }

    fn own_cells(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.view.own_cells().iter().map(|at| usize::from(*at))
    }

    /// An enemy's capital that falls at once.
    fn take_capital(&self) -> Option<Step> {
        self.own_cells().find_map(|from| {
            let falls = |to: &usize| self.known(*to).capital && self.enemy(*to) && self.beats(from, *to);
            Some((from, self.board.neighbours(from).into_iter().find(falls)?))
        })
    }

    /// The next move of the plan, if it still makes sense.
    fn go_on(&mut self) -> Option<Step> {
        while let Some((from, to)) = self.mind.plan.pop() {
            let (from, to) = (usize::from(from), usize::from(to));
            if !self.mine(from) || (!self.mine(to) && !self.beats(from, to)) {
                self.mind.plan.clear();
                self.mind.sets_out = None;
                return None;
            }
            if self.known(from).units > 1 {
                return Some((from, to));
            }
        }
        None
    }

    /// Answers the greatest danger to the own capital, if there is one.
    fn defend(&mut self) -> Option<Step> {
        let capital = self.mind.memory.capital;
        let cells = &self.mind.memory.cells;
        self.mind.far.run(self.board, [capital as u16], |at| cells[at].open());
        let far = &self.mind.far;
        let mut worst: Option<(u32, usize, u16)> = None;
        for &at in &far.order {
            let at = usize::from(at);
            let steps = far.steps(at);
            if steps > DANGER_STEPS {
                break;
            }
            if !self.enemy(at) || !self.view.sees(at) {
                continue;
            }
            // What is in its way, and what the capital will have by then.
            let mut resistance = u32::from(steps) / 2;
            let mut on = at;
            while on != capital {
                on = usize::from(far.back(on));
                if self.mine(on) {
                    resistance += self.known(on).units;
                }
            }
            let strength = self.known(at).spare();
            if strength > resistance && worst.is_none_or(|worst| strength - resistance > worst.0) {
                worst = Some((strength - resistance, at, steps));
            }
        }
        let (_, danger, steps) = worst?;
        if self.comes_first(steps) {
            return None;
        }
        self.mind.plan.clear();
        self.mind.sets_out = None;
        let attackers = self.board.neighbours(danger).into_iter().filter(|from| self.mine(*from));
        if let Some(from) = attackers.max_by_key(|from| self.known(*from).units)
            && (self.beats(from, danger) || (steps <= 2 && self.known(from).units > 2 && from != capital))
        {
            return Some((from, danger));
        }
        self.gather_at(capital, steps.max(2));
        self.mind.plan.extend_from_slice(&self.mind.gather.moves);
        let step = self.go_on();
        self.mind.plan.clear();
        step
    }

    /// Whether the army on the march takes a capital before an enemy has taken so many steps.
    fn comes_first(&mut self, steps: u16) -> bool {
        let Some(army) = self.mind.army.map(usize::from).filter(|army| self.mine(*army)) else {
            return false;
        };
        let cells = &self.mind.memory.cells;
        self.mind.near.run(self.board, [army as u16], |at| cells[at].open());
        let near = &self.mind.near;
        let strength = self.known(army).spare();
        near.order.iter().map(|at| usize::from(*at)).any(|at| {
            let cell = self.known(at);
            let way = near.steps(at);
            cell.capital && self.enemy(at) && way < steps && strength > cell.units + 2 * u32::from(way)
        })
    }

    fn gather_at(&mut self, root: usize, longest: u16) {
        let (cells, me) = (&self.mind.memory.cells, self.me);
        let spare = |at: usize| (cells[at].owner == me).then(|| cells[at].spare());
        self.mind.gather.search(self.board, root, longest, &mut self.nodes, spare);
    }

    /// Plans to bring an army together where that is quickest, and to set out with it.
    fn prepare_attack(&mut self) -> Option<Step> {
        // Near the capital an army also guards it while it comes together.
        let root = self.own_cells().max_by_key(|at| {
            4 * i64::from(self.known(*at).units) - self.steps_between(*at, self.mind.memory.capital)
        })?;
        let strength = |turn: &Self| turn.mind.gather.brought + turn.known(root).spare();
        let mut best = (0, 0);
        for longest in GATHERINGS {
            self.gather_at(root, longest);
            let moves = self.mind.gather.moves.len() as u64;
            best = best.max((u64::from(strength(self)) * 1000 / (moves + MARCH_STEPS), longest));
        }
        self.gather_at(root, best.1);
        if strength(self) < LEAST_ARMY {
            return None;
        }
        self.mind.plan.clear();
        self.mind.plan.extend_from_slice(&self.mind.gather.moves);
        self.mind.sets_out = Some(root as u16);
        self.mind.pause = self.view.round() + self.mind.plan.len() as u32 + PAUSE;
        if let Some(step) = self.go_on() {
            return Some(step);
        }
        self.mind.army = self.mind.sets_out.take();
        self.march()
    }

    /// Moves the army on towards what it wants.
    fn march(&mut self) -> Option<Step> {
        let army = usize::from(self.mind.army?);
        self.mind.army = None;
        if !self.mine(army) || self.known(army).units < LEAST_REST {
            self.mind.pause = self.view.round() + PAUSE;
            return None;
        }
        let cells = &self.mind.memory.cells;
        self.mind.near.run(self.board, [army as u16], |at| cells[at].open());
        let goal = self.goal()?;
        // Of all the shortest ways the one that begins with the least resistance.
        let cells = &self.mind.memory.cells;
        self.mind.far.run(self.board, [goal as u16], |at| cells[at].open());
        let far = &self.mind.far;
        let here = far.steps(army);
        let to = self
            .board
            .neighbours(army)
            .into_iter()
            .filter(|to| far.steps(*to) < here && self.known(*to).open())
            .min_by_key(|to| {
                let cell = self.known(*to);
                if self.mine(*to) { -i64::from(cell.spare()) } else { i64::from(cell.units) }
            })?;
        if !self.mine(to) && !self.beats(army, to) {
            self.mind.pause = self.view.round() + PAUSE / 2;
            return None;
        }
        self.mind.army = Some(to as u16);
        Some((army, to))
    }

    /// What the army wants, by the ways just looked at: a capital, or the place where one may well be.
    fn goal(&mut self) -> Option<usize> {
        let near = &self.mind.near;
        let cells = || near.order[1..].iter().map(|at| usize::from(*at));
        let alive =
            |owner: u8| self.view.totals().nth(usize::from(owner) - 1).is_some_and(|total| total.land > 0);
        let capital =
            cells().find(|at| self.known(*at).capital && self.enemy(*at) && alive(self.known(*at).owner));
        if capital.is_some() {
            return capital;
        }
        let known = &self.mind.memory.cells;
        let me = self.me;
        let enemies = cells().filter(|at| known[*at].enemy_of(me)).map(|at| at as u16);
        self.mind.far.run(self.board, enemies, |at| known[at].open());
        let far = &self.mind.far;
        let met = !far.order.is_empty();
        cells()
            .filter(|at| !self.known(*at).seen)
            .min_by_key(|at| {
                let way = i64::from(near.steps(*at));
                if met {
                    way + 3 * i64::from(far.steps(*at))
                } else {
                    way - 2 * self.steps_between(*at, self.mind.memory.capital).min(CAPITALS_APART)
                }
            })
            .or_else(|| cells().find(|at| self.enemy(*at)))
    }

    /// Plans the way on which the most land comes for the fewest moves, and takes its first step.
    fn take_land(&mut self) -> Option<Step> {
        let capital = self.mind.memory.capital;
        if self.view.own_cells().len() == 1 && self.known(capital).units < self.first_army() {
            return None;
        }
        let (board, cells, me) = (self.board, &self.mind.memory.cells, self.me);
        let arrive = |to: usize, units: u32| {
            let cell = cells[to];
            if !cell.seen || !cell.open() {
                return None;
            }
            if cell.owner == me {
                return Some(Arrived { units: units + cell.units, gain: 0 });
            }
            let more = |next: usize| cells[next].open() && cells[next].owner != me;
            let behind = if board.neighbours(to).into_iter().any(more) { MORE_BEHIND } else { 0 };
            let worth = if cell.owner == 0 { FREE_LAND } else { ENEMY_LAND };
            (units > cell.units).then(|| Arrived { units: units - cell.units, gain: worth + behind })
        };
        self.mind.ways.clear();
        let mut best = None;
        for from in self.view.own_cells().iter().map(|at| usize::from(*at)) {
            if cells[from].units >= 2 {
                let found = self.mind.ways.search(board, from, cells[from].units, LAND, arrive);
                // The first of several that are as good.
                if found.map(|way| way.value) > best.map(|way: Found| way.value) {
                    best = found;
                }
            }
        }
        self.mind.plan.clear();
        self.mind.ways.moves(best?, &mut self.mind.plan);
        self.go_on()
    }

    fn first_army(&self) -> u32 {
        let share = self.board.area() as u32 / u32::from(self.view.players());
        FIRST_ARMY.min(2 + share / 10)
    }

    fn steps_between(&self, from: usize, to: usize) -> i64 {
        let ([row, column], [to_row, to_column]) = (self.board.place(from), self.board.place(to));
        (row - to_row).abs() + (column - to_column).abs()
    }
}
