//! One bot's process: how it is started, watched and ended.
//!
//! A bot leads a process group of its own, and lives in a sandbox if there is one. It is started the way `posix_spawn` does it, without
//! copying this process's memory map, so that starting costs the same however much memory this process holds.

use super::{to_input, to_output};
use crate::guard::Guard;
use crate::platform::Waited;
use crate::process::{Launch, MARK, Pipes};
use palestra_core::Exit;
use palestra_sandbox::{Order, Running, Sandbox, Usage};
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus};
use std::ffi::OsString;
use std::io::{self, PipeWriter};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Process {
    body: Body,
    pid: Pid,
    usage: Usage,
}

#[derive(Debug)]
enum Body {
    /// A child of this process.
    Child {
        child: Child,
        /// Readable once it has ended.
        exit: Option<OwnedFd>,
        /// Tells what it leaves behind from what others do.
        #[cfg_attr(
            not(target_os = "linux"),
            expect(dead_code, reason = "only Linux shows what others were started with")
        )]
        mark: String,
    },
    Caged(Box<Running>),
    Ended,
}

impl Process {
    pub(crate) fn start(launch: &Launch, mark: &str, guard: &Guard) -> io::Result<(Process, Pipes)> {
        let (stdin_far, stdin) = io::pipe()?;
        let (stdout, stdout_far) = io::pipe()?;
        let (stderr, stderr_far) = match launch.own_stderr {
            true => io::pipe().map(|(near, far)| (Some(near), Some(far)))?,
            false => (None, None),
        };
        let pipes = Pipes {
            stdin: to_input(stdin)?,
            stdout: to_output(stdout)?,
            stderr: stderr.map(to_output).transpose()?,
        };
        let stderr_far = stderr_far.map(OwnedFd::from);
        let process = match guard.sandbox() {
            None => {
                let mut command = command(&launch.command, mark);
                command.stdin(stdin_far).stdout(stdout_far);
                command.stderr(stderr_far.map_or_else(Stdio::inherit, Stdio::from));
                if let Some(dir) = &launch.dir {
                    command.current_dir(dir);
                }
                Process::child(command, mark)?
            }
            Some(sandbox) => {
                let stderr_far = stderr_far.map_or_else(|| io::stderr().as_fd().try_clone_to_owned(), Ok)?;
                Process::start_caged(
                    launch,
                    mark,
                    guard,
                    sandbox,
                    [stdin_far.into(), stdout_far.into(), stderr_far],
                )?
            }
        };
        Ok((process, pipes))
    }

    /// Starts a program of this machine's own that hears nothing, and says everything into one pipe.
    pub(crate) fn start_tool(words: &[OsString], mark: &str, output: PipeWriter) -> io::Result<Process> {
        let mut command = command(words, mark);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        Process::child(command, mark)
    }

    fn child(mut command: Command, mark: &str) -> io::Result<Process> {
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let body = Body::Child { child, exit: exit_fd(pid), mark: mark.to_owned() };
        Ok(Process { body, pid, usage: Usage::default() })
    }

    /// A program in a cell.
    pub(crate) fn caged(running: Running) -> Process {
        let pid = running.pid();
        Process { body: Body::Caged(Box::new(running)), pid, usage: Usage::default() }
    }

    fn start_caged(
        launch: &Launch,
        mark: &str,
        guard: &Guard,
        sandbox: &Sandbox,
        stdio: [OwnedFd; 3],
    ) -> io::Result<Process> {
        let mut order = Order {
            command: launch.command.clone(),
            folder: launch.dir.clone(),
            readable: Vec::new(),
            writable: Vec::new(),
            environment: Vec::new(),
            limits: guard.limits(),
        };
        if guard.strict().is_some() {
            let own_folder = launch.readable.first().filter(|path| path.is_dir());
            order.folder = order.folder.or_else(|| own_folder.cloned());
            order.readable.clone_from(&launch.readable);
        } else {
            order.environment.push((MARK.into(), mark.into()));
        }
        Ok(Process::caged(sandbox.start(&order, stdio)?))
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Its number, as other programs call it.
    pub(crate) fn number(&self) -> u32 {
        self.pid.as_raw_pid() as u32
    }

    /// Until it has ended, where the platform can wait for that.
    pub(crate) fn ends(&self) -> Option<Waited<'_>> {
        let exit = match &self.body {
            Body::Child { exit, .. } => exit.as_ref().map(OwnedFd::as_fd),
            Body::Caged(running) => Some(running.exit_fd()),
            Body::Ended => None,
        };
        exit.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
    }

