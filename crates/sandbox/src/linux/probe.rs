//! What this machine gives, for people who ask: every protection is tried, not guessed.

use super::owner::can_be_nobody;
use super::pool::Sandbox;
use crate::Protection;
use crate::cgroup::Groups;
use landlock::{ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _};
use std::fs;

/// Every protection, and whether programs get it here.
pub fn probe() -> Vec<Protection> {
    let strict = Sandbox::strict();
    let mut all = vec![match &strict {
        Ok(_) => given(
            "namespaces",
            "programs have a root folder, processes, network and names of their own, and no rights outside",
        ),
        Err(missing) => Protection {
            name: "namespaces",
            given: false,
            meaning: format!("programs cannot be run strictly apart: {}", missing.what),
            remedy: Some(missing.remedy.clone()),
        },
    }];
    if let Ok(sandbox) = &strict {
        all.push(own_proc(sandbox));
    }
    all.push(system_calls());
    all.push(landlock());
    all.push(other_user());
    let groups = Groups::open();
    for control in groups.describe() {
        all.push(Protection {
            name: control.name,
            given: control.given,
            meaning: match control.given {
                true => {
                    format!("of all of a program's processes together, by {}: {}", groups.kind(), control.how)
                }
                false => instead(control.name).to_owned(),
            },
            remedy: (!control.given).then_some(control.how),
        });
    }
    all
}

/// What there is where groups of processes cannot be limited.
fn instead(name: &str) -> &'static str {
    match name {
        "memory" => {
            "in strict each process is limited to as much data, and as much stack, and there is no shared memory but files in \
             the scratch space; a program with all its processes can take as many times that, palestra serve does not \
             open unless its plan accepts it, and nobody is told apart who wanted too much; in auto memory is not limited"
        }
        "processes" => {
            "in strict processes are limited by the kernel's count of users, in auto they are not, and their peak is not told"
        }
        "processor share" => "a program may use every core that the match may use, all the time",
        "processor time" => {
            "processor time is told at a program's end only, by those who waited for its processes"
        }
        _ => "programs that stand still are stopped by signals, which they can notice",
    }
}

fn given(name: &'static str, meaning: &str) -> Protection {
    Protection { name, given: true, meaning: meaning.to_owned(), remedy: None }
}

fn own_proc(sandbox: &Sandbox) -> Protection {
    if sandbox.has_proc() {
        return given("own /proc", "programs see their own processes there, and nothing else of the machine");
    }
    Protection {
        name: "own /proc",
        given: false,
        meaning: "programs have no /proc at all, which some interpreters miss: this system does not let it be mounted"
            .to_owned(),
        remedy: Some(super::refusal::NO_PROC.to_owned()),
    }
}

fn system_calls() -> Protection {
    let actions = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    if actions.split_ascii_whitespace().any(|action| action == "errno") {
        return given("system calls", "programs can make only those that are listed; others are refused");
    }
    Protection {
        name: "system calls",
        given: false,
        meaning: "programs cannot be kept from any system call, and are not run strictly apart".to_owned(),
        remedy: Some("use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)".to_owned()),
    }
}

fn landlock() -> Protection {
    let knows = |version: ABI| {
        let wanted = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        wanted.handle_access(AccessFs::from_all(version)).and_then(Ruleset::create).is_ok()
    };
    let versions = [(ABI::V5, 5), (ABI::V3, 3), (ABI::V2, 2), (ABI::V1, 1)];
    match versions.into_iter().find(|(version, _)| knows(*version)) {
        Some((_, number)) => given(
            "Landlock",
            &format!("files are fenced in a second time (version {number} of the file rules, or newer)"),
        ),
        None => Protection {
            name: "Landlock",
            given: false,
            meaning: "files are kept apart by the private root folder alone".to_owned(),
            remedy: Some(
                "use Linux 5.13 or newer with landlock among its security modules (lsm=)".to_owned(),
            ),
        },
    }
}

fn other_user() -> Protection {
    if can_be_nobody() {
        return given(
            "other user",
            "programs are a user that owns nothing here, if the file system of their folders can show them as another's",
        );
    }
    Protection {
        name: "other user",
        given: false,
        meaning: "programs are, outside of their namespaces, the user who runs this".to_owned(),
        remedy: Some("run this as root, which is then given up for every program".to_owned()),
    }
}
