//! A player with a memory and a plan: it expands, puts the units of its capital into cities as long as they pay, and
//! marches with the rest to where a capital is, or may be hidden.
//!
//! Every turn it does the first of these that applies: take a capital or a city, save its own capital, go on with a
//! march, build, set out on a march, take land, bring units to the border. All its buffers are made in its first turn.

use super::memory::{LEAST_REST, Memory};
use super::{build, step, takes};
use crate::Grifaki;
use crate::action::Action;
use crate::kind::{Building, Kind};
use crate::view::View;
use palestra_core::{Bot, Fault};
use palestra_grid::{Best, Flood};
use std::ops::Deref;

/// In the first ticks the units of the capital go out to take land; later they are saved for cities and marches.
const FIRST_TICKS: u32 = 3;
/// Enemies this near to the capital are looked at as dangers.
const DANGER_STEPS: u16 = 6;
/// How far an army goes out of its way for a neutral city.
const DETOUR_STEPS: i64 = 4;
/// How far away help is looked for.
const HELP_STEPS: u16 = 12;
/// How far away from the capital cities send their units there.
const SAVING_STEPS: u16 = 3;
/// One in so many units stays in the capital when an army sets out.
const GARRISON: u32 = 8;
/// An army smaller than this does not set out.
const LEAST_ARMY: u32 = 40;
/// An army of this size sets out whatever is known of the enemy.
const PLENTY: u32 = 250;
/// A city's units are used when there are so many.
const CITY_SAVINGS: u32 = 25;

#[derive(Default)]
pub(super) struct Warlord {
    memory: Memory,
    flood: Flood,
    /// Where the army that is on the march stands.
    army: Option<u16>,
    home: usize,
    /// The units of the strongest enemy near the capital.
    threat: u32,
}

impl Bot<Grifaki> for Warlord {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Empty;
        if let (Some(seat), Some(home)) = (view.seat(), view.home()) {
            self.home = home;
            if self.memory.look(view, seat) {
                self.flood = Flood::new(view.board());
            }
            let mut turn = Turn { me: seat.number(), view, lord: self };
            *action = turn.choose().unwrap_or_default();
        }
        Ok(())
    }
}

/// One turn of the warlord.
struct Turn<'a, 'v> {
    me: u8,
    view: View<'v>,
    lord: &'a mut Warlord,
}

impl Deref for Turn<'_, '_> {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        &self.lord.memory
    }
}

impl Turn<'_, '_> {
    fn choose(&mut self) -> Option<Action> {
        if self.view.tick() == 0 {
            // Scouts and takes land at once; most capitals are nearly empty in the first ticks.
            self.lord.army = Some(self.lord.home as u16);
        }
        self.strike()
            .or_else(|| self.defend())
            .or_else(|| self.march())
            .or_else(|| self.build())
            .or_else(|| self.set_out())
            .or_else(|| self.bring_home())
            .or_else(|| self.take_land())
            .or_else(|| self.bring_to_border())
    }

    fn holds_home(&self) -> bool {
        self.own(self.lord.home)
    }

    fn all_but_one(&self, from: usize, to: usize) -> Action {
        step(self.view, from, to, self.units(from) - 1)
    }

    /// Takes a capital or a city that is next to an army strong enough.
    fn strike(&mut self) -> Option<Action> {
        let (from, to) = self.best_blow(self.view, self.lord.home, |_, _| false)?;
        if self.lord.army == Some(from as u16) {
            self.lord.army = Some(to as u16);
        }
        Some(self.all_but_one(from, to))
    }

    /// An enemy near the capital could take it: attack it, wall the capital in, or send it the nearest help.
    fn defend(&mut self) -> Option<Action> {
        let home = self.lord.home;
        if !self.holds_home() {
            return None;
        }
        let known = &self.lord.memory.cells;
        self.lord.flood.run(self.view.board(), [home as u16], |at| known[at].kind != Kind::Mountain);
        let mut threat = None;
        for &at in &self.lord.flood.order {
            let at = usize::from(at);
            if self.lord.flood.steps(at) > DANGER_STEPS {
                break;
            }
            if self.enemy(at)
                && self.view.sees(at)
                && threat.is_none_or(|other| self.units(at) > self.units(other))
            {
                threat = Some(at);
            }
        }
        let threat = threat?;
        let (danger, garrison) = (self.units(threat), self.units(home));
        self.lord.threat = danger;
        let distance = u32::from(self.lord.flood.steps(threat));
        let wall = self.known(home).wall;
        if !takes(self.view, danger, garrison + distance, wall) || danger < LEAST_REST {
            return None;
        }
        if distance == 1 && garrison > 1 && takes(self.view, garrison - 1, danger, self.known(threat).wall) {
            return Some(self.all_but_one(home, threat));
        }
        // A wall is worth three tenths of the garrison; it must cost less, and be enough.
        if let Some(price) = self.view.price(Building::Wall)
            && !wall
            && garrison > price
            && !takes(self.view, danger, garrison - price, true)
        {
            return Some(build(self.view, home, home, Building::Wall));
        }
        self.send_help()
    }

