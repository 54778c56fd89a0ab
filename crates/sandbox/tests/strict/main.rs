//! The sandbox with real programs, as the user that runs the tests and, if that is root, as nobody too.
//!
//! A program that uses the sandbox must be able to become a cell, which the usual test harness does not allow: this
//! `main` looks whether it is one before it runs the tests.
#![expect(clippy::print_stderr, reason = "it is its own test harness")]

mod ends;
mod languages;
mod limits;
mod loose;
mod pool;
mod support;
mod walls;

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

pub(crate) type Test = (&'static str, fn());

fn main() -> ExitCode {
    palestra_sandbox::cell_main();
    if pool::plays_a_host() {
        return ExitCode::SUCCESS;
    }
    // One after the other: some count the cells of this process.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let sandbox = palestra_sandbox::Sandbox::strict();
    if let Err(missing) = &sandbox {
        eprintln!("all tests are ignored: {missing}");
    }
    let tests = [ends::TESTS, walls::TESTS, limits::TESTS, pool::TESTS, languages::TESTS, loose::TESTS];
    let mut trials = Vec::new();
    for (name, test) in tests.concat() {
        let own = move || {
            test();
            Ok(())
        };
        trials.push(Trial::test(name, own).with_ignored_flag(sandbox.is_err()));
        if rustix::process::geteuid().is_root() {
            let twin = Trial::test(format!("as_nobody::{name}"), move || as_nobody(name));
            trials.push(twin.with_ignored_flag(sandbox.is_err()));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    support::tidy_up();
    conclusion.exit_code()
}

/// Runs one of the tests without root's rights.
fn as_nobody(name: &str) -> Result<(), Failed> {
    const NOBODY: u32 = 65534;
    // The program itself may lie where nobody may not look.
    let folder = tempfile::tempdir()?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    let copy = folder.path().join("strict");
    fs::copy("/proc/self/exe", &copy)?;
    let output = Command::new(copy)
        .args(["--exact", name])
        .uid(NOBODY)
        .gid(NOBODY)
        .current_dir("/")
        .env_remove("TMPDIR")
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into())
}
