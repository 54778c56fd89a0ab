//! Who has met whom and how that went, counted as matches are stored: a bot's page has no time to count them.

use super::StoreError;
use super::record::{MatchRow, insert_text};
use super::words::Word as _;
use crate::ids::{BotId, MatchId};
use crate::limits;
use crate::model::{MatchKind, MatchState};
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use std::collections::BTreeMap;

/// Counts matches that are stored.
pub(super) async fn count(connection: &mut AnyConnection, rows: &[MatchRow]) -> Result<(), StoreError> {
    let mut meetings = Meetings::default();
    for row in rows.iter().filter(|row| row.state == MatchState::Finished && row.is_rated()) {
        let seats = row.seats.iter().filter_map(|seat| Some((seat.bot?, i64::from(seat.place))));
        meetings.add(&seats.collect::<Vec<_>>(), 1);
    }
    meetings.store(connection).await
}

/// Takes a match out of the count, before it is marked as void.
pub(super) async fn discount(connection: &mut AnyConnection, id: MatchId) -> Result<(), StoreError> {
    let query = "SELECT m.kind, s.bot, s.place, s.elo FROM matches m JOIN seats s ON s.match = m.id \
                 WHERE m.id = $1 AND m.state = 'finished' AND s.bot IS NOT NULL";
    let rows = sqlx::query(query).bind(id).fetch_all(&mut *connection).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    let rated = match MatchKind::of(first.get(0))? {
        MatchKind::Challenge => first.get::<Option<f64>, _>(3).is_some(),
        kind => kind.is_rated(),
    };
    if !rated {
        return Ok(());
    }
    let seats: Vec<_> = rows.iter().map(|row| (row.get(1), row.get(2))).collect();
    let mut meetings = Meetings::default();
    meetings.add(&seats, -1);
    meetings.store(connection).await
}

/// By bot and opponent, how much more often one came out ahead of the other, level with it, and behind it. Each pair is
/// there once: Postgres changes a row only once in a statement.
#[derive(Default)]
struct Meetings(BTreeMap<(BotId, BotId), [i64; 3]>);

impl Meetings {
    /// A match with these bots and their places, so many times.
    fn add(&mut self, seats: &[(BotId, i64)], times: i64) {
        for (bot, place) in seats {
            for (opponent, other) in seats.iter().filter(|(opponent, _)| opponent != bot) {
                let how = place.cmp(other) as isize + 1;
                self.0.entry((*bot, *opponent)).or_default()[how as usize] += times;
            }
        }
    }

    async fn store(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let meetings: Vec<_> = self.0.into_iter().collect();
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
