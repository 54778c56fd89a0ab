//! Everybody who takes part, each kind in its own way: our clients in C++ and Python, programs behind `palestra connect`,
//! programs that were handed in, and the smallest client there can be, for good and for ill.

use super::plain::{Plain, Style};
use super::stand::{Player, Process, Stand};
use crate::support::{palestra, project};
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How somebody takes part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Cpp,
    Python,
    Bridge,
    HandedIn,
    Plain,
    Rogue,
    Attacker,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Cpp => "cpp",
            Kind::Python => "python",
            Kind::Bridge => "bridge",
            Kind::HandedIn => "handed-in",
            Kind::Plain => "plain",
            Kind::Rogue => "rogue",
            Kind::Attacker => "attacker",
        }
    }
}

/// A name for everybody: "cpp-1".
pub(super) fn names(players: &[(Kind, usize)]) -> Vec<String> {
    let of_kind = |(kind, count): &(Kind, usize)| {
        let word = kind.word();
        (1..=*count).map(move |number| format!("{word}-{number}"))
    };
    players.iter().flat_map(of_kind).collect()
}

enum Client {
    Process(#[expect(dead_code, reason = "it ends when this is dropped")] Process),
    Plain(#[expect(dead_code, reason = "it ends when this is dropped")] Plain),
}

/// Everybody who is connected.
pub(super) struct Crowd {
    clients: HashMap<String, Client>,
    /// Where what attacks the compiler is on its way.
    bombs: Vec<(Process, PathBuf)>,
}

/// Have orphans compute on the core of the match, or sleep now and then when they are behind, as if the machine were busy.
const ATTACKERS: [&str; 2] = [ORPHANS, SLEEPER];

const ORPHANS: &str = r#"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            if (fork() != 0) _exit(0);
            setsid();
            alarm(120);
            for (volatile unsigned long work = 0;; work++) {}
        }
    }
    char line[4096];
    while (fgets(line, sizeof line, stdin))
        if (strcmp(line, ".\n") == 0) { puts("prod R\n."); fflush(stdout); }
}
"#;

const SLEEPER: &str = r#"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    char line[4096];
    int enemies = 0, sleeps = time(NULL) % 8 == 0;
    while (fgets(line, sizeof line, stdin)) {
        enemies += strstr(line, " E ") != NULL;
        if (strcmp(line, ".\n") != 0) continue;
        if (sleeps && enemies > 2) { sleep(4); sleeps = 0; }
        enemies = 0;
        puts(".");
        fflush(stdout);
    }
}
"#;

/// Sources that have the compiler name files which whoever reads them regrets.
const BOMBS: [&str; 2] = ["#include \"/proc/self/pagemap\"\n", "#include \"/dev/zero\"\n"];

impl Crowd {
    /// Has everybody come, and waits for what is handed in.
    pub(super) fn gather(dir: &Path, stand: &Stand, players: &[Player]) -> Crowd {
        let bots = Bots::make(dir);
        let mut clients = HashMap::new();
        let (mut on_the_way, mut bombs) = (Vec::new(), Vec::new());
        for player in players {
            let (kind, number) = player.name.rsplit_once('-').expect("a kind and a number");
            let wish = wish(&player.name, players);
            let client = match kind {
                "cpp" => Client::Process(connected(dir, stand, player, &wish, &mut Command::new(&bots.cpp))),
                "python" => Client::Process(connected(
                    dir,
                    stand,
                    player,
                    &wish,
                    Command::new("python3").arg(&bots.python),
                )),
                "bridge" => {
                    let bot = if number == "1" { &bots.python } else { &bots.cpp };
                    Client::Process(bridged(dir, stand, player, bot))
                }
                "handed-in" => {
                    on_the_way.push(handed_in(dir, stand, player, &bots.python));
                    continue;
                }
                "attacker" => {
                    let number: usize = number.parse().expect("a number");
                    let source = |kind: &str, text: &str| {
                        let path = dir.join(format!("{kind}-{number}.c"));
                        fs::write(&path, text).unwrap();
                        path
                    };
                    let attack = source("attack", ATTACKERS[number - 1]);
                    on_the_way.push(handed_in(dir, stand, player, &attack));
                    bombs.push((player, source("bomb", BOMBS[number - 1])));
                    continue;
                }
                _ => {
                    let style = match (kind, number) {
                        ("rogue", "1") => Style::Garble,
                        ("rogue", "2") => Style::Flood,
                        ("rogue", "3") => Style::Drip,
                        ("rogue", _) => Style::Leave,
                        (_, "2") => Style::Sit,
                        _ => Style::Rush,
                    };
                    Client::Plain(Plain::start(stand.gateway, &player.password, &wish, style))
                }
            };
            clients.insert(player.name.clone(), client);
        }
        for (process, log) in on_the_way {
            assert!(process.wait().success(), "{}", fs::read_to_string(log).unwrap_or_default());
        }
        // A player hands in one thing at a time.
        let bombs: Vec<_> =
            bombs.into_iter().map(|(player, bomb)| handed_in(dir, stand, player, &bomb)).collect();
        // What is still on its way when the arena is killed was never handed in.
        let is_there =
            |log: &PathBuf| fs::read_to_string(log).is_ok_and(|told| told.contains("handed in as"));
        stand.until("the bombs are handed in", |_| bombs.iter().all(|(_, log)| is_there(log)));
        Crowd { clients, bombs }
    }

