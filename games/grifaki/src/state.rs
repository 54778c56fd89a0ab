//! The rules, one function per paragraph of the rule book, in its order.
//!
//! Everything that a view or the result needs (totals, lists of owned cells, who sees what) is kept up to date action
//! by action. Nothing here allocates once a game has started, and nothing walks the whole board.

use crate::action::{Action, Build, Move};
use crate::kind::{Building, Kind};
use crate::map::{Base, Map};
use crate::messages::{Reason, Refusal, Remark};
use crate::outcome;
use crate::prices::Prices;
use crate::settings::Settings;
use crate::sight::{Ground, Sights};
use crate::view::View;
use palestra_core::game::{self, Setup as _};
use palestra_core::{Digest, Fate, Input, Notes, Outcome, Rng, Seat, SetupError};
use palestra_grid::{Territory, Turns};
use std::sync::Arc;

/// A moment of the game.
///
/// The ring around the board is of mountains.
#[derive(Clone, Debug)]
pub struct State {
    /// What never changes is shared between all moments of a game.
    rules: Arc<Rules>,
    pub(crate) turns: Turns<Reason>,
    /// The cities and capitals of each player are in front of its cells.
    pub(crate) territory: Territory<u16, 0>,
    cells: Vec<Cell>,
    players: Vec<Player>,
    /// The next tick that is a multiple of `land_growth_time`: kept, because dividing takes longer than a move.
    next_land_growth: u32,
    /// The next tick that is a multiple of `no_capital_city_growth`.
    next_poor_growth: u32,
    last_action: Option<LastAction>,
}

#[derive(Debug)]
struct Rules {
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
    /// Where its capital was made.
    capital: u16,
    pub(crate) walls_built: u32,
    pub(crate) cities_built: u32,
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
        let board = map.board();
        let mut mountain = vec![true; board.indexes()];
        for (at, site) in board.cells().zip(map.sites()) {
            mountain[at] = site.base == Base::Mountain;
        }
        let sights = Sights::new(Ground { board, mountain: &mountain }, outlooks);
        let ring = Cell { units: 0, owner: 0, original: 0, kind: Kind::Mountain, wall: false };
        let mut state = State {
            rules: Arc::new(Rules {
                land_growth_time: settings.land_growth_time,
                no_capital_city_growth: settings.no_capital_city_growth,
                wall,
                leave_one: settings.leave_one,
                // No cell gets a building of one kind twice.
                wall_prices: Prices::new(settings.wall_cost, settings.wall_cost_growth, board.area() + 1),
                city_prices: Prices::new(settings.city_cost, settings.city_cost_growth, board.area() + 1),
                sights,
                five_words,
            }),
            turns: Turns::new(map.seats(), settings.max_game_duration),
            territory: Territory::new(board, map.seats()),
            cells: vec![ring; board.indexes()],
            players: vec![Player::default(); usize::from(map.seats())],
            next_land_growth: settings.land_growth_time,
            next_poor_growth: settings.no_capital_city_growth,
            last_action: None,
        };
        for (at, site) in board.cells().zip(map.sites()) {
            let cell = &mut state.cells[at];
            cell.wall = site.wall;
            match site.base {
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
        absent.iter().for_each(|seat| self.abandon(*seat));
        self.turns.withdraw(absent, || Reason::NotStarted {});
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.turns.to_move()
    }

    fn plays(&self, seat: Seat) -> bool {
        self.turns.plays(seat)
    }

    fn apply(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        self.take_turn(seat, input, notes);
        if self.turns.finish(seat) {
            self.grow();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome::outcome(self)
    }

    fn rounds(&self) -> u32 {
        self.turns.rounds()
    }

    fn digest(&self, digest: &mut Digest) {
        self.territory.digest(digest);
        self.turns.digest(digest);
        for cell in &self.cells {
            let what = u64::from(cell.original) << 16 | u64::from(cell.wall) << 8 | cell.kind as u64;
            digest.number(u64::from(cell.units) << 32 | u64::from(cell.owner) << 24 | what);
        }
        for (seat, player) in Seat::all(self.turns.players()).zip(&self.players) {
            digest.number(player.army);
            digest.number(u64::from(self.territory.land(seat)));
            digest.number(u64::from(self.cities(seat)));
            digest.number(u64::from(player.walls_built));
            digest.number(u64::from(player.cities_built));
            self.turns.digest_fall(seat, digest);
        }
    }

    /// Changes something that a seat cannot know: units, owners, walls and cities where it does not see, and what the
    /// others have built. Only whether a cell is a plain must stay.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool {
        let mut changed = false;
        for at in self.territory.hidden_from(seat) {
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
            if other != seat && self.turns.is_in(other) && rng.chance(1, 8) {
                let units = rng.between(1, 50);
                changed |= self.cells[at].owner != other.number() || self.cells[at].units != units;
                self.settle(at, other.number(), units);
            }
        }
        changed
    }
}

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
    palestra_grid::refuse_overflow(
        units,
        "lower max_game_duration, take a smaller map, or put fewer units on it",
    )
}

