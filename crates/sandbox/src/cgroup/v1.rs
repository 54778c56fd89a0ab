//! Groups of version 1: every controller has a hierarchy of its own, and any of them may be missing.

use super::files::{self, Gauge};
use super::places::Places;
use super::{Bounds, Bundle, Control, Counts, Tree, limits};
use rustix::process::Pid;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MEMORY: usize = 0;
const PIDS: usize = 1;
const CPU: usize = 2;
const CPUACCT: usize = 3;
const FREEZER: usize = 4;
/// The controllers that are used, and what each is good for.
const CONTROLLERS: [(&str, &str); 5] = [
    ("memory", "memory"),
    ("pids", "processes"),
    ("cpu", "processor share"),
    ("cpuacct", "processor time"),
    ("freezer", "freezing"),
];

/// For each controller our own group in its hierarchy, or why there can be none below it.
#[derive(Debug)]
pub(super) struct Hierarchies([Result<PathBuf, String>; CONTROLLERS.len()]);

impl Hierarchies {
    /// Tries each controller by making a group and removing it again.
    pub(super) fn open(places: &Places, trial: &str) -> Hierarchies {
        Hierarchies(CONTROLLERS.map(|(controller, _)| {
            let own = places.version1(controller).ok_or_else(|| {
                format!("the controller `{controller}` is not mounted; let root mount it, or use cgroup v2")
            })?;
            files::make_folder(&own.join(trial))
                .and_then(|()| files::remove_folder(&own.join(trial)))
                .map_err(|error| {
                    format!("{error}; run as root, or let root give {} to this user", own.display())
                })?;
            Ok(own)
        }))
    }

    /// Whether any controller can be used.
    pub(super) fn is_any(&self) -> bool {
        self.0.iter().any(Result::is_ok)
    }
}

impl Tree for Hierarchies {
    fn kind(&self) -> &'static str {
        "cgroup v1"
    }

    fn bases(&self) -> Vec<&Path> {
        distinct(self.0.iter().flatten())
    }

    fn controls(&self) -> Vec<Control> {
        let control =
            |(own, (controller, name)): (&Result<PathBuf, String>, &(&str, &'static str))| Control {
                name,
                given: own.is_ok(),
                how: match own {
                    Ok(own) => format!("cgroup v1 `{controller}` in {}", own.display()),
                    Err(why) => why.clone(),
                },
            };
        self.0.iter().zip(&CONTROLLERS).map(control).collect()
    }

    fn make(&self, name: &str, with_share: bool) -> io::Result<Box<dyn Bundle>> {
        let mut paths = self.0.each_ref().map(|own| own.as_ref().ok().map(|own| own.join(name)));
        // Where both are mounted together, processor time cannot be counted without being in the other.
        let apart = self.0[CPU] != self.0[CPUACCT];
        let outside = self.0[CPU].clone().ok().filter(|_| apart && !with_share);
        if outside.is_some() {
            paths[CPU] = None;
        }
        let made = Folders::new(paths, outside);
        for folder in made.distinct() {
            if let Err(error) = files::make_folder(folder) {
                let _ = made.remove();
                return Err(error);
            }
        }
        Ok(Box::new(made))
    }
}

/// One group: a folder for each controller; controllers that are mounted together share one.
#[derive(Debug)]
struct Folders {
    paths: [Option<PathBuf>; CONTROLLERS.len()],
    /// Where processes without a share of the processor belong: our own group.
    outside: Option<PathBuf>,
    memory: Option<Gauge>,
    memory_peak: Option<Gauge>,
    memory_kills: Option<Gauge>,
    cpu: Option<Gauge>,
    freezer: Option<Gauge>,
    processes: Option<Gauge>,
    processes_peak: Option<Gauge>,
}

impl Folders {
    fn new(paths: [Option<PathBuf>; CONTROLLERS.len()], outside: Option<PathBuf>) -> Folders {
        let gauge = |controller: usize, file| paths[controller].as_ref().map(|path| Gauge::new(path, file));
        Folders {
            memory: gauge(MEMORY, "memory.usage_in_bytes"),
            memory_peak: gauge(MEMORY, "memory.max_usage_in_bytes"),
            memory_kills: gauge(MEMORY, "memory.oom_control"),
            cpu: gauge(CPUACCT, "cpuacct.usage"),
            freezer: gauge(FREEZER, "freezer.state"),
            processes: gauge(PIDS, "pids.current"),
            processes_peak: gauge(PIDS, "pids.peak"),
            paths,
            outside,
        }
    }

