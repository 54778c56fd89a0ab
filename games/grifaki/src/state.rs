//! The rules, one function per paragraph of the rule book, in its order.
//!
//! Everything that a view or the result needs (totals, lists of owned cells, who sees what) is kept up to date action
//! by action. Nothing here allocates once a game has started, and nothing walks the whole board.

use crate::action::{Action, Build, Move};
use crate::kind::{Building, Kind};
use crate::map::{Base, Map};
use crate::outcome;
use crate::prices::Prices;
use crate::settings::Settings;
use crate::sight::{Ground, Sights};
use crate::view::View;
use palestra_core::game::{self, Setup as _};
use palestra_core::{Digest, Input, Notes, Outcome, Rng, Seat, SetupError};
use std::fmt;
use std::sync::Arc;

/// A moment of the game.
///
/// Cells are kept with a ring of mountains around the board, so that the neighbours of a cell always exist. A cell's
/// index is `(x + 1) * stride + y + 1`, x being its row and y its column.
#[derive(Clone, Debug)]
pub struct State {
    height: u16,
    width: u16,
    /// What never changes is shared between all moments of a game.
    rules: Arc<Rules>,
    cells: Vec<Cell>,
    /// By cell: its place in its owner's list.
    slots: Vec<u16>,
    /// The cells of each player: the first `land` entries of its share, which has room for the whole board. The first
    /// `cities` of them are its cities and capitals.
    owned: Vec<u16>,
    /// For each player and cell: how many own cells of the player the cell is visible from.
    sight: Vec<u16>,
    players: Vec<Player>,
    tick: u32,
    /// The next tick that is a multiple of `land_growth_time`: kept, because dividing takes longer than a move.
    next_land_growth: u32,
    /// The next tick that is a multiple of `no_capital_city_growth`.
    next_poor_growth: u32,
    /// Whether somebody has had a turn in the running tick.
    tick_begun: bool,
    to_move: Option<Seat>,
    in_game: u8,
    falls: u32,
    last_action: Option<LastAction>,
}

#[derive(Debug)]
struct Rules {
    max_ticks: u32,
    land_growth_time: u32,
    no_capital_city_growth: u32,
    wall: (u64, u64),
    leave_one: bool,
    wall_prices: Prices,
    city_prices: Prices,
    sights: Sights,
    /// By seat.
    five_words: Vec<bool>,
}

/// One cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) units: u32,
    /// 0 is nobody.
    pub(crate) owner: u8,
    /// Whose capital it was made as; 0 for every other cell.
    pub(crate) original: u8,
    pub(crate) kind: Kind,
    pub(crate) wall: bool,
}

/// What is known of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    pub(crate) army: u64,
    pub(crate) land: u32,
    /// Cities and capitals, its own included.
    pub(crate) cities: u32,
    /// Where its capital was made.
    capital: u16,
    pub(crate) walls_built: u32,
    pub(crate) cities_built: u32,
    pub(crate) fall: Option<Fall>,
}

/// How a player fell out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fall {
    /// 1 fell first; players that one action removed have the same.
    pub(crate) order: u32,
    /// The tick it happened in, counted from 1; 0 is before the first one.
    pub(crate) tick: u32,
    pub(crate) cause: Cause,
}

/// Why a player fell out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Somebody took its last cell.
    Beaten {
        by: Seat,
    },
    /// It spent its last units.
    Spent,
    Fault(String),
    NotStarted,
}

/// Why an action is not allowed. Rows and columns are as the player sent them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    OutOfBounds([i64; 2]),
    NotOwn([i64; 2]),
    NotAdjacent([i64; 2], [i64; 2]),
    Mountain([i64; 2]),
    Amount { amount: i64, present: u32 },
    NobodyStays { present: u32 },
    HasWall([i64; 2]),
    NoPlain([i64; 2]),
    TooDear { building: Building, price: Option<u32>, present: u32 },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::OutOfBounds([x, y]) => write!(f, "there is no cell ({x}, {y})"),
            Refusal::NotOwn([x, y]) => write!(f, "cell ({x}, {y}) is not its own"),
            Refusal::NotAdjacent([x1, y1], [x2, y2]) => {
                write!(f, "cells ({x1}, {y1}) and ({x2}, {y2}) do not share a side")
            }
            Refusal::Mountain([x, y]) => write!(f, "cell ({x}, {y}) is a mountain"),
            Refusal::Amount { amount, present } => write!(f, "{amount} of {present} units cannot move"),
            Refusal::NobodyStays { present } => {
                write!(f, "all {present} units cannot move, one must stay")
            }
            Refusal::HasWall([x, y]) => write!(f, "cell ({x}, {y}) has a wall already"),
            Refusal::NoPlain([x, y]) => write!(f, "cell ({x}, {y}) is no plain to build a city on"),
            Refusal::TooDear { building, price: Some(price), present } => {
                write!(f, "a {} costs {price} units, and {present} are there", building.word())
            }
            Refusal::TooDear { building, price: None, .. } => {
                write!(f, "the price of another {} is out of reach", building.word())
            }
        }
    }
}

