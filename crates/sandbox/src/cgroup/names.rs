//! What our groups are called, so that those of dead processes can be told from those in use.

use super::{files, limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use std::{fs, io, thread};

// How many owners there were in this process is a fact about the whole program.
static OWNERS: AtomicU32 = AtomicU32::new(0);

/// The owner in the names of groups: `palestra-PID-OWNER.NUMBER-NAMESPACE`. The same PID means another process in another
/// pid namespace, and groups are seen across them.
#[derive(Debug)]
pub(super) struct Owner {
    pid: u32,
    /// Tells it from the other owners of this process.
    number: u32,
    namespace: String,
    /// How many groups it has named.
    named: AtomicU32,
}

impl Owner {
    /// The process with this folder in `/proc`, which is this one.
    pub(super) fn new(process: &Path) -> Owner {
        let link = fs::read_link(process.join("ns/pid")).unwrap_or_default();
        let digits = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        Owner {
            pid: std::process::id(),
            number: OWNERS.fetch_add(1, Ordering::Relaxed),
            namespace: digits,
            named: AtomicU32::new(0),
        }
    }

    /// The pid namespace of it.
    #[cfg(test)]
    pub(super) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// A name that no other group has.
    pub(super) fn name(&self) -> String {
        let group = self.named.fetch_add(1, Ordering::Relaxed);
        format!("palestra-{}-{}.{group}-{}", self.pid, self.number, self.namespace)
    }

    /// Ends what dead processes of ours have left in these folders. `processes` has a folder for each that lives.
    pub(super) fn sweep(&self, bases: &[&Path], processes: &Path) {
        self.end(bases, |pid, _| !processes.join(pid.to_string()).exists());
    }

    /// Ends everything in its own groups.
    pub(super) fn sweep_own(&self, bases: &[&Path]) {
        self.end(bases, |pid, owner| (pid, owner) == (self.pid, self.number));
    }

    /// Ends what is in the groups of these owners, and removes them.
    fn end(&self, bases: &[&Path], of: impl Fn(u32, u32) -> bool) {
        let left: Vec<_> = bases.iter().flat_map(|base| self.groups_in(base, &of)).collect();
        for (folder, _) in left.iter().filter(|(_, of_programs)| *of_programs) {
            // Whichever version it is of: what is frozen does not die.
            for (file, value) in [("freezer.state", "THAWED"), ("cgroup.freeze", "0")] {
                if folder.join(file).exists() {
                    let _ = files::write(folder, file, value);
                }
            }
            files::kill_members(folder);
        }
        let begin = Instant::now();
        for (folder, of_programs) in left {
            while fs::remove_dir(&folder).is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
                && of_programs
                && begin.elapsed() < limits::EMPTY_WAIT
            {
                files::kill_members(&folder);
                thread::sleep(limits::EMPTY_STEP);
            }
        }
    }

    /// The groups of these owners, and whether each is one of programs, not the one its owner had stepped aside into.
    fn groups_in(&self, base: &Path, of: impl Fn(u32, u32) -> bool) -> Vec<(PathBuf, bool)> {
        let entries = fs::read_dir(base).into_iter().flatten().flatten();
        let groups = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let words: Vec<&str> = name.split('-').collect();
            let ["palestra", pid, number, namespace, more @ ..] = words.as_slice() else {
                return None;
            };
            let (owner, group) = number.split_once('.')?;
            let (pid, owner, _): (u32, u32, u32) =
                (pid.parse().ok()?, owner.parse().ok()?, group.parse().ok()?);
            (*namespace == self.namespace && of(pid, owner)).then(|| (entry.path(), more.is_empty()))
        });
        groups.collect()
    }
}
