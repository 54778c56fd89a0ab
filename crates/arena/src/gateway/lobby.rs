//! What a client that does not play waits for, from what the hub has published.

use crate::api::{EventState, RoundState};
use crate::hub::{Snapshot, Wish};
use crate::ids::AccountId;

/// What a client waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lobby {
    pub(super) waits_for: WaitsFor,
    /// The next round of its game.
    pub(super) next: Option<NextRound>,
}

/// What has to happen before its next match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WaitsFor {
    /// The event is paused.
    Resume,
    /// A scored round has the game to itself: its own match there, or the round's end.
    Round(String),
    /// An opponent; so many others are connected.
    Opponent(usize),
    /// A scored round: it wishes nobody for a free match.
    NextRound,
}

/// A round that is to come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NextRound {
    pub(super) name: String,
    /// When it begins, in milliseconds since 1970, if that is settled.
    pub(super) starts: Option<i64>,
}

impl Lobby {
    pub(super) fn of(snapshot: &Snapshot, game: &str, player: AccountId, wish: &Wish) -> Lobby {
        let rounds = || snapshot.live.rounds.iter().filter(|round| round.game == game);
        let running = rounds().find(|round| round.state == RoundState::Running);
        let others =
            || snapshot.online.iter().filter(|(other, played)| *other != player && played == game).count();
        let waits_for = match running {
            _ if snapshot.state == EventState::Paused => WaitsFor::Resume,
            Some(round) => WaitsFor::Round(round.name.clone()),
            None if *wish == Wish::default() => WaitsFor::NextRound,
            None => WaitsFor::Opponent(others()),
        };
        let next = rounds().find(|round| round.state == RoundState::Waiting);
        Lobby {
            waits_for,
            next: next.map(|round| NextRound { name: round.name.clone(), starts: round.starts }),
        }
    }
}
