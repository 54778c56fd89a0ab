//! Who has met whom and how that went, counted as matches are stored: a bot's page has no time to count them.

use super::record::{MatchRow, insert_text};
use super::words::Word as _;
use super::{Store, StoreError};
use crate::ids::{BotId, MatchId};
use crate::limits;
use crate::model::{MatchKind, MatchState};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use std::collections::BTreeMap;

/// Counts matches that are stored.
pub(super) async fn count(connection: &mut AnyConnection, rows: &[MatchRow]) -> Result<(), StoreError> {
    let mut meetings = Meetings::default();
    for row in rows.iter().filter(|row| row.state == MatchState::Finished && row.is_rated()) {
        let seats =
            row.seats.iter().filter_map(|seat| Some((seat.bot?, seat.version, i64::from(seat.place))));
        meetings.add(&seats.collect::<Vec<_>>(), 1);
    }
    meetings.store(connection).await
}

/// Takes a match out of the count, before it is marked as void.
pub(super) async fn discount(connection: &mut AnyConnection, id: MatchId) -> Result<(), StoreError> {
    let query = "SELECT m.kind, s.bot, s.place, s.version, s.elo FROM matches m JOIN seats s ON s.match = m.id \
                 WHERE m.id = $1 AND m.state = 'finished' AND s.bot IS NOT NULL";
    let rows = sqlx::query(query).bind(id).fetch_all(&mut *connection).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    let rated = match MatchKind::of(first.get(0))? {
        MatchKind::Challenge => first.get::<Option<f64>, _>(4).is_some(),
        kind => kind.is_rated(),
    };
    if !rated {
        return Ok(());
    }
    let version = |row: &AnyRow| row.get::<Option<i64>, _>(3).map(|version| version as u32);
    let seats: Vec<_> = rows.iter().map(|row| (row.get(1), version(row), row.get(2))).collect();
    let mut meetings = Meetings::default();
    meetings.add(&seats, -1);
    meetings.store(connection).await
}

/// How much more often a bot came out ahead of another, level with it, and behind it. Each pair is there once: Postgres
/// changes a row only once in a statement.
#[derive(Default)]
struct Meetings {
    bots: BTreeMap<(BotId, BotId), [i64; 3]>,
    /// By bot, number of its version, and opponent.
    versions: BTreeMap<(BotId, u32, BotId), [i64; 3]>,
}

impl Meetings {
    /// A match with these bots, their versions and their places, so many times.
    fn add(&mut self, seats: &[(BotId, Option<u32>, i64)], times: i64) {
        for (bot, version, place) in seats {
            for (opponent, _, other) in seats.iter().filter(|(opponent, ..)| opponent != bot) {
                let how = (place.cmp(other) as isize + 1) as usize;
                self.bots.entry((*bot, *opponent)).or_default()[how] += times;
                if let Some(version) = version {
                    self.versions.entry((*bot, *version, *opponent)).or_default()[how] += times;
                }
            }
        }
    }

    async fn store(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let versions: Vec<_> = self.versions.into_iter().collect();
        for meetings in versions.chunks(limits::ROWS) {
            let insert =
                insert_text("version_meetings (bot, version, opponent, won, drawn, lost)", meetings.len());
            let query = format!(
                "{insert} ON CONFLICT (bot, version, opponent) DO UPDATE SET won = version_meetings.won + excluded.won, \
                 drawn = version_meetings.drawn + excluded.drawn, lost = version_meetings.lost + excluded.lost"
            );
            let mut query = sqlx::query(AssertSqlSafe(query));
            for ((bot, version, opponent), [won, drawn, lost]) in meetings {
                query = query.bind(*bot).bind(i64::from(*version)).bind(*opponent);
                query = query.bind(*won).bind(*drawn).bind(*lost);
            }
            query.execute(&mut *connection).await?;
        }
        let meetings: Vec<_> = self.bots.into_iter().collect();
        for meetings in meetings.chunks(limits::ROWS) {
            let insert = insert_text("meetings (bot, opponent, won, drawn, lost)", meetings.len());
            let query = format!(
                "{insert} ON CONFLICT (bot, opponent) DO UPDATE SET won = meetings.won + excluded.won, \
                 drawn = meetings.drawn + excluded.drawn, lost = meetings.lost + excluded.lost"
            );
            let mut query = sqlx::query(AssertSqlSafe(query));
            for ((bot, opponent), [won, drawn, lost]) in meetings {
                query = query.bind(*bot).bind(*opponent).bind(*won).bind(*drawn).bind(*lost);
            }
            query.execute(&mut *connection).await?;
        }
        Ok(())
    }
}

/// How often a version of a bot came out ahead of an opponent, level with it, and behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VersionMeeting {
    pub(crate) version: u32,
    pub(crate) opponent: BotId,
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

impl Store {
    /// Whom the latest versions of a bot have met, the newest first.
    pub(crate) async fn version_meetings(&self, bot: BotId) -> Result<Vec<VersionMeeting>, StoreError> {
        let query = sqlx::query(VERSION_MEETINGS)
            .bind(bot)
            .bind(limits::COMPARED_VERSIONS)
            .bind(limits::COMPARED_MEETINGS);
        let count = |row: &AnyRow, column: usize| row.get::<i64, _>(column) as u32;
        let meeting = |row: &AnyRow| VersionMeeting {
            version: count(row, 0),
            opponent: row.get(1),
            won: count(row, 2),
            drawn: count(row, 3),
            lost: count(row, 4),
        };
        Ok(query.fetch_all(&self.pool).await?.iter().map(meeting).collect())
    }
}

/// What was voided leaves nothing behind that could be compared.
const VERSION_MEETINGS: &str = "SELECT version, opponent, won, drawn, lost FROM version_meetings WHERE bot = $1 \
     AND version > (SELECT COALESCE(MAX(version), 0) - $2 FROM version_meetings WHERE bot = $1) \
     AND won + drawn + lost > 0 ORDER BY version DESC, opponent LIMIT $3";
