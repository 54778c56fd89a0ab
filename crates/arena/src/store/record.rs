//! Writes down what happened, all of it or nothing: results with their replays, ratings, and the logs of rounds.

use super::words::Word;
use super::{BotRow, ChallengeRow, Store, StoreError, challenges, meetings, now, people, suspects, uncached};
use crate::ids::{AccountId, BotId, ChallengeId, MatchId, RoundId, VersionId};
use crate::limits;
use crate::model::{MatchKind, MatchState, RoundState};
use palestra_core::Message;
use palestra_league::event::Event;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row as _};

/// Everything that happened since the last commit.
#[derive(Default)]
pub struct Changes {
    /// Matches that are over, in the order in which they count.
    pub matches: Vec<MatchRow>,
    /// Replays of these.
    pub replays: Vec<(MatchId, Vec<u8>)>,
    /// Bots whose ratings moved.
    pub bots: Vec<BotRow>,
    /// Rounds that are new or stand differently.
    pub rounds: Vec<RoundRow>,
    /// What the league wrote into the logs of rounds: round, number, event.
    pub round_events: Vec<(RoundId, i64, Event)>,
    /// Matches taken out of the count, and why.
    pub voided: Vec<(MatchId, String)>,
    /// Ratings that are different since then: match, seat, rating and how far it moved.
    pub ratings: Vec<(MatchId, u8, (f64, f64))>,
    /// Settings to remember.
    pub settings: Vec<(&'static str, String)>,
    /// What organisers did, and what happened by itself.
    pub log: Vec<(Option<AccountId>, String)>,
    /// What everybody is told.
    pub announcements: Vec<String>,
    /// What nobody is told any more.
    pub retracted: Vec<i64>,
    /// Challenges that are new or stand differently.
    pub challenges: Vec<ChallengeRow>,
    /// Versions that play no match any more.
    pub rested: Vec<VersionId>,
    /// Versions that play one from now on, and played none before.
    pub at_work: Vec<VersionId>,
}

impl Changes {
    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
            && self.replays.is_empty()
            && self.bots.is_empty()
            && self.rounds.is_empty()
            && self.round_events.is_empty()
            && self.voided.is_empty()
            && self.ratings.is_empty()
            && self.settings.is_empty()
            && self.log.is_empty()
            && self.announcements.is_empty()
            && self.retracted.is_empty()
            && self.challenges.is_empty()
            && self.rested.is_empty()
            && self.at_work.is_empty()
    }
}

/// A match that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchRow {
    /// Its number.
    pub id: MatchId,
    /// Its place in the order of counting.
    pub counted: i64,
    /// The game's id.
    pub game: String,
    /// Why it was played.
    pub kind: MatchKind,
    /// The round it belongs to, and its number there.
    pub round: Option<(RoundId, u32)>,
    /// The challenge it belongs to, and its number there.
    pub challenge: Option<(ChallengeId, u32)>,
    /// Where it stands.
    pub state: MatchState,
    /// When it began.
    pub started: i64,
    /// When it was over.
    pub ended: i64,
    /// Turns played.
    pub turns: u32,
    /// What decided everything left to chance.
    pub seed: u64,
    /// By seat.
    pub seats: Vec<SeatRow>,
    /// Whether its replay is kept.
    pub replay: bool,
    /// Why it does not count, or was not played.
    pub why: Option<String>,
    /// The worker that played it; nothing if that was this machine.
    pub worker: Option<String>,
}

impl MatchRow {
    /// Whether it moved ratings: a challenge did if its plan said so then.
    pub(super) fn is_rated(&self) -> bool {
        self.kind.is_rated()
            || (self.kind == MatchKind::Challenge && self.seats.iter().all(|seat| seat.elo.is_some()))
    }
}

