//! What an attacker of the zoo finds around it: secrets, a process, servers, and an arena, each its own; afterwards it
//! is seen whether they are as they were.

use super::Files;
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Between two looks at a match that goes on.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The folders and targets of one match.
pub(super) struct Environment {
    root: TempDir,
    secret: String,
    bot: PathBuf,
    opponent: Option<PathBuf>,
    victim: Victim,
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

impl Environment {
    /// Lays everything out, in a new folder in `place`.
    pub(super) fn new(place: &Path, bot: &str, pair: Option<&str>) -> Result<Environment, Failure> {
        static ENVIRONMENTS: AtomicU32 = AtomicU32::new(0);
        let number = format!("{}-{}", std::process::id(), ENVIRONMENTS.fetch_add(1, Ordering::Relaxed));
        let secret = format!("swordfish-{number}");
        let root = tempfile::Builder::new().prefix("zoo-").tempdir_in(place)?;
        let place = |name: &str| root.path().join(name);
        for folder in ["home", "bot", "neighbour", "arena"] {
            fs::create_dir(place(folder))?;
        }
        let secrets =
            ["home/zoo-secret-home.txt", "neighbour/zoo-secret-neighbour.txt", "arena/zoo-secret.db"];
        for file in secrets {
            fs::write(place(file), format!("{secret}\n"))?;
        }
        let victim = Victim(Command::new("sleep").arg("1000").env("ZOO_SECRET", &secret).spawn()?);
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let abstract_name = format!("zoo-{number}");
        let address = SocketAddr::from_abstract_name(&abstract_name)?;
        let sockets = [UnixListener::bind_addr(&address)?, UnixListener::bind(place("home/socket"))?];
        tcp.set_nonblocking(true)?;
        for socket in &sockets {
            socket.set_nonblocking(true)?;
        }

        let shown = |name: &str| place(name).display().to_string();
        let targets = [
            ("@home@", shown(secrets[0])),
            ("@neighbour@", shown(secrets[1])),
            ("@database@", shown(secrets[2])),
            ("@home_folder@", shown("home")),
            ("@socket@", shown("home/socket")),
            ("@abstract@", abstract_name),
            ("@port@", tcp.local_addr()?.port().to_string()),
            ("@victim@", victim.0.id().to_string()),
            ("@pid_namespace@", fs::read_link("/proc/self/ns/pid")?.display().to_string()),
        ];
        let bot = put(bot, &place("bot"), &targets)?;
        let opponent = pair.map(|pair| put(pair, &place("neighbour"), &targets)).transpose()?;
        let mut environment =
            Environment { root, secret, bot, opponent, victim, tcp, sockets, before: BTreeMap::new() };
        environment.before = environment.precious();
        Ok(environment)
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

    /// Runs this program with these arguments, for so long at most.
    pub(super) fn play(&self, arguments: &[String], limit: Duration) -> Result<Ended, Failure> {
        let place = |name: &str| self.root.path().join(name);
        let mut child = Command::new("/proc/self/exe")
            .args(arguments)
            .current_dir(place("arena"))
            .env("PALESTRA_CACHE", place("cache"))
            .env("HOME", place("home"))
            .env("ZOO_SECRET", &self.secret)
            .stdin(Stdio::null())
            .stdout(File::create(place("stdout"))?)
            .stderr(File::create(place("stderr"))?)
            .spawn()?;
        let (deadline, mut host_peak) = (Instant::now() + limit, 0);
        let code = loop {
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            if Instant::now() > deadline {
                child.kill()?;
                child.wait()?;
                break None;
            }
            host_peak = host_peak.max(peak_of(child.id()));
            std::thread::sleep(LOOK_EVERY);
        };
        let text = |name: &str| -> io::Result<String> {
            Ok(String::from_utf8_lossy(&fs::read(place(name))?).into_owned())
        };
        Ok(Ended { code, stdout: text("stdout")?, stderr: text("stderr")?, host_peak })
    }

    /// What the bots wrote to their standard error.
    pub(super) fn said(&self) -> String {
        let logs = fs::read_dir(self.root.path().join("arena/logs")).into_iter().flatten().flatten();
        let bytes = logs.filter_map(|entry| fs::read(entry.path()).ok());
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }

    /// Everything around the bot that is not as it was.
    pub(super) fn complaints(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        let after = self.precious();
        let changed = |path: &&PathBuf| self.before.get(*path) != after.get(*path);
        let all: BTreeMap<_, _> = self.before.iter().chain(&after).collect();
        wrong.extend(all.into_keys().filter(changed).map(|path| format!("{} was changed", path.display())));
        if !matches!(self.victim.0.try_wait(), Ok(None)) {
            wrong.push("a process outside was ended".to_owned());
        }
        if self.tcp.accept().is_ok() || self.sockets.iter().any(|socket| socket.accept().is_ok()) {
            wrong.push("a server outside was called".to_owned());
        }
        let left = self.processes();
        if !left.is_empty() {
            wrong.push(format!("processes are left: {left:?}"));
        }
        wrong
    }

    pub(super) fn disk_bytes(&self) -> u64 {
        let files = files(self.root.path());
        files.iter().filter_map(|file| fs::symlink_metadata(file).ok()).map(|meta| meta.len()).sum()
    }

    /// Processes of this match, which all have its folder in their command lines.
    fn processes(&self) -> Vec<u32> {
        let mark = self.root.path().display().to_string();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let marked = entries.filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let command = fs::read(entry.path().join("cmdline")).ok()?;
            String::from_utf8_lossy(&command).contains(&mark).then_some(pid)
        });
        marked.collect()
    }

    fn precious(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let folders = ["home", "bot", "neighbour"].map(|name| files(&self.root.path().join(name)));
        let all = folders.concat().into_iter().chain([self.root.path().join("arena/zoo-secret.db")]);
        all.map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
    }
}

/// A process that has a secret and does nothing.
struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Puts a bot of the zoo into a folder and tells it where its targets are. It gets what it shares with the others into
/// its own file, because a source may be all that a sandbox shows.
fn put(name: &str, folder: &Path, targets: &[(&str, String)]) -> Result<PathBuf, Failure> {
    let shares = |line: &str| match line {
        "#include \"attack.h\"" => Some("attack.h"),
        _ if line.starts_with("from attack import ") => Some("attack.py"),
        _ => None,
    };
    let mut text = String::new();
    for line in source(name)?.lines() {
        match shares(line) {
            Some(shared) => text.push_str(&source(shared)?),
            None => text.extend([line, "\n"]),
        }
    }
    for (word, target) in targets {
        text = text.replace(word, target);
    }
    let file = folder.join(name);
    fs::write(&file, text)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    Ok(file)
}

/// The text of a file of the zoo.
pub(super) fn source(name: &str) -> Result<String, Failure> {
    let file = Files::get(name).ok_or_else(|| Failure::input(format!("{name} is not in the zoo")))?;
    Ok(String::from_utf8_lossy(&file.data).into_owned())
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

/// The most memory that a process has held so far; 0 if it is not there.
fn peak_of(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.split_ascii_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) << 10
}
