//! What a bot is sent, in numbers: the text of a turn says all that an observation does, but for what follows from the turns
//! before, which are counted: ticks, and what was built.

use crate::action::{Action, Build};
use crate::encoding::{Shown, decode, observe};
use crate::kind::{Building, Kind};
use crate::prices::Prices;
use crate::protocol::read_action;
use crate::settings::Settings;
use crate::view::Seen;
use crate::{Board, Grifaki};
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Reader, Reading, Space};
use palestra_core::text::{Words, integer};
use palestra_core::{Protocol, Seat, limits};

/// Reads what is sent to one bot, in six words for each cell.
pub(crate) struct TextReader {
    settings: Settings,
    /// What was not read yet.
    text: Vec<u8>,
    begun: Option<Begun>,
}

/// What is known from the first turn on.
struct Begun {
    space: Space,
    told: Told,
}

/// What the player was told.
struct Told {
    me: Seat,
    players: u8,
    board: Board,
    leave_one: bool,
    max_ticks: u32,
    /// Turns that it was asked for.
    turns: u32,
    /// Of walls, and of cities.
    prices: [Prices; 2],
    built: [u32; 2],
    /// With a ring of mountains around the board.
    cells: Vec<Seen>,
    own: Vec<usize>,
    home: Option<usize>,
}

/// Something that no game of Grifaki says.
struct Foreign;

/// What is around the board.
const RING: Seen = Seen::Hidden { plain: false };

impl TextReader {
    pub(crate) fn new(settings: Settings) -> TextReader {
        TextReader { settings, text: Vec::new(), begun: None }
    }

    fn begin(&mut self, numbers: [i64; 4]) -> Result<(), Foreign> {
        let [rows, columns, players, me] = numbers;
        let side = 1..=i64::from(u16::MAX);
        let fits = side.contains(&rows)
            && side.contains(&columns)
            && rows * columns <= limits::MAP_BYTES as i64
            && (1..=limits::SEATS as i64).contains(&players)
            && (1..=players).contains(&me);
        if !fits {
            return Err(Foreign);
        }
        let settings = &self.settings;
        let (players, board) = (players as u8, Board::new(rows as u16, columns as u16));
        let extent = Extent { rows: rows as usize, columns: columns as usize, players };
        let most = board.area() + 1;
        let told = Told {
            me: Seat::new(me as u8),
            players,
            board,
            leave_one: settings.leave_one,
            max_ticks: settings.max_game_duration,
            turns: 0,
            prices: [
                Prices::new(settings.wall_cost, settings.wall_cost_growth, most),
                Prices::new(settings.city_cost, settings.city_cost_growth, most),
            ],
            built: [0; 2],
            cells: vec![RING; board.indexes()],
            own: Vec::new(),
            home: None,
        };
        self.begun = Some(Begun { space: Grifaki::space(settings, extent), told });
        Ok(())
    }

    /// Reads as far as there are whole words; `None` if there is less than a turn.
    fn turn(&mut self) -> Result<Option<Reading>, Foreign> {
        let mut words = Words::new(&self.text);
        let Some(Begun { told, .. }) = &mut self.begun else {
            let mut numbers = [0; 4];
            for number in &mut numbers {
                let Some(word) = words.next() else { return Ok(None) };
                *number = integer(word).ok_or(Foreign)?;
            }
            let used = words.used();
            self.begin(numbers)?;
            self.text.drain(..used);
            return self.turn();
        };
        match words.next() {
            None => return Ok(None),
            Some(b"0") => {}
            Some(_) => return Ok(Some(Reading::Over)),
        }
        for at in told.board.cells() {
            let mut word = || words.next();
            let six = (word(), word(), word(), word(), word(), word());
            let (Some(units), Some(owner), Some(wall), Some(visible), Some(original), Some(kind)) = six
            else {
                return Ok(None);
            };
            told.cells[at] = seen([units, owner, wall, visible, original], kind, told.players)?;
        }
        let used = words.used();
        self.text.drain(..used);
        told.look_around();
        Ok(Some(Reading::Turn))
    }

    fn begun(&self) -> &Begun {
        self.begun.as_ref().expect("a turn was read")
    }
}

