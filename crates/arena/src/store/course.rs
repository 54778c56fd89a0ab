//! How far players have come in the courses of games.

use super::words::Word as _;
use super::{Store, StoreError, now};
use crate::api::course::CourseMatch;
use crate::ids::{AccountId, VersionId};
use crate::limits;
use crate::model::CourseState;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

/// The latest check of one step by one player.
#[derive(Clone, Debug)]
pub(crate) struct CourseRow {
    pub(crate) player: AccountId,
    pub(crate) game: String,
    pub(crate) step: String,
    /// What was checked.
    pub(crate) version: VersionId,
    pub(crate) state: CourseState,
    /// Whether this step was ever passed.
    pub(crate) passed: bool,
    /// When it was asked for, or checked.
    pub(crate) at: i64,
    /// What came of its matches.
    pub(crate) matches: Vec<CourseMatch>,
}

/// Why a step is not checked now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueueFull {
    /// This player waits for enough of them.
    OfPlayer,
    /// Everybody together does.
    OfAll,
}

const STEPS: &str = "SELECT player, game, step, version, state, passed, at, matches FROM course_steps";

impl Store {
    /// How far a player has come in a game's course, in no order.
    pub(crate) async fn course_of(
        &self,
        player: AccountId,
        game: &str,
    ) -> Result<Vec<CourseRow>, StoreError> {
        let query = AssertSqlSafe(format!("{STEPS} WHERE player = $1 AND game = $2"));
        let rows = sqlx::query(query).bind(player).bind(game.to_owned()).fetch_all(&self.pool).await?;
        rows.iter().map(read).collect()
    }

    /// A player wants to have a step checked with this version. What was passed stays so.
    pub(crate) async fn ask_for_step(
        &self,
        player: AccountId,
        game: &str,
        step: &str,
        version: VersionId,
    ) -> Result<Result<(), QueueFull>, StoreError> {
        let mut transaction = self.begin_write().await?;
        let query = "SELECT COUNT(*), COUNT(CASE WHEN player = $1 THEN 1 END) FROM course_steps \
                     WHERE state = 'queued' AND NOT (player = $1 AND game = $2 AND step = $3)";
        let row = sqlx::query(query)
            .bind(player)
            .bind(game.to_owned())
            .bind(step.to_owned())
            .fetch_one(&mut *transaction)
            .await?;
        if row.get::<i64, _>(1) >= limits::COURSE_CHECKS_OF_PLAYER {
            return Ok(Err(QueueFull::OfPlayer));
        }
        if row.get::<i64, _>(0) >= limits::COURSE_CHECKS {
            return Ok(Err(QueueFull::OfAll));
        }
        let query = "INSERT INTO course_steps (player, game, step, version, state, passed, at, matches) \
                     VALUES ($1, $2, $3, $4, 'queued', 0, $5, '[]') \
                     ON CONFLICT (player, game, step) DO UPDATE SET version = $4, state = 'queued', matches = '[]', \
                     at = CASE WHEN course_steps.at >= $5 THEN course_steps.at + 1 ELSE $5 END";
        sqlx::query(query)
            .bind(player)
            .bind(game.to_owned())
            .bind(step.to_owned())
            .bind(version)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Ok(()))
    }

    /// What is to be checked next: what waits longest.
    pub(crate) async fn next_step_to_check(&self) -> Result<Option<CourseRow>, StoreError> {
        let query =
            AssertSqlSafe(format!("{STEPS} WHERE state = 'queued' ORDER BY at, player, step LIMIT 1"));
        let row = sqlx::query(query).fetch_optional(&self.pool).await?;
        row.as_ref().map(read).transpose()
    }

    /// Keeps what came of a check, unless another one was asked for meanwhile.
    pub(crate) async fn settle_step(
        &self,
        asked: &CourseRow,
        state: CourseState,
        matches: &[CourseMatch],
    ) -> Result<(), StoreError> {
        let query = "UPDATE course_steps SET state = $1, passed = CASE WHEN $2 = 1 THEN 1 ELSE passed END, \
                     matches = $3 WHERE player = $4 AND game = $5 AND step = $6 AND at = $7 AND state = 'queued'";
        sqlx::query(query)
            .bind(state.word())
            .bind(i64::from(state == CourseState::Passed))
            .bind(serde_json::to_string(matches).expect("a result is plain data"))
            .bind(asked.player)
            .bind(asked.game.clone())
            .bind(asked.step.clone())
            .bind(asked.at)
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}

fn read(row: &AnyRow) -> Result<CourseRow, StoreError> {
    let matches: String = row.get("matches");
    Ok(CourseRow {
        player: row.get("player"),
        game: row.get("game"),
        step: row.get("step"),
        version: row.get("version"),
        state: CourseState::of(row.get("state"))?,
        passed: row.get::<i64, _>("passed") != 0,
        at: row.get("at"),
        matches: serde_json::from_str(&matches).map_err(|_| StoreError::Damaged(matches))?,
    })
}

#[cfg(test)]
mod tests {
    use super::QueueFull;
    use crate::ids::{AccountId, VersionId};
    use crate::limits;
    use crate::model::CourseState;
    use crate::store::Store;

    #[tokio::test]
    async fn only_so_many_steps_wait_and_what_was_passed_stays_so() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(place.path(), None).await.unwrap();
        let anna = AccountId(1);
        let ask =
            async |player, step: &str| store.ask_for_step(player, "chess", step, VersionId(7)).await.unwrap();
        for step in 0..limits::COURSE_CHECKS_OF_PLAYER {
            assert_eq!(ask(anna, &format!("step {step}")).await, Ok(()));
        }
        assert_eq!(ask(anna, "one more").await, Err(QueueFull::OfPlayer));
        assert_eq!(ask(anna, "step 0").await, Ok(()), "what waits may be asked for again");
        assert_eq!(ask(AccountId(2), "step 0").await, Ok(()), "others are not concerned");
        let players = limits::COURSE_CHECKS / limits::COURSE_CHECKS_OF_PLAYER;
        for player in 0..=players {
            for step in 0..limits::COURSE_CHECKS_OF_PLAYER {
                let _ = ask(AccountId(10 + player), &format!("step {step}")).await;
            }
        }
        assert_eq!(ask(AccountId(9), "step 0").await, Err(QueueFull::OfAll));

        let first = store.next_step_to_check().await.unwrap().unwrap();
        assert_eq!(first.player, anna);
        store.settle_step(&first, CourseState::Passed, &[]).await.unwrap();
        assert_eq!(ask(anna, &first.step).await, Ok(()));
        let course = store.course_of(anna, "chess").await.unwrap();
        let again = course.iter().find(|row| row.step == first.step).unwrap();
        assert_eq!((again.state, again.passed), (CourseState::Queued, true));
        // What came of the former check is not taken for what comes of this one.
        store.settle_step(&first, CourseState::Missed, &[]).await.unwrap();
        let course = store.course_of(anna, "chess").await.unwrap();
        let again = course.iter().find(|row| row.step == first.step).unwrap();
        assert_eq!((again.state, again.passed), (CourseState::Queued, true));
    }
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_step_is_asked_for_while_others_write() {
        let place = tempfile::tempdir().unwrap();
        let store = Store::open(place.path(), None).await.unwrap();
        let ask = async |player| {
            for _ in 0..200 {
                store.ask_for_step(AccountId(player), "chess", "step", VersionId(7)).await.unwrap().unwrap();
            }
        };
        tokio::join!(ask(1), ask(2), ask(3));
    }
}
