//! One bot's process, and everything that it starts: a job.

use super::pipe::{to_input, to_output};
use super::raw::{self, Job};
use super::wait::{Waited, lock};
use crate::guard::Guard;
use crate::limits;
use crate::platform::Pid;
use crate::process::{Launch, MARK, Pipes};
use palestra_core::Exit;
use palestra_sandbox::{Limits, Running, Usage};
use std::ffi::OsString;
use std::io::{self, PipeWriter};
use std::os::windows::io::{AsHandle as _, OwnedHandle};
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED};

/// What a process that is killed ends with: the system's word for an end from outside.
const KILLED: u32 = 0xC000_013A;
/// Between two looks at the memory of a job, where the system does not keep its limit.
const MEMORY_LOOK: Duration = Duration::from_millis(50);
/// Between two looks whether all of a job is gone.
const END_LOOK: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    job: Arc<Guarded>,
    /// Those that stand still.
    stopped: Mutex<Vec<(u32, OwnedHandle)>>,
    usage: Option<Usage>,
}

/// A job, and what becomes of it while nobody looks.
#[derive(Debug)]
struct Guarded {
    job: Job,
    /// Killed from here.
    killed: AtomicBool,
    over_memory: AtomicBool,
    ended: AtomicBool,
}

impl Guarded {
    fn kill(&self) {
        self.killed.store(true, Ordering::SeqCst);
        self.job.terminate(KILLED);
    }

    /// Ends it when it wants more memory than it may have.
    fn watch_memory(&self, most: u64) {
        while !self.ended.load(Ordering::SeqCst) {
            if self.job.was_refused_memory(MEMORY_LOOK) || self.job.memory() > most {
                self.over_memory.store(true, Ordering::SeqCst);
                self.kill();
                return;
            }
        }
    }
}

impl Process {
    pub(crate) fn start(launch: &Launch, mark: &str, guard: &Guard) -> io::Result<(Process, Pipes)> {
        let (stdin_far, stdin) = io::pipe()?;
        let (stdout, stdout_far) = io::pipe()?;
        let mut command = command(&launch.command, mark);
        command.stdin(stdin_far).stdout(stdout_far);
        let mut flags = CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP;
        let mut stderr = None;
        if launch.own_stderr {
            let (near, stderr_far) = io::pipe()?;
            stderr = Some(near);
            command.stderr(stderr_far);
            flags |= CREATE_NO_WINDOW;
        }
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        command.creation_flags(flags);
        let limits = if guard.is_off() { None } else { Some(guard.limits()) };
        let process = Process::spawn(command, limits)?;
        let pipes = Pipes {
            stdin: to_input(stdin)?,
            stdout: to_output(stdout)?,
            stderr: stderr.map(to_output).transpose()?,
        };
        Ok((process, pipes))
    }

    /// Starts a program of this machine's own that hears nothing, and says everything into one pipe.
    pub(crate) fn start_tool(words: &[OsString], mark: &str, output: PipeWriter) -> io::Result<Process> {
        let mut command = command(words, mark);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        command.creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
        Process::spawn(command, None)
    }

    /// Starts a command that is stopped when it begins: before it does anything, it is in its job.
    fn spawn(mut command: Command, limits: Option<Limits>) -> io::Result<Process> {
        static PRECISELY: Once = Once::new();
        PRECISELY.call_once(raw::wait_precisely);
        let job = Job::new(limits)?;
        let flag = || AtomicBool::new(false);
        let job = Arc::new(Guarded { job, killed: flag(), over_memory: flag(), ended: flag() });
        let mut child = command.spawn()?;
        // Its own far ends are closed with this; whoever waits for the end of a pipe waits for nobody else.
        drop(command);
        if let Err(error) = job.job.take(child.as_handle()) {
            let _ = child.kill();
            return Err(error);
        }
        raw::go_on(child.as_handle());
        if let Some(limits) = limits {
            let watched = Arc::clone(&job);
            let watch = move || watched.watch_memory(limits.memory_bytes);
            thread::Builder::new().name("memory".to_owned()).spawn(watch)?;
        }
        Ok(Process { child, job, stopped: Mutex::default(), usage: None })
    }

    /// A program in a cell, which there is none of here.
    pub(crate) fn caged(running: Running) -> Process {
        match running {}
    }

    pub(crate) fn pid(&self) -> Pid {
        self.child.id()
    }

