//! The private root folder of a cell: the system's programs and libraries, what the order names, and a scratch space.
//!
//! Everything that is shown is copied before the first thing is covered, and the root folder that everybody else sees is
//! let go at the end: what was not copied cannot be reached by any name.

use super::kernel::set_mount;
use super::tree::{Use, copy, show};
use super::wire::Setup;
use crate::limits;
use nix::libc::MOUNT_ATTR_RDONLY;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount};
use std::collections::BTreeSet;
use std::ffi::{CString, OsString};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

pub(super) const SCRATCH: &str = "/tmp";
/// Folders of the system: shown if they are folders, made again if they are links.
pub(super) const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// What compilers and interpreters look for in `/etc`; whatever begins with `java` is shown too.
const SETTINGS: [&str; 6] =
    ["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone"];
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Any folder that is always there: the new root is built on top of it.
const STAGE: &str = "/usr";
/// Who the program is, for those who ask by number.
const WRITTEN: [(&str, &str); 4] = [
    ("etc/passwd", "bot:x:1000:1000::/tmp:/bin/sh\n"),
    ("etc/group", "bot:x:1000:\n"),
    ("etc/hosts", "127.0.0.1 localhost\n"),
    ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];
const LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "dev/fd"),
    ("/proc/self/fd/0", "dev/stdin"),
    ("/proc/self/fd/1", "dev/stdout"),
    ("/proc/self/fd/2", "dev/stderr"),
    (SCRATCH, "dev/shm"),
];

/// Builds the root folder and goes there. `copies` are those of the setup's places, if somebody else made them. Says whether
/// there is a `/proc`: where the kernel does not let us have one, programs do without.
pub(super) fn build(setup: &Setup, copies: Vec<OwnedFd>) -> io::Result<bool> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let mut shown = Vec::new();
    let mut links = Vec::new();
    for path in SYSTEM.map(Path::new) {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => links.push((fs::read_link(path)?, path)),
            Ok(_) => shown.push((copy(path, Use::Read, None)?, path.to_owned(), true)),
            Err(_) => {}
        }
    }
    for path in settings() {
        let is_folder = path.is_dir();
        shown.push((copy(&path, Use::Read, None)?, path, is_folder));
    }
    for path in devices(setup) {
        shown.push((copy(path, Use::Device, None)?, path.to_owned(), false));
    }
    let places = places(setup, copies)?;

    temporary(Path::new(STAGE), limits::ROOT_BYTES, "755")?;
    rustix::process::chdir(STAGE)?;
    for folder in ["etc", "dev", "proc", "tmp"] {
        fs::create_dir(folder)?;
    }
    for (target, path) in links {
        std::os::unix::fs::symlink(target, inside(path))?;
    }
    for (path, text) in WRITTEN {
        fs::write(path, text)?;
    }
    for (target, path) in LINKS {
        std::os::unix::fs::symlink(target, path)?;
    }
    temporary(Path::new("tmp"), setup.limits.scratch_bytes, "700")?;
    // Nothing there is to be changed, not even what a program could change about itself.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    let has_proc = mount("proc", "proc", "proc", flags, c"hidepid=invisible,subset=pid").is_ok();
    let mut kept = BTreeSet::new();
    let mut skeletons = Vec::new();
    for (copy, path, is_folder) in shown.into_iter().chain(places) {
        make_room(&path, is_folder, &mut kept, &mut skeletons).map_err(|error| at(&path, &error))?;
        show(&copy, inside(&path)).map_err(|error| at(&path, &error))?;
    }
    for skeleton in skeletons {
        read_only(&skeleton)?;
    }
    read_only(Path::new("."))?;
    rustix::process::pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")?;
    Ok(has_proc)
}

/// The devices. Mapping zeros makes memory that no process is charged for.
fn devices(setup: &Setup) -> impl Iterator<Item = &'static Path> {
    let zeros = setup.memory_by_process;
    DEVICES.into_iter().filter(move |device| !(zeros && *device == "/dev/zero")).map(Path::new)
}

/// The setup's places with their copies, outer ones first.
fn places(setup: &Setup, copies: Vec<OwnedFd>) -> io::Result<Vec<(OwnedFd, PathBuf, bool)>> {
    let mut copies = copies.into_iter();
    let mut places = Vec::new();
    for place in &setup.places {
        let path = PathBuf::from(&place.path);
        let purpose = if place.writable { Use::Write } else { Use::Read };
        let copy = match copies.next() {
            Some(copy) => copy,
            None => copy(&path, purpose, None).map_err(|error| at(&path, &error))?,
        };
        places.push((copy, path, place.is_folder));
    }
    places.sort_by_key(|(_, path, _)| path.components().count());
    Ok(places)
}

/// What every program is shown, whatever its order says.
pub(super) fn shown_to_all() -> Vec<PathBuf> {
    SYSTEM.iter().map(PathBuf::from).chain(settings()).collect()
}

fn settings() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = SETTINGS.iter().map(|name| Path::new("/etc").join(name)).collect();
    for entry in fs::read_dir("/etc").into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(b"java") {
            found.push(entry.path());
        }
    }
    found.retain(|path| path.exists());
    found
}

/// The rights on a folder that can be passed through, but not listed.
const SEARCHED_ONLY: u32 = 0o111;

/// Makes the file or folder on which a place is shown, and all folders above it.
fn make_room(
    path: &Path,
    is_folder: bool,
    kept: &mut BTreeSet<OsString>,
    skeletons: &mut Vec<PathBuf>,
) -> io::Result<()> {
    let here = inside(path);
    if let Ok(below) = path.strip_prefix(SCRATCH)
        && let Some(first) = below.components().next()
        && kept.insert(first.as_os_str().to_owned())
        && below.components().count() > 1
    {
        // A program could move a folder of its scratch space away with the place in it, but not one that is a mount.
        let top = Path::new("tmp").join(first);
        fs::create_dir(&top)?;
        temporary(&top, limits::ROOT_BYTES, "755")?;
        skeletons.push(top);
    }
    if let Some(parent) = here.parent() {
        // What lies beside the place on this machine is not there, and neither are the names of other places told.
        fs::DirBuilder::new().recursive(true).mode(SEARCHED_ONLY).create(parent)?;
    }
    make_target(here, is_folder).or_else(|error| {
        // It lies in something that is shown already.
        if here.exists() { Ok(()) } else { Err(error) }
    })
}

/// Makes the file or folder on which something can be shown.
pub(super) fn make_target(path: &Path, is_folder: bool) -> io::Result<()> {
    match is_folder {
        true => fs::create_dir(path),
        false => fs::OpenOptions::new().append(true).create(true).open(path).map(drop),
    }
}

/// Mounts a file system that lives in memory.
pub(super) fn temporary(at: &Path, bytes: u64, mode: &str) -> io::Result<()> {
    let options = format!("size={bytes},nr_inodes={},mode={mode}", limits::SCRATCH_ENTRIES);
    let options = CString::new(options).map_err(io::Error::other)?;
    // Nothing that is written there may be run.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount("tmpfs", at, "tmpfs", flags, options.as_c_str())?)
}

fn read_only(mounted: &Path) -> io::Result<()> {
    let folder = rustix::fs::openat(CWD, mounted, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    set_mount(folder, MOUNT_ATTR_RDONLY, None, false)
}

/// The path in the new root, before it is the root.
fn inside(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} cannot be shown: {error}", path.display()))
}
