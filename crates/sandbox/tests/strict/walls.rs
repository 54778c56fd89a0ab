//! What programs cannot see and do.

use crate::Test;
use crate::support::{bot, folder, run, shell, start_in, way_in_scratch};
use palestra_sandbox::{Exit, Sandbox};
use std::fs;
use std::os::unix::fs::MetadataExt as _;

pub(crate) const TESTS: &[Test] = &[
    ("there_is_no_network", there_is_no_network),
    ("other_folders_are_not_there", other_folders_are_not_there),
    ("other_processes_are_not_there", other_processes_are_not_there),
    ("nothing_can_be_changed_but_scratch", nothing_can_be_changed_but_scratch),
    ("what_is_private_is_not_shown", what_is_private_is_not_shown),
    ("writable_folders_can_be_changed", writable_folders_can_be_changed),
    ("the_environment_is_clean", the_environment_is_clean),
    ("no_file_is_inherited", no_file_is_inherited),
    ("there_are_no_rights", there_are_no_rights),
    ("dangerous_calls_are_refused", dangerous_calls_are_refused),
];

fn there_is_no_network() {
    let script = "for f in /proc/self/net/dev; do tail -n +3 $f; done";
    let output = run(&shell(script)).output;
    let names: Vec<&str> = output.lines().filter_map(|line| line.split(':').next()).map(str::trim).collect();
    assert_eq!(names, ["lo"], "{output}");
}

fn other_folders_are_not_there() {
    let script = "for d in /root /home /var /work /mnt /opt /srv /sys /boot /run /etc/shadow /etc/ssh /proc/sys \
                  /proc/kcore /proc/1; do if [ -e $d ]; then echo $d; fi; done; cat /etc/passwd; ls -A /tmp";
    let expected = format!("bot:x:1000:1000::/tmp:/bin/sh\n{}", way_in_scratch());
    assert_eq!(run(&shell(script)).output, expected);
}

fn other_processes_are_not_there() {
    let output = run(&shell("cd /proc; for p in [0-9]*; do cat $p/comm; done")).output;
    assert!(output.lines().all(|comm| comm == "sh" || comm == "cat"), "{output}");
    assert!(!output.is_empty());
}

fn nothing_can_be_changed_but_scratch() {
    let folder = folder().to_str().unwrap();
    for place in ["/", "/usr", "/usr/bin", "/etc", "/dev", "/proc", folder] {
        let outcome = run(&shell(&format!("echo > {place}/new")));
        assert_ne!(outcome.exit, Exit::Code(0), "{place}");
    }
    assert_ne!(run(&shell(&format!("mv {folder} /tmp/moved"))).exit, Exit::Code(0));
    let outcome = run(&shell(&format!("echo > {folder}/bot.c || rm -f {folder}/bot.c")));
    assert_ne!(outcome.exit, Exit::Code(0));
    let outcome = run(&shell("echo scratch > /tmp/new && cat $HOME/new $TMPDIR/new /dev/shm/new"));
    assert_eq!(outcome.output, "scratch\nscratch\nscratch\n");
    assert_eq!(run(&shell("cat /tmp/new 2>&1 >/dev/null | wc -l")).output, "1\n", "the next one finds it");
}

fn what_is_private_is_not_shown() {
    let place = tempfile::tempdir().unwrap();
    let (event, other, link) =
        (place.path().join("home/event"), place.path().join("home/other"), place.path().join("link"));
    fs::create_dir_all(event.join("workshop/bot")).unwrap();
    fs::create_dir(&other).unwrap();
    std::os::unix::fs::symlink(place.path().join("home"), &link).unwrap();
    fs::write(event.join("secret.key"), "swordfish").unwrap();
    let sandbox = Sandbox::strict().unwrap();
    sandbox.keep_private(&[event.clone(), event.join("secret.key")]).unwrap();
    let shows = |path: &std::path::Path| {
        let mut order = shell("true");
        order.readable.push(path.to_owned());
        start_in(&sandbox, &order, b"").map(drop)
    };
    for path in [&event, &event.join("secret.key"), place.path(), &link, &link.join("event")] {
        let error = shows(path).expect_err("it would be shown");
        assert!(error.to_string().contains("is not shown to programs, because"), "{error}");
    }
    for path in [&other, &event.join("workshop/bot")] {
        shows(path).unwrap();
    }
}

fn writable_folders_can_be_changed() {
    let target = tempfile::tempdir().unwrap();
    let file = target.path().join("new");
    let mut order = shell(&format!("echo made > {}", file.display()));
    order.writable.push(target.path().to_owned());
    let outcome = run(&order);
    assert_eq!(outcome.exit, Exit::Code(0), "{}", outcome.output);
    assert_eq!(fs::read_to_string(&file).unwrap(), "made\n");
    let own = rustix::process::geteuid().as_raw();
    let owner = fs::metadata(&file).unwrap().uid();
    assert_eq!(owner, own);
}

fn the_environment_is_clean() {
    let mut order = shell("env");
    order.environment.push(("LANG".into(), "C".into()));
    order.environment.push(("SEAT".into(), "1".into()));
    let output = run(&order).output;
    let mut lines: Vec<&str> = output.lines().filter(|line| !line.starts_with("PWD=")).collect();
    lines.sort_unstable();
    let expected = ["HOME=/tmp", "LANG=C", "PATH=/usr/local/bin:/usr/bin:/bin", "SEAT=1", "TMPDIR=/tmp"];
    assert_eq!(lines, expected);
}

fn no_file_is_inherited() {
    // One that every child of this process would get.
    let open = fs::File::open("/etc/hostname").unwrap();
    rustix::io::fcntl_setfd(&open, rustix::io::FdFlags::empty()).unwrap();
    let mut order = shell("ls /proc/self/fd");
    order.limits.open_files += 1;
    // The fourth is the folder that is listed.
    assert_eq!(run(&order).output, "0\n1\n2\n3\n");
}

fn there_are_no_rights() {
    let output = run(&shell("cat /proc/self/status")).output;
    let field = |name: &str| output.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    for set in ["CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"] {
        assert_eq!(field(set), Some("0000000000000000"), "{set}");
    }
    assert_eq!((field("NoNewPrivs:"), field("Seccomp:")), (Some("1"), Some("2")));
    assert_eq!(field("Uid:"), Some("1000\t1000\t1000\t1000"));
    assert_eq!(run(&shell("ulimit -c; hostname")).output, "0\ncell\n");
}

fn dangerous_calls_are_refused() {
    let output = run(&bot(&["calls"])).output;
    // Signals to the cell's first process are not an error; they have no effect.
    let harmless = ["stop_cell allowed", "kill_cell allowed"];
    let absent = ["clone3 ENOSYS", "io_uring ENOSYS"];
    for line in output.lines().filter(|line| !harmless.contains(line) && !absent.contains(line)) {
        assert!(line.ends_with(" EPERM"), "{line}");
    }
    assert_eq!(output.lines().count(), 29, "{output}");
    assert_eq!(run(&bot(&["exit", "3"])).exit, Exit::Code(3));
}
