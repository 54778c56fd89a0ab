//! Runs the real program in a folder of its own.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// The program under test.
pub(crate) const PALESTRA: &str = env!("CARGO_BIN_EXE_palestra");

/// Compiled bots are shared by all tests of one build.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("bots"));

/// The top of the project.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli").to_owned()
}

/// A bot of the zoo.
pub(crate) fn zoo(name: &str) -> String {
    project().join("zoo").join(name).display().to_string()
}

/// The program, to be run in this folder.
pub(crate) fn palestra(dir: &Path) -> Command {
    let mut command = Command::new(PALESTRA);
    command
        .current_dir(dir)
        .env("PALESTRA_CACHE", &*CACHE)
        .env("PALESTRA_STATE", dir.join("state"))
        .env("PALESTRA_TOOLCHAINS", dir.join("no-toolchains-of-mine.toml"))
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    command
}

/// A user without any rights.
pub(crate) const NOBODY: u32 = 65534;

/// The program as a user without any rights, in this folder, which is everybody's then; `None` where it cannot be done.
pub(crate) fn palestra_as_nobody(dir: &Path) -> Option<Command> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    // The program itself may lie where nobody may not look.
    fs::set_permissions(dir, fs::Permissions::from_mode(0o777)).unwrap();
    let program = dir.join("palestra");
    if !program.exists() {
        fs::copy(PALESTRA, &program).unwrap();
    }
    let mut command = Command::new(program);
    command
        .env("PALESTRA_CACHE", dir.join("cache"))
        .env("HOME", dir)
        .current_dir(dir)
        .uid(NOBODY)
        .gid(NOBODY)
        .stdin(Stdio::null());
    Some(command)
}

/// Runs it with these arguments.
pub(crate) fn run(dir: &Path, arguments: &[&str]) -> Output {
    palestra(dir).args(arguments).output().expect("palestra runs")
}

/// Runs it, expects success, and gives its one JSON object.
pub(crate) fn json(dir: &Path, arguments: &[&str]) -> Value {
    let output = run(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("exactly one JSON object")
}

/// Runs it, expects this exit code, and gives what it says.
pub(crate) fn fails(dir: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(dir, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// Processes whose command line holds this text.
pub(crate) fn processes_with(text: &str) -> Vec<u32> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").expect("Linux").flatten();
    entries
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let command = fs::read(entry.path().join("cmdline")).ok()?;
            (pid != own && String::from_utf8_lossy(&command).contains(text)).then_some(pid)
        })
        .collect()
}

/// What a program wrote.
pub(crate) fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// A bot of the starter kits.
pub(crate) fn bot(path: &str) -> String {
    project().join("games").join(path).display().to_string()
}

/// Runs a command that prints something else than JSON.
pub(crate) fn json_free(dir: &Path, arguments: &[&str]) -> String {
    let output = run(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}
