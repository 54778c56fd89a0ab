//! Whom players follow.

use super::{Store, StoreError, now};
use crate::ids::AccountId;
use sqlx::Row as _;

impl Store {
    /// Whom a player follows, by number.
    pub(crate) async fn follows(&self, player: AccountId) -> Result<Vec<AccountId>, StoreError> {
        let query = "SELECT f.followed FROM follows f JOIN players p ON p.id = f.followed \
                     WHERE f.player = $1 AND p.banned = 0 ORDER BY f.followed";
        let rows = sqlx::query(query).bind(player).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// A player follows another one, from now on or already.
    pub(crate) async fn follow(&self, player: AccountId, followed: AccountId) -> Result<(), StoreError> {
        let query = "INSERT INTO follows (player, followed, at) VALUES ($1, $2, $3) \
                     ON CONFLICT (player, followed) DO NOTHING";
        sqlx::query(query).bind(player).bind(followed).bind(now()).execute(&self.pool).await?;
        Ok(())
    }

    /// A player follows another one no more.
    pub(crate) async fn unfollow(&self, player: AccountId, followed: AccountId) -> Result<(), StoreError> {
        let query = "DELETE FROM follows WHERE player = $1 AND followed = $2";
        sqlx::query(query).bind(player).bind(followed).execute(&self.pool).await?;
        Ok(())
    }
}
