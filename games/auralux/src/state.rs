//! The rules: a moment of the game and how a turn changes it, paragraph by paragraph of the rule book.
//!
//! Everything that a turn needs to know (who owns what, what each side produces, who is in flight) is kept up to
//! date by the change itself. Nothing here looks over the whole board, and no turn allocates.

use crate::flights::{Flights, Group};
use crate::map::Map;
use crate::messages::{Breach, Remark, Skip};
use crate::outcome;
use crate::settings::Settings;
use crate::view::View;
use palestra_core::game::{self, Setup as _};
use palestra_core::message::Common;
use palestra_core::{Digest, Input, Message, Notes, Outcome, Rng, Seat, SetupError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One order of an answer. Numbers are as the player gave them: planets count from 1, and none need be allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Order {
    /// The planet that the ships stand on.
    pub from: i32,
    /// Where they go; the same planet to spend them there.
    pub to: i32,
    /// How many.
    pub count: i32,
}

/// A planet as everybody sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planet {
    /// Ships on it, all of its owner.
    pub ships: u64,
    /// What its owner may still lose before it falls.
    pub armor: u32,
    /// The number of the player whose ships or planet it is; 0 is nobody.
    pub owner: u8,
    /// 0 is neutral, even with ships on it.
    pub level: u8,
}

impl Planet {
    /// Its owner spends up to `count` of its ships on it. On level 0 they capture it, if there are enough. On others they
    /// raise it, if that and the missing armor are paid for, and otherwise repair it.
    pub(crate) fn spend(&mut self, settings: &Settings, count: u32) -> Spent {
        let missing = settings.full_armor(self.level) - self.armor;
        let cost = match self.level {
            0 => Some(settings.capture_cost),
            level => settings.cost_to_raise(level).map(|cost| cost + missing),
        };
        let spent = match cost {
            Some(cost) if count >= cost => {
                self.level += 1;
                self.armor = settings.full_armor(self.level);
                Spent { ships: cost, raised: true }
            }
            _ => {
                let repaired = missing.min(count);
                self.armor += repaired;
                Spent { ships: repaired, raised: false }
            }
        };
        self.ships -= u64::from(spent.ships);
        spent
    }
}

/// What came of spending ships on a planet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spent {
    /// How many are gone.
    pub(crate) ships: u32,
    /// Whether it was captured or raised.
    pub(crate) raised: bool,
}

/// A group that was sent off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    /// How many ships.
    pub ships: u32,
    /// From this planet, counted from 0.
    pub from: u8,
    /// To this planet, counted from 0.
    pub to: u8,
}

/// Where a player stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In the game.
    Alive,
    /// Without planet and group; found out in this step, counted from 1.
    Dead {
        /// The step.
        step: u32,
    },
    /// Removed in this step, counted from 1.
    Disqualified {
        /// The step; 0 is before the first one.
        step: u32,
        /// Why.
        why: Message,
    },
}

/// A moment of the game.
#[derive(Clone, Debug)]
pub struct State {
    board: Arc<Board>,
    planets: Vec<Planet>,
    players: Vec<Player>,
    /// Completed steps.
    steps: u32,
    /// Whose turn it is, counted from 0.
    turn: u8,
    alive: u8,
    over: bool,
}

/// What never changes during a game.
#[derive(Debug)]
struct Board {
    settings: Settings,
    map: Map,
}

#[derive(Clone, Debug)]
struct Player {
    standing: Standing,
    /// Planets with this owner, one bit each.
    owned: u128,
    /// Those of them that produce: level 1 and more.
    producing: u128,
    /// What they produce in a turn.
    production: u64,
    /// All ships, those in flight included.
    ships: u64,
    flights: Flights,
    /// The launches of the latest turn.
    launches: Vec<Launch>,
}

impl State {
    /// Makes a player one that is in the game, for somebody who cannot know that it is not.
    pub(crate) fn presume_alive(&mut self, seat: Seat) {
        let standing = &mut self.players[seat.index()].standing;
        if *standing != Standing::Alive {
            *standing = Standing::Alive;
            self.alive += 1;
        }
    }
}