/// What is seen of a cell, by its six words.
fn seen(numbers: [&[u8]; 5], kind: &[u8], players: u8) -> Result<Seen, Foreign> {
    let kind = match kind {
        b"PLAIN" => Kind::Plain,
        b"CITY" => Kind::City,
        b"CAPITAL" => Kind::Capital,
        b"FALLEN_CAPITAL" => Kind::FallenCapital,
        b"MOUNTAIN" => Kind::Mountain,
        _ => return Err(Foreign),
    };
    let [units, owner, wall, visible, original] = numbers.map(|word| integer(word).unwrap_or(-1));
    let player = |number: i64| u8::try_from(number).ok().filter(|number| *number <= players).ok_or(Foreign);
    match visible {
        0 => Ok(Seen::Hidden { plain: kind == Kind::Plain }),
        1 => Ok(Seen::Clear {
            kind,
            owner: player(owner)?,
            units: u32::try_from(units).map_err(|_| Foreign)?,
            wall: wall == 1,
            original: player(original)?,
        }),
        _ => Err(Foreign),
    }
}

impl Told {
    /// Counts the turn, and finds what is its own.
    fn look_around(&mut self) {
        self.turns += 1;
        let me = self.me.number();
        self.own.clear();
        for at in self.board.cells() {
            if let Seen::Clear { owner, original, .. } = self.cells[at] {
                if owner == me {
                    self.own.push(at);
                }
                if original == me {
                    self.home = Some(at);
                }
            }
        }
    }

    /// Whether the rules allow it.
    fn can_build(&self, order: &Build) -> bool {
        let own = |cell: [i64; 2]| {
            self.board.index(cell).filter(|at| self.own.contains(at)).map(|at| (at, self.cells[at]))
        };
        let (Some((from, payer)), Some((to, site))) = (own(order.from), own(order.to)) else { return false };
        let (Seen::Clear { units, .. }, Seen::Clear { kind, wall, .. }) = (payer, site) else { return false };
        let fits = match order.building {
            Building::Wall => !wall,
            Building::City => kind == Kind::Plain,
        };
        let pays = self.price(order.building).is_some_and(|price| price <= units);
        fits && pays && (from == to || self.board.share_a_side(from, to))
    }
}

/// The place of a building in the lists of both.
fn kind_of(building: Building) -> usize {
    match building {
        Building::Wall => 0,
        Building::City => 1,
    }
}

impl Shown for Told {
    fn seat(&self) -> Option<Seat> {
        Some(self.me)
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn board(&self) -> Board {
        self.board
    }

    fn cell(&self, at: usize) -> Seen {
        self.cells[at]
    }

    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Seen>> {
        self.board.spans().map(|span| self.cells[span].iter().copied())
    }

    fn own_cells(&self) -> impl Iterator<Item = usize> {
        self.own.iter().copied()
    }

    fn home(&self) -> Option<usize> {
        self.home
    }

    fn price(&self, building: Building) -> Option<u32> {
        let kind = kind_of(building);
        self.prices[kind].after(self.built[kind])
    }

    fn leave_one(&self) -> bool {
        self.leave_one
    }

    fn ticks(&self) -> [u32; 2] {
        [self.turns - 1, self.max_ticks]
    }

    fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for at in &self.own {
            if let Seen::Clear { kind, units, .. } = self.cells[*at] {
                counts[0] += u64::from(units);
                counts[1] += 1;
                counts[2] += u64::from(kind.is_city());
            }
        }
        counts
    }
}

impl Reader for TextReader {
    fn read(&mut self, bytes: &[u8]) -> Reading {
        self.text.extend_from_slice(bytes);
        match self.turn() {
            Ok(reading) => reading.unwrap_or(Reading::More),
            Err(Foreign) => Reading::Foreign,
        }
    }

    fn space(&self) -> &Space {
        &self.begun().space
    }

    fn seat(&self) -> Seat {
        self.begun().told.me
    }

    fn observe(&self, said: &[u32], out: &mut Observation<'_>) {
        let Begun { space, told } = self.begun();
        let mut pending = Action::default();
        for action in said {
            decode(space, told, *action, &mut pending);
        }
        observe(space, told, &pending, out);
    }

    fn answered(&mut self, text: &[u8]) {
        let Some(Begun { told, .. }) = &mut self.begun else { return };
        if let Ok(Action::Build(order)) = read_action(&mut Words::new(text))
            && told.can_build(&order)
        {
            told.built[kind_of(order.building)] += 1;
        }
    }

    fn answer(&self, actions: &[u32], out: &mut Vec<u8>) -> bool {
        let [action] = actions else { return false };
        let Begun { space, told } = self.begun();
        let mut answer = Action::default();
        let whole = decode(space, told, *action, &mut answer) == Decoded::Turn;
        Grifaki::write_answer(&answer, out);
        whole
    }
}
