//! A player's own matches: how each ended, and which of them the player has not looked at.

use super::pages::{MATCH, Value, bind_all, matches};
use super::{MatchRow, Store, StoreError};
use crate::ids::{AccountId, MatchId};
use crate::limits;
use crate::model::MatchResult;
use sqlx::{AssertSqlSafe, Row as _};

/// Which of a player's own matches are asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OwnFilter {
    pub(crate) game: Option<String>,
    /// Matches that count and ended so.
    pub(crate) result: Option<MatchResult>,
    /// Played by the version of this number.
    pub(crate) version: Option<u32>,
    /// With this player, too.
    pub(crate) opponent: Option<AccountId>,
    /// Only those that were not looked at.
    pub(crate) unseen: bool,
}

/// Some of a player's own matches, newest first, and where to go on.
pub(crate) struct OwnPage {
    /// With whether each was not looked at.
    pub(crate) matches: Vec<(MatchRow, bool)>,
    pub(crate) older: Option<MatchId>,
}

/// How many took the best place.
const BEST: &str = "(SELECT COUNT(*) FROM seats b WHERE b.match = s.match AND b.place = 1)";

impl OwnFilter {
    /// The numbers of the matches: of the player `$1`, before `$2` and from `$3` on, which is all that is looked through.
    /// The values that [`OwnFilter::values`] names come after `$4`.
    fn numbers(&self, columns: &str) -> String {
        let mut rules = Vec::new();
        let mut place = 4;
        let mut next = || {
            place += 1;
            place
        };
        if self.game.is_some() {
            rules.push(format!("m.game = ${}", next()));
        }
        if self.version.is_some() {
            rules.push(format!("s.version = ${}", next()));
        }
        if self.opponent.is_some() {
            let opponent = next();
            rules.push(format!(
                "EXISTS (SELECT 1 FROM seats o WHERE o.match = s.match AND o.player = ${opponent})"
            ));
        }
        if let Some(result) = self.result {
            rules.push("m.state = 'finished'".to_owned());
            rules.push(match result {
                MatchResult::Won => format!("s.place = 1 AND {BEST} = 1"),
                MatchResult::Drawn => format!("s.place = 1 AND {BEST} > 1"),
                MatchResult::Lost => "s.place > 1".to_owned(),
            });
        }
        if self.unseen {
            rules.push(
                "s.match > COALESCE((SELECT u.match FROM seen_until u WHERE u.player = $1), 0)".to_owned(),
            );
            rules.push(
                "NOT EXISTS (SELECT 1 FROM seen n WHERE n.player = $1 AND n.match = s.match)".to_owned(),
            );
        }
        let rules: String = rules.iter().map(|rule| format!(" AND {rule}")).collect();
        format!(
            "SELECT {columns} FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1 AND s.match < $2 \
             AND s.match >= $3 AND s.kind NOT IN ('smoke', 'hand'){rules}"
        )
    }