/// The action that was taken last, for drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastAction {
    pub(crate) seat: Seat,
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) deed: Deed,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    Moved { amount: u32 },
    Built(Building),
}

impl game::State for State {
    type Setup = Map;
    type Action = Action;
    type View<'a> = View<'a>;

    /// Sets the board up. The map has been read with the same settings, or generated.
    fn start(settings: &Settings, map: &Map, _seed: u64) -> Result<State, SetupError> {
        let wall = settings.wall_fraction()?;
        let outlooks = settings.outlooks()?;
        let five_words = settings.five_words(map.seats())?;
        refuse_overflow(settings, map)?;
        let (height, width) = (usize::from(map.height()), usize::from(map.width()));
        let stride = width + 2;
        let padded = (height + 2) * stride;
        let area = height * width;
        let index = |site: usize| (site / width + 1) * stride + site % width + 1;
        let mut mountain = vec![true; padded];
        for (site, what) in map.sites().iter().enumerate() {
            mountain[index(site)] = what.base == Base::Mountain;
        }
        let sights = Sights::new(Ground { height, width, mountain: &mountain }, outlooks);
        let ring = Cell { units: 0, owner: 0, original: 0, kind: Kind::Mountain, wall: false };
        let players = usize::from(map.seats());
        let mut state = State {
            height: map.height(),
            width: map.width(),
            rules: Arc::new(Rules {
                max_ticks: settings.max_game_duration,
                land_growth_time: settings.land_growth_time,
                no_capital_city_growth: settings.no_capital_city_growth,
                wall,
                leave_one: settings.leave_one,
                // No cell gets a building of one kind twice.
                wall_prices: Prices::new(settings.wall_cost, settings.wall_cost_growth, area + 1),
                city_prices: Prices::new(settings.city_cost, settings.city_cost_growth, area + 1),
                sights,
                five_words,
            }),
            cells: vec![ring; padded],
            slots: vec![0; padded],
            owned: vec![0; players * area],
            sight: vec![0; players * padded],
            players: vec![Player::default(); players],
            tick: 0,
            next_land_growth: settings.land_growth_time,
            next_poor_growth: settings.no_capital_city_growth,
            tick_begun: false,
            to_move: Some(Seat::new(1)),
            in_game: map.seats(),
            falls: 0,
            last_action: None,
        };
        for (site, what) in map.sites().iter().enumerate() {
            let at = index(site);
            let cell = &mut state.cells[at];
            cell.wall = what.wall;
            match what.base {
                Base::Plain { units } => (cell.kind, cell.units) = (Kind::Plain, units),
                Base::City { units } => (cell.kind, cell.units) = (Kind::City, units),
                Base::Mountain => {}
                Base::Capital { player } => {
                    (cell.kind, cell.original) = (Kind::FallenCapital, player);
                    state.players[usize::from(player) - 1].capital = at as u16;
                    state.settle(at, player, settings.start_army);
                }
            }
        }
        Ok(state)
    }

