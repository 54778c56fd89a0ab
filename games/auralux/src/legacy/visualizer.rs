//! Reads `game_visualizer.log`, to look at: random access to a log of any length, with its text and a few numbers for
//! every turn in memory.
//!
//! A block of the log is a turn: what was launched in it, and the planets at its end. Not in the log, and derived here:
//! the beginning (from the first block), groups in flight (from the launches), who is dead (nothing left), and how long
//! a flight takes. That follows from the planets' places, by the rule for maps. Only a log of a map without places has
//! them on a grid that means nothing: there it is what most arrivals speak for. Who was disqualified cannot be told,
//! and settings other than the default ones neither.

mod arrivals;
#[cfg(test)]
mod tests;

use crate::map::{self, Map};
use crate::outcome::fall_reason;
use crate::settings::{Settings, TOP_LEVEL};
use crate::state::{Launch, Planet, Standing};
use crate::view::{Frame, GroupFrame, PlanetFrame, PlayerFrame};
use arrivals::Arrivals;
use palestra_core::legacy::Log;
use palestra_core::text::FileWords;
use palestra_core::{Message, Seat, SetupError};
use serde_json::Value;

/// What a log may hold. Numbers beyond these are taken for damage, and none of them makes memory be asked for.
mod limits {
    /// Bytes of a log: places in it are kept in 32 bits.
    pub(super) const BYTES: usize = u32::MAX as usize;
    /// As the settings can be that limit the same.
    pub(super) const PLAYERS: u64 = 8;
    pub(super) const PLANETS: u64 = 128;
    pub(super) const DISTANCE: i64 = 1000;
    pub(super) const LAUNCHES: u64 = 100_000;
    pub(super) const GROUPS: usize = 100_000;
    pub(super) const ARMOR: u64 = 1_000_000;
    /// Ships on one planet: far more than a match can bring, and the sum of all stays far below 64 bits.
    pub(super) const SHIPS: u64 = 1 << 48;
    /// Ships of one launch, as an order counts them.
    pub(super) const GROUP: u64 = i32::MAX as u64;
}

/// What the file holds if the match was run without it.
const DISABLED: &str = "disabled";

/// Reads a log; `None` if the text is something else.
pub(crate) fn read(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() < 100 && text.trim() == DISABLED {
        return Some(Err(SetupError::new(
            "the visualizer log was switched off for this match, and says only \"disabled\"; run the match again \
             without DISABLE_VISUALIZER_LOG",
        )));
    }
    is_ours(text).then(|| Ok(Box::new(Visualizer::read(text)?) as Box<dyn Log>))
}

/// Whether a text begins as no other file does: two numbers, as many lines of two numbers as the first of them says, and
/// then a line with one number. Looks no further than the first line that does not fit.
fn is_ours(text: &str) -> bool {
    let mut lines = text.lines();
    let Some([Some(planets), Some(_)]) = lines.next().map(numbers_of::<2>) else {
        return false;
    };
    for _ in 0..planets {
        if !lines.next().is_some_and(|line| matches!(numbers_of::<2>(line), [Some(_), Some(_)])) {
            return false;
        }
    }
    lines.next().is_some_and(|line| matches!(numbers_of::<1>(line), [Some(_)]))
}

/// The numbers of a line that has exactly so many words; otherwise the last is `None`.
fn numbers_of<const N: usize>(line: &str) -> [Option<i64>; N] {
    let mut words = line.split_ascii_whitespace();
    let mut numbers = [None; N];
    for number in &mut numbers {
        *number = words.next().and_then(|word| word.parse().ok());
    }
    if words.next().is_some() {
        numbers[N - 1] = None;
    }
    numbers
}

struct Visualizer {
    text: Box<str>,
    settings: Settings,
    sizes: Sizes,
    places: Vec<(i32, i32)>,
    /// Whether they are the map's own.
    placed: bool,
    /// Row by row.
    distances: Vec<u16>,
    /// Where each block begins.
    blocks: Vec<u32>,
    /// For each block and seat.
    tallies: Vec<Tally>,
    /// By seat: the turn in which a player was found dead.
    deaths: Vec<Option<u32>>,
    start: Vec<Planet>,
    /// Whether the log has its end.
    complete: bool,
}

