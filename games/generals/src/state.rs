//! The rules, one function per paragraph of the rule book, in its order.
//!
//! Everything that a view or the result needs (totals, lists of owned cells, who sees what) is kept up to date move
//! by move. Nothing here allocates once a game has started, and nothing walks the whole board.

use crate::action::{Action, Amount, Move};
use crate::map::{Map, Site};
use crate::messages::{Illegal, Reason, Remark};
use crate::outcome;
use crate::settings::Settings;
use crate::view::View;
use palestra_core::game::{self, Setup as _};
use palestra_core::{Digest, Fate, Input, Notes, Outcome, Rng, Seat, SetupError};
use palestra_grid::{Territory, Turns};
use std::ops::Range;

/// A moment of the game.
///
/// The ring around the board is of mountains.
#[derive(Clone, Debug)]
pub struct State {
    rules: Rules,
    pub(crate) turns: Turns<Reason>,
    pub(crate) territory: Territory<u8, 1>,
    cells: Vec<Cell>,
    players: Vec<Player>,
    /// Every owned city and capital.
    growing: Vec<u16>,
    /// The next round that is a multiple of `city_growth_every`: kept, because dividing takes longer than a move.
    next_city_growth: u32,
    /// The next round that is a multiple of `land_growth_every`.
    next_land_growth: u32,
    last_move: Option<LastMove>,
    latest: Latest,
}

/// How much the latest turn has changed, for observations that are kept turn by turn.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Latest {
    /// How many cells have changed hands.
    pub(crate) handed_over: u32,
    /// Who had the last of them, 0 being nobody.
    pub(crate) former_owner: u8,
    pub(crate) cities_grew: bool,
    pub(crate) land_grew: bool,
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    city_growth_every: u32,
    land_growth_every: u32,
    tie_captures: bool,
}

/// One cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) units: u32,
    /// 0 is nobody.
    pub(crate) owner: u8,
    pub(crate) kind: Kind,
}

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Land.
    Empty = 1,
    /// A city, or a capital that has fallen.
    City = 2,
    /// A capital.
    Capital = 3,
    /// Nobody enters.
    Mountain = 4,
}

impl Kind {
    /// Whether an owned cell of this kind grows with the cities.
    pub fn is_city(self) -> bool {
        matches!(self, Kind::City | Kind::Capital)
    }
}

/// What is known of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    pub(crate) army: u64,
    /// Own capital included.
    pub(crate) cities: u32,
}

/// The move that was made last, for drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LastMove {
    pub(crate) seat: Seat,
    pub(crate) from: u16,
    pub(crate) to: u16,
}

impl game::State for State {
    type Setup = Map;
    type Action = Action;
    type View<'a> = View<'a>;

    /// Sets the board up. The map has been read with the same settings, or generated.
    fn start(settings: &Settings, map: &Map, _seed: u64) -> Result<State, SetupError> {
        refuse_overflow(settings, map)?;
        let board = map.board();
        let ring = Cell { units: 0, owner: 0, kind: Kind::Mountain };
        let cities = map.sites().iter().filter(|site| matches!(site, Site::City { .. } | Site::Capital));
        let mut state = State {
            rules: Rules {
                city_growth_every: settings.city_growth_every,
                land_growth_every: settings.land_growth_every,
                tie_captures: settings.tie_captures,
            },
            turns: Turns::new(map.seats(), settings.max_turns),
            territory: Territory::new(board, map.seats()),
            cells: vec![ring; board.indexes()],
            players: vec![Player::default(); usize::from(map.seats())],
            growing: Vec::with_capacity(cities.count()),
            next_city_growth: settings.city_growth_every,
            next_land_growth: settings.land_growth_every,
            last_move: None,
            latest: Latest::default(),
        };
        let mut next_owner = 1;
        for (at, site) in board.cells().zip(map.sites()) {
            let (kind, units) = match *site {
                Site::Empty => (Kind::Empty, 0),
                Site::City { units } => (Kind::City, units),
                Site::Capital => (Kind::Capital, settings.start_army),
                Site::Mountain => (Kind::Mountain, 0),
            };
            state.cells[at].kind = kind;
            state.cells[at].units = units;
            if kind == Kind::Capital {
                state.hand_over(at, next_owner);
                next_owner += 1;
            }
        }
        Ok(state)
    }

