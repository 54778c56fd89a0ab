//! A log is whole, or it says what is wrong with it.

use super::database::{Access, Database, log_in};
use super::schema::{BRIEF, FORMAT, RESULT};
use super::{Store, StoreError, salvage};
use crate::bundle::fingerprint;
use crate::event::{Event, Finished, LoggedFault, StoredReplay};
use crate::log::{Log, Outcome};
use crate::pairing::BotNumber;
use palestra_core::Message;
use std::fs;
use std::path::Path;

const REPLAY: &[u8] = b"a replay with a file of its own";
const REPLAY_PATH: &str = "replays/0/1.replay";

fn finished(number: u32, faults: Vec<LoggedFault>) -> Finished {
    Finished {
        number,
        players: vec![BotNumber(4), BotNumber(0), BotNumber(7)],
        map: 0,
        seed: 1,
        places: vec![1, 3, 1],
        scores: vec![(1, 2), (0, 1), (u64::MAX, 3)],
        turns: 1,
        millis: 1,
        spent: vec![(1, None); 3],
        memory: Vec::new(),
        faults,
        replay: None,
        tainted: false,
        worker: None,
    }
}

fn events() -> Vec<Event> {
    let replay = StoredReplay {
        path: REPLAY_PATH.to_owned(),
        at: None,
        bytes: REPLAY.len() as u64,
        sha256: fingerprint(REPLAY),
    };
    let text = "it said \"\\ \u{1f980}\", and left".to_owned();
    let fault =
        LoggedFault { seat: 1, turn: 9, kind: "malformed".to_owned(), what: Message::Sentence(text.clone()) };
    vec![
        Event::Tainted(finished(1, vec![fault.clone()])),
        Event::Finished(Finished { replay: Some(replay), ..finished(1, vec![fault]) }),
        Event::Started { number: 3, players: vec![BotNumber(0)] },
        Event::Failed { number: 2, players: vec![BotNumber(0), BotNumber(4)], why: text },
        Event::Finished(finished(2, Vec::new())),
    ]
}

/// What the log has, read both ways.
fn check(mut store: Store) {
    let results = store.results(0, u32::MAX).unwrap();
    let expected: Vec<Outcome> = results.iter().filter_map(|(id, event)| Outcome::of(*id, event)).collect();
    assert_eq!(expected.len(), 4);
    assert_eq!(store.outcomes(0, u32::MAX).unwrap(), expected);
    assert_eq!(store.outcomes(2, 2).unwrap(), expected[2..]);
    assert_eq!(store.last_match().unwrap(), 2);
    assert_eq!(store.replay(1).unwrap().as_deref(), Some(REPLAY));
    assert_eq!(store.replay(2).unwrap(), None);
}

fn filled(folder: &Path) -> Store {
    let mut store = Store::open(folder).unwrap();
    fs::create_dir_all(folder.join("replays/0")).unwrap();
    fs::write(folder.join(REPLAY_PATH), REPLAY).unwrap();
    store.append(&events()).unwrap();
    store
}

#[test]
fn what_counts_is_the_same_whichever_way_it_is_read() {
    check(filled(tempfile::tempdir().unwrap().path()));
}

/// As earlier versions of this program made it: without checksums, and always with a file beside it.
fn old(folder: &Path, version: i64) {
    fs::create_dir_all(folder.join("replays/0")).unwrap();
    fs::write(folder.join(REPLAY_PATH), REPLAY).unwrap();
    let mut database = Database::open(&log_in(folder), Access::Write).unwrap();
    let index = match version {
        1 => "CREATE INDEX events_by_match ON events (match) WHERE match IS NOT NULL".to_owned(),
        _ => format!("CREATE INDEX events_of_matches ON events (match, id, kind, {BRIEF}) WHERE {RESULT}"),
    };
    for statement in [
        "PRAGMA journal_mode = WAL",
        &format!("PRAGMA user_version = {version}"),
        "CREATE TABLE IF NOT EXISTS events (
                 id INTEGER PRIMARY KEY,
                 at INTEGER NOT NULL,
                 kind TEXT NOT NULL,
                 match INTEGER,
                 body TEXT NOT NULL
             ) STRICT",
        &index,
    ] {
        database.execute(statement).unwrap();
    }
    for event in events() {
        let body = serde_json::to_string(&event).unwrap().replace('\'', "''");
        let number = event.number().map_or("NULL".to_owned(), |number| number.to_string());
        let insert = format!(
            "INSERT INTO events (at, kind, match, body) VALUES (7, '{}', {number}, '{body}')",
            event.kind()
        );
        database.execute(&insert).unwrap();
    }
}

