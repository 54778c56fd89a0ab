//! An arena as its organiser runs it: a plan, a process, commands, and what the site tells.

use crate::support::palestra;
use palestra_core::Rng;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Nothing here takes as long as this unless it hangs.
const PATIENCE: Duration = Duration::from_secs(120);
const MOMENT: Duration = Duration::from_millis(25);

/// Waits until something is so.
#[track_caller]
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(MOMENT);
    }
}

/// A process of the test, which ends with everything it has started.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn start(command: &mut Command) -> Process {
        Process(command.process_group(0).spawn().expect("it starts"))
    }

    /// How it ended.
    pub(crate) fn wait(mut self) -> ExitStatus {
        self.0.wait().expect("it was started")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; then the number is not its own any more.
        if let (Ok(None), Some(pid)) = (self.0.try_wait(), Pid::from_raw(self.0.id() as i32)) {
            let _ = kill_process_group(pid, Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

/// Somebody with an account.
pub(crate) struct Player {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) password: String,
}

/// An event, whose arena is open or not.
pub(crate) struct Stand {
    dir: PathBuf,
    plan: String,
    pub(crate) site: SocketAddr,
    pub(crate) gateway: SocketAddr,
    arena: Option<Process>,
}

impl Stand {
    /// Writes the plan of an event, with addresses that stay the same when its arena is started again.
    pub(crate) fn new(dir: &Path, name: &str, plan: &str) -> Stand {
        let [site, gateway] = free_addresses();
        let file = dir.join(format!("{name}.toml"));
        // Whatever this machine gives: what is played is the test's own.
        let settings = format!("site = \"{site}\"\ngateway = \"{gateway}\"\nmemory_by_process = true\n");
        fs::write(&file, settings + plan).unwrap();
        Stand { dir: dir.to_owned(), plan: file.display().to_string(), site, gateway, arena: None }
    }

    /// Starts the arena, and waits until it answers.
    pub(crate) fn open(&mut self) {
        let log = OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        let mut command = palestra(&self.dir);
        command.args(["serve", &self.plan]).stdout(log.try_clone().unwrap()).stderr(log);
        self.arena = Some(Process::start(&mut command));
        self.ask("/api/live");
    }

    /// Starts a second server for the event, with a folder of its own; it waits for the end of the first.
    pub(crate) fn standby(&self, name: &str) -> Process {
        let file = self.dir.join(format!("{name}.toml"));
        fs::copy(&self.plan, &file).unwrap();
        let log = File::create(self.dir.join(format!("{name}.log"))).unwrap();
        let mut command = palestra(&self.dir);
        command.arg("serve").arg(file).arg("--standby").stdout(log.try_clone().unwrap()).stderr(log);
        Process::start(&mut command)
    }

    /// Kills the arena, and nothing else.
    pub(crate) fn kill(&mut self) {
        let mut arena = self.arena.take().expect("it is open");
        assert!(arena.0.try_wait().unwrap().is_none(), "it ended by itself: {}", self.told());
        arena.0.kill().unwrap();
        arena.0.wait().unwrap();
    }

    /// Waits until something is so of the arena.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, mut so: impl FnMut(&Stand) -> bool) {
        let start = Instant::now();
        while !so(self) {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {what}; {}", self.told());
            sleep(MOMENT);
        }
    }

    /// Stops everything for a while, and waits for what is being played.
    pub(crate) fn come_to_rest(&self) {
        self.organise(&["pause"]);
        self.until("a pause", |stand| {
            let live = stand.ask("/api/live");
            live["state"] == "paused" && live["running"] == 0
        });
    }

    /// `palestra event` with this event: what to do, and with what.
    #[track_caller]
    pub(crate) fn organise(&self, words: &[&str]) -> String {
        let (what, with) = words.split_first().expect("a command");
        self.event(&[what], with)
    }

    /// Makes accounts.
    pub(crate) fn add_players(&self, names: &[String]) -> Vec<Player> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let added: Vec<Value> =
            serde_json::from_str(&self.event(&["players", "add", "--json"], &names)).unwrap();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let player = |new: &Value| Player {
            id: new["id"].as_i64().expect("a number"),
            name: text(&new["name"]),
            password: text(&new["password"]),
        };
        added.iter().map(player).collect()
    }

    /// A key for the programs of a player.
    pub(crate) fn key(&self, player: &Player) -> String {
        self.event(&["players", "key"], &[&player.name]).trim().to_owned()
    }

    #[track_caller]
    fn event(&self, what: &[&str], with: &[&str]) -> String {
        let mut command = palestra(&self.dir);
        let output =
            command.arg("event").args(what).arg(&self.plan).args(with).output().expect("palestra runs");
        assert!(output.status.success(), "{what:?} {with:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// What the site answers.
    #[track_caller]
    pub(crate) fn ask(&self, path: &str) -> Value {
        serde_json::from_slice(&self.download(path)).expect("JSON")
    }

    #[track_caller]
    pub(crate) fn download(&self, path: &str) -> Vec<u8> {
        let address = format!("http://{}{path}", self.site);
        let mut answer = Vec::new();
        self.until(path, |_| match ureq::get(&address).call() {
            Ok(mut good) => {
                answer = good.body_mut().read_to_vec().unwrap_or_default();
                !answer.is_empty()
            }
            Err(_) => false,
        });
        answer
    }

    /// A scored round.
    pub(crate) fn round(&self, name: &str) -> Value {
        let live = self.ask("/api/live");
        let rounds = live["rounds"].as_array().expect("a list");
        rounds.iter().find(|round| round["name"] == name).expect("a round of the plan").clone()
    }

    fn log(&self) -> String {
        format!("{}.log", self.plan)
    }

    /// What the arena has written from its first start on, and what its site shows now.
    pub(crate) fn told(&self) -> String {
        let written = fs::read_to_string(self.log()).unwrap_or_default();
        let pages = ["/api/live", "/api/games/rps/standings"].map(|path| {
            let answer = ureq::get(format!("http://{}{path}", self.site)).call();
            answer.and_then(|mut answer| answer.body_mut().read_to_string()).unwrap_or_default()
        });
        format!("the arena says: {written}\n{}", pages.join("\n"))
    }
}

/// Two addresses that nobody has. Not of those that the system gives to clients: one of ours could get it while the arena
/// is away, and even connect to itself.
fn free_addresses() -> [SocketAddr; 2] {
    // Tests of one process look for ports at the same time.
    static STANDS: AtomicU64 = AtomicU64::new(0);
    let mut rng = Rng::new(u64::from(std::process::id()) << 32 | STANDS.fetch_add(1, Ordering::Relaxed));
    let mut listener = || {
        let ports = std::iter::repeat_with(|| rng.between(12_000, 30_000) as u16).take(1000);
        let mut free = ports.filter_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
        free.next().expect("one of so many is free")
    };
    [listener(), listener()].map(|listener| listener.local_addr().unwrap())
}
