//! The rules, one function per paragraph of the rule book, in its order.
//!
//! Positions are those of the starter: seat 2's mirrored words are turned here and in the view, and nowhere else.
//! Nothing here allocates once a match has started, and nothing walks the arena.

#[cfg(test)]
mod tests;

use crate::action::{Action, Direction, Order};
use crate::map::Arena;
use crate::messages::{Ignored, Remark};
use crate::outcome;
use crate::settings::Settings;
use crate::view::View;
use palestra_core::{Digest, Fault, Input, Message, Notes, Outcome, Rng, Seat, SetupError, game};

/// A moment of the match.
///
/// Cells are kept with a ring of walls around the arena, so that the neighbours of a cell always exist. A cell's index
/// is `(y + 1) * stride + x + 1`.
#[derive(Clone, Debug)]
pub struct State {
    rules: Rules,
    size: u16,
    /// By cell: the unit that stands there, [`EMPTY`] or [`WALL`].
    grid: Vec<u32>,
    /// Every unit there ever was, in order of appearance: unit `id` is at `id - 1`.
    units: Vec<Unit>,
    players: [Player; 2],
    /// The most units that a player can ever have in the arena at once.
    most_at_once: usize,
    /// Who took the base at the right of the starter, and who the one below it.
    bases: [Option<Seat>; 2],
    /// The tick to be played, counted from 1.
    tick: u32,
    end: Option<End>,
    labels: [Label; 2],
}

/// A cell without a unit.
pub(crate) const EMPTY: u32 = 0;
/// A cell of the ring around the arena.
pub(crate) const WALL: u32 = u32::MAX;
/// Where a unit is that has vanished: a corner of the ring, where no unit can stand.
const NOWHERE: u16 = 0;

#[derive(Clone, Copy, Debug)]
struct Rules {
    first_unit_ticks: u32,
    unit_ticks_growth: u32,
    /// By the number of bases held.
    factors: [[u32; 2]; 3],
    hold_ticks: u32,
    max_ticks: u32,
    max_missed_answers: u32,
}

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Kind {
    /// Beats scissors.
    #[serde(rename = "R")]
    Rock,
    /// Beats rock.
    #[serde(rename = "P")]
    Paper,
    /// Beats paper.
    #[serde(rename = "S")]
    Scissors,
}

impl Kind {
    /// All three, in the order of the protocol.
    pub const ALL: [Kind; 3] = [Kind::Rock, Kind::Paper, Kind::Scissors];

    /// Whether it beats the other.
    #[inline]
    pub fn beats(self, other: Kind) -> bool {
        // Each beats the one before it in the circle.
        self as u8 == (other as u8 + 1) % 3
    }

    /// The one that beats it.
    #[inline]
    pub(crate) fn beaten_by(self) -> Kind {
        Kind::ALL[(self as usize + 1) % 3]
    }

    /// Its letter in the protocol.
    #[inline]
    pub fn letter(self) -> u8 {
        b"RPS"[self as usize]
    }
}

/// One unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    /// The tick of its last order.
    ordered: u32,
    pub(crate) at: u16,
    pub(crate) kind: Kind,
    /// The index of its player.
    pub(crate) side: u8,
}

/// What is known of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    /// Its units in the arena, by id.
    pub(crate) alive: Vec<u32>,
    /// Units that have appeared so far.
    pub(crate) finished: u32,
    pub(crate) producing: Option<Kind>,
    /// The ticks spent on each kind.
    pub(crate) spent: [u32; 3],
    pub(crate) bases: u8,
    /// How many ticks it has stood on the enemy factory.
    pub(crate) hold: u32,
    /// Answers in a row that did not come in time.
    pub(crate) missed: u32,
    /// Lines of all its answers that were ignored.
    pub(crate) ignored: u32,
}

/// What a player is told before a tick, in positions of the starter.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) tick: u32,
    /// By number.
    pub(crate) units: Vec<(u32, Unit)>,
    pub(crate) bases: [Option<Seat>; 2],
    /// What the next unit takes without bases.
    pub(crate) unit_ticks: u32,
    /// The ticks spent on each kind.
    pub(crate) spent: [u32; 3],
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) winner: Option<Seat>,
    /// The tick it ended in.
    pub(crate) tick: u32,
    pub(crate) cause: Cause,
}

