//! Programs that are only limited: they see everything, and nothing of them is left.

use crate::Test;
use crate::support::{LIMITS, LOOSE, bot, folder, processes_named, run_loose, shell, start_in, wait};
use palestra_sandbox::Exit;
use std::io::{Read as _, Write as _, pipe};

pub(crate) const TESTS: &[Test] = &[
    ("loose_programs_see_what_we_see", loose_programs_see_what_we_see),
    ("loose_programs_are_limited", loose_programs_are_limited),
    ("loose_usage_is_told", loose_usage_is_told),
    ("nothing_loose_is_left_behind", nothing_loose_is_left_behind),
    ("a_frozen_loose_program_ends", a_frozen_loose_program_ends),
    ("a_program_that_kills_its_cell_is_ended", a_program_that_kills_its_cell_is_ended),
];

fn loose_programs_see_what_we_see() {
    let mut order = shell("pwd; echo $PATH; echo $SEAT; readlink /proc/self/ns/pid; id -u");
    order.environment.push(("SEAT".into(), "1".into()));
    let seen = |folder: &std::path::Path| {
        let path = std::env::var("PATH").unwrap();
        let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap();
        let user = rustix::process::geteuid().as_raw();
        format!("{}\n{path}\n1\n{}\n{user}\n", folder.display(), namespace.display())
    };
    assert_eq!(run_loose(&order).output, seen(folder()));
    order.folder = None;
    assert_eq!(run_loose(&order).output, seen(&std::env::current_dir().unwrap()));
}

fn loose_programs_are_limited() {
    let limits = run_loose(&shell("ulimit -c; ulimit -n")).output;
    assert_eq!(limits, format!("0\n{}\n", LIMITS.open_files));
    let place = tempfile::NamedTempFile::new().unwrap();
    let mut order = bot(&["fill", place.path().to_str().unwrap()]);
    order.limits.file_bytes = 1 << 20;
    assert_eq!(run_loose(&order).exit, Exit::Signal(25));
    if LOOSE.lacks("processes").is_none() {
        assert_eq!(run_loose(&bot(&["bomb"])).output, format!("{}\n", LIMITS.processes - 1));
    }
    if LOOSE.lacks("memory").is_none() {
        let much = run_loose(&bot(&["eat", &(LIMITS.memory_bytes * 2).to_string()]));
        assert_eq!((much.exit, much.usage.over_memory), (Exit::Signal(9), true));
    }
    let crashed = run_loose(&bot(&["signal", "9"]));
    assert_eq!((crashed.exit, crashed.usage.over_memory), (Exit::Signal(9), false));
}

fn loose_usage_is_told() {
    let usage = run_loose(&shell("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done")).usage;
    assert!(usage.cpu.expect("processor time is always told").as_millis() > 1, "{usage:?}");
    let bytes = 32 << 20;
    let peak = run_loose(&bot(&["eat", &bytes.to_string()])).usage.memory_peak;
    assert_eq!(peak.is_some(), LOOSE.lacks("memory").is_none());
    // The kernel counts in batches, so that a few pages may be missing.
    assert!(peak.is_none_or(|peak| (bytes * 9 / 10..2 * bytes).contains(&peak)), "{peak:?}");
}

fn nothing_loose_is_left_behind() {
    let mark = format!("loose{}", std::process::id());
    let (running, mut output) = start_in(&LOOSE, &bot(&["daemons", &mark]), b"").unwrap();
    assert_eq!(wait(&running), Exit::Code(5));
    assert_eq!(processes_named(&mark).len(), 5, "they must be there to be missed");
    running.end();
    assert!(processes_named(&mark).is_empty());
    output.read_to_string(&mut String::new()).unwrap();
}

fn a_frozen_loose_program_ends() {
    let mark = format!("frozen{}", std::process::id());
    let (running, mut output) = start_in(&LOOSE, &bot(&["sleep", &mark]), b"").unwrap();
    output.read_exact(&mut [0; 7]).unwrap();
    running.freeze();
    running.end();
    assert!(processes_named(&mark).is_empty());
}

fn a_program_that_kills_its_cell_is_ended() {
    let program = folder().join("bot");
    let grouped = LOOSE.lacks("processes").is_none();
    // Those who wait do it when they are known; the others when they can, which only groups are a match for.
    let scripts = [
        ("orphan", "read _; kill -9 $PPID; exec BOT sleep MARK", true),
        ("quick", "kill -9 $PPID; exec BOT sleep MARK", grouped),
        ("heir", "BOT sleep MARK & kill -9 $PPID", grouped),
    ];
    for (name, script, _) in scripts.into_iter().filter(|(.., possible)| *possible) {
        let mark = format!("{name}{}", std::process::id());
        let order = shell(&script.replace("BOT", program.to_str().unwrap()).replace("MARK", &mark));
        for _ in 0..10 {
            let (stdin, mut input) = pipe().unwrap();
            let (mut output, stdout) = pipe().unwrap();
            let stderr = stdout.try_clone().unwrap();
            if let Ok(running) = LOOSE.start(&order, [stdin.into(), stdout.into(), stderr.into()]) {
                // The quick one may be gone.
                let _ = input.write_all(b"\n");
                if name == "orphan" {
                    output.read_exact(&mut [0; 7]).unwrap();
                }
                running.end();
            }
        }
        while !processes_named(&mark).is_empty() {
            std::thread::yield_now();
        }
    }
    assert_eq!(run_loose(&bot(&["exit", "3"])).exit, Exit::Code(3), "another cell is there for the next");
}
