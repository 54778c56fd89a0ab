//! The contests' own files and programs: their configurations, tournaments, and the interactor of their test system.

use crate::support::{bot, fails, json, json_free, palestra, processes_with, run, text};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json as object};
use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// How long something may take that is over in a moment; only what hangs takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn the_runner_config_of_auralux_runs_as_it_is() {
    let dir = tempdir().unwrap();
    let map = "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("small_map.txt"), map).unwrap();
    fs::create_dir(dir.path().join("bin")).unwrap();
    let program = dir.path().join("bin/example_player");
    let status = std::process::Command::new("c++")
        .args(["-O1", "-o"])
        .arg(&program)
        .arg(bot("auralux/kits/cpp/auralux.cpp"))
        .status();
    assert!(status.unwrap().success());
    let config = "MAP small_map.txt\n\nPLAYER DEFAULT afk\nPLAYER PROCESS bin/example_player\n\nMAX_STEPS 400\n\nLOG_DIR logs_v2";
    fs::write(dir.path().join("config.txt"), config).unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json"]);
    assert_eq!(report["game"], "auralux");
    let log = |name: &str| fs::read_to_string(dir.path().join("logs_v2").join(name)).unwrap();
    let winner = report["winner"].as_i64().unwrap_or(-1);
    assert_eq!(log("game_scores.log").lines().next().unwrap(), winner.to_string());
    assert_eq!(log("game_scores.log").lines().count(), 6);
    assert!(
        log("game_visualizer.log").starts_with("4 2\n0 0\n10 0\n0 10\n10 10\n0\n1 100 1 100\n2 100 1 100\n")
    );
    assert!(log("game_visualizer.log").ends_with("\n-1\n"));
    assert!(log("game_result.log").len() > 50);
    assert_eq!(log("error.log"), "");
    // From standard input, with the large log left out.
    let mut child = palestra(dir.path())
        .args(["run", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{config} DISABLE_VISUALIZER_LOG").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(log("game_visualizer.log"), "disabled\n");
}

#[test]
fn a_config_is_known_by_its_first_word_whatever_its_lines_are_like() {
    let dir = tempdir().unwrap();
    let map = "6 5\n1 2 3 4 5\n0 0\n10 0\n0 10\n10 10\n20 20\n30 30\n";
    fs::write(dir.path().join("m.txt"), map).unwrap();
    // Its third line is a number, as in a config of Generals.
    let players = "PLAYER DEFAULT afk ".repeat(5);
    fs::write(dir.path().join("config.txt"), format!("MAP m.txt {players}\nMAX_STEPS\n20\nLOG_DIR logs\n"))
        .unwrap();
    // Five players are more than the rules allow; the error names the setting, and it can be changed.
    let said = fails(dir.path(), &["run", "config.txt"], 3);
    assert!(said.contains("max_players"), "{said}");
    let said = fails(dir.path(), &["run", "config.txt", "--set", "max_player=5"], 2);
    assert!(said.contains("did you mean max_players?"), "{said}");
    let report = json(dir.path(), &["run", "config.txt", "--set", "max_players=5", "--json"]);
    assert_eq!([&report["game"], &report["rounds"]], [&object!("auralux"), &object!(20)]);
    // What is on the command line goes before the file.
    let report =
        json(dir.path(), &["run", "config.txt", "--set", "max_players=5", "--set", "max_steps=3", "--json"]);
    assert_eq!(report["rounds"], 3);
}

#[test]
fn a_match_without_a_step_is_a_draw_and_its_bots_are_told() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    fs::write(dir.path().join("bot.py"), "import sys\nopen('told', 'w').write(sys.stdin.read())\n").unwrap();
    let config = "MAP m.txt\nPLAYER PROCESS bot.py\nPLAYER DEFAULT afk\nMAX_STEPS 0\nTMP_DIR work\n";
    fs::write(dir.path().join("config.txt"), config).unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json"]);
    assert_eq!([&report["winner"], &report["turns"]], [&Value::Null, &object!(0)]);
    let log = |name: &str| fs::read_to_string(dir.path().join("logs").join(name)).unwrap();
    assert_eq!(log("game_scores.log"), "-1\n0.5 0.5\n0\n\n0\n\n");
    assert_eq!(log("game_visualizer.log"), "2 2\n0 0\n10 0\n-1\n");
    assert_eq!(fs::read_to_string(dir.path().join("work/told")).unwrap(), "1 2 2\n0 10\n10 0\n-1\n");
}

