//! What a bot is sent, in numbers: the text of a turn says all that an observation does, but for the round, which is counted.

use crate::Generals;
use crate::action::Action;
use crate::encoding::{MOVES, PLANES, decoded, shown};
use crate::settings::Settings;
use crate::state::Kind;
use crate::view::Seen;
use palestra_core::encoding::{Encoding, Extent, Observation, Reader, Reading, Space, behind, narrow};
use palestra_core::text::{Words, integer};
use palestra_core::{Protocol, Seat, limits};

/// Reads what is sent to one bot.
pub(crate) struct TextReader {
    settings: Settings,
    /// What was not read yet.
    text: Vec<u8>,
    begun: Option<Begun>,
    /// Turns that it was asked for.
    turns: u32,
    /// Army and land of everybody, by seat.
    totals: Vec<[i64; 2]>,
    /// Row by row.
    cells: Vec<Seen>,
}

/// What is said before the first turn.
struct Begun {
    space: Space,
    me: Seat,
}

/// Something that no game of Generals says.
struct Foreign;

impl TextReader {
    pub(crate) fn new(settings: Settings) -> TextReader {
        let (text, totals, cells) = (Vec::new(), Vec::new(), Vec::new());
        TextReader { settings, text, begun: None, turns: 0, totals, cells }
    }

    fn begin(&mut self, numbers: [i64; 4]) -> Result<(), Foreign> {
        let [rows, columns, players, me] = numbers;
        let side = 1..=i64::try_from(limits::MAP_BYTES).unwrap_or(i64::MAX);
        let fits = side.contains(&rows)
            && side.contains(&columns)
            && rows * columns <= limits::MAP_BYTES as i64
            && (1..=limits::SEATS as i64).contains(&players)
            && (1..=players).contains(&me);
        if !fits {
            return Err(Foreign);
        }
        let extent = Extent { rows: rows as usize, columns: columns as usize, players: players as u8 };
        let space = Generals::space(&self.settings, extent);
        self.begun = Some(Begun { space, me: Seat::new(me as u8) });
        Ok(())
    }

    /// Reads as far as there are whole words; `None` if there is less than a turn.
    fn turn(&mut self) -> Result<Option<Reading>, Foreign> {
        let mut words = Words::new(&self.text);
        let mut number = || words.next().map(|word| integer(word).ok_or(Foreign)).transpose();
        macro_rules! next {
            () => {
                match number()? {
                    Some(number) => number,
                    None => return Ok(None),
                }
            };
        }
        let Some(Begun { space, .. }) = &self.begun else {
            let numbers = [next!(), next!(), next!(), next!()];
            let used = words.used();
            self.begin(numbers)?;
            self.text.drain(..used);
            return self.turn();
        };
        if next!() != 1 {
            return Ok(Some(Reading::Over));
        }
        self.totals.clear();
        for _ in 0..space.extent.players {
            self.totals.push([next!(), next!()]);
        }
        self.cells.clear();
        for _ in 0..space.extent.places() {
            let seen = match (next!(), next!()) {
                (0, kind @ (1 | 2)) => Seen::Hidden { obstacle: kind == 2 },
                (1, 4) => Seen::Plain { kind: Kind::Mountain, owner: 0, units: 0 },
                (1, kind @ 1..=3) => {
                    let kind = [Kind::Empty, Kind::City, Kind::Capital][kind as usize - 1];
                    let owner = u8::try_from(next!()).map_err(|_| Foreign)?;
                    if owner > space.extent.players {
                        return Err(Foreign);
                    }
                    Seen::Plain { kind, owner, units: u32::try_from(next!()).map_err(|_| Foreign)? }
                }
                _ => return Err(Foreign),
            };
            self.cells.push(seen);
        }
        let used = words.used();
        self.text.drain(..used);
        self.turns += 1;
        Ok(Some(Reading::Turn))
    }

    fn begun(&self) -> &Begun {
        self.begun.as_ref().expect("a turn was read")
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
        self.begun().me
    }

    fn observe(&self, _said: &[u32], out: &mut Observation<'_>) {
        let Begun { space, me } = self.begun();
        let (players, columns) = (space.extent.players, space.extent.columns);
        out.clear();
        for (place, seen) in self.cells.iter().enumerate() {
            let (planes, units) = shown(*seen, me.number(), players);
            out.planes[place * PLANES..][..PLANES].copy_from_slice(&planes);
            out.counts[place] = units;
            let Seen::Plain { owner, units: 2.., .. } = *seen else { continue };
            if owner != me.number() {
                continue;
            }
            let (row, column) = (place / columns, place % columns);
            // As an action has its directions: up, left, right, down.
            let ways = [
                (row > 0).then(|| place - columns),
                (column > 0).then(|| place - 1),
                (column + 1 < columns).then_some(place + 1),
                (row + 1 < space.extent.rows).then_some(place + columns),
            ];
            for (way, next) in ways.into_iter().enumerate() {
                let open = next.is_some_and(|next| {
                    !matches!(self.cells[next], Seen::Plain { kind: Kind::Mountain, .. })
                });
                out.mask[place * MOVES + way * 2..][..2].fill(open.into());
            }
        }
        let settings = &self.settings;
        let head = [
            narrow(u64::from(self.turns) - 1),
            narrow(settings.max_turns.into()),
            i32::from(settings.tie_captures),
            players.into(),
            me.index() as i32,
        ];
        out.globals[..head.len()].copy_from_slice(&head);
        for (seat, totals) in (0..).zip(&self.totals) {
            let player = usize::from(behind(me.index() as u8, seat, players));
            let numbers = totals.map(|number| narrow(number.unsigned_abs()));
            out.globals[head.len() + 2 * player..][..2].copy_from_slice(&numbers);
        }
        out.mask[space.actions as usize - 1] = 1;
    }

    fn answer(&self, actions: &[u32], out: &mut Vec<u8>) -> bool {
        let [action] = actions else { return false };
        let mut answer = Action::Pass;
        decoded(self.space(), *action, &mut answer);
        Generals::write_answer(&answer, out);
        true
    }
}
