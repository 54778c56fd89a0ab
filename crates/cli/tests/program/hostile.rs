//! The zoo, through the real runner: each bot gets exactly the verdict it is listed with, and nothing is left of it.

use crate::support::{NOBODY, fails, json, palestra, palestra_as_nobody, processes_with, zoo};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// A match of Auralux, the bot on seat 1 against a player that does nothing.
fn auralux(dir: &Path, bot: &str, more: &[&str]) -> Value {
    let mut arguments = vec!["play", "auralux", bot, "afk", "--set", "max_steps=20", "--json", "--no-replay"];
    arguments.extend(more);
    json(dir, &arguments)
}

/// The bot is disqualified with this fault in the first turn, and the match is otherwise in order.
#[track_caller]
fn assert_fault(report: &Value, kind: &str, fault: &str) {
    let faults = report["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 1, "{report:#}");
    assert_eq!((faults[0]["kind"].as_str(), faults[0]["turn"].as_u64()), (Some(kind), Some(1)), "{report:#}");
    assert!(faults[0]["fault"].as_str().unwrap().starts_with(fault), "{report:#}");
    assert_eq!(report["players"][0]["fate"], "disqualified");
    assert_eq!(report["winner"], 2);
}

#[track_caller]
fn assert_no_fault(report: &Value) {
    assert_eq!(report["faults"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!(report["players"][0]["fate"], "alive");
}

fn faulty(bot: &str, kind: &str, fault: &str) -> Value {
    let dir = tempdir().unwrap();
    let report = auralux(dir.path(), &zoo(bot), &["--time", "400ms"]);
    assert_fault(&report, kind, fault);
    report
}

#[test]
fn exits_at_once() {
    faulty("exits_at_once.c", "exited", "exited with code 3");
}

#[test]
fn exits_mid_answer() {
    faulty("exits_mid_answer.c", "exited", "exited with code 7");
}

#[test]
fn crashes() {
    let report = faulty("crashes.c", "exited", "killed by signal 11");
    assert_eq!(report["faults"][0]["stderr"], serde_json::json!(["about to crash"]));
}

#[test]
fn prints_garbage() {
    let report = faulty("garbage.c", "malformed", "malformed answer");
    assert_eq!(report["faults"][0]["output"], "Hello, I am a bot!\\n");
}

#[test]
fn prints_for_ever_without_a_line_break() {
    let report = faulty("endless_line.c", "too_long", "answer too long: more than 1048576 bytes");
    assert!(report["faults"][0]["output"].as_str().unwrap().len() < 200);
}

#[test]
fn never_answers() {
    let report = faulty("silent.c", "out_of_time", "out of time");
    let wall = report["players"][0]["wall_ms"].as_f64().unwrap();
    assert!((400.0..2000.0).contains(&wall), "{wall}");
}

#[test]
fn never_reads() {
    faulty("deaf.c", "out_of_time", "out of time");
}

#[test]
fn answers_without_reading_more_than_a_pipe_holds() {
    let dir = tempdir().unwrap();
    let bot = format!("{} -1", compiled(dir.path(), "blind.c"));
    // A hundred asks of 10000 cells: far more than a pipe holds.
    let arguments = ["play", "generals", &bot, "rest", "--set", "max_side=100", "--set", "map_rows=100"];
    let more = ["--set", "map_columns=100", "--set", "max_turns=100", "--json", "--no-replay"];
    let report = json(dir.path(), &[&arguments[..], &more[..]].concat());
    assert_no_fault(&report);
    assert_eq!(report["rounds"], 100);
}

#[test]
fn answers_a_millisecond_too_late() {
    let dir = tempdir().unwrap();
    // On this map there are 4 planets: so many lines, and one more, at the start and in every turn.
    let late = |ms: u32| format!("{} 0 {ms} 5 5", compiled(dir.path(), "late.c"));
    let too_late = auralux(dir.path(), &late(301), &["--time", "300ms", "--map", "tiny"]);
    assert_fault(&too_late, "out_of_time", "out of time");
    let in_time = auralux(dir.path(), &late(2), &["--time", "300ms/answer", "--map", "tiny"]);
    assert_no_fault(&in_time);
}

#[test]
fn writes_a_gigabyte_to_standard_error() {
    let dir = tempdir().unwrap();
    let report = auralux(dir.path(), &zoo("floods_stderr.c"), &["--time", "100s", "--logs", "logs"]);
    assert_no_fault(&report);
    let kept = fs::read_to_string(dir.path().join("logs/seat-1.stderr.txt")).unwrap();
    assert!(kept.len() < (1 << 20) + 200, "{}", kept.len());
    assert!(kept.ends_with("more bytes were not kept\n"));
}

#[test]
fn closes_its_output_but_lives() {
    faulty("closes_output.c", "exited", "closed its output");
}

#[test]
fn ignores_the_end_and_every_signal() {
    let dir = tempdir().unwrap();
    let start = Instant::now();
    let bot = compiled(dir.path(), "stays.c");
    assert_no_fault(&auralux(dir.path(), &bot, &[]));
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(processes_with(&bot), [0_u32; 0]);
}

#[test]
fn leaves_a_child_that_keeps_the_pipe_open() {
    let dir = tempdir().unwrap();
    let bot = compiled(dir.path(), "keeps_pipe.c");
    assert_fault(&auralux(dir.path(), &bot, &[]), "exited", "exited with code 5");
    assert_eq!(processes_with(&bot), [0_u32; 0]);
}

#[test]
fn forks_twice_into_a_session_of_its_own() {
    let dir = tempdir().unwrap();
    let bot = compiled(dir.path(), "daemon.c");
    assert_no_fault(&auralux(dir.path(), &bot, &[]));
    assert_eq!(processes_with(&bot), [0_u32; 0]);
}

#[test]
fn forks_twice_and_hides_whose_it_is() {
    let dir = tempdir().unwrap();
    let bot = format!("{} 0 86423", compiled(dir.path(), "hidden_daemon.c"));
    assert_no_fault(&auralux(dir.path(), &bot, &[]));
    assert_eq!(processes_with("86423"), [0_u32; 0]);
}

#[test]
fn children_from_before_the_program_are_left_alone() {
    let dir = tempdir().unwrap();
    // As a start script does that leaves a service running and becomes palestra.
    let script = format!(
        "sleep 75319 & exec {} play auralux {} afk --set max_steps=5 --no-replay --quiet",
        crate::support::PALESTRA,
        compiled(dir.path(), "daemon.c")
    );
    let status = Command::new("sh")
        .args(["-c", &script])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    let left = processes_with("sleep\x0075319");
    for pid in &left {
        let pid = rustix::process::Pid::from_raw(*pid as i32).unwrap();
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    assert!(status.success() && left.len() == 1, "{left:?}");
}

#[test]
fn writes_ahead() {
    let dir = tempdir().unwrap();
    assert_no_fault(&auralux(dir.path(), &zoo("writes_ahead.c"), &[]));
}

#[test]
fn a_last_answer_without_a_line_break_counts() {
    let dir = tempdir().unwrap();
    let report = auralux(dir.path(), &zoo("no_line_break.c"), &[]);
    assert_eq!(report["faults"][0]["turn"], 3, "{report:#}");
    assert_eq!(report["faults"][0]["fault"], "exited with code 0");
}

#[test]
fn computes_while_it_is_not_its_turn() {
    let dir = tempdir().unwrap();
    // Its opponent takes its time, and is none of the built-in players that are done at once.
    let slow = format!("{} 0 2 5 5", compiled(dir.path(), "late.c"));
    let arguments = ["play", "auralux", &zoo("spins.c"), &slow, "--map", "tiny", "--set", "max_steps=200"];
    let report = json(dir.path(), &[&arguments[..], &["--time", "none", "--json", "--no-replay"]].concat());
    assert_no_fault(&report);
    let notes = report["players"][0]["notes"].to_string();
    assert!(notes.contains("it computed while it was not its turn"), "{report:#}");
    assert_eq!(report["players"][1]["note_count"], 0, "{report:#}");
}

/// A match, and the processor time of everything that took part in it.
fn cost_of_match(palestra: &Command, user: Option<u32>, arguments: &[&str]) -> (Value, f64) {
    let mut shell = Command::new("sh");
    // The shell counts whatever has been waited for, whoever started it.
    shell.args(["-c", "\"$@\"; times >&2", "sh"]).arg(palestra.get_program()).arg("play").args(arguments);
    shell.args(["--time", "60s/answer", "--json", "--no-replay"]).stdin(std::process::Stdio::null());
    shell.current_dir(palestra.get_current_dir().unwrap());
    shell.envs(palestra.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(user) = user {
        shell.uid(user).gid(user);
    }
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let millis = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
        (minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()) * 1000.0
    };
    (report, said.lines().last().unwrap().split(' ').map(millis).sum())
}

/// Whoever may play strangers' bots without walls, and at which level.
fn everybody(dir: &Path) -> Vec<(Command, Option<u32>, &'static str)> {
    // An ordinary user has no control groups.
    let nobody = palestra_as_nobody(dir).map(|palestra| (palestra, Some(NOBODY), "auto"));
    let root = ["off", "auto"].map(|level| (palestra(dir), None, level));
    root.into_iter().chain(nobody).collect()
}

#[test]
fn who_is_out_and_computes_on_takes_nothing_from_the_others() {
    let dir = tempdir().unwrap();
    let attacker = compiled(dir.path(), "burns_when_out.c");
    let victim = format!("{} 25 -1", compiled(dir.path(), "works.c"));
    for (palestra, user, level) in everybody(dir.path()) {
        let match_of_three = ["generals", &attacker, &victim, "rest", "--sandbox", level];
        let more = ["--set", "map_rows=5", "--set", "map_columns=5", "--set", "max_turns=40"];
        let (report, cost) = cost_of_match(&palestra, user, &[&match_of_three[..], &more].concat());
        assert_eq!(report["faults"][0]["turn"], 1, "{report:#}");
        assert_eq!(report["players"][1]["fate"], "alive", "{report:#}");
        let victims = report["players"][1]["cpu_ms"].as_f64().unwrap();
        assert!(victims >= 1000.0, "{report:#}");
        // It has a quarter of a second for itself. In one more, beside the others, it would take ten parts of eleven.
        let stolen = cost - victims;
        assert!(stolen <= victims, "at {level} as {user:?}: {stolen} ms, {report:#}");
        assert_eq!(processes_with(&attacker), [0_u32; 0]);
    }
}

#[test]
fn a_bot_that_works_is_not_slowed_down_by_what_its_opponent_leaves_behind() {
    let dir = tempdir().unwrap();
    let victim = compiled(dir.path(), "works.c");
    for attacker in [
        "orphan_burns.c",
        "twenty_orphans_burn.c",
        "threads_ponder.c",
        "changes_groups.c",
        "forks_on.c",
        "wakes_others.c",
    ] {
        let attacker = compiled(dir.path(), attacker);
        for (palestra, user, level) in everybody(dir.path()) {
            // Without any limit on processes a chain of orphans may fill the machine.
            if level == "off" && attacker.ends_with("forks_on") {
                continue;
            }
            let arguments = ["auralux", &attacker, &victim, "--sandbox", level, "--set", "max_steps=20"];
            let (report, cost) = cost_of_match(&palestra, user, &arguments);
            assert_no_fault(&report);
            let [attackers, victims] = [0, 1].map(|seat| report["players"][seat]["cpu_ms"].as_f64().unwrap());
            // Twenty turns of 25 ms.
            assert!(victims >= 500.0, "{report:#}");
            let stolen = cost - victims - attackers;
            assert!(stolen <= victims, "{attacker} at {level} as {user:?}: {stolen} ms, {report:#}");
            assert_eq!(processes_with(&attacker), [0_u32; 0]);
        }
    }
}

#[test]
fn a_broken_script_shows_its_error() {
    let report = faulty("broken.py", "exited", "exited with code 1");
    let stderr = report["faults"][0]["stderr"].to_string();
    assert!(stderr.contains("SyntaxError"), "{stderr}");
}

#[test]
fn what_cannot_be_started_is_told_before_the_match() {
    let dir = tempdir().unwrap();
    for (bot, says) in [
        (zoo("no_interpreter"), "does not exist"),
        (zoo("not_a_program"), "is neither a program nor a script with a first line like #!"),
        (zoo("not_executable"), "chmod +x"),
        (zoo(""), "is a folder"),
        (zoo("missing.py"), "there is no bot"),
        ("./nothing here".to_owned(), "neither a file nor on the search path"),
        ("agressive".to_owned(), "did you mean aggressive?"),
    ] {
        let said = fails(dir.path(), &["play", "auralux", &bot, "afk"], 4);
        assert!(said.contains(says), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is written");
}

#[test]
fn a_bot_that_kills_what_started_it_loses_and_is_ended() {
    let dir = tempdir().unwrap();
    let bot = dir.path().join("kills_its_cell.sh");
    let mark = format!("{}99", std::process::id());
    fs::write(&bot, format!("#!/bin/sh\nsleep {mark} & kill -9 $PPID\nexec sleep {mark}\n")).unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    for _ in 0..5 {
        for mut palestra in [Some(palestra(dir.path())), palestra_as_nobody(dir.path())].into_iter().flatten()
        {
            palestra.args([
                "play",
                "auralux",
                "./kills_its_cell.sh",
                "afk",
                "--json",
                "--no-replay",
                "--time",
            ]);
            let output = palestra.arg("1s").output().unwrap();
            // It is gone, or was so quick that it has never been there.
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["winner"], 2),
                code => assert_eq!((code, said.contains("panicked")), (Some(4), false), "{said}"),
            }
            assert_eq!(processes_with(&mark), [0; 0], "{said}");
        }
    }
}

#[test]
fn two_bad_bots_do_not_stop_the_others() {
    let dir = tempdir().unwrap();
    let (garbage, silent) = (zoo("garbage.c"), zoo("silent.c"));
    let arguments = ["play", "auralux", &garbage, "aggressive", &silent, "afk"];
    let more = ["--set", "max_steps=300", "--time", "200ms", "--json", "--no-replay"];
    let report = json(dir.path(), &[&arguments[..], &more[..]].concat());
    let fates: Vec<&str> = (0..4).map(|i| report["players"][i]["fate"].as_str().unwrap()).collect();
    assert_eq!([fates[0], fates[2]], ["disqualified"; 2]);
    assert!(report["turns"].as_u64().unwrap() > 100, "{report:#}");
}

/// Interrupts a match of these bots once as many processes have the mark on their command line as should: the bots that
/// have it, and palestra itself.
fn interrupt(mark: &str, bots: [&str; 2], more: &[&str]) {
    let dir = tempdir().unwrap();
    let mut child = palestra(dir.path())
        .args(["play", "auralux", bots[0], bots[1], "--time", "none", "--logs", "logs"])
        .args(more)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let marked = bots.iter().filter(|bot| bot.contains(mark)).count();
    while processes_with(mark).len() < marked + 1 {
        assert!(Instant::now() < deadline, "the bot never started");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(processes_with(mark), [0_u32; 0]);
    let left: Vec<_> = fs::read_dir(dir.path().join("logs")).unwrap().flatten().collect();
    assert!(left.is_empty() && !dir.path().join("replays").exists(), "{left:?}");
}

#[test]
fn interrupting_ends_the_bots_and_leaves_no_file() {
    let mark = format!("interrupted-{}", std::process::id());
    let dir = tempdir().unwrap();
    interrupt(&mark, [&format!("{} {mark}", compiled(dir.path(), "silent.c")), "afk"], &[]);
}

#[test]
fn interrupting_ends_a_match_of_bots_that_are_never_waited_for() {
    let mark = format!("interrupted-quick-{}", std::process::id());
    let dir = tempdir().unwrap();
    // It would go on for a million steps.
    let bot = format!("{} 0 {mark}", compiled(dir.path(), "blind.c"));
    interrupt(&mark, [&bot, &bot], &["--set", "max_steps=1000000"]);
}

/// The compiled form of a bot of the zoo, so that it can be given arguments.
fn compiled(dir: &Path, name: &str) -> String {
    let stem = name.trim_end_matches(".c");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("zoo-{stem}"));
    let changed = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    if changed(&out) < changed(Path::new(&zoo(name))) {
        // Under another name first: tests run side by side.
        let fresh = out.with_file_name(format!("zoo-{stem}-{}", dir.file_name().unwrap().display()));
        let status = Command::new("cc").args(["-O2", "-o"]).arg(&fresh).arg(zoo(name)).status();
        assert!(status.unwrap().success());
        fs::rename(&fresh, &out).unwrap();
    }
    out.display().to_string()
}
