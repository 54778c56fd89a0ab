//! What an attacker of the zoo finds around it: secrets, a process, servers, and an arena, each its own; afterwards it
//! is seen whether they are as they were.

use crate::support::{palestra, project};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Between two looks at a match that goes on.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The folders and targets of one match.
pub(super) struct Stage {
    root: TempDir,
    secret: String,
    bot: PathBuf,
    opponent: Option<PathBuf>,
    victim: Mutex<Child>,
    tcp: TcpListener,
    sockets: [UnixListener; 2],
    /// What is in the folders that nobody may change.
    before: BTreeMap<PathBuf, Vec<u8>>,
}

/// How a match ended.
pub(super) struct Ended {
    /// The exit code; `None` if it had to be killed.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The most memory that palestra held itself.
    pub(super) host_peak: u64,
}

impl Stage {
    pub(super) fn new(bot: &str, pair: Option<&str>) -> Stage {
        static STAGES: AtomicU32 = AtomicU32::new(0);
        let number = format!("{}-{}", std::process::id(), STAGES.fetch_add(1, Ordering::Relaxed));
        let secret = format!("swordfish-{number}");
        let root = tempfile::Builder::new().prefix("zoo-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let place = |name: &str| root.path().join(name);
        for folder in ["home", "bot", "neighbour", "arena"] {
            fs::create_dir(place(folder)).unwrap();
        }
        let secrets =
            ["home/zoo-secret-home.txt", "neighbour/zoo-secret-neighbour.txt", "arena/zoo-secret.db"];
        for file in secrets {
            fs::write(place(file), format!("{secret}\n")).unwrap();
        }
        let victim = Command::new("sleep").arg("1000").env("ZOO_SECRET", &secret).spawn().unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let abstract_name = format!("zoo-{number}");
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let sockets =
            [UnixListener::bind_addr(&address).unwrap(), UnixListener::bind(place("home/socket")).unwrap()];
        tcp.set_nonblocking(true).unwrap();
        sockets.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());

        let shown = |name: &str| place(name).display().to_string();
        let targets = [
            ("@home@", shown(secrets[0])),
            ("@neighbour@", shown(secrets[1])),
            ("@database@", shown(secrets[2])),
            ("@home_folder@", shown("home")),
            ("@socket@", shown("home/socket")),
            ("@abstract@", abstract_name),
            ("@port@", tcp.local_addr().unwrap().port().to_string()),
            ("@victim@", victim.id().to_string()),
            ("@pid_namespace@", fs::read_link("/proc/self/ns/pid").unwrap().display().to_string()),
        ];
        let bot_path = put(bot, &place("bot"), &targets);
        let opponent = pair.map(|pair| put(pair, &place("neighbour"), &targets));
        let victim = Mutex::new(victim);
        let mut stage =
            Stage { root, secret, bot: bot_path, opponent, victim, tcp, sockets, before: BTreeMap::new() };
        stage.before = stage.precious();
        stage
    }

    pub(super) fn bot(&self) -> String {
        self.bot.display().to_string()
    }

    pub(super) fn opponent(&self) -> String {
        self.opponent.as_ref().map_or_else(|| "afk".to_owned(), |path| path.display().to_string())
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// What the command lines of this match's processes have in common.
    pub(super) fn mark(&self) -> String {
        self.root.path().display().to_string()
    }

    /// Runs palestra with these arguments, for so long at most.
    pub(super) fn play(&self, arguments: &[String], limit: Duration) -> Ended {
        let place = |name: &str| self.root.path().join(name);
        let mut child = palestra(&place("arena"))
            .args(arguments)
            .env("PALESTRA_CACHE", place("cache"))
            .env("HOME", place("home"))
            .env("ZOO_SECRET", &self.secret)
            .stdout(File::create(place("stdout")).unwrap())
            .stderr(File::create(place("stderr")).unwrap())
            .spawn()
            .unwrap();
        let (deadline, mut host_peak) = (Instant::now() + limit, 0);
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code();
            }
            if Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            host_peak = host_peak.max(kibibytes(&format!("/proc/{}/status", child.id()), "VmHWM:"));
            std::thread::sleep(LOOK_EVERY);
        };
        let text = |name: &str| String::from_utf8_lossy(&fs::read(place(name)).unwrap()).into_owned();
        Ended { code, stdout: text("stdout"), stderr: text("stderr"), host_peak }
    }

    /// What the bots wrote to their standard error.
    pub(super) fn said(&self) -> String {
        let logs = fs::read_dir(self.root.path().join("arena/logs")).into_iter().flatten().flatten();
        let bytes = logs.filter_map(|entry| fs::read(entry.path()).ok());
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }

    /// Everything around the bot that is not as it was.
    pub(super) fn complaints(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let after = self.precious();
        let changed = |path: &&PathBuf| self.before.get(*path) != after.get(*path);
        let all: BTreeMap<_, _> = self.before.iter().chain(&after).collect();
        wrong.extend(all.into_keys().filter(changed).map(|path| format!("{} was changed", path.display())));
        if self.victim.lock().unwrap().try_wait().unwrap().is_some() {
            wrong.push("a process outside was ended".to_owned());
        }
        if self.tcp.accept().is_ok() || self.sockets.iter().any(|socket| socket.accept().is_ok()) {
            wrong.push("a server outside was called".to_owned());
        }
        wrong
    }

    pub(super) fn disk_bytes(&self) -> u64 {
        files(self.root.path())
            .iter()
            .filter_map(|file| fs::symlink_metadata(file).ok())
            .map(|meta| meta.len())
            .sum()
    }

    fn precious(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let folders = ["home", "bot", "neighbour"].map(|name| files(&self.root.path().join(name)));
        let all = folders.concat().into_iter().chain([self.root.path().join("arena/zoo-secret.db")]);
        all.map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let victim = self.victim.get_mut().unwrap();
        let _ = victim.kill();
        let _ = victim.wait();
    }
}

/// Puts a bot of the zoo into a folder and tells it where its targets are. It gets what it shares with the others into
/// its own file, because a source may be all that a sandbox shows.
fn put(name: &str, folder: &Path, targets: &[(&str, String)]) -> PathBuf {
    let zoo = project().join("zoo");
    let shares = |line: &str| match line {
        "#include \"attack.h\"" => Some("attack.h"),
        _ if line.starts_with("from attack import ") => Some("attack.py"),
        _ => None,
    };
    let mut text = String::new();
    for line in fs::read_to_string(zoo.join(name)).unwrap().lines() {
        match shares(line) {
            Some(shared) => text.push_str(&fs::read_to_string(zoo.join(shared)).unwrap()),
            None => text.extend([line, "\n"]),
        }
    }
    for (word, target) in targets {
        text = text.replace(word, target);
    }
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, zoo.join(name).metadata().unwrap().permissions()).unwrap();
    file
}

/// All files below a folder; links are not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            _ => found.push(entry.path()),
        }
    }
    found
}

/// Shared memory of the whole machine, files in memory included.
pub(super) fn shared_bytes() -> u64 {
    kibibytes("/proc/meminfo", "Shmem:")
}

/// A field of a file of the kernel's that counts in KiB, in bytes; 0 if it is not there.
fn kibibytes(file: &str, field: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.split_ascii_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) << 10
}
