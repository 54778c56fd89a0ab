//! Players and bots with their ratings, as they stand at this moment.

use super::matches::{Participant, Source};
use super::round::Entrant;
use super::round_page::number;
use crate::api::{Presence, StandingLine};
use crate::ids::{AccountId, BotId};
use crate::limits;
use crate::store::{Account, BotRow, Changes, RatedMatch};
use palestra_league::pairing::Points;
use palestra_league::rating::elo::{Elo, EloSettings};
use palestra_league::rating::matchmaking::Candidate;
use palestra_league::rating::tally::Tally;
use std::collections::{BTreeMap, HashMap};

#[derive(Default)]
pub(super) struct Roster {
    pub(super) players: HashMap<AccountId, Account>,
    pub(super) bots: BTreeMap<BotId, Entry>,
    by_player: HashMap<(AccountId, String), BotId>,
    /// By game: who has met whom, for choosing the next match of the ladder.
    tallies: HashMap<String, Tally>,
}

pub(super) struct Entry {
    pub(super) row: BotRow,
    /// The number of the active version among the bot's.
    pub(super) version: Option<u32>,
    /// Points of scored rounds.
    pub(super) points: Points,
    /// Matches of the ladder that it is playing.
    pub(super) in_play: u32,
    /// How often in a row a match with it could not be played.
    pub(super) strikes: u32,
    /// Whether its program cannot be started: it sits out until another version comes.
    pub(super) broken: bool,
}

impl Roster {
    pub(super) fn new(games: impl Iterator<Item = String>) -> Roster {
        Roster { tallies: games.map(|game| (game, Tally::default())).collect(), ..Roster::default() }
    }

    pub(super) fn add_account(&mut self, account: Account) {
        self.players.insert(account.id, account);
    }

    pub(super) fn add_bot(&mut self, row: BotRow, version: Option<u32>) {
        self.by_player.insert((row.player, row.game.clone()), row.id);
        let points = Points::ZERO;
        self.bots.insert(row.id, Entry { row, version, points, in_play: 0, strikes: 0, broken: false });
    }

    pub(super) fn bot_of(&self, player: AccountId, game: &str) -> Option<BotId> {
        self.by_player.get(&(player, game.to_owned())).copied()
    }

    /// What plays for a bot while no client of it is connected.
    pub(super) fn source(&self, bot: BotId) -> Option<Source> {
        let entry = self.bots.get(&bot)?;
        match (&entry.row.built_in, entry.row.active, entry.version) {
            (Some(name), ..) => Some(Source::BuiltIn(name.clone())),
            (None, Some(version), Some(number)) => Some(Source::Version(version, number)),
            _ => None,
        }
    }

    pub(super) fn participant(&self, bot: BotId, source: Source) -> Participant {
        let player = self.bots.get(&bot).map(|entry| entry.row.player);
        let name = player.map(|player| self.name(player)).unwrap_or_default();
        Participant { player, bot: Some(bot), name, source }
    }

    pub(super) fn is_banned(&self, player: AccountId) -> bool {
        self.players.get(&player).is_some_and(|account| account.banned)
    }

    /// Takes over what the store says about a bot. Ratings are moved here and nowhere else.
    pub(super) fn refresh_bot(&mut self, row: BotRow, version: Option<u32>) {
        match self.bots.get_mut(&row.id) {
            Some(entry) => {
                entry.row.active = row.active;
                (entry.version, entry.strikes, entry.broken) = (version, 0, false);
            }
            None => self.add_bot(row, version),
        }
    }

    pub(super) fn begin_match(&mut self, seats: &[Participant]) {
        for bot in seats.iter().filter_map(|seat| seat.bot) {
            if let Some(entry) = self.bots.get_mut(&bot) {
                entry.in_play += 1;
            }
        }
    }

    pub(super) fn end_match(&mut self, seats: &[Participant], was_played: bool) {
        for seat in seats {
            if let Some(entry) = seat.bot.and_then(|bot| self.bots.get_mut(&bot)) {
                entry.in_play = entry.in_play.saturating_sub(1);
                if was_played && matches!(seat.source, Source::Version(..)) {
                    entry.strikes = 0;
                }
            }
        }
    }

    /// A match could not be played. Whoever cannot be started would be chosen again and again; `why` goes to the log.
    pub(super) fn strike(&mut self, seats: &[Participant], why: &str, changes: &mut Changes) {
        for seat in seats.iter().filter(|seat| matches!(seat.source, Source::Version(..))) {
            if let Some(entry) = seat.bot.and_then(|bot| self.bots.get_mut(&bot)) {
                entry.strikes += 1;
                if entry.strikes >= limits::STRIKES {
                    entry.broken = true;
                    changes.log.push((None, format!("{}'s bot sits out: {why}", seat.name)));
                }
            }
        }
    }

