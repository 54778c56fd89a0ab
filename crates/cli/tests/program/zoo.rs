//! The zoo in the strict sandbox: every bot of `zoo/zoo.toml` gets its verdict, finds nothing, leaves nothing, and
//! disturbs nobody who plays at the same time.

mod stage;

use crate::support::{PALESTRA, palestra, processes_with, project, run};
use serde::Deserialize;
use serde_json::Value;
use stage::{Ended, Stage};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::tempdir;

/// How long a match may take, its compiler included.
const MATCH: Duration = Duration::from_secs(90);
/// The same for bots that are marked as slow.
const SLOW_MATCH: Duration = Duration::from_secs(600);
/// Bytes that a match may leave on disk: logs, and a compiled bot.
const DISK_BYTES: u64 = 64 << 20;
/// Memory of palestra itself, whatever its bots do.
const HOST_BYTES: u64 = 256 << 20;
/// Shared memory of the machine that may be there after all matches and was not before; other programs use some as well.
const SHARED_BYTES: u64 = 256 << 20;

/// What must become of a bot; `zoo/zoo.toml` says what each field means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    fault: String,
    says: Option<String>,
    pair: Option<String>,
    time: Option<String>,
    #[serde(default)]
    slow: bool,
}

fn table() -> BTreeMap<String, Verdict> {
    toml::from_str(&std::fs::read_to_string(project().join("zoo/zoo.toml")).unwrap()).unwrap()
}

