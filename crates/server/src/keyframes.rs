//! Seeking in a replay: states of the game are kept along the way, and everything else is played again from the nearest.

use crate::limits;
use palestra_core::replay::{Cursor, Turn};
use palestra_core::{AnyState, Eye, Replay, ReplayError};

/// A cursor that leaves keyframes along its way.
pub(crate) struct SeekCursor<'a> {
    cursor: Cursor,
    replay: &'a Replay,
    keyframes: &'a mut Keyframes,
}

impl<'a> SeekCursor<'a> {
    /// Behind this turn of the replay, of which these are the keyframes.
    pub(crate) fn seek(
        replay: &'a Replay,
        keyframes: &'a mut Keyframes,
        turn: u32,
    ) -> Result<SeekCursor<'a>, ReplayError> {
        let mut cursor = SeekCursor { cursor: keyframes.nearest(turn).fork(), replay, keyframes };
        while cursor.turn() < turn && cursor.advance()?.is_some() {}
        Ok(cursor)
    }

    pub(crate) fn turn(&self) -> u32 {
        self.cursor.turn()
    }

    pub(crate) fn state(&self) -> &dyn AnyState {
        self.cursor.state()
    }

    pub(crate) fn peek(&mut self) -> Result<Option<Turn<'a>>, ReplayError> {
        self.cursor.peek(self.replay)
    }

    pub(crate) fn advance(&mut self) -> Result<Option<Turn<'a>>, ReplayError> {
        let turn = self.cursor.advance(self.replay)?;
        self.keyframes.pass(&self.cursor);
        Ok(turn)
    }
}

/// Keyframes in the order of turns; the first is at the beginning.
pub(crate) struct Keyframes {
    list: Vec<Keyframe>,
    /// Turns between two of them.
    gap: u32,
}

/// A position to play on from, and about how much memory it takes.
struct Keyframe {
    cursor: Cursor,
    bytes: usize,
}

impl Keyframe {
    fn new(cursor: Cursor) -> Keyframe {
        let state = cursor.state();
        // A game keeps for every seat what it sees of the board.
        let bytes = state.frame(Eye::Spectator).to_string().len() * usize::from(state.seats());
        Keyframe { cursor, bytes }
    }
}

impl Keyframes {
    pub(crate) fn new(cursor: Cursor) -> Keyframes {
        Keyframes { list: vec![Keyframe::new(cursor)], gap: limits::KEYFRAME_GAP }
    }

    /// The last one that is not behind this turn.
    fn nearest(&self, turn: u32) -> &Cursor {
        let behind = self.list.partition_point(|keyframe| keyframe.cursor.turn() <= turn);
        &self.list[behind - 1].cursor
    }

    /// Adds a keyframe here if the last one is far enough behind, and leaves out every second when there are too many.
    fn pass(&mut self, cursor: &Cursor) {
        let last = self.list.last().map_or(0, |keyframe| keyframe.cursor.turn());
        if cursor.turn() < last.saturating_add(self.gap) {
            return;
        }
        self.list.push(Keyframe::new(cursor.fork()));
        let bytes: usize = self.list.iter().map(|keyframe| keyframe.bytes).sum();
        if self.list.len() > limits::KEYFRAMES || bytes > limits::KEYFRAME_BYTES {
            let mut index = 0;
            self.list.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.gap = self.gap.saturating_mul(2);
        }
    }
}
