//! A player with a memory and a plan: it expands, gathers an army, goes looking for a capital and takes it, and comes
//! back when its own is in danger.
//!
//! Every turn it does the first of these that applies: take a capital, save its own, go on with a march or a gathering,
//! take land, gather. All its buffers are made in its first turn.

use super::memory::Memory;
use super::{Step, step};
use crate::action::{Action, Amount};
use crate::view::View;
use crate::{Board, Generals};
use palestra_core::{Bot, Fault};
use palestra_grid::{Best, Flood, NONE};
use std::ops::Deref;

/// From this round on it gathers and attacks; before, it only expands.
const FIRST_ATTACK: u32 = 60;
/// Enemies this near to the capital are looked at as dangers.
const DANGER_STEPS: u16 = 7;
/// The longest way along which units are gathered.
const GATHER_STEPS: u16 = 20;
/// While land can be taken from an enemy, it gathers in one of so many rounds.
const GATHER_EVERY: u32 = 4;
/// An army of this size marches, however many units are left to gather.
const ENOUGH: u32 = 90;
/// An army smaller than this does not set out.
const LEAST_ARMY: u32 = 6;
/// An army smaller than this does not go on.
const LEAST_REST: u32 = 4;

#[derive(Default)]
pub(super) struct Hunter {
    memory: Memory,
    /// From the army, or from wherever units are gathered to.
    near: Flood,
    /// From the place that is wanted.
    far: Flood,
    /// By cell, while a way to gather along is chosen: the units that come together on the way from there.
    sums: Vec<u32>,
    /// The cells still to be walked through while gathering, the next one last.
    way: Vec<u16>,
    /// Where the army that is on the march stands.
    army: Option<u16>,
}

impl Bot<Generals> for Hunter {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        if let Some(seat) = view.seat() {
            let board = view.board();
            if self.memory.look(view, seat) {
                self.near = Flood::new(board);
                self.far = Flood::new(board);
                self.sums = vec![0; board.indexes()];
                self.way = Vec::with_capacity(board.indexes());
            }
            let mut turn = Turn { me: seat.number(), board, view, hunter: self };
            if let Some((from, to)) = turn.choose() {
                *action = step(view, Amount::AllButOne, from, to);
            }
        }
        Ok(())
    }
}

/// One turn of the hunter.
struct Turn<'a, 'v> {
    me: u8,
    board: Board,
    view: View<'v>,
    hunter: &'a mut Hunter,
}