    /// Its number, as other programs call it.
    pub(crate) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Until it has ended.
    pub(crate) fn ends(&self) -> Option<Waited<'_>> {
        Some(Waited::handle(self.child.as_handle()))
    }

    /// How it ended, if it has.
    pub(crate) fn exited(&self) -> Option<Exit> {
        if !raw::is_signalled(self.child.as_handle()) {
            return None;
        }
        let code = raw::exit_code(self.child.as_handle())?;
        // Whoever is refused memory may be so quick to give up that it ends by itself.
        let over_memory = code != 0 && self.job.over_memory.load(Ordering::SeqCst);
        if over_memory || (code == KILLED && self.job.killed.load(Ordering::SeqCst)) {
            return Some(Exit::Signal(signal::KILL));
        }
        Some(signal::meant_by(code).map_or(Exit::Code(code as i32), Exit::Signal))
    }

    /// Lets all of it stand still: a bot must not take time from the others.
    pub(crate) fn freeze(&self) {
        let mut stopped = lock(&self.stopped);
        // Some may start others in the meantime.
        for _ in 0..limits::SWEEPS {
            let mut members = self.job.job.members();
            members.retain(|number| stopped.iter().all(|(other, _)| other != number));
            let found: Vec<_> =
                members.into_iter().filter_map(|number| Some((number, self.job.job.open(number)?))).collect();
            if found.is_empty() {
                break;
            }
            for (_, process) in &found {
                raw::stop(process.as_handle());
            }
            stopped.extend(found);
        }
    }

    pub(crate) fn thaw(&self) {
        for (_, process) in lock(&self.stopped).drain(..) {
            raw::go_on(process.as_handle());
        }
    }

    /// Lets all of it have the processor only when nobody else wants it. It cannot change that, so nobody ever had a higher
    /// priority.
    pub(crate) fn make_idle(&self) -> bool {
        self.job.job.make_idle();
        false
    }

    /// Kills all of it, and waits for nothing.
    pub(crate) fn kill(&self) {
        self.job.kill();
    }

    /// Processor time of everything it has started, itself included.
    pub(crate) fn counted_cpu(&self) -> Option<Duration> {
        Some(self.job.job.account().cpu)
    }

    /// What it and all that it has started have done up to now. Nobody tells whether one of them could run.
    pub(crate) fn busy_so_far(&self) -> (Duration, bool) {
        let account = self.job.job.account();
        (account.cpu + Duration::from_nanos(account.steps), false)
    }

    /// Ends the process and everything that belongs to it, waits for it, and says what it used, as far as that is known.
    pub(crate) fn end(&mut self) -> Usage {
        if let Some(usage) = self.usage {
            return usage;
        }
        let job = &self.job;
        job.ended.store(true, Ordering::SeqCst);
        job.kill();
        let deadline = Instant::now() + limits::EXIT_CODE;
        while job.job.account().active > 0 && Instant::now() < deadline {
            thread::sleep(END_LOOK);
        }
        let usage = Usage {
            memory_peak: job.job.memory_peak(),
            cpu: Some(job.job.account().cpu).filter(|cpu| !cpu.is_zero()),
            processes_peak: None,
            over_memory: job.over_memory.load(Ordering::SeqCst),
        };
        *self.usage.insert(usage)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// A command as the table of toolchains has it: some begin with `env` and variables, which is no program here.
fn command(mut words: &[OsString], mark: &str) -> Command {
    let mut variables = Vec::new();
    if let Some((_, rest)) = words.split_first().filter(|(program, _)| *program == "env") {
        words = rest;
        while let Some((name, value)) = words.first().and_then(|word| word.to_str()?.split_once('=')) {
            variables.push((name, value));
            words = &words[1..];
        }
    }
    let (program, arguments) = words.split_first().expect("a command has a program");
    let mut command = Command::new(program);
    command.args(arguments).envs(variables).env(MARK, mark);
    command
}

/// The clock of a job.
#[derive(Debug)]
pub(crate) struct ProcessClock(Option<Arc<Guarded>>);

impl ProcessClock {
    /// That of a bot, with all that it has started.
    pub(crate) fn of(process: &Process) -> ProcessClock {
        ProcessClock(Some(Arc::clone(&process.job)))
    }

    /// That of this program, which nobody reads: there is one.
    pub(crate) fn own() -> ProcessClock {
        ProcessClock(None)
    }

    /// What was used up to now.
    pub(crate) fn read(&self) -> Option<Duration> {
        Some(self.0.as_ref().map_or(Duration::ZERO, |job| job.job.account().cpu))
    }
}

/// What programs die of has the same names everywhere.
mod signal {
    pub(super) const KILL: i32 = 9;

    /// The signal that says elsewhere what this exit code says here.
    pub(super) fn meant_by(code: u32) -> Option<i32> {
        Some(match code {
            // Ctrl-C.
            0xC000_013A => 2,
            // Illegal and privileged instructions.
            0xC000_001D | 0xC000_0096 => 4,
            // Programs that give up, and those that have found their stack written over.
            0xC000_0409 | 0xC000_0374 => 6,
            // Divisions by zero and overflows, of whole and other numbers.
            0xC000_0094 | 0xC000_0095 | 0xC000_008E | 0xC000_0090 | 0xC000_0091 => 8,
            // Access violations, pages that cannot be read, stacks without end.
            0xC000_0005 | 0xC000_0006 | 0xC000_00FD | 0x8000_0002 => 11,
            _ => return None,
        })
    }
}
