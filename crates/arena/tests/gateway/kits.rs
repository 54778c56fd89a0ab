//! The starter kits' own clients, as participants start them: only the password is theirs.

use crate::support::Event;
use palestra_arena::api::MatchView;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/arena").join("games")
}

/// A copy of a kit's file with the player's own password in it.
fn copy(file: &str, to: &Path, password: &str) {
    let text = fs::read_to_string(games().join(file)).unwrap();
    assert!(text.contains("return \"password\""), "{file}");
    let text = text.replace("return \"password\"", &format!("return \"{password}\""));
    fs::write(to, text).unwrap();
}

fn start(command: &mut Command, folder: &Path, event: &Event) -> Running {
    let child = command
        .args([event.address.ip().to_string(), event.address.port().to_string()])
        .args(["--once"])
        .current_dir(folder)
        .env_remove("PALESTRA_BOT")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    Running(child.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clients_of_both_kits_play_each_other_again_and_again() {
    let plan = "rest = \"0s\"\n[[game]]\nid = \"rps\"\nsubmissions = false\nsettings = { max_ticks = 300 }\n";
    let event = Event::with(plan).await;
    event.player("snake").await;
    event.player("cplus").await;
    let folder = tempfile::tempdir().unwrap();
    let (snake, cplus) = (folder.path().join("snake"), folder.path().join("cplus"));
    fs::create_dir(&snake).unwrap();
    fs::create_dir(&cplus).unwrap();
    copy("rps/kits/python/rps.py", &snake.join("rps.py"), &event.password("snake"));
    copy("rps/kits/cpp/main.cpp", &cplus.join("main.cpp"), &event.password("cplus"));
    for header in ["Client.h", "parser.h"] {
        fs::copy(games().join("rps/kits/cpp").join(header), cplus.join(header)).unwrap();
    }
    let compiled = Command::new("c++")
        .args(["-std=c++17", "-O1", "main.cpp", "-o", "client"])
        .current_dir(&cplus)
        .status()
        .unwrap();
    assert!(compiled.success());
    let _snake = start(Command::new("python3").arg("rps.py"), &snake, &event);
    let _cplus = start(&mut Command::new("./client"), &cplus, &event);
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let is_new = |view: &MatchView| {
            let played = |name: &str| view.seats.iter().any(|seat| seat.name == name);
            !seen.contains(&view.id) && played("snake") && played("cplus")
        };
        let result = event.result(is_new).await;
        assert!(result.seats.iter().all(|seat| seat.fault.is_none()), "{result:?}");
        seen.push(result.id);
    }
    // Everything they were sent and answered is in their logs: whole packets, and answers to each.
    let log = fs::read_to_string(snake.join("debug.log")).unwrap();
    assert!(log.starts_with("tick ") && log.contains("\nversus ") && log.contains("\n.\n\nprod "));
}
