//! Groups in folders that only look like the kernel's, and in the kernel's own where this machine lets us.

use super::{Group, Groups, limits, quota};
use crate::Limits;
use rustix::process::Pid;
use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MEBIBYTE: u64 = 1 << 20;

fn some_limits() -> Limits {
    Limits {
        memory_bytes: 64 * MEBIBYTE,
        processes: 16,
        cpu_percent: 50,
        open_files: 64,
        file_bytes: MEBIBYTE,
        scratch_bytes: MEBIBYTE,
    }
}

/// A machine made of plain folders: `proc/self` and whatever is mounted.
struct Machine(TempDir);

impl Machine {
    fn new(mounts: &[(&str, &str, &str)], own: &str) -> Machine {
        let machine = Machine(TempDir::new().expect("a folder"));
        let mut mountinfo = "22 1 0:5 / /proc rw - proc proc rw\n".to_owned();
        for (number, (point, kind, options)) in mounts.iter().enumerate() {
            let point = machine.make(point);
            let point = point.display().to_string().replace(' ', "\\040");
            mountinfo += &format!(
                "{number} 22 0:{number} / {point} rw,relatime shared:1 - {kind} none rw,{options}\n"
            );
        }
        machine.make("proc/self");
        machine.write("proc/self/mountinfo", &mountinfo);
        machine.write("proc/self/cgroup", own);
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn make(&self, path: &str) -> PathBuf {
        fs::create_dir_all(self.path(path)).expect("a folder");
        self.path(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).expect("a file");
    }

    fn open(&self) -> Groups {
        Groups::open_at(&self.path("proc/self"))
    }

    /// The names of all groups of processes.
    fn groups(&self) -> Vec<String> {
        let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut names: Vec<_> = entries(&self.path("cg/pids")).iter().map(name).collect();
        names.sort();
        names
    }

    /// The only group below a folder.
    fn group_in(&self, base: &str) -> PathBuf {
        let mut folders: Vec<_> =
            entries(&self.path(base)).into_iter().filter(|path| path.is_dir()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders.remove(0)
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn without_any_groups_nothing_is_limited_and_that_is_said() {
    let machine = Machine::new(&[], "0::/\n");
    let groups = machine.open();
    assert_eq!(groups.kind(), "none");
    let controls = groups.describe();
    assert_eq!(controls.len(), 5);
    assert!(controls.iter().all(|control| !control.given && control.how.contains("let root mount it")));
    let mut group = groups.take(&some_limits()).expect("a group that does nothing");
    group.add(rustix::process::getpid()).expect("nothing to do");
    group.renew(&some_limits()).expect("nothing to do");
    assert!(!group.freeze());
    assert_eq!(group.usage(), super::GroupUsage::default());
}

#[test]
fn version_1_takes_each_controller_where_it_is() {
    let machine = Machine::new(
        &[
            ("cg/memory of all", "cgroup", "memory"),
            ("cg/cpu", "cgroup", "cpu,cpuacct"),
            ("cg/uni", "cgroup2", ""),
        ],
        "4:memory:/own/part\n3:pids:/\n2:cpu,cpuacct:/\n1:freezer:/../elsewhere\n0::/\n",
    );
    machine.make("cg/memory of all/own/part");
    let groups = machine.open();
    assert_eq!(groups.kind(), "cgroup v1");
    let given: Vec<_> = groups.describe().into_iter().map(|control| (control.name, control.given)).collect();
    assert_eq!(
        given,
        [
            ("memory", true),
            ("processes", false),
            ("processor share", true),
            ("processor time", true),
            ("freezing", false)
        ]
    );
    let group = groups.take(&some_limits()).expect("a group");
    let memory = machine.group_in("cg/memory of all/own/part");
    assert_eq!(text(&memory, "memory.limit_in_bytes"), (64 * MEBIBYTE).to_string());
    let cpu = machine.group_in("cg/cpu");
    assert!(!cpu.join("cpu.cfs_quota_us").exists(), "a kernel without quotas is not asked for one");
    group.add(Pid::from_raw(77).expect("a number")).expect("written");
    assert_eq!(text(&memory, "cgroup.procs"), "77");
    assert_eq!(text(&cpu, "cgroup.procs"), "77");
    // It must not be killed by anybody.
    fs::write(memory.join("cgroup.procs"), "").expect("written");
    fs::write(cpu.join("cgroup.procs"), "").expect("written");
}

#[test]
fn version_2_is_preferred_where_it_was_delegated() {
    let machine = Machine::new(
        &[("cg/memory", "cgroup", "memory"), ("cg/uni", "cgroup2", "nsdelegate")],
        "4:memory:/\n0::/user/palestra.scope\n",
    );
    let own = machine.make("cg/uni/user/palestra.scope");
    machine.write("cg/uni/user/palestra.scope/cgroup.controllers", "cpu memory pids\n");
    machine.write("cg/uni/user/palestra.scope/cgroup.subtree_control", "memory pids\n");
    let groups = machine.open();
    assert_eq!(groups.kind(), "cgroup v2");
    assert!(groups.describe().iter().all(|control| control.given));
    assert_eq!(text(&own, "cgroup.subtree_control"), "memory pids\n", "nobody needs a share yet");

    let mut group = groups.take(&some_limits()).expect("a group");
    let folder = machine.group_in("cg/uni/user/palestra.scope");
    assert_eq!(text(&folder, "memory.max"), (64 * MEBIBYTE).to_string());
    assert_eq!(text(&folder, "pids.max"), "16");
    assert_eq!(text(&own, "cgroup.subtree_control"), "+cpu");
    assert_eq!(text(&folder, "cpu.max"), "50000 100000");
    // The plain file forgets what was in it, the kernel's does not.
    machine.write("cg/uni/user/palestra.scope/cgroup.subtree_control", "cpu memory pids\n");

    // What earlier programs have used is taken off; a cell that waits is no part of a program.
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).expect("written");
    write("memory.current", "1000\n");
    write("memory.events", "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n");
    write("cpu.stat", "usage_usec 5000\nuser_usec 4000\n");
    write("pids.current", "2\n");
    write("pids.peak", "3\n");
    group.renew(&some_limits()).expect("limits");
    assert_eq!(text(&folder, "pids.max"), "18");
    write("memory.peak", "9000\n");
    write("cpu.stat", "usage_usec 7500\nuser_usec 4000\n");
    write("pids.peak", "6\n");
    let usage = group.usage();
    assert_eq!(usage.memory_peak, Some(8000));
    assert_eq!(usage.cpu, Some(Duration::from_micros(2500)));
    assert_eq!(usage.processes_peak, Some(4));
    assert!(!usage.over_memory);
    write("memory.events", "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 0\n");
    assert!(!group.usage().over_memory, "killed, but not at its own limit");
    write("memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 2\noom_group_kill 0\n");
    assert!(group.usage().over_memory);
}

#[test]
fn a_controller_that_was_not_delegated_is_named() {
    let machine = Machine::new(&[("uni", "cgroup2", "")], "0::/\n");
    machine.write("uni/cgroup.controllers", "memory pids\n");
    machine.write("uni/cgroup.subtree_control", "memory pids\n");
    let groups = machine.open();
    let missing: Vec<_> = groups.describe().into_iter().filter(|control| !control.given).collect();
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].name, "processor share");
    assert!(missing[0].how.contains("Delegate=yes"), "{}", missing[0].how);
}

#[test]
fn what_dead_processes_left_is_removed() {
    let machine = Machine::new(&[("cg/pids", "cgroup", "pids")], "1:pids:/\n");
    machine.make("proc/41");
    for folder in ["palestra-41-0.0-", "palestra-42-0.0-", "palestra-42-1.1-777", "palestra-x-0.1-", "others"]
    {
        machine.make(&format!("cg/pids/{folder}"));
    }
    let _groups = machine.open();
    assert_eq!(machine.groups(), ["others", "palestra-41-0.0-", "palestra-42-1.1-777", "palestra-x-0.1-"]);
}

#[test]
fn who_closes_its_groups_leaves_none_and_makes_none() {
    let machine = Machine::new(&[("cg/pids", "cgroup", "pids")], "1:pids:/\n");
    let groups = machine.open();
    let others = machine.open();
    let names = [&groups, &groups, &others].map(|groups| groups.0.owner.name());
    for name in &names {
        machine.make(&format!("cg/pids/{name}"));
    }
    assert_eq!(machine.groups().len(), names.len());
    groups.close();
    assert_eq!(machine.groups(), names[2..]);
    assert!(groups.take(&some_limits()).is_err());
    assert_eq!(machine.groups(), names[2..]);
}

#[test]
fn a_share_of_all_processors_is_no_limit() {
    assert_eq!(quota(50, 2), Some(50_000));
    assert_eq!(quota(100, 2), Some(limits::CPU_PERIOD_MICROS));
    assert_eq!(quota(200, 2), None);
    assert_eq!(quota(100, 1), None);
    assert_eq!(quota(0, 4), Some(1000));
}

/// This machine's groups, if all of these can be had.
fn real(needed: &[&str]) -> Option<Groups> {
    let groups = Groups::open();
    for control in groups.describe() {
        if needed.contains(&control.name) && !control.given {
            skip(&control.how);
            return None;
        }
    }
    Some(groups)
}

#[expect(clippy::print_stderr, reason = "a test that does not run says so")]
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// A shell that waits for a line and then does what it says.
struct Shell(Child);

impl Shell {
    fn new(group: &Group) -> Shell {
        let mut command = Command::new("sh");
        command.args(["-c", "while read -r line; do eval \"$line\"; echo done; done"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.expect("a shell");
        group.add(Pid::from_child(&child)).expect("joined");
        Shell(child)
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.0.stdin.as_mut().expect("a pipe"), "{line}").expect("it reads");
    }

    /// Has it done, and waits until it was.
    fn run(&mut self, line: &str) {
        use std::io::Read as _;
        self.tell(line);
        let mut answer = [0; 5];
        self.0.stdout.as_mut().expect("a pipe").read_exact(&mut answer).expect("it answers");
    }
}

fn wait_for(what: &str, mut happened: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what} does not happen");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn too_much_memory_is_told_from_a_crash() {
    let Some(groups) = real(&["memory"]) else { return };
    let group = groups.take(&some_limits()).expect("a group");
    let mut crashed = Shell::new(&group);
    crashed.tell("kill -KILL $$");
    crashed.0.wait().expect("it ends");
    assert!(!group.usage().over_memory);
    drop(group);