    /// Players that could not be started fall together; their cells are neutral.
    fn withdraw(&mut self, absent: &[Seat]) {
        for seat in absent {
            self.disqualify(*seat, Cause::NotStarted);
            self.falls = 1;
            self.players[seat.index()].fall = Some(Fall { order: 1, tick: 0, cause: Cause::NotStarted });
        }
        self.to_move = self.next_in_game(0).filter(|_| self.in_game > 1);
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    fn plays(&self, seat: Seat) -> bool {
        self.to_move.is_some() && self.players[seat.index()].fall.is_none()
    }

    fn apply(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        self.take_turn(seat, input, notes);
        if self.in_game <= 1 {
            self.to_move = None;
            return;
        }
        self.to_move = self.next_in_game(seat.index() + 1);
        if self.to_move.is_none() {
            self.end_tick();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome::outcome(self)
    }

    fn rounds(&self) -> u32 {
        self.tick + u32::from(self.tick_begun)
    }

    fn digest(&self, digest: &mut Digest) {
        digest.number(u64::from(self.height));
        digest.number(u64::from(self.width));
        digest.number(u64::from(self.tick));
        digest.number(u64::from(self.tick_begun));
        digest.number(self.to_move.map_or(0, |seat| u64::from(seat.number())));
        for cell in &self.cells {
            let what = u64::from(cell.original) << 16 | u64::from(cell.wall) << 8 | cell.kind as u64;
            digest.number(u64::from(cell.units) << 32 | u64::from(cell.owner) << 24 | what);
        }
        for player in &self.players {
            digest.number(player.army);
            digest.number(u64::from(player.land));
            digest.number(u64::from(player.cities));
            digest.number(u64::from(player.walls_built));
            digest.number(u64::from(player.cities_built));
            match &player.fall {
                None => digest.number(0),
                Some(fall) => {
                    digest.number(u64::from(fall.order));
                    digest.number(u64::from(fall.tick));
                    digest.bytes(outcome::fall_reason(fall).as_bytes());
                }
            }
        }
    }

    /// Changes something that a seat cannot know: units, owners, walls and cities where it does not see, and what the
    /// others have built. Only whether a cell is a plain must stay.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool {
        let hidden: Vec<usize> = (0..self.cells.len())
            .filter(|at| self.sight(seat)[*at] == 0 && self.index(self.place(*at)).is_some())
            .collect();
        let mut changed = false;
        for at in hidden {
            let cell = self.cells[at];
            if cell.kind == Kind::Mountain {
                // Nobody can be there, but a hidden city looks the same.
                if rng.chance(1, 4) {
                    self.cells[at].kind = Kind::City;
                    changed = true;
                }
                continue;
            }
            if rng.chance(1, 2) {
                let units = (cell.units + rng.between(1, 9)) % 100;
                self.settle(at, cell.owner, units);
                changed = true;
            }
            if rng.chance(1, 4) {
                self.cells[at].wall ^= true;
                changed = true;
            }
            let player = rng.below(self.players.len() as u32) as usize;
            let other = Seat::at(player);
            if other != seat && self.players[player].fall.is_none() && rng.chance(1, 8) {
                let units = rng.between(1, 50);
                changed |= self.cells[at].owner != other.number() || self.cells[at].units != units;
                self.settle(at, other.number(), units);
            }
        }
        changed
    }
}

/// No cell can ever hold more units than the whole board, so it is enough to bound that.
fn refuse_overflow(settings: &Settings, map: &Map) -> Result<(), SetupError> {
    let mut units: u128 = 0;
    for site in map.sites() {
        units += match site.base {
            Base::Plain { units } | Base::City { units } => u128::from(units),
            Base::Capital { .. } => u128::from(settings.start_army),
            Base::Mountain => 0,
        };
    }
    // Any cell may become a city, and then grows twice in a tick in which land grows.
    let ticks = u128::from(settings.max_game_duration);
    units += (ticks + ticks / u128::from(settings.land_growth_time)) * map.sites().len() as u128;
    if units > u128::from(u32::MAX) {
        return Err(SetupError::new(format!(
            "the board could come to {units} units, and {} is the most; lower max_game_duration, take a smaller map, \
             or put fewer units on it",
            u32::MAX
        )));
    }
    Ok(())
}

/// A tick.
impl State {
    fn next_in_game(&self, from_index: usize) -> Option<Seat> {
        let rest = self.players.get(from_index..)?;
        let found = rest.iter().position(|player| player.fall.is_none())?;
        Some(Seat::at(from_index + found))
    }

    fn end_tick(&mut self) {
        self.tick += 1;
        self.tick_begun = false;
        self.grow();
        if self.tick < self.rules.max_ticks {
            self.to_move = self.next_in_game(0);
        }
    }

