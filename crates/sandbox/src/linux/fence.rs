//! Landlock: what the private root shows, once more, by a mechanism that knows nothing of mounts.
//!
//! Nothing outside the private root can be reached, and nothing be run but what lies in the system's folders and the
//! program's own. What is read-only within the root is so by its mount: rules are about files that are there when they are
//! made, and the scratch space of each program is a new one.
//!
//! Whatever the kernel knows of it is used; an old kernel that knows nothing leaves the private root alone to do it.

use super::view::SYSTEM;
use super::wire::Setup;
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use std::ffi::OsStr;
use std::path::Path;

/// The newest version whose rights were looked at here.
const KNOWN: ABI = ABI::V6;

/// Fences this process, and all it starts, in; whether the kernel could do anything of it.
pub(super) fn raise(setup: &Setup) -> Result<bool, RulesetError> {
    let (read, all) = (AccessFs::from_read(KNOWN), AccessFs::from_all(KNOWN));
    let mut rules = Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    rules = allow(rules, "/".as_ref(), all & !(AccessFs::Execute | AccessFs::IoctlDev))?;
    for path in SYSTEM.into_iter().chain(["/etc"]) {
        rules = allow(rules, path.as_ref(), read)?;
    }
    for place in &setup.places {
        rules = allow(rules, &place.path, if place.writable { all } else { read })?;
    }
    Ok(rules.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

fn allow(
    rules: RulesetCreated,
    path: &OsStr,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What is not there needs no rule.
    let Ok(opened) = PathFd::new(path) else {
        return Ok(rules);
    };
    let rights = if Path::new(path).is_dir() { rights } else { rights & AccessFs::from_file(KNOWN) };
    rules.add_rule(PathBeneath::new(opened, rights))
}
