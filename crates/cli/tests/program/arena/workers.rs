//! An arena whose programs play at a worker's: handed in here, compiled and played there, shown and stored here.

use super::stand::{Player, Stand};
use crate::support::{palestra, project};
use palestra_core::AnyGame;
use palestra_generals::Generals;
use palestra_queue::{Worker, WorkerOptions};
use palestra_runner::Interrupt;
use palestra_testkit::{NatsServer, Postgres};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

static GAMES: &[&dyn AnyGame] = &[&Generals];

/// Everybody may see everything at once, and this machine plays no programs itself.
const EVENT: &str = r#"
name = "Elsewhere"
sandbox = "off"
live_delay = "0s"
parallel = 0

[[game]]
id = "generals"
maps = ["duel"]
settings = { max_turns = 40 }
house = ["greedy"]
"#;

/// A worker, as palestra worker runs one. Dropping it breaks it off.
struct Running {
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(nats: &NatsServer, name: &str, dir: &Path) -> Running {
        let options = WorkerOptions {
            name: name.to_owned(),
            places: Some(1),
            version: "test".to_owned(),
            strict: false,
            cache: Some(dir.join(name)),
        };
        let worker = Worker::new(GAMES, nats.address().parse().unwrap(), options, Arc::new(|_| ()));
        let stop = Interrupt::new().unwrap();
        let thread = std::thread::spawn({
            let stop = stop.clone();
            move || drop(worker.run(&stop, &stop))
        });
        Running { stop, thread: Some(thread) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Hands in a bot that thinks for a moment and talks to itself.
fn hand_in(dir: &Path, stand: &Stand, player: &Player) {
    let kit = fs::read_to_string(project().join("games/generals/kits/python/generals.py")).unwrap();
    let slowly =
        "import time; time.sleep(0.02); print('thinking', file=sys.stderr); move = choose(board, me)";
    let bot = dir.join("bot.py");
    fs::write(&bot, kit.replace("move = choose(board, me)", slowly)).unwrap();
    let handed = palestra(dir)
        .args(["submit", &format!("http://{}", stand.site), "generals"])
        .arg(&bot)
        .args(["--token", &stand.key(player)])
        .output()
        .unwrap();
    assert!(handed.status.success(), "{handed:?}");
}

/// Matches of the ladder with the player's program in them, newest first.
fn ladder(stand: &Stand) -> Vec<Value> {
    let list = stand.ask("/api/matches?limit=100");
    let of_program = |one: &&Value| {
        let seats = one["seats"].as_array().expect("seats");
        one["kind"] == "ladder" && seats.iter().any(|seat| seat["version"] == 1)
    };
    list["matches"].as_array().expect("a list").iter().filter(of_program).cloned().collect()
}

/// How many turns everybody may see of a match that is being played.
fn turns_shown(stand: &Stand) -> u64 {
    let live = stand.ask("/api/live");
    let turns = live["matches"].as_array().expect("a list").iter().map(|one| one["turns"].as_u64());
    turns.flatten().max().unwrap_or(0)
}

/// What organisers see of the workers.
fn workers(stand: &Stand, dir: &Path) -> Value {
    let key = fs::read_to_string(dir.join("event.arena/organiser.key")).unwrap();
    let address = format!("http://{}/api/admin/workers", stand.site);
    let mut answer =
        ureq::get(address).header("authorization", format!("Bearer {}", key.trim())).call().unwrap();
    serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
}

#[test]
fn programs_play_at_workers_and_everything_else_is_as_ever() {
    let dir = tempfile::tempdir().unwrap();
    let nats = NatsServer::start();
    let mut stand = Stand::new(dir.path(), "event", &format!("queue = \"{}\"\n{EVENT}", nats.address()));
    let players = stand.add_players(&["anna".to_owned()]);
    stand.open();
    hand_in(dir.path(), &stand, &players[0]);
    assert_eq!(workers(&stand, dir.path())["count"], 0);
    assert!(ladder(&stand).is_empty(), "there is nobody who could play it");

    let first = Running::start(&nats, "pc1", dir.path());
    stand.until("turns of a match while it is played", |stand| turns_shown(stand) > 2);
    stand.until("matches", |stand| ladder(stand).len() >= 2);
    let seen = workers(&stand, dir.path());
    assert!(seen["count"] == 1 && seen["workers"][0]["name"] == "pc1", "{seen}");

    // The replay is as from a match that was played here.
    let played = ladder(&stand).remove(0);
    assert_eq!(played["worker"], "pc1");
    let replay = dir.path().join("one.replay");
    fs::write(&replay, stand.download(&format!("/api/matches/{}/replay", played["id"]))).unwrap();
    let verified = palestra(dir.path()).args(["replay", "verify"]).arg(&replay).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");

    // The worker goes in the middle of a match, and then the server: nothing is lost or counted twice.
    stand.until("a match in the middle", |stand| turns_shown(stand) > 2);
    drop(first);
    let before = ladder(&stand);
    stand.kill();
    stand.open();
    let _second = Running::start(&nats, "pc2", dir.path());
    stand.until("more matches", |stand| ladder(stand).len() >= before.len() + 2);
    let mut numbers: Vec<i64> = ladder(&stand).iter().map(|one| one["id"].as_i64().unwrap()).collect();
    let count = numbers.len();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
    assert!(before.iter().all(|one| numbers.contains(&one["id"].as_i64().unwrap())));
    assert!(!stand.told().contains("panicked"), "{}", stand.told());
}

#[test]
fn a_standby_opens_without_its_queue_and_says_once_that_it_is_away() {
    let dir = tempfile::tempdir().unwrap();
    let (postgres, mut nats) = (Postgres::start(), NatsServer::start());
    nats.kill();
    let plan = format!("database = \"{}\"\nqueue = \"{}\"\n{EVENT}", postgres.address, nats.address());
    let stand = Stand::new(dir.path(), "event", &plan);
    let players = stand.add_players(&["anna".to_owned()]);
    let _standby = stand.standby("second");
    let said = |what: &str| {
        let log = fs::read_to_string(dir.path().join("second.log")).unwrap();
        log.lines().filter(|line| line.contains(what)).count()
    };
    stand.until("the site", |stand| stand.ask("/api/live")["state"] == "open");
    hand_in(dir.path(), &stand, &players[0]);
    assert_eq!((said("until then no worker plays"), said("the queue is there")), (1, 0));

    nats.resume();
    let _worker = Running::start(&nats, "pc1", dir.path());
    stand.until("matches", |stand| !ladder(stand).is_empty());
    assert_eq!(said("the queue is there"), 1);

    let before = said("queue");
    nats.kill();
    // It is tried again many times meanwhile.
    sleep(Duration::from_secs(4));
    let lines = said("queue") - before;
    assert!((1..=2).contains(&lines), "{}", fs::read_to_string(dir.path().join("second.log")).unwrap());
    nats.resume();
    let played = ladder(&stand).len();
    stand.until("more matches", |stand| ladder(stand).len() > played + 1);
    assert_eq!(said("the queue is there again"), 1);
}

/// What the doctor finds about a queue: what, and whether it is as it should be.
fn findings(dir: &Path, nats: &NatsServer, credentials: Option<&Path>) -> Vec<(String, bool, String)> {
    let mut doctor = palestra(dir);
    doctor.args(["doctor", "--json", "--queue", &nats.address()]);
    if let Some(file) = credentials {
        doctor.arg("--queue-creds").arg(file);
    }
    let told = doctor.output().unwrap();
    assert!(told.status.success(), "{told:?}");
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = told["findings"].as_array().expect("a list").iter();
    list.map(|one| (text(&one["what"]), one["ok"] == true, text(&one["finding"]))).collect()
}

#[test]
fn credentials_open_what_they_should_and_the_doctor_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("event.toml"), EVENT.replace("parallel = 0", "")).unwrap();
    let workers = |what: &str, names: &[&str]| {
        let done =
            palestra(dir.path()).args(["event", "workers", what, "event.toml"]).args(names).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(workers("add", &["pc1", "pc2"]).starts_with("2 workers added"));
    let queue = dir.path().join("event.arena/queue");
    let before = fs::read_to_string(queue.join("pc1.creds")).unwrap();
    assert!(workers("add", &["pc1", "pc3"]).starts_with("1 worker added"));
    assert_eq!(fs::read_to_string(queue.join("pc1.creds")).unwrap(), before, "nobody loses credentials");
    assert_eq!(workers("list", &[]), "pc1\npc2\npc3\n");
    for entry in fs::read_dir(&queue).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{entry:?}");
    }
    assert!(NatsServer::accepts(&queue.join("nats.conf")));

    let users = fs::read_to_string(queue.join("workers.conf")).unwrap();
    let nats = NatsServer::start_with(Some(&users));
    let is_well = |found: &[(String, bool, String)], what: &str| {
        found.iter().find(|(found, ..)| found == what).unwrap_or_else(|| panic!("{what}: {found:?}")).1
    };
    let server = findings(dir.path(), &nats, Some(&queue.join("server.creds")));
    for what in ["version", "JetStream", "credentials", "rights", "TLS", "clock"] {
        assert!(is_well(&server, &format!("queue, {what}")), "{what}: {server:?}");
    }
    let worker = findings(dir.path(), &nats, Some(&queue.join("pc1.creds")));
    assert!(is_well(&worker, "queue, rights") && worker.iter().any(|(.., text)| text.contains("worker pc1")));
    let nobody = findings(dir.path(), &nats, None);
    assert!(nobody.len() == 1 && !nobody[0].1, "{nobody:?}");

    // A queue without users is open to everybody.
    let open = NatsServer::start();
    let found = findings(dir.path(), &open, None);
    assert!(!is_well(&found, "queue, credentials") && is_well(&found, "queue, JetStream"), "{found:?}");
    let found = findings(dir.path(), &open, Some(&queue.join("pc1.creds")));
    assert!(!is_well(&found, "queue, rights"), "{found:?}");

    workers("drop", &["pc1"]);
    assert!(!queue.join("pc1.creds").exists());
    let left = fs::read_to_string(queue.join("workers.conf")).unwrap();
    assert!(!left.contains("# pc1\n") && left.contains("# pc3\n"), "{left}");
}
