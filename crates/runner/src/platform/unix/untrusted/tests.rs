//! Folders as hostile programs leave them.

use super::{Bounds, Folder, Unfit, read_file, remove_folder};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

const BOUNDS: Bounds = Bounds { bytes: 1 << 20, entries: 10, depth: 3 };

fn open(path: &Path) -> Folder {
    Folder::open(path).expect("a folder")
}

fn fifo(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

#[test]
fn only_plain_files_are_read_and_never_through_links() {
    let dir = tempfile::tempdir().unwrap();
    let (inside, secret) = (dir.path().join("inside"), dir.path().join("secret"));
    fs::create_dir(&inside).unwrap();
    fs::write(&secret, "secret").unwrap();
    fs::write(inside.join("plain"), "12345").unwrap();
    symlink(&secret, inside.join("link")).unwrap();
    fifo(&inside.join("pipe"));
    let folder = open(&inside);
    assert_eq!(folder.read("plain", 5).unwrap(), b"12345");
    assert!(folder.read("plain", 4).unwrap_err().to_string().contains("more than 4 bytes"));
    assert!(folder.read("link", 100).is_err());
    assert!(folder.read("pipe", 100).unwrap_err().to_string().contains("no file"));
    assert!(folder.read(".", 100).is_err());
    symlink(&inside, dir.path().join("way")).unwrap();
    assert!(Folder::open(&dir.path().join("way")).is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_never_ends_is_not_read_to_its_end() {
    // It says that it has no bytes at all.
    assert!(read_file(Path::new("/proc/self/pagemap"), 1 << 20).is_err());
    assert!(read_file(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string().contains("no file"));
}

#[test]
fn everything_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    assert!(folder.check(&BOUNDS).is_ok());
    fs::write(dir.path().join("a"), vec![1; 600_000]).unwrap();
    assert!((600_000..700_000).contains(&folder.check(&BOUNDS).unwrap()));
    // A second name for the same bytes counts again; nobody shares anything in there.
    fs::hard_link(dir.path().join("a"), dir.path().join("b")).unwrap();
    assert!(matches!(folder.check(&BOUNDS), Err(Unfit::Bytes(_))));
    fs::remove_file(dir.path().join("b")).unwrap();
    // A file of a terabyte that takes nothing on the disk.
    let sparse = fs::File::create(dir.path().join("sparse")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    assert!(matches!(folder.measure(&BOUNDS), Err(Unfit::Bytes(_))));
    fs::remove_file(dir.path().join("sparse")).unwrap();
    fs::create_dir_all(dir.path().join("1/2/3")).unwrap();
    assert!(folder.check(&BOUNDS).is_ok());
    fs::create_dir(dir.path().join("1/2/3/4")).unwrap();
    assert!(matches!(folder.check(&BOUNDS), Err(Unfit::Depth(3))));
    for number in 0..10 {
        fs::write(dir.path().join(format!("{number}.txt")), "").unwrap();
    }
    assert!(matches!(folder.check(&BOUNDS), Err(Unfit::Entries(10) | Unfit::Depth(3))));
}

/// What is allocated behind the end of a file is not in its length.
#[test]
#[cfg(target_os = "linux")]
fn bytes_behind_the_end_of_a_file_are_counted() {
    use rustix::fs::{FallocateFlags, fallocate};
    let dir = tempfile::tempdir().unwrap();
    let file = fs::File::create(dir.path().join("empty")).unwrap();
    if fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 8 << 20).is_err() {
        return;
    }
    assert_eq!(file.metadata().unwrap().len(), 0);
    assert!(matches!(open(dir.path()).measure(&BOUNDS), Err(Unfit::Bytes(_))));
}

#[test]
fn links_pipes_and_special_rights_are_noticed() {
    for make in [
        (|path: &Path| symlink("/etc/passwd", path).unwrap()) as fn(&Path),
        |path| fifo(path),
        |path| drop(std::os::unix::net::UnixListener::bind(path).unwrap()),
        |path| {
            fs::write(path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o4755)).unwrap();
        },
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("deep")).unwrap();
        make(&dir.path().join("deep/odd"));
        let unfit = open(dir.path()).check(&BOUNDS).unwrap_err();
        assert!(unfit.to_string().starts_with("\"deep/odd\", which "), "{unfit}");
        assert!(open(dir.path()).measure(&BOUNDS).is_ok());
    }
}

#[test]
fn a_stamp_tells_of_every_change() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("deep")).unwrap();
    let file = dir.path().join("deep/file");
    fs::write(&file, "one").unwrap();
    let stamp = || open(dir.path()).stamp(&BOUNDS).unwrap();
    let before = stamp();
    assert_eq!(stamp(), before);
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(&file, "two").unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    assert_ne!(stamp(), before, "the same length and the same time, set by hand");
}

#[test]
fn folders_of_any_depth_and_without_rights_are_removed() {
    const DEPTH: usize = 5_000;
    let dir = tempfile::tempdir().unwrap();
    let precious = dir.path().join("precious");
    fs::write(&precious, "here").unwrap();
    let root = dir.path().join("root");
    fs::create_dir(&root).unwrap();
    let mut deepest = rustix::fs::open(&root, super::FOLDER, rustix::fs::Mode::empty()).unwrap();
    for depth in 0..DEPTH {
        rustix::fs::symlinkat(&precious, &deepest, "link").unwrap();
        // One that is in the way of those that come up.
        let name = if depth % 2 == 0 { "d" } else { ".moved-7" };
        rustix::fs::mkdirat(&deepest, name, rustix::fs::Mode::RWXU).unwrap();
        deepest = rustix::fs::openat(&deepest, name, super::FOLDER, rustix::fs::Mode::empty()).unwrap();
    }
    fs::create_dir_all(root.join(".moved-1/full")).unwrap();
    fs::create_dir_all(root.join("shut/full")).unwrap();
    for name in ["shut/full", "shut"] {
        fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    drop(deepest);
    remove_folder(&root).unwrap();
    assert!(!root.exists() && precious.exists());
    remove_folder(&root).expect("what is not there is fine");
    // A link is removed, and not what it leads to.
    symlink(dir.path(), &root).unwrap();
    remove_folder(&root).unwrap();
    assert!(precious.exists() && fs::symlink_metadata(&root).is_err());
}