    /// How it ended, if it has. It stays a zombie until [`Process::end`], so that its number is not given away.
    pub(crate) fn exited(&self) -> Option<Exit> {
        match &self.body {
            Body::Child { .. } => {
                let status = exited(self.pid)?;
                Some(match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Exit::Code(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => Exit::ClosedOutput,
                })
            }
            Body::Caged(running) => running.exited().map(|exit| match exit {
                palestra_sandbox::Exit::Code(code) => Exit::Code(code),
                palestra_sandbox::Exit::Signal(signal) => Exit::Signal(signal),
            }),
            Body::Ended => None,
        }
    }

    /// Lets all of it stand still: a bot must not take time from the others.
    pub(crate) fn freeze(&self) {
        match &self.body {
            Body::Child { .. } => {
                let _ = rustix::process::kill_process_group(self.pid, Signal::STOP);
                #[cfg(target_os = "linux")]
                palestra_sandbox::stop_all(|| self.members());
            }
            Body::Caged(running) => running.freeze(),
            Body::Ended => {}
        }
    }

    pub(crate) fn thaw(&self) {
        match &self.body {
            Body::Child { .. } => {
                let _ = rustix::process::kill_process_group(self.pid, Signal::CONT);
                #[cfg(target_os = "linux")]
                palestra_sandbox::continue_all(&self.members());
            }
            Body::Caged(running) => running.thaw(),
            Body::Ended => {}
        }
    }

    /// Lets all of it have the processor only when nobody else wants it; whether any of it had a higher priority. What it
    /// starts from now on inherits that.
    pub(crate) fn make_idle(&self) -> bool {
        match &self.body {
            #[cfg(target_os = "linux")]
            Body::Child { .. } => palestra_sandbox::make_idle(|| self.members()),
            #[cfg(not(target_os = "linux"))]
            Body::Child { .. } => {
                let _ = rustix::process::setpriority_pgrp(Some(self.pid), 19);
                false
            }
            Body::Caged(running) => running.make_idle(),
            Body::Ended => false,
        }
    }

    /// Kills all of it, as far as it can be found at this moment, and waits for nothing.
    pub(crate) fn kill(&self) {
        match &self.body {
            Body::Child { .. } => {
                let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
            }
            Body::Caged(_) | Body::Ended => {}
        }
        #[cfg(target_os = "linux")]
        for pid in self.members() {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }

    /// Processor time of everything it has started, itself included, where a control group counts it.
    pub(crate) fn counted_cpu(&self) -> Option<Duration> {
        match &self.body {
            Body::Caged(running) => running.cpu(),
            Body::Child { .. } | Body::Ended => None,
        }
    }

    /// What it and the processes below it have used up to now, and whether one of them could run: a program that starts
    /// waits for those. Orphans are none of them, or leaving some that compute would look like starting for ever.
    pub(crate) fn busy_so_far(&self) -> (Duration, bool) {
        #[cfg(target_os = "linux")]
        {
            let mut family = tree::descendants(self.pid);
            family.push(self.pid);
            let used = family.iter().map(|pid| tree::cpu_of(*pid) + tree::waited_for(*pid)).sum();
            (used, family.into_iter().any(tree::is_runnable))
        }
        #[cfg(not(target_os = "linux"))]
        (Duration::ZERO, false)
    }

    /// Ends the process and everything that belongs to it, waits for it, and says what it used, as far as that is known.
    pub(crate) fn end(&mut self) -> Usage {
        match std::mem::replace(&mut self.body, Body::Ended) {
            Body::Child { mut child, .. } => {
                // The group first, while the leader still holds its number.
                let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
                let _ = child.kill();
                let _ = child.wait();
            }
            Body::Caged(running) => self.usage = running.end(),
            Body::Ended => {}
        }
        self.usage
    }
}

#[cfg(target_os = "linux")]
impl Process {
    /// Everything that it has started and that is still there, itself included, as far as that can be found.
    pub(crate) fn members(&self) -> Vec<Pid> {
        match &self.body {
            Body::Child { mark, .. } => {
                let mut found = vec![self.pid];
                found.extend(crate::strays::of_bot(mark));
                let below: Vec<Pid> = found.iter().flat_map(|pid| tree::descendants(*pid)).collect();
                found.extend(below);
                found
            }
            Body::Caged(running) => running.members(),
            Body::Ended => Vec::new(),
        }
    }