    pub(super) fn add_points(&mut self, bot: BotId, points: Points) {
        if let Some(entry) = self.bots.get_mut(&bot) {
            entry.points += points;
        }
    }

    /// Who takes part in a scored round of a game: whoever has a bot, best first.
    pub(super) fn field(&self, game: &str, best: Option<u32>, with_house: bool) -> Vec<Entrant> {
        let best = best.map_or(usize::MAX, |best| best as usize);
        let takes_part = self.ranking(game).into_iter().filter(|entry| {
            !self.is_banned(entry.row.player) && (with_house || entry.row.built_in.is_none())
        });
        let entrant = |entry: &Entry| Entrant {
            bot: entry.row.id,
            name: self.name(entry.row.player),
            elo: entry.row.elo,
        };
        takes_part.take(best).map(entrant).collect()
    }

    pub(super) fn elo(&self, bot: BotId) -> f64 {
        self.bots[&bot].row.elo
    }

    pub(super) fn name(&self, player: AccountId) -> String {
        self.players.get(&player).map_or_else(|| format!("player-{player}"), |account| account.name.clone())
    }

    /// Moves the ratings by a result: for each seat the new rating and how far it moved.
    pub(super) fn rate(
        &mut self,
        game: &str,
        bots: &[BotId],
        places: &[u32],
        elo: EloSettings,
        changes: &mut Changes,
    ) -> Vec<(f64, f64)> {
        let moved = self.move_ratings(game, bots, places, elo);
        changes.bots.extend(bots.iter().map(|bot| self.bots[bot].row.clone()));
        moved
    }

    fn move_ratings(
        &mut self,
        game: &str,
        bots: &[BotId],
        places: &[u32],
        elo: EloSettings,
    ) -> Vec<(f64, f64)> {
        let before: Vec<f64> = bots.iter().map(|bot| self.bots[bot].row.elo).collect();
        let after = rated(&before, places, elo);
        let best = places.iter().filter(|place| **place == 1).count();
        for (bot, (new, place)) in bots.iter().zip(after.iter().zip(places)) {
            let row = &mut self.bots.get_mut(bot).expect("it just played").row;
            row.elo = *new;
            row.played += 1;
            match (*place, best) {
                (1, 1) => row.won += 1,
                (1, _) => row.drawn += 1,
                _ => row.lost += 1,
            }
        }
        self.recall(game, bots, places);
        after.iter().zip(before).map(|(after, before)| (*after, after - before)).collect()
    }

    /// Works out all ratings of a game from its matches, in the order in which they count.
    pub(super) fn rate_anew(
        &mut self,
        game: &str,
        matches: Vec<RatedMatch>,
        elo: EloSettings,
        changes: &mut Changes,
    ) {
        for entry in self.bots.values_mut().filter(|entry| entry.row.game == game) {
            let row = &mut entry.row;
            (row.elo, row.played, row.won, row.drawn, row.lost) = (elo.start, 0, 0, 0, 0);
        }
        self.tallies.insert(game.to_owned(), Tally::default());
        for rated in matches {
            if rated.seats.len() < 2 || !rated.seats.iter().all(|(bot, ..)| self.bots.contains_key(bot)) {
                continue;
            }
            let (bots, places): (Vec<BotId>, Vec<u32>) =
                rated.seats.iter().map(|(bot, place, _)| (*bot, *place)).unzip();
            let moved = self.move_ratings(game, &bots, &places, elo);
            for (seat, ((_, _, stored), new)) in rated.seats.iter().zip(moved).enumerate() {
                if *stored != Some(new.0) {
                    changes.ratings.push((rated.id, seat as u8 + 1, new));
                }
            }
        }
        let rows = self.bots.values().filter(|entry| entry.row.game == game).map(|entry| entry.row.clone());
        changes.bots.extend(rows);
    }

    /// Remembers who has met whom, for choosing the next matches of the ladder.
    pub(super) fn recall(&mut self, game: &str, bots: &[BotId], places: &[u32]) {
        let players: Vec<usize> = bots.iter().map(|bot| bot.0 as usize).collect();
        self.tallies.entry(game.to_owned()).or_default().record(&players, places);
    }