#[derive(Clone, Copy)]
struct Sizes {
    planets: usize,
    seats: u8,
}

/// What is counted of a player at the end of a turn.
#[derive(Clone, Copy, Default)]
struct Tally {
    ships: u64,
    planets: u16,
    /// The levels of its planets, added up.
    levels: u16,
}

impl Visualizer {
    fn read(text: &str) -> Result<Visualizer, SetupError> {
        let mut words = FileWords::new("visualizer log", text);
        words.check_size(limits::BYTES, "blocks")?;
        let planets = words.bounded("the number of planets", 2..=limits::PLANETS)? as usize;
        let seats = words.bounded("the number of players", 2..=limits::PLAYERS.min(planets as u64))? as u8;
        let mut places = Vec::with_capacity(planets);
        for planet in 1..=planets {
            let x = words.number(format_args!("x of planet {planet}"))?;
            let y = words.number(format_args!("y of planet {planet}"))?;
            places.push((x, y));
        }
        let mut log = Visualizer {
            text: Box::default(),
            settings: Settings::default(),
            sizes: Sizes { planets, seats },
            placed: !Map::is_grid(&places),
            distances: Vec::new(),
            places,
            blocks: Vec::new(),
            tallies: Vec::new(),
            deaths: vec![None; usize::from(seats)],
            start: vec![Planet::default(); planets],
            complete: false,
        };
        log.find_blocks(words)?;
        log.text = text.into();
        log.find_start();
        log.find_distances();
        log.find_tallies();
        Ok(log)
    }

    /// Reads every block once, so that nothing can go wrong later. A last one that was cut off is left out.
    fn find_blocks(&mut self, mut words: FileWords<'_>) -> Result<(), SetupError> {
        let mut block = Block::default();
        loop {
            let begin = words.split().0.len();
            if words.skip_word("-1") {
                self.complete = true;
                return words.end("the end of the match, -1");
            }
            let read = block.read(&mut words, self.sizes, self.seat_of(self.turns() + 1));
            let rest = words.split().1;
            match read {
                // What ends where the text ends may have lost its last digits.
                _ if rest.trim_ascii().is_empty() && (read.is_err() || rest.is_empty()) => return Ok(()),
                Err(error) => return Err(error),
                Ok(()) => self.blocks.push(begin as u32),
            }
        }
    }

    /// Before the first turn all players are alike, and that turn changes nothing but its player's own planet: that one
    /// began as those of the others.
    fn find_start(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        self.start = self.block(1).planets;
        let second = self.start.iter().find(|planet| planet.owner == 2).copied();
        if let (Some(second), Some(first)) = (second, self.start.iter_mut().find(|planet| planet.owner == 1))
        {
            *first = Planet { owner: 1, ..second };
        }
    }

    /// By the places; on a map without any, by the arrivals.
    fn find_distances(&mut self) {
        let mut arrivals = None;
        if !self.placed {
            let arrivals = arrivals.insert(Arrivals::new(&self.settings, &self.start, self.sizes.seats));
            let mut block = Block::default();
            for turn in 1..=self.turns() {
                self.read_block(turn, &mut block);
                arrivals.watch(self.seat_of(turn), &block.launches, &block.planets);
            }
        }
        let mut distances = Vec::with_capacity(self.sizes.planets.pow(2));
        for (from, place) in self.places.iter().enumerate() {
            for (to, other) in self.places.iter().enumerate() {
                let seen = arrivals.as_ref().and_then(|arrivals| arrivals.distance(from, to));
                distances.push(seen.unwrap_or_else(|| distance(*place, *other)));
            }
        }
        self.distances = distances;
    }

