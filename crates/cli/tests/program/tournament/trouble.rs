//! What goes wrong while a tournament is played: that match fails with a reason, and the rest goes on.

use super::{finished, fresh_folder, good, log, report, vanishing_bot, with_code};
use palestra_league::event::{Event, Finished};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command};

fn vanishes(dir: &Path, name: &str) {
    // Twice it is tried out before the first match.
    fs::write(dir.join(name), vanishing_bot(3)).unwrap();
    fs::set_permissions(dir.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    let cup = format!(
        "game = \"auralux\"\nseed = 3\n[settings]\nmax_steps = 6\n[bots]\nvanishes = \"{name}\"\none = \"afk\"\n\
         two = \"aggressive_expansion_nearest\"\n"
    );
    fs::write(dir.join("cup.toml"), cup).unwrap();
    // One after the other, so that it is known which one is the first.
    let arguments = ["tournament", "cup.toml", "--sandbox", "off", "--parallel", "1", "-q"];
    let (_, said) = with_code(dir, &arguments, 1);
    assert!(said.contains("was not played: "), "{said}");
    let folder = dir.join("cup");
    let end = report(&folder);
    // The first of its four matches was played, and the two of the others.
    assert_eq!((&end["over"], &end["progress"]["failed"]), (&true.into(), &3.into()), "{end:#}");
    assert_eq!(end["failures"].as_array().unwrap().len(), 3);
    assert!(end["faults"].as_array().unwrap().is_empty(), "nobody is punished: {end:#}");
    fs::rename(dir.join(format!("{name}.away")), dir.join(name)).unwrap();
    good(dir, &["tournament", "rerun", "--failed"]);
    good(dir, &arguments);
    assert_eq!(report(&folder)["progress"]["failed"], 0);
    assert_eq!(finished(&folder).len(), 6);
}

#[test]
fn a_program_that_vanishes_is_told_and_can_come_back() {
    // Programs cannot be started from every folder in memory.
    vanishes(tempfile::tempdir().unwrap().path(), "vanishes");
}

#[test]
fn a_script_that_vanishes_is_told_and_can_come_back() {
    vanishes(fresh_folder().path(), "vanishes.py");
}

/// Answers when it is tried out, and does this when it is asked for the second time.
fn second_time(what: &str) -> String {
    format!(
        "import os, time\nfor ask in range(2):\n    os.read(0, 65536)\n    while ask == 1:\n        {what}\n    \
         os.write(1, b'0\\n')\n"
    )
}

/// Programs that do nothing but compute; ended with this.
pub(crate) struct BusyLoops(Vec<Child>);

impl BusyLoops {
    pub(crate) fn start(count: usize) -> BusyLoops {
        let start = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        BusyLoops((0..count).map(start).collect())
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Binds this thread, and what it starts, to one of its cores.
pub(crate) fn keep_to_one_core() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None).unwrap();
    let core = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)).unwrap();
    let mut one = CpuSet::new();
    one.set(core);
    sched_setaffinity(None, &one).unwrap();
}

#[test]
fn a_bot_without_the_processor_is_excused_for_a_while_and_one_that_sleeps_is_not() {
    // Each test has a thread of its own.
    keep_to_one_core();
    let dir = fresh_folder();
    fs::write(dir.path().join("sleeps.py"), second_time("time.sleep(60)")).unwrap();
    fs::write(dir.path().join("works.py"), second_time("pass")).unwrap();
    let cup = "game = \"auralux\"\nseed = 3\ntime = \"1s\"\nretries = 2\n[settings]\nmax_steps = 6\n[bots]\n\
               sleeps = \"sleeps.py\"\nworks = \"works.py\"\none = \"afk\"\n[[stage]]\nformat = \"gauntlet\"\n\
               heroes = [\"one\"]\nseatings = \"drawn\"\n";
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    let busy = BusyLoops::start(6);
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    drop(busy);
    let folder = dir.path().join("cup");
    let again = log(&folder).into_iter().filter_map(|event| match event {
        Event::Tainted(finished) => Some(finished),
        _ => None,
    });
    let (sleeper, worker): (Vec<Finished>, Vec<Finished>) = again.partition(sleeps);
    assert_eq!((sleeper.len(), worker.len()), (0, 2), "as often as the plan says: {sleeper:?} {worker:?}");
    let counted = finished(&folder);
    assert_eq!(counted.len(), 2);
    for finished in &counted {
        assert_eq!(finished.tainted, !sleeps(finished), "{finished:?}");
        assert_eq!(finished.faults[0].kind, "out_of_time", "{finished:?}");
    }
    assert_eq!(report(&folder)["progress"]["tainted"], 2);
    super::assert_sound(dir.path(), &folder);
}

/// Whether the one that sleeps was in a match.
fn sleeps(finished: &Finished) -> bool {
    finished.players.iter().any(|player| player.0 == 0)
}

/// A disk with hardly any room; unmounted when it goes.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    /// `None` where this process may not mount.
    fn mount(path: &Path) -> Option<SmallDisk<'_>> {
        fs::create_dir(path).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=400k", "none"]).arg(path).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(SmallDisk(path))
    }

    fn grow(&self) {
        let done = Command::new("mount").args(["-o", "remount,size=50m"]).arg(self.0).status();
        assert!(done.unwrap().success());
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_it_goes_on_when_there_is_room() {
    let dir = fresh_folder();
    let path = dir.path().join("disk");
    // Only root may mount; everybody else does without this test.
    let Some(disk) = SmallDisk::mount(&path) else { return };
    let cup = "game = \"generals\"\nseed = 1\n[settings]\nmap_rows = 8\nmap_columns = 8\nmax_turns = 60\n\
               [bots]\na = \"hunter\"\nb = \"greedy\"\n[[stage]]\nrepeats = 300\n";
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    let arguments = ["tournament", "cup.toml", "--dir", "disk/cup", "-q"];
    let (_, said) = with_code(dir.path(), &arguments, 3);
    assert!(said.contains("No space left on device") || said.contains("disk is full"), "{said}");
    disk.grow();
    // What could not be kept may be in the log as such.
    good(dir.path(), &["tournament", "rerun", "--failed", "--dir", "disk/cup"]);
    good(dir.path(), &arguments);
    let folder = path.join("cup");
    assert_eq!(report(&folder)["progress"]["finished"], 600);
    super::assert_sound(dir.path(), &folder);
    good(dir.path(), &["tournament", "cup.toml", "--dir", "elsewhere", "-q"]);
    assert_eq!(report(&folder)["standings"], report(&dir.path().join("elsewhere"))["standings"]);
}