/// Why a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The enemy factory was held long enough.
    Held,
    /// A unit stood on the enemy factory, and the enemy had none at all.
    NoUnitLeft,
    /// Nobody had won after the last tick.
    Limit,
    /// Too many answers in a row did not come in time.
    Missed,
    /// The loser failed.
    Fault(Message),
    /// The loser could not be started, or neither player could.
    NotStarted,
}

/// What a player is called in the other one's packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    Bot,
    Number(u32),
}

impl State {
    /// Forgets what a player has in production, for somebody who cannot know it, and puts a guess in its place.
    pub(crate) fn presume_production(&mut self, side: usize, kind: Kind, spent: u32) {
        let player = &mut self.players[side];
        player.producing = Some(kind);
        player.spent = [0; 3];
        player.spent[kind as usize] = spent;
        player.missed = 0;
    }
}

impl game::State for State {
    type Setup = Arena;
    type Action = Action;
    type View<'a> = View<'a>;

    fn start(settings: &Settings, arena: &Arena, _seed: u64) -> Result<State, SetupError> {
        let size = arena.size();
        let stride = usize::from(size) + 2;
        let mut grid = vec![WALL; stride * stride];
        for row in grid.chunks_exact_mut(stride).skip(1).take(usize::from(size)) {
            row[1..=usize::from(size)].fill(EMPTY);
        }
        let rules = Rules {
            first_unit_ticks: settings.first_unit_ticks,
            unit_ticks_growth: settings.unit_ticks_growth,
            factors: [[1, 1], settings.factor_one_base, settings.factor_two_bases],
            hold_ticks: settings.hold_ticks,
            max_ticks: settings.max_ticks,
            max_missed_answers: settings.max_missed_answers,
        };
        let most = rules.most_units();
        let at_once = most.min(usize::from(size) * usize::from(size));
        let player = || Player { alive: Vec::with_capacity(at_once), ..Player::default() };
        Ok(State {
            rules,
            size,
            grid,
            units: Vec::with_capacity(2 * most),
            players: [player(), player()],
            most_at_once: at_once,
            bases: [None; 2],
            tick: 1,
            end: None,
            labels: [Label::Number(1), Label::Number(2)],
        })
    }

    /// A player that could not be started has lost before the first tick; if neither could, nobody has won.
    fn withdraw(&mut self, absent: &[Seat]) {
        let winner = Seat::all(2).find(|seat| !absent.contains(seat));
        self.finish(winner, Cause::NotStarted);
    }

    /// Keeps what the players are called. A built-in player other than `bot` goes by its seat's number.
    fn introduce(&mut self, labels: &[String]) {
        for (index, (label, kept)) in labels.iter().zip(&mut self.labels).enumerate() {
            *kept = match label.as_str() {
                "bot" => Label::Bot,
                number => Label::Number(number.parse().unwrap_or(index as u32 + 1)),
            };
        }
    }