#[test]
fn a_log_of_an_earlier_version_is_read_and_gone_on_with() {
    for version in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        old(folder.path(), version);
        check(Store::look(folder.path()).unwrap());
        check(Store::open(folder.path()).unwrap());
        let mut store = Store::open(folder.path()).unwrap();
        assert_eq!(store.version().unwrap(), FORMAT);
        store.append(&[Event::Rerun { number: 1 }]).unwrap();
        drop(store);
        assert_eq!(Store::look(folder.path()).unwrap().course().unwrap(), [(6, Event::Rerun { number: 1 })]);
    }
}

#[test]
fn every_event_is_called_what_it_says_itself() {
    for event in events() {
        assert_eq!(serde_json::to_value(&event).unwrap()["kind"], event.kind());
    }
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("tournament.db")).collect();
    names.sort();
    names
}

#[test]
fn a_log_that_was_closed_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path());
    assert!(files(folder.path()).contains(&"tournament.db-wal".to_owned()));
    drop(store);
    assert_eq!(files(folder.path()), ["tournament.db"]);
    check(Store::look(folder.path()).unwrap());
    assert_eq!(files(folder.path()), ["tournament.db"], "looking leaves nothing");
}

/// The files of a log as a killed process leaves them.
fn killed(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let store = filled(folder);
    let left = files(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()));
    let left = left.collect();
    drop(store);
    left
}

#[test]
fn what_a_killed_process_left_is_whole_and_without_its_tail_it_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let left = killed(folder.path());
    let restore =
        || left.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
    restore();
    check(Store::look(folder.path()).unwrap());
    check(Store::open(folder.path()).unwrap());
    restore();
    for file in ["tournament.db-wal", "tournament.db-shm"] {
        fs::remove_file(folder.path().join(file)).unwrap();
    }
    for _ in 0..2 {
        let said = [Store::look(folder.path()), Store::open(folder.path()), Store::beside(folder.path())]
            .map(|opened| opened.unwrap_err().to_string());
        for said in said {
            assert!(said.contains("tournament.db-wal, with what was played last, is missing"), "{said}");
            assert!(said.contains("replays are there") && said.contains("recover --dir"), "{said}");
        }
    }
}

#[test]
fn a_log_that_is_gone_or_empty_is_no_new_one_while_replays_lie_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path()));
    let path = log_in(folder.path());
    let whole = fs::read(&path).unwrap();
    for broken in [None, Some(&[][..]), Some(&whole[..100]), Some(&whole[..5000])] {
        match broken {
            None => fs::remove_file(&path).unwrap(),
            Some(bytes) => fs::write(&path, bytes).unwrap(),
        }
        for opened in [Store::open(folder.path()), Store::look(folder.path())] {
            match opened.unwrap_err() {
                StoreError::Lost { .. } | StoreError::Damaged { .. } => {}
                other => panic!("{other}"),
            }
        }
        assert_eq!(fs::read(&path).ok().as_deref(), broken, "nothing was changed");
    }
}

#[test]
fn damaged_indexes_are_made_again_from_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = filled(folder.path());
    let root =
        store.log.number("SELECT rootpage FROM sqlite_schema WHERE name = 'events_of_matches'").unwrap();
    let size = store.log.number("PRAGMA page_size").unwrap();
    drop(store);
    let path = log_in(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    // The page ends with what was added first.
    let end = (root * size) as usize;
    bytes[end - 40] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let mut looking = Store::look(folder.path()).unwrap();
    looking.course().unwrap();
    assert!(!looking.indexed);
    check(looking);
    let store = Store::open(folder.path()).unwrap();
    assert!(store.was_rebuilt());
    check(store);
    assert!(!Store::open(folder.path()).unwrap().was_rebuilt());
}

/// Changes one bit of the first text like this in the log.
fn flip(folder: &Path, text: &[u8]) -> Vec<u8> {
    let path = log_in(folder);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(text.len()).position(|window| window == text).unwrap();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    bytes
}

#[test]
fn a_row_that_is_not_as_it_was_written_is_told_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path()));
    flip(folder.path(), b"millis");
    for mut store in [Store::look(folder.path()).unwrap(), Store::open(folder.path()).unwrap()] {
        let said = store.results(0, u32::MAX).unwrap_err().to_string();
        assert!(
            said.contains("tournament.db is damaged: row ") && said.contains("not as it was written"),
            "{said}"
        );
        assert!(said.contains("palestra tournament recover --dir"), "{said}");
    }
}

#[test]
fn what_can_be_read_of_a_damaged_log_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    drop(filled(folder.path()));
    // In the third event, that a match was begun.
    let bytes = flip(folder.path(), b"\"match\":3");
    let saved = salvage(folder.path()).unwrap();
    assert_eq!(saved.missing, 1);
    let kept = saved.keep().unwrap().expect("the damaged one is kept");
    assert_eq!(fs::read(kept).unwrap(), bytes);
    check(Store::open(folder.path()).unwrap());
}
