//! The sample clients: through a scripted server over TCP, and locally through pipes against built-in players.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a server and child processes are not part of the rules; here is where they are tested against"
)]

use palestra_core::{AnyGame, Parsed, PlanRequest, Seat};
use palestra_rps::Rps;
use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

fn kits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kits")
}

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The C++ client, compiled once.
fn cpp() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // A folder for each process: a program that is being written cannot be started.
        let program = folder(&format!("cpp-{}", std::process::id())).join("client");
        compile(&[kits().join("cpp/main.cpp")], &program);
        program
    })
}

/// Compiles a client with the headers of the kit, with every warning an error.
fn compile(sources: &[PathBuf], program: &Path) {
    let built = Command::new("g++")
        .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-I"])
        .arg(kits().join("cpp"))
        .args(sources)
        .arg("-o")
        .arg(program)
        .output()
        .expect("g++ is needed for this test; install it");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// How to start each client, in a folder of its own.
fn clients(test: &str) -> Vec<(Command, PathBuf)> {
    let python = ["python3", "python"].into_iter().find(|name| Command::new(name).arg("-V").output().is_ok());
    let mut script = Command::new(python.expect("Python is needed for this test; install it"));
    script.arg(kits().join("python/rps.py"));
    [("cpp", Command::new(cpp())), ("python", script)]
        .into_iter()
        .map(|(name, mut command)| {
            let folder = folder(&format!("{test}-{name}"));
            command
                .current_dir(&folder)
                .env_remove("PALESTRA_BOT")
                .stdin(Stdio::null())
                .stdout(Stdio::piped());
            (command, folder)
        })
        .collect()
}

/// Ends the client whatever becomes of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One side of a scripted conversation.
struct Peer {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Peer {
    fn accept(listener: &TcpListener) -> Peer {
        listener.set_nonblocking(true).unwrap();
        let begin = Instant::now();
        let writer = loop {
            match listener.accept() {
                Ok((writer, _)) => break writer,
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            assert!(begin.elapsed() < PATIENCE, "nobody connects");
            std::thread::sleep(Duration::from_millis(5));
        };
        writer.set_nonblocking(false).unwrap();
        writer.set_read_timeout(Some(PATIENCE)).unwrap();
        writer.set_nodelay(true).unwrap();
        Peer { reader: BufReader::new(writer.try_clone().unwrap()), writer }
    }

    fn send(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n') && !line.ends_with("\r\n"), "{line:?}");
        line.trim_end().to_owned()
    }

    fn answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line| line != ".") {
            lines.push(self.line());
        }
        lines
    }
}

const FIRST: &str = "tick 1\nversus 3\nsoldiers 0\nbase r N\nbase d N\nprod 10 0 0 0\n.\n";
const PLAYERS: &str = "players 2\n3 12 1540 Rook and Co.\n12 0 1500 Paper Tigers\n.\n";

#[test]
fn clients_log_in_and_play_through_a_server() {
    for (mut command, folder) in clients("server") {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let client = command.args(["--retry", "0", "127.0.0.1", &port]).spawn().unwrap();
        let mut client = Running(client);
        let mut peer = Peer::accept(&listener);

        // Refused once, then let in; the wish for opponents comes with the first ping only.
        assert_eq!(peer.line(), "login password");
        peer.send("fail\n");
        assert_eq!(peer.line(), "login password");
        peer.send(PLAYERS);
        peer.send("ping\n");
        assert_eq!([peer.line(), peer.line()], ["pong", "opponent any bot"]);
        peer.send("ping\r\n");
        assert_eq!(peer.line(), "pong");

        // A match. Packets come in pieces, or two at once.
        let (head, tail) = FIRST.split_at(23);
        peer.send(head);
        std::thread::sleep(Duration::from_millis(30));
        peer.send(tail);
        assert_eq!(peer.answer(), ["prod R", "."]);
        let unit = "tick 3\nversus 3\nsoldiers 1\n1 A R 5 19\nbase r A\nbase d A\nprod 11 0 0 0\n.\n";
        let last =
            "tick 4\nversus 3\nsoldiers 1\n1 A R 6 19\nbase r A\nbase d A\nprod 11 0 0 0\nfinished draw\n.\n";
        peer.send(&format!("{unit}{last}"));
        let moved = peer.answer();
        assert!(moved.contains(&"1 right".to_owned()), "{moved:?}");
        assert_eq!(peer.answer(), ["."], "the last packet is answered, too");

        // The list may come again between matches; then the next match begins.
        peer.send(PLAYERS);
        peer.send(FIRST);
        assert_eq!(peer.answer(), ["prod R", "."]);

        // A lost connection is made again.
        drop(peer);
        let mut peer = Peer::accept(&listener);
        assert_eq!(peer.line(), "login password");
        peer.send("ping\n");
        assert_eq!([peer.line(), peer.line()], ["pong", "opponent any bot"]);
        client.0.kill().unwrap();

        let log = std::fs::read_to_string(folder.join("debug.log")).unwrap();
        assert!(log.starts_with(&format!("{FIRST}\nprod R\n.\n\n{unit}\n")), "{log}");
        assert!(log.contains(last) && !log.contains("players") && !log.contains("ping"));
    }
}

#[test]
fn a_client_ends_with_its_connection_if_asked_to() {
    for (mut command, _) in clients("once") {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let mut client = Running(command.args(["--once", "127.0.0.1", &port]).spawn().unwrap());
        let mut peer = Peer::accept(&listener);
        assert_eq!(peer.line(), "login password");
        drop(peer);
        assert!(client.0.wait().unwrap().success());
    }
}

#[test]
fn a_packet_in_a_file_is_answered() {
    for (mut command, folder) in clients("test") {
        std::fs::write(folder.join("one.txt"), FIRST.replace('\n', "\r\n")).unwrap();
        let output = command.args(["--test", "one.txt"]).output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "prod R\n.\n");
        assert!(!folder.join("debug.log").exists());
        let output = command.args(["--test", "none.txt"]).output().unwrap();
        assert!(!output.status.success());
    }
}

