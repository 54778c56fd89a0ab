//! What opens an account without its password: browsers that are signed in, and programs with a key. Only fingerprints
//! are kept, so that a stolen database opens nothing.

use super::accounts::Account;
use super::words::Word as _;
use super::{Store, StoreError, fingerprint, new_secret, now};
use crate::ids::AccountId;
use crate::limits;
use sqlx::Row as _;

/// What a key is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// A browser that is signed in; ends by itself.
    Session,
    /// A program; valid until it is taken back.
    Token,
}

/// A key for a program, without its secret.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) id: i64,
    pub(crate) label: String,
    pub(crate) at: i64,
}

impl Store {
    /// Makes a key of a player's; says its number and its secret, which is not kept.
    pub async fn add_key(
        &self,
        player: AccountId,
        kind: KeyKind,
        label: &str,
    ) -> Result<(i64, String), StoreError> {
        let secret = new_secret(limits::KEY_LETTERS);
        let expires = match kind {
            KeyKind::Session => now() + limits::SIGNED_IN.as_millis() as i64,
            KeyKind::Token => i64::MAX,
        };
        let query = "INSERT INTO keys (id, player, kind, label, digest, at, expires) \
                     SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, $4, $5, $6 FROM keys RETURNING id";
        let row = sqlx::query(query)
            .bind(player)
            .bind(kind.word())
            .bind(label)
            .bind(fingerprint(secret.as_bytes()))
            .bind(now())
            .bind(expires)
            .fetch_one(&self.pool)
            .await?;
        Ok((row.get(0), secret))
    }

    /// Whose key this is; nobody's if it is none, is over, or its player is shut out.
    pub(crate) async fn key_owner(&self, kind: KeyKind, secret: &str) -> Result<Option<Account>, StoreError> {
        let query = "SELECT player FROM keys WHERE digest = $1 AND kind = $2 AND expires > $3";
        let row = sqlx::query(query)
            .bind(fingerprint(secret.as_bytes()))
            .bind(kind.word())
            .bind(now())
            .fetch_optional(&self.pool)
            .await?;
        match row {
            None => Ok(None),
            Some(row) => Ok(self.account(row.get(0)).await?.filter(|account| !account.banned)),
        }
    }

    /// Whom a secret that the arena made lets in without a name: a key for programs, or the password on a card.
    pub(crate) async fn secret_owner(&self, secret: &str) -> Result<Option<Account>, StoreError> {
        match self.key_owner(KeyKind::Token, secret).await? {
            Some(account) => Ok(Some(account)),
            None => self.account_by_made_password(secret).await,
        }
    }

    /// Takes back the key with this secret.
    pub(crate) async fn forget_key(&self, secret: &str) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM keys WHERE digest = $1").bind(fingerprint(secret.as_bytes()));
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// A player's keys for programs, newest first.
    pub(crate) async fn tokens(&self, player: AccountId) -> Result<Vec<Token>, StoreError> {
        let query = "SELECT id, label, at FROM keys WHERE player = $1 AND kind = 'token' ORDER BY id DESC";
        let rows = sqlx::query(query).bind(player).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| Token { id: row.get(0), label: row.get(1), at: row.get(2) }).collect())
    }

    /// Takes back one of a player's keys; says whether it was there.
    pub(crate) async fn drop_token(&self, player: AccountId, token: i64) -> Result<bool, StoreError> {
        let query = sqlx::query("DELETE FROM keys WHERE id = $1 AND player = $2 AND kind = 'token'");
        Ok(query.bind(token).bind(player).execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Forgets what is over.
    pub(crate) async fn forget_old_keys(&self) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM keys WHERE expires < $1").bind(now()).execute(&self.pool).await?;
        Ok(())
    }
}