#[test]
fn every_bot_of_the_zoo_is_contained() {
    if !strict_is_possible() {
        return refuses_in_a_sentence();
    }
    let slow = std::env::var_os("ZOO_SLOW").is_some();
    let table = table();
    let chosen = std::env::var("ZOO_ONLY").ok();
    let waiting = table.iter().filter(|(name, verdict)| match &chosen {
        Some(only) => only.split(',').any(|one| one == *name),
        None => slow || !verdict.slow,
    });
    let waiting: Mutex<VecDeque<_>> = Mutex::new(waiting.collect());
    let honest = honest_course();
    let failures = Mutex::new(Vec::new());
    let shared = stage::shared_bytes();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((name, verdict)) = waiting.lock().unwrap().pop_front() else {
                        return;
                    };
                    let wrong = complaints(name, verdict, &honest);
                    failures.lock().unwrap().extend(wrong.into_iter().map(|what| format!("{name}: {what}")));
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.extend(orphaned_cells().iter().map(|pid| format!("the cell {pid} has outlived its program")));
    let left = stage::shared_bytes().saturating_sub(shared);
    if left > SHARED_BYTES {
        failures.push(format!("{left} bytes of shared memory are left"));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn the_zoo_is_listed() {
    let (table, zoo) = (table(), project().join("zoo"));
    let readme = std::fs::read_to_string(zoo.join("README.md")).unwrap();
    // Those cannot be started as they are, or need arguments; the other tests play them.
    let elsewhere = ["late.c", "no_interpreter", "not_a_program", "not_executable"];
    let no_bots = ["attack.h", "attack.py", "README.md", "zoo.toml"];
    for file in std::fs::read_dir(&zoo).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name.starts_with("__") || no_bots.contains(&&*name) {
            continue;
        }
        assert!(table.contains_key(&name) || elsewhere.contains(&&*name), "{name} is not in zoo.toml");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in README.md");
    }
    for (name, verdict) in &table {
        let bots = [Some(name), verdict.pair.as_ref()];
        assert!(bots.into_iter().flatten().all(|bot| zoo.join(bot).is_file()), "{name} is not there");
    }
}

/// Plays one bot, with an honest match beside it, and gives everything that is wrong.
fn complaints(name: &str, verdict: &Verdict, honest: &Course) -> Vec<String> {
    let stage = Stage::new(name, verdict.pair.as_deref());
    let beside = tempdir().unwrap();
    let honest_match = honest_command(beside.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let ended = stage.play(&match_arguments(&stage, verdict), if verdict.slow { SLOW_MATCH } else { MATCH });
    let beside = honest_match.unwrap().wait_with_output().unwrap();

    let mut wrong = stage.complaints();
    let mut expect = |right: bool, what: String| {
        if !right {
            wrong.push(what);
        }
    };
    match &ended.code {
        None => expect(false, "the match did not end".to_owned()),
        Some(4) if verdict.fault == "compile" => {
            expect(ended.stderr.contains("compile"), format!("it was refused otherwise: {}", ended.stderr));
        }
        Some(0) if verdict.fault != "compile" => {
            let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
            check_report(&report, verdict, &mut expect);
        }
        Some(code) => expect(false, format!("palestra ended with code {code}: {}", ended.stderr)),
    }
    check_words(&stage, &ended, verdict, &mut expect);
    let left = processes_with(&stage.mark());
    expect(left.is_empty(), format!("processes are left: {left:?}"));
    let disk = stage.disk_bytes();
    expect(disk <= DISK_BYTES, format!("{disk} bytes are left on disk"));
    expect(ended.host_peak <= HOST_BYTES, format!("palestra itself took {} bytes", ended.host_peak));
    let course = Course::of(&beside.stdout);
    expect(
        course.as_ref() == Some(honest),
        format!("the match beside it went otherwise: {}", String::from_utf8_lossy(&beside.stderr)),
    );
    wrong
}

fn match_arguments(stage: &Stage, verdict: &Verdict) -> Vec<String> {
    let time = verdict.time.as_deref().unwrap_or("20s");
    let fixed = "--sandbox strict --set max_steps=20 --json --no-replay --logs logs --time";
    let bots = ["play".to_owned(), "auralux".to_owned(), stage.bot(), stage.opponent()];
    bots.into_iter().chain(fixed.split(' ').map(str::to_owned)).chain([time.to_owned()]).collect()
}

fn check_report(report: &Value, verdict: &Verdict, expect: &mut impl FnMut(bool, String)) {
    let faults: Vec<(u64, &str)> = report["faults"]
        .as_array()
        .map(|faults| {
            let seat = |fault: &Value| fault["seat"].as_u64().unwrap_or_default();
            faults.iter().map(|fault| (seat(fault), fault["kind"].as_str().unwrap_or_default())).collect()
        })
        .unwrap_or_default();
    let own = faults.iter().find(|(seat, _)| *seat == 1).map_or("none", |(_, kind)| kind);
    let right = verdict.fault.split(" or ").any(|one| one == own);
    expect(right, format!("its fault is {own}, not {}: {}", verdict.fault, report["faults"]));
    let opponent = &report["players"][1];
    let disturbed = faults.iter().any(|(seat, _)| *seat != 1) || opponent["fate"] != "alive";
    expect(!disturbed, format!("its opponent was disturbed: {opponent}"));
}

fn check_words(stage: &Stage, ended: &Ended, verdict: &Verdict, expect: &mut impl FnMut(bool, String)) {
    let said = stage.said();
    let escapes: Vec<&str> = said.lines().filter(|line| line.contains("escaped: ")).take(5).collect();
    expect(escapes.is_empty(), escapes.join("; "));
    if let Some(words) = &verdict.says {
        expect(said.contains(words), format!("it does not say \"{words}\""));
    }
    let told = [said.as_str(), &ended.stdout, &ended.stderr].iter().any(|text| text.contains(stage.secret()));
    expect(!told, "a secret was told".to_owned());
}

/// What must be the same however the neighbours behave.
#[derive(PartialEq, Debug)]
struct Course {
    turns: Value,
    winner: Value,
    scores: Vec<Value>,
}

impl Course {
    /// The course of a match without faults.
    fn of(report: &[u8]) -> Option<Course> {
        let report: Value = serde_json::from_slice(report).ok()?;
        let scores = report["players"].as_array()?.iter().map(|player| player["score"].clone()).collect();
        let course = Course { turns: report["turns"].clone(), winner: report["winner"].clone(), scores };
        report["faults"].as_array()?.is_empty().then_some(course)
    }
}

fn honest_arguments() -> Vec<String> {
    let bot = project().join("bots/python/auralux.py").display().to_string();
    let fixed = "aggressive --sandbox strict --seed 7 --set max_steps=60 --json --no-replay --time 60s";
    ["play", "auralux", &bot].into_iter().chain(fixed.split(' ')).map(str::to_owned).collect()
}

fn honest_command(dir: &Path) -> Command {
    let mut command = palestra(dir);
    command.args(honest_arguments());
    command
}

fn honest_course() -> Course {
    let output = honest_command(tempdir().unwrap().path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    Course::of(&output.stdout).unwrap_or_else(|| panic!("an honest match cannot be played: {said}"))
}

/// Whether this machine lets us make namespaces, asked without palestra.
fn strict_is_possible() -> bool {
    let arguments =
        ["--user", "--map-root-user", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "true"];
    let status = Command::new("unshare").args(arguments).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Where there can be no sandbox, nothing is played without one.
fn refuses_in_a_sentence() {
    let arguments = honest_arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(tempdir().unwrap().path(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && output.stdout.is_empty(), "it was played: {said}");
    assert!(said.lines().count() == 1 && !said.contains("panicked"), "{said}");
    skipped(&said);
}

#[expect(clippy::print_stderr, reason = "a test that cannot test what it is for must say so")]
fn skipped(why: &str) {
    eprintln!("the zoo was not played: {why}");
}

/// Cells of the program under test that no process of it has any more.
fn orphaned_cells() -> Vec<u32> {
    let is_ours = |pid: &u32| {
        std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program == Path::new(PALESTRA))
    };
    let parent = |pid: u32| -> Option<u32> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    };
    let cells = processes_with("palestra-cell").into_iter().filter(is_ours);
    cells.filter(|pid| parent(*pid).is_some_and(|parent| !is_ours(&parent))).collect()
}