    /// Whose tick it is: the starter has the odd ones.
    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.end.is_none().then(|| Seat::new(2 - (self.tick % 2) as u8))
    }

    /// Carries out the tick of a player: its orders, its production, and whether anybody has won.
    fn apply(&mut self, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        let asked = self.to_move() == Some(seat);
        match input {
            Input::Answer(action) => {
                self.players[seat.index()].missed = 0;
                self.carry_out(seat, action, notes);
            }
            Input::Fault(Fault::OutOfTime) if asked => {
                let missed = &mut self.players[seat.index()].missed;
                *missed += 1;
                notes.add(seat, || Remark::NoAnswer { missed: *missed });
            }
            Input::Fault(fault) => {
                notes.add(seat, || Remark::LostByFault { fault: fault.message() });
                self.finish(Some(other(seat)), Cause::Fault(fault.message()));
                self.tick += u32::from(asked);
                return;
            }
        }
        self.produce(seat);
        self.count_holding();
        self.end_match(seat);
        self.tick += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome::outcome(self)
    }

    fn rounds(&self) -> u32 {
        self.tick - 1
    }

    /// Adds everything that the course depends on. What players are called is no part of it.
    fn digest(&self, digest: &mut Digest) {
        digest.number(u64::from(self.size));
        digest.number(u64::from(self.tick));
        digest.number(self.units.len() as u64);
        for player in &self.players {
            digest.number(player.alive.len() as u64);
            for id in &player.alive {
                let unit = self.unit(*id);
                digest.number(u64::from(*id));
                digest.bytes(&[unit.at.to_le_bytes()[0], unit.at.to_le_bytes()[1], unit.kind as u8]);
            }
            let [rock, paper, scissors] = player.spent;
            let producing = player.producing.map_or(0, |kind| kind as u32 + 1);
            for number in [
                rock,
                paper,
                scissors,
                producing,
                player.finished,
                player.hold,
                player.missed,
                player.ignored,
            ] {
                digest.number(u64::from(number));
            }
        }
        let number = |seat: Option<Seat>| seat.map_or(0, Seat::number);
        let winner = self.end.as_ref().map_or(u8::MAX, |end| number(end.winner));
        digest.bytes(&[number(self.bases[0]), number(self.bases[1]), winner]);
    }

    /// Changes what the enemy has in production and what its answers were like, which is all that a player is not told.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool {
        let enemy = &mut self.players[1 - seat.index()];
        enemy.producing = Some(Kind::ALL[rng.below(3) as usize]);
        for spent in &mut enemy.spent {
            *spent += rng.between(1, 9);
        }
        enemy.ignored = enemy.ignored.saturating_add(rng.between(1, 9));
        true
    }
}

impl Rules {
    /// What the next unit takes without bases, after so many.
    #[inline]
    fn unit_ticks(&self, finished: u32) -> u32 {
        self.first_unit_ticks + finished * self.unit_ticks_growth
    }

    /// What the next unit takes with so many bases.
    #[inline]
    fn ticks_needed(&self, finished: u32, bases: u8) -> u32 {
        let [numerator, denominator] = self.factors[usize::from(bases)];
        let needed = u64::from(self.unit_ticks(finished)) * u64::from(numerator) / u64::from(denominator);
        u32::try_from(needed).unwrap_or(u32::MAX)
    }

    /// The most units that one player can ever finish.
    fn most_units(&self) -> usize {
        let mut ticks = self.max_ticks.div_ceil(2);
        let mut finished = 0;
        loop {
            let needed = (0..3).map(|bases| self.ticks_needed(finished, bases)).min().unwrap_or(0).max(1);
            if needed > ticks {
                return finished as usize;
            }
            ticks -= needed;
            finished += 1;
        }
    }
}

/// 1. Orders.
impl State {
    fn carry_out(&mut self, seat: Seat, action: &Action, notes: &mut Notes) {
        for order in &action.orders {
            if let Err(why) = self.step(seat, order) {
                let ignored = &mut self.players[seat.index()].ignored;
                *ignored = ignored.saturating_add(1);
                notes.add(seat, || Remark::Ignored { unit: order.unit, why });
            }
        }
        if action.production.is_some() {
            self.players[seat.index()].producing = action.production;
        }
        if action.unreadable > 0 {
            let ignored = &mut self.players[seat.index()].ignored;
            *ignored = ignored.saturating_add(action.unreadable);
            notes.add(seat, || Remark::Unreadable { lines: action.unreadable });
        }
    }

    /// A unit moves by one cell, or bumps into something, or fights.
    #[inline]
    fn step(&mut self, seat: Seat, order: &Order) -> Result<(), Ignored> {
        let place = (order.unit as usize).wrapping_sub(1);
        let unit =
            self.units.get_mut(place).filter(|unit| unit.at != NOWHERE).ok_or(Ignored::UnknownUnit {})?;
        if usize::from(unit.side) != seat.index() {
            return Err(Ignored::EnemyUnit {});
        }
        if unit.ordered == self.tick {
            return Err(Ignored::OrderedAgain {});
        }
        unit.ordered = self.tick;
        let (from, kind) = (usize::from(unit.at), unit.kind);
        let to = from.wrapping_add_signed(self.offset(seat, order.direction));
        match self.grid[to] {
            EMPTY => {}
            WALL => return Ok(()),
            in_the_way => {
                let other = self.units[in_the_way as usize - 1];
                if usize::from(other.side) == seat.index() {
                    return Ok(());
                }
                // The loser vanishes; of two equals, both do.
                if !other.kind.beats(kind) {
                    self.remove(in_the_way);
                }
                if !kind.beats(other.kind) {
                    self.remove(order.unit);
                    return Ok(());
                }
            }
        }
        self.grid[from] = EMPTY;
        self.grid[to] = order.unit;
        self.units[place].at = to as u16;
        self.take_base(seat, to);
        Ok(())
    }

