//! Two servers for one event: the first is killed, and everybody goes on at the second, which has nothing of the first's
//! folder.

use super::stand::{Player, Process, Stand, until};
use crate::support::{palestra, project};
use palestra_testkit::Postgres;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

const EVENT: &str = r#"
name = "Two servers"
rest = "0s"

[[game]]
id = "rps"
settings = { size = 6, first_unit_ticks = 2, max_ticks = 60, hold_ticks = 4 }
time = "3s/answer"
house = ["greedy"]
"#;

/// A client that writes what happens to it, one object in each line.
fn connect(dir: &Path, stand: &Stand, player: &Player) -> (Process, PathBuf) {
    let told = dir.join(format!("{}.told", player.name));
    let kit = project().join("games/rps/kits/python/rps.py");
    let mut command = palestra(dir);
    command
        .args(["connect", &stand.gateway.to_string(), "--token", &player.password, "--game", "rps"])
        .args(["--opponents", "any,bot", "--json", "--"])
        .arg(kit)
        .stdout(File::create(&told).unwrap())
        .stderr(Stdio::null());
    (Process::start(&mut command), told)
}

/// Hands in a program whose first match takes seconds; what becomes of it is written down.
fn submit_slowly(dir: &Path, stand: &Stand, player: &Player) -> (Process, PathBuf) {
    let kit = fs::read_to_string(project().join("games/rps/kits/python/rps.py")).unwrap();
    let (bot, told) = (dir.join("slow.py"), dir.join("submit.told"));
    fs::write(&bot, format!("import time\n\ntime.sleep(2.5)\n{kit}")).unwrap();
    let mut command = palestra(dir);
    let log = File::create(&told).unwrap();
    command
        .args(["submit", &format!("http://{}", stand.site), "rps"])
        .arg(bot)
        .args(["--token", &stand.key(player)])
        .stdout(log.try_clone().unwrap())
        .stderr(log);
    (Process::start(&mut command), told)
}

fn matches_of(told: &Path) -> usize {
    let text = fs::read_to_string(told).unwrap();
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.filter(|event| event["event"] == "over").count()
}

#[test]
fn a_standby_takes_over_from_a_server_that_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let plan = format!("database = \"{}\"\n{EVENT}", postgres.address);
    let mut stand = Stand::new(dir.path(), "event", &plan);
    let players = stand.add_players(&["anna", "bela", "cili"].map(str::to_owned));
    stand.open();
    let standby = stand.standby("second");
    let (_anna, told) = connect(dir.path(), &stand, &players[0]);
    let handed = palestra(dir.path())
        .args(["submit", &format!("http://{}", stand.site), "rps"])
        .arg(project().join("games/rps/kits/python/rps.py"))
        .args(["--token", &stand.key(&players[1])])
        .output()
        .unwrap();
    assert!(handed.status.success(), "{handed:?}");
    stand.until("matches of the client", |_| matches_of(&told) >= 2);
    let list = stand.ask("/api/matches?limit=5");
    let number = list["matches"][0]["id"].as_i64().expect("a match").to_string();
    let replay = stand.download(&format!("/api/matches/{number}/replay"));
    let before = matches_of(&told);

    let (submission, submitted) = submit_slowly(dir.path(), &stand, &players[2]);
    let says = |words: &str| fs::read_to_string(&submitted).unwrap().contains(words);
    stand.until("a submission on its way", |_| says("handed in as version 1"));
    stand.kill();
    assert!(!says("ready"), "it was settled before");
    fs::remove_dir_all(dir.path().join("event.arena")).unwrap();
    stand.until("the site of the second", |stand| stand.ask("/api/live")["state"] == "open");
    stand.until("more matches of the client", |_| matches_of(&told) > before + 1);
    assert_eq!(stand.download(&format!("/api/matches/{number}/replay")), replay);
    stand.until("the end of the submission", |_| says("version 1 is ready and plays"));
    drop(submission);
    // What was handed in at the first plays on, compiled anew from what the database keeps.
    let newest = |stand: &Stand| {
        let list = stand.ask("/api/matches?limit=50");
        let matches = list["matches"].as_array().expect("a list").clone();
        matches.into_iter().filter(|one| one["id"].as_i64() > number.parse().ok()).collect::<Vec<Value>>()
    };
    stand.until("a match of the program", |stand| {
        newest(stand).iter().any(|one| {
            let seats = one["seats"].as_array().expect("seats");
            seats.iter().any(|seat| seat["name"] == "bela" && seat["version"] == 1)
        })
    });
    let numbers: Vec<i64> = newest(&stand).iter().map(|one| one["id"].as_i64().unwrap()).collect();
    let mut once = numbers.clone();
    once.dedup();
    assert_eq!(once, numbers, "no number is given twice");
    drop(standby);
    until("it is gone", || ureq::get(format!("http://{}/api/live", stand.site)).call().is_err());
}
