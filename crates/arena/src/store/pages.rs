//! What the pages of the site show. Lists go from a number on ("before"), never by counting from the beginning, and every
//! query finds its rows through an index, so that a page is as quick after a million matches as after one.

use super::words::Word as _;
use super::{MatchRow, SeatRow};
use super::{Store, StoreError};
use crate::ids::{AccountId, BotId, ChallengeId, MatchId, RoundId};
use crate::limits;
use crate::model::{MatchKind, MatchState};
use palestra_core::Message;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct MatchFilter {
    pub(crate) game: Option<String>,
    pub(crate) player: Option<AccountId>,
    /// With any of these players, unless there are none.
    pub(crate) any_of: Vec<AccountId>,
    pub(crate) bot: Option<BotId>,
    /// Played for this reason.
    pub(crate) kind: Option<MatchKind>,
    /// Of this scored round.
    pub(crate) round: Option<RoundId>,
    /// Whether first matches of what was handed in are among them, if no kind is asked for.
    pub(crate) smoke: bool,
}

/// A rating of a bot, after a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rating {
    /// When the match was over.
    pub(crate) at: i64,
    pub(crate) id: MatchId,
    pub(crate) elo: f64,
    /// The version that played, by its number among the bot's.
    pub(crate) version: Option<u32>,
}

/// The results of a bot against another one.
#[derive(Clone, Debug)]
pub(crate) struct Opponent {
    pub(crate) bot: BotId,
    pub(crate) player: AccountId,
    pub(crate) name: String,
    /// Matches in which the bot came out ahead.
    pub(crate) won: u32,
    /// Matches in which both had the same place.
    pub(crate) drawn: u32,
    /// Matches in which the other had the better place.
    pub(crate) lost: u32,
}

/// What the organisers have to say.
#[derive(Clone, Debug)]
pub(crate) struct Announcement {
    pub(crate) id: i64,
    pub(crate) at: i64,
    pub(crate) text: String,
}

/// An entry of the event's log.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// Its number.
    pub id: i64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The name of who did it; nobody for what happened by itself.
    pub who: Option<String>,
    /// A sentence in English, for organisers.
    pub text: String,
}

pub(super) const MATCH: &str = "m.id, m.game, m.kind, m.round, m.number, m.state, m.started, m.ended, m.counted, m.turns, \
     m.seed, m.replay, m.why, m.worker, s.player, s.bot, s.version, \
     CASE WHEN m.kind = 'hand' AND EXISTS (SELECT 1 FROM people p WHERE p.match = s.match AND p.seat = s.seat) \
     THEN 1 ELSE 0 END AS person, \
     CASE WHEN s.player IS NULL OR (SELECT b.built_in FROM bots b WHERE b.id = s.bot) IS NOT NULL THEN 1 ELSE 0 END \
     AS built_in, \
     CASE WHEN m.kind = 'challenge' THEN (SELECT c.challenge FROM challenge_matches c WHERE c.match = m.id) END \
     AS challenge, \
     CASE WHEN m.kind = 'challenge' THEN (SELECT c.number FROM challenge_matches c WHERE c.match = m.id) END \
     AS challenge_number, \
     s.name, s.place, s.points, s.elo, s.elo_change, s.fault, s.fault_text, s.reason";

impl MatchFilter {
    /// The matches with their seats: `$1` is the number before which they are, `$2` how many, then come the values that
    /// [`MatchFilter::values`] names.
    fn page(&self) -> String {
        format!(
            "SELECT {MATCH} FROM ({}) page JOIN matches m ON m.id = page.id JOIN seats s ON s.match = m.id \
             ORDER BY page.id DESC, s.seat",
            self.numbers()
        )
    }

    /// The numbers of the matches, newest first. Of several players each one's matches are found apart.
    fn numbers(&self) -> String {
        if self.any_of.is_empty() {
            return self.numbers_with(3);
        }
        let each = self.each_player();
        let values = self.values().len() / each.len();
        let lists = each.iter().enumerate().map(|(index, filter)| {
            format!("SELECT id FROM ({}) list{index}", filter.numbers_with(3 + index * values))
        });
        let lists = lists.collect::<Vec<_>>().join(" UNION ");
        format!("SELECT id FROM ({lists}) found ORDER BY id DESC LIMIT $2")
    }

