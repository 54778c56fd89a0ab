//! Runs a compiler within its limits, and passes on what it says while it says it.
//!
//! Its words come through a pipe that is emptied whatever happens: beyond a limit they are dropped, so that nothing fills
//! up and no compiler waits for a reader. Whoever has inherited the pipe and stays behind is not waited for, but ended.

use crate::bounds::Unfit;
use crate::connection::is_nothing_yet;
use crate::driver::new_mark;
use crate::guard::Guard;
use crate::limits;
use crate::platform::untrusted::Folder;
use crate::platform::{self, Output, Waited};
use crate::process::Process;
use crate::strays;
use palestra_core::Exit;
use palestra_sandbox::{Order, Sandbox};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeWriter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Between two looks at a compiler whose end does not wake anybody.
const LOOK: Duration = Duration::from_millis(2);
/// Bytes taken from the pipe at a time.
const READ_BYTES: usize = 16 << 10;

/// Why there is no program.
#[derive(Debug)]
pub(crate) enum NotCompiled {
    /// The compiler does not take the source; what it said.
    Refused(String),
    /// The compiler could not be run, or did not get to its end.
    GaveUp(String),
}

pub(crate) struct Compiler<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [OsString],
    /// What it can read in a sandbox.
    pub(crate) readable: Vec<PathBuf>,
    /// The only folder that it can write to there.
    pub(crate) folder: &'a Path,
    /// When it is ended.
    pub(crate) deadline: Instant,
}

impl Compiler<'_> {
    /// Runs it. `hear` is told what it says, in whole lines.
    pub(crate) fn run(&self, guard: &Guard, hear: &mut dyn FnMut(&str)) -> Result<(), NotCompiled> {
        let done = match guard.strict() {
            None => self.run_free(hear),
            Some(cells) => self.run_caged(cells, hear),
        };
        done.unwrap_or_else(|error| {
            Err(NotCompiled::GaveUp(format!("{}: {error}", self.command[0].display())))
        })
    }

    fn run_free(&self, hear: &mut dyn FnMut(&str)) -> io::Result<Result<(), NotCompiled>> {
        let (mut words, output) = Words::new(hear)?;
        let mark = new_mark();
        // A match that ends meanwhile must not take the compiler for something a bot has left behind.
        let (_known, mut process) = strays::Known::start(|| {
            let process = Process::start_tool(self.command, &mark, output)?;
            Ok((process.pid(), process))
        })?;
        let ended = words.hear_out(self.deadline, &process, || Ok(()));
        process.end();
        strays::sweep(&mark);
        let said = words.close();
        Ok(match ended {
            Ok(Exit::Code(0)) => Ok(()),
            Ok(_) => Err(NotCompiled::Refused(said)),
            Err(why) => Err(NotCompiled::GaveUp(why)),
        })
    }

    fn run_caged(&self, cells: &Sandbox, hear: &mut dyn FnMut(&str)) -> io::Result<Result<(), NotCompiled>> {
        let (mut words, output) = Words::new(hear)?;
        let order = Order {
            command: self.command.to_vec(),
            folder: Some(self.folder.to_owned()),
            readable: self.readable.clone(),
            writable: vec![self.folder.to_owned()],
            environment: Vec::new(),
            limits: limits::COMPILER,
        };
        let stdio = [File::open("/dev/null")?.into(), output.try_clone()?.into(), output.into()];
        let mut process = Process::caged(cells.start(&order, stdio)?);
        // Nothing in a cell counts the bytes of a whole folder.
        let folder = Folder::open(self.folder)?;
        let in_bounds = || match folder.measure(&limits::COMPILED) {
            Err(unfit @ (Unfit::Bytes(_) | Unfit::Entries(_) | Unfit::Depth(_))) => {
                Err(format!("the compiler made {unfit}"))
            }
            _ => Ok(()),
        };
        let ended = words.hear_out(self.deadline, &process, in_bounds);
        let used = process.end();
        let said = words.close();
        Ok(match ended {
            Ok(Exit::Code(0)) => Ok(()),
            Ok(_) if used.over_memory => {
                let most = limits::COMPILER.memory_bytes >> 20;
                Err(NotCompiled::GaveUp(format!("the compiler used more than {most} MB")))
            }
            Ok(_) => Err(NotCompiled::Refused(said)),
            Err(why) => Err(NotCompiled::GaveUp(why)),
        })
    }
}

