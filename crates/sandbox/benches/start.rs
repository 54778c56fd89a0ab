//! What starting and reaping an empty program costs inside, and what a turn costs, compared to outside, as ratios.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use palestra_sandbox::{Limits, Order, Sandbox};
use std::fs;
use std::io::{PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 2000;
const TURNS: usize = 20_000;
const TRIES: usize = 10;
const EMPTY: &str = "int main(void) { return 0; }\n";
const ECHO: &str =
    "#include <unistd.h>\nint main(void) { char c; while (read(0, &c, 1) == 1) write(1, &c, 1); }\n";
const LIMITS: Limits = Limits {
    memory_bytes: 256 << 20,
    processes: 64,
    cpu_percent: 100,
    open_files: 256,
    file_bytes: 16 << 20,
    scratch_bytes: 16 << 20,
};

fn main() {
    palestra_sandbox::cell_main();
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("empty");
    compile(&program, EMPTY);
    let order = Order {
        command: vec![program.clone().into()],
        folder: Some(folder.path().to_owned()),
        readable: Vec::new(),
        writable: Vec::new(),
        environment: Vec::new(),
        limits: LIMITS,
    };
    let sandbox = Sandbox::strict().expect("a sandbox");
    let begin = Instant::now();
    inside(&sandbox, &order);
    println!("first start, with a new cell: {:.2} ms", begin.elapsed().as_secs_f64() * 1e3);
    // Taken in turn, so that whatever else the machine does is shared by both.
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..ROUNDS {
        times[0].push(timed(|| outside(&program)));
        times[1].push(timed(|| inside(&sandbox, &order)));
    }
    for part in &mut times {
        part.sort_unstable();
    }
    for (name, at) in [("median", ROUNDS / 2), ("p99", ROUNDS * 99 / 100)] {
        let [plain, strict] = [&times[0], &times[1]].map(|times| times[at].as_secs_f64() * 1e6);
        println!("{name}: plain {plain:.0} us, strict {strict:.0} us, ratio {:.2}", strict / plain);
    }
    turns(&sandbox, order, &folder.path().join("echo"));
}

/// Turns per second with a program that answers every byte, as the best of a few tries.
fn turns(sandbox: &Sandbox, mut order: Order, program: &Path) {
    compile(program, ECHO);
    order.command = vec![program.into()];
    let mut best = [f64::MAX; 2];
    for _ in 0..TRIES {
        let (stdin, ours) = pipe().expect("a pipe");
        let (theirs, stdout) = pipe().expect("a pipe");
        let mut child = Command::new(program).stdin(stdin).stdout(stdout).spawn().expect("a program");
        best[0] = talk(ours, theirs).min(best[0]);
        child.wait().expect("its end");
        let (stdin, ours) = pipe().expect("a pipe");
        let (theirs, stdout) = pipe().expect("a pipe");
        let nothing = fs::File::open("/dev/null").expect("a file");
        let running =
            sandbox.start(&order, [stdin.into(), stdout.into(), nothing.into()]).expect("a program");
        best[1] = talk(ours, theirs).min(best[1]);
        running.end();
    }
    let [plain, strict] = best.map(|seconds| TURNS as f64 / seconds);
    println!("turns: plain {plain:.0}/s, strict {strict:.0}/s, ratio {:.3}", strict / plain);
}

fn talk(mut ours: PipeWriter, mut theirs: PipeReader) -> f64 {
    let begin = Instant::now();
    for _ in 0..TURNS {
        ours.write_all(b"x").expect("a turn");
        theirs.read_exact(&mut [0]).expect("an answer");
    }
    begin.elapsed().as_secs_f64()
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

fn outside(program: &Path) {
    let status =
        Command::new(program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("a program").success());
}

fn inside(sandbox: &Sandbox, order: &Order) {
    let nothing =
        || OwnedFd::from(fs::File::options().read(true).write(true).open("/dev/null").expect("a file"));
    let running = sandbox.start(order, [nothing(), nothing(), nothing()]).expect("a program");
    let mut polled =
        [rustix::event::PollFd::from_borrowed_fd(running.exit_fd(), rustix::event::PollFlags::IN)];
    rustix::event::poll(&mut polled, None).expect("a poll");
    assert_eq!(running.exited(), Some(palestra_sandbox::Exit::Code(0)));
    running.end();
}

fn compile(program: &Path, text: &str) {
    let source = program.with_extension("c");
    fs::write(&source, text).expect("a file");
    let status = Command::new("cc").arg("-O2").arg("-o").arg(program).arg(&source).status();
    assert!(status.expect("a C compiler").success());
}
