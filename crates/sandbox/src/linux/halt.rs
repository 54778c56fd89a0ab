//! Stops processes where no control group can freeze them: one by one, until none of them runs.

use crate::limits;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;

/// Stops every process that `list` names until none of them can run any more; whether that came to an end. `list` is
/// asked again after each pass: whoever has forked meanwhile has its child stopped by the next one.
pub fn stop_all(list: impl Fn() -> Vec<Pid>) -> bool {
    let mut quiet = 0;
    for _ in 0..limits::STOP_PASSES {
        let running: Vec<Pid> = list().into_iter().filter(|pid| can_run(*pid)).collect();
        quiet = if running.is_empty() { quiet + 1 } else { 0 };
        // A process that moves while it is looked for may be missed, but hardly twice.
        if quiet == 2 {
            return true;
        }
        for pid in running {
            let _ = kill_process(pid, Signal::STOP);
        }
    }
    false
}

/// Lets processes go on. Nobody forks while it is stopped, so that one pass reaches all of them.
pub fn continue_all(pids: &[Pid]) {
    for pid in pids {
        let _ = kill_process(*pid, Signal::CONT);
    }
}

fn can_run(pid: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid()));
    status.is_ok_and(|status| is_runnable(&status))
}

/// Whether a process with this `/proc/PID/status` may get to run its own code again by itself.
fn is_runnable(status: &str) -> bool {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let threads = field("Threads:").and_then(|threads| threads.parse::<u32>().ok()).unwrap_or(0);
    match field("State:").and_then(|state| state.chars().next()) {
        None | Some('T' | 't' | 'X') => return false,
        // A main thread that has ended says nothing about the others.
        Some('Z') if threads <= 1 => return false,
        Some(_) => {}
    }
    // Whoever has the signal before it runs stops before it runs.
    let pending = field("ShdPnd:").and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0);
    let stop = 1 << (Signal::STOP.as_raw() - 1);
    pending & stop == 0
}

#[cfg(test)]
mod tests {
    use super::is_runnable;

    fn status(state: &str, threads: u32, pending: &str) -> String {
        format!(
            "Name:\tbot\nState:\t{state}\nThreads:\t{threads}\nSigPnd:\t0000000000000000\nShdPnd:\t{pending}\n"
        )
    }

    #[test]
    fn what_is_stopped_dead_or_about_to_stop_cannot_run() {
        let none = "0000000000000000";
        for (state, threads, pending) in [
            ("T (stopped)", 4, none),
            ("t (tracing stop)", 1, none),
            ("Z (zombie)", 1, none),
            ("X (dead)", 1, none),
            ("R (running)", 1, "0000000000040000"),
            ("Z (zombie)", 3, "0000000000040000"),
        ] {
            assert!(!is_runnable(&status(state, threads, pending)), "{state}");
        }
        assert!(!is_runnable(""), "it is gone");
    }

    #[test]
    fn what_runs_sleeps_or_has_threads_left_can_run() {
        let none = "0000000000000000";
        for (state, threads, pending) in [
            ("R (running)", 1, none),
            ("S (sleeping)", 1, none),
            ("D (disk sleep)", 1, none),
            ("Z (zombie)", 2, none),
            ("R (running)", 1, "0000000000000100"),
        ] {
            assert!(is_runnable(&status(state, threads, pending)), "{state}");
        }
    }
}
