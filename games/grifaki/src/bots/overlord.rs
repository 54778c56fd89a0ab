//! The strongest built-in player. It plans whole sequences of moves and compares them by what they bring for each move,
//! within a budget of nodes.
//!
//! Land and cities are taken along the ways of a beam search ([`Planner::take_best_way`]), where a city counts as much as the land that
//! grows as fast. Savings become cities as long as these pay. Armies come together along a tree ([`palestra_grid::Gather`]) and set out when
//! they are more than the capital they want is thought to hold. Every turn, before it goes on with a plan, it looks for
//! what falls at once, and whether an army in sight could reach its own capital.

use super::memory::{LEAST_REST, Memory};
use super::{build, step, takes};
use crate::action::Action;
use crate::kind::{Building, Kind};
use crate::view::View;
use crate::{Board, Grifaki};
use palestra_core::{Bot, Fault};
use palestra_grid::{Arrived, Breadth, NONE, Planner, worst};
use std::ops::Deref;

/// Cells looked at in a turn while units are gathered.
const GATHER_NODES: u32 = 12_000;
/// How widely it looks for land.
const LAND: Breadth = Breadth { beam: 8, steps: 14, nodes: 2_000 };
/// What a plain is worth that was nobody's, and one that was an enemy's.
const FREE_LAND: u32 = 10;
const ENEMY_LAND: u32 = 14;
/// A city, also one that has to be taken from somebody.
const CITY: u32 = 250;
/// Enemies this near to the capital are looked at as dangers.
const DANGER_STEPS: u16 = 6;
/// An army smaller than this does not set out.
const LEAST_ARMY: u32 = 20;
/// An army of this size sets out whatever is known of the enemy.
const PLENTY: u32 = 250;
/// Moves for which an army is gathered before it sets out.
const GATHERING: u16 = 20;
/// Ticks between two attacks in which it takes land.
const PAUSE: u32 = 10;
/// How far an army goes out of its way for a neutral city.
const DETOUR_STEPS: i64 = 8;
/// Capitals are far apart: one is looked for at least so far from home, in percent of the farthest place where it may be.
/// Less among more players.
const FAR_PERCENT: u16 = 90;
/// In the first ticks everything goes out; then so many units stay at home, and one in so many.
const FIRST_TICKS: u32 = 5;
const GARRISON: u32 = 60;
const GARRISON_PART: u32 = 4;
/// From this tick on a settler attacks.
const SETTLERS_ATTACK: u32 = 100;

#[derive(Default)]
pub(super) struct Overlord {
    memory: Memory,
    planner: Planner,
    home: usize,
    /// Whether it leaves next to nobody at home.
    careless: bool,
}

impl Overlord {
    /// One that thinks of its own land first, and sets out for a capital only when the game is well under way. Its units
    /// are all over its land then, and next to nobody is at home: whoever comes early takes its capital.
    pub(super) fn settler() -> Overlord {
        let mut settler = Overlord { careless: true, ..Overlord::default() };
        settler.planner.pause = SETTLERS_ATTACK;
        settler
    }
}

impl Bot<Grifaki> for Overlord {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Empty;
        if let (Some(seat), Some(home)) = (view.seat(), view.home()) {
            let board = view.board();
            self.home = home;
            if self.memory.look(view, seat) {
                self.planner.fit(board, LAND);
            }
            let mut turn = Turn { me: seat.number(), board, view, nodes: GATHER_NODES, mind: self };
            *action = turn.choose().unwrap_or_default();
        }
        Ok(())
    }
}

struct Turn<'a, 'v> {
    me: u8,
    board: Board,
    view: View<'v>,
    nodes: u32,
    mind: &'a mut Overlord,
}

