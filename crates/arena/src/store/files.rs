//! The folder of an event: nobody but its owner looks into it, and it lies nowhere that bots are shown.

use super::{DATABASE, LOCK, SECRET, StoreError, file_error};
use palestra_runner::modes;
use palestra_runner::sandbox::exposed;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// What others may do with a file.
const OTHERS: u32 = 0o077;

/// Makes an event's folder, or takes the one that is there. Afterwards nobody else looks into it.
pub(super) fn open_folder(folder: &Path) -> Result<(), StoreError> {
    if let Some((_, by)) = exposed(&[folder.to_owned()], &[]).map_err(file_error(folder))? {
        return Err(StoreError::Exposed { folder: folder.to_owned(), by });
    }
    make_folder(folder).map_err(file_error(folder))?;
    let is_open = is_open(folder).map_err(file_error(folder))?;
    if is_open && !is_for_an_event(folder).map_err(file_error(folder))? {
        let why = "it holds other things, and everybody on this machine can look into it; name a folder for the event \
                   alone, or chmod 700 this one";
        return Err(StoreError::File { path: folder.to_owned(), why: why.to_owned() });
    }
    close_to_others(folder).map_err(file_error(folder))
}

/// Makes a folder that only its owner looks into, and what is missing above it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    modes::make_folder(folder, 0o700)
}

/// Makes a new file that only its owner reads, in place of one that others may have open.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    modes::made_with(OpenOptions::new().write(true).create_new(true), 0o600).open(path)
}

/// Writes a file that only its owner reads.
pub fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Opens a file, and makes it if it is not there, so that only its owner reads it.
pub(super) fn open(path: &Path) -> io::Result<File> {
    modes::made_with(OpenOptions::new().append(true).create(true), 0o600).open(path)
}

fn is_open(path: &Path) -> io::Result<bool> {
    Ok(modes::of(&fs::metadata(path)?) & OTHERS != 0)
}

/// Whether a folder is empty, or was made by an arena.
fn is_for_an_event(folder: &Path) -> io::Result<bool> {
    let ours = [DATABASE, LOCK, SECRET].iter().any(|name| folder.join(name).exists());
    Ok(ours || fs::read_dir(folder)?.next().is_none())
}

/// Takes from others what an older palestra, or a person, has left them of a folder and the files in it.
fn close_to_others(folder: &Path) -> io::Result<()> {
    close(folder)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.is_symlink() {
            close(&path)?;
        }
    }
    Ok(())
}

fn close(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    match modes::of(&found) & OTHERS {
        0 => Ok(()),
        _ => modes::set(path, if found.is_dir() { 0o700 } else { 0o600 }),
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{DATABASE, NewAccount, Store, StoreError};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn assert_closed(folder: &Path) {
        assert_eq!(mode(folder), 0o700);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(&path), expected, "{}", path.display());
        }
    }

    async fn write_something(store: &Store, name: &str) {
        let new = NewAccount { name: name.into(), password: None, organiser: false };
        store.add_account(new).await.unwrap();
    }

    #[tokio::test]
    async fn only_their_owner_reads_an_events_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("new/event");
        let store = Store::open(&folder, None).await.unwrap();
        write_something(&store, "Anna").await;
        assert!(folder.join(format!("{DATABASE}-wal")).exists() && folder.join("secret.key").exists());
        assert_closed(&folder);
        let backup = place.path().join("event.backup");
        fs::write(&backup, "an older one, which anybody may read").unwrap();
        store.back_up(&backup).await.unwrap();
        assert_eq!(mode(&backup), 0o600);
        let again = place.path().join("again");
        Store::restore(&again, None, &backup).await.unwrap();
        assert_closed(&again);

        // What was left open is closed, and what comes later too.
        drop(store);
        set_mode(&folder, 0o755);
        fs::create_dir(folder.join("workshop")).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            set_mode(&entry.unwrap().path(), 0o775);
        }
        for name in [DATABASE.to_owned(), format!("{DATABASE}-wal"), "secret.key".to_owned()] {
            let path = folder.join(name);
            if path.exists() {
                set_mode(&path, 0o644);
            }
        }
        set_mode(&folder.join("arena.lock"), 0o644);
        let store = Store::beside(&folder, None).await.unwrap();
        write_something(&store, "Bence").await;
        assert_closed(&folder);
    }

    #[tokio::test]
    async fn a_folder_of_other_things_is_left_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        set_mode(place.path(), 0o755);
        fs::write(place.path().join("thesis.tex"), "").unwrap();
        let refused = Store::open(place.path(), None).await.unwrap_err();
        assert!(refused.to_string().contains("chmod 700"), "{refused}");
        assert_eq!(mode(place.path()), 0o755);
    }

    #[tokio::test]
    async fn what_bots_are_shown_holds_no_event() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink("/usr/share", &link).unwrap();
        for folder in [Path::new("/usr/palestra-test/event"), &link.join("palestra-test")] {
            for refused in [Store::open(folder, None).await, Store::beside(folder, None).await] {
                assert!(matches!(refused, Err(StoreError::Exposed { .. })), "{}", folder.display());
            }
            assert!(!folder.exists() && !Path::new("/usr/palestra-test").exists());
        }
    }
}