    /// What is counted at the end of every turn, and who has nothing left then.
    fn find_tallies(&mut self) {
        let seats = usize::from(self.sizes.seats);
        let longest = usize::from(self.distances.iter().copied().max().unwrap_or(0));
        // By seat, ships that land in each of the coming turns of it, in a circle; and all of them.
        let mut landing = vec![vec![0; longest + 1]; seats];
        let mut flying = vec![0; seats];
        let mut block = Block::default();
        for turn in 1..=self.turns() {
            self.read_block(turn, &mut block);
            let mover = self.seat_of(turn).index();
            let own_turn = (turn as usize - 1) / seats;
            flying[mover] -= std::mem::take(&mut landing[mover][own_turn % (longest + 1)]);
            for launch in &block.launches {
                let lands = own_turn + self.distance(launch);
                landing[mover][lands % (longest + 1)] += u64::from(launch.ships);
                flying[mover] += u64::from(launch.ships);
            }
            let before = self.tallies.len();
            self.tallies.extend(tallies(&block.planets, seats));
            let gone =
                flying[mover] == 0 && block.planets.iter().all(|planet| planet.owner != mover as u8 + 1);
            if gone && self.deaths[mover].is_none() {
                self.deaths[mover] = Some(turn);
            }
            for (tally, flying) in self.tallies[before..].iter_mut().zip(&flying) {
                tally.ships += flying;
            }
        }
    }

    fn seat_of(&self, turn: u32) -> Seat {
        Seat::at((turn as usize - 1) % usize::from(self.sizes.seats))
    }

    fn distance(&self, launch: &Launch) -> usize {
        usize::from(self.distances[usize::from(launch.from) * self.sizes.planets + usize::from(launch.to)])
    }

    fn words(&self, turn: u32) -> FileWords<'_> {
        FileWords::new("visualizer log", &self.text[self.blocks[turn as usize - 1] as usize..])
    }

    fn read_block(&self, turn: u32, block: &mut Block) {
        let read = block.read(&mut self.words(turn), self.sizes, self.seat_of(turn));
        read.expect("it was read before");
    }

    fn block(&self, turn: u32) -> Block {
        let mut block = Block::default();
        self.read_block(turn, &mut block);
        block
    }

    fn tally(&self, turn: u32, seat: Seat) -> Tally {
        let seats = usize::from(self.sizes.seats);
        match (turn as usize).checked_sub(1) {
            Some(block) => self.tallies[block * seats + seat.index()],
            None => tallies(&self.start, seats).nth(seat.index()).unwrap_or_default(),
        }
    }

    fn player(&self, turn: u32, seat: Seat) -> PlayerFrame {
        let tally = self.tally(turn, seat);
        let death = self.deaths[seat.index()].filter(|death| *death <= turn);
        let standing = death.map_or(Standing::Alive, |death| Standing::Dead {
            step: (death - 1) / u32::from(self.sizes.seats) + 1,
        });
        PlayerFrame {
            ships: tally.ships,
            planets: u32::from(tally.planets),
            production: self.production(tally),
            fate: Some(standing.fate()),
            reason: fall_reason(&standing).map(Message::from),
        }
    }

    fn production(&self, tally: Tally) -> u64 {
        u64::from(self.settings.production_multiplier) * u64::from(tally.levels)
    }

    /// The groups of a seat in flight: the launches of its latest turns, as far back as the longest way takes. No match
    /// has more than the limit, and what is beyond it in a log is not shown.
    fn groups(&self, turn: u32, seat: Seat) -> Vec<GroupFrame> {
        let longest = usize::from(self.distances.iter().copied().max().unwrap_or(0));
        let first = seat.index() as u32 + 1;
        let turns = (first..turn + 1).step_by(usize::from(self.sizes.seats));
        let mut launches = Vec::new();
        let mut groups = Vec::new();
        for (age, turn) in turns.rev().take(longest).enumerate() {
            read_launches(&mut self.words(turn), self.sizes, seat, &mut launches)
                .expect("it was read before");
            // Backwards, like the turns: what was sent first is to be in front.
            for launch in launches.iter().rev() {
                let distance = self.distance(launch);
                if distance > age && groups.len() < limits::GROUPS {
                    groups.push(GroupFrame {
                        owner: seat.number(),
                        from: launch.from + 1,
                        to: launch.to + 1,
                        ships: launch.ships,
                        distance: distance as u32,
                        turns_left: (distance - age) as u32,
                    });
                }
            }
        }
        groups.reverse();
        groups.sort_by_key(|group| group.turns_left);
        groups
    }
}

impl Log for Visualizer {
    fn seats(&self) -> u8 {
        self.sizes.seats
    }

    fn turns(&self) -> u32 {
        self.blocks.len() as u32
    }

    fn mover(&self, turn: u32) -> Option<Seat> {
        (turn > 0).then(|| self.seat_of(turn))
    }