/// A tick.
impl State {
    /// Who holds its own capital is judged now: whatever happened to it during the tick does not matter.
    fn grow(&mut self) {
        let tick = self.turns.completed();
        let land_grows = tick == self.next_land_growth;
        if land_grows {
            self.next_land_growth += self.rules.land_growth_time;
        }
        let poor_grow = tick == self.next_poor_growth;
        if poor_grow {
            self.next_poor_growth += self.rules.no_capital_city_growth;
        }
        for (index, player) in self.players.iter_mut().enumerate() {
            let holds_capital = usize::from(self.cells[usize::from(player.capital)].owner) == index + 1;
            let mut grow = |cells: &[u16]| {
                for at in cells {
                    self.cells[usize::from(*at)].units += 1;
                }
                player.army += cells.len() as u64;
            };
            if holds_capital || poor_grow {
                grow(self.territory.owned().front_of(index));
            }
            if holds_capital && land_grows {
                grow(self.territory.owned().of(index));
            }
        }
    }
}

/// A turn.
impl State {
    /// Carries out what a player answered, or what its failure means, without ending the turn.
    fn take_turn(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        self.turns.begin(seat);
        self.last_action = None;
        let done = match input {
            Input::Answer(Action::Empty) => Ok(()),
            Input::Answer(Action::Move(order)) => self.carry_out_move(seat, order),
            Input::Answer(Action::Build(order)) => self.carry_out_build(seat, order),
            Input::Fault(fault) => {
                notes.add(seat, || Remark::OutByFault { fault: fault.message() });
                self.disqualify(seat, Reason::Failed { tick: self.turns.round(), fault: fault.message() });
                Ok(())
            }
        };
        if let Err(why) = done {
            notes.add(seat, || Remark::Refused { why });
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
        let from =
            self.territory.board().index(order.from).ok_or(Refusal::OutOfBounds { cell: order.from })?;
        let to = self.territory.board().index(order.to).ok_or(Refusal::OutOfBounds { cell: order.to })?;
        if self.cells[from].owner != seat.number() {
            return Err(Refusal::NotOwn { cell: order.from });
        }
        if !self.territory.board().share_a_side(from, to) {
            return Err(Refusal::NotAdjacent { from: order.from, to: order.to });
        }
        if self.cells[to].kind == Kind::Mountain {
            return Err(Refusal::Mountain { cell: order.to });
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
        let from =
            self.territory.board().index(order.from).ok_or(Refusal::OutOfBounds { cell: order.from })?;
        let to = self.territory.board().index(order.to).ok_or(Refusal::OutOfBounds { cell: order.to })?;
        for (at, place) in [(from, order.from), (to, order.to)] {
            if self.cells[at].owner != seat.number() {
                return Err(Refusal::NotOwn { cell: place });
            }
        }
        if from != to && !self.territory.board().share_a_side(from, to) {
            return Err(Refusal::NotAdjacent { from: order.from, to: order.to });
        }
        match order.building {
            Building::Wall if self.cells[to].wall => return Err(Refusal::HasWall { cell: order.to }),
            Building::City if self.cells[to].kind != Kind::Plain => {
                return Err(Refusal::NoPlain { cell: order.to });
            }
            _ => {}
        }
        let present = self.cells[from].units;
        let price = self.price(seat, order.building);
        let building = || order.building.word().to_owned();
        match price {
            Some(price) if price <= present => Ok((from, to, price)),
            Some(price) => Err(Refusal::TooDear { building: building(), price, present }),
            None => Err(Refusal::Priceless { building: building() }),
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
        let lost = |seat: Seat| self.territory.land(seat) == 0;
        let spent = lost(actor);
        let beaten =
            (other != 0 && other != actor.number()).then(|| Seat::new(other)).filter(|seat| lost(*seat));
        if !spent && beaten.is_none() {
            return;
        }
        let tick = self.turns.round();
        let spent = spent.then_some((actor, Reason::Spent { tick }));
        let beaten = beaten.map(|seat| (seat, Reason::Beaten { by: actor, tick }));
        self.turns.fall_together(Fate::Out, spent.into_iter().chain(beaten));
    }

    /// An answer that cannot be read, or none.
    fn disqualify(&mut self, seat: Seat, reason: Reason) {
        self.abandon(seat);
        self.turns.fall(seat, Fate::Disqualified, reason);
    }

    /// The player's cells are nobody's now, and keep their units.
    fn abandon(&mut self, seat: Seat) {
        while let Some(at) = self.territory.last_of(seat) {
            let units = self.cells[at].units;
            self.settle(at, 0, units);
        }
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
            let index = usize::from(owner) - 1;
            self.territory.lose(index, at, self.rules.sights.from(at, kind));
        }
        let cell = &mut self.cells[at];
        cell.owner = new_owner;
        if original != 0 {
            cell.kind = if new_owner == original { Kind::Capital } else { Kind::FallenCapital };
        }
        let kind = cell.kind;
        if new_owner != 0 {
            let index = usize::from(new_owner) - 1;
            self.territory.gain(index, at, kind.is_city(), self.rules.sights.from(at, kind));
        }
    }

    /// Makes a city of an own plain.
    fn found_city(&mut self, seat: Seat, at: usize) {
        let index = seat.index();
        self.territory.lose(index, at, self.rules.sights.from(at, Kind::Plain));
        self.cells[at].kind = Kind::City;
        self.territory.gain(index, at, true, self.rules.sights.from(at, Kind::City));
    }
}

/// For views and results.
impl State {
    /// How many cities and capitals a seat has.
    pub(crate) fn cities(&self, seat: Seat) -> u32 {
        self.territory.owned().front_count(seat.index())
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

    /// Where the capital of a seat was made.
    pub(crate) fn capital(&self, seat: Seat) -> usize {
        usize::from(self.players[seat.index()].capital)
    }
}

#[cfg(test)]
mod tests;
