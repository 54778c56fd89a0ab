//! The bots: one for each player and game, with its rating.

use super::{Store, StoreError};
use crate::ids::{AccountId, BotId, VersionId};
use sqlx::Row as _;
use sqlx::any::AnyRow;

/// A bot as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct BotRow {
    /// Its number.
    pub id: BotId,
    /// The account of its author.
    pub player: AccountId,
    /// The game's id.
    pub game: String,
    /// The built-in player that it is.
    pub built_in: Option<String>,
    /// The version that plays.
    pub active: Option<VersionId>,
    /// The Elo rating, not rounded.
    pub elo: f64,
    /// Matches that count for the rating.
    pub played: i64,
    /// Matches won alone.
    pub won: i64,
    /// Best place shared.
    pub drawn: i64,
    /// Matches neither won nor drawn.
    pub lost: i64,
}

const COLUMNS: &str = "id, player, game, built_in, active, elo, played, won, drawn, lost";

impl Store {
    /// All bots, by number.
    pub async fn bots(&self) -> Result<Vec<BotRow>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM bots ORDER BY id");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(bot).collect())
    }

    /// The bot with this number.
    pub async fn bot(&self, id: BotId) -> Result<Option<BotRow>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM bots WHERE id = $1");
        let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(id).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(bot))
    }

    /// The bot of this player in this game; it is made if there is none, with this rating.
    pub async fn bot_of(
        &self,
        player: AccountId,
        game: &str,
        built_in: Option<&str>,
        elo: f64,
    ) -> Result<BotRow, StoreError> {
        let insert = "INSERT INTO bots (id, player, game, built_in, active, elo, played, won, drawn, lost) \
                      SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, NULL, $4, 0, 0, 0, 0 FROM bots \
                      HAVING NOT EXISTS (SELECT 1 FROM bots WHERE player = $1 AND game = $2)";
        let insert = sqlx::query(insert).bind(player).bind(game).bind(built_in.map(str::to_owned)).bind(elo);
        insert.execute(&self.pool).await?;
        let query = format!("SELECT {COLUMNS} FROM bots WHERE player = $1 AND game = $2");
        let query = sqlx::query(sqlx::AssertSqlSafe(query)).bind(player).bind(game);
        Ok(bot(&query.fetch_one(&self.pool).await?))
    }
}

fn bot(row: &AnyRow) -> BotRow {
    BotRow {
        id: row.get("id"),
        player: row.get("player"),
        game: row.get("game"),
        built_in: row.get("built_in"),
        active: row.get("active"),
        elo: row.get("elo"),
        played: row.get("played"),
        won: row.get("won"),
        drawn: row.get("drawn"),
        lost: row.get("lost"),
    }
}