/// What a compiler says, as it comes out of its pipe.
struct Words<'a> {
    /// Nothing once nobody is left who could say more.
    pipe: Option<Output>,
    /// Bytes that came, whatever became of them.
    came: u64,
    /// The beginning of a line. It is passed on when it is whole: half a line may end in half a name.
    line: Vec<u8>,
    said: String,
    /// Whether the rest is dropped.
    full: bool,
    hear: &'a mut dyn FnMut(&str),
}

impl<'a> Words<'a> {
    /// Nothing so far, and where it is to be said.
    fn new(hear: &'a mut dyn FnMut(&str)) -> io::Result<(Words<'a>, PipeWriter)> {
        let (pipe, output) = io::pipe()?;
        let pipe = platform::to_output(pipe)?;
        let (line, said) = (Vec::new(), String::new());
        Ok((Words { pipe: Some(pipe), came: 0, line, said, full: false, hear }, output))
    }

    /// Listens until the compiler has ended, and says how; or why that is not waited for any longer. `in_bounds` is asked now
    /// and then.
    fn hear_out(
        &mut self,
        deadline: Instant,
        process: &Process,
        in_bounds: impl Fn() -> Result<(), String>,
    ) -> Result<Exit, String> {
        let mut checked = Instant::now();
        loop {
            if let Some(exit) = process.exited() {
                return Ok(exit);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("the compiler took more than {} s", limits::COMPILE.as_secs()));
            }
            if self.came > limits::COMPILE_FLOOD_BYTES {
                let most = limits::COMPILE_FLOOD_BYTES >> 20;
                return Err(format!("the compiler said more than {most} MB"));
            }
            self.wait(process, left);
            self.take_in();
            if checked.elapsed() >= limits::COMPILED_LOOK {
                in_bounds()?;
                checked = Instant::now();
            }
        }
    }

    fn wait(&self, process: &Process, left: Duration) {
        let end = process.ends();
        let look = if end.is_some() { limits::COMPILED_LOOK } else { LOOK };
        let mut waited: Vec<Waited<'_>> =
            self.pipe.as_ref().map(platform::readable).into_iter().chain(end).collect();
        let _ = platform::poll(&mut waited, Some(left.min(look)));
    }

    /// Takes some of what has come; whether there was any.
    fn take_in(&mut self) -> bool {
        let Some(pipe) = &self.pipe else {
            return false;
        };
        let mut buffer = [0; READ_BYTES];
        match platform::read(pipe, &mut buffer) {
            Ok(length @ 1..) => {
                self.came += length as u64;
                self.add(&buffer[..length]);
                true
            }
            Err(error) if is_nothing_yet(&error) => false,
            Ok(0) | Err(_) => {
                self.pipe = None;
                false
            }
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        if self.full {
            return;
        }
        self.line.extend_from_slice(bytes);
        let whole = match self.line.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if self.line.len() > limits::COMPILE_OUTPUT_BYTES => self.line.len(),
            None => return,
        };
        let rest = self.line.split_off(whole);
        let lines = std::mem::replace(&mut self.line, rest);
        self.pass_on(&lines);
    }

    fn pass_on(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let room = limits::COMPILE_OUTPUT_BYTES - self.said.len();
        let kept = &text[..text.floor_char_boundary(room)];
        self.said.push_str(kept);
        (self.hear)(kept);
        if kept.len() < text.len() {
            self.full = true;
            (self.hear)("\n(the compiler says more, which is not shown)\n");
        }
    }

    /// Takes what is left after the end; everything that was passed on.
    fn close(mut self) -> String {
        // Whoever was left behind may go on for ever.
        let enough = self.came + limits::COMPILE_OUTPUT_BYTES as u64;
        while self.came < enough && (self.take_in() || platform::arrives(self.pipe.as_ref())) {}
        if !self.line.is_empty() && !self.full {
            let mut last = std::mem::take(&mut self.line);
            last.push(b'\n');
            self.pass_on(&last);
        }
        self.said.truncate(self.said.trim_end().len());
        self.said
    }
}

