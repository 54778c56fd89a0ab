//! How everybody stands, as clients are told: written once for all of them.

use crate::api::StandingLine;
use crate::hub::Hub;
use crate::limits;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// How everybody stands in one game.
pub(super) struct Standings {
    /// Raised whenever the list says something else.
    pub(super) version: u64,
    /// The list of players for clients of old.
    pub(super) list: String,
    /// Everybody's place, best first.
    pub(super) lines: Arc<Vec<StandingLine>>,
}

/// The latest of every game.
pub(super) struct Lists {
    hub: Hub,
    latest: Mutex<HashMap<String, Arc<Standings>>>,
}

impl Lists {
    pub(super) fn new(hub: Hub) -> Lists {
        Lists { hub, latest: Mutex::default() }
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
        let list = write(&lines);
        let version = match known {
            Some(known) if known.list == list => known.version,
            known => known.map_or(0, |known| known.version) + 1,
        };
        let standings = Arc::new(Standings { version, list, lines });
        latest.insert(game.to_owned(), Arc::clone(&standings));
        standings
    }
}

/// `players 2`, then number, match points, Elo and name of each, then a point: whole numbers, single blanks.
fn write(lines: &[StandingLine]) -> String {
    let lines = &lines[..lines.len().min(limits::LISTED_PLAYERS)];
    let mut list = format!("players {}\n", lines.len());
    for line in lines {
        let _ = writeln!(list, "{} {} {} {}", line.player, line.points.round(), line.elo, line.name);
    }
    list.push_str(".\n");
    list
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Standings, write};
    use crate::api::{Presence, StandingLine};
    use crate::ids::{BotId, PlayerId};
    use std::sync::Arc;

    pub(in crate::gateway) fn standing(player: i64, points: f64, elo: i32, name: &str) -> StandingLine {
        StandingLine {
            place: 1,
            bot: BotId(player),
            player: PlayerId(player),
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
        Standings { version, list: write(&lines), lines: Arc::new(lines) }
    }

    #[test]
    fn the_list_is_what_clients_of_old_expect() {
        let lines = [standing(3, 12.0, 1516, "anna"), standing(12, 0.5, 1484, "béla")];
        assert_eq!(write(&lines), "players 2\n3 12 1516 anna\n12 1 1484 béla\n.\n");
        assert_eq!(write(&[]), "players 0\n.\n");
    }
}
