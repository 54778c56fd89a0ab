//! `palestra connect` against `palestra serve`: real bots at home, a real arena, one machine.

use crate::arena::stand::until;
use crate::support::{fails, palestra, project, run};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Output, Stdio};

/// An arena that is open as long as this is held.
struct Arena {
    process: Child,
    /// What it says has to have a reader: a closed pipe would end it.
    _said: Lines<BufReader<ChildStdout>>,
    site: String,
    gateway: String,
    passwords: Vec<String>,
}

impl Arena {
    fn open(dir: &Path) -> Arena {
        Arena::with(dir, "")
    }

    /// With more in its plan.
    fn with(dir: &Path, more: &str) -> Arena {
        let plan = "[[game]]\nid = \"rps\"\nsubmissions = false\nsettings = { max_ticks = 60 }\n\
                    [[game]]\nid = \"generals\"\nsubmissions = false\nsettings = { max_turns = 30 }\n";
        let plan = format!("name = \"Test\"\nrest = \"0s\"\n{more}\n{plan}");
        std::fs::write(dir.join("event.toml"), plan).unwrap();
        let added = run(dir, &["event", "players", "add", "event.toml", "anna", "bela"]);
        assert!(added.status.success(), "{added:?}");
        let passwords = String::from_utf8(added.stdout).unwrap();
        let passwords = passwords.lines().map(|line| line.split('\t').nth(1).expect("a password").to_owned());
        let passwords = passwords.collect();
        let addresses = ["--site", "127.0.0.1:0", "--gateway", "127.0.0.1:0"];
        let mut process = palestra(dir)
            .args(["serve", "event.toml"])
            .args(addresses)
            .stdout(Stdio::piped())
            .spawn()
            .expect("palestra runs");
        let mut said = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut lines = said.by_ref().map_while(Result::ok);
        let mut address = |words: &str| {
            let line = lines.find(|line| line.contains(words)).expect("an address");
            line.split([' ', '/']).next_back().expect("an address").to_owned()
        };
        let (site, gateway) = (address("is open: "), address("clients connect to "));
        Arena { process, _said: said, site, gateway, passwords }
    }

