//! Two servers and one database: who has the event, what the other one may still do, and what it needs of the first.

use super::{PATIENCE, until};
use palestra_arena::store::{IfTaken, NewAccount, Store, StoreError};
use palestra_testkit::Postgres;
use std::time::Duration;
use tokio::time::{sleep, timeout};

async fn add(store: &Store, name: &str) -> bool {
    let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
    store.add_account(new).await.is_ok()
}

async fn names(store: &Store) -> Vec<String> {
    store.accounts().await.unwrap().into_iter().map(|account| account.name).collect()
}

/// Ends the session in which this server has the event's lock, as a link that breaks does.
fn cut(postgres: &Postgres, server: &str) {
    postgres.ask(&format!(
        "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) \
         WHERE locktype = 'advisory' AND granted AND application_name = '{server}'"
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_waits_and_a_server_that_lost_the_event_changes_nothing_more() {
    let postgres = Postgres::start();
    let place = tempfile::tempdir().unwrap();
    let first = Store::open(&place.path().join("first"), Some(&postgres.address)).await.unwrap();
    assert!(add(&first, "Anna").await);
    let (folder, address) = (place.path().join("second"), postgres.address.clone());
    let standby = tokio::spawn(async move { Store::take(&folder, Some(&address), IfTaken::Wait).await });
    sleep(Duration::from_secs(1)).await;
    assert!(!standby.is_finished(), "the event is taken");

    // The first one goes on as if nothing had happened, but for its session with the lock; it may be the first to take it again.
    let server = postgres.ask("SELECT value FROM settings WHERE name = 'server'");
    let second = timeout(PATIENCE, async {
        while !standby.is_finished() {
            cut(&postgres, &server);
            sleep(Duration::from_millis(100)).await;
        }
        standby.await.unwrap().unwrap()
    });
    let second = second.await.expect("somebody takes over");
    assert!(!add(&first, "Late").await, "not even before it knows");
    timeout(PATIENCE, first.lost()).await.expect("it learns that it has lost the event");
    assert!(matches!(first.accounts().await, Err(StoreError::Database(_))));
    assert!(add(&second, "Bence").await);
    assert_eq!(names(&second).await, ["Anna", "Bence"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_started_anew_stays_with_its_server() {
    let mut postgres = Postgres::start();
    let place = tempfile::tempdir().unwrap();
    let store = Store::open(&place.path().join("event"), Some(&postgres.address)).await.unwrap();
    postgres.restart();
    let back = timeout(PATIENCE, async {
        while !add(&store, "Anna").await {
            sleep(Duration::from_millis(100)).await;
        }
    });
    back.await.expect("the store is back");
    let locked = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND granted";
    until("the lock is back", || postgres.ask(locked) == "1").await;
    let other = Store::open(&place.path().join("other"), Some(&postgres.address)).await;
    assert!(matches!(other, Err(StoreError::Reserved)));
    let lost = timeout(Duration::from_millis(100), store.lost()).await;
    assert!(lost.is_err(), "nobody else has it");
}

#[tokio::test]
async fn a_folder_of_another_event_is_refused_and_sqlite_has_no_standby() {
    let postgres = Postgres::start();
    let place = tempfile::tempdir().unwrap();
    let (folder, other) = (place.path().join("event"), place.path().join("other"));
    drop(Store::beside(&folder, Some(&postgres.address)).await.unwrap());
    assert!(!folder.join("secret.key").exists(), "the database has it");
    drop(Store::open(&other, None).await.unwrap());
    let refused = Store::beside(&other, Some(&postgres.address)).await;
    assert!(matches!(refused, Err(StoreError::OtherSecret(_))), "{refused:?}");
    let refused = Store::take(&other, None, IfTaken::Wait).await;
    assert!(matches!(refused, Err(StoreError::NothingShared)));
}
