//! Readable playthroughs of short matches. After a change that is meant, write them anew and read the difference:
//!
//! `UPDATE_GOLDEN=1 cargo test -p palestra-rps golden`

use palestra_core::{AnyGame, Eye, Fault, Parsed, PlanRequest, Seat, Table};
use palestra_rps::Rps;
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// A match to be told: an arena, settings, and an answer for each tick, its lines divided by `|`. A `late` instead of an
/// answer is one that does not come in time.
struct Story {
    name: &'static str,
    about: &'static str,
    size: u32,
    settings: &'static [(&'static str, &'static str)],
    answers: &'static [&'static str],
    /// After the answers, the seats are these players.
    then: [&'static str; 2],
    /// Ticks that are not told, though they have an answer here.
    quiet: Range<u32>,
    /// Beyond the answers only every so many ticks are told.
    every: u32,
}

const STORIES: &[Story] = &[
    Story {
        name: "first_units",
        about: "The first units of both players, as the packets of ticks 20 to 23 show them.",
        size: 20,
        settings: &[("max_ticks", "23")],
        answers: &[
            "prod R",
            "prod P",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "1 right|prod S",
            "2 down",
            "1 right",
        ],
        then: ["bot", "bot"],
        quiet: 3..20,
        every: 1,
    },
    Story {
        name: "skirmish",
        about: "Quick factories in a small arena: a base, a fight, a bump, lines that are no orders, a late answer, and a \
                factory that falls.",
        size: 4,
        settings: &[("first_unit_ticks", "1"), ("unit_ticks_growth", "2"), ("hold_ticks", "4")],
        answers: &[
            "prod R",
            "prod S",
            "1 right|1 right",
            "2 left|9 up",
            "1 right",
            "2 right",
            "1 right|prod P|hello|pong|prod X",
            "late",
            "1 down|2 up",
            "2 down",
            "4 down|1 left",
            "2 down",
            "1 down|4 down|opponent any",
            "3 right",
            "1 down|4 down",
            "",
            "1 right",
        ],
        then: ["greedy", "bot"],
        quiet: 0..0,
        every: 4,
    },
    Story {
        name: "marshal_against_greedy",
        about: "Two built-in players in the usual arena, to the end; every fortieth tick is told.",
        size: 20,
        settings: &[],
        answers: &[],
        then: ["marshal", "greedy"],
        quiet: 0..0,
        every: 40,
    },
];

#[test]
fn golden_playthroughs_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for story in STORIES {
        let text = tell(story);
        let path = folder.join(format!("{}.txt", story.name));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            text == recorded,
            "{} differs from what is played now; see the head of this test for how to renew it. Now:\n{text}",
            path.display()
        );
    }
}

fn tell(story: &Story) -> String {
    let changes: Vec<(String, String)> =
        story.settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let map = format!("arena {}\n", story.size);
    let request = PlanRequest { changes: &changes, map: Some(&map), players: 2, seed: 1 };
    let plan = Rps.plan(&request).unwrap();
    let mut table = Rps.open(&plan).unwrap();
    table.introduce(&story.then.map(str::to_owned));
    for (seat, name) in Seat::all(2).zip(story.then) {
        table.seat_built_in(seat, name, u64::from(seat.number())).unwrap();
    }
    let mut text = format!("{}\n\n{}", story.about, plan.setup);
    for (key, value) in story.settings {
        writeln!(text, "{key} = {value}").unwrap();
    }
    let mut tick = 0;
    while let Some(seat) = table.to_move() {
        tick += 1;
        let scripted = tick as usize <= story.answers.len();
        let shown = if scripted { !story.quiet.contains(&tick) } else { (tick - 1) % story.every < 2 };
        if shown {
            write!(text, "\n=== tick {tick}, seat {seat}\n{}", board(&*table)).unwrap();
            writeln!(text, "sent: {}", sent(&*table, seat)).unwrap();
        }
        let answer = take_tick(&mut *table, seat, tick, story.answers.get(tick as usize - 1));
        if shown {
            writeln!(text, "answer: {answer}").unwrap();
        }
    }
    write!(text, "\n=== over after {} ticks\n{}", table.rounds(), board(&*table)).unwrap();
    for seat in Seat::all(2) {
        let mut last = Vec::new();
        assert!(table.dismissal(seat, &mut last));
        writeln!(text, "seat {seat} is sent: {}", one_line(&last)).unwrap();
    }
    for note in table.notes().list() {
        writeln!(text, "tick {}, seat {}: {}", note.turn, note.seat, note.text).unwrap();
    }
    for (seat, placing) in Seat::all(2).zip(&table.outcome().unwrap().placings) {
        let (points, of) = placing.score.parts();
        let (place, fate) = (placing.place, placing.fate.word());
        writeln!(text, "seat {seat}: place {place}, {points}/{of} points, {fate}: {}", placing.reason)
            .unwrap();
    }
    text
}

fn sent(table: &dyn Table, seat: Seat) -> String {
    let mut bytes = Vec::new();
    table.ask(seat, &mut bytes);
    one_line(&bytes)
}

fn one_line(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).unwrap().trim_end().replace('\n', " | ")
}

fn take_tick(table: &mut dyn Table, seat: Seat, tick: u32, answer: Option<&&str>) -> String {
    match answer {
        None => {
            table.think(seat).unwrap();
            let mut text = Vec::new();
            table.write_answer(&mut text);
            table.apply(seat, tick);
            one_line(&text)
        }
        Some(&"late") => {
            table.fault(seat, tick, &Fault::OutOfTime);
            "(none in time)".to_owned()
        }
        Some(answer) => {
            let text = format!("{}\n.\n", answer.replace('|', "\n"));
            assert_eq!(table.parse(seat, text.as_bytes()), Parsed::Done { used: text.len() });
            table.apply(seat, tick);
            one_line(text.trim_start().as_bytes())
        }
    }
}

/// The arena: small letters are seat 1's units, capitals are seat 2's.
fn board(table: &dyn Table) -> String {
    let mut json = Vec::new();
    table.frame(Eye::Spectator, &mut json);
    let frame: Value = serde_json::from_slice(&json).unwrap();
    let size = frame["size"].as_u64().unwrap() as usize;
    let mut cells = vec![vec!['.'; size]; size];
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    for base in frame["bases"].as_array().unwrap() {
        let sign = match base["owner"].as_u64() {
            None => 'o',
            Some(owner) => char::from(b'0' + owner as u8),
        };
        cells[number(&base["y"])][number(&base["x"])] = sign;
    }
    for unit in frame["units"].as_array().unwrap() {
        let letter = unit["kind"].as_str().unwrap().chars().next().unwrap();
        let letter = if unit["seat"] == 1 { letter.to_ascii_lowercase() } else { letter };
        cells[number(&unit["y"])][number(&unit["x"])] = letter;
    }
    cells.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}
