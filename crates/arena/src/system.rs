//! What differs from system to system. An arena is opened on Unix only, where programs can be kept apart from it; elsewhere
//! this is what its other parts need to be there.

#[cfg(unix)]
pub(crate) use unix::{Identity, Receiver, Sender, open_itself, raise_open_files, to_receiver, to_sender};
#[cfg(windows)]
pub(crate) use windows::{Identity, Receiver, Sender, open_itself, raise_open_files, to_receiver, to_sender};

#[cfg(unix)]
mod unix {
    use rustix::process::{Resource, getrlimit, setrlimit};
    use std::fs::{File, Metadata};
    use std::io::{self, PipeReader, PipeWriter};
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
    use std::path::Path;
    pub(crate) use tokio::net::unix::pipe::{Receiver, Sender};

    /// What tells a file from any other, and from itself after a change.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Identity {
        device: u64,
        inode: u64,
        changed: (i64, i64),
    }

    impl Identity {
        pub(crate) fn of(known: &Metadata) -> io::Result<Identity> {
            let changed = (known.mtime(), known.mtime_nsec());
            Ok(Identity { device: known.dev(), inode: known.ino(), changed })
        }
    }

    /// Opens a file, and not what a link of its name leads to.
    pub(crate) fn open_itself(path: &Path) -> io::Result<File> {
        let no_link = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
        File::options().read(true).custom_flags(no_link).open(path)
    }

    /// Lets this program open as many files as the system allows.
    pub(crate) fn raise_open_files() -> io::Result<()> {
        let mut files = getrlimit(Resource::Nofile);
        files.current = files.maximum;
        Ok(setrlimit(Resource::Nofile, files)?)
    }

    /// A pipe for tasks of the runtime within which this is called.
    pub(crate) fn to_receiver(pipe: PipeReader) -> io::Result<Receiver> {
        Receiver::from_owned_fd(pipe.into())
    }

    /// The same, to write to.
    pub(crate) fn to_sender(pipe: PipeWriter) -> io::Result<Sender> {
        Sender::from_owned_fd(pipe.into())
    }
}

#[cfg(windows)]
mod windows {
    use std::fs::{self, File, Metadata};
    use std::io::{self, ErrorKind, PipeReader, PipeWriter};
    use std::path::Path;
    use std::time::SystemTime;
    pub(crate) use tokio::io::{Empty as Receiver, Sink as Sender};

    /// What tells a file from itself after a change.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Identity {
        changed: SystemTime,
    }

    impl Identity {
        pub(crate) fn of(known: &Metadata) -> io::Result<Identity> {
            Ok(Identity { changed: known.modified()? })
        }
    }

    /// Opens a file, and not what a link of its name leads to.
    pub(crate) fn open_itself(path: &Path) -> io::Result<File> {
        match fs::symlink_metadata(path)?.is_file() {
            true => File::open(path),
            false => Err(ErrorKind::InvalidInput.into()),
        }
    }

    /// There is no such limit.
    pub(crate) fn raise_open_files() -> io::Result<()> {
        Ok(())
    }

    /// Tasks do not carry what clients say where there is no arena.
    pub(crate) fn to_receiver(_: PipeReader) -> io::Result<Receiver> {
        Err(ErrorKind::Unsupported.into())
    }

    /// The same, to write to.
    pub(crate) fn to_sender(_: PipeWriter) -> io::Result<Sender> {
        Err(ErrorKind::Unsupported.into())
    }
}
