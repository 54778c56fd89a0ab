//! Records a match while it is played.

use super::{Head, Replay, Stderr};
use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::game::Info;
use crate::limits;
use crate::matchplay::Spent;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::seat::Seat;
use std::time::Duration;

/// Bytes of the largest number.
const MOST_VARINT_BYTES: usize = 10;

/// The replay of a match that goes on.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    replay: Replay,
}

impl Recorder {
    pub(crate) fn new(
        info: &Info,
        plan: Plan,
        bots: Vec<String>,
        labels: Vec<String>,
        time: TimeControl,
    ) -> Recorder {
        let outcome = Outcome { winner: None, placings: Vec::new() };
        Recorder {
            replay: Replay {
                head: Head {
                    game: info.id.to_owned(),
                    rules_version: info.rules_version,
                    made_by: concat!("palestra ", env!("CARGO_PKG_VERSION")).to_owned(),
                    plan,
                    time,
                    bots,
                    labels,
                    turns: 0,
                    faults: Vec::new(),
                    stderr: Vec::new(),
                    outcome,
                    digest: [0; 32],
                    departures: Vec::new(),
                    former: false,
                },
                answers: Vec::new(),
                times: Vec::new(),
            },
        }
    }

    /// Books a turn's times and says which turn it is.
    pub(crate) fn turn(&mut self, spent: Spent) -> u32 {
        self.replay.head.turns += 1;
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX - 1);
        let cpu = spent.cpu.map_or(0, |cpu| micros(cpu) + 1);
        let mut bytes = [0; 2 * MOST_VARINT_BYTES];
        let bytes = postcard::to_slice(&(micros(spent.wall), cpu), &mut bytes).expect("two numbers fit");
        self.replay.times.extend_from_slice(bytes);
        self.replay.head.turns
    }

    pub(crate) fn answers(&mut self) -> &mut Vec<u8> {
        &mut self.replay.answers
    }

    pub(crate) fn fault(&mut self, turn: u32, fault: &Fault) {
        self.replay.head.faults.push((turn, fault.clone()));
    }

    /// The turn is that of a player who was not to move, and has left.
    pub(crate) fn departure(&mut self, turn: u32, seat: Seat) {
        self.replay.head.departures.push((turn, seat));
    }

    pub(crate) fn so_far(&self) -> &Replay {
        &self.replay
    }

    pub(crate) fn finish(mut self, outcome: Outcome, digest: [u8; 32], stderr: Vec<Stderr>) -> Replay {
        self.replay.head.outcome = outcome;
        self.replay.head.digest = digest;
        self.replay.head.stderr = stderr;
        for pieces in &mut self.replay.head.stderr {
            let mut left = limits::REPLAY_STDERR_BYTES;
            for (_, piece) in pieces.iter_mut() {
                piece.truncate(left);
                left -= piece.len();
            }
            pieces.retain(|(_, piece)| !piece.is_empty());
            pieces.truncate(limits::REPLAY_STDERR_PIECES);
        }
        self.replay
    }
}
