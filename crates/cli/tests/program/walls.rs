//! What an arena does not open without: memory that is limited, and an event that no bot is shown.

use crate::arena::stand::{Process, until};
use crate::support::{palestra, palestra_as_nobody};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Anywhere on this machine, for one game that bots are handed in for.
const EVENT: &str = "name = \"Walls\"\nsite = \"127.0.0.1:0\"\ngateway = false\n";
const GAME: &str = "[[game]]\nid = \"rps\"\n";

/// What a command says that must not succeed, nor go on.
fn refused(command: &mut Command) -> String {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let start = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code != 0), "it was not refused: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    said
}

fn findings(doctor: &mut Command) -> Vec<String> {
    let output = doctor.args(["doctor", "--json", "--event", "event.toml"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let open = report["findings"].as_array().unwrap().iter().filter(|finding| finding["ok"] == false);
    open.map(|finding| finding["finding"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_arena_that_cannot_limit_memory_says_so() {
    let place = tempfile::tempdir().unwrap();
    let nobody = || palestra_as_nobody(place.path());
    let Some(mut doctor) = nobody() else { return };
    let told = doctor.args(["doctor", "--json"]).output().unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let is_given = |what: &str| {
        told["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|finding| finding["what"] == what && finding["ok"] == true)
    };
    if is_given("sandbox, memory") || !is_given("sandbox, namespaces") {
        return;
    }
    fs::write(place.path().join("event.toml"), format!("{EVENT}{GAME}")).unwrap();
    let said = refused(nobody().unwrap().args(["serve", "event.toml"]));
    let line = "systemd-run --user --scope -p Delegate=yes palestra serve event.toml";
    assert!(said.contains(line) && said.contains("memory_by_process = true"), "{said}");
    assert!(!place.path().join("event.arena").exists(), "nothing is made of what is refused");
    let open = findings(&mut nobody().unwrap());
    assert!(open.iter().any(|finding| finding.contains(line)), "{open:?}");

    fs::write(place.path().join("event.toml"), format!("{EVENT}memory_by_process = true\n{GAME}")).unwrap();
    let open = findings(&mut nobody().unwrap());
    assert!(open.iter().any(|finding| finding.contains("process by process")), "{open:?}");
    let arena =
        Process::start(nobody().unwrap().args(["serve", "event.toml", "--quiet"]).stdout(Stdio::null()));
    until("it is open", || place.path().join("event.arena/address").exists());
    // Also what it makes while it is open.
    for entry in fs::read_dir(place.path().join("event.arena")).unwrap().flatten() {
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", entry.path().display());
    }
    drop(arena);
}

#[test]
fn an_event_lies_nowhere_that_bots_are_shown() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    symlink("/usr/share", dir.join("link")).unwrap();
    for folder in ["/usr/palestra-test.arena", "link/palestra-test.arena"] {
        let plan = format!("{EVENT}folder = \"{folder}\"\nmemory_by_process = true\n{GAME}");
        fs::write(dir.join("event.toml"), plan).unwrap();
        for words in [&["serve", "event.toml"][..], &["event", "players", "add", "event.toml", "Anna"]] {
            let said = refused(palestra(dir).args(words));
            assert!(said.contains("/usr, which") && said.contains("shown"), "{said}");
        }
        let open = findings(&mut palestra(dir));
        assert!(open.iter().any(|finding| finding.contains("/usr, which bots are shown")), "{open:?}");
        assert!(!Path::new("/usr/palestra-test.arena").exists());
        assert!(!Path::new("/usr/share/palestra-test.arena").exists());
    }

    // The folder of an interpreter, which bots in its language are shown.
    let home = dir.join("home");
    fs::create_dir_all(home.join("bin")).unwrap();
    symlink("/bin/sh", home.join("bin/sh")).unwrap();
    let table = format!(
        "[[toolchain]]\nname = \"Shell\"\nextensions = [\"zoo\"]\ntools = [\"sh\"]\nrun = [\"{{tool}}\", \"{{source}}\"]\n\
         home = [\"echo\", \"{}\"]\nhint = \"\"\n",
        home.display()
    );
    fs::write(dir.join("toolchains.toml"), table).unwrap();
    let plan = format!("{EVENT}folder = \"home/event.arena\"\nmemory_by_process = true\n{GAME}");
    fs::write(dir.join("event.toml"), plan).unwrap();
    let mut serve = palestra(dir);
    serve.env("PALESTRA_TOOLCHAINS", dir.join("toolchains.toml")).args(["serve", "event.toml"]);
    let said = refused(&mut serve);
    assert!(said.contains(&format!("{}, which bots are shown", home.display())), "{said}");
    assert!(!home.join("event.arena").exists());
}
