//! Bots that outlived the program that started them, because that was killed: the next one ends them.
//!
//! Every bot has a mark in its environment, and so has what it starts. The mark says which process started the bot, and when
//! that one had started itself: numbers of processes are used again. It also names the space in which that number is one.

use crate::driver::new_mark;
use crate::process::MARK;
use std::process::Command;

#[cfg(target_os = "linux")]
pub use linux::end_orphans;
#[cfg(target_os = "linux")]
pub(crate) use linux::owner;

/// Marks what a command starts as ours: if this program is killed before it, the next one ends it.
pub fn mark(command: &mut Command) {
    command.env(MARK, new_mark());
}

/// Elsewhere nobody is told what others have in their environment. On Windows the system ends them: their job ends with the
/// program that had it.
#[cfg(not(target_os = "linux"))]
pub fn end_orphans() -> usize {
    0
}

/// What tells the bots of this program from those of others.
#[cfg(not(target_os = "linux"))]
pub(crate) fn owner() -> String {
    std::process::id().to_string()
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::limits;
    use crate::process::MARK;
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    use std::collections::BTreeSet;
    use std::fs;
    use std::sync::OnceLock;

    /// What tells the bots of this program from those of others: `space:process:start`.
    pub(crate) fn owner() -> &'static str {
        // A fact about the whole process, which every match asks for.
        static OWNER: OnceLock<String> = OnceLock::new();
        OWNER.get_or_init(|| {
            let own = std::process::id();
            format!("{}:{own}:{}", space("self"), start_of(own).unwrap_or(0))
        })
    }

    /// Kills bots whose program is no more, and what they started; says how many that were. A program that was itself
    /// started by a bot ends nobody.
    pub fn end_orphans() -> usize {
        if std::env::var_os(MARK).is_some() {
            return 0;
        }
        let own_space = space("self");
        let mut ended = BTreeSet::new();
        // Some may start others in the meantime.
        for _ in 0..limits::SWEEPS {
            let found: Vec<Pid> = processes().filter(|pid| is_orphan(*pid, &own_space)).collect();
            if found.is_empty() {
                break;
            }
            for pid in found {
                // Looked at again once it is held: its number may be another's by now.
                let Ok(held) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
                if is_orphan(pid, &own_space) && pidfd_send_signal(&held, Signal::KILL).is_ok() {
                    ended.insert(pid.as_raw_pid());
                }
            }
        }
        ended.len()
    }

    fn processes() -> impl Iterator<Item = Pid> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
    }

    /// Whether a process is a bot, or was started by one, and its owner is gone.
    fn is_orphan(pid: Pid, own_space: &str) -> bool {
        let pid = pid.as_raw_pid();
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mark = environment
            .split(|byte| *byte == 0)
            .find_map(|entry| entry.strip_prefix(MARK.as_bytes()).and_then(|rest| rest.strip_prefix(b"=")))
            .and_then(|mark| std::str::from_utf8(mark).ok());
        let Some([space, owner, start]) = mark.and_then(parts) else { return false };
        let (Ok(owner), Ok(start)) = (owner.parse::<u32>(), start.parse::<u64>()) else { return false };
        space == own_space && self::space(&pid.to_string()) == own_space && start_of(owner) != Some(start)
    }

    /// The owner in a mark: `space:process:start:match`.
    fn parts(mark: &str) -> Option<[&str; 3]> {
        let mut parts = mark.split(':');
        let owner = [parts.next()?, parts.next()?, parts.next()?];
        (parts.next().is_some() && parts.next().is_none()).then_some(owner)
    }

    /// In which space the numbers of processes are those of this process.
    fn space(pid: &str) -> String {
        let link = fs::read_link(format!("/proc/{pid}/ns/pid")).unwrap_or_default();
        link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
    }

    /// When a process started, in ticks since the machine did; `None` if it is no more.
    fn start_of(pid: u32) -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name comes first, and may have anything in it.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let state = fields.next()?;
        let start = fields.nth(18)?.parse().ok()?;
        (!matches!(state, "Z" | "X")).then_some(start)
    }

    #[cfg(test)]
    mod tests {
        use super::{is_orphan, owner, space, start_of};
        use crate::process::MARK;
        use rustix::process::Pid;
        use std::process::{Child, Command};

        fn sleeper(mark: &str) -> Child {
            Command::new("sleep").arg("1000").env(MARK, mark).spawn().unwrap()
        }

        #[test]
        fn only_those_whose_owner_is_gone_are_orphans() {
            let own = owner();
            let (own_space, pid) = (space("self"), std::process::id());
            let other_start = start_of(pid).unwrap() + 1;
            let marks = [
                (format!("{own}:0"), false),
                (format!("{own_space}:{pid}:{other_start}:0"), true),
                (format!("1{own_space}:{pid}:{other_start}:0"), false),
                ("none".to_owned(), false),
                (format!("{pid}-7"), false),
            ];
            for (mark, orphan) in marks {
                let mut child = sleeper(&mark);
                // Until it has become another program, it has the environment of its parent, or none.
                let environment = || std::fs::read(format!("/proc/{}/environ", child.id())).unwrap();
                let entry = format!("{MARK}={mark}");
                while !environment().split(|byte| *byte == 0).any(|found| found == entry.as_bytes()) {
                    std::thread::yield_now();
                }
                assert_eq!(is_orphan(Pid::from_child(&child), &own_space), orphan, "{mark}");
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
    }
}