#[test]
fn a_program_that_is_not_there_is_an_error_and_never_a_built_in_player() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    fs::write(dir.path().join("auralux.txt"), "MAP m.txt PLAYER PROCESS afk PLAYER DEFAULT afk").unwrap();
    fs::write(dir.path().join("g.txt"), "1 3 2\n3 1 3\n").unwrap();
    fs::write(dir.path().join("generals.txt"), "log.txt\ng.txt\n2\ngreedy\nrest\n").unwrap();
    for (config, name) in [("auralux.txt", "afk"), ("generals.txt", "greedy")] {
        let said = fails(dir.path(), &["run", config], 4);
        assert!(said.contains(&format!("there is no file \"{name}\"")), "{said}");
    }
    assert!(!dir.path().join("logs").exists() && !dir.path().join("log.txt").exists());
}

#[test]
fn a_bot_that_cannot_be_started_is_out_and_the_others_play() {
    let dir = tempdir().unwrap();
    let map = "4 3\n1 2 3\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("m.txt"), map).unwrap();
    fs::write(dir.path().join("data"), "no program").unwrap();
    fs::write(dir.path().join("wrong.cpp"), "int main() { return undeclared_thing; }\n").unwrap();
    let script = dir.path().join("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let log = |name: &str| fs::read_to_string(dir.path().join("logs").join(name)).unwrap();
    for (number, broken) in ["data", "wrong.cpp", "script"].into_iter().enumerate() {
        let config =
            format!("MAP m.txt PLAYER PROCESS {broken} PLAYER DEFAULT afk PLAYER DEFAULT afk MAX_STEPS 3");
        fs::write(dir.path().join("config.txt"), config).unwrap();
        let replay = format!("{number}.replay");
        let output = run(dir.path(), &["run", "config.txt", "--json", "--replay", &replay]);
        let said = text(&output.stderr);
        assert!(
            output.status.success() && said.contains(&format!("{broken} is out before the first turn")),
            "{said}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!([&report["rounds"], &report["turns"]], [&object!(3), &object!(6)], "{report:#}");
        assert_eq!(
            report["players"][0]["reason"],
            "disqualified before the first step: could not be started"
        );
        assert_eq!(log("game_scores.log"), "-1\n0 0.375 0.375\n1\n1\n0\n\n");
        assert_eq!(log("error.log"), "player 1: disqualified before the first step: could not be started\n");
        // A block for every seat in every step, those of who is passed over included.
        assert_eq!(log("game_visualizer.log").lines().count(), 1 + 4 + 3 * 3 * 5 + 1);
        json(dir.path(), &["replay", "verify", &replay, "--json"]);
        // Outside of a contest's own config it is an error.
        fails(dir.path(), &["play", "auralux", &format!("./{broken}"), "afk", "--no-replay"], 4);
    }
    // With one left the game is over before the first step, and with nobody left nobody has won.
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    for (other, winner) in [("DEFAULT afk", object!(2)), ("PROCESS script", Value::Null)] {
        fs::write(dir.path().join("config.txt"), format!("MAP m.txt PLAYER PROCESS data PLAYER {other}"))
            .unwrap();
        let report = json(dir.path(), &["run", "config.txt", "--json"]);
        assert_eq!([&report["rounds"], &report["winner"]], [&object!(0), &winner], "{report:#}");
    }
}

#[test]
fn the_config_of_generals_runs_as_it_is() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("maps")).unwrap();
    let map = json_free(dir.path(), &["map", "generals", "8", "8", "2", "--seed", "5"]);
    fs::write(dir.path().join("maps/test_map.txt"), map).unwrap();
    fs::copy(bot("generals/kits/python/generals.py"), dir.path().join("mine.py")).unwrap();
    fs::write(dir.path().join("config.txt"), "logs/log.txt\r\nmaps/test_map.txt\r\n2\r\nmine.py\r\nmine.py")
        .unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json", "--replay", "game.replay"]);
    assert_eq!(report["game"], "generals");
    let log = fs::read_to_string(dir.path().join("logs/log.txt")).unwrap();
    assert!(log.starts_with("8 8 2 0\n1\n"), "{}", &log[..40]);
    assert!(log.ends_with("\n0\n"));
    assert_eq!(json_free(dir.path(), &["replay", "export", "game.replay"]), log);
    fs::write(dir.path().join("three.txt"), "log.txt\nmaps/test_map.txt\n3\nmine.py\nmine.py\nmine.py\n")
        .unwrap();
    let said = fails(dir.path(), &["run", "three.txt"], 3);
    assert!(said.contains("2 players") && said.contains('3'), "{said}");
}

#[test]
fn the_configs_of_grifaki_run_as_they_are() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    fs::create_dir(&game).unwrap();
    let config = r#"{"__about": "small", "width": 9, "height": 8, "rand_seed": 5, "wall_defense_coefficient": 1.3,
        "map": [["MOUNTAIN", 0.1], ["PLAIN", 0.85], ["CITY", 0.05]], "max_game_duration": 210}"#;
    fs::write(game.join("game_config.json"), config).unwrap();
    fs::write(
        game.join("launch_options.json"),
        r#"{"player_links": ["bot.cpp", "bot.cpp"], "time_barrier": 50}"#,
    )
    .unwrap();
    // It includes less than it uses, as bots of that event do.
    let source = "\
int main() { int h, w, n, id, win; std::cin >> h >> w >> n >> id;
  while (std::cin >> win && win == 0) {
    for (int i = 0; i < h * w; i++) { int a, o, l, v, f; std::string t; std::cin >> a >> o >> l >> v >> f >> t; }
    std::cerr << \"seen\" << std::endl; std::cout << \"EMPTY\" << std::endl; } }
";
    fs::write(game.join("bot.cpp"), source).unwrap();
    for named in ["game", "game/launch_options.json", "game/game_config.json"] {
        let output = run(dir.path(), &["run", named]);
        assert!(output.status.success(), "{named}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("tick 100\ntick 200\n"), "{}", text(&output.stderr));
        assert!(fs::read_to_string(game.join("runtimeLog.log")).unwrap().contains("EMPTY"));
        assert_eq!(fs::read_to_string(game.join("player_2_stderr.log")).unwrap(), "seen\n".repeat(210));
        let said = text(&output.stdout);
        assert!(said.ends_with("player 1: ■ blue, bot.cpp\nplayer 2: ■ vermilion, bot.cpp\n"), "{said}");
        // The log that was written during the match is the one that its recording gives.
        let exported = json_free(dir.path(), &["replay", "export", "game/recording.replay"]);
        assert_eq!(fs::read_to_string(game.join("runtimeLog.log")).unwrap(), exported);
        for log in ["runtimeLog.log", "recording.replay", "player_1_stderr.log", "player_2_stderr.log"] {
            fs::remove_file(game.join(log)).unwrap();
        }
    }
    fs::write(game.join("game_config.json"), r#"{"width": 9, "wdith": 9}"#).unwrap();
    let said = fails(dir.path(), &["run", "game"], 3);
    assert!(said.contains("wdith"), "{said}");
}

/// A folder with a match of Grifaki whose first bot does this in each turn.
fn grifaki_folder(folder: &Path, ticks: u32, options: &str, turn: &str) {
    fs::create_dir(folder).unwrap();
    let config = format!(r#"{{"width": 4, "height": 4, "max_game_duration": {ticks}}}"#);
    fs::write(folder.join("game_config.json"), config).unwrap();
    fs::write(
        folder.join("launch_options.json"),
        format!(r#"{{"player_links": ["one.py", "two.py"]{options}}}"#),
    )
    .unwrap();
    let bot = |turn: &str| {
        format!(
            "import sys\nh, w, n, me = map(int, sys.stdin.readline().split())\ntick = 0\n\
             while sys.stdin.readline() == '0\\n':\n    tick += 1\n    \
             for _ in range(h * w): sys.stdin.readline()\n    {turn}\n    sys.stdout.flush()\n"
        )
    };
    fs::write(folder.join("one.py"), bot(turn)).unwrap();
    fs::write(folder.join("two.py"), bot("print('EMPTY')")).unwrap();
}

#[test]
fn the_log_of_grifaki_grows_with_the_match() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    // In its third turn the bot looks at the log, and says how far it has come.
    let looks = "if tick == 3: print(open('game/runtimeLog.log').read().splitlines()[-1], file=sys.stderr)\n    \
                 print('MOVE 0 0 0 0', 10 ** 30)";
    grifaki_folder(&game, 6, "", looks);
    let report = json(dir.path(), &["run", "game", "--json", "--sandbox", "off"]);
    assert_eq!([&report["faults"], &report["rounds"]], [&object!([]), &object!(6)], "{report:#}");
    let seen = fs::read_to_string(game.join("player_1_stderr.log")).unwrap();
    assert_eq!(seen, "tick 2, player 2: EMPTY\n");
    let log = fs::read_to_string(game.join("runtimeLog.log")).unwrap();
    assert_eq!(log.matches("player 1: ! not allowed, counts as EMPTY").count(), 6, "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn grifaki_is_shown_where_there_is_a_screen_at_the_pace_that_was_asked_for() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    grifaki_folder(&game, 40, ", \"time_barrier\": 100", "print('EMPTY')");
    // A browser that tells where it was sent to, and a terminal.
    let browser = dir.path().join("xdg-open");
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{}'\n", dir.path().join("opened").display()))
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = palestra(dir.path());
        let program = command.get_program().to_owned();
        let mut terminal = std::process::Command::new("python3");
        for (key, value) in command.args(arguments).get_envs() {
            if let Some(value) = value {
                terminal.env(key, value);
            }
        }
        let path = std::env::var("PATH").unwrap();
        terminal
            .args(["-c", "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"])
            .arg(program)
            .args(arguments)
            .current_dir(dir.path())
            .env("PATH", format!("{}:{path}", dir.path().display()))
            .env("DISPLAY", ":77")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        terminal.spawn().unwrap()
    };
    let folder = game.display().to_string();
    let unwatched = run(&["run", &folder, "--no-watch"]).wait_with_output().unwrap();
    assert!(unwatched.status.success(), "{}", text(&unwatched.stdout));
    assert!(!dir.path().join("opened").exists());

    fs::remove_file(game.join("recording.replay")).unwrap();
    let begin = Instant::now();
    let mut child = run(&["run", &folder]);
    let _gone = Gone(&folder);
    let opened =
        wait_for(|| fs::read_to_string(dir.path().join("opened")).ok().filter(|url| url.ends_with('\n')));
    assert!(opened.starts_with("http://127.0.0.1:"), "{opened}");
    wait_for(|| game.join("recording.replay").exists().then_some(()));
    // Forty ticks, with thirty-nine pauses of a tenth of a second at least.
    assert!(begin.elapsed() >= Duration::from_millis(3900), "{:?}", begin.elapsed());
    // It goes on serving until it is interrupted.
    assert!(child.try_wait().unwrap().is_none());
    for pid in processes_with(&folder).into_iter().filter(|pid| *pid != child.id()) {
        signal(pid, Signal::INT);
    }
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(processes_with(&folder), [0; 0]);
}

/// Leaves no process with this in its command line, whatever becomes of the test.
struct Gone<'a>(&'a str);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        processes_with(self.0).into_iter().for_each(|pid| signal(pid, Signal::KILL));
    }
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid.cast_signed()) {
        // It may have gone in between.
        let _ = kill_process(pid, signal);
    }
}

