//! What people hand in, with real compilers and the real sandbox.
//!
//! A program that uses the sandbox must be able to become a cell, which the usual test harness does not allow: this
//! `main` looks whether it is one before it runs the tests.
#![expect(clippy::print_stderr, reason = "it is its own test harness")]

mod arrivals;
mod compiling;
mod deaths;
mod hostile;
mod matches;
mod returns;
mod support;

use libtest_mimic::{Arguments, Trial};
use std::env;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

pub(crate) type Test = (&'static str, fn());

fn main() -> ExitCode {
    palestra_runner::sandbox::cell_main();
    take_own_toolchains();
    palestra_runner::adopt_strays();
    // One after the other: each has a current folder of its own.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let sandbox = palestra_runner::sandbox::Sandbox::strict();
    if let Err(missing) = &sandbox {
        eprintln!("all tests are ignored: {missing}");
    }
    let tests =
        [arrivals::TESTS, compiling::TESTS, hostile::TESTS, returns::TESTS, deaths::TESTS, matches::TESTS];
    let trials = tests.concat().into_iter().map(|(name, test)| {
        let test = move || {
            test();
            Ok(())
        };
        Trial::test(name, test).with_ignored_flag(sandbox.is_err())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
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
