//! Windows: threads that read and write pipes, events, job objects.
//!
//! There is no sandbox here. A job limits memory and processes, counts processor time, and ends with this program,
//! whatever becomes of it; nothing that is started in it gets out.

pub mod modes;
mod pipe;
mod process;
mod raw;
pub(crate) mod untrusted;
mod wait;

use crate::interrupt::Interrupt;
use crate::process::Launch;
pub use pipe::{Input, Output};
pub(crate) use pipe::{has_output, has_read_all, read, readable, to_input, to_output, writable, write};
pub(crate) use process::{Process, ProcessClock};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::windows::io::BorrowedSocket;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use wait::socket_of;
pub(crate) use wait::{Bell, Waited, is_ready, poll, socket};

/// The number of a process.
pub(crate) type Pid = u32;
/// A connection to another machine.
pub type Socket<'a> = BorrowedSocket<'a>;

/// What a compiled bot is called.
pub(crate) const PROGRAM: &str = "bot.exe";
/// Whether processes are limited without a sandbox.
pub(crate) const LIMITS: bool = true;
/// Whether whatever a bot has started is found, wherever it went.
pub(crate) const FINDS_STRAYS: bool = true;

/// How long what a program has written may be on its way through a thread of ours, when the program has ended.
pub(crate) const LATENCY: Duration = Duration::from_millis(100);

/// Endings of what can be started by its name alone, in the order in which they are tried.
const ENDINGS: [&str; 4] = ["exe", "com", "bat", "cmd"];
/// The system's word for a file that is no program for it.
const NO_PROGRAM: i32 = 193;

/// Waits for nothing: a read of the console ends by itself when somebody presses Ctrl-C.
pub(crate) fn wait_for_stdin(_: &Interrupt) {}

/// What the system's words mean for somebody who wants to start a bot.
pub(crate) fn why_not_started(launch: &Launch, error: &io::Error) -> String {
    let program = launch.command[0].display();
    match (error.raw_os_error(), error.kind()) {
        (Some(NO_PROGRAM), _) => format!("{program} is no program for this machine"),
        (_, ErrorKind::NotFound) => format!("{program} does not exist"),
        _ => format!("{program}: {error}"),
    }
}

/// Where a file is, in words that every program understands: the system's own name for where it really is, `\\?\C:\…`, many
/// do not.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    fs::metadata(path)?;
    std::path::absolute(path)
}

/// Where a program is by the name that it is called by.
pub(crate) fn called(program: &Path) -> io::Result<PathBuf> {
    absolute(program)
}

/// Whether a word is the path of a program, and not the name of one on the search path.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\', ':'])
}

/// The words of a command line: between blanks, or between quotation marks. A backslash is part of a path.
pub(crate) fn split(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in command.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quoted { Err("missing closing quote".to_owned()) } else { Ok(words) }
}

/// Whether a file can be started.
pub(crate) fn is_executable(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) && file.is_file()
}

/// What to do with a program that cannot be started.
pub(crate) fn how_to_make_executable(_: &str) -> String {
    format!("let its name end in .{}", ENDINGS.join(", ."))
}

/// The programs of this name on the search path.
fn on_path(program: &str) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let named = |file: PathBuf| {
        let with = |ending| file.with_added_extension(ending);
        let names: Vec<PathBuf> = ENDINGS.iter().map(with).collect();
        std::iter::once(file).chain(names).find(|file| is_executable(file))
    };
    let program = program.to_owned();
    folders.into_iter().filter_map(move |folder| named(folder.join(&program)))
}

/// The program of this name on the search path.
pub fn find_on_path(program: &str) -> Option<PathBuf> {
    find_tool(&[program.to_owned()])
}

/// The first of these programs that is on the search path; one that is empty only if there is no other: it leads to a shop that
/// may have the program or not.
pub(crate) fn find_tool(names: &[String]) -> Option<PathBuf> {
    let found: Vec<PathBuf> = names.iter().flat_map(|name| on_path(name)).collect();
    let is_there = |file: &&PathBuf| fs::metadata(file).is_ok_and(|meta| meta.len() > 0);
    found.iter().find(is_there).or(found.first()).cloned()
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn command_lines_keep_their_backslashes() {
        let words = split(r#"python "C:\my bots\bot.py"  --level 3 """#).unwrap();
        assert_eq!(words, ["python", r"C:\my bots\bot.py", "--level", "3", ""]);
        assert!(split("\"open").is_err());
    }
}
