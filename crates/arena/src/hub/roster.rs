//! Players and bots with their ratings, as they stand at this moment.

use super::stages::number;
use crate::api::{Presence, StandingLine};
use crate::ids::{BotId, PlayerId};
use crate::store::{Account, BotRow};
use palestra_league::pairing::Points;
use palestra_league::rating::elo::{Elo, EloSettings};
use palestra_league::rating::matchmaking::Candidate;
use palestra_league::rating::tally::Tally;
use std::collections::{BTreeMap, HashMap};

/// Everybody.
#[derive(Default)]
pub(crate) struct Roster {
    pub(crate) players: HashMap<PlayerId, Account>,
    pub(crate) bots: BTreeMap<BotId, Entry>,
    by_player: HashMap<(PlayerId, String), BotId>,
    /// By game: who has met whom, for choosing the next match of the ladder.
    tallies: HashMap<String, Tally>,
}

/// A bot.
pub(crate) struct Entry {
    pub(crate) row: BotRow,
    /// The number of the active version among the bot's.
    pub(crate) version: Option<u32>,
    /// Points of scored rounds.
    pub(crate) points: Points,
    /// Matches of the ladder that it is playing.
    pub(crate) in_play: u32,
    /// How often in a row a match with it could not be played.
    pub(crate) strikes: u32,
    /// Whether its program cannot be started: it sits out until another version comes.
    pub(crate) broken: bool,
}

impl Roster {
    pub(crate) fn new(games: impl Iterator<Item = String>) -> Roster {
        Roster { tallies: games.map(|game| (game, Tally::default())).collect(), ..Roster::default() }
    }

    pub(crate) fn add_player(&mut self, account: Account) {
        self.players.insert(account.id, account);
    }

    pub(crate) fn add_bot(&mut self, row: BotRow, version: Option<u32>) {
        self.by_player.insert((row.player, row.game.clone()), row.id);
        let points = Points::ZERO;
        self.bots.insert(row.id, Entry { row, version, points, in_play: 0, strikes: 0, broken: false });
    }

    pub(crate) fn bot_of(&self, player: PlayerId, game: &str) -> Option<BotId> {
        self.by_player.get(&(player, game.to_owned())).copied()
    }

    pub(crate) fn name(&self, player: PlayerId) -> String {
        self.players.get(&player).map_or_else(|| format!("player-{player}"), |account| account.name.clone())
    }

    /// Moves the ratings by a result: for each seat the new rating and how far it moved.
    pub(crate) fn rate(
        &mut self,
        game: &str,
        bots: &[BotId],
        places: &[u32],
        elo: EloSettings,
    ) -> Vec<(f64, f64)> {
        let before: Vec<f64> = bots.iter().map(|bot| self.bots[bot].row.elo).collect();
        let after = rated(&before, places, elo);
        for (bot, (new, place)) in bots.iter().zip(after.iter().zip(places)) {
            let row = &mut self.bots.get_mut(bot).expect("it just played").row;
            row.elo = *new;
            row.played += 1;
            let best = places.iter().filter(|other| **other == 1).count();
            match (*place, best) {
                (1, 1) => row.won += 1,
                (1, _) => row.drawn += 1,
                _ => row.lost += 1,
            }
        }
        let players: Vec<usize> = bots.iter().map(|bot| bot.0 as usize).collect();
        self.tallies.entry(game.to_owned()).or_default().record(&players, places);
        after.iter().zip(before).map(|(after, before)| (*after, after - before)).collect()
    }

    /// Forgets who has met whom in a game.
    pub(crate) fn forget(&mut self, game: &str) {
        self.tallies.insert(game.to_owned(), Tally::default());
    }

    /// Counts a match of former days for choosing the next ones.
    pub(crate) fn recall(&mut self, game: &str, bots: &[BotId], places: &[u32]) {
        let players: Vec<usize> = bots.iter().map(|bot| bot.0 as usize).collect();
        self.tallies.entry(game.to_owned()).or_default().record(&players, places);
    }

    /// The bots that can play on the ladder of a game, and who has met whom.
    pub(crate) fn candidates(&self, game: &str) -> (Vec<Candidate>, &Tally) {
        let able = self.bots.values().filter(|entry| {
            let plays = entry.row.built_in.is_some() || entry.row.active.is_some();
            let allowed = self.players.get(&entry.row.player).is_none_or(|account| !account.banned);
            entry.row.game == game && plays && allowed && !entry.broken
        });
        let candidates = able.map(|entry| Candidate {
            bot: entry.row.id.0 as usize,
            // The ladder needs to know who is strong and who is unknown, on the scale of its own model.
            mean: 25.0 + (entry.row.elo - 1500.0) / 60.0,
            sigma: 8.0 / (1.0 + entry.row.played as f64 / 8.0).sqrt(),
            in_play: entry.in_play,
        });
        (candidates.collect(), &self.tallies[game])
    }

    /// The bots of a game by points, then rating.
    pub(crate) fn ranking(&self, game: &str) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.bots.values().filter(|entry| entry.row.game == game).collect();
        entries.sort_by(|a, b| {
            b.points.cmp(&a.points).then(b.row.elo.total_cmp(&a.row.elo)).then(a.row.id.cmp(&b.row.id))
        });
        entries
    }

    /// Everybody's place in a game. `connected` says whether a client of this player is there.
    pub(crate) fn standings(&self, game: &str, connected: impl Fn(PlayerId) -> bool) -> Vec<StandingLine> {
        let ranking = self.ranking(game);
        let mut lines: Vec<StandingLine> = Vec::with_capacity(ranking.len());
        for (index, entry) in ranking.iter().enumerate() {
            let row = &entry.row;
            let same = index > 0 && {
                let before = ranking[index - 1];
                (before.points, before.row.elo) == (entry.points, row.elo)
            };
            let place = if same { lines[index - 1].place } else { index as u32 + 1 };
            let online = connected(row.player);
            lines.push(StandingLine {
                place,
                bot: row.id,
                player: row.player,
                name: self.name(row.player),
                house: row.built_in.is_some(),
                online,
                points: number(entry.points),
                elo: row.elo.round() as i32,
                played: row.played as u32,
                won: row.won as u32,
                drawn: row.drawn as u32,
                lost: row.lost as u32,
                plays: match (online, &row.built_in, row.active) {
                    (true, ..) => Presence::Client,
                    (_, Some(_), _) => Presence::BuiltIn,
                    (_, _, Some(_)) => Presence::Version,
                    _ => Presence::Nothing,
                },
            });
        }
        lines
    }
}

/// The ratings after a result.
pub(crate) fn rated(before: &[f64], places: &[u32], settings: EloSettings) -> Vec<f64> {
    let mut elo = Elo::new(settings);
    let seats: Vec<usize> = before.iter().map(|rating| elo.add_bot_at(*rating)).collect();
    elo.record(&seats, places);
    seats.into_iter().map(|seat| elo.rating(seat)).collect()
}