    /// Players that could not be started fall together; their cells are nobody's.
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
        self.finish_turn(seat);
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
            let what = u64::from(cell.owner) << 8 | cell.kind as u64;
            digest.number(u64::from(cell.units) << 16 | what);
        }
        for (seat, player) in Seat::all(self.turns.players()).zip(&self.players) {
            digest.number(player.army);
            digest.number(u64::from(self.territory.land(seat)));
            digest.number(u64::from(player.cities));
            self.turns.digest_fall(seat, digest);
        }
    }

    /// Changes something that a seat cannot know: the units of a neutral cell, the place of units of one player, or
    /// the contents of two cells that look the same from far away. Totals are public, and stay.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool {
        let hidden = self.territory.hidden_from(seat);
        let before = self.cells.clone();
        for at in &hidden {
            let cell = &mut self.cells[*at];
            if cell.owner == 0 && cell.kind != Kind::Mountain && rng.chance(1, 2) {
                cell.units = (cell.units + rng.between(1, 9)) % 100;
            }
        }
        for _ in 0..2 * hidden.len() {
            if let (Some(&a), Some(&b)) = (rng.pick(&hidden), rng.pick(&hidden)) {
                let _ = self.exchange(a, b) || self.shift(a, b);
            }
        }
        let plain = |cell: &Cell| (cell.kind, cell.owner, cell.units);
        let changed = self.cells.iter().map(plain).ne(before.iter().map(plain));
        // Chance may have missed what little there is, or undone it.
        changed
            || hidden.iter().any(|&a| {
                self.make_city(a) || hidden.iter().any(|&b| self.exchange(a, b) || self.shift(a, b))
            })
    }
}

fn refuse_overflow(settings: &Settings, map: &Map) -> Result<(), SetupError> {
    let mut units: u128 = 0;
    let mut cities: u128 = 0;
    for site in map.sites() {
        match site {
            Site::City { units: garrison } => {
                cities += 1;
                units += u128::from(*garrison);
            }
            Site::Capital => {
                cities += 1;
                units += u128::from(settings.start_army);
            }
            Site::Empty | Site::Mountain => {}
        }
    }
    let rounds = u128::from(settings.max_turns);
    units += rounds / u128::from(settings.city_growth_every) * cities;
    units += rounds / u128::from(settings.land_growth_every) * map.sites().len() as u128;
    palestra_grid::refuse_overflow(
        units,
        "lower max_turns, raise city_growth_every or land_growth_every, or put fewer units into the map's cities",
    )
}

/// A round.
impl State {
    /// Goes on to the next player in the game; says whether that ended a round.
    pub(crate) fn finish_turn(&mut self, seat: Seat) -> bool {
        let round_over = self.turns.finish(seat);
        if round_over {
            self.grow();
        }
        round_over
    }

    fn grow(&mut self) {
        let round = self.turns.completed();
        if round == self.next_city_growth {
            self.next_city_growth += self.rules.city_growth_every;
            self.latest.cities_grew = true;
            self.grow_cities();
        }
        if round == self.next_land_growth {
            self.next_land_growth += self.rules.land_growth_every;
            self.latest.land_grew = true;
            self.grow_land();
        }
    }

    fn grow_cities(&mut self) {
        for at in &self.growing {
            self.cells[usize::from(*at)].units += 1;
        }
        for player in &mut self.players {
            player.army += u64::from(player.cities);
        }
    }

    fn grow_land(&mut self) {
        for (index, player) in self.players.iter_mut().enumerate() {
            for at in self.territory.owned().of(index) {
                let cell = &mut self.cells[usize::from(*at)];
                cell.units += u32::from(cell.kind == Kind::Empty);
            }
            player.army += u64::from(self.territory.owned().count(index) - player.cities);
        }
    }
}