impl Deref for Turn<'_, '_> {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.mind.memory
    }
}

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Action> {
        self.strike()
            .or_else(|| self.defend())
            .or_else(|| self.march())
            .or_else(|| self.go_on())
            .or_else(|| self.set_out())
            .or_else(|| self.build_city())
            .or_else(|| self.prepare_attack())
            .or_else(|| self.take_land())
    }

    fn spare(&self, at: usize) -> u32 {
        self.units(at).saturating_sub(1)
    }

    fn holds_home(&self) -> bool {
        self.own(self.mind.home)
    }

    /// Whether all but one of the units at a cell take another.
    fn beats(&self, from: usize, to: usize) -> bool {
        let cell = self.known(to);
        takes(self.view, self.spare(from), cell.units, cell.wall)
    }

    fn all_but_one(&self, from: usize, to: usize) -> Action {
        step(self.view, from, to, self.units(from) - 1)
    }

    /// Takes a capital or a city that is next to an army strong enough.
    fn strike(&mut self) -> Option<Action> {
        let home = self.mind.home;
        // The garrison does not leave for a city that can wait.
        let stays = |from: usize, to: usize| {
            from == home && self.known(to).owner == 0 && self.units(from) < self.garrison() + 2
        };
        let (from, to) = self.best_blow(self.view, home, stays)?;
        if self.mind.planner.army == Some(from as u16) {
            self.mind.planner.army = Some(to as u16);
        }
        Some(self.all_but_one(from, to))
    }

    /// The next move of the plan, if it still makes sense.
    fn go_on(&mut self) -> Option<Action> {
        while let Some((from, to)) = self.mind.planner.plan.pop() {
            let (from, to) = (usize::from(from), usize::from(to));
            if !self.own(from) || (!self.own(to) && !self.beats(from, to)) {
                self.mind.planner.give_up();
                return None;
            }
            let stays = if from == self.mind.home { self.garrison().max(1) } else { 1 };
            let moved = self.units(from).saturating_sub(stays);
            if moved > 0
                && (self.own(to) || takes(self.view, moved, self.known(to).units, self.known(to).wall))
            {
                return Some(step(self.view, from, to, moved));
            }
        }
        None
    }

    /// Answers the greatest danger to the own capital, if there is one.
    fn defend(&mut self) -> Option<Action> {
        let home = self.mind.home;
        if !self.holds_home() {
            return None;
        }
        let cells = &self.mind.memory.cells;
        self.mind.planner.far.run(self.board, [home as u16], |at| cells[at].kind != Kind::Mountain);
        let far = &self.mind.planner.far;
        let wall = self.known(home).wall;
        let armed = |at: usize| self.enemy(at) && self.view.sees(at) && self.units(at) >= LEAST_REST;
        let dangers = far.within(DANGER_STEPS).filter(|(at, _)| armed(*at));
        let (_, danger, steps) = worst(dangers.filter_map(|(at, steps)| {
            let in_its_way = far.way_back(at).filter(|on| self.own(*on)).map(|on| self.units(on));
            let resistance = u32::from(steps) + in_its_way.sum::<u32>();
            let strength = self.spare(at);
            takes(self.view, strength, resistance, wall)
                .then(|| (strength.saturating_sub(resistance), at, steps))
        }))?;
        self.mind.planner.give_up();
        let attackers = self.board.neighbours(danger).into_iter().filter(|from| self.own(*from));
        if let Some(from) = attackers.max_by_key(|from| self.units(*from))
            && self.beats(from, danger)
        {
            return Some(self.all_but_one(from, danger));
        }
        let garrison = self.units(home);
        if let Some(price) = self.view.price(Building::Wall)
            && !wall
            && garrison > price
            && !takes(self.view, self.units(danger), garrison - price, true)
        {
            return Some(build(self.view, home, home, Building::Wall));
        }
        self.gather_at(home, steps.max(2));
        self.mind.planner.plan.extend_from_slice(&self.mind.planner.gather.moves);
        let step = self.go_on();
        self.mind.planner.plan.clear();
        step
    }

    /// What stays at home.
    fn garrison(&self) -> u32 {
        if self.view.tick() < FIRST_TICKS || self.mind.careless {
            return 1;
        }
        GARRISON.max(self.units(self.mind.home) / GARRISON_PART)
    }

    /// What stays in a cell when its units leave.
    fn staying(&self, at: usize) -> u32 {
        if at == self.mind.home { self.garrison() } else { 1 }
    }

    fn gather_at(&mut self, root: usize, longest: u16) {
        let (cells, me) = (&self.mind.memory.cells, self.me);
        let (home, kept) = (self.mind.home, self.garrison());
        let spare = |at: usize| {
            let stays = if at == home { kept } else { 1 };
            (cells[at].owner == me).then(|| cells[at].units.saturating_sub(stays))
        };
        self.mind.planner.gather.search(self.board, root, longest, &mut self.nodes, spare);
    }

    /// An army that has come together sets out.
    fn set_out(&mut self) -> Option<Action> {
        let army = self.mind.planner.sets_out.take()?;
        self.mind.planner.army = Some(army);
        self.march()
    }

    /// Builds a city beside the largest savings, if it will have paid for itself several times by the end.
    fn build_city(&mut self) -> Option<Action> {
        let (from, to) = self.city_that_pays(self.view, self.mind.home)?;
        Some(build(self.view, from, to, Building::City))
    }

    /// Plans to bring an army together at home, if it will be enough for the capital that is wanted.
    fn prepare_attack(&mut self) -> Option<Action> {
        let lost = !self.holds_home();
        if !lost && self.view.tick() < self.mind.planner.pause {
            return None;
        }
        let leaves = |turn: &Self, at: usize| turn.units(at).saturating_sub(turn.staying(at));
        let root = self.view.own().max_by_key(|at| leaves(self, *at))?;
        self.gather_at(root, GATHERING);
        let strength = self.mind.planner.gather.brought + leaves(self, root);
        let wanted = match lost {
            true => self.units(self.mind.home) + self.age(self.view, self.mind.home) / 4,
            false => self.weakest_capital(self.view.tick()).map_or(0, |units| units + units / 4),
        };
        if strength < (wanted + LEAST_ARMY).min(PLENTY) {
            return None;
        }
        self.mind.planner.set_out_from(root);
        self.mind.planner.pause = self.view.tick() + self.mind.planner.plan.len() as u32 + PAUSE;
        self.go_on().or_else(|| self.set_out())
    }

    /// Moves the army on towards what it wants.
    fn march(&mut self) -> Option<Action> {
        let army = usize::from(self.mind.planner.army?);
        self.mind.planner.army = None;
        if !self.own(army) || self.units(army) < LEAST_REST {
            self.mind.planner.pause = self.view.tick() + PAUSE;
            return None;
        }
        // A capital that was taken must not be given back.
        let staying = match self.known(army).kind {
            Kind::FallenCapital => self.units(army) / 2,
            _ => self.staying(army),
        };
        let strength = self.units(army).saturating_sub(staying);
        if strength < LEAST_REST {
            return None;
        }
        let (view, me, cells) = (self.view, self.me, &self.mind.memory.cells);
        self.mind.planner.near.run(self.board, [army as u16], |at| {
            let cell = cells[at];
            cell.kind != Kind::Mountain
                && (cell.owner == me || takes(view, strength / 2, cell.units, cell.wall))
        });
        let home = self.mind.home as u16;
        let cells = &self.mind.memory.cells;
        self.mind.planner.far.run(self.board, [home], |at| cells[at].kind != Kind::Mountain);
        let goal = self.goal(strength)?;
        let to = self.mind.planner.near.first_step(goal);
        let cell = self.known(to);
        if cell.owner != me && !takes(view, strength, cell.units, cell.wall) {
            return None;
        }
        self.mind.planner.army = Some(to as u16);
        Some(step(view, army, to, strength))
    }

    /// What the army wants, by the ways just looked at: a capital that it takes, a city, a place where a capital may be
    /// hidden, an enemy's land.
    fn goal(&self, strength: u32) -> Option<usize> {
        let searching = !self.knows_capital();
        let hidden = if searching { self.least_far() } else { 0 };
        let Planner { near, far, .. } = &self.mind.planner;
        let cost = |at: usize| {
            let cell = self.known(at);
            let steps = i64::from(near.steps(at));
            let lost = at == self.mind.home && !self.own(at);
            if lost && takes(self.view, strength, cell.units + self.age(self.view, at) / 4, cell.wall) {
                return Some(steps - 2000);
            }
            let hides =
                || searching && far.steps(at) != NONE && far.steps(at) >= hidden && self.may_hide_capital(at);
            self.cost(self.view, at, strength, steps, DETOUR_STEPS, hides)
        };
        let cells = near.order[1..].iter().map(|at| usize::from(*at));
        cells.filter_map(|at| Some((cost(at)?, at))).min_by_key(|(cost, _)| *cost).map(|(_, at)| at)
    }

    /// How far away from home a capital is looked for at least.
    fn least_far(&self) -> u16 {
        let far = &self.mind.planner.far;
        let last = far.order.iter().rev().map(|at| usize::from(*at)).find(|at| self.may_hide_capital(*at));
        let percent = 2 * FAR_PERCENT / u16::from(self.view.players().max(2));
        last.map_or(0, |at| far.steps(at) * percent / 100)
    }

    /// Whether something beside this cell is no plain and never was in sight, so that it may be a capital.
    fn may_hide_capital(&self, at: usize) -> bool {
        self.board.neighbours(at).into_iter().any(|near| {
            let known = self.known(near);
            known.seen == 0 && known.kind == Kind::Mountain && self.board.contains(near)
        })
    }

    /// Plans the way on which the most comes for the fewest moves, and takes its first step.
    fn take_land(&mut self) -> Option<Action> {
        let (view, board, cells, me) = (self.view, self.board, &self.mind.memory.cells, self.me);
        let arrive = |to: usize, units: u32| {
            let cell = cells[to];
            if cell.kind == Kind::Mountain || cell.seen == 0 {
                return None;
            }
            if cell.owner == me {
                return Some(Arrived { units: units + cell.units, gain: 0 });
            }
            if !takes(view, units, cell.units, cell.wall) {
                return None;
            }
            let worth = match (cell.kind, cell.owner) {
                (Kind::Plain, 0) => FREE_LAND,
                (Kind::Plain, _) => ENEMY_LAND,
                _ => CITY,
            };
            Some(Arrived { units: units - cell.units.min(units - 1), gain: worth })
        };
        let keep = self.garrison().saturating_sub(1);
        let home = self.mind.home;
        let leaves = |from: usize| cells[from].units.saturating_sub(if from == home { keep } else { 0 });
        let armies = view.own().map(|at| (at, leaves(at)));
        if self.mind.planner.take_best_way(board, armies, LAND, arrive) { self.go_on() } else { None }
    }
}
