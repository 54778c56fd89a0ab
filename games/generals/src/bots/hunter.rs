//! A player with a memory and a plan: it expands, gathers an army, goes looking for a capital and takes it, and comes
//! back when its own is in danger.
//!
//! Every turn it does the first of these that applies: take a capital, save its own, go on with a march or a gathering,
//! take land, gather. All its buffers are made in its first turn.

use super::memory::{Known, Memory};
use super::step;
use crate::action::{Action, Amount};
use crate::view::View;
use crate::{Board, Generals};
use palestra_core::{Bot, BotSeat, Fault};
use palestra_grid::{Flood, NONE};

/// It waits in its capital until so many units can leave together: they then take a cell with every step. Fewer on
/// a small board.
const FIRST_ARMY: u32 = 13;
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

pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Generals>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Hunter::default()))
}

#[derive(Default)]
struct Hunter {
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
            let mut turn = Turn { me: seat.number(), board: view.board(), view, hunter: self };
            turn.remember();
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

type Step = (usize, usize);

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Step> {
        if let Some(step) = self.take_capital() {
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

    /// Takes down what is in sight.
    fn remember(&mut self) {
        let board = self.board;
        if self.hunter.memory.look(self.view, self.me) {
            self.hunter.near = Flood::new(board);
            self.hunter.far = Flood::new(board);
            self.hunter.sums = vec![0; board.indexes()];
            self.hunter.way = Vec::with_capacity(board.indexes());
        }
    }

    fn known(&self, at: usize) -> Known {
        self.hunter.memory.cells[at]
    }

    fn mine(&self, at: usize) -> bool {
        self.known(at).owner == self.me
    }

    fn enemy(&self, at: usize) -> bool {
        self.known(at).enemy_of(self.me)
    }

    fn neighbours(&self, at: usize) -> [usize; 4] {
        self.board.neighbours(at)
    }

    /// Whether all but one of the units at a cell would take another.
    fn beats(&self, from: usize, to: usize) -> bool {
        self.known(from).units.saturating_sub(1) > self.known(to).units
    }

    fn own_cells(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.view.own_cells().iter().map(|at| usize::from(*at))
    }

    /// An enemy's capital that falls at once.
    fn take_capital(&self) -> Option<Step> {
        self.own_cells().find_map(|from| {
            let found = self
                .neighbours(from)
                .into_iter()
                .find(|to| self.known(*to).capital && self.enemy(*to) && self.beats(from, *to));
            Some((from, found?))
        })
    }

    /// Answers the greatest danger to the own capital, if there is one.
    fn defend(&mut self) -> Option<Step> {
        let capital = self.hunter.memory.capital;
        let known = &self.hunter.memory.cells;
        self.hunter.far.run(self.board, std::iter::once(capital as u16), |at| known[at].open());
        let garrison = self.known(capital).units;
        let far = &self.hunter.far;
        let (danger, steps) = far
            .order
            .iter()
            .map(|at| (usize::from(*at), far.steps(usize::from(*at))))
            .take_while(|(_, steps)| *steps <= DANGER_STEPS)
            .filter(|(at, _)| self.enemy(*at) && self.view.sees(*at))
            .filter(|(at, steps)| self.known(*at).units > garrison + u32::from(*steps) / 2)
            .max_by_key(|(at, steps)| (self.known(*at).units, NONE - steps))?;
        let attackers = self.neighbours(danger).into_iter().filter(|from| self.mine(*from));
        if let Some(from) = attackers.max_by_key(|from| self.known(*from).units)
            && (self.beats(from, danger) || (steps <= 2 && self.known(from).units > 2 && from != capital))
        {
            return Some((from, danger));
        }
        self.plan_gathering(capital, steps.max(2))?;
        self.go_on_gathering()
    }

    /// An enemy's land that falls at once, to the smallest army that can take it.
    fn take_land(&self) -> Option<Step> {
        let falls = |from: usize, to: usize| self.enemy(to) && self.known(to).open() && self.beats(from, to);
        self.own_cells()
            .filter_map(|from| Some((from, self.neighbours(from).into_iter().find(|to| falls(from, *to))?)))
            .min_by_key(|(from, _)| self.known(*from).units)
    }

    /// Whether taking land is worth more than an attack now.
    fn expanding(&self) -> bool {
        self.view.round() < FIRST_ATTACK
    }

    /// The part of the board that each player could have.
    fn share(&self) -> u32 {
        self.board.area() as u32 / u32::from(self.view.players())
    }

    /// Takes a cell, or walks towards one, where the most cells come for the fewest moves.
    fn expand(&mut self) -> Option<Step> {
        let capital = self.hunter.memory.capital;
        if self.view.own_cells().len() == 1
            && self.known(capital).units < FIRST_ARMY.min(2 + self.share() / 10)
        {
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
            .own_cells()
            .iter()
            .flat_map(|at| self.board.neighbours(usize::from(*at)))
            .filter(|at| easy(*at))
            .map(|at| at as u16);
        self.hunter.far.run(self.board, border, |at| known[at].owner == me);
        let far = &self.hunter.far;
        let mut best = None;
        let mut best_value = 0;
        for from in self.own_cells() {
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
                if value > best_value {
                    best_value = value;
                    best = Some((from, to));
                }
            }
        }
        best
    }

    /// Brings units together where most of them are; when they are enough, the army marches.
    fn gather(&mut self) -> Option<Step> {
        let root = self.own_cells().max_by_key(|at| self.known(*at).units)?;
        let movable: u32 = self.own_cells().map(|at| self.known(at).units.saturating_sub(1)).sum();
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
        let mut best = None;
        let mut best_value = 0;
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
            if spare > 0 && value > best_value {
                best_value = value;
                best = Some(at);
            }
        }
        let mut at = best?;
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
        let goal = self.goal()?;
        let to = self.hunter.near.first_step(goal);
        if !self.mine(to) && !self.beats(army, to) {
            return None;
        }
        self.hunter.army = Some(to as u16);
        Some((army, to))
    }

    /// What the army wants, by the ways just looked at: a capital, or the place where one may well be.
    fn goal(&mut self) -> Option<usize> {
        let near = &self.hunter.near;
        let cells = || near.order[1..].iter().map(|at| usize::from(*at));
        let alive =
            |owner: u8| self.view.totals().nth(usize::from(owner) - 1).is_some_and(|total| total.land > 0);
        let capital =
            cells().find(|at| self.known(*at).capital && self.enemy(*at) && alive(self.known(*at).owner));
        if capital.is_some() {
            return capital;
        }
        let known = &self.hunter.memory.cells;
        let me = self.me;
        let enemies =
            cells().filter(|at| known[*at].owner != 0 && known[*at].owner != me).map(|at| at as u16);
        self.hunter.far.run(self.board, enemies, |at| known[at].open());
        let far = &self.hunter.far;
        let met = !far.order.is_empty();
        let home = self.board.place(self.hunter.memory.capital);
        cells()
            .filter(|at| !self.known(*at).seen)
            .min_by_key(|at| {
                let way = i64::from(near.steps(*at));
                if met {
                    way + 3 * i64::from(far.steps(*at))
                } else {
                    // Nobody puts two capitals close together.
                    let place = self.board.place(*at);
                    let from_home = (place[0] - home[0]).abs() + (place[1] - home[1]).abs();
                    way - 2 * from_home.min(15)
                }
            })
            .or_else(|| cells().find(|at| self.enemy(*at)))
    }
}