/// Waits for something that comes in a moment.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_tournament_config_of_auralux_goes_on_where_it_was() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("small_map.txt"), "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n").unwrap();
    let config = "TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nTOURNAMENT_RESULT_FILE_PATH, result.csv\n\nGAME_LOGS_DIR, logs_t\n\nMAP, small_map.txt\n\nPLAYER, one, DEFAULT afk\nPLAYER, второй, DEFAULT aggressive_expansion_nearest\nPLAYER, three, DEFAULT upgrade_and_repair_main\n";
    fs::write(dir.path().join("cup.txt"), config).unwrap();
    let first = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!([&first["matches"], &first["played_before"]], [&object!(6), &object!(0)]);
    let table = fs::read_to_string(dir.path().join("result.csv")).unwrap();
    assert!(
        table.starts_with("Name\tScore\tAbsoluteWinner\tAliveInDraw\tDead\tDisqualified\nвторой\t"),
        "{table}"
    );
    // One match is lost, as if the power had failed while it was played: only that one is played again.
    let folder = fs::read_dir(dir.path().join("logs_t")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(folder.join("game_scores.log")).unwrap();
    let second = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!(second["played_before"], 5);
    assert_eq!(fs::read_to_string(dir.path().join("result.csv")).unwrap(), table);
    // The same if a scores file is there but says nothing, or nothing that makes sense.
    let mut folders: Vec<_> =
        fs::read_dir(dir.path().join("logs_t")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for (folder, text) in folders.iter().zip([&b""[..], b"1\n1 ", b"\xff\xfe"]) {
        fs::write(folder.join("game_scores.log"), text).unwrap();
    }
    let third = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!(third["played_before"], 3);
    assert_eq!(fs::read_to_string(dir.path().join("result.csv")).unwrap(), table);
    // Another map leaves what was played; its own matches are played.
    fs::write(dir.path().join("other_map.txt"), "4 2\n1 2\n0 0\n20 0\n0 20\n20 20\n").unwrap();
    fs::write(
        dir.path().join("cup.txt"),
        config.replace("MAP, small_map.txt", "MAP, small_map.txt,\nMAP, other_map.txt"),
    )
    .unwrap();
    let larger = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!([&larger["matches"], &larger["played_before"]], [&object!(12), &object!(6)]);
}

/// Puts a program and the judge at the two ends of a pair of pipes, as a test system does.
fn judged(dir: &Path, game: &str, test: &str, participant: &[&str]) -> (i32, String) {
    let mut program = std::process::Command::new(participant[0])
        .args(&participant[1..])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Test systems name a file with the right answer, too, and whatever else they like.
    let mut judge = palestra(dir)
        .args(["judge", game, test, "output.txt", "answer.txt", "-"])
        .stdin(program.stdout.take().unwrap())
        .stdout(program.stdin.take().unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while judge.try_wait().unwrap().is_none() && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nothing happens to one that has ended.
    let hangs = judge.try_wait().unwrap().is_none();
    let _ = judge.kill();
    let output = judge.wait_with_output().unwrap();
    let _ = program.kill();
    let _ = program.wait();
    assert!(!hangs, "the judge hangs: {}", text(&output.stderr));
    (output.status.code().unwrap(), text(&output.stderr))
}

#[test]
fn the_judge_says_ok_only_to_a_clean_win() {
    let dir = tempdir().unwrap();
    let map = "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("01"), format!("{map}ejudge afk\n")).unwrap();
    fs::write(dir.path().join("02"), format!("{map}afk afk\n")).unwrap();
    let good = bot("auralux/kits/python/auralux.py");
    let (code, said) = judged(dir.path(), "auralux", "01", &["python3", &good]);
    assert_eq!((code, said.starts_with("ok: the participant won")), (0, true), "{said}");
    assert!(fs::read_to_string(dir.path().join("output.txt")).unwrap().starts_with("ok: "));
    // The same bot with one order too many wins as well, but not cleanly.
    let clumsy = fs::read_to_string(&good)
        .unwrap()
        .replace("print(len(orders))", "orders.append((1, 2, -5))\n        print(len(orders))");
    fs::write(dir.path().join("clumsy.py"), clumsy).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "01", &["python3", "clumsy.py"]);
    assert_eq!((code, said.contains("invalid orders")), (1, true), "{said}");
    let (code, said) = judged(dir.path(), "auralux", "01", &["echo", "nonsense"]);
    assert_eq!((code, said.contains("disqualified")), (1, true), "{said}");
    let (code, said) = judged(dir.path(), "auralux", "02", &["true"]);
    assert_eq!((code, said.contains("ejudge once")), (3, true), "{said}");
}

#[test]
fn a_bot_that_writes_ahead_or_never_reads_does_not_hold_the_judge_up() {
    let dir = tempdir().unwrap();
    let mut map = "20 2\n1 2\n".to_owned();
    for planet in 0..20 {
        map += &format!("{} {}\n", planet % 5 * 10, planet / 5 * 10);
    }
    fs::write(dir.path().join("test"), format!("{map}ejudge afk\n")).unwrap();
    // A line for every number, as a sample bot of the contest does: far more answers than it is asked for.
    let source = "\
import sys
for line in sys.stdin:
    print('0\\n' * len(line.split()), end='', flush=True)
";
    fs::write(dir.path().join("ahead.py"), source).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "test", &["python3", "ahead.py"]);
    assert_eq!((code, said.contains("there is no single winner")), (1, true), "{said}");
    let source = "import time\nprint('0\\n' * 10001, end='', flush=True)\ntime.sleep(1000)\n";
    fs::write(dir.path().join("deaf.py"), source).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "test", &["python3", "deaf.py"]);
    assert_eq!((code, said.contains("there is no single winner")), (1, true), "{said}");
}