/// One seat of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeatRow {
    /// The player; nobody for the server's own bot.
    pub player: Option<AccountId>,
    /// The bot.
    pub bot: Option<BotId>,
    /// The number of the version among the bot's.
    pub version: Option<u32>,
    /// A built-in player; not stored with the seat, but known of its bot.
    pub built_in: bool,
    /// Somebody who plays by hand.
    pub person: bool,
    /// The name.
    pub name: String,
    /// 1 is the best.
    pub place: u32,
    /// Points of the scored round.
    pub points: Option<f64>,
    /// The rating after the match, and how far it moved.
    pub elo: Option<(f64, f64)>,
    /// The kind of its first fault, and what there is to tell of it.
    pub fault: Option<(String, Message)>,
    /// How it came to its place; nothing if that is not known.
    pub reason: Option<Message>,
}

/// What a correction has to know of a match that is over.
pub(crate) struct StoredMatch {
    pub(crate) id: MatchId,
    pub(crate) state: MatchState,
    pub(crate) kind: MatchKind,
    pub(crate) game: String,
    /// The round it belongs to, and its number there.
    pub(crate) round: Option<(RoundId, u32)>,
}

/// A match that moved ratings.
#[derive(Clone, Debug)]
pub struct RatedMatch {
    /// Its number.
    pub id: MatchId,
    /// By seat: the bot, its place, and its rating after the match as the store has it.
    pub seats: Vec<(BotId, u32, Option<f64>)>,
}

/// A scored round.
#[derive(Clone, Debug)]
pub struct RoundRow {
    /// Its number.
    pub id: RoundId,
    /// Its place in the plan.
    pub planned: usize,
    /// What it is called.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// Where it stands.
    pub state: RoundState,
    /// When it begins.
    pub starts: Option<i64>,
    /// When it was over.
    pub ended: Option<i64>,
    /// Its bots by their number in the league.
    pub bots: Vec<BotId>,
}

