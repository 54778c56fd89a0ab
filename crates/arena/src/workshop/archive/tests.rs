//! Archives that mean harm, and those of honest people that look odd.

use super::{Unfit, check, entry, unpack};
use crate::limits;
use crate::workshop::pack;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::{Cursor, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn endings() -> Vec<String> {
    ["c", "cpp", "py"].map(str::to_owned).to_vec()
}

/// What comes of handing this in: where it was unpacked, and the file to start.
fn received(file: &str, content: &[u8]) -> Result<(TempDir, PathBuf), Unfit> {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("files");
    fs::create_dir(&folder).unwrap();
    let unpacked = check(file, content, &endings())
        .and_then(|()| unpack(file, content, &endings(), &folder))
        .and_then(|()| entry(&folder, &endings()));
    let beside: Vec<_> = fs::read_dir(around.path()).unwrap().collect();
    assert_eq!(beside.len(), 1, "something came to lie outside of the folder");
    let entry = unpacked?;
    Ok((around, entry.strip_prefix(&folder).unwrap().to_owned()))
}

fn refused(file: &str, content: &[u8]) -> String {
    let why = received(file, content).expect_err("it should be refused").to_string();
    assert!(why.len() < 300 && !why.contains('\n'), "{why}");
    why
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// An archive with one entry of this kind, whatever its name is.
fn tarred(name: &[u8], kind: EntryType, content: &[u8]) -> Vec<u8> {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_link_name("/etc/passwd").unwrap();
    header.set_cksum();
    let mut archive = Builder::new(Vec::new());
    archive.append(&header, content).unwrap();
    archive.into_inner().unwrap()
}

fn gzipped(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

#[test]
fn sources_programs_and_archives_are_taken() {
    let taken = |file: &str, content: &[u8]| received(file, content).unwrap().1;
    assert_eq!(taken("bot.py", b"print(1)"), Path::new("bot.py"));
    assert_eq!(taken("my bot (2)", b"\x7fELF and so on"), Path::new("main"));
    assert_eq!(
        taken("b.zip", &zipped(&[("main.cpp", b"1"), ("a.cpp", b"2"), ("x/a.h", b"3")])),
        Path::new("main.cpp")
    );
    assert_eq!(
        taken("b.zip", &zipped(&[("bot/only.py", b"1"), ("bot/README", b"2")])),
        Path::new("bot/only.py")
    );
    assert_eq!(taken("b.tar", &tarred(b"./main.py", EntryType::Regular, b"1")), Path::new("main.py"));
    let packed = gzipped(&tarred(b"a/b/main.c", EntryType::Regular, b"1"));
    assert_eq!(taken("b.TGZ", &packed), Path::new("a/b/main.c"));
    assert_eq!(taken("b.tar.gz", &packed), Path::new("a/b/main.c"));
}

#[test]
fn what_a_mac_adds_is_left_out() {
    let archive = zipped(&[("bot/main.py", b"1"), ("__MACOSX/bot/._main.py", b"2"), ("bot/._main.py", b"3")]);
    assert_eq!(received("bot.zip", &archive).unwrap().1, Path::new("bot/main.py"));
}

#[test]
fn a_program_in_an_archive_can_be_started() {
    use std::os::unix::fs::PermissionsExt as _;
    let (around, entry) = received("bot.zip", &zipped(&[("main", b"\x7fELF"), ("data", b"1")])).unwrap();
    let mode = fs::metadata(around.path().join("files").join(entry)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn what_to_start_must_be_clear() {
    assert!(
        refused("b.zip", &zipped(&[("a.py", b"1"), ("b.py", b"2")]))
            .contains("a.py, b.py; call the one to start main")
    );
    assert!(
        refused("b.zip", &zipped(&[("main.py", b"1"), ("main.c", b"2")]))
            .contains("main.c, main.py; keep one")
    );
    assert!(refused("b.zip", &zipped(&[("README", b"1")])).contains("no program and no source file"));
    assert!(refused("b.zip", &zipped(&[])).contains("no program and no source file"));
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    for name in ["../main.py", "a/../../main.py", "a/..", "/etc/main.py", "..", "../files-two/main.py"] {
        assert!(refused("b.zip", &zipped(&[(name, b"1")])).contains("is not taken"), "{name}");
        let archive = tarred(name.as_bytes(), EntryType::Regular, b"1");
        assert!(refused("b.tar", &archive).contains("is not taken"), "{name}");
        assert!(refused("b.tgz", &gzipped(&archive)).contains("is not taken"), "{name}");
    }
    for file in
        ["../bot.py", "/bot.py", "a/bot.py", "..", "bot\0.py", "bot\n.py", "C:\\bot.py", "$(id).py", ""]
    {
        refused(file, b"1");
    }
}

#[test]
fn odd_names_are_refused() {
    let deep = format!("{}main.py", "a/".repeat(limits::ARCHIVE_DEPTH));
    let long = format!("{}.py", "a".repeat(limits::PATH_BYTES));
    for name in [
        "a\\main.py",
        "C:main.py",
        "main.py\n",
        "a;b.py",
        "`id`.py",
        "a\u{202e}.py",
        "\u{7f}.py",
        &deep,
        &long,
    ] {
        assert!(refused("b.zip", &zipped(&[(name, b"1")])).contains("is not taken"), "{name:?}");
    }
    assert!(refused("b.tar", &tarred(b"\xff\xfe.py", EntryType::Regular, b"1")).contains("is not taken"));
    assert!(received("bot.zip", &zipped(&[("бот/játék/main.py", b"1")])).is_ok());
}

#[test]
fn links_and_devices_are_refused() {
    let kinds = [
        EntryType::Symlink,
        EntryType::Link,
        EntryType::Char,
        EntryType::Block,
        EntryType::Fifo,
        EntryType::GNUSparse,
        EntryType::new(b'Z'),
    ];
    for kind in kinds {
        let why = refused("b.tar", &tarred(b"main.py", kind, b""));
        assert!(why.contains("neither a file nor a folder") || why.contains("cannot be read"), "{why}");
    }
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.add_symlink("main.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let archive = archive.finish().unwrap().into_inner();
    assert!(refused("b.zip", &archive).contains("neither a file nor a folder"));
}

#[test]
fn two_files_of_one_name_are_refused() {
    // Of the two, a reader of the directory would see one, and a reader of the file the other.
    let mut archive = zipped(&[("main.py", b"1"), ("main.qy", b"2")]);
    let second = b"main.qy";
    let places: Vec<usize> =
        (0..archive.len() - second.len()).filter(|at| archive[*at..].starts_with(second)).collect();
    assert_eq!(places.len(), 2);
    places.into_iter().for_each(|at| archive[at + 5] = b'p');
    assert!(refused("b.zip", &archive).contains("two files of the same name"));
    assert!(refused("b.zip", &zipped(&[("main.py", b"1"), ("./main.py", b"2")])).contains("twice"));
    refused("b.zip", &zipped(&[("main.py", b"1"), ("main.py/x", b"2")]));

    let mut archive = Builder::new(Vec::new());
    for content in [b"1", b"2"] {
        let mut header = Header::new_gnu();
        header.set_size(1);
        archive.append_data(&mut header, "main.py", &content[..]).unwrap();
    }
    assert!(refused("b.tar", &archive.into_inner().unwrap()).contains("twice"));
}

#[test]
fn bombs_are_stopped_by_what_comes_out_of_them() {
    const MEGABYTE: usize = 1 << 20;
    let zeros = vec![0; MEGABYTE];
    let mut bomb = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..4 {
        bomb.start_file(format!("{number}.py"), SimpleFileOptions::default()).unwrap();
        (0..20).for_each(|_| bomb.write_all(&zeros).unwrap());
    }
    let mut bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < MEGABYTE);
    assert!(refused("b.zip", &bomb).contains("more than 64 MB"));
    // The directory says that every file has one byte.
    let size = (20 * MEGABYTE as u32).to_le_bytes();
    for at in 0..bomb.len() - size.len() {
        if bomb[at..].starts_with(&size) {
            bomb[at..at + size.len()].copy_from_slice(&1u32.to_le_bytes());
        }
    }
    refused("b.zip", &bomb);

    let mut header = Header::new_gnu();
    header.set_path("main.py").unwrap();
    header.set_size(80 * MEGABYTE as u64);
    header.set_cksum();
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    bomb.write_all(header.as_bytes()).unwrap();
    (0..80).for_each(|_| bomb.write_all(&zeros).unwrap());
    assert!(refused("b.tgz", &bomb.finish().unwrap()).contains("more than 64 MB"));
    // The same as a name instead of a file, which a reader keeps in memory.
    header.set_entry_type(EntryType::GNULongName);
    header.set_cksum();
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    bomb.write_all(header.as_bytes()).unwrap();
    (0..80).for_each(|_| bomb.write_all(&zeros).unwrap());
    assert!(refused("b.tgz", &bomb.finish().unwrap()).contains("more than 64 MB"));
}

#[test]
fn a_hundred_thousand_files_are_too_many() {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for number in 0..100_000 {
        let mut header = Header::new_gnu();
        header.set_size(0);
        archive.append_data(&mut header, format!("{number}.py"), &b""[..]).unwrap();
    }
    let archive = archive.into_inner().unwrap().finish().unwrap();
    assert!(refused("b.tgz", &archive).contains("more than 1000 files"));
    let names: Vec<String> = (0..100_000).map(|number| format!("{number}.py")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let archive = zipped(&files);
    assert!(archive.len() < limits::UPLOAD_BYTES);
    assert!(refused("b.zip", &archive).contains("more than 1000 files"));
}

#[test]
fn what_is_no_archive_is_refused() {
    for file in ["b.zip", "b.tar", "b.tgz", "b.tar.gz"] {
        refused(file, b"this is none");
        refused(file, &[0xff; 5000]);
    }
    let whole = zipped(&[("main.py", &[b'x'; 1000])]);
    (1..whole.len()).step_by(7).for_each(|length| drop(refused("b.zip", &whole[..length])));
    assert!(refused("bot.exe", b"MZ").contains("a source file (c, cpp, py)"));
    assert!(refused("bot.py", b"").contains("is empty"));
    assert!(refused("bot.py", &vec![b'#'; limits::UPLOAD_BYTES + 1]).contains("more than 16 MB"));
}

#[test]
fn a_folder_is_packed_and_comes_out_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("mybot");
    for (name, content) in [
        ("main.cpp", "int main() {}"),
        ("data/table.txt", "1 2 3"),
        (".git/config", "a secret"),
        ("__pycache__/x.pyc", "x"),
    ] {
        let path = bot.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let (name, content) = pack(&bot).unwrap();
    assert_eq!(name, "mybot.tar.gz");
    let (around, entry) = received(&name, &content).unwrap();
    let files = around.path().join("files");
    assert_eq!(entry, Path::new("main.cpp"));
    assert_eq!(fs::read_to_string(files.join("data/table.txt")).unwrap(), "1 2 3");
    assert!(!files.join(".git").exists() && !files.join("__pycache__").exists());
    symlink("/etc/passwd", bot.join("passwords")).unwrap();
    assert!(pack(&bot).unwrap_err().to_string().contains("passwords is neither a file nor a folder"));
}
