//! How programs begin and end.

use crate::Test;
use crate::support::{
    LOOSE, bot, folder, order, processes_named, run, run_with, shell, start, start_in, wait,
};
use palestra_sandbox::Exit;
use std::io::{ErrorKind, Read as _};

pub(crate) const TESTS: &[Test] = &[
    ("exit_codes_are_exact", exit_codes_are_exact),
    ("signals_are_exact", signals_are_exact),
    ("streams_are_connected", streams_are_connected),
    ("what_cannot_be_started_is_told", what_cannot_be_started_is_told),
    ("nothing_is_left_behind", nothing_is_left_behind),
    ("a_running_program_is_ended", a_running_program_is_ended),
    ("a_frozen_program_stands_still", a_frozen_program_stands_still),
    ("everything_that_it_has_started_stands_still", everything_that_it_has_started_stands_still),
];

fn exit_codes_are_exact() {
    for code in [0, 1, 3, 127, 255] {
        assert_eq!(run(&bot(&["exit", &code.to_string()])).exit, Exit::Code(code));
    }
}

fn signals_are_exact() {
    assert_eq!(run(&bot(&["abort"])).exit, Exit::Signal(6));
    assert_eq!(run(&bot(&["crash"])).exit, Exit::Signal(11));
    for signal in [1, 2, 9, 13, 15] {
        assert_eq!(run(&bot(&["signal", &signal.to_string()])).exit, Exit::Signal(signal));
    }
}

fn streams_are_connected() {
    let outcome = run_with(&order(&["/bin/cat"]), b"hello\n");
    assert_eq!((outcome.exit, outcome.output.as_str()), (Exit::Code(0), "hello\n"));
    assert_eq!(run(&shell("pwd; echo error >&2")).output, format!("{}\nerror\n", folder().display()));
}

fn what_cannot_be_started_is_told() {
    let kind = |program: &str| start(&order(&[program]), b"").err().map(|error| error.kind());
    assert_eq!(kind("/nowhere"), Some(ErrorKind::NotFound));
    assert_eq!(kind("nowhere"), Some(ErrorKind::NotFound));
    assert_eq!(kind("/etc/passwd"), Some(ErrorKind::PermissionDenied));
    let mut elsewhere = shell("true");
    elsewhere.folder = Some("/nowhere".into());
    assert_eq!(start(&elsewhere, b"").err().map(|error| error.kind()), Some(ErrorKind::NotFound));
}

fn nothing_is_left_behind() {
    let mark = format!("left{}", std::process::id());
    let (running, mut output) = start(&bot(&["daemons", &mark]), b"").unwrap();
    assert_eq!(wait(&running), Exit::Code(5));
    assert_eq!(processes_named(&mark).len(), 5, "they must be there to be missed");
    running.end();
    assert!(processes_named(&mark).is_empty());
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    assert_eq!(text, "left\n");
}

fn a_running_program_is_ended() {
    let mark = format!("runs{}", std::process::id());
    let (running, mut output) = start(&bot(&["sleep", &mark]), b"").unwrap();
    output.read_exact(&mut [0; 7]).unwrap();
    assert_eq!(running.exited(), None);
    let found = processes_named(&mark);
    assert_eq!(found, [std::path::Path::new("/proc").join(running.pid().as_raw_pid().to_string())]);
    drop(running);
    assert!(processes_named(&mark).is_empty());
}

fn a_frozen_program_stands_still() {
    let (running, mut output) = start(&bot(&["spin"]), b"").unwrap();
    output.read_exact(&mut [0; 6]).unwrap();
    let stat = format!("/proc/{}/stat", running.pid().as_raw_pid());
    let state = || {
        let stat = std::fs::read_to_string(&stat).unwrap();
        let (_, rest) = stat.rsplit_once(") ").unwrap();
        let words: Vec<&str> = rest.split(' ').collect();
        (words[0].to_owned(), words[11].parse::<u64>().unwrap() + words[12].parse::<u64>().unwrap())
    };
    running.freeze();
    while state().0 == "R" {
        std::thread::yield_now();
    }
    let before = state().1;
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(state().1, before);
    running.thaw();
    while state().1 == before {
        std::thread::yield_now();
    }
    running.freeze();
    running.end();
    assert!(!std::path::Path::new(&stat).exists());
}

/// Processor time of these processes, in ticks.
fn ticks(pids: &[rustix::process::Pid]) -> u64 {
    let of = |pid: &rustix::process::Pid| -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
        let words: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        Some(words[11].parse::<u64>().ok()? + words[12].parse::<u64>().ok()?)
    };
    pids.iter().filter_map(of).sum()
}

fn everything_that_it_has_started_stands_still() {
    let burner = "setsid sh -c 'while :; do :; done'";
    // Orphans in sessions of their own, and one that always leaves another in its place.
    let script = format!(
        "({burner} &); ({burner} &); (sh -c 'while :; do (: ; : &); done' &); echo ready; exec sleep 1000"
    );
    let order = shell(&script);
    for (running, mut output) in [start(&order, b"").unwrap(), start_in(&LOOSE, &order, b"").unwrap()] {
        output.read_exact(&mut [0; 6]).unwrap();
        while running.members().len() < 4 || ticks(&running.members()) < 4 {
            std::thread::yield_now();
        }
        for _ in 0..5 {
            running.freeze();
            let before = ticks(&running.members());
            std::thread::sleep(std::time::Duration::from_millis(200));
            // Whoever was told to stop may have to be scheduled once more to do so.
            let after = ticks(&running.members());
            assert!(after <= before + 2, "{before} ticks became {after}");
            running.thaw();
            while ticks(&running.members()) <= before + 1 {
                std::thread::yield_now();
            }
        }
        running.end();
    }
}