    /// Who holds its own capital is judged now: whatever happened to it during the tick does not matter.
    fn grow(&mut self) {
        let land_grows = self.tick == self.next_land_growth;
        if land_grows {
            self.next_land_growth += self.rules.land_growth_time;
        }
        let poor_grow = self.tick == self.next_poor_growth;
        if poor_grow {
            self.next_poor_growth += self.rules.no_capital_city_growth;
        }
        let area = self.area();
        for (index, player) in self.players.iter_mut().enumerate() {
            let (land, cities) = (player.land as usize, player.cities as usize);
            let holds_capital = usize::from(self.cells[usize::from(player.capital)].owner) == index + 1;
            let owned = &self.owned[index * area..][..land];
            if holds_capital || poor_grow {
                for at in &owned[..cities] {
                    self.cells[usize::from(*at)].units += 1;
                }
                player.army += cities as u64;
            }
            if holds_capital && land_grows {
                for at in owned {
                    self.cells[usize::from(*at)].units += 1;
                }
                player.army += land as u64;
            }
        }
    }
}

/// A turn.
impl State {
    /// Carries out what a player answered, or what its failure means, without ending the turn.
    fn take_turn(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        self.tick_begun = true;
        self.last_action = None;
        let done = match input {
            Input::Answer(Action::Empty) => Ok(()),
            Input::Answer(Action::Move(order)) => self.carry_out_move(seat, order),
            Input::Answer(Action::Build(order)) => self.carry_out_build(seat, order),
            Input::Fault(fault) => {
                notes.add(seat, || format!("{fault}; the player is out"));
                self.disqualify(seat, Cause::Fault(fault.to_string()));
                Ok(())
            }
        };
        if let Err(refusal) = done {
            notes.add(seat, || format!("not allowed, counts as EMPTY: {refusal}"));
        }
    }

    fn carry_out_move(&mut self, seat: Seat, order: &Move) -> Result<(), Refusal> {
        let (from, to, amount) = self.check_move(seat, order)?;
        let me = seat.number();
        self.last_action =
            Some(LastAction { seat, from: from as u16, to: to as u16, deed: Deed::Moved { amount } });
        let rest = self.cells[from].units - amount;
        self.settle(from, me, rest);
        let target = self.cells[to];
        if target.owner == me {
            self.settle(to, me, target.units + amount);
        } else {
            self.attack(seat, to, amount);
        }
        self.remove_the_landless(seat, target.owner);
        Ok(())
    }

    /// The cells and the amount of an allowed move.
    fn check_move(&self, seat: Seat, order: &Move) -> Result<(usize, usize, u32), Refusal> {
        let from = self.index(order.from).ok_or(Refusal::OutOfBounds(order.from))?;
        let to = self.index(order.to).ok_or(Refusal::OutOfBounds(order.to))?;
        if self.cells[from].owner != seat.number() {
            return Err(Refusal::NotOwn(order.from));
        }
        if !self.share_a_side(from, to) {
            return Err(Refusal::NotAdjacent(order.from, order.to));
        }
        if self.cells[to].kind == Kind::Mountain {
            return Err(Refusal::Mountain(order.to));
        }
        let present = self.cells[from].units;
        let amount = u32::try_from(order.amount).ok().filter(|amount| (1..=present).contains(amount));
        match amount {
            None => Err(Refusal::Amount { amount: order.amount, present }),
            Some(amount) if self.rules.leave_one && amount == present => {
                Err(Refusal::NobodyStays { present })
            }
            Some(amount) => Ok((from, to, amount)),
        }
    }

    /// `amount` units, which have left their cell, meet whoever holds `to`. Everything is exact: with the strength
    /// p / q of a defender, both sides are counted in q-ths.
    fn attack(&mut self, seat: Seat, to: usize, amount: u32) {
        let Cell { units, owner, wall, .. } = self.cells[to];
        let (p, q) = if wall { self.rules.wall } else { (1, 1) };
        let attack = u128::from(amount) * u128::from(q);
        let defence = u128::from(units) * u128::from(p);
        if attack > defence {
            let left = (attack - defence) / u128::from(q);
            self.settle(to, seat.number(), left as u32);
        } else {
            let left = (defence - attack) / u128::from(p);
            self.settle(to, owner, left as u32);
        }
    }

    fn carry_out_build(&mut self, seat: Seat, order: &Build) -> Result<(), Refusal> {
        let (from, to, price) = self.check_build(seat, order)?;
        let me = seat.number();
        let building = order.building;
        self.last_action =
            Some(LastAction { seat, from: from as u16, to: to as u16, deed: Deed::Built(building) });
        let player = &mut self.players[seat.index()];
        match building {
            Building::Wall => {
                player.walls_built += 1;
                self.cells[to].wall = true;
            }
            Building::City => {
                player.cities_built += 1;
                self.found_city(seat, to);
            }
        }
        let rest = self.cells[from].units - price;
        self.settle(from, me, rest);
        self.remove_the_landless(seat, me);
        Ok(())
    }

