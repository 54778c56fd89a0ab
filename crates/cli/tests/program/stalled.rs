//! `palestra play` on a machine that has no time for the bot: it says so, and offers to play again.

use crate::support::{palestra, text};
use crate::tournament::trouble::{BusyLoops, keep_to_one_core};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// Computes for longer than others let it, or, once there is the file `calm`, answers at once.
const WORKER: &str = "import os, time\n\
    while os.read(0, 65536):\n    \
        end = time.process_time() + (0 if os.path.exists('calm') else 2)\n    \
        while time.process_time() < end: pass\n    \
        os.write(1, b'0\\n')\n";
/// Sleeps for too long, whatever the machine does.
const SLEEPER: &str = "import os, time\nos.read(0, 65536)\ntime.sleep(60)\n";

const PLAY: [&str; 11] = [
    "play",
    "auralux",
    "./bot.py",
    "afk",
    "--seed",
    "3",
    "--time",
    "3s",
    "--set",
    "max_steps=2",
    "--no-replay",
];

fn folder(bot: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bot.py"), bot).unwrap();
    dir
}

#[test]
fn whoever_lost_on_time_to_a_busy_machine_is_told_so_and_how_to_play_again() {
    keep_to_one_core();
    let dir = folder(WORKER);
    let busy = BusyLoops::start(6);
    let told = palestra(dir.path()).args(PLAY).output().unwrap();
    let json = palestra(dir.path()).args(PLAY).arg("--json").output().unwrap();
    drop(busy);
    let (out, err) = (text(&told.stdout), text(&told.stderr));
    assert!(out.contains("\n  this machine is to blame: of its 3"), "{out}");
    let again = "to play it again: palestra play auralux ./bot.py afk --seed 3 --time 3s --set max_steps=2 --no-replay";
    assert!(err.lines().any(|line| line == again), "{err}");
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["faults"][0]["waiting"]["machines_fault"], true);
    assert_eq!(text(&json.stderr), "", "scripts have the data");
}

#[test]
fn a_seed_that_nobody_chose_is_in_the_command_that_plays_again() {
    keep_to_one_core();
    let dir = folder(WORKER);
    let unseeded: Vec<&str> = PLAY.iter().copied().filter(|word| !["--seed", "3"].contains(word)).collect();
    let busy = BusyLoops::start(6);
    let told = palestra(dir.path()).args(unseeded).output().unwrap();
    drop(busy);
    let seed = text(&told.stdout);
    let seed = seed.split("seed ").nth(1).and_then(|rest| rest.split(':').next()).unwrap();
    assert!(text(&told.stderr).trim_end().ends_with(&format!("--no-replay --seed {seed}")));
}

#[test]
fn a_bot_that_is_late_by_itself_is_not_excused() {
    let dir = folder(SLEEPER);
    let told = palestra(dir.path()).args(PLAY).output().unwrap();
    let (out, err) = (text(&told.stdout), text(&told.stderr));
    assert!(out.contains("out of time") && !out.contains("to blame"), "{out}");
    assert!(!err.contains("again"), "{err}");
}

/// A program at a terminal: what is written there, and what is typed.
struct Terminal {
    child: std::process::Child,
    screen: BufReader<std::process::ChildStdout>,
}

impl Terminal {
    fn start(dir: &Path) -> Terminal {
        let program = palestra(dir);
        let mut command = Command::new("python3");
        command.args(["-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"]);
        command.arg(program.get_program()).args(PLAY).current_dir(dir);
        command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let screen = BufReader::new(child.stdout.take().unwrap());
        Terminal { child, screen }
    }

    /// Everything up to a line with these words.
    fn read_to(&mut self, words: &str) -> String {
        let mut seen = String::new();
        loop {
            let mut line = Vec::new();
            self.screen.read_until(b'\n', &mut line).unwrap();
            assert!(!line.is_empty(), "\"{words}\" never came:\n{seen}");
            seen += &String::from_utf8_lossy(&line);
            if seen.contains(words) {
                return seen;
            }
        }
    }

    fn type_in(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// What else is written, and whether it ended well.
    fn end(mut self) -> (String, bool) {
        let mut rest = String::new();
        self.screen.read_to_string(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().success())
    }
}

#[test]
fn at_a_terminal_one_is_asked_and_the_same_match_is_played_again() {
    keep_to_one_core();
    let dir = folder(WORKER);
    let busy = BusyLoops::start(6);
    let mut terminal = Terminal::start(dir.path());
    terminal.read_to("play it again? [Y/n]");
    drop(busy);
    fs::write(dir.path().join("calm"), "").unwrap();
    terminal.type_in("\n");
    let (rest, well) = terminal.end();
    assert!(well && rest.contains("Auralux, seed 3: 2 steps"), "{rest}");
    assert!(!rest.contains("again?"), "nothing went wrong: {rest}");
}

#[test]
fn who_does_not_want_to_play_again_is_let_go() {
    keep_to_one_core();
    let dir = folder(WORKER);
    let _busy = BusyLoops::start(6);
    // No, the end of the input, and Ctrl-C.
    for answer in ["n\n", "\u{4}", "\u{3}"] {
        let mut terminal = Terminal::start(dir.path());
        terminal.read_to("play it again? [Y/n]");
        terminal.type_in(answer);
        let (rest, well) = terminal.end();
        assert!(well && !rest.contains("Auralux"), "{answer:?}: {rest}");
    }
}
