//! Why there is no strict sandbox on a machine, and what to do about it: the systems that forbid it are few and known.

use crate::Missing;
use rustix::thread::CapabilitySet;
use std::fs;
use std::io;
use std::path::Path;

/// The oldest kernel that can do all that a cell needs.
const OLDEST_KERNEL: (u32, u32) = (5, 12);

/// What keeps programs from making namespaces, as far as this process can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Facts {
    /// Whether this process may do what ordinary users may not.
    is_privileged: bool,
    max_user_namespaces: Option<u64>,
    unprivileged_userns_clone: Option<u64>,
    apparmor_restricts: Option<u64>,
    /// Whether system calls of this process are filtered, as those of containers are.
    is_filtered: bool,
    is_in_container: bool,
    /// Whether what this process has for its root is part of a file system only.
    is_chrooted: bool,
    kernel: Option<(u32, u32)>,
}

/// What a cell that could not be made means.
pub(super) fn missing(error: &io::Error) -> Missing {
    match Facts::read().cause() {
        Some((cause, remedy)) => Missing { what: format!("{cause} ({error})"), remedy: remedy.to_owned() },
        None => Missing {
            what: error.to_string(),
            remedy: "let it make user, mount and pid namespaces".to_owned(),
        },
    }
}

/// What to do where a private /proc is refused.
pub(super) const NO_PROC: &str = "in a container, run that with --security-opt systempaths=unconfined, or give it a whole \
                                  /proc";

impl Facts {
    fn read() -> Facts {
        let setting = |name: &str| fs::read_to_string(format!("/proc/sys/{name}")).ok()?.trim().parse().ok();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let rights = rustix::thread::capabilities(None).map(|sets| sets.effective);
        Facts {
            is_privileged: rights.is_ok_and(|rights| rights.contains(CapabilitySet::SYS_ADMIN)),
            max_user_namespaces: setting("user/max_user_namespaces"),
            unprivileged_userns_clone: setting("kernel/unprivileged_userns_clone"),
            apparmor_restricts: setting("kernel/apparmor_restrict_unprivileged_userns"),
            is_filtered: status.lines().any(|line| line.split_ascii_whitespace().eq(["Seccomp:", "2"])),
            is_in_container: ["/.dockerenv", "/run/.containerenv"]
                .iter()
                .any(|file| Path::new(file).exists()),
            is_chrooted: !mounts.is_empty()
                && !mounts.lines().any(|line| line.split(' ').nth(4) == Some("/")),
            kernel: version(&rustix::system::uname().release().to_string_lossy()),
        }
    }

    /// The first thing that would explain it, and its remedy.
    fn cause(&self) -> Option<(&'static str, &'static str)> {
        let causes = [
            (
                self.kernel.is_some_and(|version| version < OLDEST_KERNEL),
                "its kernel is too old",
                "use Linux 5.12 or newer",
            ),
            (
                self.max_user_namespaces == Some(0),
                "it allows no user namespaces: user.max_user_namespaces is 0",
                "let root run sysctl user.max_user_namespaces=10000",
            ),
            (
                self.is_chrooted,
                "Linux makes no user namespaces for programs in a changed root folder",
                "enter that folder by bwrap or systemd-nspawn instead of chroot",
            ),
            (
                self.is_in_container || self.is_filtered,
                "its container, or a filter of system calls, keeps programs from making namespaces",
                "run the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
                 --security-opt systempaths=unconfined",
            ),
            (
                !self.is_privileged && self.unprivileged_userns_clone == Some(0),
                "it keeps ordinary users from making namespaces: kernel.unprivileged_userns_clone is 0",
                "let root run sysctl kernel.unprivileged_userns_clone=1, or run this as root",
            ),
            (
                !self.is_privileged && self.apparmor_restricts == Some(1),
                "AppArmor keeps ordinary users from using namespaces: kernel.apparmor_restrict_unprivileged_userns is 1",
                "let root run sysctl kernel.apparmor_restrict_unprivileged_userns=0, or write a profile for this program \
                 that has the rule `userns,`, or run this as root",
            ),
        ];
        causes.into_iter().find_map(|(is_so, cause, remedy)| is_so.then_some((cause, remedy)))
    }
}

/// The first two numbers of a kernel's release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{Facts, version};

    #[test]
    fn releases_are_read() {
        assert_eq!(version("6.18.44-fc-v445"), Some((6, 18)));
        assert_eq!(version("5.4-rc1"), Some((5, 4)));
        assert_eq!(version("unknown"), None);
    }

    #[test]
    fn the_true_cause_is_named() {
        let ordinary = Facts { kernel: Some((6, 8)), max_user_namespaces: Some(1000), ..Facts::default() };
        assert_eq!(ordinary.cause(), None);
        let names = |facts: Facts, words: &str| {
            let (cause, remedy) = facts.cause().unwrap();
            assert!(cause.contains(words) && !remedy.is_empty(), "{cause}");
        };
        let ubuntu = Facts { apparmor_restricts: Some(1), ..ordinary };
        names(ubuntu, "AppArmor");
        assert_eq!(Facts { is_privileged: true, ..ubuntu }.cause(), None);
        // In a container on Ubuntu it is the container that has to be changed first.
        names(Facts { is_filtered: true, is_in_container: true, ..ubuntu }, "container");
        names(Facts { unprivileged_userns_clone: Some(0), ..ordinary }, "unprivileged_userns_clone");
        names(Facts { max_user_namespaces: Some(0), is_privileged: true, ..ordinary }, "max_user_namespaces");
        names(Facts { is_chrooted: true, ..ordinary }, "root folder");
        names(Facts { kernel: Some((4, 18)), ..ordinary }, "kernel");
    }
}
