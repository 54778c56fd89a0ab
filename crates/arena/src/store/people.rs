//! Matches that people play by hand: who sat where, the keys of their seats, and how many of them are kept.

use super::record::{MatchRow, insert_text};
use super::{Store, StoreError};
use crate::ids::MatchId;
use crate::limits;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};

/// Letters of a seat's key.
const KEY_LETTERS: usize = 32;

/// Keeps which seats of these matches were people's.
pub(super) async fn insert(connection: &mut AnyConnection, rows: &[MatchRow]) -> Result<(), StoreError> {
    let seats =
        rows.iter().flat_map(|row| (1_i64..).zip(&row.seats).map(move |(seat, taken)| (row.id, seat, taken)));
    let people: Vec<(MatchId, i64)> =
        seats.filter(|(.., taken)| taken.person).map(|(id, seat, _)| (id, seat)).collect();
    for people in people.chunks(limits::ROWS) {
        let mut query = sqlx::query(AssertSqlSafe(insert_text("people (match, seat)", people.len())));
        for (id, seat) in people {
            query = query.bind(*id).bind(*seat);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

impl Store {
    /// What opens a person's seat of a match. It follows from the event's secret, so that it is good for as long as the
    /// match is kept and nobody has to keep it.
    pub(crate) fn seat_key(&self, number: MatchId, seat: u8) -> String {
        // Nobody's password begins like this: those are fingerprinted with the same secret.
        let mut key = self.keyed_fingerprint(&format!("\0seat\0{number} {seat}"));
        key.truncate(KEY_LETTERS);
        key
    }

    /// Forgets matches that people played by hand but for the latest `kept`: nothing depends on them.
    pub(crate) async fn forget_hand_matches(&self, kept: i64) -> Result<(), StoreError> {
        let query = "SELECT id FROM matches WHERE kind = 'hand' ORDER BY id DESC LIMIT 1 OFFSET $1";
        let Some(oldest) = sqlx::query(query).bind(kept).fetch_optional(&self.pool).await? else {
            return Ok(());
        };
        let oldest: MatchId = oldest.get(0);
        let mut transaction = self.begin_write().await?;
        for table in ["replays", "people", "seats"] {
            let delete = format!(
                "DELETE FROM {table} WHERE match IN (SELECT id FROM matches WHERE kind = 'hand' AND id <= $1)"
            );
            sqlx::query(AssertSqlSafe(delete)).bind(oldest).execute(&mut *transaction).await?;
        }
        let delete = sqlx::query("DELETE FROM matches WHERE kind = 'hand' AND id <= $1");
        delete.bind(oldest).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ids::MatchId;
    use crate::model::{MatchKind, MatchState};
    use crate::store::{Changes, MatchFilter, MatchRow, SeatRow, Store};

    fn row(id: i64, kind: MatchKind) -> MatchRow {
        let seat = |name: &str, person: bool| SeatRow {
            name: name.to_owned(),
            place: 1,
            person,
            ..SeatRow::default()
        };
        MatchRow {
            id: MatchId(id),
            counted: id,
            game: "rps".to_owned(),
            kind,
            round: None,
            challenge: None,
            state: MatchState::Finished,
            started: 1,
            ended: 2,
            turns: 3,
            seed: 4,
            seats: vec![seat("guest", kind == MatchKind::Hand), seat("greedy", false)],
            replay: true,
            why: None,
            worker: None,
        }
    }

    #[tokio::test]
    async fn a_guest_is_no_built_in_player_and_old_matches_of_people_are_forgotten_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), None).await.unwrap();
        let kinds = [MatchKind::Hand, MatchKind::Practice, MatchKind::Hand, MatchKind::Hand];
        let matches: Vec<MatchRow> = (1..).zip(kinds).map(|(id, kind)| row(id, kind)).collect();
        let replays = matches.iter().map(|row| (row.id, vec![1])).collect();
        store.commit(&Changes { matches, replays, ..Changes::default() }).await.unwrap();
        let seats =
            |row: &MatchRow| row.seats.iter().map(|seat| (seat.person, seat.built_in)).collect::<Vec<_>>();
        let first = store.match_row(MatchId(1)).await.unwrap().unwrap();
        assert_eq!(seats(&first), [(true, false), (false, true)]);
        let second = store.match_row(MatchId(2)).await.unwrap().unwrap();
        assert_eq!(seats(&second), [(false, true), (false, true)]);

        store.forget_hand_matches(2).await.unwrap();
        assert!(store.match_row(MatchId(1)).await.unwrap().is_none());
        assert!(store.replay(MatchId(1)).await.unwrap().is_none());
        for id in 2..=4 {
            assert!(store.match_row(MatchId(id)).await.unwrap().is_some(), "{id}");
            assert!(store.replay(MatchId(id)).await.unwrap().is_some(), "{id}");
        }
        assert_eq!(store.last_match().await.unwrap(), (MatchId(4), 4));
        let all = store.matches(&MatchFilter::default(), MatchId(i64::MAX), 10).await.unwrap();
        assert_eq!(all.iter().map(|row| row.id.0).collect::<Vec<_>>(), [2], "lists are without them");
        let hand = MatchFilter { kind: Some(MatchKind::Hand), ..MatchFilter::default() };
        let hand = store.matches(&hand, MatchId(i64::MAX), 10).await.unwrap();
        assert_eq!(hand.iter().map(|row| row.id.0).collect::<Vec<_>>(), [4, 3]);
    }

    #[tokio::test]
    async fn a_key_opens_one_seat_of_one_match_of_one_event() {
        let folder = tempfile::tempdir().unwrap();
        let one = Store::open(&folder.path().join("a"), None).await.unwrap();
        let other = Store::open(&folder.path().join("b"), None).await.unwrap();
        let key = one.seat_key(MatchId(12), 1);
        assert_eq!(one.seat_key(MatchId(12), 1), key);
        assert_eq!(key.len(), 32);
        for different in [
            one.seat_key(MatchId(12), 2),
            one.seat_key(MatchId(1), 2),
            one.seat_key(MatchId(1), 21),
            other.seat_key(MatchId(12), 1),
        ] {
            assert_ne!(different, key);
        }
    }
}