    /// The cells and the price of an allowed building.
    fn check_build(&self, seat: Seat, order: &Build) -> Result<(usize, usize, u32), Refusal> {
        let from = self.index(order.from).ok_or(Refusal::OutOfBounds(order.from))?;
        let to = self.index(order.to).ok_or(Refusal::OutOfBounds(order.to))?;
        for (at, place) in [(from, order.from), (to, order.to)] {
            if self.cells[at].owner != seat.number() {
                return Err(Refusal::NotOwn(place));
            }
        }
        if from != to && !self.share_a_side(from, to) {
            return Err(Refusal::NotAdjacent(order.from, order.to));
        }
        match order.building {
            Building::Wall if self.cells[to].wall => return Err(Refusal::HasWall(order.to)),
            Building::City if self.cells[to].kind != Kind::Plain => return Err(Refusal::NoPlain(order.to)),
            _ => {}
        }
        let present = self.cells[from].units;
        let price = self.price(seat, order.building);
        match price.filter(|price| *price <= present) {
            Some(price) => Ok((from, to, price)),
            None => Err(Refusal::TooDear { building: order.building, price, present }),
        }
    }

    /// What the next building of a kind costs a player; `None` is out of reach.
    pub(crate) fn price(&self, seat: Seat, building: Building) -> Option<u32> {
        let player = &self.players[seat.index()];
        match building {
            Building::Wall => self.rules.wall_prices.after(player.walls_built),
            Building::City => self.rules.city_prices.after(player.cities_built),
        }
    }

    /// An action has left its player, or the one it was directed against, without a cell. Both at once fall together.
    fn remove_the_landless(&mut self, actor: Seat, other: u8) {
        let order = self.falls + 1;
        if self.players[actor.index()].land == 0 {
            self.fall(actor, order, Cause::Spent);
        }
        if other != 0 && other != actor.number() && self.players[usize::from(other) - 1].land == 0 {
            self.fall(Seat::new(other), order, Cause::Beaten { by: actor });
        }
    }

    /// An answer that cannot be read, or none: the player's cells are nobody's now, and keep their units.
    fn disqualify(&mut self, seat: Seat, cause: Cause) {
        // The last entry each time, so that taking it out moves no other land.
        while let Some(at) = self.own_cells(seat).last() {
            let at = usize::from(*at);
            let units = self.cells[at].units;
            self.settle(at, 0, units);
        }
        self.fall(seat, self.falls + 1, cause);
    }

    fn fall(&mut self, seat: Seat, order: u32, cause: Cause) {
        self.falls = order;
        self.in_game -= 1;
        self.players[seat.index()].fall = Some(Fall { order, tick: self.tick + 1, cause });
    }
}

/// Bookkeeping.
impl State {
    /// Puts units of an owner into a cell in place of what was there. Without units it is nobody's.
    fn settle(&mut self, at: usize, owner: u8, units: u32) {
        let owner = if units == 0 { 0 } else { owner };
        let before = self.cells[at];
        if before.owner != 0 {
            self.players[usize::from(before.owner) - 1].army -= u64::from(before.units);
        }
        if owner != 0 {
            self.players[usize::from(owner) - 1].army += u64::from(units);
        }
        self.cells[at].units = units;
        if before.owner != owner {
            self.hand_over(at, owner);
        }
    }

    /// Gives a cell to another owner, 0 being nobody: lists, sight, and what a capital is now.
    fn hand_over(&mut self, at: usize, new_owner: u8) {
        let Cell { owner, kind, original, .. } = self.cells[at];
        if owner != 0 {
            self.unlist(usize::from(owner) - 1, at);
            self.look(usize::from(owner) - 1, at, kind, -1);
        }
        let cell = &mut self.cells[at];
        cell.owner = new_owner;
        if original != 0 {
            cell.kind = if new_owner == original { Kind::Capital } else { Kind::FallenCapital };
        }
        let kind = cell.kind;
        if new_owner != 0 {
            self.list(usize::from(new_owner) - 1, at, kind.is_city());
            self.look(usize::from(new_owner) - 1, at, kind, 1);
        }
    }

    /// Makes a city of an own plain.
    fn found_city(&mut self, seat: Seat, at: usize) {
        let index = seat.index();
        self.unlist(index, at);
        self.look(index, at, Kind::Plain, -1);
        self.cells[at].kind = Kind::City;
        self.list(index, at, true);
        self.look(index, at, Kind::City, 1);
    }

