//! Groups of version 2: one folder with all controllers, below a group that was delegated to us.

use super::files::{self, Gauge};
use super::{Bounds, Bundle, Control, Counts, Tree, limits};
use rustix::process::Pid;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The controllers that are used, and what each is good for.
const CONTROLLERS: [(&str, &str); 3] =
    [("memory", "memory"), ("pids", "processes"), (CPU, "processor share")];
const CPU: &str = "cpu";
const DELEGATE: &str = "start palestra by `systemd-run --user --scope -p Delegate=yes palestra ...`";
/// How the name of the group ends into which this process steps aside.
const ASIDE: &str = "-host";

/// The group below which ours are made.
#[derive(Debug)]
pub(super) struct Delegated {
    base: PathBuf,
    /// For each controller whether it is there, or why not.
    given: [Result<(), String>; CONTROLLERS.len()],
}

impl Delegated {
    /// Lets the groups below `own`, this process's group, have what controllers they can; tries by making one.
    pub(super) fn open(own: &Path, trial: &str) -> Result<Delegated, String> {
        let base = match own.parent() {
            Some(parent) if own.to_string_lossy().ends_with(ASIDE) => parent,
            _ => own,
        };
        let refused = |error: io::Error| format!("{error}; {DELEGATE}");
        files::make_folder(&base.join(trial)).map_err(refused)?;
        files::remove_folder(&base.join(trial)).map_err(refused)?;
        let given = CONTROLLERS.map(|(controller, _)| {
            offers(base, controller)?;
            // The last one is enabled when the first group needs it, since it is then in all of them.
            if controller == CPU { Ok(()) } else { enable(base, controller, trial) }
        });
        Ok(Delegated { base: base.to_owned(), given })
    }

    /// Whether the limits that matter most are there.
    pub(super) fn is_enough(&self) -> bool {
        self.given[0].is_ok() && self.given[1].is_ok()
    }
}

/// Whether the groups below `base` can have a controller, else why not.
fn offers(base: &Path, controller: &str) -> Result<(), String> {
    if lists(base, "cgroup.controllers", controller) {
        return Ok(());
    }
    Err(format!("{} does not have the controller `{controller}`; {DELEGATE}", base.display()))
}

fn lists(base: &Path, file: &str, controller: &str) -> bool {
    let list = fs::read_to_string(base.join(file)).unwrap_or_default();
    list.split_ascii_whitespace().any(|word| word == controller)
}

/// Lets the groups below `base` have a controller; `name` is for the group that this process may have to move into.
fn enable(base: &Path, controller: &str, name: &str) -> Result<(), String> {
    if lists(base, "cgroup.subtree_control", controller) {
        return Ok(());
    }
    let switch = || files::write(base, "cgroup.subtree_control", format!("+{controller}"));
    match switch() {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            step_aside(base, name).and_then(|()| switch())
        }
        other => other,
    }
    .map_err(|error| format!("{error}; {DELEGATE}"))
}

/// A group with processes may not hand controllers on: if this is the only process in it, it moves one further down.
fn step_aside(base: &Path, name: &str) -> io::Result<()> {
    let own = rustix::process::getpid();
    if files::members(base) != [Some(own)] {
        let why = format!("{} holds other processes too", base.display());
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
    }
    let aside = base.join(format!("{name}{ASIDE}"));
    files::make_folder(&aside)?;
    files::write(&aside, "cgroup.procs", own.as_raw_pid())
}

impl Tree for Delegated {
    fn kind(&self) -> &'static str {
        "cgroup v2"
    }

    fn bases(&self) -> Vec<&Path> {
        vec![&self.base]
    }

    fn controls(&self) -> Vec<Control> {
        let base = self.base.display();
        let control = |(given, (controller, name)): (&Result<(), String>, (&str, &'static str))| Control {
            name,
            given: given.is_ok(),
            how: given.clone().err().unwrap_or_else(|| format!("cgroup v2 `{controller}` in {base}")),
        };
        let mut controls: Vec<Control> = self.given.iter().zip(CONTROLLERS).map(control).collect();
        // Every group of this version has these, whatever was delegated.
        let always = |name| Control { name, given: true, how: format!("cgroup v2 in {base}") };
        controls.extend([always("processor time"), always("freezing")]);
        controls
    }

    fn make(&self, name: &str, with_share: bool) -> io::Result<Box<dyn Bundle>> {
        let [memory, pids, cpu] = self.given.each_ref().map(Result::is_ok);
        let cpu = cpu && with_share;
        if cpu {
            enable(&self.base, CPU, name).map_err(io::Error::other)?;
        }
        let path = self.base.join(name);
        files::make_folder(&path)?;
        Ok(Box::new(Folder::new(path, [memory, pids, cpu])))
    }
}

