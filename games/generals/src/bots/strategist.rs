//! The strongest built-in player. It plans whole sequences of moves and compares them by what they bring for each move,
//! within a budget of nodes.
//!
//! Land is taken along the ways of a beam search ([`Planner::take_best_way`]), armies come together along a tree ([`palestra_grid::Gather`]) of the size
//! that pays best, and an army that sets out walks where it meets least. Every turn, before it goes on with a plan, it
//! looks whether an enemy's capital falls at once, and whether an army in sight could reach its own.

use super::memory::{Memory, steps_between};
use super::{Step, step};
use crate::action::{Action, Amount};
use crate::view::View;
use crate::{Board, Generals};
use palestra_core::{Bot, Fault};
use palestra_grid::{Arrived, Breadth, Planner, worst};
use std::ops::Deref;

/// Cells looked at in a turn while units are gathered.
const GATHER_NODES: u32 = 12_000;
/// How widely it looks for land.
const LAND: Breadth = Breadth { beam: 6, steps: 16, nodes: 1_500 };
/// What a cell is worth that was nobody's, one that was an enemy's, and one from which more can be taken.
const FREE_LAND: u32 = 10;
const ENEMY_LAND: u32 = 20;
const MORE_BEHIND: u32 = 1;
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

#[derive(Default)]
pub(super) struct Strategist {
    memory: Memory,
    planner: Planner,
}

impl Bot<Generals> for Strategist {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        if let Some(seat) = view.seat() {
            let board = view.board();
            if self.memory.look(view, seat) {
                self.planner.fit(board, LAND);
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

impl Deref for Turn<'_, '_> {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.mind.memory
    }
}

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Step> {
        if let Some(step) = self.take_capital(self.view).or_else(|| self.defend()) {
            return Some(step);
        }
        if let Some(step) = self.march() {
            return Some(step);
        }
        if let Some(step) = self.go_on() {
            return Some(step);
        }
        if let Some(army) = self.mind.planner.sets_out.take() {
            self.mind.planner.army = Some(army);
            if let Some(step) = self.march() {
                return Some(step);
            }
        }
        let round = self.view.round();
        if round < FIRST_ATTACK.max(self.mind.planner.pause) || round % CYCLE >= ATTACKS_BEGIN {
            return self.take_land().or_else(|| self.prepare_attack());
        }
        self.prepare_attack().or_else(|| self.take_land())
    }

    /// The next move of the plan, if it still makes sense.
    fn go_on(&mut self) -> Option<Step> {
        while let Some((from, to)) = self.mind.planner.plan.pop() {
            let (from, to) = (usize::from(from), usize::from(to));
            if !self.mine(from) || (!self.mine(to) && !self.beats(from, to)) {
                self.mind.planner.give_up();
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
        self.mind.planner.far.run(self.board, [capital as u16], |at| cells[at].open());
        let far = &self.mind.planner.far;
        let dangers = far.within(DANGER_STEPS).filter(|(at, _)| self.enemy(*at) && self.view.sees(*at));
        let (_, danger, steps) = worst(dangers.filter_map(|(at, steps)| {
            // What is in its way, and what the capital will have by then.
            let in_its_way = far.way_back(at).filter(|on| self.mine(*on)).map(|on| self.known(on).units);
            let resistance = u32::from(steps) / 2 + in_its_way.sum::<u32>();
            let strength = self.known(at).spare();
            (strength > resistance).then(|| (strength - resistance, at, steps))
        }))?;
        if self.comes_first(steps) {
            return None;
        }
        self.mind.planner.give_up();
        if let Some(step) = self.answer(self.board, danger, steps) {
            return Some(step);
        }
        self.gather_at(capital, steps.max(2));
        self.mind.planner.plan.extend_from_slice(&self.mind.planner.gather.moves);
        let step = self.go_on();
        self.mind.planner.plan.clear();
        step
    }

    /// Whether the army on the march takes a capital before an enemy has taken so many steps.
    fn comes_first(&mut self, steps: u16) -> bool {
        let Some(army) = self.mind.planner.army.map(usize::from).filter(|army| self.mine(*army)) else {
            return false;
        };
        let cells = &self.mind.memory.cells;
        self.mind.planner.near.run(self.board, [army as u16], |at| cells[at].open());
        let near = &self.mind.planner.near;
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
        self.mind.planner.gather.search(self.board, root, longest, &mut self.nodes, spare);
    }

    /// Plans to bring an army together where that is quickest, and to set out with it.
    fn prepare_attack(&mut self) -> Option<Step> {
        // Near the capital an army also guards it while it comes together.
        let root = self.view.own().max_by_key(|at| {
            4 * i64::from(self.known(*at).units) - steps_between(self.board, *at, self.capital)
        })?;
        let strength = |turn: &Self| turn.mind.planner.gather.brought + turn.known(root).spare();
        let mut best = (0, 0);
        for longest in GATHERINGS {
            self.gather_at(root, longest);
            let moves = self.mind.planner.gather.moves.len() as u64;
            best = best.max((u64::from(strength(self)) * 1000 / (moves + MARCH_STEPS), longest));
        }
        self.gather_at(root, best.1);
        if strength(self) < LEAST_ARMY {
            return None;
        }
        self.mind.planner.set_out_from(root);
        self.mind.planner.pause = self.view.round() + self.mind.planner.plan.len() as u32 + PAUSE;
        if let Some(step) = self.go_on() {
            return Some(step);
        }
        self.mind.planner.army = self.mind.planner.sets_out.take();
        self.march()
    }

    /// Moves the army on towards what it wants.
    fn march(&mut self) -> Option<Step> {
        let army = usize::from(self.mind.planner.army?);
        self.mind.planner.army = None;
        if !self.mine(army) || self.known(army).units < LEAST_REST {
            self.mind.planner.pause = self.view.round() + PAUSE;
            return None;
        }
        let cells = &self.mind.memory.cells;
        self.mind.planner.near.run(self.board, [army as u16], |at| cells[at].open());
        let Strategist { memory, planner: Planner { near, far, .. } } = &mut *self.mind;
        let goal = memory.goal(self.view, near, far)?;
        // Of all the shortest ways the one that begins with the least resistance.
        let cells = &self.mind.memory.cells;
        self.mind.planner.far.run(self.board, [goal as u16], |at| cells[at].open());
        let far = &self.mind.planner.far;
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
            self.mind.planner.pause = self.view.round() + PAUSE / 2;
            return None;
        }
        self.mind.planner.army = Some(to as u16);
        Some((army, to))
    }

    /// Plans the way on which the most land comes for the fewest moves, and takes its first step.
    fn take_land(&mut self) -> Option<Step> {
        if self.waits(self.view) {
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
        let armies = self.view.own().map(|at| (at, cells[at].units));
        if self.mind.planner.take_best_way(board, armies, LAND, arrive) { self.go_on() } else { None }
    }
}