    /// The same question about each of several players.
    fn each_player(&self) -> Vec<MatchFilter> {
        let alone =
            |player: &AccountId| MatchFilter { player: Some(*player), any_of: Vec::new(), ..self.clone() };
        self.any_of.iter().map(alone).collect()
    }

    /// The numbers for one player, or for all; `place` is that of the first value.
    fn numbers_with(&self, mut place: usize) -> String {
        let seated = self.player.is_some() || self.bot.is_some();
        let kind = self.kind.or(self.round.filter(|_| seated).map(|_| MatchKind::Scored));
        let mut rules = Vec::new();
        let mut value = |column: &str| {
            rules.push(format!("{column} = ${place}"));
            place += 1;
        };
        let table = if seated { "s" } else { "m" };
        if self.player.is_some() {
            value("s.player");
        }
        if self.bot.is_some() {
            value("s.bot");
        }
        if kind.is_some() {
            value(&format!("{table}.kind"));
        }
        if self.round.is_some() {
            value("m.round");
        }
        if self.game.is_some() {
            value("m.game");
        }
        if kind.is_none() {
            let apart = MatchKind::APART.iter().filter(|kind| !self.smoke || **kind != MatchKind::Smoke);
            let apart: Vec<String> = apart.map(|kind| format!("'{}'", kind.word())).collect();
            rules.push(format!("{table}.kind NOT IN ({})", apart.join(", ")));
        }
        let (from, id) = match (seated, self.round.is_some() || self.game.is_some()) {
            (false, _) => ("matches m", "m.id"),
            (true, false) => ("seats s", "s.match"),
            (true, true) => ("seats s JOIN matches m ON m.id = s.match", "s.match"),
        };
        let rules: String = rules.iter().map(|rule| format!(" AND {rule}")).collect();
        format!("SELECT DISTINCT {id} AS id FROM {from} WHERE {id} < $1{rules} ORDER BY {id} DESC LIMIT $2")
    }