    /// Processor time of its orphans that have ended, where somebody has waited for them.
    pub(crate) fn reaped_cpu(&self) -> Duration {
        match &self.body {
            Body::Caged(running) => running
                .reaper()
                .map_or(Duration::ZERO, |(pid, before)| tree::waited_for(pid).saturating_sub(before)),
            Body::Child { .. } | Body::Ended => Duration::ZERO,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn command(words: &[OsString], mark: &str) -> Command {
    let (program, arguments) = words.split_first().expect("a command has a program");
    let mut command = Command::new(program);
    command.args(arguments).env(MARK, mark).process_group(0);
    command
}

/// The clock of one process, its threads included.
#[derive(Debug)]
pub(crate) struct ProcessClock(#[cfg(target_os = "linux")] Option<nix::time::ClockId>);

#[cfg(target_os = "linux")]
impl ProcessClock {
    /// That of a bot.
    pub(crate) fn of(process: &Process) -> ProcessClock {
        ProcessClock::new(process.pid)
    }

    /// That of this program.
    pub(crate) fn own() -> ProcessClock {
        ProcessClock::new(rustix::process::getpid())
    }

    fn new(pid: Pid) -> ProcessClock {
        ProcessClock(nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(pid.as_raw_pid())).ok())
    }

    /// What was used up to now; `None` where the platform cannot tell.
    pub(crate) fn read(&self) -> Option<Duration> {
        Some(nix::time::clock_gettime(self.0?).ok()?.into())
    }
}

#[cfg(not(target_os = "linux"))]
impl ProcessClock {
    pub(crate) fn of(_: &Process) -> ProcessClock {
        ProcessClock()
    }

    pub(crate) fn own() -> ProcessClock {
        ProcessClock()
    }

    /// This platform cannot tell.
    pub(crate) fn read(&self) -> Option<Duration> {
        None
    }
}

/// How a child ended, if it has. It stays a zombie, so that its number is not given away.
fn exited(pid: Pid) -> Option<WaitIdStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    rustix::process::waitid(WaitId::Pid(pid), options).ok()?
}

/// Readable once a child has ended, where the platform has such a thing.
#[cfg(target_os = "linux")]
fn exit_fd(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

/// This platform has no such thing.
#[cfg(not(target_os = "linux"))]
fn exit_fd(_: Pid) -> Option<OwnedFd> {
    None
}

/// What Linux tells about the processes below one.
#[cfg(target_os = "linux")]
pub(crate) mod tree {
    pub(crate) use palestra_sandbox::children;
    use rustix::process::Pid;
    use std::fs;
    use std::time::Duration;

    /// Everything below a process that still hangs on it.
    pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
        palestra_sandbox::descendants(root, crate::limits::TREE_PROCESSES)
    }

    /// Whether a process has a thread that computes, waits for a processor, or waits for the disk.
    pub(crate) fn is_runnable(pid: Pid) -> bool {
        let threads = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid()));
        threads.into_iter().flatten().flatten().any(|thread| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            stat_fields(&stat).next().is_some_and(|state| matches!(state, "R" | "D"))
        })
    }

    /// What `/proc/PID/stat` says behind the name: that is in parentheses, and may hold anything.
    fn stat_fields(stat: &str) -> impl Iterator<Item = &str> {
        stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace()
    }

    /// Processor time of a process and all its threads.
    pub(crate) fn cpu_of(pid: Pid) -> Duration {
        let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(pid.as_raw_pid()));
        clock.and_then(nix::time::clock_gettime).map_or(Duration::ZERO, Duration::from)
    }

    /// Processor time of the children that a process has waited for.
    pub(crate) fn waited_for(pid: Pid) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).unwrap_or_default();
        let field =
            |number: usize| stat_fields(&stat).nth(number - 3).and_then(|word| word.parse::<u64>().ok());
        let ticks = field(16).unwrap_or(0) + field(17).unwrap_or(0);
        Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
    }

    #[cfg(test)]
    mod tests {
        use super::is_runnable;
        use rustix::process::Pid;
        use std::process::{Command, Stdio};

        /// Who only waits for the processor looks idle to every clock. On one core with others it does so most of the time.
        #[test]
        fn whoever_waits_for_the_processor_is_no_idler() {
            let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
            let mut busy = [spin(), spin(), spin(), spin()];
            let looks =
                (0..200).filter(|_| busy.iter().all(|child| is_runnable(Pid::from_child(child)))).count();
            for child in &mut busy {
                child.kill().unwrap();
                child.wait().unwrap();
            }
            assert!(looks >= 190, "{looks} of 200; it may still have been starting");
            let mut reader = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
            while is_runnable(Pid::from_child(&reader)) {
                std::thread::yield_now();
            }
            drop(reader.stdin.take());
            reader.wait().unwrap();
        }
    }
}
