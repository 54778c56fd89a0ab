//! What people hand in, with real compilers and the real sandbox.
//!
//! A program that uses the sandbox must be able to become a cell, which the usual test harness does not allow: this
//! `main` runs the tests itself, one after the other, and understands what `cargo test` and nextest ask of a harness.
#![expect(clippy::print_stdout, reason = "it is its own test harness")]

mod arrivals;
mod compiling;
mod deaths;
mod hostile;
mod matches;
mod returns;
mod support;

use std::env;
use std::os::unix::process::CommandExt as _;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, ExitCode};

pub(crate) type Test = (&'static str, fn());

fn main() -> ExitCode {
    palestra_runner::sandbox::cell_main();
    take_own_toolchains();
    palestra_runner::adopt_strays();
    let tests =
        [arrivals::TESTS, compiling::TESTS, hostile::TESTS, returns::TESTS, deaths::TESTS, matches::TESTS]
            .concat();
    if asked("--list") {
        // None is ever ignored.
        let listed = if asked("--ignored") { &[] } else { &tests[..] };
        listed.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if let Err(missing) = palestra_runner::sandbox::Sandbox::strict() {
        println!("skipped: {missing}");
        return ExitCode::SUCCESS;
    }
    let wanted = env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
    let is_wanted = |name: &str| if asked("--exact") { name == wanted } else { name.contains(&wanted) };
    let mut failed = 0;
    for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
        let passed = catch_unwind(test).is_ok();
        failed += u32::from(!passed);
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether the command line has this word.
fn asked(word: &str) -> bool {
    env::args().any(|other| other == word)
}

/// Starts this program anew with the tests' own table of toolchains, instead of that of whoever runs them.
fn take_own_toolchains() {
    const NAME: &str = "PALESTRA_TOOLCHAINS";
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workshop/toolchains.toml");
    if env::var_os(NAME).is_none_or(|other| other != table) {
        let program = env::current_exe().expect("a program");
        let failed = Command::new(program).args(env::args_os().skip(1)).env(NAME, table).exec();
        panic!("{failed}");
    }
}
