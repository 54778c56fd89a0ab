//! Readable playthroughs of short games, recorded in a game's folder `golden`. After a change that is meant, write them
//! anew with `make golden`, read the difference, and raise the game's `rules_version`.

use palestra_core::digest::hex;
use palestra_core::{AnyGame, AnyState, Catalog, Exit, Fault, Parsed, PlanRequest, Seat};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// A game to be told: a map, settings, and what happens in the first turns; built-in players go on from there.
#[derive(Clone, Debug)]
pub struct Story {
    /// The file's name, without its ending.
    pub name: &'static str,
    /// What it shows, as the file's first line.
    pub about: &'static str,
    /// The map.
    pub map: &'static str,
    /// Settings that differ from the defaults.
    pub settings: &'static [(&'static str, &'static str)],
    /// An answer for each of the first turns, without its last line break; [`Story::LATE`] and [`Story::CRASH`] are faults.
    pub answers: &'static [&'static str],
    /// Who plays on after that, by seat; the names are used again from the first where there are more seats.
    pub then: &'static [&'static str],
    /// Turns with an answer that are not worth telling.
    pub quiet: Range<u32>,
    /// Once built-in players play, a round is told every so many turns.
    pub every: u32,
}

impl Story {
    /// Instead of an answer: it did not come in time.
    pub const LATE: &'static str = "(late)";
    /// Instead of an answer: the bot has ended.
    pub const CRASH: &'static str = "(crash)";
}

/// Tells every story and compares it with what is recorded; `board` draws a moment for spectators.
pub fn check_golden(
    game: &dyn AnyGame,
    folder: &str,
    stories: &[Story],
    board: impl Fn(&dyn AnyState) -> String,
) {
    for story in stories {
        let text = tell(game, story, &board);
        let path = Path::new(folder).join("golden").join(format!("{}.txt", story.name));
        compare(&path, &text);
    }
}

/// Compares a text with what is recorded in a file; writes the file anew first if that was asked for.
pub fn compare(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, text).expect("the file can be written");
    }
    let recorded = std::fs::read_to_string(path).unwrap_or_default();
    let same = recorded.lines().zip(text.lines()).take_while(|(one, other)| one == other).count();
    assert!(
        text == recorded,
        "{} differs from what it would be now, first in line {}: {:?}; if that is meant, run make golden",
        path.display(),
        same + 1,
        text.lines().nth(same)
    );
}

fn tell(game: &dyn AnyGame, story: &Story, board: &dyn Fn(&dyn AnyState) -> String) -> String {
    let word = game.info().round_word;
    let english = Catalog::english(game.info());
    let changes: Vec<(String, String)> =
        story.settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let request = PlanRequest { changes: &changes, map: Some(story.map), players: 2, seed: 1 };
    let plan = game.plan(&request).expect("a sound story");
    let mut table = game.open(&plan).expect("a sound story");
    let name = |seat: Seat| story.then[seat.index() % story.then.len()];
    table.introduce(&Seat::all(plan.seats).map(|seat| name(seat).to_owned()).collect::<Vec<_>>());
    for seat in Seat::all(plan.seats) {
        table.seat_built_in(seat, name(seat), u64::from(seat.number())).expect("a built-in player");
    }
    let mut text = format!("{}\n\n{}", story.about, plan.setup);
    for (key, value) in story.settings {
        say(&mut text, format_args!("{key} = {value}"));
    }
    for seat in Seat::all(plan.seats) {
        let hello = collect(|out| table.hello(seat, out));
        if !hello.is_empty() {
            say(&mut text, format_args!("\nseat {seat} is told at the start\n{}", indented(&hello)));
        }
    }
    let mut dismissed = vec![false; usize::from(plan.seats)];
    let (mut turn, mut noted) = (0, 0);
    while let Some(seat) = table.to_move() {
        turn += 1;
        let answer = story.answers.get(turn as usize - 1);
        let shown = match answer {
            Some(_) => !story.quiet.contains(&turn),
            None => (turn - 1) % story.every < u32::from(plan.seats),
        };
        if shown {
            say(&mut text, format_args!("\n=== turn {turn}, seat {seat}, after {} {word}s", table.rounds()));
            text.push_str(&board(&*table));
            say(&mut text, format_args!("sent: {}", one_line(&collect(|out| table.ask(seat, out)))));
        }
        let given = take_turn(&mut *table, seat, turn, answer.copied());
        if shown {
            say(&mut text, format_args!("answer: {given}"));
        }
        for note in &table.notes().list()[noted..] {
            say(
                &mut text,
                format_args!("note on seat {} in turn {turn}: {}", note.seat, english.say(&note.what)),
            );
        }
        noted = table.notes().list().len();
        for seat in Seat::all(plan.seats) {
            let mut words = Vec::new();
            if !dismissed[seat.index()] && table.dismissal(seat, &mut words) {
                dismissed[seat.index()] = true;
                say(&mut text, format_args!("seat {seat} is sent its last words: {}", one_line(&words)));
            }
        }
    }
    say(&mut text, format_args!("\n=== over after {turn} turns, {} {word}s", table.rounds()));
    text.push_str(&board(&*table));
    let outcome = table.outcome().expect("the game is over");
    for (seat, placing) in Seat::all(plan.seats).zip(&outcome.placings) {
        let (points, of) = placing.score.parts();
        let (place, fate) = (placing.place, placing.fate.word());
        say(
            &mut text,
            format_args!(
                "seat {seat}: place {place}, {points}/{of} points, {fate}: {}",
                english.say(&placing.reason)
            ),
        );
    }
    say(&mut text, format_args!("digest {}", hex(&table.digest())));
    text
}

fn take_turn(table: &mut dyn AnyState, seat: Seat, turn: u32, answer: Option<&str>) -> String {
    match answer {
        None => {
            table.think(seat).expect("it answers");
            let given = collect(|out| table.write_answer(out));
            table.apply(seat, turn);
            one_line(&given)
        }
        Some(Story::LATE) => {
            table.fault(seat, turn, &Fault::OutOfTime);
            Story::LATE.to_owned()
        }
        Some(Story::CRASH) => {
            table.fault(seat, turn, &Fault::Exited(Exit::Code(1)));
            Story::CRASH.to_owned()
        }
        Some(answer) => {
            let bytes = format!("{answer}\n").into_bytes();
            match table.parse(seat, &bytes) {
                Parsed::Done { used } if used == bytes.len() => table.apply(seat, turn),
                Parsed::Malformed { why } => table.fault(seat, turn, &Fault::malformed(why, &bytes)),
                other => panic!("turn {turn}: {answer:?} is no whole answer: {other:?}"),
            }
            one_line(&bytes)
        }
    }
}

fn say(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to memory");
}

fn collect(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

fn one_line(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).expect("protocols are text").trim_end().replace('\n', " | ")
}

fn indented(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).expect("protocols are text");
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
