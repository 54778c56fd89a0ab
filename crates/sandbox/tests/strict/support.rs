//! What the tests share: the bot, and running it.

use palestra_sandbox::{Exit, Limits, Order, Running, Sandbox, Usage};
use std::ffi::OsString;
use std::fs;
use std::io::{PipeReader, Read as _, Write as _, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

pub(crate) const LIMITS: Limits = Limits {
    memory_bytes: 128 << 20,
    processes: 32,
    cpu_percent: 100,
    open_files: 64,
    file_bytes: 8 << 20,
    scratch_bytes: 4 << 20,
};

/// A folder that only this user may look into, with the bot in it.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder").keep();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("a folder");
    fs::write(folder.join("bot.c"), include_str!("bot.c")).expect("a file");
    compile(&folder, "bot");
    folder
});

fn compile(folder: &Path, name: &str) {
    let (program, source) = (folder.join(name), folder.join(format!("{name}.c")));
    let status = Command::new("cc").arg("-o").arg(program).arg(source).status();
    assert!(status.expect("a C compiler").success());
}

/// An order for a bot of the zoo, given by its text, which is compiled beside the other.
pub(crate) fn zoo_bot(name: &str, text: &str) -> Order {
    let program = folder().join(name);
    if !program.exists() {
        fs::write(folder().join("attack.h"), include_str!("../../../../zoo/attack.h")).expect("a file");
        fs::write(folder().join(format!("{name}.c")), text).expect("a file");
        compile(folder(), name);
    }
    order(&[program])
}

static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| Sandbox::strict().expect("a sandbox"));

/// What a program sees of the way to the tests' folder, if that leads through its own scratch folder: a line for `ls`.
pub(crate) fn way_in_scratch() -> String {
    let below = folder().strip_prefix("/tmp").ok().and_then(|below| below.iter().next());
    below.map_or_else(String::new, |name| format!("{}\n", name.to_str().unwrap()))
}

pub(crate) fn folder() -> &'static Path {
    &FOLDER
}

/// Removes the folder, after the last test.
pub(crate) fn tidy_up() {
    if let Some(folder) = LazyLock::get(&FOLDER) {
        fs::remove_dir_all(folder).expect("the folder");
    }
}

/// Limits, and nothing else.
pub(crate) static LOOSE: LazyLock<Sandbox> = LazyLock::new(|| Sandbox::loose(&LIMITS).expect("a sandbox"));

/// What came of a program.
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    pub(crate) output: String,
    pub(crate) usage: Usage,
}

pub(crate) fn order<W: Into<OsString> + Clone>(command: &[W]) -> Order {
    Order {
        command: command.iter().cloned().map(Into::into).collect(),
        folder: Some(folder().to_owned()),
        readable: Vec::new(),
        writable: Vec::new(),
        environment: Vec::new(),
        limits: LIMITS,
    }
}

/// An order for the bot with these arguments.
pub(crate) fn bot(arguments: &[&str]) -> Order {
    let program = folder().join("bot").to_str().expect("a path").to_owned();
    let mut command = vec![program];
    command.extend(arguments.iter().map(|&word| word.to_owned()));
    order(&command)
}

pub(crate) fn shell(script: &str) -> Order {
    order(&["/bin/sh", "-c", script])
}

/// Starts a program whose output is collected, errors included.
pub(crate) fn start(order: &Order, input: &[u8]) -> std::io::Result<(Running, PipeReader)> {
    start_in(&SANDBOX, order, input)
}

pub(crate) fn start_in(
    sandbox: &Sandbox,
    order: &Order,
    input: &[u8],
) -> std::io::Result<(Running, PipeReader)> {
    let (stdin, mut ours) = pipe()?;
    let (output, stdout) = pipe()?;
    ours.write_all(input)?;
    drop(ours);
    let stderr = OwnedFd::from(stdout.try_clone()?);
    let running = sandbox.start(order, [stdin.into(), stdout.into(), stderr])?;
    Ok((running, output))
}

pub(crate) fn run(order: &Order) -> Outcome {
    run_with(order, b"")
}

pub(crate) fn run_with(order: &Order, input: &[u8]) -> Outcome {
    outcome(start(order, input))
}

pub(crate) fn run_loose(order: &Order) -> Outcome {
    outcome(start_in(&LOOSE, order, b""))
}

fn outcome(started: std::io::Result<(Running, PipeReader)>) -> Outcome {
    let (running, mut pipe) = started.expect("a program");
    let exit = wait(&running);
    let usage = running.end();
    // Only now: what the program has left behind may hold the other end.
    let mut output = Vec::new();
    pipe.read_to_end(&mut output).expect("its output");
    Outcome { exit, output: String::from_utf8_lossy(&output).into_owned(), usage }
}

pub(crate) fn wait(running: &Running) -> Exit {
    use rustix::event::{PollFd, PollFlags, poll};
    poll(&mut [PollFd::from_borrowed_fd(running.exit_fd(), PollFlags::IN)], None).expect("a poll");
    running.exited().expect("it has ended")
}

/// Processes on this machine that go by this name.
pub(crate) fn processes_named(name: &str) -> Vec<PathBuf> {
    let listed = fs::read_dir("/proc").expect("processes").flatten().map(|entry| entry.path());
    listed
        .filter(|process| fs::read_to_string(process.join("comm")).is_ok_and(|comm| comm.trim() == name))
        .collect()
}