impl Deref for Turn<'_, '_> {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.hunter.memory
    }
}

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Step> {
        if let Some(step) = self.take_capital(self.view) {
            return Some(step);
        }
        if let Some(step) = self.defend() {
            self.hunter.way.clear();
            return Some(step);
        }
        if let Some(step) = self.march() {
            return Some(step);
        }
        if let Some(step) = self.go_on_gathering() {
            return Some(step);
        }
        if self.expanding() {
            return self.expand().or_else(|| self.gather());
        }
        // Most of the time between two marches goes into the border, the rest into the next army.
        if !self.view.round().is_multiple_of(GATHER_EVERY)
            && let Some(step) = self.take_land()
        {
            return Some(step);
        }
        self.gather().or_else(|| self.expand())
    }

    fn neighbours(&self, at: usize) -> [usize; 4] {
        self.board.neighbours(at)
    }

    /// Answers the greatest danger to the own capital, if there is one.
    fn defend(&mut self) -> Option<Step> {
        let capital = self.hunter.memory.capital;
        let known = &self.hunter.memory.cells;
        self.hunter.far.run(self.board, std::iter::once(capital as u16), |at| known[at].open());
        let garrison = self.known(capital).units;
        let far = &self.hunter.far;
        let (danger, steps) = far
            .within(DANGER_STEPS)
            .filter(|(at, _)| self.enemy(*at) && self.view.sees(*at))
            .filter(|(at, steps)| self.known(*at).units > garrison + u32::from(*steps) / 2)
            .max_by_key(|(at, steps)| (self.known(*at).units, NONE - steps))?;
        if let Some(step) = self.answer(self.board, danger, steps) {
            return Some(step);
        }
        self.plan_gathering(capital, steps.max(2))?;
        self.go_on_gathering()
    }

    /// An enemy's land that falls at once, to the smallest army that can take it.
    fn take_land(&self) -> Option<Step> {
        let falls = |from: usize, to: usize| self.enemy(to) && self.known(to).open() && self.beats(from, to);
        self.view
            .own()
            .filter_map(|from| Some((from, self.neighbours(from).into_iter().find(|to| falls(from, *to))?)))
            .min_by_key(|(from, _)| self.known(*from).units)
    }

    /// Whether taking land is worth more than an attack now.
    fn expanding(&self) -> bool {
        self.view.round() < FIRST_ATTACK
    }

    /// Takes a cell, or walks towards one, where the most cells come for the fewest moves.
    fn expand(&mut self) -> Option<Step> {
        if self.waits(self.view) {
            return None;
        }
        let known = &self.hunter.memory.cells;
        let me = self.me;
        // From everything that can be taken easily, inwards over own land.
        let easy = |at: usize| {
            let cell = known[at];
            cell.seen && !cell.obstacle && cell.owner != me && cell.units <= 1
        };
        let border = self
            .view
            .own()
            .flat_map(|at| self.board.neighbours(at))
            .filter(|at| easy(*at))
            .map(|at| at as u16);
        self.hunter.far.run(self.board, border, |at| known[at].owner == me);
        let far = &self.hunter.far;
        let mut best = Best::default();
        for from in self.view.own() {
            let steps = u64::from(far.steps(from));
            let units = u64::from(self.known(from).units);
            if units < 2 || far.steps(from) == NONE {
                continue;
            }
            // Cells taken per thousand moves, and a little for what lies behind the cell.
            let efficiency = 1000 * (units - 1) / (units - 1 + 2 * (steps - 1));
            for to in self.neighbours(from) {
                let nearer = far.steps(to) < far.steps(from);
                if !nearer || !self.known(to).open() || (!self.mine(to) && !self.beats(from, to)) {
                    continue;
                }
                let fresh = self.neighbours(to).into_iter().filter(|at| easy(*at)).count() as u64;
                let value = efficiency * 8 + fresh + if self.enemy(to) { 900 } else { 0 };
                best.offer(value, (from, to));
            }
        }
        best.found()
    }

    /// Brings units together where most of them are; when they are enough, the army marches.
    fn gather(&mut self) -> Option<Step> {
        let root = self.view.own().max_by_key(|at| self.known(*at).units)?;
        let movable: u32 = self.view.own().map(|at| self.known(at).units.saturating_sub(1)).sum();
        let ready = self.known(root).units >= LEAST_ARMY.max(ENOUGH.min(movable / 2));
        if ready || self.plan_gathering(root, GATHER_STEPS).is_none() {
            if self.known(root).units < LEAST_ARMY {
                return None;
            }
            self.hunter.army = Some(root as u16);
            return self.march();
        }
        self.go_on_gathering()
    }

    /// Chooses the way to `root` on which the most units per step come together.
    fn plan_gathering(&mut self, root: usize, longest: u16) -> Option<()> {
        let known = &self.hunter.memory.cells;
        let me = self.me;
        self.hunter.near.run(self.board, std::iter::once(root as u16), |at| known[at].owner == me);
        let near = &self.hunter.near;
        self.hunter.sums[root] = 0;
        let mut best = Best::default();
        for &at in &near.order[1..] {
            let at = usize::from(at);
            let steps = near.steps(at);
            if steps > longest {
                break;
            }
            let spare = known[at].units.saturating_sub(1);
            let sum = self.hunter.sums[usize::from(near.back(at))] + spare;
            self.hunter.sums[at] = sum;
            let value = u64::from(sum) * 1000 / u64::from(steps);
            if spare > 0 {
                best.offer(value, at);
            }
        }
        let mut at = best.found()?;
        self.hunter.way.clear();
        loop {
            self.hunter.way.push(at as u16);
            if at == root {
                break;
            }
            at = usize::from(near.back(at));
        }
        self.hunter.way.reverse();
        Some(())
    }

    fn go_on_gathering(&mut self) -> Option<Step> {
        while let Some(from) = self.hunter.way.pop() {
            let to = *self.hunter.way.last()?;
            let (from, to) = (usize::from(from), usize::from(to));
            if !self.mine(from) || !self.mine(to) {
                self.hunter.way.clear();
                return None;
            }
            if self.known(from).units > 1 {
                return Some((from, to));
            }
        }
        None
    }

    /// Moves the army on towards what it wants.
    fn march(&mut self) -> Option<Step> {
        let army = usize::from(self.hunter.army?);
        self.hunter.army = None;
        if !self.mine(army) || self.known(army).units < LEAST_REST {
            return None;
        }
        let known = &self.hunter.memory.cells;
        self.hunter.near.run(self.board, std::iter::once(army as u16), |at| known[at].open());
        let Hunter { memory, near, far, .. } = &mut *self.hunter;
        let goal = memory.goal(self.view, near, far)?;
        let to = self.hunter.near.first_step(goal);
        if !self.mine(to) && !self.beats(army, to) {
            return None;
        }
        self.hunter.army = Some(to as u16);
        Some((army, to))
    }
}