fn sql(text: &'static str) -> Query<'static, Any, AnyArguments> {
    sqlx::query(text)
}

impl Store {
    /// Writes everything down, durably, or nothing.
    pub async fn commit(&self, changes: &Changes) -> Result<(), StoreError> {
        let mut transaction = self.begin_write().await?;
        let at = now();
        for (name, value) in &changes.settings {
            let query = "INSERT INTO settings (name, value) VALUES ($1, $2) \
                         ON CONFLICT (name) DO UPDATE SET value = $2";
            sql(query).bind(*name).bind(value.clone()).execute(&mut *transaction).await?;
        }
        insert_matches(&mut transaction, &changes.matches).await?;
        for (id, replay) in &changes.replays {
            let query = sql("INSERT INTO replays (match, content) VALUES ($1, $2)");
            query.bind(*id).bind(replay.clone()).execute(&mut *transaction).await?;
        }
        for bot in &changes.bots {
            let query =
                "UPDATE bots SET elo = $1, played = $2, won = $3, drawn = $4, lost = $5 WHERE id = $6";
            sql(query)
                .bind(bot.elo)
                .bind(bot.played)
                .bind(bot.won)
                .bind(bot.drawn)
                .bind(bot.lost)
                .bind(bot.id)
                .execute(&mut *transaction)
                .await?;
        }
        for row in &changes.rounds {
            put_round(&mut transaction, row).await?;
        }
        for (round, id, event) in &changes.round_events {
            let body = serde_json::to_string(event).expect("events are plain data");
            sql("INSERT INTO round_events (round, id, at, body) VALUES ($1, $2, $3, $4)")
                .bind(*round)
                .bind(*id)
                .bind(at)
                .bind(body)
                .execute(&mut *transaction)
                .await?;
        }
        for (id, why) in &changes.voided {
            meetings::discount(&mut transaction, *id).await?;
            sql("UPDATE matches SET state = $1, why = $2 WHERE id = $3")
                .bind(MatchState::Void.word())
                .bind(why.clone())
                .bind(*id)
                .execute(&mut *transaction)
                .await?;
        }
        for (id, seat, (elo, change)) in &changes.ratings {
            sql("UPDATE seats SET elo = $1, elo_change = $2 WHERE match = $3 AND seat = $4")
                .bind(*elo)
                .bind(*change)
                .bind(*id)
                .bind(i64::from(*seat))
                .execute(&mut *transaction)
                .await?;
        }
        for text in &changes.announcements {
            sql("INSERT INTO announcements (id, at, text) SELECT COALESCE(MAX(id), 0) + 1, $1, $2 FROM announcements")
                .bind(at)
                .bind(text.clone())
                .execute(&mut *transaction)
                .await?;
        }
        for id in &changes.retracted {
            sql("DELETE FROM announcements WHERE id = $1").bind(*id).execute(&mut *transaction).await?;
        }
        challenges::put(&mut transaction, &changes.challenges).await?;
        for version in &changes.rested {
            suspects::end(&mut transaction, *version).await?;
        }
        for version in &changes.at_work {
            suspects::begin(&mut transaction, *version, false).await?;
        }
        for (who, text) in &changes.log {
            sql("INSERT INTO log (id, at, who, text) SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3 FROM log")
                .bind(at)
                .bind(*who)
                .bind(text.clone())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Every match that moved ratings, in the order in which they count.
    pub async fn rated_matches(&self, game: &str) -> Result<Vec<RatedMatch>, StoreError> {
        // A challenge was rated if its plan said so then.
        let query = "SELECT m.id, s.bot, s.place, s.elo FROM matches m JOIN seats s ON s.match = m.id \
                     WHERE m.game = $1 AND (m.kind IN ('free', 'ladder', 'scored') \
                     OR m.kind = 'challenge' AND s.elo IS NOT NULL) AND m.state = 'finished' \
                     AND m.turns > 0 ORDER BY m.counted, s.seat";
        let rows = sql(query).bind(game.to_owned()).fetch_all(&self.pool).await?;
        let mut matches: Vec<RatedMatch> = Vec::new();
        for row in rows {
            let (id, bot, place): (MatchId, Option<BotId>, i64) = (row.get(0), row.get(1), row.get(2));
            if matches.last().is_none_or(|last| last.id != id) {
                matches.push(RatedMatch { id, seats: Vec::new() });
            }
            let seats = &mut matches.last_mut().expect("it was just put there").seats;
            seats.extend(bot.map(|bot| (bot, place as u32, row.get(3))));
        }
        Ok(matches)
    }

    /// The highest number of a match, and the highest place in the order of counting.
    pub async fn last_match(&self) -> Result<(MatchId, i64), StoreError> {
        let query = "SELECT COALESCE(MAX(id), 0), COALESCE(MAX(counted), 0) FROM matches";
        let row = sql(query).fetch_one(&self.pool).await?;
        Ok((row.get(0), row.get(1)))
    }

    /// The latest matches that moved ratings, oldest first: the game, and by seat the bots and their places.
    pub(crate) async fn latest_results(
        &self,
        count: i64,
    ) -> Result<Vec<(String, Vec<BotId>, Vec<u32>)>, StoreError> {
        let query = "SELECT m.id, m.game, s.bot, s.place FROM \
                     (SELECT id, game FROM matches WHERE kind IN ('free', 'ladder', 'scored') AND state = 'finished' \
                      ORDER BY id DESC LIMIT $1) m JOIN seats s ON s.match = m.id ORDER BY m.id, s.seat";
        let rows = sql(query).bind(count).fetch_all(&self.pool).await?;
        let mut results: Vec<(String, Vec<BotId>, Vec<u32>)> = Vec::new();
        let mut last = None;
        for row in rows {
            let id: Option<MatchId> = row.get(0);
            if id != last {
                results.push((row.get(1), Vec::new(), Vec::new()));
                last = id;
            }
            let (_, bots, places) = results.last_mut().expect("it was just put there");
            if let Some(bot) = row.get::<Option<BotId>, _>(2) {
                bots.push(bot);
                places.push(row.get::<i64, _>(3) as u32);
            }
        }
        results.retain(|(_, bots, _)| bots.len() > 1);
        Ok(results)
    }

    /// The points of all scored matches that count, added up by bot.
    pub async fn points_by_bot(&self) -> Result<Vec<(BotId, f64)>, StoreError> {
        let query = "SELECT s.bot, SUM(s.points) FROM seats s JOIN matches m ON m.id = s.match \
                     WHERE s.kind = 'scored' AND m.state = 'finished' AND s.bot IS NOT NULL GROUP BY s.bot";
        let rows = sql(query).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<Option<f64>, _>(1).unwrap_or_default())).collect())
    }

    /// The number of the latest announcement.
    pub(crate) async fn last_announcement(&self) -> Result<Option<i64>, StoreError> {
        Ok(sql("SELECT MAX(id) FROM announcements").fetch_one(&self.pool).await?.get(0))
    }

    /// All rounds, by number.
    pub(crate) async fn rounds(&self) -> Result<Vec<RoundRow>, StoreError> {
        let query = "SELECT id, planned, name, game, state, starts, ended, body FROM rounds ORDER BY id";
        let rows = sql(query).fetch_all(&self.pool).await?;
        let read = |row: &sqlx::any::AnyRow| {
            let body: String = row.get("body");
            Ok(RoundRow {
                id: row.get("id"),
                planned: row.get::<i64, _>("planned") as usize,
                name: row.get("name"),
                game: row.get("game"),
                state: RoundState::of(row.get("state"))?,
                starts: row.get("starts"),
                ended: row.get("ended"),
                bots: serde_json::from_str(&body).map_err(|error| StoreError::Damaged(error.to_string()))?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// The log of a round.
    pub(crate) async fn round_events(&self, round: RoundId) -> Result<Vec<(i64, Event)>, StoreError> {
        let query = sql("SELECT id, body FROM round_events WHERE round = $1 ORDER BY id").bind(round);
        let rows = query.fetch_all(&self.pool).await?;
        let read = |row: &sqlx::any::AnyRow| {
            let body: String = row.get(1);
            let event =
                serde_json::from_str(&body).map_err(|error| StoreError::Damaged(error.to_string()))?;
            Ok((row.get(0), event))
        };
        rows.iter().map(read).collect()
    }

    /// Matches of a round by their numbers there: the latest of each.
    pub(crate) async fn round_matches(&self, round: RoundId) -> Result<Vec<(u32, MatchId)>, StoreError> {
        let query = sql("SELECT number, MAX(id) FROM matches WHERE round = $1 GROUP BY number");
        let rows = query.bind(round).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| (row.get::<i64, _>(0) as u32, row.get(1))).collect())
    }

    /// Where a match stands, its game, and its place in a round.
    pub(crate) async fn match_state(&self, id: MatchId) -> Result<Option<StoredMatch>, StoreError> {
        let query = sql("SELECT state, kind, game, round, number FROM matches WHERE id = $1").bind(id);
        let Some(row) = query.fetch_optional(&self.pool).await? else {
            return Ok(None);
        };
        let round: Option<RoundId> = row.get(3);
        let number: Option<i64> = row.get(4);
        let round = round.zip(number).map(|(round, number)| (round, number as u32));
        let (state, kind) = (MatchState::of(row.get(0))?, MatchKind::of(row.get(1))?);
        Ok(Some(StoredMatch { id, state, kind, game: row.get(2), round }))
    }

    /// Forgets the replays of unscored matches but for the latest `kept`; says how many that were. Those of people are
    /// forgotten with their matches, and push no others out.
    pub(crate) async fn forget_replays(&self, kept: i64) -> Result<u64, StoreError> {
        let query = "SELECT id FROM matches WHERE replay = 1 AND kind NOT IN ('scored', 'hand') \
                     ORDER BY id DESC LIMIT 1 OFFSET $1";
        let Some(oldest) = sql(query).bind(kept).fetch_optional(&self.pool).await? else {
            return Ok(0);
        };
        let oldest: MatchId = oldest.get(0);
        let mut transaction = self.begin_write().await?;
        let which = "SELECT id FROM matches WHERE replay = 1 AND kind NOT IN ('scored', 'hand') AND id <= $1";
        let delete = format!("DELETE FROM replays WHERE match IN ({which})");
        sqlx::query(AssertSqlSafe(delete)).bind(oldest).execute(&mut *transaction).await?;
        let update =
            "UPDATE matches SET replay = 0 WHERE replay = 1 AND kind NOT IN ('scored', 'hand') AND id <= $1";
        let done = sql(update).bind(oldest).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }
}

/// Many rows go in with each statement: on their way to the database it is the statements that take time.
async fn insert_matches(connection: &mut AnyConnection, rows: &[MatchRow]) -> Result<(), StoreError> {
    const MATCH: &str = "matches (id, counted, game, kind, round, number, state, started, ended, turns, seed, replay, why, \
                         worker)";
    for rows in rows.chunks(limits::ROWS) {
        let mut query = insert(MATCH, rows.len());
        for row in rows {
            query = query
                .bind(row.id)
                .bind(row.counted)
                .bind(row.game.clone())
                .bind(row.kind.word())
                .bind(row.round.map(|(round, _)| round))
                .bind(row.round.map(|(_, number)| i64::from(number)))
                .bind(row.state.word())
                .bind(row.started)
                .bind(row.ended)
                .bind(i64::from(row.turns))
                .bind(row.seed.to_string())
                .bind(i64::from(row.replay))
                .bind(row.why.clone())
                .bind(row.worker.clone());
        }
        query.execute(&mut *connection).await?;
    }
    const SEAT: &str = "seats (match, seat, kind, player, bot, version, name, place, points, elo, elo_change, fault, \
                        fault_text, reason)";
    let seats =
        rows.iter().flat_map(|row| (1..).zip(&row.seats).map(move |(seat, taken)| (row, seat, taken)));
    for seats in seats.collect::<Vec<(&MatchRow, i64, &SeatRow)>>().chunks(limits::ROWS) {
        let mut query = insert(SEAT, seats.len());
        for (row, seat, taken) in seats {
            query = query
                .bind(row.id)
                .bind(*seat)
                .bind(row.kind.word())
                .bind(taken.player)
                .bind(taken.bot)
                .bind(taken.version.map(i64::from))
                .bind(taken.name.clone())
                .bind(i64::from(taken.place))
                .bind(taken.points)
                .bind(taken.elo.map(|(elo, _)| elo))
                .bind(taken.elo.map(|(_, change)| change))
                .bind(taken.fault.as_ref().map(|(kind, _)| kind.clone()))
                .bind(taken.fault.as_ref().map(|(_, what)| what.to_text()))
                .bind(taken.reason.as_ref().map(Message::to_text));
        }
        query.execute(&mut *connection).await?;
    }
    people::insert(connection, rows).await?;
    challenges::insert_matches(connection, rows).await?;
    meetings::count(connection, rows).await
}

/// A statement that inserts so many rows into a table with its columns named.
fn insert(table: &'static str, rows: usize) -> Query<'static, Any, AnyArguments> {
    uncached(AssertSqlSafe(insert_text(table, rows)))
}

pub(super) fn insert_text(table: &str, rows: usize) -> String {
    let columns = table.matches(',').count() + 1;
    let row = |row: usize| {
        let values: Vec<String> =
            (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", values.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO {table} VALUES {}", rows.join(", "))
}

async fn put_round(connection: &mut AnyConnection, row: &RoundRow) -> Result<(), StoreError> {
    let query = "INSERT INTO rounds (id, planned, name, game, state, starts, ended, body) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                 ON CONFLICT (id) DO UPDATE SET state = $5, starts = $6, ended = $7, body = $8";
    sql(query)
        .bind(row.id)
        .bind(row.planned as i64)
        .bind(row.name.clone())
        .bind(row.game.clone())
        .bind(row.state.word())
        .bind(row.starts)
        .bind(row.ended)
        .bind(serde_json::to_string(&row.bots).expect("numbers"))
        .execute(&mut *connection)
        .await?;
    Ok(())
}