    fn values(&self) -> Vec<Value> {
        if !self.any_of.is_empty() {
            return self.each_player().iter().flat_map(MatchFilter::values).collect();
        }
        let seated = self.player.is_some() || self.bot.is_some();
        let kind = self.kind.or(self.round.filter(|_| seated).map(|_| MatchKind::Scored));
        [
            self.player.map(|player| Value::Number(player.0)),
            self.bot.map(|bot| Value::Number(bot.0)),
            kind.map(|kind| Value::Text(kind.word().to_owned())),
            self.round.map(|round| Value::Number(round.0.into())),
            self.game.clone().map(Value::Text),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

pub(super) enum Value {
    Number(i64),
    Text(String),
}

pub(super) fn bind_all(
    query: Query<'static, Any, AnyArguments>,
    values: Vec<Value>,
) -> Query<'static, Any, AnyArguments> {
    values.into_iter().fold(query, |query, value| match value {
        Value::Number(number) => query.bind(number),
        Value::Text(text) => query.bind(text),
    })
}

impl Store {
    /// Matches before this number, newest first. Everything about them, also what is for their authors only.
    pub(crate) async fn matches(
        &self,
        filter: &MatchFilter,
        before: MatchId,
        limit: i64,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let query = sqlx::query(AssertSqlSafe(filter.page())).bind(before).bind(limit);
        matches(&bind_all(query, filter.values()).fetch_all(&self.pool).await?)
    }

    /// A match that is over, with everything, also what is for its authors only.
    pub(crate) async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        let query = format!(
            "SELECT {MATCH} FROM matches m JOIN seats s ON s.match = m.id WHERE m.id = $1 ORDER BY s.seat"
        );
        let rows = sqlx::query(AssertSqlSafe(query)).bind(id).fetch_all(&self.pool).await?;
        Ok(matches(&rows)?.pop())
    }

    /// What was played for a challenge, in order. Everything about it, also what is for its authors only.
    pub(crate) async fn challenge_matches(&self, id: ChallengeId) -> Result<Vec<MatchRow>, StoreError> {
        let query = format!(
            "SELECT {MATCH} FROM challenge_matches q JOIN matches m ON m.id = q.match JOIN seats s ON s.match = m.id \
             WHERE q.challenge = $1 ORDER BY q.number, m.id, s.seat"
        );
        matches(&sqlx::query(AssertSqlSafe(query)).bind(id).fetch_all(&self.pool).await?)
    }

    /// The replay of a match, if it is kept.
    pub(crate) async fn replay(&self, id: MatchId) -> Result<Option<Vec<u8>>, StoreError> {
        let query = sqlx::query("SELECT content FROM replays WHERE match = $1").bind(id);
        Ok(query.fetch_optional(&self.pool).await?.map(|row| row.get(0)))
    }

    /// The bots of a player, by number.
    pub(crate) async fn bots_of(&self, player: AccountId) -> Result<Vec<BotId>, StoreError> {
        let query = sqlx::query("SELECT id FROM bots WHERE player = $1 ORDER BY id").bind(player);
        Ok(query.fetch_all(&self.pool).await?.iter().map(|row| row.get(0)).collect())
    }

    /// The bot of a player in a game, if there is one.
    pub(crate) async fn bot_number(
        &self,
        player: AccountId,
        game: &str,
    ) -> Result<Option<BotId>, StoreError> {
        let query =
            sqlx::query("SELECT id FROM bots WHERE player = $1 AND game = $2").bind(player).bind(game);
        Ok(query.fetch_optional(&self.pool).await?.map(|row| row.get(0)))
    }

    /// The rating of a bot over time: of every stretch of its matches the last rating.
    pub(crate) async fn ratings(&self, bot: BotId) -> Result<Vec<Rating>, StoreError> {
        let rows =
            sqlx::query(RATINGS).bind(bot).bind(limits::CHART_POINTS as i64).fetch_all(&self.pool).await?;
        let version = |row: &AnyRow| row.get::<Option<i64>, _>(3).map(|version| version as u32);
        let point =
            |row: &AnyRow| Rating { at: row.get(0), id: row.get(1), elo: row.get(2), version: version(row) };
        let mut points: Vec<Rating> = rows.iter().map(point).collect();
        points.sort_by_key(|point| (point.at, point.id));
        Ok(points)
    }

    /// The results of a bot against everybody it has met, the most frequent first.
    pub(crate) async fn opponents(&self, bot: BotId) -> Result<Vec<Opponent>, StoreError> {
        let rows =
            sqlx::query(OPPONENTS).bind(bot).bind(limits::LISTED_OPPONENTS).fetch_all(&self.pool).await?;
        let count = |row: &AnyRow, column: usize| row.get::<i64, _>(column) as u32;
        let line = |row: &AnyRow| Opponent {
            bot: row.get(0),
            name: row.get(1),
            won: count(row, 2),
            drawn: count(row, 3),
            lost: count(row, 4),
            player: row.get(5),
        };
        Ok(rows.iter().map(line).collect())
    }

    /// What the organisers have to say, newest first.
    pub(crate) async fn announcements(&self) -> Result<Vec<Announcement>, StoreError> {
        let query = sqlx::query(ANNOUNCEMENTS).bind(i64::MAX).bind(limits::ANNOUNCEMENTS);
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| Announcement { id: row.get(0), at: row.get(1), text: row.get(2) }).collect())
    }

    /// The log of the event before this line, newest first.
    pub async fn log(&self, before: i64) -> Result<Vec<LogEntry>, StoreError> {
        let rows = sqlx::query(LOG).bind(before).bind(limits::LOG_LINES).fetch_all(&self.pool).await?;
        let line =
            |row: &AnyRow| LogEntry { id: row.get(0), at: row.get(1), who: row.get(2), text: row.get(3) };
        Ok(rows.iter().map(line).collect())
    }

    /// Whether the database answers.
    pub(crate) async fn is_well(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.pool).await.is_ok()
    }
}

/// Stretches of equal length between a bot's first match and its last, and the last rated match of each. Only matches
/// without a rating are looked at in vain, and each of them once.
const RATINGS: &str = "WITH RECURSIVE span(first, last) AS ( \
         SELECT (SELECT MIN(match) FROM seats WHERE bot = $1), (SELECT MAX(match) FROM seats WHERE bot = $1) \
     ), stretch(start, stop, length, last) AS ( \
         SELECT first, first + (last - first) / $2 + 1, (last - first) / $2 + 1, last FROM span WHERE first IS NOT NULL \
         UNION ALL SELECT stop, stop + length, length, last FROM stretch WHERE stop <= last \
     ), page(id) AS ( \
         SELECT (SELECT s.match FROM seats s WHERE s.bot = $1 AND s.match >= stretch.start \
         AND s.match < stretch.stop AND s.elo IS NOT NULL ORDER BY s.match DESC LIMIT 1) FROM stretch \
     ) SELECT m.ended, m.id, s.elo, s.version FROM page JOIN matches m ON m.id = page.id \
     JOIN seats s ON s.match = page.id AND s.bot = $1 AND s.elo IS NOT NULL";

