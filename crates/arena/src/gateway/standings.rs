//! How everybody stands, as clients are told: written once for all of them.

use super::lines::Words;
use crate::api::StandingLine;
use crate::hub::Hub;
use crate::limits;
use palestra_core::legacy::Ranked;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How everybody stands in one game.
pub(super) struct Standings {
    /// Raised whenever the list says something else.
    pub(super) version: u64,
    /// What clients of the game's own contest are told of it.
    pub(super) list: String,
    /// Everybody's place, best first.
    pub(super) lines: Arc<Vec<StandingLine>>,
}

/// The latest of every game.
pub(super) struct StandingsCache {
    hub: Hub,
    words: Option<Words>,
    latest: Mutex<HashMap<String, Arc<Standings>>>,
}

impl StandingsCache {
    pub(super) fn new(hub: Hub, words: Option<Words>) -> StandingsCache {
        StandingsCache { hub, words, latest: Mutex::default() }
    }

    /// How everybody stands now.
    pub(super) fn of(&self, game: &str) -> Arc<Standings> {
        let snapshot = self.hub.snapshot();
        let lines = snapshot.standings.get(game).cloned().unwrap_or_default();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let known = latest.get(game);
        if let Some(known) = known.filter(|known| Arc::ptr_eq(&known.lines, &lines)) {
            return Arc::clone(known);
        }
        let words = self.words.filter(|words| words.game == game);
        let list = words.map(|words| write(words, &lines)).unwrap_or_default();
        let version = match known {
            Some(known) if known.list == list => known.version,
            known => known.map_or(0, |known| known.version) + 1,
        };
        let standings = Arc::new(Standings { version, list, lines });
        latest.insert(game.to_owned(), Arc::clone(&standings));
        standings
    }
}

fn write(words: Words, lines: &[StandingLine]) -> String {
    let ranked = lines.iter().take(limits::LISTED_PLAYERS).map(|line| Ranked {
        player: line.player.0,
        points: line.points.round() as i64,
        elo: line.elo,
        name: &line.name,
    });
    (words.lines.standings)(&ranked.collect::<Vec<_>>())
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Standings, Words, write};
    use crate::api::{Presence, StandingLine};
    use crate::ids::{AccountId, BotId};
    use std::sync::Arc;

    pub(in crate::gateway) fn standing(player: i64, points: f64, elo: i32, name: &str) -> StandingLine {
        StandingLine {
            place: 1,
            bot: BotId(player),
            player: AccountId(player),
            name: name.to_owned(),
            house: false,
            online: true,
            points,
            elo,
            played: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            plays: Presence::Client,
        }
    }

    pub(in crate::gateway) fn standings(version: u64, lines: Vec<StandingLine>) -> Standings {
        let words = Words::of(&[&palestra_rps::Rps]).unwrap();
        Standings { version, list: write(words, &lines), lines: Arc::new(lines) }
    }
}
