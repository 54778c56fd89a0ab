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
use palestra_core::Seat;
use palestra_core::encoding::{Decoded, Extent, Observation, Space, Told, Unread, word};
use palestra_core::text::{Words, integer};
use palestra_grid::read_hello;

/// What one bot was told, in six words for each cell.
pub struct Knowledge {
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

/// What is around the board.
const RING: Seen = Seen::Hidden { plain: false };

impl Told<Grifaki> for Knowledge {
    fn begin(settings: &Settings, words: &mut Words<'_>) -> Result<Knowledge, Unread> {
        let (Extent { rows, columns, players }, me) = read_hello(words)?;
        let board = Board::new(rows as u16, columns as u16);
        let most = board.area() + 1;
        Ok(Knowledge {
            me,
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
        })
    }

    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread> {
        if word(words)? != b"0" {
            return Ok(false);
        }
        for at in self.board.cells() {
            let numbers = [word(words)?, word(words)?, word(words)?, word(words)?, word(words)?];
            self.cells[at] = seen(numbers, word(words)?, self.players)?;
        }
        self.look_around();
        Ok(true)
    }

    fn extent(&self) -> Extent {
        let (rows, columns) = (self.board.rows().into(), self.board.columns().into());
        Extent { rows, columns, players: self.players }
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn observe(&self, space: &Space, pending: &Action, out: &mut Observation<'_>) {
        observe(space, self, pending, out);
    }

    fn decode(&self, space: &Space, action: u32, pending: &mut Action) -> Decoded {
        decode(space, self, action, pending)
    }

    fn answered(&mut self, text: &[u8]) {
        if let Ok(Action::Build(order)) = read_action(&mut Words::new(text))
            && self.can_build(&order)
        {
            self.built[kind_of(order.building)] += 1;
        }
    }
}

/// What is seen of a cell, by its six words.
fn seen(numbers: [&[u8]; 5], kind: &[u8], players: u8) -> Result<Seen, Unread> {
    let kind = match kind {
        b"PLAIN" => Kind::Plain,
        b"CITY" => Kind::City,
        b"CAPITAL" => Kind::Capital,
        b"FALLEN_CAPITAL" => Kind::FallenCapital,
        b"MOUNTAIN" => Kind::Mountain,
        _ => return Err(Unread::Foreign),
    };
    let [units, owner, wall, visible, original] = numbers.map(|word| integer(word).unwrap_or(-1));
    let player =
        |number: i64| u8::try_from(number).ok().filter(|number| *number <= players).ok_or(Unread::Foreign);
    match visible {
        0 => Ok(Seen::Hidden { plain: kind == Kind::Plain }),
        1 => Ok(Seen::Clear {
            kind,
            owner: player(owner)?,
            units: u32::try_from(units).map_err(|_| Unread::Foreign)?,
            wall: wall == 1,
            original: player(original)?,
        }),
        _ => Err(Unread::Foreign),
    }
}

impl Knowledge {
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

impl Shown for Knowledge {
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