    /// They were rejected, and nothing else came of them.
    pub(super) fn check_attacks_on_the_compiler(&mut self, stand: &Stand) {
        for (process, log) in self.bombs.drain(..) {
            let rejected = !process.wait().success();
            let told = fs::read_to_string(log).unwrap_or_default();
            assert!(rejected && told.contains("rejected"), "{told}\n{}", stand.told());
        }
    }

    /// Somebody leaves for good.
    pub(super) fn leave(&mut self, name: &str) {
        self.clients.remove(name).expect("somebody of this name is here");
    }
}

/// Whom somebody wants to play: most want anybody, one a certain player, one nobody but the bot.
fn wish(name: &str, players: &[Player]) -> String {
    let number =
        |name: &str| players.iter().find(|player| player.name == name).map(|player| player.id.to_string());
    match name {
        "plain-1" => number("python-2").expect("a player"),
        "plain-2" => "bot".to_owned(),
        "python-1" => "any bot".to_owned(),
        _ => "any".to_owned(),
    }
}

/// A client that speaks with the gateway itself.
fn connected(dir: &Path, stand: &Stand, player: &Player, wish: &str, client: &mut Command) -> Process {
    // Each has a folder for its own debug.log.
    let home = dir.join(&player.name);
    fs::create_dir(&home).unwrap();
    let (host, port) = (stand.gateway.ip().to_string(), stand.gateway.port().to_string());
    client
        .args(["--retry", "1", &host, &port])
        .env("RPS_PASSWORD", &player.password)
        .env("RPS_OPPONENTS", wish);
    Process::start(client.current_dir(&home).stdin(Stdio::null()).stdout(heard(&home.join("told.log"))))
}

/// A bot behind `palestra connect`.
fn bridged(dir: &Path, stand: &Stand, player: &Player, bot: &Path) -> Process {
    let mut command = palestra(dir);
    let words = ["connect", &stand.gateway.to_string(), "--game", "rps", "--opponents", "any", "--"];
    let told = heard(&dir.join(format!("{}.log", player.name)));
    command.args(words).arg(bot).env("PALESTRA_TOKEN", &player.password);
    Process::start(command.stdout(told.try_clone().unwrap()).stderr(told))
}

/// A bot on its way to the workshop, and where it is told what becomes of it.
fn handed_in(dir: &Path, stand: &Stand, player: &Player, bot: &Path) -> (Process, PathBuf) {
    let log = dir.join(format!("{}.log", player.name));
    let told = heard(&log);
    let mut command = palestra(dir);
    command.args(["submit", &stand.site.to_string(), "rps"]).arg(bot).args(["--token", &stand.key(player)]);
    (Process::start(command.stdout(told.try_clone().unwrap()).stderr(told)), log)
}

fn heard(path: &Path) -> File {
    File::create(path).unwrap()
}

/// Our clients, as a participant has made them: with the password, and for the small board of this event.
struct Bots {
    cpp: PathBuf,
    python: PathBuf,
}

impl Bots {
    fn make(dir: &Path) -> Bots {
        let cpp = [
            ("return \"password\"", "return std::getenv(\"RPS_PASSWORD\")"),
            ("return \"any bot\"", "return std::getenv(\"RPS_OPPONENTS\")"),
            ("int mSize = 20", "int mSize = 6"),
        ];
        let python = [
            ("return \"password\"", "return os.environ[\"RPS_PASSWORD\"]"),
            ("return \"any bot\"", "return os.environ[\"RPS_OPPONENTS\"]"),
            ("SIZE = 20", "SIZE = 6"),
        ];
        let source = edited("rps/kits/cpp/main.cpp", &cpp, &dir.join("main.cpp"));
        let bots = Bots {
            cpp: dir.join("client"),
            python: edited("rps/kits/python/rps.py", &python, &dir.join("rps.py")),
        };
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-O1", "-I"]).arg(project().join("games/rps/kits/cpp")).arg(source);
        assert!(compiler.arg("-o").arg(&bots.cpp).status().expect("a compiler").success());
        bots
    }
}

fn edited(kit: &str, edits: &[(&str, &str)], to: &Path) -> PathBuf {
    let mut text = fs::read_to_string(project().join("games").join(kit)).unwrap();
    for (old, new) in edits {
        assert_eq!(text.matches(old).count(), 1, "{old} in {kit}");
        text = text.replace(old, new);
    }
    fs::write(to, text).unwrap();
    to.to_owned()
}