    /// The gateway, by the name of its certificate.
    fn localhost(&self) -> String {
        self.gateway.replace("127.0.0.1", "localhost")
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn kit(file: &str) -> String {
    project().join("games").join(file).display().to_string()
}

/// What a run with --json told, as objects.
fn events(stdout: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(stdout.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object in each line")).collect()
}

#[test]
fn bots_at_home_play_at_an_arena() {
    let dir = tempfile::tempdir().unwrap();
    let arena = Arena::open(dir.path());
    let connect = |player: usize, game: &str, opponents: &str, bot: &str| {
        let mut command = palestra(dir.path());
        command
            .args(["connect", &arena.gateway, "--token", &arena.passwords[player], "--game", game])
            .args(["--opponents", opponents, "--matches", "2", "--json", "--", bot])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("palestra runs")
    };
    let clients = [
        connect(0, "rps", "any", &kit("rps/kits/python/rps.py")),
        connect(1, "rps", "1,2", &kit("rps/kits/python/rps.py")),
        connect(0, "generals", "bot", &kit("generals/kits/python/generals.py")),
    ];
    for client in clients {
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let events = events(&output.stdout);
        let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
        assert_eq!((of("connected"), of("begin"), of("over"), of("bot")), (1, 2, 2, 0), "{events:?}");
        assert!(
            events.iter().all(|event| !event["result"].as_str().is_some_and(|words| words.contains(": ")))
        );
    }
    // Nobody was given another match while leaving.
    let ask = |path: &str| -> Value {
        let mut answer = ureq::get(format!("http://{}{path}", arena.site)).call().expect("an answer");
        answer.body_mut().read_json().expect("JSON")
    };
    until("everybody to leave", || ask("/api/live")["online"] == 0 && ask("/api/live")["running"] == 0);
    let page = ask("/api/matches");
    assert_eq!(page["matches"].as_array().map(Vec::len), Some(4), "{page:#}");
}

#[test]
fn a_bot_that_ends_too_early_is_told_to_its_author() {
    let dir = tempfile::tempdir().unwrap();
    let arena = Arena::open(dir.path());
    let bot = "import sys\nsys.stdin.readline()\nsys.exit('I give up')\n";
    std::fs::write(dir.path().join("short.py"), bot).unwrap();
    let token = &arena.passwords[0];
    let host = &arena.gateway;
    let arguments =
        ["connect", host, "--token", token, "--game", "rps", "--opponents", "bot", "--matches", "1"];
    let output = run(dir.path(), &[&arguments[..], &["--", "short.py"]].concat());
    let (told, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert!(told.starts_with("match 1 against bot: lost in "), "{told}");
    assert!(said.contains("the bot exited with code 1") && said.contains("I give up"), "{said}");
}

#[test]
fn what_cannot_be_is_said_in_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let arena = Arena::open(dir.path());
    let (host, bot) = (arena.gateway.as_str(), kit("rps/kits/python/rps.py"));
    let refused = fails(dir.path(), &["connect", host, "--token", "wrong", "--game", "rps", "--", &bot], 3);
    assert!(refused.contains("nobody has this key"), "{refused}");
    let no_bot = ["connect", host, "--token", "wrong", "--game", "rps", "--", "./missing"];
    assert!(fails(dir.path(), &no_bot, 4).contains("there is no bot"), "before anybody is asked for the key");
    let no_game = ["connect", host, "--token", "wrong", "--game", "chess", "--", &bot];
    assert!(fails(dir.path(), &no_game, 2).contains("there is no game"));
    let built_in = ["connect", host, "--token", "wrong", "--game", "rps", "--", "greedy"];
    assert!(fails(dir.path(), &built_in, 2).contains("built-in player"));
    let no_key = ["connect", host, "--game", "rps", "--", &bot];
    assert!(fails(dir.path(), &no_key, 2).contains("--token KEY"));
}

/// A file of a certificate for localhost that nobody trusts unless told to.
fn pem(name: &str) -> String {
    project().join("crates/arena/tests/web/tls").join(name).display().to_string()
}

#[test]
fn through_tls_a_bot_plays_where_it_trusts_the_arena() {
    let dir = tempfile::tempdir().unwrap();
    let tls = format!("tls = {{ certificate = {:?}, key = {:?} }}", pem("certificate.pem"), pem("key.pem"));
    let arena = Arena::with(dir.path(), &tls);
    let bot = kit("rps/kits/python/rps.py");
    let connect = |host: &str, more: &[&str]| {
        let mut command = palestra(dir.path());
        command.env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR");
        command.args(["connect", host, "--token", &arena.passwords[0], "--game", "rps"]);
        command.args(["--opponents", "bot", "--matches", "2"]).args(more).args(["--", &bot]);
        command
    };
    let trusted = |host: &str| {
        let mut command = connect(host, &["--tls"]);
        command.env("SSL_CERT_FILE", pem("certificate.pem")).output().unwrap()
    };
    let said = |output: &Output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
        said
    };
    for output in [trusted(&arena.localhost()), connect(&arena.gateway, &[]).output().unwrap()] {
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(told.matches(" against bot: drawn in 60 ticks\n").count(), 2, "{told}");
    }
    // The organiser's commands need no trust: they are on the same machine.
    let status = run(dir.path(), &["event", "status", "event.toml"]);
    assert!(status.status.success(), "{status:?}");
    let stranger = connect(&arena.localhost(), &["--tls"]).output().unwrap();
    assert!(said(&stranger).contains("this machine trusts"), "{stranger:?}");
    let other_name = trusted(&arena.gateway);
    assert!(said(&other_name).contains("not for 127.0.0.1 but for localhost"), "{other_name:?}");
    let no_file =
        connect(&arena.localhost(), &["--tls"]).env("SSL_CERT_FILE", "missing.pem").output().unwrap();
    assert!(said(&no_file).contains("this machine trusts no certificate"), "{no_file:?}");
    let site = arena.site.replace("127.0.0.1", "localhost");
    for output in [trusted(&site), connect(&site, &[]).output().unwrap()] {
        assert!(said(&output).contains("the port of its site"), "{output:?}");
    }
}

#[test]
fn where_no_tls_is_spoken_that_is_said_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let arena = Arena::open(dir.path());
    let bot = kit("rps/kits/python/rps.py");
    for address in [&arena.gateway, &arena.site] {
        let words = ["connect", address, "--tls", "--token", "key", "--game", "rps", "--", &bot];
        let command = palestra(dir.path()).args(words).env("SSL_CERT_FILE", pem("certificate.pem")).output();
        let output = command.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(3), 1), "{said}");
        assert!(said.contains("127.0.0.1 speaks no TLS there; leave out --tls"), "{said}");
    }
    let site = ["connect", &arena.site, "--token", "key", "--game", "rps", "--", &bot];
    assert!(fails(dir.path(), &site, 3).contains("the port of its site; its gateway is at port 4242"));
}

#[test]
fn what_is_waited_for_and_whether_a_match_counts_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let arena = Arena::open(dir.path());
    let bot = kit("rps/kits/python/rps.py");
    let connect = |player: usize, opponents: &str| {
        let mut command = palestra(dir.path());
        command.args(["connect", &arena.gateway, "--token", &arena.passwords[player], "--game", "rps"]);
        command.args(["--opponents", opponents, "--matches", "1", "--", &bot]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut anna = connect(0, "any");
    let mut said = BufReader::new(anna.stderr.take().unwrap()).lines().map_while(Result::ok);
    let waits = said.find(|line| line.starts_with("waiting")).expect("it says what it waits for");
    assert_eq!(
        waits,
        "waiting for an opponent: nobody else is connected; --opponents any,bot plays the arena's own bot meanwhile"
    );
    let bela = connect(1, "any");
    let begins = said.find(|line| line.contains("begins")).expect("a match");
    assert!(begins.ends_with(" against bela begins; it counts for the rating"), "{begins}");
    said.for_each(drop);
    assert!(anna.wait().unwrap().success() && bela.wait_with_output().unwrap().status.success());
    let alone = connect(0, "bot").wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&alone.stderr);
    assert!(told.contains("against bot begins; it is practice, and counts for nothing\n"), "{told}");
    assert!(!told.contains("--opponents"), "who plays the bot knows of it: {told}");
}
