//! A database that speaks TLS, with a certificate of an authority that only this event knows.

use palestra_arena::store::{NewAccount, Store};
use palestra_testkit::{Authority, Postgres};
use std::path::Path;

#[tokio::test]
async fn a_database_is_reached_over_tls_and_one_that_nobody_vouches_for_is_refused() {
    let (authority, other) = (Authority::new(), Authority::new());
    let postgres = Postgres::start_with_tls(&authority);
    let place = tempfile::tempdir().unwrap();
    let trusting = |authority: &Path| {
        format!("{}?sslmode=verify-full&sslrootcert={}", postgres.address, authority.display())
    };
    let why = Store::open(&place.path().join("event"), Some(&trusting(&other.certificate()))).await;
    let why = why.expect_err("nobody vouches for it").to_string();
    assert!(
        why.contains("shows a certificate that is not accepted") && why.contains("sslrootcert="),
        "{why}"
    );

    let store =
        Store::open(&place.path().join("event"), Some(&trusting(&authority.certificate()))).await.unwrap();
    let new = NewAccount { name: "Anna".to_owned(), password: None, organiser: false };
    store.add_account(new).await.unwrap();
    let connections = |which: &str| {
        let others = "backend_type = 'client backend' AND pid != pg_backend_pid()";
        postgres.ask(&format!(
            "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE {others} AND {which}"
        ))
    };
    assert_ne!(connections("ssl"), "0");
    assert_eq!(connections("NOT ssl"), "0", "nothing goes there in the clear");
}

#[tokio::test]
async fn a_database_without_tls_is_not_spoken_to_where_it_is_asked_for() {
    let postgres = Postgres::start();
    let place = tempfile::tempdir().unwrap();
    let address = format!("{}?sslmode=require", postgres.address);
    let why =
        Store::open(&place.path().join("event"), Some(&address)).await.expect_err("refused").to_string();
    assert!(why.contains("does not support TLS"), "{why}");
}