    fn round(&self, turn: u32) -> u32 {
        turn / u32::from(self.sizes.seats)
    }

    fn frame(&self, turn: u32) -> Value {
        let planets = if turn == 0 { self.start.clone() } else { self.block(turn).planets };
        let over = self.complete && turn == self.turns();
        let planets = planets.iter().zip(&self.places).map(|(planet, &(x, y))| PlanetFrame {
            x,
            y,
            owner: planet.owner,
            ships: planet.ships,
            level: planet.level,
            armor: planet.armor,
            full_armor: self.settings.full_armor(planet.level).max(planet.armor),
        });
        let frame = Frame {
            step: self.round(turn),
            max_steps: self.settings.max_steps.max(self.round(self.turns())),
            to_move: (!over).then(|| self.seat_of(turn + 1).number()),
            placed: self.placed,
            costs: self.settings.costs(),
            players: Seat::all(self.sizes.seats).map(|seat| self.player(turn, seat)).collect(),
            planets: planets.collect(),
            groups: Seat::all(self.sizes.seats).flat_map(|seat| self.groups(turn, seat)).collect(),
        };
        serde_json::to_value(frame).expect("a frame is plain data")
    }

    fn count(&self, turn: u32, seat: Seat, counter: usize) -> Option<u64> {
        let tally = self.tally(turn, seat);
        match counter {
            0 => Some(tally.ships),
            1 => Some(u64::from(tally.planets)),
            2 => Some(self.production(tally)),
            _ => None,
        }
    }
}

/// What is on the planets, by seat.
fn tallies(planets: &[Planet], seats: usize) -> impl Iterator<Item = Tally> {
    let mut tallies = [Tally::default(); limits::PLAYERS as usize];
    for planet in planets {
        if let Some(index) = usize::from(planet.owner).checked_sub(1) {
            tallies[index].ships += planet.ships;
            tallies[index].planets += u16::from(planet.level > 0);
            tallies[index].levels += u16::from(planet.level);
        }
    }
    tallies.into_iter().take(seats)
}

/// By the rule for maps; whatever a log has that no map could have comes as near as flights can.
fn distance(from: (i32, i32), to: (i32, i32)) -> u16 {
    let (dx, dy) = (i64::from(from.0) - i64::from(to.0), i64::from(from.1) - i64::from(to.1));
    let square = dx.saturating_pow(2).saturating_add(dy.saturating_pow(2));
    map::rounded_root(square.min(limits::DISTANCE.pow(2))).max(1) as u16
}

/// What is in a block.
#[derive(Default)]
struct Block {
    launches: Vec<Launch>,
    planets: Vec<Planet>,
}

impl Block {
    fn read(&mut self, words: &mut FileWords<'_>, sizes: Sizes, seat: Seat) -> Result<(), SetupError> {
        read_launches(words, sizes, seat, &mut self.launches)?;
        self.planets.clear();
        for number in 1..=sizes.planets {
            let mut part = |what: &str, most: u64| {
                words.bounded(format_args!("the {what} of planet {number}"), 0..=most)
            };
            self.planets.push(Planet {
                owner: part("player", u64::from(sizes.seats))? as u8,
                ships: part("ships", limits::SHIPS)?,
                level: part("level", u64::from(TOP_LEVEL))? as u8,
                armor: part("armor", limits::ARMOR)? as u32,
            });
        }
        Ok(())
    }
}

fn read_launches(
    words: &mut FileWords<'_>,
    sizes: Sizes,
    seat: Seat,
    launches: &mut Vec<Launch>,
) -> Result<(), SetupError> {
    launches.clear();
    let planets = sizes.planets as u64;
    for _ in 0..words.bounded("the number of launches", 0..=limits::LAUNCHES)? {
        let own = u64::from(seat.number());
        words.bounded("the player of a launch", own..=own)?;
        let from = words.bounded("the planet that a launch comes from", 1..=planets)?;
        let to = words.bounded("the planet that a launch goes to", 1..=planets)?;
        let ships = words.bounded("the ships of a launch", 1..=limits::GROUP)?;
        launches.push(Launch { ships: ships as u32, from: from as u8 - 1, to: to as u8 - 1 });
    }
    Ok(())
}
