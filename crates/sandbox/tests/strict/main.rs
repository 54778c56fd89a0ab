//! The sandbox with real programs, as the user that runs the tests and, if that is root, as nobody too.
//!
//! A program that uses the sandbox must be able to become a cell, which the usual test harness does not allow: this
//! `main` runs the tests itself, one after the other, and understands what `cargo test` and nextest ask of a harness.
#![expect(clippy::print_stdout, reason = "it is its own test harness")]

mod ends;
mod languages;
mod limits;
mod loose;
mod pool;
mod support;
mod walls;

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::panic::catch_unwind;
use std::process::{Command, ExitCode};

pub(crate) type Test = (&'static str, fn());

fn main() -> ExitCode {
    palestra_sandbox::cell_main();
    if pool::plays_a_host() {
        return ExitCode::SUCCESS;
    }
    let tests =
        [ends::TESTS, walls::TESTS, limits::TESTS, pool::TESTS, languages::TESTS, loose::TESTS].concat();
    if asked("--list") {
        // None is ever ignored.
        let listed = if asked("--ignored") { &[] } else { &tests[..] };
        listed.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if let Err(missing) = palestra_sandbox::Sandbox::strict() {
        println!("skipped: {missing}");
        return ExitCode::SUCCESS;
    }
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
    let is_wanted = |name: &str| if asked("--exact") { name == wanted } else { name.contains(&wanted) };
    let mut failed = 0;
    for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
        let passed = catch_unwind(test).is_ok();
        failed += u32::from(!passed);
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
    }
    support::tidy_up();
    let passed = failed == 0 && (!rustix::process::geteuid().is_root() || passes_as_nobody());
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether the command line has this word.
fn asked(word: &str) -> bool {
    std::env::args().any(|other| other == word)
}

/// The same tests without root's rights.
fn passes_as_nobody() -> bool {
    const NOBODY: u32 = 65534;
    println!("as nobody:");
    // The program itself may lie where nobody may not look.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("a folder");
    let copy = folder.path().join("strict");
    std::fs::copy("/proc/self/exe", &copy).expect("a copy");
    let status = Command::new(copy)
        .args(std::env::args_os().skip(1))
        .uid(NOBODY)
        .gid(NOBODY)
        .current_dir("/")
        .env_remove("TMPDIR")
        .status();
    status.expect("a test").success()
}
