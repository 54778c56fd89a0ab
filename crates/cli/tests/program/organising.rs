//! What organisers do from the command line: every command says what it did.

use crate::arena::stand::Stand;
use crate::support::{palestra, text};
use std::path::Path;
use std::process::Output;

const EVENT: &str = "name = \"Small\"\n[[game]]\nid = \"rps\"\nsubmissions = false\nhouse = [\"greedy\", \"random\"]\n\
                     house_in_rounds = true\nsettings = { max_ticks = 40 }\n[[round]]\nname = \"Cup\"\n";

fn event(dir: &Path, words: &[&str]) -> Output {
    let mut command = palestra(dir);
    command.arg("event").args(&words[..words.len().min(1)]);
    let mut rest = &words[words.len().min(1)..];
    if words[0] == "players" {
        command.arg(words[1]);
        rest = &words[2..];
    }
    command.arg("event.toml").args(rest).output().unwrap()
}

#[test]
fn every_command_of_an_organiser_says_what_it_did() {
    let dir = tempfile::tempdir().unwrap();
    let mut stand = Stand::new(dir.path(), "event", EVENT);
    stand.open();
    let says = |words: &[&str], sentence: &str| {
        let output = event(dir.path(), words);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success() && said.contains(sentence), "{words:?}: {said}");
    };
    says(&["players", "add", "anna"], "1 player added; the passwords are told only now");
    says(&["players", "add", "bela", "csaba"], "2 players added; the passwords are told only now");
    says(&["players", "add", "anna"], "no player added");
    says(&["players", "add", "dora", "--organiser"], "1 organiser added");
    says(&["players", "list"], "anna");
    says(
        &["players", "reset", "anna"],
        "anna has this new password; the old one and all keys do not work any more",
    );
    says(&["players", "key", "anna"], "anna has this new key; it is told only now");
    says(&["players", "ban", "bela"], "bela is shut out: cannot sign in, connect or play");
    says(&["players", "unban", "bela"], "bela is let in again");
    says(&["announce", "Pizza at eight"], "every page of the site says: Pizza at eight");
    says(&["pause"], "the event is paused: what is being played is played to its end, and no match begins");
    says(&["resume"], "the event goes on: matches begin again");
    says(&["start", "Cup"], "round 1, Cup, goes on");
    stand.until("a match of the round", |stand| {
        stand.ask("/api/matches?kind=scored")["matches"][0]["state"] == "finished"
    });
    let number = stand.ask("/api/matches?kind=scored")["matches"][0]["id"].to_string();
    stand.until("the end of the round", |stand| stand.round("Cup")["state"] == "over");
    says(&["rerun", &number], "does not count any more, and is played again");
    says(
        &["void", "1", "--why", "a test"],
        "match 1 does not count any more; points and ratings are worked out anew",
    );
    says(&["status"], "clients connected");
    says(&["backup", "-o", "small.backup"], "the whole event is in small.backup: ");
    says(&["close"], "the event is over: no match begins any more, and nothing is taken in");
    says(&["start"], "the event goes on");
    let other = dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(dir.path().join("event.toml"), other.join("event.toml")).unwrap();
    let restored = event(&other, &["restore", "../small.backup"]);
    assert!(
        text(&restored.stdout).contains(" rows restored; open the event with palestra serve event.toml"),
        "{restored:?}"
    );
}
