//! Files and folders that no program may be shown, by whatever name they can be reached: through links, through folders
//! above them, through other mounts of the same file system.

use super::view;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Every folder in which something private can be found, by device and inode.
#[derive(Debug, Default)]
pub(super) struct Private(BTreeMap<(u64, u64), PathBuf>);

impl Private {
    /// All ways to these paths. Of one that is not there yet, the way to where it would be.
    pub(super) fn new(paths: &[PathBuf]) -> io::Result<Private> {
        let mounts = fs::read_to_string("/proc/self/mountinfo")?;
        let mut holders = BTreeMap::new();
        for path in paths {
            for way in ways(&existing(path)?, &mounts) {
                for holder in way.ancestors() {
                    if let Ok(found) = fs::metadata(holder) {
                        holders.entry((found.dev(), found.ino())).or_insert_with(|| path.clone());
                    }
                }
            }
        }
        Ok(Private(holders))
    }

    /// What is private in a folder, or is the very file, of this device and inode.
    pub(super) fn within(&self, identity: (u64, u64)) -> Option<&Path> {
        self.0.get(&identity).map(PathBuf::as_path)
    }
}

/// Which of these paths lies in a folder that every program is shown, or in one of `more`, and in which one.
pub fn exposed(paths: &[PathBuf], more: &[PathBuf]) -> io::Result<Option<(PathBuf, PathBuf)>> {
    let private = Private::new(paths)?;
    let mut shown = view::shown_to_all().into_iter().chain(more.iter().cloned());
    Ok(shown.find_map(|folder| {
        let found = fs::metadata(&folder).ok()?;
        let path = private.within((found.dev(), found.ino()))?;
        Some((path.to_owned(), folder))
    }))
}

/// The true path of what is there: of the path itself, or of the nearest folder above it.
fn existing(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let there = path.ancestors().find_map(|path| path.canonicalize().ok());
    there.ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Every path that leads to this one, or into it, by some mount.
fn ways(path: &Path, mountinfo: &str) -> Vec<PathBuf> {
    let mounts: Vec<Mount> = mountinfo.lines().filter_map(Mount::read).collect();
    let above = mounts.iter().filter(|mount| path.starts_with(&mount.point));
    let mut ways = vec![path.to_owned()];
    // Of two mounts at the same point the later one is seen.
    let Some(own) = above.max_by_key(|mount| mount.point.components().count()) else {
        return ways;
    };
    let inside = own.root.join(path.strip_prefix(&own.point).unwrap_or(path));
    for mount in mounts.iter().filter(|mount| mount.device == own.device) {
        if let Ok(below) = inside.strip_prefix(&mount.root) {
            ways.push(mount.point.join(below));
        } else if mount.root.starts_with(&inside) {
            ways.push(mount.point.clone());
        }
    }
    ways
}

/// A mount: the part `root` of the file system on `device` is seen at `point`.
struct Mount<'a> {
    device: &'a str,
    root: PathBuf,
    point: PathBuf,
}

impl Mount<'_> {
    /// One line of `mountinfo`: `id parent device root point ...`.
    fn read(line: &str) -> Option<Mount<'_>> {
        let mut words = line.split(' ').skip(2);
        let device = words.next()?;
        let mut path = || Some(crate::cgroup::unescape(words.next()?));
        Some(Mount { device, root: path()?, point: path()? })
    }
}

#[cfg(test)]
mod tests {
    use super::{Private, exposed, ways};
    use std::os::unix::fs::MetadataExt as _;
    use std::path::{Path, PathBuf};

    #[test]
    fn every_mount_is_a_way() {
        let mounts = "1 0 8:1 / / rw - ext4 /dev/a rw\n\
                      2 1 8:2 / /srv rw - ext4 /dev/b rw\n\
                      3 1 8:2 /event /usr/share/a\\040b rw - ext4 /dev/b rw\n\
                      4 1 8:2 /event/workshop /opt/w rw - ext4 /dev/b rw\n\
                      5 1 8:2 /other /usr/other rw - ext4 /dev/b rw\n\
                      6 1 8:1 /srv /mnt rw - ext4 /dev/a rw\n";
        let found = ways(Path::new("/srv/event"), mounts);
        let expected = ["/srv/event", "/srv/event", "/usr/share/a b", "/opt/w"];
        assert_eq!(found, expected.map(PathBuf::from));
        assert_eq!(ways(Path::new("/home/anna"), mounts), ["/home/anna", "/home/anna"].map(PathBuf::from));
    }

    #[test]
    fn what_lies_in_a_shown_folder_is_exposed() {
        let inside = PathBuf::from("/usr/share/palestra-event-that-is-not-there/deep");
        let (path, by) = exposed(std::slice::from_ref(&inside), &[]).unwrap().unwrap();
        assert_eq!((path, by), (inside, PathBuf::from("/usr")));

        let place = tempfile::tempdir().unwrap();
        let (event, home, link) =
            (place.path().join("home/event"), place.path().join("home"), place.path().join("link"));
        std::fs::create_dir_all(&event).unwrap();
        std::os::unix::fs::symlink(&event, &link).unwrap();
        assert_eq!(exposed(std::slice::from_ref(&event), &[]).unwrap(), None);
        // By a link, and before it is there.
        for path in [&event, &link, &link.join("new")] {
            let found = exposed(std::slice::from_ref(path), std::slice::from_ref(&home)).unwrap();
            assert_eq!(found, Some((path.clone(), home.clone())));
        }
        let private = Private::new(&[link]).unwrap();
        let identity = |path: &Path| {
            let found = std::fs::metadata(path).unwrap();
            (found.dev(), found.ino())
        };
        assert!(private.within(identity(&event)).is_some());
        std::fs::create_dir(event.join("workshop")).unwrap();
        assert!(private.within(identity(&event.join("workshop"))).is_none(), "a part of it may be shown");
    }
}
