//! Many programs: in a row, at once, and after something went wrong.

use crate::Test;
use crate::support::{LIMITS, bot, folder, order, processes_named, run, run_with, shell, start, zoo_bot};
use palestra_sandbox::{Exit, Order, Sandbox, is_cell};
use rustix::process::{Pid, Signal};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, pipe};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::thread;

pub(crate) const TESTS: &[Test] = &[
    ("a_cell_serves_many_programs", a_cell_serves_many_programs),
    ("many_threads_start_at_once", many_threads_start_at_once),
    ("a_broken_cell_is_replaced", a_broken_cell_is_replaced),
    ("a_replaced_folder_is_seen", a_replaced_folder_is_seen),
    ("the_next_program_finds_no_trace", the_next_program_finds_no_trace),
    ("a_cell_holds_no_memory_of_ours", a_cell_holds_no_memory_of_ours),
    ("programs_run_where_the_thread_runs", programs_run_where_the_thread_runs),
    ("nothing_outlives_this_process", || nothing_outlives_this_process("strict")),
    ("nothing_loose_outlives_this_process", || nothing_outlives_this_process("loose")),
];

/// The cells that are children of this process now.
fn cells() -> Vec<Pid> {
    let mut found = Vec::new();
    for task in fs::read_dir("/proc/self/task").unwrap().flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(children.split_ascii_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)));
    }
    found.retain(|pid| is_cell(*pid));
    found
}

fn a_cell_serves_many_programs() {
    run(&bot(&["exit", "0"]));
    let before = cells();
    for code in 0..200 {
        assert_eq!(run(&bot(&["exit", &code.to_string()])).exit, Exit::Code(code));
    }
    assert_eq!(cells(), before);
}

fn many_threads_start_at_once() {
    thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                for _ in 0..10 {
                    let outcome = run(&shell(&format!("echo {number} > /tmp/n; cat /tmp/n; exit {number}")));
                    assert_eq!(outcome.output, format!("{number}\n"));
                    assert_eq!(outcome.exit, Exit::Code(number));
                }
            });
        }
    });
}

fn a_broken_cell_is_replaced() {
    run(&bot(&["exit", "0"]));
    let before = cells();
    for cell in &before {
        let children = format!("/proc/{0}/task/{0}/children", cell.as_raw_pid());
        let first = fs::read_to_string(children).unwrap_or_default().trim().parse().ok();
        if let Some(first) = first.and_then(Pid::from_raw) {
            rustix::process::kill_process(first, Signal::KILL).unwrap();
        }
    }
    assert_eq!(run(&bot(&["exit", "3"])).exit, Exit::Code(3));
    assert!(cells().iter().all(|cell| before.len() > 1 || !before.contains(cell)));
}

fn a_replaced_folder_is_seen() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("bot");
    let read = || {
        let mut order = shell("cat word");
        order.folder = Some(folder.clone());
        run(&order).output
    };
    for word in ["one", "two"] {
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("word"), word).unwrap();
        assert_eq!(read(), word);
        // The old folder lives on elsewhere, so that the new one is another.
        fs::rename(&folder, place.path().join(word)).unwrap();
    }
}

fn the_next_program_finds_no_trace() {
    let counts = zoo_bot("counts_matches", include_str!("../../../../zoo/counts_matches.c"));
    let match_of = || {
        let outcome = run_with(&counts, b"start\n");
        assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.output);
        assert!(!outcome.output.contains("escaped"), "{}", outcome.output);
        outcome.output
    };
    // All of these are shown the same folder, so that one cell serves them.
    let first = match_of();
    let before = cells();
    assert!(first.lines().filter(|line| line.starts_with("saw: ")).count() > 50, "{first}");
    assert_eq!(match_of(), first, "after itself");
    assert_eq!(run(&bot(&["lock"])).exit, Exit::Code(0));
    run(&bot(&["bomb"]));
    run(&bot(&["fill", "/tmp/file"]));
    assert_eq!(match_of(), first, "after another one");
    assert!(start(&order(&["/nowhere"]), b"").is_err());
    assert_eq!(match_of(), first, "after one that could not be started");
    assert_eq!(cells(), before, "cells are used again, or this has shown nothing");
}

fn a_cell_holds_no_memory_of_ours() {
    const HELD: usize = 1 << 30;
    let held = vec![1_u8; HELD];
    let fresh = Sandbox::strict().unwrap();
    let mut order = bot(&["exit", "0"]);
    order.limits.open_files += 2;
    let before = cells();
    let nothing = || OwnedFd::from(fs::File::open("/dev/null").unwrap());
    let running = fresh.start(&order, [nothing(), nothing(), nothing()]).unwrap();
    let new: Vec<Pid> = cells().into_iter().filter(|cell| !before.contains(cell)).collect();
    assert_eq!(new.len(), 1);
    let sizes = fs::read_to_string(format!("/proc/{}/statm", new[0].as_raw_pid())).unwrap();
    let pages: usize = sizes.split(' ').next().unwrap().parse().unwrap();
    assert!(pages * rustix::param::page_size() < HELD / 4, "{sizes}");
    running.end();
    drop(held);
}

fn programs_run_where_the_thread_runs() {
    let before = rustix::thread::sched_getaffinity(None).unwrap();
    let allowed = "grep Cpus_allowed_list /proc/self/status | cut -f 2";
    for core in (0..64).filter(|core| before.is_set(*core)) {
        let mut set = rustix::thread::CpuSet::new();
        set.set(core);
        rustix::thread::sched_setaffinity(None, &set).unwrap();
        assert_eq!(run(&shell(allowed)).output, format!("{core}\n"));
    }
    rustix::thread::sched_setaffinity(None, &before).unwrap();
}

const HOST: &str = "--plays-a-host";

/// If this process is to be killed in the middle of a program, starts one and waits for that.
pub(crate) fn plays_a_host() -> bool {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [word, level, program, mark] = &words[..] else {
        return false;
    };
    if word != HOST {
        return false;
    }
    let order = Order {
        command: vec![program.into(), "sleep".into(), mark.into()],
        folder: None,
        readable: vec![program.into()],
        writable: Vec::new(),
        environment: Vec::new(),
        limits: LIMITS,
    };
    let (stdin, _ours) = pipe().unwrap();
    let (_output, stderr) = pipe().unwrap();
    let stdout = rustix::io::dup(rustix::stdio::stdout()).unwrap();
    let sandbox =
        if level == "strict" { Sandbox::strict().unwrap() } else { Sandbox::loose(&LIMITS).unwrap() };
    let _running = sandbox.start(&order, [stdin.into(), stdout, stderr.into()]).unwrap();
    loop {
        thread::park();
    }
}

fn nothing_outlives_this_process(level: &str) {
    let mark = format!("{level}{}", std::process::id());
    let mut host = Command::new("/proc/self/exe")
        .args([HOST, level, folder().join("bot").to_str().unwrap(), &mark])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(host.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "asleep\n");
    assert_eq!(processes_named(&mark).len(), 1);
    host.kill().unwrap();
    host.wait().unwrap();
    // Its end of the pipe is closed when it is gone.
    output.read_to_end(&mut Vec::new()).unwrap();
    while !processes_named(&mark).is_empty() {
        thread::yield_now();
    }
}
