//! What a bot is sent, in numbers: the text of a turn says all that an observation does, but for the round, which is counted.

use crate::Generals;
use crate::action::Action;
use crate::encoding::{MOVES, PLANES, decoded, shown};
use crate::settings::Settings;
use crate::state::Kind;
use crate::view::Seen;
use palestra_core::Seat;
use palestra_core::encoding::{
    Decoded, Extent, Observation, Space, Told, Unread, behind, narrow, number, word,
};
use palestra_core::text::Words;
use palestra_grid::read_hello;

/// What one bot was told.
pub struct Knowledge {
    max_turns: u32,
    tie_captures: bool,
    extent: Extent,
    me: Seat,
    /// Turns that it was asked for.
    turns: u32,
    /// Army and land of everybody, by seat.
    totals: Vec<[i64; 2]>,
    /// Row by row.
    cells: Vec<Seen>,
}

impl Told<Generals> for Knowledge {
    fn begin(settings: &Settings, words: &mut Words<'_>) -> Result<Knowledge, Unread> {
        let (extent, me) = read_hello(words)?;
        let Settings { max_turns, tie_captures, .. } = *settings;
        let (totals, cells) = (Vec::new(), Vec::new());
        Ok(Knowledge { max_turns, tie_captures, extent, me, turns: 0, totals, cells })
    }

    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread> {
        if word(words)? != b"1" {
            return Ok(false);
        }
        self.totals.clear();
        for _ in 0..self.extent.players {
            self.totals.push([number(words)?, number(words)?]);
        }
        self.cells.clear();
        for _ in 0..self.extent.places() {
            let seen = match (number(words)?, number(words)?) {
                (0, kind @ (1 | 2)) => Seen::Hidden { obstacle: kind == 2 },
                (1, 4) => Seen::Plain { kind: Kind::Mountain, owner: 0, units: 0 },
                (1, kind @ 1..=3) => {
                    let kind = [Kind::Empty, Kind::City, Kind::Capital][kind as usize - 1];
                    let owner = number(words)?;
                    if owner > self.extent.players {
                        return Err(Unread::Foreign);
                    }
                    Seen::Plain { kind, owner, units: number(words)? }
                }
                (_, _) => return Err(Unread::Foreign),
            };
            self.cells.push(seen);
        }
        self.turns += 1;
        Ok(true)
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn observe(&self, space: &Space, _pending: &Action, out: &mut Observation<'_>) {
        let (me, Extent { rows, columns, players }) = (self.me, self.extent);
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
                (row + 1 < rows).then_some(place + columns),
            ];
            for (way, next) in ways.into_iter().enumerate() {
                let open = next.is_some_and(|next| {
                    !matches!(self.cells[next], Seen::Plain { kind: Kind::Mountain, .. })
                });
                out.mask[place * MOVES + way * 2..][..2].fill(open.into());
            }
        }
        let head = [
            narrow(u64::from(self.turns) - 1),
            narrow(self.max_turns.into()),
            i32::from(self.tie_captures),
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

    fn decode(&self, space: &Space, action: u32, pending: &mut Action) -> Decoded {
        decoded(space, action, pending);
        Decoded::Turn
    }
}