    let group = groups.take(&some_limits()).expect("a group");
    let mut greedy = Shell::new(&group);
    greedy.tell("exec tail /dev/zero");
    assert_eq!(greedy.0.wait().expect("it ends").signal(), Some(9));
    let usage = group.usage();
    assert!(usage.over_memory);
    let peak = usage.memory_peak.expect("a peak");
    assert!((32 * MEBIBYTE..=64 * MEBIBYTE).contains(&peak), "{peak}");
    drop(group);

    let group = groups.take(&some_limits()).expect("a group");
    let mut modest = Shell::new(&group);
    modest.run("true");
    let usage = group.usage();
    assert!(!usage.over_memory);
    assert!(usage.memory_peak.expect("a peak") < 16 * MEBIBYTE, "{usage:?}");
    drop(group);
    modest.0.wait().expect("killed");
}

#[test]
fn processes_are_limited_and_counted_anew_for_each_program() {
    let Some(groups) = real(&["processes"]) else { return };
    let mut limits = some_limits();
    let mut group = groups.take(&limits).expect("a group");
    let mut cell = Shell::new(&group);
    for (line, peak) in [("sleep 0.2 & sleep 0.2 & sleep 0.2 & wait", 3), ("sleep 0", 1), ("sleep 0", 1)] {
        group.renew(&limits).expect("anew");
        cell.run(line);
        let usage = group.usage();
        assert!(
            usage.processes_peak.is_none_or(|found| (peak..=peak + 1).contains(&found)),
            "{line}: {usage:?}"
        );
    }
    limits.processes = 2;
    group.renew(&limits).expect("anew");
    cell.tell("for i in 1 2 3 4 5 6 7 8; do sleep 9 & done; wait");
    cell.0.wait().expect("a shell that cannot fork ends");
    assert!(group.usage().processes_peak.is_none_or(|peak| peak <= 2), "{:?}", group.usage());
}

#[test]
fn a_share_of_the_processor_can_be_given_and_taken() {
    let Some(groups) = real(&["processor share", "processor time"]) else { return };
    let mut limits = some_limits();
    let mut group = groups.take(&limits).expect("a group");
    let mut cell = Shell::new(&group);
    for percent in [u32::MAX, 20, 50, u32::MAX] {
        limits.cpu_percent = percent;
        group.renew(&limits).expect("anew");
        cell.run("i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done");
        assert!(group.usage().cpu.expect("processor time") > Duration::ZERO);
        assert_eq!(group.made.as_ref().expect("a group").with_share, percent != u32::MAX);
    }
    drop(group);
    cell.0.wait().expect("killed");
}

#[test]
fn what_a_dead_process_left_frozen_is_ended() {
    let Some(groups) = real(&["processes", "freezing"]) else { return };
    let group = groups.take(&some_limits()).expect("a group");
    let tree = groups.0.tree.as_ref().expect("groups");
    let mut owner = Command::new("sleep").arg("999").spawn().expect("a process");
    let name = format!("palestra-{}-0.0-{}", owner.id(), groups.0.owner.namespace());
    let left = tree.make(&name, false).expect("a group");
    let mut shell = Shell::new(&group);
    shell.run("true");
    left.join(Pid::from_child(&shell.0)).expect("joined");
    assert!(left.freeze());
    owner.kill().expect("killed");
    owner.wait().expect("it ends");
    drop(Groups::open());
    assert_eq!(shell.0.wait().expect("killed").signal(), Some(9));
    for base in tree.bases() {
        assert!(!base.join(&name).exists(), "{}", base.display());
    }
}

#[test]
fn nothing_survives_a_group_even_frozen() {
    let Some(groups) = real(&["processes", "freezing"]) else { return };
    let group = groups.take(&some_limits()).expect("a group");
    let mut shell = Shell::new(&group);
    shell.run("setsid sleep 999 & setsid sleep 999 &");
    assert!(group.freeze());
    let members = group.made.as_ref().expect("a group").bundle.members();
    assert!(members.len() >= 2, "{members:?}");
    drop(group);
    shell.0.wait().expect("killed");
    for pid in members.into_iter().flatten() {
        wait_for("the end", || rustix::process::test_kill_process(pid).is_err() || is_zombie(pid));
    }
    groups.take(&some_limits()).expect("no group was given up");
}

fn is_zombie(pid: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tZ"))
}

#[test]
fn what_is_frozen_uses_no_processor_time() {
    let Some(groups) = real(&["processor time", "freezing"]) else { return };
    let group = groups.take(&some_limits()).expect("a group");
    let mut shell = Shell::new(&group);
    shell.tell("while :; do :; done");
    let used = || group.usage().cpu.expect("processor time");
    wait_for("work", || used() > Duration::from_millis(5));
    assert!(group.freeze());
    wait_for("standing still", || {
        let before = used();
        thread::sleep(Duration::from_millis(50));
        used() == before
    });
    let before = used();
    group.thaw();
    wait_for("work again", || used() > before);
    group.kill();
    shell.0.wait().expect("killed");
}

#[test]
fn version_2_without_controllers_still_freezes_kills_and_counts_time() {
    let machine = Machine::new(&[], "");
    let real = |file: &str| fs::read_to_string(format!("/proc/self/{file}")).expect("about this process");
    let only: String = real("mountinfo").lines().filter(|line| line.contains(" - cgroup2 ")).collect();
    machine.write("proc/self/mountinfo", &only);
    machine.write("proc/self/cgroup", &real("cgroup"));
    // Groups with this name belong to this test alone: no other process is swept away, and none sweeps ours.
    machine.make("proc/self/ns");
    std::os::unix::fs::symlink(std::process::id().to_string(), machine.path("proc/self/ns/pid"))
        .expect("a link");
    let groups = machine.open();
    if groups.kind() == "none" {
        return skip(&groups.describe()[0].how);
    }
    let group = groups.take(&some_limits()).expect("a group");
    let mut shell = Shell::new(&group);
    shell.tell("while :; do :; done");
    wait_for("work", || group.usage().cpu.expect("processor time") > Duration::from_millis(5));
    assert!(group.freeze());
    drop(group);
    assert_eq!(shell.0.wait().expect("killed").signal(), Some(9));
    let again = groups.take(&some_limits()).expect("a group");
    let mut shell = Shell::new(&again);
    shell.run("true");
    again.kill();
    assert_eq!(shell.0.wait().expect("killed").signal(), Some(9));
}

#[test]
fn groups_are_used_again_and_removed_in_the_end() {
    let Some(groups) = real(&["processes"]) else { return };
    let name = |group: &Group| format!("{:?}", group.made.as_ref().expect("a group").bundle);
    let first = groups.take(&some_limits()).expect("a group");
    let folders = name(&first);
    drop(first);
    let second = groups.take(&some_limits()).expect("a group");
    assert_eq!(name(&second), folders);
    drop(second);
    let bases: Vec<PathBuf> =
        groups.0.tree.as_ref().expect("groups").bases().into_iter().map(Path::to_owned).collect();
    drop(groups);
    for base in bases {
        let left: Vec<_> =
            entries(&base).into_iter().filter(|path| folders.contains(&*path.to_string_lossy())).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