    /// Puts a cell on a player's list, a city among the cities.
    fn list(&mut self, index: usize, at: usize, city: bool) {
        let begin = index * self.area();
        let player = &mut self.players[index];
        let mut slot = player.land as usize;
        player.land += 1;
        if city {
            let first_land = player.cities as usize;
            player.cities += 1;
            if first_land != slot {
                self.put(begin, slot, usize::from(self.owned[begin + first_land]));
            }
            slot = first_land;
        }
        self.put(begin, slot, at);
    }

    /// Takes a cell off a player's list and closes the gap.
    fn unlist(&mut self, index: usize, at: usize) {
        let begin = index * self.area();
        let player = &mut self.players[index];
        let mut gap = usize::from(self.slots[at]);
        player.land -= 1;
        let last = player.land as usize;
        if gap < player.cities as usize {
            player.cities -= 1;
            let last_city = player.cities as usize;
            self.put(begin, gap, usize::from(self.owned[begin + last_city]));
            gap = last_city;
        }
        if gap != last {
            self.put(begin, gap, usize::from(self.owned[begin + last]));
        }
    }

    #[inline]
    fn put(&mut self, begin: usize, slot: usize, at: usize) {
        self.owned[begin + slot] = at as u16;
        self.slots[at] = slot as u16;
    }

    /// One own cell more or less from which the cells around `at` are visible.
    #[inline]
    fn look(&mut self, player: usize, at: usize, kind: Kind, change: i16) {
        let sight = &mut self.sight[player * self.cells.len()..][..self.cells.len()];
        for span in self.rules.sights.from(at, kind) {
            for count in &mut sight[usize::from(span.start)..usize::from(span.end)] {
                *count = count.wrapping_add_signed(change);
            }
        }
    }

    /// The index of a place, if it is on the board.
    fn index(&self, [x, y]: [i64; 2]) -> Option<usize> {
        let inside = (0..i64::from(self.height)).contains(&x) && (0..i64::from(self.width)).contains(&y);
        inside.then(|| (x as usize + 1) * self.stride() + y as usize + 1)
    }

    /// On a padded board cells one apart by index are in the same row, or one of them is in the ring.
    fn share_a_side(&self, a: usize, b: usize) -> bool {
        let apart = a.abs_diff(b);
        apart == 1 || apart == self.stride()
    }

    fn area(&self) -> usize {
        usize::from(self.height) * usize::from(self.width)
    }
}

/// For views and results.
impl State {
    pub(crate) fn height(&self) -> u16 {
        self.height
    }

    pub(crate) fn width(&self) -> u16 {
        self.width
    }

    #[inline]
    pub(crate) fn stride(&self) -> usize {
        usize::from(self.width) + 2
    }

    /// Completed ticks.
    pub(crate) fn tick(&self) -> u32 {
        self.tick
    }

    pub(crate) fn max_ticks(&self) -> u32 {
        self.rules.max_ticks
    }

    pub(crate) fn wall(&self) -> (u64, u64) {
        self.rules.wall
    }

    pub(crate) fn leave_one(&self) -> bool {
        self.rules.leave_one
    }

    pub(crate) fn five_words(&self, seat: Seat) -> bool {
        self.rules.five_words[seat.index()]
    }

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    pub(crate) fn last_action(&self) -> Option<LastAction> {
        self.last_action
    }

    /// Every cell, the ring included.
    #[inline]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// For each cell, how many own cells of the seat it is visible from.
    #[inline]
    pub(crate) fn sight(&self, seat: Seat) -> &[u16] {
        &self.sight[seat.index() * self.cells.len()..][..self.cells.len()]
    }

    /// The cells of a seat, its cities and capitals first.
    #[inline]
    pub(crate) fn own_cells(&self, seat: Seat) -> &[u16] {
        &self.owned[seat.index() * self.area()..][..self.players[seat.index()].land as usize]
    }

    /// Where the capital of a seat was made.
    pub(crate) fn capital(&self, seat: Seat) -> usize {
        usize::from(self.players[seat.index()].capital)
    }
}

/// For tests of the fog.
impl State {
    fn place(&self, at: usize) -> [i64; 2] {
        [(at / self.stride()) as i64 - 1, (at % self.stride()) as i64 - 1]
    }
}

#[cfg(test)]
mod tests;