#[test]
fn test_txt_is_answered_before_the_client_connects() {
    for (mut command, folder) in clients("test_txt") {
        std::fs::write(folder.join("test.txt"), FIRST).unwrap();
        // Nobody listens there: a port that was free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let output = command.args(["--once", "127.0.0.1", &port]).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.starts_with("prod R\n.\n"), "{printed}");
        assert!(printed.contains("connect"), "{printed}");
    }
}

/// A strategy as they were written for the contest's own sample client, in two files.
const OLD_STRATEGY: &str = r#"#include "stdafx.h"
#include "Client.h"
#include "parser.h"

int Mirrored(const SOLDIER &soldier);

class MYCLIENT : public CLIENT
{
public:
    MYCLIENT() : mPackets(0) {}
protected:
    virtual std::string HandleServerResponse(std::vector<std::string> &ServerResponse);
    virtual std::string GetPassword() { return std::string("secret"); }
    virtual std::string GetPreferredOpponents() { return std::string("bot"); }
    virtual bool NeedDebugLog() { return true; }
    int mPackets;
};

std::string MYCLIENT::HandleServerResponse(std::vector<std::string> &ServerResponse)
{
    PARSER parser;
    parser.Parse(ServerResponse);
    mDebugLog << "packet " << ++mPackets << ", players " << Players.size() << std::endl;
    for (CLIENT::PLAYER &player : Players)
        mDebugLog << player.id << ' ' << player.match_wins << ' ' << player.elo_points << ' ' << player.name << std::endl;
    std::stringstream ss;
    if (parser.match_result == PARSER::VICTORY || parser.match_result == PARSER::DEFEAT || parser.match_result == PARSER::DRAW)
        return ".";
    int versus = parser.versus;
    for (SOLDIER soldier : parser.soldiers)
        if (soldier.side == 0) ss << soldier.id << (soldier.t == 2 && Mirrored(soldier) == 14 ? " right\n" : " left\n");
    ss << "prod " << "RPS"[(versus + parser.prod_limit + parser.prod[2]) % 3] << "\n";
    if (parser.base_owner[0] == -1 && parser.base_owner[1] == 1) ss << "7 up\n";
    ss << ".";
    return ss.str();
}

CLIENT *CreateClient()
{
    return new MYCLIENT();
}
"#;
const OLD_HELPER: &str = r#"#include "stdafx.h"
#include "Client.h"
#include "parser.h"

int Mirrored(const SOLDIER &soldier) { return WIDTH - 1 - soldier.x + 0 * HEIGHT; }
"#;