/// A turn.
impl State {
    /// Carries out what a player answered, or what its failure means, without ending the turn.
    pub(crate) fn take_turn(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        self.turns.begin(seat);
        self.last_move = None;
        self.latest = Latest::default();
        let round = self.turns.round();
        let (reason, remark) = match input {
            Input::Answer(Action::Pass) => return,
            Input::Answer(Action::Move(order)) => match self.carry_out(seat, order) {
                Ok(()) => return,
                Err(why) => (Reason::IllegalMove { round, why: why.clone() }, Remark::OutByMove { why }),
            },
            Input::Fault(fault) => {
                let fault = fault.message();
                (Reason::Failed { round, fault: fault.clone() }, Remark::OutByFault { fault })
            }
        };
        notes.add(seat, || remark);
        self.disqualify(seat, reason);
    }

    fn carry_out(&mut self, seat: Seat, order: &Move) -> Result<(), Illegal> {
        let (from, to) = self.check(seat, order)?;
        let present = self.cells[from].units;
        let moved = match order.amount {
            Amount::AllButOne => present.saturating_sub(1),
            Amount::Half => present / 2,
        };
        self.last_move = Some(LastMove { seat, from: from as u16, to: to as u16 });
        self.cells[from].units -= moved;
        if self.cells[to].owner == seat.number() {
            self.cells[to].units += moved;
        } else {
            self.attack(seat, to, moved);
        }
        Ok(())
    }

    /// The cells of an allowed move.
    fn check(&self, seat: Seat, order: &Move) -> Result<(usize, usize), Illegal> {
        let from =
            self.territory.board().index(order.from).ok_or(Illegal::OutOfBounds { cell: order.from })?;
        let to = self.territory.board().index(order.to).ok_or(Illegal::OutOfBounds { cell: order.to })?;
        if self.cells[from].owner != seat.number() {
            return Err(Illegal::NotOwn { cell: order.from });
        }
        if !self.territory.board().share_a_side(from, to) {
            return Err(Illegal::NotAdjacent { from: order.from, to: order.to });
        }
        if self.cells[to].kind == Kind::Mountain {
            return Err(Illegal::Mountain { cell: order.to });
        }
        Ok((from, to))
    }

    /// `moved` units, which have left their cell, meet whoever holds `to`.
    fn attack(&mut self, seat: Seat, to: usize, moved: u32) {
        let Cell { units, owner, kind, .. } = self.cells[to];
        let lost = moved.min(units);
        self.players[seat.index()].army -= u64::from(lost);
        if owner != 0 {
            self.players[usize::from(owner) - 1].army -= u64::from(lost);
        }
        let falls = moved > units || (self.rules.tie_captures && moved == units && moved >= 1);
        if !falls {
            self.cells[to].units = units - lost;
            return;
        }
        // What remains of the attack has stayed in the mover's total; the cell is empty when it changes hands.
        self.cells[to].units = 0;
        self.hand_over(to, seat.number());
        self.cells[to].units = moved - lost;
        if kind == Kind::Capital {
            self.cells[to].kind = Kind::City;
            self.inherit(seat, Seat::new(owner));
        }
    }

    /// The capital of `loser` has fallen: the rest of its cells goes to the winner, with half of the units.
    fn inherit(&mut self, winner: Seat, loser: Seat) {
        while let Some(at) = self.territory.last_of(loser) {
            let cell = &mut self.cells[at];
            let halved = cell.units.div_ceil(2);
            self.players[loser.index()].army -= u64::from(cell.units - halved);
            cell.units = halved;
            self.hand_over(at, winner.number());
        }
        let round = self.turns.round();
        self.turns.fall(loser, Fate::Out, Reason::Captured { by: winner, round });
    }

    /// An invalid answer, or none.
    fn disqualify(&mut self, seat: Seat, reason: Reason) {
        self.abandon(seat);
        self.turns.fall(seat, Fate::Disqualified, reason);
    }

