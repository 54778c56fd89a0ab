//! What a player with a memory knows of the board: everything it has ever seen, however long ago.

use super::takes;
use crate::kind::{Building, Kind};
use crate::view::{Seen, View};
use palestra_core::Seat;
use palestra_grid::Best;

/// The owner of a cell that was lost out of sight.
const SOMEBODY: u8 = u8::MAX;
/// A city is built if it earns so many times its price until the end.
const CITY_EARNS: u32 = 3;
/// An army smaller than this does not go on.
pub(super) const LEAST_REST: u32 = 8;

/// The board as far as it is known.
#[derive(Default)]
pub(super) struct Memory {
    /// By index.
    pub(super) cells: Vec<Known>,
    /// Whose memory it is.
    me: u8,
}

/// What was seen of a cell, however long ago.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// When it was last in sight, plus one; 0 is never.
    pub(super) seen: u32,
    /// What it is, or the best guess: a mountain if it is no plain and was never in sight.
    pub(super) kind: Kind,
    pub(super) owner: u8,
    pub(super) units: u32,
    pub(super) wall: bool,
}

impl Known {
    /// Whether it belongs to somebody else than `me`.
    pub(super) fn enemy_of(self, me: u8) -> bool {
        self.owner != 0 && self.owner != me
    }
}

impl Memory {
    /// Takes down what the player has in sight. Memory is taken from the heap in the first turn alone, of which it
    /// says that it is one.
    pub(super) fn look(&mut self, view: View<'_>, seat: Seat) -> bool {
        let me = seat.number();
        self.me = me;
        let board = view.board();
        let first = self.cells.len() != board.indexes();
        if first {
            let nothing = Known { seen: 0, kind: Kind::Mountain, owner: 0, units: 0, wall: false };
            self.cells = vec![nothing; board.indexes()];
        }
        for (span, row) in board.spans().zip(view.rows()) {
            for (known, seen) in self.cells[span].iter_mut().zip(row) {
                match seen {
                    Seen::Clear { kind, owner, units, wall, .. } => {
                        *known = Known { seen: view.tick() + 1, kind, owner, units, wall };
                    }
                    Seen::Hidden { plain } => {
                        if plain {
                            known.kind = Kind::Plain;
                        } else if known.kind == Kind::Plain && known.seen > 0 {
                            known.kind = Kind::City;
                        }
                        if known.owner == me {
                            known.owner = SOMEBODY;
                        }
                    }
                }
            }
        }
        first
    }

    pub(super) fn known(&self, at: usize) -> Known {
        self.cells[at]
    }

    pub(super) fn units(&self, at: usize) -> u32 {
        self.known(at).units
    }

    pub(super) fn own(&self, at: usize) -> bool {
        self.known(at).owner == self.me
    }

    pub(super) fn enemy(&self, at: usize) -> bool {
        self.known(at).enemy_of(self.me)
    }

    /// Whether a capital of somebody else is known.
    pub(super) fn knows_capital(&self) -> bool {
        self.others_capitals().next().is_some()
    }

    /// The fewest units that a known capital of somebody else is thought to hold: some of what grew since it was seen
    /// has gone out again.
    pub(super) fn weakest_capital(&self, tick: u32) -> Option<u32> {
        self.others_capitals().map(|known| known.units + (tick + 1 - known.seen) / 2).min()
    }

    /// How many ticks ago a cell was last in sight.
    pub(super) fn age(&self, view: View<'_>, at: usize) -> u32 {
        (view.tick() + 1).saturating_sub(self.known(at).seen)
    }

    /// The blow at a capital or a city that counts most, of those that take it; the best is to take one's own back.
    pub(super) fn best_blow(
        &self,
        view: View<'_>,
        home: usize,
        stays: impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let mut best = Best::default();
        for from in view.own().filter(|from| self.units(*from) > 1) {
            for to in view.board().neighbours(from) {
                let target = self.known(to);
                if !target.kind.is_city() || target.owner == self.me || !view.sees(to) || stays(from, to) {
                    continue;
                }
                if !takes(view, self.units(from) - 1, target.units, target.wall) {
                    continue;
                }
                let worth: u64 = match target.kind {
                    _ if to == home => 4,
                    Kind::Capital => 3,
                    _ if target.owner != 0 => 2,
                    _ => 1,
                };
                let value = worth << 32 | u64::from(self.units(from));
                best.offer(value, (from, to));
            }
        }
        best.found()
    }

    /// From where and on which cell a city is built, if it will have paid for itself several times by the end.
    pub(super) fn city_that_pays(&self, view: View<'_>, home: usize) -> Option<(usize, usize)> {
        let price = view.price(Building::City)?;
        let left = view.max_ticks() - view.tick();
        if !self.own(home) || price.saturating_mul(CITY_EARNS) > left {
            return None;
        }
        let from = view.own().max_by_key(|at| self.units(*at))?;
        if self.units(from) <= price + LEAST_REST {
            return None;
        }
        let fits = |at: &usize| self.own(*at) && self.known(*at).kind == Kind::Plain;
        Some((from, view.board().neighbours(from).into_iter().chain([from]).find(fits)?))
    }

    /// What an army of this strength counts a cell that is so many steps away; the least is what it wants most. `hides`
    /// tells whether a capital may be there.
    pub(super) fn cost(
        &self,
        view: View<'_>,
        at: usize,
        strength: u32,
        steps: i64,
        detour: i64,
        hides: impl Fn() -> bool,
    ) -> Option<i64> {
        let cell = self.known(at);
        if self.enemy(at) && cell.kind != Kind::Plain {
            // Cities and capitals have grown since they were seen.
            let falls = takes(view, strength, cell.units + self.age(view, at) / 2, cell.wall);
            falls.then_some(steps - if cell.kind == Kind::Capital { 1000 } else { 12 })
        } else if cell.kind == Kind::City && cell.owner == 0 && steps <= detour {
            Some(steps - 600)
        } else if hides() {
            Some(steps - 500)
        } else if self.enemy(at) {
            Some(steps - 6)
        } else {
            (cell.seen == 0).then_some(steps)
        }
    }

    fn others_capitals(&self) -> impl Iterator<Item = &Known> {
        self.cells.iter().filter(|cell| cell.kind == Kind::Capital && cell.owner != self.me && cell.seen > 0)
    }
}