impl game::State for State {
    type Setup = Map;
    type Action = Vec<Order>;
    type View<'a> = View<'a>;

    /// The start: each player's planet is level 1 with full armor and the start ships; all others are bare.
    fn start(settings: &Settings, map: &Map, _seed: u64) -> Result<State, SetupError> {
        let mut planets = vec![Planet::default(); map.planets()];
        let players = Seat::all(map.seats())
            .map(|seat| {
                let start = map.start(seat);
                planets[start] = Planet {
                    owner: seat.number(),
                    level: 1,
                    armor: settings.full_armor(1),
                    ships: u64::from(settings.start_ships),
                };
                Player {
                    standing: Standing::Alive,
                    owned: 1 << start,
                    producing: 1 << start,
                    production: u64::from(settings.production_multiplier),
                    ships: u64::from(settings.start_ships),
                    flights: Flights::new(map.longest(), settings.max_groups_in_space),
                    launches: Vec::with_capacity(settings.max_orders_per_turn.min(1024) as usize),
                }
            })
            .collect();
        Ok(State {
            board: Arc::new(Board { settings: settings.clone(), map: map.clone() }),
            planets,
            players,
            steps: 0,
            turn: 0,
            alive: map.seats(),
            over: settings.max_steps == 0,
        })
    }

    /// Players that could not be started are disqualified before the first step, which may end the game.
    fn withdraw(&mut self, absent: &[Seat]) {
        for seat in absent {
            let why = Common::NotStarted {}.into();
            self.players[seat.index()].standing = Standing::Disqualified { step: 0, why };
            self.alive -= 1;
        }
        self.over |= self.alive <= 1;
        let passed_over = !matches!(self.players[usize::from(self.turn)].standing, Standing::Alive);
        if !self.over && passed_over {
            self.go_on(|_, _| {});
        }
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        (!self.over).then(|| Seat::at(usize::from(self.turn)))
    }

    fn plays(&self, seat: Seat) -> bool {
        !self.over && *self.standing(seat) == Standing::Alive
    }

    #[inline]
    fn apply(&mut self, seat: Seat, input: Input<'_, Vec<Order>>, notes: &mut Notes) {
        self.take_turn(seat, input, notes, |_, _| {});
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| outcome::outcome(self))
    }

    fn rounds(&self) -> u32 {
        self.steps
    }

    fn digest(&self, digest: &mut Digest) {
        digest.number(u64::from(self.steps));
        digest.number(u64::from(self.turn));
        digest.number(u64::from(self.over));
        for planet in &self.planets {
            digest.number(u64::from(planet.owner));
            digest.number(planet.ships);
            digest.number(u64::from(planet.level));
            digest.number(u64::from(planet.armor));
        }
        for (index, player) in self.players.iter().enumerate() {
            let (kind, step) = match &player.standing {
                Standing::Alive => (0, 0),
                Standing::Dead { step } => (1, *step),
                Standing::Disqualified { step, .. } => (2, *step),
            };
            digest.number(kind);
            digest.number(u64::from(step));
            // Only of who was disqualified, and without "disqualified in step 3: ".
            digest.former_sentence(Seat::at(index), |reason| {
                reason.split_once(": ").filter(|_| kind == 2).map_or("", |(_, why)| why)
            });
            digest.number(u64::from(player.flights.groups()));
            for (turns, group) in player.flights.iter() {
                digest.number(turns as u64);
                digest.bytes(&[group.from, group.to]);
                digest.number(u64::from(group.ships));
            }
            digest.number(player.launches.len() as u64);
            for launch in &player.launches {
                digest.bytes(&[launch.from, launch.to]);
                digest.number(u64::from(launch.ships));
            }
        }
    }

    /// Disqualifies somebody without a trace, where that leaves the game going on: all that `seat` cannot know.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool {
        if self.over || self.alive < 3 {
            return false;
        }
        let others: Vec<Seat> = Seat::all(self.seats())
            .filter(|&other| other != seat && self.to_move() != Some(other))
            .filter(|&other| *self.standing(other) == Standing::Alive)
            .collect();
        let chosen = rng.pick(&others).copied();
        if let Some(other) = chosen {
            self.disqualify(other.index(), Message::none());
        }
        chosen.is_some()
    }
}

