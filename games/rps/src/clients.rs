//! How the contest's own clients speak with a server; the rule book says everything about it.

use palestra_core::legacy::{ClientLines, Ranked};
use std::fmt::Write as _;

pub(crate) const LINES: ClientLines = ClientLines {
    login: "login",
    opponents: "opponent",
    pong: "pong",
    end: ".",
    ping: "ping\n",
    refused: "fail\n",
    standings,
};

/// `players 2`, then number, match points, Elo and name of each, then a point: whole numbers, single blanks.
fn standings(players: &[Ranked<'_>]) -> String {
    let mut list = format!("players {}\n", players.len());
    for Ranked { player, points, elo, name } in players {
        let _ = writeln!(list, "{player} {points} {elo} {name}");
    }
    list.push_str(".\n");
    list
}

#[cfg(test)]
mod tests {
    use super::{Ranked, standings};

    #[test]
    fn the_list_is_what_clients_of_old_expect() {
        let players = [
            Ranked { player: 3, points: 12, elo: 1516, name: "anna" },
            Ranked { player: 12, points: 1, elo: 1484, name: "béla" },
        ];
        assert_eq!(standings(&players), "players 2\n3 12 1516 anna\n12 1 1484 béla\n.\n");
        assert_eq!(standings(&[]), "players 0\n.\n");
    }
}