    /// Walking distances from a cell, whoever is in the way.
    fn flood_from(&mut self, at: usize) {
        let known = &self.lord.memory.cells;
        let open = |at: usize| known[at].kind != Kind::Mountain;
        self.lord.flood.run(self.view.board(), [at as u16], open);
    }

    /// Sends the army that is strong and near a step towards the capital, from which distances have been taken.
    fn send_help(&mut self) -> Option<Action> {
        let flood = &self.lord.flood;
        let helper = flood
            .order
            .iter()
            .map(|at| usize::from(*at))
            .filter(|at| *at != self.lord.home && self.own(*at) && self.units(*at) > LEAST_REST)
            .filter(|at| flood.steps(*at) <= HELP_STEPS)
            .max_by_key(|at| self.units(*at) / u32::from(flood.steps(*at)))?;
        let next = usize::from(flood.back(helper));
        let foe = self.known(next);
        if foe.owner != self.me && !takes(self.view, self.units(helper) - 1, foe.units, foe.wall) {
            return None;
        }
        if self.lord.army == Some(helper as u16) {
            self.lord.army = Some(next as u16);
        }
        Some(self.all_but_one(helper, next))
    }

    /// Goes on with the army: to a capital it can take, otherwise to the nearest enemy, otherwise to where nobody has
    /// looked yet.
    fn march(&mut self) -> Option<Action> {
        let view = self.view;
        let army = usize::from(self.lord.army?);
        if !self.own(army) || self.units(army) < LEAST_REST {
            self.lord.army = None;
            return None;
        }
        let staying = match self.known(army).kind {
            _ if view.tick() == 0 => 1,
            // Whoever may come must not find the capital weaker than that.
            Kind::Capital => self.lord.threat.max(self.units(army) / GARRISON),
            // A capital that was taken must not be given back.
            Kind::FallenCapital => self.units(army) / 2,
            _ => 1,
        };
        let strength = self.units(army).saturating_sub(staying.max(1));
        if strength < LEAST_REST {
            self.lord.army = None;
            return None;
        }
        let (known, me) = (&self.lord.memory.cells, self.me);
        self.lord.flood.run(view.board(), [army as u16], |at| {
            let cell = known[at];
            cell.kind != Kind::Mountain
                && (cell.owner == me || takes(view, strength / 2, cell.units, cell.wall))
        });
        let target = self.choose_target(army, strength);
        let Some(target) = target else {
            self.lord.army = None;
            return None;
        };
        let next = self.lord.flood.first_step(target);
        let cell = self.known(next);
        if cell.owner != me && !takes(view, strength, cell.units, cell.wall) {
            self.lord.army = None;
            return None;
        }
        self.lord.army = Some(next as u16);
        Some(step(view, army, next, strength))
    }

    fn choose_target(&self, army: usize, strength: u32) -> Option<usize> {
        let searching = !self.knows_capital();
        let flood = &self.lord.flood;
        let cost = |at: usize| {
            let hides = || searching && self.may_hide_capital(at);
            self.cost(self.view, at, strength, i64::from(flood.steps(at)), DETOUR_STEPS, hides)
        };
        let cells = flood.order.iter().map(|at| usize::from(*at)).filter(|at| *at != army);
        cells.filter_map(|at| Some((cost(at)?, at))).min_by_key(|(cost, _)| *cost).map(|(_, at)| at)
    }