/// One group.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Whether it has each of the controllers.
    has: [bool; CONTROLLERS.len()],
    memory: Gauge,
    /// The kernel forgets the peak for one open file, not for the group: it has to be the same one.
    memory_peak: Gauge,
    memory_events: Gauge,
    cpu: Gauge,
    freezer: Gauge,
    processes: Gauge,
    processes_peak: Gauge,
}

impl Folder {
    fn new(path: PathBuf, has: [bool; CONTROLLERS.len()]) -> Folder {
        let gauge = |file| Gauge::new(&path, file);
        Folder {
            memory: gauge("memory.current"),
            memory_peak: gauge("memory.peak"),
            memory_events: gauge("memory.events"),
            cpu: gauge("cpu.stat"),
            freezer: gauge("cgroup.freeze"),
            processes: gauge("pids.current"),
            processes_peak: gauge("pids.peak"),
            path,
            has,
        }
    }
}

impl Bundle for Folder {
    fn bound(&self, bounds: &Bounds) -> io::Result<()> {
        let [memory, pids, cpu] = self.has;
        if memory {
            files::write(&self.path, "memory.max", bounds.memory)?;
            if self.path.join("memory.swap.max").exists() {
                files::write(&self.path, "memory.swap.max", 0)?;
            }
        }
        if pids {
            files::write(&self.path, "pids.max", bounds.processes)?;
        }
        if cpu {
            let period = limits::CPU_PERIOD_MICROS;
            match bounds.cpu_micros {
                Some(micros) => files::write(&self.path, "cpu.max", format!("{micros} {period}"))?,
                None => files::write(&self.path, "cpu.max", format!("max {period}"))?,
            }
        }
        Ok(())
    }

    fn join(&self, pid: Pid) -> io::Result<()> {
        files::write(&self.path, "cgroup.procs", pid.as_raw_pid())
    }

    fn members(&self) -> Vec<Option<Pid>> {
        files::members(&self.path)
    }

    fn counts(&self) -> Counts {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let keyed = |gauge: &Gauge, key| gauge.read(|text| files::value_of(text, key));
        Counts {
            memory: self.memory.number(),
            memory_peak: self.memory_peak.number(),
            at_limit: keyed(&self.memory_events, "max").unwrap_or(0),
            memory_kills: keyed(&self.memory_events, "oom_kill").unwrap_or(0),
            cpu: self.cpu(),
            processes: self.processes.number().map(narrow),
            processes_peak: self.processes_peak.number().map(narrow),
        }
    }

    fn cpu(&self) -> Option<Duration> {
        self.cpu.read(|text| files::value_of(text, "usage_usec")).map(Duration::from_micros)
    }

    fn forget_memory_peak(&self) -> bool {
        // Where there is no peak there is none to forget; kernels before 6.12 cannot.
        self.memory_peak.write("reset").is_ok() || self.memory_peak.number().is_none()
    }

    fn freeze(&self) -> bool {
        self.freezer.write("1").is_ok()
    }

    fn thaw(&self) {
        let _ = self.freezer.write("0");
    }

    fn set_idle(&self, idle: bool) {
        if !self.has[2] {
            return;
        }
        // Kernels before 5.15 have no such file.
        if files::write(&self.path, "cpu.idle", u8::from(idle)).is_err() {
            let _ = files::write(&self.path, "cpu.weight", if idle { 1 } else { 100 });
        }
    }

    fn kill(&self) {
        // Kernels before 5.14 have no such file: there, what stands still cannot outrun the list.
        if files::write(&self.path, "cgroup.kill", 1).is_err() {
            self.freeze();
            files::kill_members(&self.path);
        }
        self.thaw();
    }

    fn remove(&self) -> io::Result<()> {
        files::remove_folder(&self.path)
    }
}