    fn of(&self, controller: usize) -> Option<&Path> {
        self.paths[controller].as_deref()
    }

    fn distinct(&self) -> Vec<&Path> {
        distinct(self.paths.iter().flatten())
    }
}

impl Bundle for Folders {
    fn bound(&self, bounds: &Bounds) -> io::Result<()> {
        if let Some(folder) = self.of(MEMORY) {
            // Memory and swap together may never be less than memory alone, whichever way the limit moves.
            let swap = folder.join("memory.memsw.limit_in_bytes").exists();
            if swap {
                files::write(folder, "memory.memsw.limit_in_bytes", -1)?;
            }
            files::write(folder, "memory.limit_in_bytes", bounds.memory)?;
            if swap {
                files::write(folder, "memory.memsw.limit_in_bytes", bounds.memory)?;
            }
        }
        if let Some(folder) = self.of(PIDS) {
            files::write(folder, "pids.max", bounds.processes)?;
        }
        if let Some(folder) = self.of(CPU).filter(|folder| folder.join("cpu.cfs_quota_us").exists()) {
            files::write(folder, "cpu.cfs_period_us", limits::CPU_PERIOD_MICROS)?;
            match bounds.cpu_micros {
                Some(micros) => files::write(folder, "cpu.cfs_quota_us", micros)?,
                None => files::write(folder, "cpu.cfs_quota_us", -1)?,
            }
        }
        Ok(())
    }

    fn join(&self, pid: Pid) -> io::Result<()> {
        if let Some(folder) = &self.outside {
            // It is there already unless it comes from a group with a share; there it is missed if this fails.
            let _ = files::write(folder, "cgroup.procs", pid.as_raw_pid());
        }
        self.distinct().iter().try_for_each(|folder| files::write(folder, "cgroup.procs", pid.as_raw_pid()))
    }

    fn members(&self) -> Vec<Option<Pid>> {
        self.distinct()
            .into_iter()
            .map(files::members)
            .find(|members| !members.is_empty())
            .unwrap_or_default()
    }

    fn counts(&self) -> Counts {
        let number = |gauge: &Option<Gauge>| gauge.as_ref()?.number();
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let kills = |gauge: &Gauge| gauge.read(|text| files::value_of(text, "oom_kill"));
        Counts {
            memory: number(&self.memory),
            memory_peak: number(&self.memory_peak),
            // There is a count, but newer kernels leave it at nought.
            at_limit: 0,
            memory_kills: self.memory_kills.as_ref().and_then(kills).unwrap_or(0),
            cpu: self.cpu(),
            processes: number(&self.processes).map(narrow),
            processes_peak: number(&self.processes_peak).map(narrow),
        }
    }

    fn cpu(&self) -> Option<Duration> {
        self.cpu.as_ref()?.number().map(Duration::from_nanos)
    }

    fn forget_memory_peak(&self) -> bool {
        self.memory_peak.as_ref().is_none_or(|peak| peak.write("0").is_ok())
    }

    fn freeze(&self) -> bool {
        self.freezer.as_ref().is_some_and(|freezer| freezer.write("FROZEN").is_ok())
    }

    fn thaw(&self) {
        if let Some(freezer) = &self.freezer {
            let _ = freezer.write("THAWED");
        }
    }

    fn set_idle(&self, idle: bool) {
        let Some(folder) = self.of(CPU) else {
            return;
        };
        // Kernels before 5.15 have no such file.
        if files::write(folder, "cpu.idle", u8::from(idle)).is_err() {
            let _ = files::write(folder, "cpu.shares", if idle { 2 } else { 1024 });
        }
    }

    fn kill(&self) {
        // What stands still cannot outrun the list; the signal arrives when it goes on.
        self.freeze();
        for folder in self.distinct() {
            files::kill_members(folder);
        }
        self.thaw();
    }

    fn remove(&self) -> io::Result<()> {
        self.distinct().into_iter().map(files::remove_folder).fold(Ok(()), Result::and)
    }
}

fn distinct<'a>(folders: impl Iterator<Item = &'a PathBuf>) -> Vec<&'a Path> {
    let mut found: Vec<&Path> = Vec::with_capacity(CONTROLLERS.len());
    for folder in folders {
        if !found.contains(&folder.as_path()) {
            found.push(folder);
        }
    }
    found
}
