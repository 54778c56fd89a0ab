//! Where this process's own groups are in the file system.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

/// The mounted hierarchies, and this process's group in each.
#[derive(Debug, Default)]
pub(super) struct Places {
    mounts: Vec<Mount>,
    /// Controllers, separated by commas (none: version 2), and the group's path.
    own: Vec<(String, PathBuf)>,
}

#[derive(Debug)]
struct Mount {
    /// The group that is seen at the mount point.
    root: PathBuf,
    point: PathBuf,
    version2: bool,
    options: String,
}

impl Places {
    /// Reads `mountinfo` and `cgroup` in a process's folder.
    pub(super) fn read(process: &Path) -> Places {
        let text = |name: &str| fs::read_to_string(process.join(name)).unwrap_or_default();
        Places {
            mounts: text("mountinfo").lines().filter_map(mount).collect(),
            own: text("cgroup").lines().filter_map(own).collect(),
        }
    }

    /// This process's group of version 2.
    pub(super) fn version2(&self) -> Option<PathBuf> {
        let (_, own) = self.own.iter().find(|(controllers, _)| controllers.is_empty())?;
        self.mounts.iter().filter(|mount| mount.version2).find_map(|mount| mount.place(own))
    }

    /// This process's group of a controller of version 1.
    pub(super) fn version1(&self, controller: &str) -> Option<PathBuf> {
        let among = |list: &str| list.split(',').any(|word| word == controller);
        let (_, own) = self.own.iter().find(|(controllers, _)| among(controllers))?;
        let mut mounts = self.mounts.iter().filter(|mount| !mount.version2 && among(&mount.options));
        mounts.find_map(|mount| mount.place(own))
    }
}

impl Mount {
    /// Where a group is, unless the mount shows another part of the hierarchy.
    fn place(&self, group: &Path) -> Option<PathBuf> {
        let below = group.strip_prefix(&self.root).ok()?;
        let outside = below.components().any(|part| part == Component::ParentDir);
        let folder: PathBuf = self.point.join(below).components().collect();
        (!outside && folder.is_dir()).then_some(folder)
    }
}

/// One line of `mountinfo`: `id parent device root point options [more...] - kind source options`.
fn mount(line: &str) -> Option<Mount> {
    let (front, back) = line.split_once(" - ")?;
    let mut front = front.split(' ').skip(3);
    let (root, point) = (unescape(front.next()?), unescape(front.next()?));
    let mut back = back.split(' ');
    let version2 = match back.next()? {
        "cgroup" => false,
        "cgroup2" => true,
        _ => return None,
    };
    Some(Mount { root, point, version2, options: back.nth(1).unwrap_or_default().to_owned() })
}

/// One line of `cgroup`: `number:controllers:path`.
fn own(line: &str) -> Option<(String, PathBuf)> {
    let mut parts = line.splitn(3, ':').skip(1);
    Some((parts.next()?.to_owned(), PathBuf::from(parts.next()?)))
}

/// The kernel writes blanks and the like as a backslash and three octal digits.
pub(crate) fn unescape(word: &str) -> PathBuf {
    let bytes = word.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let octal = word.get(at + 1..at + 4).filter(|_| bytes[at] == b'\\');
        if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            plain.push(byte);
            at += 4;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    PathBuf::from(OsString::from_vec(plain))
}