    /// From a cell to the next one, as the player sees directions.
    #[inline]
    fn offset(&self, seat: Seat, direction: Direction) -> isize {
        let stride = self.stride() as isize;
        let offset = match direction {
            Direction::Left => -1,
            Direction::Right => 1,
            Direction::Up => -stride,
            Direction::Down => stride,
        };
        if seat.index() == 0 { offset } else { -offset }
    }

    fn remove(&mut self, id: u32) {
        let unit = &mut self.units[id as usize - 1];
        self.grid[usize::from(unit.at)] = EMPTY;
        unit.at = NOWHERE;
        let alive = &mut self.players[usize::from(unit.side)].alive;
        if let Ok(place) = alive.binary_search(&id) {
            alive.remove(place);
        }
    }

    /// A base that is stepped on changes hands, and stays so when the unit leaves.
    #[inline]
    fn take_base(&mut self, seat: Seat, at: usize) {
        let Some(base) = self.base_cells().iter().position(|cell| *cell == at) else {
            return;
        };
        let before = self.bases[base].replace(seat);
        if let Some(before) = before {
            self.players[before.index()].bases -= 1;
        }
        self.players[seat.index()].bases += 1;
    }
}

/// 2. Production.
impl State {
    #[inline]
    fn produce(&mut self, seat: Seat) {
        let factory = self.factory(seat);
        let player = &mut self.players[seat.index()];
        let Some(kind) = player.producing else {
            return;
        };
        let spent = &mut player.spent[kind as usize];
        *spent += 1;
        if *spent < self.rules.ticks_needed(player.finished, player.bases) || self.grid[factory] != EMPTY {
            return;
        }
        *spent = 0;
        player.finished += 1;
        let id = self.units.len() as u32 + 1;
        player.alive.push(id);
        self.grid[factory] = id;
        self.units.push(Unit { ordered: 0, at: factory as u16, kind, side: seat.index() as u8 });
    }
}

/// 3. Victory.
impl State {
    #[inline]
    fn count_holding(&mut self) {
        for side in [0, 1] {
            let holds = self.stands_on_enemy_factory(side);
            let hold = &mut self.players[side].hold;
            *hold = if holds { *hold + 1 } else { 0 };
        }
    }

    #[inline]
    fn stands_on_enemy_factory(&self, side: usize) -> bool {
        let id = self.grid[self.factory(Seat::at(1 - side))];
        id != EMPTY && usize::from(self.units[id as usize - 1].side) == side
    }

    /// The two sides never win in the same tick: they cannot have stepped on the factories in the same one.
    #[inline]
    fn end_match(&mut self, moved: Seat) {
        for side in [0, 1] {
            let hold = self.players[side].hold;
            if hold >= self.rules.hold_ticks {
                self.finish(Some(Seat::at(side)), Cause::Held);
            } else if hold > 0 && self.players[1 - side].alive.is_empty() {
                self.finish(Some(Seat::at(side)), Cause::NoUnitLeft);
            }
        }
        if self.end.is_some() {
            return;
        }
        if self.players[moved.index()].missed >= self.rules.max_missed_answers {
            self.finish(Some(other(moved)), Cause::Missed);
        } else if self.tick >= self.rules.max_ticks {
            self.finish(None, Cause::Limit);
        }
    }

    fn finish(&mut self, winner: Option<Seat>, cause: Cause) {
        self.end = Some(End { winner, tick: self.tick, cause });
    }
}

/// For a player who follows the match by what it is told.
impl State {
    /// A unit where the player sees it, if that is in the arena.
    pub(crate) fn unit_at(&self, me: Seat, place: [u16; 2], kind: Kind, side: Seat) -> Option<Unit> {
        let [x, y] = place.map(usize::from);
        let seen = (y + 1) * self.stride() + x + 1;
        let at = if me.index() == 0 { seen } else { self.grid.len() - 1 - seen };
        let inside = place.iter().all(|coordinate| *coordinate < self.size);
        inside.then_some(Unit { ordered: 0, at: at as u16, kind, side: side.index() as u8 })
    }

