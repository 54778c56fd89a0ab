//! Unix: pipes that do not block, `poll`, process groups.

pub mod modes;
mod process;
pub(crate) mod untrusted;

use crate::interrupt::Interrupt;
use crate::process::Launch;
#[cfg(target_os = "linux")]
pub(crate) use process::tree;
pub(crate) use process::{Process, ProcessClock};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::fs;
use std::io::{self, PipeReader, PipeWriter};
use std::net::TcpStream;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of a process.
pub(crate) type Pid = rustix::process::Pid;
/// The near end of a pipe that is written to.
pub type Input = OwnedFd;
/// The near end of a pipe that is read from.
pub type Output = OwnedFd;
/// A connection to another machine.
pub type Socket<'a> = BorrowedFd<'a>;
/// Something that is waited for.
pub(crate) type Waited<'a> = PollFd<'a>;

/// What a compiled bot is called.
pub(crate) const PROGRAM: &str = "bot";
/// Whether processes are limited without a sandbox.
pub(crate) const LIMITS: bool = false;
/// Whether whatever a bot has started is found, wherever it went.
pub(crate) const FINDS_STRAYS: bool = false;

/// How long what a program has written may be on its way when the program has ended.
pub(crate) const LATENCY: Duration = Duration::ZERO;

/// From now on, what is written never waits.
pub(crate) fn to_input(pipe: PipeWriter) -> io::Result<Input> {
    rustix::io::ioctl_fionbio(&pipe, true)?;
    Ok(pipe.into())
}

/// From now on, reading never waits.
pub(crate) fn to_output(pipe: PipeReader) -> io::Result<Output> {
    rustix::io::ioctl_fionbio(&pipe, true)?;
    Ok(pipe.into())
}

/// Writes what fits; an error of the kind `WouldBlock` if nothing does.
pub(crate) fn write(input: &Input, bytes: &[u8]) -> io::Result<usize> {
    Ok(rustix::io::write(input, bytes)?)
}

/// Reads what there is; an error of the kind `WouldBlock` if there is nothing yet, and 0 at the end.
pub(crate) fn read(output: &Output, buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(output, buffer)?)
}

/// Whether everything that was written has been read at the far end.
pub(crate) fn has_read_all(input: &Input) -> bool {
    rustix::io::ioctl_fionread(input).unwrap_or(0) == 0
}

/// Whether there is something to read.
pub(crate) fn has_output(output: &Output) -> bool {
    rustix::io::ioctl_fionread(output).unwrap_or(0) > 0
}

/// Until something can be read, or never will.
pub(crate) fn readable(output: &Output) -> Waited<'_> {
    PollFd::new(output, PollFlags::IN)
}

/// Until something can be written, or never will.
pub(crate) fn writable(input: &Input) -> Waited<'_> {
    PollFd::new(input, PollFlags::OUT)
}

/// A connection, to be waited for.
pub fn socket_of(stream: &TcpStream) -> Socket<'_> {
    stream.as_fd()
}

/// Until something can be read from a connection, or written to it if that is wanted.
pub(crate) fn socket(socket: Socket<'_>, writing: bool) -> io::Result<Waited<'_>> {
    let flags = if writing { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
    Ok(PollFd::from_borrowed_fd(socket, flags))
}

/// Waits until one of these has happened, a signal comes (an error), or the time is over. Without a time it waits for as
/// long as it takes.
pub(crate) fn poll(waited: &mut [Waited<'_>], timeout: Option<Duration>) -> io::Result<()> {
    palestra_sandbox::poll(waited, timeout)?;
    Ok(())
}

/// Whether it had happened when it was last waited for.
pub(crate) fn is_ready(waited: &Waited<'_>) -> bool {
    !waited.revents().is_empty()
}

/// Wakes whoever waits for it, from then on and for ever.
#[derive(Debug)]
pub(crate) struct Bell {
    /// Readable once it was rung.
    reader: OwnedFd,
    writer: OwnedFd,
}

impl Bell {
    pub(crate) fn new() -> io::Result<Bell> {
        let (reader, writer) = io::pipe()?;
        Ok(Bell { reader: reader.into(), writer: writer.into() })
    }

    pub(crate) fn ring(&self) {
        // A full pipe is as readable as one byte more.
        let _ = rustix::io::write(&self.writer, b"!");
    }

    /// Until it is rung.
    pub(crate) fn rung(&self) -> Waited<'_> {
        PollFd::new(&self.reader, PollFlags::IN)
    }
}

impl Interrupt {
    /// To be written to by a signal handler, after the flag is set.
    pub fn writer(&self) -> io::Result<OwnedFd> {
        self.bell().writer.try_clone()
    }
}

/// Waits until something can be read from standard input, or somebody interrupts: a read alone would go on after that.
pub(crate) fn wait_for_stdin(interrupt: &Interrupt) {
    let stdin = io::stdin();
    let mut waited = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN), interrupt.raised_bell()];
    let _ = poll(&mut waited, None);
}

/// What the system's words mean for somebody who wants to start a bot.
pub(crate) fn why_not_started(launch: &Launch, error: &io::Error) -> String {
    let program = launch.command[0].display();
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOEXEC) => format!(
            "{program} is neither a program nor a script with a first line like #!/usr/bin/env python3"
        ),
        Some(Errno::ACCESS) => format!("{program} may not be executed; try chmod +x {program}"),
        Some(Errno::NOENT) => format!("{program} or the interpreter in its first line does not exist"),
        _ => format!("{program}: {error}"),
    }
}

/// Where a file really is.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Where a program is by the name that it is called by: an interpreter looks beside that for what belongs to it, even if it is
/// a link to another one.
pub(crate) fn called(program: &Path) -> io::Result<PathBuf> {
    let name = program.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = program.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(folder.unwrap_or(Path::new(".")).canonicalize()?.join(name))
}

/// Whether a word is the path of a program, and not the name of one on the search path.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains('/')
}

/// The words of a command line.
pub(crate) fn split(command: &str) -> Result<Vec<String>, String> {
    shell_words::split(command).map_err(|error| error.to_string())
}

/// Whether a file can be started.
pub(crate) fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// What to do with a program that cannot be started.
pub(crate) fn how_to_make_executable(name: &str) -> String {
    format!("chmod +x {name}")
}

/// The program of this name on the search path.
pub fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| is_executable(file))
}

/// The first of these programs that is on the search path.
pub(crate) fn find_tool(names: &[String]) -> Option<PathBuf> {
    names.iter().find_map(|name| find_on_path(name))
}
