//! Readable playthroughs: what everybody was told and answered, moment by moment.
//!
//! After a deliberate change of the rules: `UPDATE_GOLDEN=1 cargo test -p palestra-auralux golden`, read the
//! difference, and raise `rules_version`.

use palestra_auralux::Auralux;
use palestra_core::digest::hex;
use palestra_core::{AnyGame, Exit, Fault, Parsed, PlanRequest, Seat, Table};
use std::fmt::Write as _;
use std::path::Path;

fn open(map: &str, changes: &[(&str, &str)], text: &mut String) -> Box<dyn Table> {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    for (key, value) in &changes {
        let _ = writeln!(text, "setting {key} = {value}");
    }
    let request = PlanRequest { changes: &changes, map: Some(map), players: 0, seed: 1 };
    let plan = Auralux.plan(&request).unwrap();
    let _ = writeln!(text, "map\n{}", indented("  ", &plan.setup));
    let table = Auralux.open(&plan).unwrap();
    for seat in Seat::all(table.seats()) {
        let mut hello = Vec::new();
        table.hello(seat, &mut hello);
        let _ = writeln!(text, "player {seat} is told at the start\n{}", indented("  > ", &utf8(hello)));
    }
    table
}

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn indented(prefix: &str, lines: &str) -> String {
    lines.lines().fold(String::new(), |text, line| text + prefix + line + "\n")
}

fn write_ask(table: &dyn Table, turn: u32, seat: Seat, text: &mut String) {
    let mut ask = Vec::new();
    table.ask(seat, &mut ask);
    let _ = writeln!(text, "turn {turn}, step {}, player {seat}", table.rounds() + 1);
    text.push_str(&indented("  > ", &utf8(ask)));
}

fn write_end(table: &dyn Table, text: &mut String) {
    let outcome = table.outcome().expect("the game is over");
    let winner = outcome.winner.map_or("nobody".to_owned(), |seat| format!("player {seat}"));
    let _ = writeln!(text, "the end after {} full steps: {winner} wins", table.rounds());
    for (seat, placing) in Seat::all(table.seats()).zip(&outcome.placings) {
        let (numerator, denominator) = placing.score.parts();
        let mut goodbye = Vec::new();
        table.dismissal(seat, &mut goodbye);
        let _ = writeln!(
            text,
            "player {seat}: place {}, score {numerator}/{denominator}, {} ({}), is told {:?}",
            placing.place,
            placing.fate.word(),
            placing.reason,
            utf8(goodbye)
        );
    }
    let _ = writeln!(text, "digest {}", hex(&table.digest()));
}

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = golden.lines().zip(text.lines()).position(|(one, other)| one != other);
    assert!(golden == text, "golden/{name} differs, first in line {:?}", differs.map(|line| line + 1));
}

/// Answers that bring out the rules: one for each turn; `None` is a bot that has ended.
#[test]
fn golden_rules() {
    let map = "4 3\n1 2 3\n0 0\n3 0\n0 2\n3 2\n";
    let changes = [
        ("max_steps", "14"),
        ("start_ships", "40"),
        ("capture_cost", "10"),
        ("upgrade_cost", "10,20"),
        ("armor", "5,10,15"),
        ("max_groups_in_space", "3"),
    ];
    let answers = [
        // Step 1: raising, launches, the limit in space.
        Some("2\n1 1 10\n1 4 15\n"),
        Some("1\n2 4 12\n"),
        Some("4\n3 1 1\n3 1 1\n3 2 1\n3 2 20\n"),
        // Step 2: orders that are not allowed.
        Some("5\n9 1 1\n1 2 0\n2 1 1\n1 2 999\n1 1 1\n"),
        Some("2\n2 2 10\n2 2 10\n"),
        Some("0 orders\n"),
        // Step 3: the second group on planet 4.
        Some("0\n"),
        Some("1\n4 4 12 and more words\n"),
        Some("1\n3 3 10\n"),
        // Step 4 and on: planet 4 belongs to somebody; player 1 storms planet 2.
        Some("1\n1 2 19\n"),
        Some("1\n2 1 12\n"),
        None,
        Some("0\n"),
        Some("0\n"),
        Some("0\n"),
        Some("1\n4 4 3\n"),
        Some("1\n1 2 10\n"),
        Some("0\n"),
        Some("0\n"),
        Some("0\n"),
        Some("0\n"),
        Some("oops\n"),
    ];
    let mut text = String::new();
    let mut table = open(map, &changes, &mut text);
    let mut noted = 0;
    for (turn, answer) in (1..).zip(answers) {
        let Some(seat) = table.to_move() else { break };
        write_ask(&*table, turn, seat, &mut text);
        match answer {
            None => {
                let fault = Fault::Exited(Exit::Code(1));
                let _ = writeln!(text, "  ! {fault}");
                table.fault(seat, turn, &fault);
            }
            Some(answer) => {
                text.push_str(&indented("  < ", answer));
                match table.parse(seat, answer.as_bytes()) {
                    Parsed::Done { .. } => table.apply(seat, turn),
                    Parsed::NeedMore => panic!("turn {turn}: no whole answer"),
                    Parsed::Malformed { why } => {
                        let fault = Fault::malformed(why, answer.as_bytes());
                        let _ = writeln!(text, "  ! {fault}");
                        table.fault(seat, turn, &fault);
                    }
                }
            }
        }
        for note in &table.notes().list()[noted..] {
            let _ = writeln!(text, "  note: {}", note.text);
        }
        noted = table.notes().list().len();
    }
    write_end(&*table, &mut text);
    compare("rules.txt", &text);
}

/// A whole game of built-in players, a moment of it now and then.
#[test]
fn golden_duel() {
    let tiny = Auralux.maps().iter().find(|map| map.name == "tiny").unwrap();
    let mut text = String::new();
    let mut table = open(tiny.text, &[], &mut text);
    for (seat, name) in Seat::all(2).zip(["aggressive", "admiral"]) {
        let _ = writeln!(text, "player {seat} is {name}");
        table.seat_built_in(seat, name, 1).unwrap();
    }
    let mut turn = 0;
    while let Some(seat) = table.to_move() {
        turn += 1;
        table.think(seat).unwrap();
        if turn <= 4 || (turn - 1) % 60 < 2 {
            write_ask(&*table, turn, seat, &mut text);
            let mut answer = Vec::new();
            table.write_answer(&mut answer);
            text.push_str(&indented("  < ", &utf8(answer)));
        }
        table.apply(seat, turn);
    }
    write_end(&*table, &mut text);
    compare("duel.txt", &text);
}