#[test]
fn the_judge_plays_at_a_socket_that_somebody_made_non_blocking() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("test"), "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\nejudge afk\n").unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let end = |socket: &UnixStream| Stdio::from(OwnedFd::from(socket.try_clone().unwrap()));
    let mut program = std::process::Command::new("python3")
        .arg(bot("auralux/kits/python/auralux.py"))
        .stdin(end(&theirs))
        .stdout(end(&theirs))
        .spawn()
        .unwrap();
    let mut judge = palestra(dir.path());
    judge.args(["judge", "auralux", "test"]).stdin(end(&ours)).stdout(end(&ours)).stderr(Stdio::piped());
    let judge = judge.spawn().unwrap();
    drop((ours, theirs));
    let output = judge.wait_with_output().unwrap();
    let _ = program.kill();
    let _ = program.wait();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn the_judge_knows_generals_too() {
    let dir = tempdir().unwrap();
    let map = json_free(dir.path(), &["map", "generals", "6", "6", "2", "--seed", "2"]);
    fs::write(dir.path().join("test"), format!("{map}\nejudge rest\n")).unwrap();
    let (code, said) =
        judged(dir.path(), "generals", "test", &["python3", &bot("generals/kits/python/generals.py")]);
    assert_eq!((code, said.starts_with("ok: ")), (0, true), "{said}");
}
