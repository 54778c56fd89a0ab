//! What our groups are called, so that those of dead processes can be told from those in use.

use super::{files, limits};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use std::{fs, io, thread};

// How many groups this process has named is a fact about the whole program.
static NAMED: AtomicU32 = AtomicU32::new(0);

/// The owner in the names of groups: `palestra-PID-NUMBER-NAMESPACE`. The same number means another process in another
/// pid namespace, and groups are seen across them.
#[derive(Debug)]
pub(super) struct Owner {
    pid: u32,
    namespace: String,
}

impl Owner {
    /// The process with this folder in `/proc`, which is this one.
    pub(super) fn new(process: &Path) -> Owner {
        let link = fs::read_link(process.join("ns/pid")).unwrap_or_default();
        let digits = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        Owner { pid: std::process::id(), namespace: digits }
    }

    /// The pid namespace of it.
    #[cfg(test)]
    pub(super) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// A name that no other group of this process has.
    pub(super) fn name(&self) -> String {
        let number = NAMED.fetch_add(1, Ordering::Relaxed);
        format!("palestra-{}-{number}-{}", self.pid, self.namespace)
    }

    /// Ends what dead processes of ours have left in these folders. `processes` has a folder for each that lives.
    pub(super) fn sweep(&self, bases: &[&Path], processes: &Path) {
        let left: Vec<_> = bases.iter().flat_map(|base| self.left_in(base, processes)).collect();
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

    /// The groups of dead owners, and whether each is one of programs, not the one its owner had stepped aside into.
    fn left_in(&self, base: &Path, processes: &Path) -> Vec<(PathBuf, bool)> {
        let entries = fs::read_dir(base).into_iter().flatten().flatten();
        let left = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let words: Vec<&str> = name.split('-').collect();
            let ["palestra", pid, number, namespace, more @ ..] = words.as_slice() else {
                return None;
            };
            let _: (u32, u32) = (pid.parse().ok()?, number.parse().ok()?);
            let dead = *namespace == self.namespace && !processes.join(pid).exists();
            dead.then(|| (entry.path(), more.is_empty()))
        });
        left.collect()
    }
}
