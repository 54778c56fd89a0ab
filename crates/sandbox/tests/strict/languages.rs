//! Compilers and interpreters work inside, as far as this machine has them.
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use crate::Test;
use crate::support::{LIMITS, run};
use palestra_sandbox::{Exit, Limits, Order};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const TESTS: &[Test] =
    &[("c", c), ("cpp", cpp), ("rust", rust), ("java", java), ("go", go), ("python", python), ("node", node)];

/// What compilers and virtual machines need more of.
const MORE: Limits = Limits {
    memory_bytes: 2 << 30,
    processes: 128,
    open_files: 1024,
    file_bytes: 256 << 20,
    scratch_bytes: 256 << 20,
    ..LIMITS
};

/// Compiles if there is something to compile, runs, and expects a greeting.
fn greets(name: &str, text: &str, tool: &str, compile: &[&str], start: &[&str]) {
    let Some(tool) = on_path(tool) else {
        println!("skipped: {tool} is not here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let order = |words: &[&str], writable: bool| Order {
        command: words.iter().map(|word| word.replace("{tool}", tool.to_str().unwrap()).into()).collect(),
        folder: Some(folder.path().to_owned()),
        readable: toolchains(&tool),
        writable: if writable { vec![folder.path().to_owned()] } else { Vec::new() },
        environment: ["HOME", "RUSTUP_HOME", "CARGO_HOME"]
            .iter()
            .filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)))
            .chain([("GOCACHE".into(), "/tmp/go".into())])
            .collect(),
        limits: MORE,
    };
    if !compile.is_empty() {
        let outcome = run(&order(compile, true));
        assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.output);
    }
    let outcome = run(&order(start, false));
    assert_eq!((outcome.exit, outcome.output.as_str()), (Exit::Code(0), "hello\n"));
}

fn on_path(tool: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(tool))
        .find(|file| fs::metadata(file).is_ok_and(|found| found.is_file()))
}

/// The hidden folder in somebody's home that a tool lies in, and its neighbour.
fn toolchains(tool: &Path) -> Vec<PathBuf> {
    let Some(hidden) = tool
        .ancestors()
        .find(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")))
    else {
        return Vec::new();
    };
    let neighbour = hidden.with_file_name(".rustup");
    [hidden.to_owned(), neighbour].into_iter().filter(|path| path.is_dir()).collect()
}

fn c() {
    let text = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n";
    greets("bot.c", text, "gcc", &["{tool}", "-O2", "-o", "bot", "bot.c"], &["./bot"]);
}

fn cpp() {
    let text = "#include <iostream>\n#include <thread>\nint main() { std::thread([] { std::cout << \"hello\\n\"; }).join(); }\n";
    greets("bot.cpp", text, "g++", &["{tool}", "-O2", "-o", "bot", "bot.cpp"], &["./bot"]);
}

fn rust() {
    let text = "fn main() { std::thread::spawn(|| println!(\"hello\")).join().unwrap(); }\n";
    greets("bot.rs", text, "rustc", &["{tool}", "-O", "bot.rs"], &["./bot"]);
}

fn java() {
    let text =
        "public class Bot { public static void main(String[] a) { System.out.println(\"hello\"); } }\n";
    greets(
        "Bot.java",
        text,
        "javac",
        &["{tool}", "-J-Xmx512m", "Bot.java"],
        &["java", "-Xmx256m", "-cp", ".", "Bot"],
    );
}

fn go() {
    let text = "package main\nimport \"fmt\"\nfunc main() { c := make(chan string); go func() { c <- \"hello\" }(); fmt.Println(<-c) }\n";
    greets("bot.go", text, "go", &["{tool}", "build", "-o", "bot", "bot.go"], &["./bot"]);
}

fn python() {
    let text = "import asyncio, random, subprocess, sys, tempfile, threading\n\
                async def main():\n    print('hello')\n\
                assert subprocess.run(['true']).returncode == 0\n\
                tempfile.TemporaryFile().write(b'x')\n\
                asyncio.run(main())\n";
    greets("bot.py", text, "python3", &[], &["{tool}", "bot.py"]);
}

fn node() {
    let text = "require('fs').writeFileSync('/tmp/x', 'x'); setTimeout(() => console.log('hello'), 1);\n";
    greets("bot.js", text, "node", &[], &["{tool}", "bot.js"]);
}
