//! How a cell gives up its rights, for itself and for every program it starts.

use super::wire::Setup;
use super::{calls, fence};
use crate::limits;
use rustix::process::{DumpableBehavior, Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets};
use std::io;

/// Gives up everything that programs must not have. There is no way back.
pub(super) fn seal(setup: &Setup) -> io::Result<()> {
    limit(setup)?;
    // Within the cell's own user namespace, for what lets each program begin as the first one did.
    keep_only(CapabilitySet::SYS_ADMIN)?;
    fence::raise(setup).map_err(io::Error::other)?;
    calls::restrict(setup.memory_by_process)
}

/// Gives up all rights but these, which no program that is started inherits, and the possibility of being looked into.
pub(super) fn keep_only(kept: CapabilitySet) -> io::Result<()> {
    for capability in CapabilitySet::all().iter() {
        // Those that this kernel does not know are not there to be dropped.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    rustix::thread::clear_ambient_capability_set()?;
    rustix::thread::set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    )?;
    rustix::thread::set_no_new_privs(true)?;
    Ok(rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Limits what each process may use by itself.
pub(super) fn limit(setup: &Setup) -> io::Result<()> {
    let ours = &setup.limits;
    let (stack, most) = limits::STACK_BYTES;
    // A stack is not part of a process's data.
    let most = if setup.memory_by_process { most.min(ours.memory_bytes) } else { most };
    let stack = (stack.min(most), most);
    let mut wanted = vec![
        (Resource::Core, (0, 0)),
        (Resource::Nofile, (ours.open_files.into(), ours.open_files.into())),
        (Resource::Fsize, (ours.file_bytes, ours.file_bytes)),
    ];
    if setup.strict {
        // A user namespace counts its own processes, those of the cell among them.
        let processes = u64::from(ours.processes) + u64::from(limits::OWN_PROCESSES);
        wanted.extend([
            (Resource::Nproc, (processes, processes)),
            (Resource::Stack, stack),
            (Resource::Memlock, (limits::LOCKED_BYTES, limits::LOCKED_BYTES)),
            (Resource::Msgqueue, (0, 0)),
            (Resource::Sigpending, (limits::PENDING_SIGNALS, limits::PENDING_SIGNALS)),
            (Resource::Nice, (0, 0)),
            (Resource::Rtprio, (0, 0)),
        ]);
    }
    if setup.memory_by_process {
        // Not the address space: interpreters reserve far more of it than they use.
        wanted.push((Resource::Data, (ours.memory_bytes, ours.memory_bytes)));
    }
    for (resource, (soft, hard)) in wanted {
        // What is limited more tightly already cannot be raised.
        let ceiling = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(soft.min(ceiling)), maximum: Some(hard.min(ceiling)) };
        setrlimit(resource, limit)?;
    }
    Ok(())
}