    /// The bots that can play on the ladder of a game, and who has met whom.
    pub(super) fn candidates(&self, game: &str) -> (Vec<Candidate>, &Tally) {
        let able = self.bots.values().filter(|entry| {
            let plays = entry.row.built_in.is_some() || entry.row.active.is_some();
            entry.row.game == game && plays && !self.is_banned(entry.row.player) && !entry.broken
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
    fn ranking(&self, game: &str) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.bots.values().filter(|entry| entry.row.game == game).collect();
        entries.sort_by(|a, b| {
            b.points.cmp(&a.points).then(b.row.elo.total_cmp(&a.row.elo)).then(a.row.id.cmp(&b.row.id))
        });
        entries
    }

    /// Everybody's place in a game. `connected` says whether a client of this player is there.
    pub(super) fn standings(&self, game: &str, connected: impl Fn(AccountId) -> bool) -> Vec<StandingLine> {
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

fn rated(before: &[f64], places: &[u32], settings: EloSettings) -> Vec<f64> {
    let mut elo = Elo::new(settings);
    let seats: Vec<usize> = before.iter().map(|rating| elo.add_bot_at(*rating)).collect();
    elo.record(&seats, places);
    seats.into_iter().map(|seat| elo.rating(seat)).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ids::{MatchId, VersionId};

    const ELO: EloSettings = EloSettings { start: 1500.0, k: 32.0 };

    /// So many players of one game; each has a bot and an active version of the same number.
    pub(in crate::hub) fn roster(players: i64) -> Roster {
        let mut roster = Roster::new(["rps".to_owned()].into_iter());
        for number in 1..=players {
            let (id, name) = (AccountId(number), format!("p{number}"));
            roster.add_account(Account {
                id,
                name,
                organiser: false,
                house: false,
                banned: false,
                joined: 0,
            });
            let row = BotRow {
                id: BotId(number),
                player: id,
                game: "rps".to_owned(),
                built_in: None,
                active: Some(VersionId(number)),
                elo: ELO.start,
                played: 0,
                won: 0,
                drawn: 0,
                lost: 0,
            };
            roster.add_bot(row, Some(1));
        }
        roster
    }

    fn seats(roster: &Roster) -> Vec<Participant> {
        let bots = roster.bots.keys().copied();
        bots.map(|bot| roster.participant(bot, roster.source(bot).unwrap())).collect()
    }

    #[test]
    fn only_failures_in_a_row_let_a_bot_sit_out() {
        let (mut roster, mut changes) = (roster(2), Changes::default());
        let seats = seats(&roster);
        let able = |roster: &Roster| roster.candidates("rps").0.len();
        for _ in 0..3 {
            for _ in 1..limits::STRIKES {
                roster.strike(&seats, "it cannot be started", &mut changes);
            }
            assert_eq!((able(&roster), changes.log.len()), (2, 0));
            roster.end_match(&seats, true);
        }
        for _ in 0..limits::STRIKES {
            roster.strike(&seats, "it cannot be started", &mut changes);
        }
        assert_eq!(able(&roster), 0);
        assert_eq!(changes.log[0], (None, "p1's bot sits out: it cannot be started".to_owned()));
        roster.refresh_bot(roster.bots[&BotId(1)].row.clone(), Some(2));
        assert_eq!(able(&roster), 1, "another version has another chance");
    }

    #[test]
    fn ratings_worked_out_anew_are_those_that_were_worked_out_match_by_match() {
        let (mut roster, mut changes) = (roster(3), Changes::default());
        let mut matches = Vec::new();
        for (number, (one, other, places)) in
            [(1, 2, [1, 2]), (2, 3, [1, 1]), (1, 3, [2, 1])].into_iter().enumerate()
        {
            let bots = [BotId(one), BotId(other)];
            let moved = roster.rate("rps", &bots, &places, ELO, &mut changes);
            let seats = (0..2).map(|seat| (bots[seat], places[seat], Some(moved[seat].0))).collect();
            matches.push(RatedMatch { id: MatchId(number as i64 + 1), seats });
        }
        let rows = |roster: &Roster| roster.bots.values().map(|entry| entry.row.clone()).collect::<Vec<_>>();
        let (before, mut changes) = (rows(&roster), Changes::default());
        roster.rate_anew("rps", matches.clone(), ELO, &mut changes);
        assert_eq!((rows(&roster), changes.ratings.len()), (before, 0), "nothing has changed");
        // Without the first match all others count differently.
        roster.rate_anew("rps", matches[1..].to_vec(), ELO, &mut changes);
        assert_eq!(changes.ratings.iter().map(|(id, ..)| id.0).collect::<Vec<_>>(), [2, 2, 3, 3]);
        assert_eq!(roster.bots[&BotId(2)].row.played, 1);
    }

    #[test]
    fn a_round_is_for_the_best_who_are_not_banned() {
        let mut roster = roster(5);
        let house = roster.bots.get_mut(&BotId(5)).unwrap();
        (house.row.built_in, house.row.elo) = (Some("greedy".to_owned()), 1550.0);
        roster.add_points(BotId(3), Points(2000));
        roster.bots.get_mut(&BotId(4)).unwrap().row.elo = 1600.0;
        roster.players.get_mut(&AccountId(4)).unwrap().banned = true;
        let names = |with_house| -> Vec<String> {
            roster.field("rps", Some(2), with_house).into_iter().map(|entrant| entrant.name).collect()
        };
        assert_eq!(names(false), ["p3", "p1"]);
        assert_eq!(names(true), ["p3", "p5"]);
        assert_eq!(roster.standings("rps", |_| false)[1].name, "p4", "a table still has them");
    }
}
