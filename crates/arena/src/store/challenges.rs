//! Challenges, and which matches were played for them.

use super::record::{MatchRow, insert_text};
use super::words::Word as _;
use super::{Store, StoreError};
use crate::ids::{AccountId, BotId, ChallengeId, MatchId, VersionId};
use crate::limits;
use crate::model::ChallengeState;
use palestra_core::Message;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

/// Some matches that a player lets a version of its own play against one opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeRow {
    /// Its number.
    pub id: ChallengeId,
    /// Who wants to know.
    pub player: AccountId,
    /// The game's id.
    pub game: String,
    /// The player's bot.
    pub bot: BotId,
    /// Its version.
    pub version: VersionId,
    /// The opponent's bot.
    pub opponent: BotId,
    /// Its version; nothing for a built-in player.
    pub opponent_version: Option<VersionId>,
    /// Matches that it is to have.
    pub matches: u32,
    /// When it was asked for.
    pub at: i64,
    /// Where it stands.
    pub state: ChallengeState,
    /// When it was over.
    pub ended: Option<i64>,
    /// Why it was cancelled.
    pub why: Option<Message>,
}

const CHALLENGES: &str = "SELECT id, player, game, bot, version, opponent, opponent_version, matches, at, state, ended, \
     why FROM challenges";

/// Keeps how challenges stand.
pub(super) async fn put(connection: &mut AnyConnection, rows: &[ChallengeRow]) -> Result<(), StoreError> {
    let query = "INSERT INTO challenges (id, player, game, bot, version, opponent, opponent_version, matches, at, \
                 state, ended, why) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
                 ON CONFLICT (id) DO UPDATE SET state = $10, ended = $11, why = $12";
    for row in rows {
        sqlx::query(query)
            .bind(row.id)
            .bind(row.player)
            .bind(row.game.clone())
            .bind(row.bot)
            .bind(row.version)
            .bind(row.opponent)
            .bind(row.opponent_version)
            .bind(i64::from(row.matches))
            .bind(row.at)
            .bind(row.state.word())
            .bind(row.ended)
            .bind(row.why.as_ref().map(Message::to_text))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Keeps which of these matches were played for challenges.
pub(super) async fn insert_matches(
    connection: &mut AnyConnection,
    rows: &[MatchRow],
) -> Result<(), StoreError> {
    let of = |row: &MatchRow| row.challenge.map(|(challenge, number)| (row.id, challenge, number));
    let rows: Vec<(MatchId, ChallengeId, u32)> = rows.iter().filter_map(of).collect();
    for rows in rows.chunks(limits::ROWS) {
        let insert = insert_text("challenge_matches (match, challenge, number)", rows.len());
        let mut query = sqlx::query(AssertSqlSafe(insert));
        for (id, challenge, number) in rows {
            query = query.bind(*id).bind(*challenge).bind(i64::from(*number));
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

impl Store {
    /// The highest number of a challenge.
    pub(crate) async fn last_challenge(&self) -> Result<ChallengeId, StoreError> {
        let query = sqlx::query("SELECT COALESCE(MAX(id), 0) FROM challenges");
        Ok(query.fetch_one(&self.pool).await?.get(0))
    }

    /// Those that are not over, oldest first.
    pub(crate) async fn open_challenges(&self) -> Result<Vec<ChallengeRow>, StoreError> {
        let query = format!("{CHALLENGES} WHERE state = 'open' ORDER BY id");
        let rows = sqlx::query(AssertSqlSafe(query)).fetch_all(&self.pool).await?;
        rows.iter().map(read).collect()
    }

    /// A challenge.
    pub(crate) async fn challenge(&self, id: ChallengeId) -> Result<Option<ChallengeRow>, StoreError> {
        let query = format!("{CHALLENGES} WHERE id = $1");
        let row = sqlx::query(AssertSqlSafe(query)).bind(id).fetch_optional(&self.pool).await?;
        row.as_ref().map(read).transpose()
    }

    /// The latest of a player, newest first.
    pub(crate) async fn challenges_of(&self, player: AccountId) -> Result<Vec<ChallengeRow>, StoreError> {
        let query = format!("{CHALLENGES} WHERE player = $1 ORDER BY id DESC LIMIT $2");
        let query = sqlx::query(AssertSqlSafe(query)).bind(player).bind(limits::LISTED_CHALLENGES);
        query.fetch_all(&self.pool).await?.iter().map(read).collect()
    }

    /// Which of its matches have been played.
    pub(crate) async fn played_of(&self, id: ChallengeId) -> Result<Vec<u32>, StoreError> {
        let query = sqlx::query("SELECT number FROM challenge_matches WHERE challenge = $1 ORDER BY number");
        let rows = query.bind(id).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.get::<i64, _>(0) as u32).collect())
    }

    /// Whether the file of a version is kept.
    pub(crate) async fn keeps_upload(&self, version: VersionId) -> Result<bool, StoreError> {
        let query = sqlx::query("SELECT version FROM uploads WHERE version = $1").bind(version);
        Ok(query.fetch_optional(&self.pool).await?.is_some())
    }
}

fn read(row: &AnyRow) -> Result<ChallengeRow, StoreError> {
    Ok(ChallengeRow {
        id: row.get("id"),
        player: row.get("player"),
        game: row.get("game"),
        bot: row.get("bot"),
        version: row.get("version"),
        opponent: row.get("opponent"),
        opponent_version: row.get("opponent_version"),
        matches: row.get::<i64, _>("matches") as u32,
        at: row.get("at"),
        state: ChallengeState::of(row.get("state"))?,
        ended: row.get("ended"),
        why: row.get::<Option<String>, _>("why").map(Message::from_text),
    })
}
