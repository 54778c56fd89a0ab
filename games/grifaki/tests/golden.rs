//! Readable playthroughs of short games. After a change that is meant, write them anew and read the difference:
//!
//! `UPDATE_GOLDEN=1 cargo test -p palestra-grifaki golden`

use palestra_core::{AnyGame, Eye, Fault, Parsed, PlanRequest, Seat, Table};
use palestra_grifaki::Grifaki;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// A game to be told: a map, settings, and an answer for each turn. A name of a built-in player instead of an answer
/// lets that player choose it.
struct Story {
    name: &'static str,
    about: &'static str,
    map: &'static str,
    settings: &'static [(&'static str, &'static str)],
    answers: &'static [&'static str],
    /// After the answers, everybody is this player.
    then: &'static str,
}

const STORIES: &[Story] = &[
    Story {
        name: "first_steps",
        about: "Two players on a strip: moves, an attack on a wall that fails and one that does not, a wall, what is not allowed.",
        map: "1 6 2\n@1 . .30# c . @2\n",
        settings: &[("max_game_duration", "6")],
        answers: &[
            "MOVE 0 0 0 1 60",
            "MOVE 0 5 0 4 100",
            "MOVE 0 1 0 2 30",
            "MOVE 0 4 0 3 50",
            "MOVE 0 1 0 2 29",
            "MOVE 0 4 0 5 50",
            "MOVE 0 1 0 0 0",
            "BUILD 0 3 0 3 WALL",
            "BUILD 0 0 0 1 WALL",
            "MOVE 0 5 0 3 1",
        ],
        then: "idle",
    },
    Story {
        name: "dropping_out",
        about: "Three players; one writes nonsense, one attacks with its last units in vain, and the third has won.",
        map: "2 4 3\n@1 . M @2\n. c5 . @3\n",
        settings: &[("start_army", "50")],
        answers: &["MOVE 0 0 0 1 20", "EMPTY", "EMPTY", "hello", "MOVE 0 3 1 3 51"],
        then: "idle",
    },
    Story {
        name: "a_capital_lost_and_regained",
        about: "A capital falls, its owner's cities grow slowly, and it is taken back; then the time is up.",
        map: "2 4 2\n@1 c . @2\n. . M .\n",
        settings: &[("max_game_duration", "8"), ("land_growth_time", "4"), ("start_army", "20")],
        answers: &[
            "MOVE 0 0 0 1 19",
            "MOVE 0 3 0 2 20",
            "EMPTY",
            "EMPTY",
            "MOVE 0 0 1 0 3",
            "EMPTY",
            "MOVE 0 1 0 2 21",
            "MOVE 0 2 0 3 1",
            "MOVE 0 1 0 0 1",
        ],
        then: "idle",
    },
    Story {
        name: "last_armies_cancel",
        about: "Two players with a cell each: the attack leaves nobody, and the game is a draw.",
        map: "1 2 2\n@1 @2\n",
        settings: &[],
        answers: &["EMPTY", "EMPTY", "MOVE 0 0 0 1 101"],
        then: "idle",
    },
    Story {
        name: "warlord_against_expander",
        about: "Two built-in players on a narrow board, to the end; every hundredth tick is told.",
        map: include_str!("../maps/pass.txt"),
        settings: &[],
        answers: &[],
        then: "warlord expander",
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
    let request = PlanRequest { changes: &changes, map: Some(story.map), players: 2, seed: 1 };
    let plan = Grifaki.plan(&request).unwrap();
    let mut table = Grifaki.open(&plan).unwrap();
    let names: Vec<&str> = story.then.split(' ').collect();
    for seat in Seat::all(plan.seats) {
        table.seat_built_in(seat, names[seat.index() % names.len()], u64::from(seat.number())).unwrap();
    }
    let mut text = format!("{}\n\n{}\n", story.about, plan.setup);
    for (key, value) in story.settings {
        writeln!(text, "{key} = {value}").unwrap();
    }
    // Everything of the first game is told; of a longer one, the first turns and then every so often a moment.
    let whole = !story.answers.is_empty();
    let mut greeted = vec![false; usize::from(plan.seats)];
    let mut dismissed = vec![false; usize::from(plan.seats)];
    let mut answers = story.answers.iter();
    let mut turn = 0;
    while let Some(seat) = table.to_move() {
        turn += 1;
        let shown = whole || turn <= 2 || turn % 200 < 2;
        if shown {
            write!(
                text,
                "\n=== turn {turn}, seat {seat}, {} ticks so far\n{}",
                table.rounds(),
                board(&*table)
            )
            .unwrap();
            let mut sent = Vec::new();
            if !greeted[seat.index()] {
                greeted[seat.index()] = true;
                table.hello(seat, &mut sent);
            }
            table.ask(seat, &mut sent);
            let sent = String::from_utf8(sent).unwrap();
            writeln!(text, "sent: {}", sent.trim_end().replace('\n', " | ")).unwrap();
        }
        let answer = take_turn(&mut *table, seat, turn, answers.next());
        if shown {
            writeln!(text, "answer: {answer}").unwrap();
        }
        for seat in Seat::all(plan.seats) {
            let mut goodbye = Vec::new();
            if !dismissed[seat.index()] && table.dismissal(seat, &mut goodbye) {
                dismissed[seat.index()] = true;
                let goodbye = String::from_utf8(goodbye).unwrap();
                writeln!(text, "seat {seat} is sent: {}", goodbye.trim_end()).unwrap();
            }
        }
    }
    write!(text, "\n=== over after {turn} turns, {} ticks\n{}", table.rounds(), board(&*table)).unwrap();
    for note in table.notes().list() {
        writeln!(text, "turn {}, seat {}: {}", note.turn, note.seat, note.text).unwrap();
    }
    for (index, placing) in table.outcome().unwrap().placings.iter().enumerate() {
        let (points, of) = placing.score.parts();
        writeln!(
            text,
            "seat {}: place {}, {points}/{of} points, {}: {}",
            index + 1,
            placing.place,
            placing.fate.word(),
            placing.reason
        )
        .unwrap();
    }
    text
}

fn take_turn(table: &mut dyn Table, seat: Seat, turn: u32, answer: Option<&&str>) -> String {
    let Some(answer) = answer else {
        table.think(seat).unwrap();
        let mut text = Vec::new();
        table.write_answer(&mut text);
        table.apply(seat, turn);
        return String::from_utf8(text).unwrap().trim_end().to_owned();
    };
    let bytes = format!("{answer}\n");
    match table.parse(seat, bytes.as_bytes()) {
        Parsed::Done { .. } => table.apply(seat, turn),
        Parsed::Malformed { why } => table.fault(seat, turn, &Fault::malformed(why, bytes.as_bytes())),
        Parsed::NeedMore => panic!("\"{answer}\" is no whole answer"),
    }
    (*answer).to_owned()
}

/// The board without fog: owner and units of each cell, with a letter for what is no plain and a # for a wall.
fn board(table: &dyn Table) -> String {
    let mut json = Vec::new();
    table.frame(Eye::Spectator, &mut json);
    let frame: Value = serde_json::from_slice(&json).unwrap();
    let width = frame["width"].as_u64().unwrap() as usize;
    let walls = frame["walls"].as_array().unwrap();
    let mut text = String::new();
    for (row, kinds) in frame["kinds"].as_array().unwrap().iter().enumerate() {
        for (column, kind) in kinds.as_str().unwrap().chars().enumerate() {
            let at = row * width + column;
            let wall = if walls.contains(&serde_json::json!([row, column])) { "#" } else { "" };
            let cell = match kind {
                'M' => "M".to_owned(),
                '.' => format!("{}:{}{wall}", frame["owners"][at], frame["units"][at]),
                other => format!("{other}{}:{}{wall}", frame["owners"][at], frame["units"][at]),
            };
            write!(text, "{cell:>8}").unwrap();
        }
        text.push('\n');
    }
    text
}