    /// The player's cells are nobody's now, and its capital is a city.
    fn abandon(&mut self, seat: Seat) {
        while let Some(at) = self.territory.last_of(seat) {
            self.hand_over(at, 0);
            let cell = &mut self.cells[at];
            if cell.kind == Kind::Capital {
                cell.kind = Kind::City;
            }
        }
        let cells = &self.cells;
        self.growing.retain(|at| cells[usize::from(*at)].owner != 0);
    }
}

/// Bookkeeping.
impl State {
    /// Gives a cell with all its units to another owner, 0 being nobody.
    fn hand_over(&mut self, at: usize, new_owner: u8) {
        let Cell { units, owner, kind } = self.cells[at];
        self.latest.handed_over += 1;
        self.latest.former_owner = owner;
        let city = u32::from(kind.is_city());
        if owner != 0 {
            let index = usize::from(owner) - 1;
            let player = &mut self.players[index];
            player.cities -= city;
            player.army -= u64::from(units);
            self.territory.lose(index, at, self.around(at));
        } else if city == 1 {
            self.growing.push(at as u16);
        }
        self.cells[at].owner = new_owner;
        if new_owner != 0 {
            let index = usize::from(new_owner) - 1;
            let player = &mut self.players[index];
            player.cities += city;
            player.army += u64::from(units);
            self.territory.gain(index, at, false, self.around(at));
        }
    }

    /// The cells that are visible from one: itself and the eight around it.
    #[inline]
    pub(crate) fn around(&self, at: usize) -> [Range<usize>; 3] {
        let stride = self.territory.board().stride();
        [at - stride, at, at + stride].map(|middle| middle - 1..middle + 2)
    }
}

/// For views and results.
impl State {
    pub(crate) fn tie_captures(&self) -> bool {
        self.rules.tie_captures
    }

    pub(crate) fn players(&self) -> &[Player] {
        &self.players
    }

    pub(crate) fn last_move(&self) -> Option<LastMove> {
        self.last_move
    }

    #[inline]
    pub(crate) fn latest(&self) -> Latest {
        self.latest
    }

    /// Every owned city and capital.
    #[inline]
    pub(crate) fn growing(&self) -> &[u16] {
        &self.growing
    }

    /// Every cell, the ring included.
    #[inline]
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// For tests of the fog.
impl State {
    /// Exchanges the contents of two cells that look alike when hidden.
    fn exchange(&mut self, a: usize, b: usize) -> bool {
        let (first, second) = (self.cells[a], self.cells[b]);
        let looks = |cell: Cell| matches!(cell.kind, Kind::Empty | Kind::Capital);
        if first == second || looks(first) != looks(second) {
            return false;
        }
        self.cells.swap(a, b);
        let owners = [(first, a, b), (second, b, a)].into_iter().filter(|(cell, ..)| cell.owner != 0);
        let moves = owners.map(|(cell, old, new)| (usize::from(cell.owner) - 1, old, new));
        for (index, old, _) in moves.clone() {
            self.territory.lose(index, old, self.around(old));
        }
        for (index, _, new) in moves {
            self.territory.gain(index, new, false, self.around(new));
        }
        for at in &mut self.growing {
            if usize::from(*at) == a {
                *at = b as u16;
            } else if usize::from(*at) == b {
                *at = a as u16;
            }
        }
        true
    }

    /// Moves a unit between two cells of one owner.
    fn shift(&mut self, a: usize, b: usize) -> bool {
        let (first, second) = (self.cells[a], self.cells[b]);
        let fits = a != b && first.owner == second.owner && first.owner != 0 && first.units > 1;
        if fits {
            self.cells[a].units -= 1;
            self.cells[b].units += 1;
        }
        fits
    }

    /// Makes a neutral city of a mountain: from far away they look the same. Or changes a neutral cell's units.
    fn make_city(&mut self, at: usize) -> bool {
        let cell = &mut self.cells[at];
        if cell.owner != 0 {
            return false;
        }
        if cell.kind == Kind::Mountain {
            cell.kind = Kind::City;
        }
        cell.units = (cell.units + 1) % 100;
        true
    }
}

#[cfg(test)]
mod tests;
