//! Who descends from whom, as Linux tells it.

use rustix::process::Pid;
use std::fs;

/// The children of a process, of all its threads.
pub fn children(pid: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())) else {
        return found;
    };
    for thread in threads.flatten() {
        let Ok(list) = fs::read_to_string(thread.path().join("children")) else {
            continue;
        };
        found.extend(list.split_ascii_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)));
    }
    found
}

/// Everything below a process that still hangs on it, or about the first so many.
pub fn descendants(root: Pid, most: usize) -> Vec<Pid> {
    let mut found = children(root);
    let mut at = 0;
    while at < found.len() && found.len() < most {
        found.extend(children(found[at]));
        at += 1;
    }
    found
}
