//! The turns of a match that a worker plays, for those who look on. They are played again here before anybody sees them:
//! what does not follow the rules, comes twice or has a gap before it ends the telling, and nothing else. The result does not
//! depend on them.

use super::workers::Shown;
use crate::limits;
use palestra_core::{AnyGame, Cursor, Replay};
use palestra_queue::Turns;
use palestra_server::FeedPublisher;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

/// A match that is told of.
pub(crate) struct LiveTurns(JoinHandle<FeedPublisher>);

impl LiveTurns {
    /// From its beginning; until nobody sends turns any more.
    pub(crate) fn start(
        game: &'static dyn AnyGame,
        start: Replay,
        mut reporter: FeedPublisher,
        mut turns: mpsc::Receiver<Turns>,
        shown: Shown,
    ) -> LiveTurns {
        LiveTurns(spawn_blocking(move || {
            if let Ok(cursor) = Cursor::start(game, &start) {
                let mut follower = Follower { recorded: start, cursor, bytes: 0 };
                while let Some(turns) = turns.blocking_recv() {
                    if follower.take(&turns).is_none() {
                        break;
                    }
                    reporter.turns(&turns.tail, &turns.stderr, &follower.cursor);
                }
            }
            drop(shown);
            reporter
        }))
    }

    /// It is over, and this is its replay.
    pub(crate) async fn end(self, replay: Replay) {
        if let Ok(reporter) = self.0.await {
            reporter.end(replay);
        }
    }
}

/// What has been told of a match.
struct Follower {
    recorded: Replay,
    cursor: Cursor,
    bytes: usize,
}

impl Follower {
    /// Plays these turns, if they are the next ones.
    fn take(&mut self, turns: &Turns) -> Option<()> {
        let heard: usize = turns.stderr.iter().map(|(_, _, piece)| piece.len()).sum();
        self.bytes += turns.tail.bytes() + heard;
        let seats = self.recorded.head.plan.seats;
        let known = turns.stderr.iter().all(|(seat, ..)| seat.number() <= seats);
        if turns.from != self.cursor.turn() || self.bytes > limits::LIVE_BYTES || !known {
            return None;
        }
        self.recorded.append(turns.tail.clone());
        while self.cursor.advance(&self.recorded).ok()?.is_some() {}
        (self.cursor.turn() == turns.tail.turns()).then_some(())
    }
}
