//! What programs may use.

use crate::Test;
use crate::support::{LIMITS, bot, run, run_with, shell, start_in, wait, way_in_scratch, zoo_bot};
use palestra_sandbox::{Exit, Sandbox, probe};
use std::io::{BufRead as _, BufReader, pipe};
use std::process::Command;

pub(crate) const TESTS: &[Test] = &[
    ("scratch_is_limited", scratch_is_limited),
    ("scratch_is_emptied", scratch_is_emptied),
    ("file_size_is_limited", file_size_is_limited),
    ("open_files_are_limited", open_files_are_limited),
    ("processes_are_limited", processes_are_limited),
    ("memory_is_limited", memory_is_limited),
    ("usage_is_told", usage_is_told),
    ("no_memory_goes_uncounted", no_memory_goes_uncounted),
    ("what_is_counted_by_user_is_left_to_others", what_is_counted_by_user_is_left_to_others),
    ("what_is_missing_has_a_remedy", what_is_missing_has_a_remedy),
];

fn scratch_is_limited() {
    let outcome = run(&bot(&["fill", "/tmp/file"]));
    assert_eq!(outcome.output, format!("{} ENOSPC\n", LIMITS.scratch_bytes));
}

fn scratch_is_emptied() {
    assert_eq!(run(&bot(&["lock"])).exit, Exit::Code(0));
    assert_eq!(run(&shell("mkdir /tmp/a && touch /tmp/a/.hidden && ln -s / /tmp/link")).exit, Exit::Code(0));
    assert_eq!(run(&shell("ls -A /tmp")).output, way_in_scratch());
}

fn file_size_is_limited() {
    let mut order = bot(&["fill", "/tmp/file"]);
    order.limits.file_bytes = 1 << 20;
    assert_eq!(run(&order).exit, Exit::Signal(25));
}

fn open_files_are_limited() {
    assert_eq!(run(&shell("ulimit -n")).output, format!("{}\n", LIMITS.open_files));
}

fn processes_are_limited() {
    // It is one of them itself.
    assert_eq!(run(&bot(&["bomb"])).output, format!("{}\n", LIMITS.processes - 1));
    assert_eq!(run(&bot(&["bomb"])).output, format!("{}\n", LIMITS.processes - 1));
}

fn memory_is_limited() {
    let eat = |bytes: u64| run(&bot(&["eat", &bytes.to_string()]));
    let little = eat(LIMITS.memory_bytes / 2);
    assert_eq!((little.exit, little.usage.over_memory), (Exit::Code(0), false));
    let much = eat(LIMITS.memory_bytes * 2);
    if counts("memory") {
        assert_eq!((much.exit, much.usage.over_memory), (Exit::Signal(9), true));
    } else {
        assert_eq!(much.exit, Exit::Code(9), "it is refused the memory");
    }
    let crashed = run(&bot(&["signal", "9"]));
    assert_eq!((crashed.exit, crashed.usage.over_memory), (Exit::Signal(9), false));
}

fn usage_is_told() {
    let usage = run(&shell("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done")).usage;
    let cpu = usage.cpu.expect("processor time is always told");
    assert!(cpu.as_millis() > 1, "{cpu:?}");
    if counts("memory") {
        let bytes = 32 << 20;
        let peak = run(&bot(&["eat", &bytes.to_string()])).usage.memory_peak.expect("a peak");
        // The kernel counts in batches, so that a few pages may be missing.
        assert!((bytes * 9 / 10..2 * bytes).contains(&peak), "{peak}");
        assert!(run(&bot(&["exit", "0"])).usage.memory_peak.expect("a peak") < bytes / 2);
    }
    if let Some(peak) = run(&shell("sleep 0 & sleep 0 & wait")).usage.processes_peak {
        assert!((2..=4).contains(&peak), "{peak}");
    }
}

fn no_memory_goes_uncounted() {
    let hog = zoo_bot("uncounted_hog", include_str!("../../../../zoo/uncounted_hog.c"));
    let outcome = run_with(&hog, b"start\n");
    assert!(!outcome.output.contains("escaped"), "{}", outcome.output);
    if counts("memory") {
        assert_eq!((outcome.exit, outcome.usage.over_memory), (Exit::Signal(9), true));
    } else {
        assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.output);
    }
}

fn what_is_counted_by_user_is_left_to_others() {
    let mut hog = zoo_bot("quota_hog", include_str!("../../../../zoo/quota_hog.c"));
    // As bots have them: the more files, the more can be taken.
    (hog.limits.open_files, hog.limits.processes) = (256, 64);
    let user = zoo_bot("quota_user", include_str!("../../../../zoo/quota_user.c"));
    let (stdin, _open) = pipe().unwrap();
    let (output, stdout) = pipe().unwrap();
    let stderr = stdout.try_clone().unwrap();
    let sandbox = Sandbox::strict().unwrap();
    let hog = sandbox.start(&hog, [stdin.into(), stdout.into(), stderr.into()]).unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(output);
    while !said.contains("has taken what there is") {
        assert_ne!(lines.read_line(&mut said).unwrap(), 0, "{said}");
    }
    assert!(!said.contains("escaped"), "{said}");
    // Another cell, one that is made just now, and the machine itself.
    let outcome = run_with(&user, b"a turn\n");
    assert_eq!(
        (outcome.exit, outcome.output.contains("escaped")),
        (Exit::Code(0), false),
        "{}",
        outcome.output
    );
    let (running, _output) = start_in(&Sandbox::strict().unwrap(), &user, b"a turn\n").unwrap();
    assert_eq!(wait(&running), Exit::Code(0));
    let outside = Command::new(&user.command[0]).arg("--once").status();
    assert!(outside.unwrap().success());
    hog.end();
}

fn what_is_missing_has_a_remedy() {
    let all = probe();
    assert!(all[0].given, "these tests run in a sandbox: {:?}", all[0]);
    for protection in all {
        assert_eq!(protection.given, protection.remedy.is_none(), "{protection:?}");
        assert!(!protection.meaning.is_empty(), "{protection:?}");
    }
}

/// Whether this machine counts it for groups of processes.
fn counts(what: &str) -> bool {
    probe().iter().any(|protection| protection.name == what && protection.given)
}
