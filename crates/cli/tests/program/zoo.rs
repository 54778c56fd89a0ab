//! The zoo in the strict sandbox: every bot of `zoo/zoo.toml` gets its verdict, finds nothing, leaves nothing, and
//! disturbs nobody who plays at the same time. The bots are played by `palestra doctor --zoo`; what happens meanwhile to
//! the machine and to others is looked at from here.

use crate::support::{PALESTRA, palestra, palestra_as_nobody, processes_with, project, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempdir};

/// Shared memory of the machine that may be there after all matches and was not before; other programs use some as well.
const SHARED_BYTES: u64 = 256 << 20;

#[test]
fn every_bot_of_the_zoo_is_contained() {
    if !strict_is_possible() {
        return refuses_in_a_sentence();
    }
    let place = place();
    let mut doctor = palestra(place.path());
    doctor.env("PALESTRA_CACHE", place.path()).args(["doctor", "--zoo", "--json"]);
    if let Ok(only) = std::env::var("ZOO_ONLY") {
        doctor.args(["--only", &only]);
    }
    if std::env::var_os("ZOO_SLOW").is_some() {
        doctor.arg("--slow");
    }
    let (honest, shared) = (honest_course(), shared_bytes());
    let told = tempfile::NamedTempFile::new().unwrap();
    let mut doctor = doctor.stdout(told.reopen().unwrap()).spawn().unwrap();
    let status = loop {
        assert_eq!(honest_course(), honest, "a match beside the zoo went otherwise");
        if let Some(status) = doctor.try_wait().unwrap() {
            break status;
        }
    };
    let report: Value = serde_json::from_slice(&fs::read(told.path()).unwrap()).unwrap();
    assert_all_well(&report);
    assert!(status.success(), "{status}");
    assert_eq!(orphaned_cells(), [0; 0], "cells have outlived their programs");
    let left = shared_bytes().saturating_sub(shared);
    assert!(left <= SHARED_BYTES, "{left} bytes of shared memory are left");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "files are left");
}

/// Without any rights, for a kind of attack each; the sandbox's own tests do the rest.
#[test]
fn the_zoo_is_contained_for_an_ordinary_user() {
    const SOME: &str = "kills_everything.c,mounts.c,reads_home.py,reads_neighbour.py,unix_sockets.c,setuid.c,daemon.c,\
                        leaves_group.py,compile_home.c,counts_matches.c,heap_hog.c,shared_hog.c,memfd_hog.c,\
                        uncounted_hog.c,timer_hog.c,quota_hog.c,orphan_burns.c,twenty_orphans_burn.c,\
                        threads_ponder.c,changes_groups.c,forks_on.c,wakes_others.c";
    let place = tempdir().unwrap();
    let Some(mut palestra) = palestra_as_nobody(place.path()).filter(|_| strict_is_possible()) else {
        return;
    };
    let output = palestra.args(["doctor", "--zoo", "--json", "--only", SOME]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_all_well(&serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}")));
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_zoo_is_listed() {
    let zoo = project().join("zoo");
    let table: toml::Table = toml::from_str(&fs::read_to_string(zoo.join("zoo.toml")).unwrap()).unwrap();
    let readme = fs::read_to_string(zoo.join("README.md")).unwrap();
    // Those cannot be started as they are, or need arguments; the other tests play them.
    let elsewhere = ["late.c", "no_interpreter", "not_a_program", "not_executable"];
    let no_bots = ["attack.h", "attack.py", "README.md", "match.txt", "zoo.toml"];
    for file in fs::read_dir(&zoo).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        if name.starts_with("__") || no_bots.contains(&&*name) {
            continue;
        }
        assert!(table.contains_key(&name) || elsewhere.contains(&&*name), "{name} is not in zoo.toml");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in README.md");
    }
    for (name, verdict) in &table {
        let bots = [Some(name.as_str()), verdict.get("pair").and_then(toml::Value::as_str)];
        assert!(bots.into_iter().flatten().all(|bot| zoo.join(bot).is_file()), "{name} is not there");
    }
}

/// Every bot was played, but for those that take minutes, and nothing is wrong.
fn assert_all_well(report: &Value) {
    let findings = report["zoo"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding["wrong"], Value::Array(Vec::new()), "{finding}");
        let skipped = finding["skipped"].as_str().unwrap_or_default();
        assert!(skipped.is_empty() || skipped.contains("--slow"), "{finding}");
    }
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
    let bot = project().join("games/auralux/kits/python/auralux.py").display().to_string();
    let fixed = "aggressive --sandbox strict --seed 7 --set max_steps=60 --json --no-replay --time 60s";
    ["play", "auralux", &bot].into_iter().chain(fixed.split(' ')).map(str::to_owned).collect()
}

fn honest_course() -> Course {
    let output = palestra(tempdir().unwrap().path()).args(honest_arguments()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    Course::of(&output.stdout).unwrap_or_else(|| panic!("an honest match cannot be played: {said}"))
}

/// A folder that has nothing in it, where programs can be run.
fn place() -> TempDir {
    tempfile::Builder::new().prefix("zoo-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
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
    for arguments in [&arguments[..], &["doctor", "--zoo"]] {
        let output = run(tempdir().unwrap().path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "it was played: {said}");
        assert!(said.lines().count() == 1 && !said.contains("panicked"), "{said}");
        skipped(&said);
    }
}

#[expect(clippy::print_stderr, reason = "a test that cannot test what it is for must say so")]
fn skipped(why: &str) {
    eprintln!("the zoo was not played: {why}");
}

/// Cells of the program under test that no process of it has any more.
fn orphaned_cells() -> Vec<u32> {
    let is_ours = |pid: &u32| {
        fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program == Path::new(PALESTRA))
    };
    let parent = |pid: u32| -> Option<u32> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    };
    let cells = processes_with("palestra-cell").into_iter().filter(is_ours);
    cells.filter(|pid| parent(*pid).is_some_and(|parent| !is_ours(&parent))).collect()
}

/// Shared memory of the whole machine, files in memory included.
fn shared_bytes() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Shmem:")).unwrap_or_default();
    line.split_ascii_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) << 10
}
