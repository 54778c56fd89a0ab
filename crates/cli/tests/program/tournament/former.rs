//! A tournament that was played by a version whose log and replays have sentences where there are codes now.

use super::{fresh_folder, good, report};
use crate::support::project;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SENTENCE: &str = "malformed answer: it gave up";

/// A copy, in the folder `cup`.
fn prepare(dir: &Path) {
    let former = project().join("crates/cli/tests/data/former-cup");
    fs::create_dir_all(dir.join("cup/replays")).unwrap();
    for file in ["tournament.db", "replays/0.bundle"] {
        fs::copy(former.join(file), dir.join("cup").join(file)).unwrap();
    }
}

fn fault(dir: &Path) -> Value {
    let standings = good(dir, &["tournament", "standings", "--dir", "cup", "--json"]);
    serde_json::from_str::<Value>(&standings).unwrap()["faults"][0].clone()
}

fn coded() -> Value {
    json!({ "code": "malformed_because", "why": { "code": "resigned" } })
}

#[test]
fn a_log_with_sentences_is_read_and_gone_on_with() {
    let dir = fresh_folder();
    prepare(dir.path());
    let before = fault(dir.path());
    assert_eq!(
        [&before["count"], &before["text"], &before["what"]],
        [&json!(4), &json!(SENTENCE), &json!(SENTENCE)]
    );
    good(dir.path(), &["tournament", "replay", "1", "--dir", "cup", "--out", "one.replay"]);
    good(dir.path(), &["replay", "verify", "one.replay"]);
    good(dir.path(), &["tournament", "rerun", "--dir", "cup", "1", "2", "5", "6"]);
    good(dir.path(), &["tournament", "cup", "-q"]);
    let after = fault(dir.path());
    assert_eq!([&after["count"], &after["text"], &after["what"]], [&json!(4), &json!(SENTENCE), &coded()]);
    assert_eq!(report(&dir.path().join("cup"))["faults"][0]["text"], SENTENCE);
}
