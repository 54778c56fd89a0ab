//! The rule book keeps up with the game.

use palestra_core::game::{Setup as _, State as _};
use palestra_core::settings::Settings as _;
use palestra_core::{BotSeat, Eye, Game, Protocol, Seat};
use palestra_generals::{Generals, Map, Settings, State};

#[test]
fn every_setting_player_and_map_is_in_the_rule_book() {
    let book = Generals::INFO.folder.rule_book;
    for doc in Settings::docs() {
        assert!(book.contains(&format!("`{}`", doc.key)), "setting {}", doc.key);
        let row =
            book.lines().find(|line| line.starts_with("| `") && line.contains(&format!("`{}`", doc.key)));
        let default = doc.default.to_string().replace(['[', ']'], "");
        assert!(row.is_some_and(|row| row.contains(&format!("| {default} |"))), "the default of {}", doc.key);
        if let Some(range) = doc.range {
            let range = range.replace("..=", " to ");
            assert!(row.is_some_and(|row| row.contains(&format!("| {range} |"))), "the range of {}", doc.key);
        }
    }
    for bot in Generals::BUILT_INS {
        assert!(book.contains(&format!("`{}`", bot.name)), "player {}", bot.name);
        assert!((bot.make)(BotSeat { seat: Seat::new(1), seed: 0, argument: None }).is_ok());
    }
    for map in Generals::INFO.folder.maps {
        let setup = Map::read(&Settings::default(), map.text).unwrap();
        let size = format!("`{}` ({} x {})", map.name, setup.board().rows(), setup.board().columns());
        assert!(book.contains(&size), "{size}");
    }
}

#[test]
fn the_worked_example_is_what_is_sent() {
    let book = Generals::INFO.folder.rule_book;
    let block = |after: &str| {
        let rest = &book[book.find(after).unwrap()..];
        let start = rest.find("```\n").unwrap() + 4;
        &rest[start..start + rest[start..].find("```").unwrap()]
    };
    let settings = Settings::default();
    let map = Map::read(&settings, block("fair or not:")).unwrap();
    let state = State::start(&settings, &map, 0).unwrap();
    let view = state.view(Eye::Seat(Seat::new(1)));
    let mut sent = Vec::new();
    Generals::hello(view, &mut sent);
    Generals::ask(view, &mut sent);
    let example: String = block("### A worked example")
        .lines()
        .map(|line| format!("{}\n", line.split("   ").next().unwrap().trim_end()))
        .collect();
    assert_eq!(String::from_utf8(sent).unwrap(), example);
}