const OPPONENTS: &str = "SELECT g.opponent, p.name, g.won, g.drawn, g.lost, p.id FROM meetings g \
     JOIN bots b ON b.id = g.opponent JOIN players p ON p.id = b.player WHERE g.bot = $1 \
     ORDER BY g.won + g.drawn + g.lost DESC, g.opponent LIMIT $2";

const ANNOUNCEMENTS: &str = "SELECT id, at, text FROM announcements WHERE id < $1 ORDER BY id DESC LIMIT $2";

const LOG: &str = "SELECT l.id, l.at, p.name, l.text FROM log l LEFT JOIN players p ON p.id = l.who \
     WHERE l.id < $1 ORDER BY l.id DESC LIMIT $2";

/// Matches from their seats, which come together.
pub(super) fn matches(rows: &[AnyRow]) -> Result<Vec<MatchRow>, StoreError> {
    let mut matches: Vec<MatchRow> = Vec::new();
    for row in rows {
        let id: MatchId = row.get("id");
        if matches.last().is_none_or(|last| last.id != id) {
            let number: Option<i64> = row.get("number");
            let seed: String = row.get("seed");
            matches.push(MatchRow {
                id,
                counted: row.get("counted"),
                game: row.get("game"),
                kind: MatchKind::of(row.get("kind"))?,
                round: row.get::<Option<RoundId>, _>("round").zip(number.map(|number| number as u32)),
                challenge: row
                    .get::<Option<ChallengeId>, _>("challenge")
                    .zip(row.get::<Option<i64>, _>("challenge_number").map(|number| number as u32)),
                state: MatchState::of(row.get("state"))?,
                started: row.get("started"),
                ended: row.get("ended"),
                turns: row.get::<i64, _>("turns") as u32,
                seed: seed.parse().map_err(|_| StoreError::Damaged(seed))?,
                seats: Vec::new(),
                replay: row.get::<i64, _>("replay") != 0,
                why: row.get("why"),
                worker: row.get("worker"),
            });
        }
        let (elo, fault): (Option<f64>, Option<String>) = (row.get("elo"), row.get("fault"));
        let fault_text: Option<String> = row.get("fault_text");
        let person = row.get::<i64, _>("person") != 0;
        let seat = SeatRow {
            person,
            player: row.get("player"),
            bot: row.get("bot"),
            version: row.get::<Option<i64>, _>("version").map(|version| version as u32),
            built_in: row.get::<i64, _>("built_in") != 0 && !person,
            name: row.get("name"),
            place: row.get::<i64, _>("place") as u32,
            points: row.get("points"),
            elo: elo.zip(row.get("elo_change")),
            fault: fault.map(|fault| (fault, Message::from_text(fault_text.unwrap_or_default()))),
            reason: row.get::<Option<String>, _>("reason").map(Message::from_text),
        };
        matches.last_mut().expect("it was just put there").seats.push(seat);
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::{ANNOUNCEMENTS, LOG, MATCH, MatchFilter, OPPONENTS, RATINGS, Value, bind_all};
    use crate::ids::{AccountId, BotId, MatchId, RoundId};
    use crate::model::{MatchKind, MatchResult};
    use crate::store::{OwnFilter, Store};
    use sqlx::{AssertSqlSafe, Executor as _, Row as _};

    /// Matches of a hundred bots in two games, against each other and against the server's own bot.
    async fn filled(folder: &std::path::Path, matches: u32) -> Store {
        let store = Store::open(folder, None).await.unwrap();
        let numbers = |last: u32| {
            format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {last})")
        };
        let kind = "CASE WHEN i % 50 = 0 THEN 'smoke' WHEN i % 3 = 0 THEN 'practice' WHEN i % 7 = 0 THEN 'scored' \
                    ELSE 'ladder' END";
        let rated = "i % 50 <> 0 AND i % 3 <> 0";
        for statement in [
            format!(
                "INSERT INTO players {} SELECT i, 'player-' || i, 'player-' || i, NULL, NULL, 0, 0, 0, 0 FROM n",
                numbers(100)
            ),
            format!(
                "INSERT INTO bots {} SELECT i, i, CASE WHEN i % 2 = 0 THEN 'rps' ELSE 'generals' END, \
                 NULL, NULL, 1500.0, 0, 0, 0, 0 FROM n",
                numbers(100)
            ),
            format!(
                "INSERT INTO matches (id, counted, game, kind, round, number, state, started, ended, turns, seed, \
                 replay, why) {} SELECT i, i, CASE WHEN i % 2 = 0 THEN 'rps' ELSE 'generals' END, {kind}, \
                 CASE WHEN i % 7 = 0 THEN 1 + i % 5 END, i, 'finished', i, i * 1000, 10, '7', 0, NULL FROM n",
                numbers(matches)
            ),
            format!(
                "INSERT INTO seats (match, seat, kind, player, bot, version, name, place, elo, elo_change) {} \
                 SELECT i, 1, {kind}, 1 + i % 100, 1 + i % 100, NULL, 'x', 1, CASE WHEN {rated} THEN i + 0.5 END, 1.0 \
                 FROM n UNION ALL SELECT i, 2, {kind}, CASE WHEN i % 3 <> 0 THEN 1 + (i + 2) % 100 END, \
                 CASE WHEN i % 3 <> 0 THEN 1 + (i + 2) % 100 END, NULL, 'y', 2, NULL, NULL FROM n",
                numbers(matches)
            ),
            format!(
                "INSERT INTO meetings {} SELECT 1 + i / 100, 1 + i % 100, i, 1, 2 FROM n",
                numbers(9_999)
            ),
            format!("INSERT INTO log {} SELECT i, i, 1, 'x' FROM n", numbers(10_000)),
            format!("INSERT INTO announcements {} SELECT i, i, 'x' FROM n", numbers(1_000)),
            "ANALYZE".to_owned(),
        ] {
            store.pool.execute(sqlx::raw_sql(AssertSqlSafe(statement))).await.unwrap();
        }
        store
    }

    /// Every way to ask for matches.
    fn filters() -> impl Iterator<Item = MatchFilter> {
        (0..64_u32).map(|bits| {
            let asked = |bit: u32| bits & (1 << bit) != 0;
            MatchFilter {
                game: asked(0).then(|| "rps".to_owned()),
                player: asked(1).then_some(AccountId(8)),
                bot: asked(2).then_some(BotId(8)),
                kind: asked(3).then_some(MatchKind::Scored),
                round: asked(4).then_some(RoundId(3)),
                smoke: asked(5),
                any_of: Vec::new(),
            }
        })
    }

    /// The same about several players, one of whom nobody knows.
    fn filters_of_several() -> impl Iterator<Item = MatchFilter> {
        let several = vec![AccountId(8), AccountId(10), AccountId(4000)];
        filters()
            .filter(|filter| filter.player.is_none() && filter.bot.is_none())
            .map(move |filter| MatchFilter { any_of: several.clone(), ..filter })
    }

    #[tokio::test]
    async fn a_hundred_thousand_matches_are_no_burden() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), 100_000).await;
        no_page_looks_through_a_whole_table(&store).await;
        a_chart_has_few_points_and_ends_with_the_last_match(&store).await;
    }

    async fn no_page_looks_through_a_whole_table(store: &Store) {
        let number = Value::Number;
        let mut queries = vec![
            (OPPONENTS.to_owned(), vec![number(8), number(10)]),
            (RATINGS.to_owned(), vec![number(8), number(10)]),
            (ANNOUNCEMENTS.to_owned(), vec![number(i64::MAX), number(10)]),
            (LOG.to_owned(), vec![number(i64::MAX), number(10)]),
            (
                format!("SELECT {MATCH} FROM matches m JOIN seats s ON s.match = m.id WHERE m.id = $1"),
                vec![number(8)],
            ),
        ];
        queries.extend(filters().chain(filters_of_several()).map(|filter| {
            let values = [number(i64::MAX), number(31)].into_iter().chain(filter.values()).collect();
            (filter.page(), values)
        }));
        for bits in 0..32_u32 {
            let asked = |bit: u32| bits & (1 << bit) != 0;
            let filter = OwnFilter {
                game: asked(0).then(|| "rps".to_owned()),
                result: asked(1).then_some(MatchResult::Lost),
                version: asked(2).then_some(1),
                opponent: asked(3).then_some(AccountId(10)),
                unseen: asked(4),
            };
            let numbers = [8, i64::MAX, 0, 31].map(Value::Number);
            queries.push((filter.page(), numbers.into_iter().chain(filter.values()).collect()));
        }
        for (query, values) in queries {
            let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}")));
            let explained = bind_all(explained, values);
            let steps = explained.fetch_all(&store.pool).await.unwrap();
            let steps: Vec<String> = steps.iter().map(|row| row.get("detail")).collect();
            // What a query itself has found before is short.
            let short =
                ["SCAN page", "SCAN stretch", "SCAN span", "SCAN CONSTANT ROW", "SCAN list", "SCAN found"];
            let whole =
                |step: &&String| step.starts_with("SCAN") && !short.iter().any(|name| step.starts_with(name));
            assert_eq!(steps.iter().find(whole), None, "{query}\n{steps:#?}");
            let sorts = |step: &&String| step.contains("TEMP B-TREE FOR DISTINCT");
            assert_eq!(steps.iter().find(sorts), None, "{query}\n{steps:#?}");
        }
    }

    #[tokio::test]
    async fn pages_follow_each_other_without_gap_or_repetition() {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(folder.path(), 3_000).await;
        let all = store
            .matches(&MatchFilter { smoke: true, ..MatchFilter::default() }, MatchId(i64::MAX), 3_000)
            .await
            .unwrap();
        assert_eq!(all.len(), 3_000);
        assert!(all.iter().all(|view| view.seats.len() == 2));
        for filter in filters().chain(filters_of_several()) {
            let kind = filter.kind;
            let fits = |view: &&crate::store::MatchRow| {
                let seated = |seat: &crate::store::SeatRow| {
                    filter.player.is_none_or(|player| seat.player == Some(player))
                        && (filter.any_of.is_empty()
                            || seat.player.is_some_and(|player| filter.any_of.contains(&player)))
                        && filter.bot.is_none_or(|bot| seat.bot == Some(bot))
                };
                filter.game.as_ref().is_none_or(|game| view.game == *game)
                    && view.seats.iter().any(seated)
                    && kind.is_none_or(|kind| view.kind == kind)
                    && filter.round.is_none_or(|round| view.round.is_some_and(|(of, _)| of == round))
                    && (kind.is_some() || filter.smoke || !view.kind.is_apart())
                    // Matches of rounds are scored ones; what was filled in above is not so strict.
                    && (filter.round.is_none() || view.kind == MatchKind::Scored)
            };
            let expected: Vec<MatchId> = all.iter().filter(fits).map(|view| view.id).take(40).collect();
            let (mut found, mut before) = (Vec::new(), MatchId(i64::MAX));
            while found.len() < 40 {
                let page = store.matches(&filter, before, 7).await.unwrap();
                let scored =
                    page.iter().filter(|view| filter.round.is_none() || view.kind == MatchKind::Scored);
                found.extend(scored.map(|view| view.id));
                match page.last() {
                    Some(last) => before = last.id,
                    None => break,
                }
            }
            found.truncate(40);
            assert_eq!(found, expected, "{filter:?}");
        }
    }

    async fn a_chart_has_few_points_and_ends_with_the_last_match(store: &Store) {
        let points = store.ratings(BotId(8)).await.unwrap();
        assert!((100..=crate::limits::CHART_POINTS + 1).contains(&points.len()), "{}", points.len());
        assert!(points.is_sorted_by_key(|point| point.at));
        assert!(
            points.iter().all(|point| point.elo == point.id.0 as f64 + 0.5 && point.at == point.id.0 * 1000)
        );
        let mine = MatchFilter { bot: Some(BotId(8)), ..MatchFilter::default() };
        let matches = store.matches(&mine, MatchId(i64::MAX), 1000).await.unwrap();
        let rated = matches
            .iter()
            .find(|view| view.seats.iter().any(|seat| seat.bot == Some(BotId(8)) && seat.elo.is_some()));
        assert_eq!(points.last().map(|point| point.id), rated.map(|view| view.id));
        assert!(store.ratings(BotId(4000)).await.unwrap().is_empty(), "nobody has no chart");
        let opponents = store.opponents(BotId(8)).await.unwrap();
        assert_eq!((opponents.len(), opponents[0].bot), (100, BotId(100)), "the most frequent first");
    }
}
