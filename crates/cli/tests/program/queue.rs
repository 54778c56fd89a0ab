//! Workers on other machines, as processes of the real program over a real queue.

use crate::support::{bot, fails, json, palestra, processes_with, text};
use palestra_testkit::NatsServer;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

/// A worker of the real program.
struct WorkerProcess {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl WorkerProcess {
    fn start(dir: &Path, nats: &NatsServer, name: &str) -> WorkerProcess {
        WorkerProcess::start_with(dir, nats, name, &[])
    }

    fn start_with(dir: &Path, nats: &NatsServer, name: &str, more: &[&str]) -> WorkerProcess {
        let mut child = palestra(dir)
            .args(["worker", &nats.address(), "--name", name, "--places", "1", "--json"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        WorkerProcess { child, lines }
    }

    /// The next thing of this kind that it tells.
    fn told(&mut self, what: &str) -> Value {
        let of_kind = |line: &Value| line["what"] == what;
        let mut told = self.lines.by_ref().map(|line| serde_json::from_str(&line.unwrap()).unwrap());
        told.find(of_kind).unwrap_or_else(|| panic!("it never tells {what}"))
    }

    fn kill(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What counts of a tournament.
fn results(standings: &Value) -> Vec<(Value, Value, Value)> {
    let lines = standings["standings"].as_array().unwrap().iter();
    lines.map(|line| (line["bot"].clone(), line["points"].clone(), line["played"].clone())).collect()
}

#[test]
fn a_tournament_over_the_queue_is_the_same_as_here() {
    let (nats, dir) = (NatsServer::start(), tempfile::tempdir().unwrap());
    let kit = bot("generals/kits/python/generals.py");
    let words =
        ["tournament", "generals", "greedy", "random", &kit, "--seed", "7", "--repeats", "2", "--json"];
    let more = ["--set", "max_turns=80"];
    let here = json(dir.path(), &[&words[..], &more, &["--dir", "here"]].concat());
    let mut workers = ["a", "b"].map(|name| WorkerProcess::start(dir.path(), &nats, name));
    let address = nats.address();
    let elsewhere = ["--parallel", "0", "--queue", &address, "--dir", "elsewhere"];
    let there = json(dir.path(), &[&words[..], &more, &elsewhere].concat());
    assert_eq!(results(&here), results(&there));
    assert_eq!(here["progress"], there["progress"]);
    let digests = |folder: &str| {
        let matches = json(dir.path(), &["tournament", "matches", "--dir", folder, "--json"]);
        let remote = folder == "elsewhere";
        assert!(
            matches
                .as_array()
                .unwrap()
                .iter()
                .all(|line| (line["worker"] == "a" || line["worker"] == "b") == remote)
        );
        let course = |line: &Value| ["number", "seed", "turns", "seats"].map(|key| line[key].clone());
        let mut courses: Vec<_> = matches.as_array().unwrap().iter().map(course).collect();
        // They end in another order, and take another time.
        for [.., seats] in &mut courses {
            for seat in seats.as_array_mut().unwrap() {
                *seat = serde_json::json!([seat["bot"], seat["points"], seat["fault"]]);
            }
        }
        courses.sort_by_key(|[number, ..]| number.as_u64());
        courses
    };
    assert_eq!(digests("here"), digests("elsewhere"));
    assert!(workers.iter_mut().all(|worker| worker.told("played")["game"] == "generals"));
}

#[test]
fn a_tool_that_hangs_while_its_worker_is_killed_is_ended_by_the_next_one() {
    let (nats, dir) = (NatsServer::start(), tempfile::tempdir().unwrap());
    let tools = dir.path().join("tools");
    fs::create_dir(&tools).unwrap();
    let seconds = format!("99{}", std::process::id());
    fs::write(tools.join("ruby"), format!("#!/bin/sh\nexec sleep {seconds}\n")).unwrap();
    fs::set_permissions(tools.join("ruby"), Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let (address, words) = (nats.address(), ["worker", "--name", "pc1", "--quiet"]);
    let mut killed = palestra(dir.path()).args(words).arg(&address).env("PATH", path).spawn().unwrap();
    let command = format!("sleep\0{seconds}");
    while processes_with(&command).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(processes_with(&command).len(), 1, "it must be there to be missed");
    let mut next = WorkerProcess::start(dir.path(), &nats, "pc1");
    next.told("ready");
    assert_eq!(processes_with(&command), [0; 0]);
}

#[test]
fn a_worker_is_stopped_by_ctrl_c_and_the_tournament_goes_on_without_it() {
    let (nats, dir) = (NatsServer::start(), tempfile::tempdir().unwrap());
    let mut worker = WorkerProcess::start(dir.path(), &nats, "pc1");
    assert_eq!(worker.told("ready")["places"], 1);
    let address = nats.address();
    let words = ["tournament", "generals", "hunter", "greedy", "--seed", "7", "--repeats", "100", "--json"];
    let mut server = palestra(dir.path());
    let server = server.args(words).args(["--queue", &address, "--parallel", "1"]).stdout(Stdio::piped());
    let server = server.stderr(Stdio::piped()).spawn().unwrap();
    worker.told("played");
    worker.kill(Signal::INT);
    assert!(worker.told("ended")["played"].as_u64().unwrap() > 0);
    assert!(worker.child.wait().unwrap().success());
    let ended = server.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let report: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(report["progress"]["finished"], report["progress"]["planned"]);
    assert_eq!(report["failures"], serde_json::json!([]));
}

#[test]
fn a_worker_tells_prometheus_what_it_does() {
    let (nats, dir) = (NatsServer::start(), tempfile::tempdir().unwrap());
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = fails(dir.path(), &["worker", &nats.address(), "--metrics", &address], 2);
    assert!(told.contains(&format!("metrics cannot be told at {address}")), "{told}");
    drop(taken);
    let mut worker = WorkerProcess::start_with(dir.path(), &nats, "pc1", &["--metrics", &address]);
    worker.told("ready");
    let asked = format!("http://{address}/metrics");
    // It counts anew a few times a second.
    loop {
        let mut answer = ureq::get(&asked).call().unwrap();
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
        if answer.body_mut().read_to_string().unwrap().contains("palestra_worker_matches_total 0") {
            break;
        }
    }
}

#[test]
fn a_duel_and_a_ladder_use_workers_too() {
    let (nats, dir) = (NatsServer::start(), tempfile::tempdir().unwrap());
    let _worker = WorkerProcess::start(dir.path(), &nats, "pc1");
    let address = nats.address();
    let queue = ["--parallel", "0", "--queue", &address, "--json"];
    let duel = ["duel", "generals", "hunter", "random", "--seed", "3", "--set", "max_turns=200"];
    let report = json(dir.path(), &[&duel[..], &queue].concat());
    assert_eq!(report["verdict"], "better");
    let ladder = ["ladder", "generals", "hunter", "greedy", "random", "--matches", "20", "--seed", "3"];
    let report = json(dir.path(), &[&ladder[..], &queue].concat());
    assert_eq!(report["progress"]["finished"], 20);
}

#[test]
fn what_cannot_be_is_said_in_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let tournament = ["tournament", "generals", "greedy", "random"];
    let cases: [(&[&str], &str); 5] = [
        (&["--parallel", "0"], "say with --queue where workers find the matches"),
        (&["--double-play", "0.1"], "there is no queue"),
        (&["--double-play", "2", "--queue", "nats://localhost"], "write a number from 0 to 1"),
        (&["--queue", "http://u:secret@localhost"], "is no address of a queue"),
        (&["--queue", "nats://u:secret@127.0.0.1:1"], "the queue at nats://u@127.0.0.1:1 cannot be reached"),
    ];
    for (more, said) in cases {
        let told = fails(dir.path(), &[&tournament[..], more].concat(), 2);
        assert!(told.contains(said) && !told.contains("secret"), "{told}");
    }
    let told = fails(dir.path(), &["worker", "nats://127.0.0.1:1"], 2);
    assert!(told.contains("cannot be reached"), "{told}");
    let told = fails(dir.path(), &["worker", "nats://127.0.0.1:1", "--name", "a.b"], 2);
    assert!(told.contains("cannot be called \"a.b\""), "{told}");
    let nats = NatsServer::start();
    let address = nats.address();
    let words = ["tournament", "generals", "greedy", "cat /dev/null", "--parallel", "0", "--queue", &address];
    let told = fails(dir.path(), &words, 4);
    assert!(told.contains("command line") && told.contains("--parallel 1"), "{told}");
}