    /// The highest number that a unit can have.
    pub(crate) fn most_ids(&self) -> u32 {
        2 * self.rules.most_units() as u32
    }

    /// Whether the player can be told that when the other one has played a tick, too: nothing of its own but what has vanished
    /// is different.
    pub(crate) fn allows(&self, me: Seat, packet: &Packet) -> bool {
        let own = packet.units.iter().filter(|(_, unit)| usize::from(unit.side) == me.index());
        self.players[me.index()].spent == packet.spent
            && self.unit_ticks(me.index()) == packet.unit_ticks
            && own.clone().all(|(id, unit)| {
                let known = self.units.get(*id as usize - 1);
                known.is_some_and(|known| {
                    (known.at, known.kind, known.side) == (unit.at, unit.kind, unit.side)
                })
            })
    }

    /// Becomes what the player is told behind the tick of the other one.
    pub(crate) fn follow(&mut self, me: Seat, packet: &Packet) {
        self.grid.iter_mut().filter(|cell| **cell != WALL).for_each(|cell| *cell = EMPTY);
        self.units.iter_mut().for_each(|unit| unit.at = NOWHERE);
        for player in &mut self.players {
            player.alive.clear();
            player.bases = 0;
        }
        for (id, unit) in &packet.units {
            let place = *id as usize - 1;
            if place >= self.units.len() {
                self.units.resize(place + 1, Unit { at: NOWHERE, ..*unit });
            }
            self.units[place] = *unit;
            self.grid[usize::from(unit.at)] = *id;
            self.players[usize::from(unit.side)].alive.push(*id);
        }
        self.bases = packet.bases;
        for owner in self.bases.into_iter().flatten() {
            self.players[owner.index()].bases += 1;
        }
        self.players[me.index()].spent = packet.spent;
        self.tick = packet.tick;
        self.end = None;
        self.count_holding();
    }
}

/// The other player.
pub(crate) fn other(seat: Seat) -> Seat {
    Seat::at(1 - seat.index())
}

/// What the other modules need to know.
impl State {
    pub(crate) fn size(&self) -> u16 {
        self.size
    }

    #[inline]
    pub(crate) fn stride(&self) -> usize {
        usize::from(self.size) + 2
    }

    #[inline]
    pub(crate) fn grid(&self) -> &[u32] {
        &self.grid
    }

    /// The unit of this number, which there is or was.
    #[inline]
    pub(crate) fn unit(&self, id: u32) -> &Unit {
        &self.units[id as usize - 1]
    }

    pub(crate) fn players(&self) -> &[Player; 2] {
        &self.players
    }

    #[inline]
    pub(crate) fn most_at_once(&self) -> usize {
        self.most_at_once
    }

    pub(crate) fn bases(&self) -> [Option<Seat>; 2] {
        self.bases
    }

    pub(crate) fn labels(&self) -> [Label; 2] {
        self.labels
    }

    /// The cell of a player's factory.
    #[inline]
    pub(crate) fn factory(&self, seat: Seat) -> usize {
        let near = self.stride() + 1;
        if seat.index() == 0 { near } else { self.grid.len() - 1 - near }
    }

    /// The cells of the bases, in the order of [`State::bases`].
    #[inline]
    pub(crate) fn base_cells(&self) -> [usize; 2] {
        let right = 2 * self.stride() - 2;
        [right, self.grid.len() - 1 - right]
    }

    /// The tick to be played; after the end, the one after the last.
    pub(crate) fn tick(&self) -> u32 {
        self.tick
    }

    pub(crate) fn max_ticks(&self) -> u32 {
        self.rules.max_ticks
    }

    pub(crate) fn hold_ticks(&self) -> u32 {
        self.rules.hold_ticks
    }

    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// What a player's next unit takes without bases.
    #[inline]
    pub(crate) fn unit_ticks(&self, side: usize) -> u32 {
        self.rules.unit_ticks(self.players[side].finished)
    }

    /// What a player's next unit takes with the bases it has.
    #[inline]
    pub(crate) fn ticks_needed(&self, side: usize) -> u32 {
        self.rules.ticks_needed(self.players[side].finished, self.players[side].bases)
    }
}