impl State {
    /// Goes on to the next turn of a player, or comes to its first one, by what it is told then: what the others have launched
    /// since its last turn, and the planets. Its own launches were carried out.
    pub(crate) fn follow(&mut self, me: Seat, first: bool, launches: &[(Seat, Launch)], planets: &[Planet]) {
        let before = self.steps;
        self.steps += u32::from(!first);
        for seat in Seat::all(self.seats()) {
            // Whoever comes behind it has had its turn in the step before.
            let step = if seat > me { before } else { self.steps };
            let side = &mut self.players[seat.index()];
            side.launches.clear();
            if !first && step > 0 {
                side.flights.come_closer();
                while side.flights.arrived().is_some() {}
            }
            for (_, launch) in launches.iter().filter(|(who, _)| *who == seat) {
                let Launch { ships, from, to } = *launch;
                let distance = self.board.map.distance(from.into(), to.into());
                side.flights.send(Group { ships, from, to }, distance);
            }
            side.ships = side.flights.ships();
            (side.owned, side.producing, side.production) = (0, 0, 0);
        }
        self.planets.copy_from_slice(planets);
        let multiplier = u64::from(self.board.settings.production_multiplier);
        for (number, planet) in planets.iter().enumerate() {
            let Some(owner) = usize::from(planet.owner).checked_sub(1) else { continue };
            let side = &mut self.players[owner];
            side.ships += planet.ships;
            side.owned |= bit(number);
            if planet.level > 0 {
                side.producing |= bit(number);
                side.production += multiplier * u64::from(planet.level);
            }
        }
    }

    // A step: one turn of every player, in order.

    /// Carries out the turn of the player to move and goes on to the next one that must be asked. `after` is
    /// called at the end of every turn, those of players that are not asked included. Who has left while it was not to move is
    /// only disqualified.
    pub fn take_turn(
        &mut self,
        seat: Seat,
        input: Input<'_, Vec<Order>>,
        notes: &mut Notes,
        after: impl FnMut(&State, Seat),
    ) {
        debug_assert!(!self.over, "nobody is to move");
        let player = seat.index();
        let limit = self.board.settings.max_orders_per_turn;
        match input {
            Input::Answer(orders) if orders.len() as u64 > u64::from(limit) => {
                let breach = Breach::TooManyOrders { orders: orders.len() as u64, limit };
                self.disqualify(player, breach.into());
            }
            Input::Answer(orders) => self.execute(player, orders, notes),
            Input::Fault(fault) => self.disqualify(player, fault.message()),
        }
        if player != usize::from(self.turn) {
            self.over = self.alive <= 1;
            return;
        }
        self.go_on(after);
    }

    /// Ends the turn of a player, and those of all that are not asked behind it.
    fn go_on(&mut self, mut after: impl FnMut(&State, Seat)) {
        loop {
            after(self, Seat::at(usize::from(self.turn)));
            self.end_turn();
            if self.over || self.begin_turn() {
                return;
            }
        }
    }

    /// After each player's turn: at most one player alive, or the last step done, and the game is over.
    fn end_turn(&mut self) {
        self.turn += 1;
        if usize::from(self.turn) == self.players.len() {
            self.turn = 0;
            self.steps += 1;
        }
        self.over = self.alive <= 1 || self.steps == self.board.settings.max_steps;
    }

    /// Production and flight, which happen for everybody; then whether the player is to be asked.
    fn begin_turn(&mut self) -> bool {
        let player = usize::from(self.turn);
        self.players[player].launches.clear();
        if self.steps > 0 {
            self.produce(player);
            self.fly(player);
        }
        self.find_dead(player);
        matches!(self.players[player].standing, Standing::Alive)
    }

    fn produce(&mut self, player: usize) {
        let multiplier = u64::from(self.board.settings.production_multiplier);
        let side = &mut self.players[player];
        for planet in bits(side.producing) {
            let planet = &mut self.planets[planet];
            planet.ships += multiplier * u64::from(planet.level);
        }
        side.ships += side.production;
    }

