//! The rule book keeps up with the game.

use palestra_core::game::{Setup as _, State as _};
use palestra_core::settings::Settings as _;
use palestra_core::{BotSeat, Eye, Game, Progress, Protocol, Seat};
use palestra_grifaki::{Grifaki, Map, Settings, State};

#[test]
fn every_setting_player_and_map_is_in_the_rule_book() {
    let book = Grifaki::INFO.folder.rule_book;
    for doc in Settings::docs() {
        let row = book.lines().find(|line| line.starts_with(&format!("| `{}` |", doc.key)));
        let row = row.unwrap_or_else(|| panic!("setting {}", doc.key));
        let default = doc.default.as_str().map_or_else(|| doc.default.to_string(), str::to_owned);
        assert!(row.contains(&format!("| {default} |")), "the default of {}: {default}", doc.key);
        if let Some(range) = doc.range {
            let range = range.replace("..=", " to ");
            assert!(row.contains(&format!("| {range} |")), "the range of {}", doc.key);
        }
    }
    for bot in Grifaki::BUILT_INS {
        assert!(book.contains(&format!("`{}`", bot.name)), "player {}", bot.name);
        assert!((bot.make)(BotSeat { seat: Seat::new(1), seed: 0, argument: None }).is_ok());
    }
    for map in Grifaki::INFO.folder.maps {
        let setup = Map::read(&Settings::default(), map.text).unwrap();
        let size = format!("`{}` ({} x {})", map.name, setup.board().rows(), setup.board().columns());
        assert!(book.contains(&size), "{size}");
        let start = State::start(&Settings::default(), &setup, 0).unwrap();
        assert_eq!(start.to_move(), Some(Seat::new(1)));
        assert_eq!(setup.write().lines().next(), map.text.lines().next());
    }
}

#[test]
fn the_worked_example_is_what_is_sent() {
    let book = Grifaki::INFO.folder.rule_book;
    let block = |after: &str| {
        let rest = &book[book.find(after).unwrap()..];
        let start = rest.find("```\n").unwrap() + 4;
        &rest[start..start + rest[start..].find("```").unwrap()]
    };
    let settings = Settings::default();
    let map = Map::read(&settings, block("connected or not:")).unwrap();
    let mut state = State::start(&settings, &map, 0).unwrap();
    let sent = |state: &State| {
        let view = state.view(Eye::Seat(Seat::new(1)));
        let mut sent = Vec::new();
        Grifaki::hello(view, &mut sent);
        Grifaki::ask(view, &mut sent);
        String::from_utf8(sent).unwrap()
    };
    let example: String = block("### A worked example")
        .lines()
        .map(|line| format!("{}\n", line.split("   ").next().unwrap().trim_end()))
        .collect();
    assert_eq!(sent(&state), example);
    for (answer, lines) in [
        ("MOVE 0 0 0 1 99\n", [(2, "2 1 0 1 1 CAPITAL"), (3, "99 1 0 1 0 PLAIN")]),
        ("MOVE 0 1 1 1 98\n", [(3, "1 1 0 1 0 PLAIN"), (7, "59 1 0 1 0 CITY")]),
    ] {
        for answer in [answer, "EMPTY\n"] {
            let seat = state.to_move().unwrap();
            let mut action = Default::default();
            Grifaki::parse(
                state.view(Eye::Seat(seat)),
                answer.as_bytes(),
                &mut Progress::default(),
                &mut action,
            );
            let mut notes = palestra_core::Notes::kept();
            state.apply(seat, palestra_core::Input::Answer(&action), &mut notes);
            assert!(notes.list().is_empty());
        }
        for (number, line) in lines {
            assert_eq!(sent(&state).lines().nth(number), Some(line), "after {answer}");
        }
    }
}