    pub(super) fn values(&self) -> Vec<Value> {
        [
            self.game.clone().map(Value::Text),
            self.version.map(|version| Value::Number(version.into())),
            self.opponent.map(|opponent| Value::Number(opponent.0)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    pub(super) fn page(&self) -> String {
        let numbers = self.numbers("DISTINCT s.match AS id");
        format!(
            "SELECT {MATCH} FROM ({numbers} ORDER BY s.match DESC LIMIT $4) page JOIN matches m ON m.id = page.id \
             JOIN seats s ON s.match = m.id ORDER BY page.id DESC, s.seat"
        )
    }
}

impl Store {
    /// Matches of a player before this number, newest first, but for first matches of what was handed in and those played by hand.
    pub(crate) async fn own_matches(
        &self,
        player: AccountId,
        filter: &OwnFilter,
        before: MatchId,
        limit: i64,
    ) -> Result<OwnPage, StoreError> {
        let last = self.last_of_span(player, before).await?;
        let (page, last_looked) = (AssertSqlSafe(filter.page()), last.unwrap_or(MatchId(0)));
        // One more tells whether there are older ones.
        let query = sqlx::query(page).bind(player).bind(before).bind(last_looked).bind(limit + 1);
        let rows = bind_all(query, filter.values()).fetch_all(&self.pool).await?;
        let mut found = matches(&rows)?;
        let older = match found.len() as i64 > limit {
            true => {
                found.truncate(limit as usize);
                found.last().map(|row| row.id)
            }
            false => last,
        };
        let unseen = self.unseen(player, &found).await?;
        Ok(OwnPage { matches: found.into_iter().zip(unseen).collect(), older })
    }

    /// The last match that is looked through, if there are more than are looked through at a time.
    async fn last_of_span(&self, player: AccountId, before: MatchId) -> Result<Option<MatchId>, StoreError> {
        let query =
            "SELECT match FROM seats WHERE player = $1 AND match < $2 ORDER BY match DESC LIMIT 1 OFFSET $3";
        let query = sqlx::query(query).bind(player).bind(before).bind(limits::OWN_MATCHES - 1);
        Ok(query.fetch_optional(&self.pool).await?.map(|row| row.get(0)))
    }

    /// Matches that a player has lost lately and not looked at.
    pub(crate) async fn unseen_losses(&self, player: AccountId) -> Result<u32, StoreError> {
        let newest = MatchId(i64::MAX);
        let last = self.last_of_span(player, newest).await?;
        let filter = OwnFilter { result: Some(MatchResult::Lost), unseen: true, ..OwnFilter::default() };
        let query = AssertSqlSafe(filter.numbers("COUNT(DISTINCT s.match)"));
        let query = sqlx::query(query).bind(player).bind(newest).bind(last.unwrap_or(MatchId(0)));
        Ok(query.fetch_one(&self.pool).await?.get::<i64, _>(0) as u32)
    }

    async fn unseen(&self, player: AccountId, rows: &[MatchRow]) -> Result<Vec<bool>, StoreError> {
        let (Some(newest), Some(oldest)) = (rows.first(), rows.last()) else {
            return Ok(Vec::new());
        };
        let until = self.seen_until(player).await?;
        let seen = sqlx::query("SELECT match FROM seen WHERE player = $1 AND match >= $2 AND match <= $3")
            .bind(player)
            .bind(oldest.id)
            .bind(newest.id)
            .fetch_all(&self.pool)
            .await?;
        let seen: Vec<MatchId> = seen.iter().map(|row| row.get(0)).collect();
        Ok(rows.iter().map(|row| row.id > until && !seen.contains(&row.id)).collect())
    }

    async fn seen_until(&self, player: AccountId) -> Result<MatchId, StoreError> {
        let query = sqlx::query("SELECT match FROM seen_until WHERE player = $1").bind(player);
        Ok(query.fetch_optional(&self.pool).await?.map_or(MatchId(0), |row| row.get(0)))
    }

    /// A player has looked at these matches. Those of others are nobody's business, and cost nothing.
    pub(crate) async fn mark_seen(&self, player: AccountId, seen: &[MatchId]) -> Result<(), StoreError> {
        let until = self.seen_until(player).await?;
        for id in seen.iter().filter(|id| **id > until) {
            let query = "INSERT INTO seen (player, match) SELECT $1, $2 WHERE EXISTS \
                         (SELECT 1 FROM seats WHERE player = $1 AND match = $2) ON CONFLICT (player, match) DO NOTHING";
            sqlx::query(query).bind(player).bind(*id).execute(&self.pool).await?;
        }
        let query = "SELECT match FROM seen WHERE player = $1 ORDER BY match DESC LIMIT 1 OFFSET $2";
        let query = sqlx::query(query).bind(player).bind(limits::SEEN);
        match query.fetch_optional(&self.pool).await? {
            Some(surplus) => self.mark_seen_until(player, surplus.get(0)).await,
            None => Ok(()),
        }
    }

    /// A player has looked at everything up to this match.
    pub(crate) async fn mark_seen_until(&self, player: AccountId, until: MatchId) -> Result<(), StoreError> {
        let mut transaction = self.begin_write().await?;
        let query = "INSERT INTO seen_until (player, match) VALUES ($1, $2) \
                     ON CONFLICT (player) DO UPDATE SET match = $2 WHERE seen_until.match < $2";
        sqlx::query(query).bind(player).bind(until).execute(&mut *transaction).await?;
        sqlx::query("DELETE FROM seen WHERE player = $1 AND match <= $2")
            .bind(player)
            .bind(until)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}