    /// Every group comes one turn closer; those that arrive land in the order they were sent.
    fn fly(&mut self, player: usize) {
        self.players[player].flights.come_closer();
        while let Some(group) = self.players[player].flights.arrived() {
            self.land(player, group);
        }
    }

    fn land(&mut self, player: usize, group: Group) {
        let number = player as u8 + 1;
        let target = usize::from(group.to);
        let ships = u64::from(group.ships);
        let planet = &mut self.planets[target];
        if planet.owner == number {
            planet.ships += ships;
            return;
        }

        // Ships cancel one for one.
        let cancelled = ships.min(planet.ships);
        let left = ships - cancelled;
        planet.ships -= cancelled;
        let defender = usize::from(planet.owner).checked_sub(1);
        self.players[player].ships -= cancelled;
        if let Some(defender) = defender {
            self.players[defender].ships -= cancelled;
        }
        if left == 0 {
            self.leave_if_bare(target);
            return;
        }

        if planet.level > 0 {
            let armor = u64::from(planet.armor);
            if armor > left {
                planet.armor -= left as u32;
                self.players[player].ships -= left;
                return;
            }
            self.players[player].ships -= armor;
            self.fall(target);
            if left > armor {
                self.occupy(player, target, left - armor);
            }
        } else {
            if let Some(defender) = defender {
                self.players[defender].owned &= !bit(target);
            }
            self.occupy(player, target, left);
        }
    }

    /// A planet loses its level and its owner.
    fn fall(&mut self, target: usize) {
        let planet = &mut self.planets[target];
        let owner = &mut self.players[usize::from(planet.owner) - 1];
        owner.owned &= !bit(target);
        owner.producing &= !bit(target);
        owner.production -= u64::from(self.board.settings.production_multiplier) * u64::from(planet.level);
        *planet = Planet::default();
    }

    /// Ships come to stand on a planet of level 0 that nobody else holds now.
    fn occupy(&mut self, player: usize, target: usize, ships: u64) {
        let planet = &mut self.planets[target];
        planet.owner = player as u8 + 1;
        planet.ships = ships;
        self.players[player].owned |= bit(target);
    }

    /// A level-0 planet with no ships belongs to nobody.
    fn leave_if_bare(&mut self, target: usize) {
        let planet = &mut self.planets[target];
        if planet.level == 0 && planet.ships == 0 && planet.owner != 0 {
            self.players[usize::from(planet.owner) - 1].owned &= !bit(target);
            planet.owner = 0;
        }
    }

    /// A player alive with no planet and no group in flight is dead, and gets no turn.
    fn find_dead(&mut self, player: usize) {
        let side = &mut self.players[player];
        let gone = side.owned == 0 && side.flights.is_empty();
        if gone && matches!(side.standing, Standing::Alive) {
            side.standing = Standing::Dead { step: self.steps + 1 };
            self.alive -= 1;
        }
    }

    // Orders.

    /// Orders one after another; one that is not allowed is skipped with a note.
    pub(crate) fn execute(&mut self, player: usize, orders: &[Order], notes: &mut Notes) {
        let mut settled = 0;
        for (number, order) in (1..).zip(orders) {
            if let Err(what) = self.carry_out(player, *order, &mut settled) {
                notes.add(Seat::at(player), || Remark::Order { order: number, what });
            }
        }
    }

    /// `settled` has the planets that were captured or raised this turn.
    #[inline]
    fn carry_out(&mut self, player: usize, order: Order, settled: &mut u128) -> Result<(), Skip> {
        let Order { from, to, count } = order;
        for number in [from, to] {
            if number < 1 || number as usize > self.planets.len() {
                return Err(Skip::NoPlanet { planet: number });
            }
        }
        if count <= 0 {
            return Err(Skip::NoShips { count });
        }
        let source = from as usize - 1;
        let planet = self.planets[source];
        if planet.owner != player as u8 + 1 {
            return Err(Skip::NotYours { planet: from });
        }
        if planet.ships < count as u64 {
            return Err(Skip::TooFew { planet: from, ships: planet.ships, count });
        }
        if from != to {
            return self.send(player, source, to as usize - 1, count);
        }
        if *settled & bit(source) != 0 {
            return Err(Skip::Settled { planet: from });
        }
        if self.spend(player, source, count as u32) {
            *settled |= bit(source);
        }
        Ok(())
    }