#[test]
fn a_strategy_for_the_contests_own_client_compiles_and_plays_unchanged() {
    let folder = folder("old");
    let sources = [("MyClient.cpp", OLD_STRATEGY), ("Helper.cpp", OLD_HELPER)].map(|(name, text)| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    });
    compile(&sources, &folder.join("client"));
    let mut command = Command::new(folder.join("client"));
    command.current_dir(&folder).env_remove("PALESTRA_BOT").stdin(Stdio::null()).stdout(Stdio::piped());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut client = Running(command.args(["--once", "127.0.0.1", &port]).spawn().unwrap());
    let mut peer = Peer::accept(&listener);
    assert_eq!(peer.line(), "login secret");
    peer.send(PLAYERS);
    peer.send("ping\n");
    assert_eq!([peer.line(), peer.line()], ["pong", "opponent bot"]);
    peer.send(
        "tick 3\nversus bot\nsoldiers 2\n4 A S 5 19\n6 E R 1 2\nbase r N\nbase d E\nprod 11 0 0 3\n.\n",
    );
    assert_eq!(peer.answer(), ["4 right", "prod P", "7 up", "."]);
    peer.send("tick 4\nversus bot\nsoldiers 0\nbase r N\nbase d E\nprod 11 0 0 3\nfinished defeat\n.\n");
    assert_eq!(peer.answer(), ["."]);
    drop(peer);
    assert!(client.0.wait().unwrap().success());
    let log = std::fs::read_to_string(folder.join("debug.log")).unwrap();
    assert!(log.contains("prod 11 0 0 3\n.\n\npacket 1, players 2\n3 12 1540 Rook and Co.\n"), "{log}");
}

#[test]
fn the_log_of_one_start_does_not_cost_that_of_the_one_before() {
    for (mut command, folder) in clients("append") {
        std::fs::write(folder.join("debug.log"), "yesterday\n").unwrap();
        command.args(["--stdio", "--debug"]);
        for _ in 0..2 {
            let mut client = Running(command.stdin(Stdio::piped()).spawn().unwrap());
            client.0.stdin.take().unwrap().write_all(FIRST.as_bytes()).unwrap();
            assert!(client.0.wait().unwrap().success());
        }
        let log = std::fs::read_to_string(folder.join("debug.log")).unwrap();
        assert_eq!(log, format!("yesterday\n{}", format!("{FIRST}\nprod R\n.\n\n").repeat(2)));
    }
}

/// Plays a client on one seat, through pipes, against a built-in player on the other; says whether it has won.
fn play(command: &mut Command, seat: Seat, enemy: &str, seed: u64) -> bool {
    let mut client = Running(command.stdin(Stdio::piped()).spawn().unwrap());
    let mut input = client.0.stdin.take().unwrap();
    let mut output = BufReader::new(client.0.stdout.take().unwrap());
    let plan = Rps.plan(&PlanRequest { changes: &[], map: None, players: 2, seed }).unwrap();
    let mut table = Rps.open(&plan).unwrap();
    let other = Seat::at(1 - seat.index());
    table.seat_built_in(other, enemy, seed).unwrap();
    let mut tick = 0;
    while let Some(mover) = table.to_move() {
        tick += 1;
        if mover == other {
            table.think(other).unwrap();
        } else {
            let mut packet = Vec::new();
            table.ask(seat, &mut packet);
            input.write_all(&packet).unwrap();
            let mut answer = Vec::new();
            while table.parse(seat, &answer) == Parsed::NeedMore {
                assert!(output.read_until(b'\n', &mut answer).unwrap() > 0, "the client has ended");
            }
        }
        table.apply(mover, tick);
    }
    let mut last = Vec::new();
    table.dismissal(seat, &mut last);
    input.write_all(&last).unwrap();
    assert!(client.0.wait().unwrap().success(), "the client ends by itself after the last packet");
    assert_eq!(table.notes().count(seat), 0, "{:?}", table.notes().list());
    table.outcome().unwrap().winner == Some(seat)
}

#[test]
fn clients_play_locally_and_beat_the_simple_players_from_both_seats() {
    for (mut command, folder) in clients("local") {
        // As Palestra starts it, and it must not read or write files then.
        std::fs::write(folder.join("test.txt"), FIRST).unwrap();
        for enemy in ["bot", "random"] {
            for seat in Seat::all(2) {
                for seed in 0..3 {
                    assert!(
                        play(&mut command, seat, enemy, seed),
                        "{command:?} loses to {enemy} from seat {seat}"
                    );
                }
            }
        }
        command.env("PALESTRA_BOT", "1").arg("--debug");
        assert!(play(&mut command, Seat::new(2), "bot", 9));
        let log = std::fs::read_to_string(folder.join("debug.log")).unwrap();
        assert!(log.starts_with("tick 2\nversus 1\nsoldiers 0\n") && log.contains("finished victory\n.\n"));
    }
}
