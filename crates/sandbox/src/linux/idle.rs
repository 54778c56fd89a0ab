//! Processes that have the processor only when nobody else wants it.

use super::kernel::{is_idle, set_idle};
use crate::limits;
use rustix::process::Pid;
use std::fs;

/// Gives every process that `list` names the lowest priority there is; whether any of them had a higher one. `list` is
/// asked again until nothing is left to change: whoever has forked meanwhile may have a child that was missed.
pub fn make_idle(list: impl Fn() -> Vec<Pid>) -> bool {
    let mut passes = 0;
    while passes < limits::STOP_PASSES && any(&list(), lower_threads) {
        passes += 1;
    }
    any(&list(), lower_session) || passes > 0
}

/// Whether this changes any of them; it is done to all.
fn any(pids: &[Pid], change: fn(Pid) -> bool) -> bool {
    pids.iter().filter(|pid| change(**pid)).count() > 0
}

/// Lowers the priority of all threads of a process; whether any had a higher one.
fn lower_threads(pid: Pid) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())).into_iter().flatten().flatten();
    let threads = threads.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    threads.filter(|thread| !is_idle(*thread) && set_idle(*thread).is_ok()).count() > 0
}

/// Where the kernel shares the processor out by sessions first, priorities count within a session only. A session that is
/// not ours, because the program has made it, is lowered as a whole; whether it was any higher. Users without rights may
/// do so for one session in a tenth of a second.
fn lower_session(pid: Pid) -> bool {
    let path = format!("/proc/{}/autogroup", pid.as_raw_pid());
    let Ok(theirs) = fs::read_to_string(&path) else {
        return false;
    };
    let ours = fs::read_to_string("/proc/self/autogroup").unwrap_or_default();
    let name = |session: &str| session.split(' ').next().map(str::to_owned);
    if name(&theirs) == name(&ours) || theirs.trim_end().ends_with(" 19") {
        return false;
    }
    let _ = fs::write(path, "19");
    true
}
