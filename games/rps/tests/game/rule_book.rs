//! The rule book keeps up with the game.

use palestra_core::game::{Setup as _, State as _};
use palestra_core::legacy::Legacy as _;
use palestra_core::settings::Settings as _;
use palestra_core::{BotSeat, Eye, Game, Input, Notes, Parsed, Progress, Protocol, Seat};
use palestra_rps::{Action, Arena, Kind, Rps, Settings, State};

#[test]
fn every_setting_player_and_map_is_in_the_rule_book() {
    let book = Rps::INFO.folder.rule_book;
    for doc in Settings::docs() {
        let row = book.lines().find(|line| line.starts_with(&format!("| `{}` |", doc.key)));
        let default = doc.default.to_string().replace(['[', ']'], "");
        assert!(row.is_some_and(|row| row.contains(&format!("| {default} |"))), "the default of {}", doc.key);
        let range = doc.range.expect("every setting has a range").replace("..=", " to ");
        assert!(row.is_some_and(|row| row.contains(&format!("| {range} |"))), "the range of {}", doc.key);
    }
    for bot in Rps::BUILT_INS {
        assert!(book.contains(&format!("| `{}` |", bot.name)), "player {}", bot.name);
        assert!((bot.make)(BotSeat { seat: Seat::new(1), seed: 0, argument: None }).is_ok());
    }
    for map in Rps::INFO.folder.maps {
        let size = Arena::read(&Settings::default(), map.text).unwrap().size();
        assert!(book.contains(&format!("`{}` ({size} x {size})", map.name)), "map {}", map.name);
    }
    for export in Rps::EXPORTS {
        assert!(book.contains(&format!("`{}`", export.name)) && book.contains(&format!("`{}`", export.file)));
    }
}

/// The blocks of the rule book behind a heading.
fn blocks(after: &str) -> Vec<&'static str> {
    let book = Rps::INFO.folder.rule_book;
    let rest = &book[book.find(after).unwrap()..];
    rest.split("```").skip(1).step_by(2).map(|block| block.trim_start_matches('\n')).collect()
}

fn packet(state: &State) -> String {
    let mut text = Vec::new();
    Rps::ask(state.view(Eye::Seat(Seat::new(1))), &mut text);
    String::from_utf8(text).unwrap()
}

fn read(state: &State, text: &str) -> Action {
    let mut action = Action::default();
    let view = state.view(Eye::Seat(Seat::new(1)));
    let parsed = Rps::parse(view, text.as_bytes(), &mut Progress::default(), &mut action);
    assert_eq!(parsed, Parsed::Done { used: text.len() });
    assert_eq!(action.unreadable, 0, "{text}");
    action
}

#[test]
fn the_worked_example_is_what_is_sent() {
    let [first, answer, eleventh, next, ..] = blocks("### A worked example")[..] else {
        panic!("four blocks")
    };
    let mut state = State::start(&Settings::default(), &Arena::new(20).unwrap(), 0).unwrap();
    assert_eq!(packet(&state), first);
    let ours = read(&state, answer);
    let theirs = Action { production: Some(Kind::Paper), ..Action::default() };
    for tick in 1..=20 {
        let seat = state.to_move().unwrap();
        let answer = if tick % 2 == 1 { &ours } else { &theirs };
        state.apply(seat, Input::Answer(answer), &mut Notes::counted());
    }
    assert_eq!(packet(&state), eleventh);
    let mut notes = Notes::counted();
    let ours = read(&state, next);
    state.apply(Seat::new(1), Input::Answer(&ours), &mut notes);
    assert_eq!(notes.count(Seat::new(1)), 0);
}

#[test]
fn the_sample_answer_can_be_read() {
    let state = State::start(&Settings::default(), &Arena::new(20).unwrap(), 0).unwrap();
    let action = read(&state, blocks("### The answer")[0]);
    assert_eq!((action.orders.len(), action.production), (3, Some(Kind::Paper)));
}

#[test]
fn the_table_of_times_is_right() {
    let rows: Vec<Vec<u32>> = Rps::INFO
        .folder
        .rule_book
        .lines()
        .filter(|line| ["| no base", "| one base", "| both bases"].iter().any(|head| line.starts_with(head)))
        .map(|line| line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect())
        .collect();
    let settings = Settings::default();
    for (row, [numerator, denominator]) in
        rows.iter().zip([[1, 1], settings.factor_one_base, settings.factor_two_bases])
    {
        let times: Vec<u32> = (0..5).map(|unit| (10 + unit) * numerator / denominator).collect();
        assert_eq!(*row, times);
    }
    assert_eq!(rows.len(), 3);
}