    /// A group leaves; beyond the limit it perishes at once, and is not reported as a launch.
    fn send(&mut self, player: usize, from: usize, to: usize, count: i32) -> Result<(), Skip> {
        let ships = count as u32;
        self.planets[from].ships -= u64::from(ships);
        self.leave_if_bare(from);
        let side = &mut self.players[player];
        let limit = self.board.settings.max_groups_in_space;
        if side.flights.groups() >= limit {
            side.ships -= u64::from(ships);
            return Err(Skip::Perished { count, limit });
        }
        let (from, to) = (from as u8, to as u8);
        let distance = self.board.map.distance(usize::from(from), usize::from(to));
        side.flights.send(Group { ships, from, to }, distance);
        side.launches.push(Launch { ships, from, to });
        Ok(())
    }

    /// Spends ships where they stand; says whether the planet was captured or raised.
    fn spend(&mut self, player: usize, target: usize, count: u32) -> bool {
        let settings = &self.board.settings;
        let Spent { ships, raised } = self.planets[target].spend(settings, count);
        let side = &mut self.players[player];
        side.ships -= u64::from(ships);
        if raised {
            side.producing |= bit(target);
            side.production += u64::from(settings.production_multiplier);
        }
        raised
    }

    // Disqualified.

    /// No more turns; groups and planets stay, produce and fly on.
    fn disqualify(&mut self, player: usize, why: Message) {
        self.players[player].standing = Standing::Disqualified { step: self.steps + 1, why };
        self.alive -= 1;
    }

    // What others ask about.

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Completed steps.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Turns of the step that has begun and is not complete, those of players that are not asked included.
    pub(crate) fn turns_of_step(&self) -> u8 {
        self.turn
    }

    /// The constants of this game.
    pub fn settings(&self) -> &Settings {
        &self.board.settings
    }

    /// Its map.
    pub fn map(&self) -> &Map {
        &self.board.map
    }

    /// How many players began it.
    pub fn seats(&self) -> u8 {
        self.players.len() as u8
    }

    /// How many players are alive.
    pub fn alive(&self) -> u8 {
        self.alive
    }

    /// The planets, by number.
    #[inline]
    pub fn planets(&self) -> &[Planet] {
        &self.planets
    }

    /// Where a player stands.
    pub fn standing(&self, seat: Seat) -> &Standing {
        &self.players[seat.index()].standing
    }

    /// Planets with this player in their owner field, one bit each.
    #[inline]
    pub fn owned(&self, seat: Seat) -> u128 {
        self.players[seat.index()].owned
    }

    /// Those of them with level 1 or more.
    #[inline]
    pub fn producing(&self, seat: Seat) -> u128 {
        self.players[seat.index()].producing
    }

    /// Ships that a player's planets produce in a turn.
    pub fn production(&self, seat: Seat) -> u64 {
        self.players[seat.index()].production
    }

    /// All ships of a player, those in flight included.
    pub fn ships(&self, seat: Seat) -> u64 {
        self.players[seat.index()].ships
    }

    /// A player's groups in flight.
    pub fn flights(&self, seat: Seat) -> &Flights {
        &self.players[seat.index()].flights
    }

    /// The launches of a player's latest turn, in the order they were made.
    #[inline]
    pub fn launches(&self, seat: Seat) -> &[Launch] {
        &self.players[seat.index()].launches
    }
}

/// The planets of a set, counted from 0, in order.
#[inline]
pub fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let planet = set.trailing_zeros() as usize;
            set &= set - 1;
            planet
        })
    })
}

/// The set of this planet alone.
#[inline]
pub(crate) fn bit(planet: usize) -> u128 {
    1 << planet
}
