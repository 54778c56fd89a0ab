//! Who has met whom and how that went, counted as matches are stored: a bot's page has no time to count them.

use super::record::MatchRow;
use super::{StoreError, meaning};
use crate::api::{MatchKind, MatchState};
use sqlx::{AnyConnection, Row as _};

/// Counts a match that is stored.
pub(super) async fn count(connection: &mut AnyConnection, row: &MatchRow) -> Result<(), StoreError> {
    if row.state != MatchState::Finished || !counts(row.kind) {
        return Ok(());
    }
    let seats: Vec<_> =
        row.seats.iter().filter_map(|seat| Some((seat.bot?, i64::from(seat.place)))).collect();
    change(connection, &seats, 1).await
}

/// Takes a match out of the count, before it is marked as void.
pub(super) async fn discount(connection: &mut AnyConnection, id: i64) -> Result<(), StoreError> {
    let query = "SELECT m.kind, s.bot, s.place FROM matches m JOIN seats s ON s.match = m.id \
                 WHERE m.id = $1 AND m.state = 'finished' AND s.bot IS NOT NULL";
    let rows = sqlx::query(query).bind(id).fetch_all(&mut *connection).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    if !counts(meaning(first.get(0))?) {
        return Ok(());
    }
    let seats: Vec<_> = rows.iter().map(|row| (row.get(1), row.get(2))).collect();
    change(connection, &seats, -1).await
}

fn counts(kind: MatchKind) -> bool {
    matches!(kind, MatchKind::Free | MatchKind::Ladder | MatchKind::Scored)
}

async fn change(connection: &mut AnyConnection, seats: &[(i64, i64)], by: i64) -> Result<(), StoreError> {
    let query = "INSERT INTO meetings (bot, opponent, won, drawn, lost) VALUES ($1, $2, $3, $4, $5) \
                 ON CONFLICT (bot, opponent) DO UPDATE SET won = meetings.won + excluded.won, \
                 drawn = meetings.drawn + excluded.drawn, lost = meetings.lost + excluded.lost";
    for (bot, place) in seats {
        for (opponent, other) in seats.iter().filter(|(opponent, _)| opponent != bot) {
            let when = |ordering| if place.cmp(other) == ordering { by } else { 0 };
            sqlx::query(query)
                .bind(*bot)
                .bind(*opponent)
                .bind(when(std::cmp::Ordering::Less))
                .bind(when(std::cmp::Ordering::Equal))
                .bind(when(std::cmp::Ordering::Greater))
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}
