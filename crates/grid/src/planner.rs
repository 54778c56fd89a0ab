//! What a player that plans keeps from turn to turn: the buffers of its searches, what is still to be done, and where its
//! army is.

use crate::board::Board;
use crate::flood::Flood;
use crate::gather::Gather;
use crate::ways::{Arrived, Breadth, Found, Ways};

/// Of armies that come for a capital (what is left of them there, where they are, how many steps away) the one that leaves
/// most, and of several such the nearest.
pub fn worst(dangers: impl Iterator<Item = (u32, usize, u16)>) -> Option<(u32, usize, u16)> {
    dangers.reduce(|worst, other| if other.0 > worst.0 { other } else { worst })
}

/// Buffers, made once and filled again, and a plan.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    /// Distances from the army, or from wherever somebody looks around.
    pub near: Flood,
    /// Distances from what is wanted, or guarded.
    pub far: Flood,
    /// How units come together.
    pub gather: Gather,
    ways: Ways,
    /// What is still to be done, the next move last.
    pub plan: Vec<(u16, u16)>,
    /// Where an army sets out from when the plan is done.
    pub sets_out: Option<u16>,
    /// Where the army that is on the march stands.
    pub army: Option<u16>,
    /// No attack begins before this round.
    pub pause: u32,
}

impl Planner {
    /// Makes the buffers, for this board and searches no wider than this.
    pub fn fit<const FIRST: i64>(&mut self, board: Board<FIRST>, breadth: Breadth) {
        self.near = Flood::new(board);
        self.far = Flood::new(board);
        self.gather = Gather::new(board);
        self.ways = Ways::new(breadth);
        self.plan = Vec::with_capacity(board.indexes());
    }

    /// Gives the plan up.
    pub fn give_up(&mut self) {
        self.plan.clear();
        self.sets_out = None;
    }

    /// Plans to bring together what was found for this place, and to set out from there.
    pub fn set_out_from(&mut self, place: usize) {
        self.plan.clear();
        self.plan.extend_from_slice(&self.gather.moves);
        self.sets_out = Some(place as u16);
    }

    /// Plans the way on which the most comes for the fewest moves, for one of these armies; whether there is any.
    /// `arrive` says what becomes of units that step into a cell (as of [`Ways::search`]).
    pub fn take_best_way<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        armies: impl Iterator<Item = (usize, u32)>,
        breadth: Breadth,
        arrive: impl Fn(usize, u32) -> Option<Arrived>,
    ) -> bool {
        self.ways.clear();
        let mut best: Option<Found> = None;
        for (from, units) in armies.filter(|(_, units)| *units >= 2) {
            let found = self.ways.search(board, from, units, breadth, &arrive);
            // The first of several that are as good.
            if found.map(|way| way.value) > best.map(|way| way.value) {
                best = found;
            }
        }
        self.plan.clear();
        if let Some(best) = best {
            self.ways.moves(best, &mut self.plan);
        }
        best.is_some()
    }
}