    /// Whether something beside this cell that is no plain, never was in sight, and is far from home may be a capital.
    fn may_hide_capital(&self, at: usize) -> bool {
        let board = self.view.board();
        let players = i64::from(self.view.players());
        let far = i64::from(board.rows() + board.columns()) / players;
        let [x, y] = self.view.board().place(self.lord.home);
        self.view.board().neighbours(at).into_iter().any(|near| {
            let known = self.known(near);
            let [row, column] = self.view.board().place(near);
            known.seen == 0
                && known.kind == Kind::Mountain
                && board.contains(near)
                && (row - x).abs() + (column - y).abs() >= far
        })
    }

    /// Builds a city beside the largest savings, if it will have paid for itself several times by the end.
    fn build(&mut self) -> Option<Action> {
        let (from, to) = self.city_that_pays(self.view, self.lord.home)?;
        if self.enemies_near(from) {
            return None;
        }
        Some(build(self.view, from, to, Building::City))
    }

    /// Whether an enemy with an army worth the name stands within two steps.
    fn enemies_near(&self, at: usize) -> bool {
        let near = |at: usize| self.enemy(at) && self.units(at) > LEAST_REST;
        self.view.board().neighbours(at).into_iter().any(|next| {
            near(next)
                || (self.view.board().contains(next)
                    && self.view.board().neighbours(next).into_iter().any(near))
        })
    }

    /// Sets out with the largest savings when they are more than the nearest known capital is thought to hold, or so
    /// many that they are wasted where they are.
    fn set_out(&mut self) -> Option<Action> {
        let from = self.view.own().max_by_key(|at| self.units(*at))?;
        let strength = self.units(from);
        let wanted = self.weakest_capital(self.view.tick()).map_or(0, |units| units + units / 4);
        if strength < (wanted + LEAST_ARMY).min(PLENTY) {
            return None;
        }
        self.lord.army = Some(from as u16);
        self.march()
    }

    /// Brings the units of cities near the capital there, so that they march together.
    fn bring_home(&mut self) -> Option<Action> {
        if !self.holds_home() {
            return None;
        }
        let from = self
            .view
            .own_cities()
            .iter()
            .map(|at| usize::from(*at))
            .filter(|at| *at != self.lord.home && self.units(*at) > CITY_SAVINGS)
            .max_by_key(|at| self.units(*at))?;
        self.flood_from(self.lord.home);
        let next = usize::from(self.lord.flood.back(from));
        let near = (1..=SAVING_STEPS).contains(&self.lord.flood.steps(from));
        (near && self.own(next)).then(|| self.all_but_one(from, next))
    }

    /// Takes the best cell that can be taken now, with the savings of the capital only in the first ticks.
    fn take_land(&mut self) -> Option<Action> {
        let mut best = Best::default();
        for from in self.view.own() {
            let here = self.known(from);
            if here.units < 2 || self.is_saving(from) {
                continue;
            }
            for to in self.view.board().neighbours(from) {
                let target = self.known(to);
                if target.owner == self.me || target.kind == Kind::Mountain || !self.view.sees(to) {
                    continue;
                }
                if !takes(self.view, here.units - 1, target.units, target.wall) {
                    continue;
                }
                let worth = if target.owner != 0 { 2_u64 } else { 1 };
                let value = worth << 32 | u64::from(here.units);
                best.offer(value, (from, to));
            }
        }
        let (from, to) = best.found()?;
        Some(self.all_but_one(from, to))
    }

    /// Whether a cell keeps its units for later.
    fn is_saving(&self, at: usize) -> bool {
        let known = self.known(at);
        known.kind.is_city()
            && self.view.tick() >= FIRST_TICKS
            && (at == self.lord.home || known.units < CITY_SAVINGS)
    }

    /// The largest army that is not being saved walks to the nearest border.
    fn bring_to_border(&mut self) -> Option<Action> {
        let view = self.view;
        let from = view.own().filter(|at| !self.is_saving(*at)).max_by_key(|at| self.units(*at))?;
        if self.units(from) < 2 {
            return None;
        }
        let (known, me) = (&self.lord.memory.cells, self.me);
        self.lord.flood.run(view.board(), [from as u16], |at| known[at].kind != Kind::Mountain);
        let order = &self.lord.flood.order;
        let border = order.iter().map(|at| usize::from(*at)).find(|at| known[*at].owner != me)?;
        let next = self.lord.flood.first_step(border);
        (known[next].owner == me).then(|| self.all_but_one(from, next))
    }
}