#[cfg(test)]
mod tests {
    use super::{Compiler, NotCompiled};
    use crate::{Guard, limits};
    use std::path::Path;
    use std::time::{Duration, Instant};

    /// Runs a shell script as the compiler in a folder; the pieces that it said.
    fn run(
        script: &str,
        folder: &Path,
        mut hear: impl FnMut(&str),
    ) -> (Result<(), NotCompiled>, Vec<String>) {
        let script = format!("cd {}\n{script}", folder.display());
        let command = ["sh", "-c", &script].map(Into::into);
        let deadline = Instant::now() + limits::COMPILE;
        let compiler = Compiler { command: &command, readable: Vec::new(), folder, deadline };
        let mut pieces = Vec::new();
        let done = compiler.run(&Guard::off(), &mut |piece| {
            hear(piece);
            pieces.push(piece.to_owned());
        });
        (done, pieces)
    }

    fn refused(done: Result<(), NotCompiled>) -> String {
        match done {
            Err(NotCompiled::Refused(said)) => said,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lines_are_heard_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        // It cannot end before its first line was heard, nor before its second.
        let script = "echo first; until [ -e 1 ]; do sleep 0.01; done
            echo second >&2; printf 'half a '; until [ -e 2 ]; do sleep 0.01; done
            echo line; printf 'the end'";
        let mut heard = 0;
        let (done, pieces) = run(script, folder.path(), |_| {
            heard += 1;
            std::fs::write(folder.path().join(heard.to_string()), "").unwrap();
        });
        done.unwrap();
        assert_eq!(pieces[..2], ["first\n", "second\n"]);
        assert_eq!(pieces[2..].concat(), "half a line\nthe end\n");
    }

    #[test]
    fn a_refusal_has_everything_that_was_said() {
        let folder = tempfile::tempdir().unwrap();
        let (done, pieces) = run("echo one; printf 'tw\\377o\\n\\n' >&2; exit 3", folder.path(), |_| {});
        assert_eq!(refused(done), "one\ntw\u{fffd}o");
        assert_eq!(pieces.concat(), "one\ntw\u{fffd}o\n\n");
        let (done, pieces) = run("exec >&- 2>&-; sleep 0.05; exit 1", folder.path(), |_| {});
        assert_eq!((refused(done).as_str(), pieces.len()), ("", 0));
    }

    #[test]
    fn a_flood_is_cut_and_does_not_hold_up_the_compiler() {
        let folder = tempfile::tempdir().unwrap();
        for flood in ["yes", "yes '' | tr '\\n' '\\377'"] {
            let script = format!("({flood}) | head -c 8000000; exit 1");
            let (done, pieces) = run(&script, folder.path(), |_| {});
            let said = refused(done);
            assert!((limits::COMPILE_OUTPUT_BYTES - 3..=limits::COMPILE_OUTPUT_BYTES).contains(&said.len()));
            assert!(pieces.concat().len() < limits::COMPILE_OUTPUT_BYTES + 100);
            assert!(pieces.last().unwrap().contains("which is not shown"));
        }
    }

    #[test]
    fn a_flood_without_end_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let (done, _) = run("yes", folder.path(), |_| {});
        let Err(NotCompiled::GaveUp(why)) = done else { panic!("{done:?}") };
        assert_eq!(why, "the compiler said more than 32 MB");
    }

    /// Whether a process is there and has not ended.
    #[cfg(target_os = "linux")]
    fn is_alive(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_stays_behind_is_not_waited_for_but_ended() {
        let folder = tempfile::tempdir().unwrap();
        // It holds the pipe, and would stay for ever. The other one floods it.
        let script = "(while :; do sleep 0.01; done) & echo $! > one; yes & echo $! > two; echo told";
        let (done, pieces) = run(script, folder.path(), |_| {});
        done.unwrap();
        assert!(pieces.concat().contains("told\n") || pieces.concat().contains("not shown"));
        for file in ["one", "two"] {
            let pid = std::fs::read_to_string(folder.path().join(file)).unwrap();
            // It was sent the signal, and may still be on its way out.
            let patience = Instant::now() + Duration::from_secs(60);
            while is_alive(pid.trim()) {
                assert!(Instant::now() < patience, "{pid} is still there");
                std::thread::yield_now();
            }
        }
    }
}
