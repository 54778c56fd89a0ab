//! What every game's description of its protocol, and every kit made from it, must pass.

use super::{folder, play, some_matches};
use crate::commands::drive::packets;
use crate::games::GAMES;
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{AnyGame, Replay, Seat};
use palestra_kits::{Description, TABLE_BEGIN, answered, kit, languages, turns, with_table};
use palestra_testkit::compare;
use serde_json::Value;

fn described(game: &dyn AnyGame) -> Description {
    Description::read(game.info().folder.protocol)
        .unwrap_or_else(|error| panic!("{}: {error}", game.info().id))
}

fn sent(game: &dyn AnyGame, replay: &Replay, seat: Seat) -> String {
    let sent = packets(game, replay, seat, 0..=u32::MAX).expect("a replay that holds");
    String::from_utf8(sent).expect("protocols are text")
}

#[test]
fn the_packets_of_kits_are_what_a_seat_was_sent_golden() {
    for game in GAMES {
        let map = game.maps()[0].text;
        let names: Vec<&str> = game.built_ins().iter().map(|built_in| built_in.name).collect();
        let replay = play(*game, Some(map), &[names[2], names[0]], 1);
        compare(&folder(*game).join("kits/packets.txt"), &sent(*game, &replay, Seat::new(1)));
    }
}

#[test]
fn tables_of_rule_books_are_made_from_the_description_golden() {
    for game in GAMES {
        let description = described(*game);
        for (language, file) in [("en", "README.md"), ("hu", "README.hu.md"), ("ru", "README.ru.md")] {
            let path = folder(*game).join(file);
            let book = std::fs::read_to_string(&path).unwrap();
            assert!(book.contains(TABLE_BEGIN), "{} has no place for the table", path.display());
            compare(&path, &with_table(&book, &description, language));
        }
    }
}

#[test]
fn what_games_send_and_bots_answer_is_as_described() {
    for game in GAMES {
        let description = described(*game);
        for replay in some_matches(*game) {
            let mut asked = vec![0; usize::from(replay.head.plan.seats)];
            let mut cursor = Cursor::start(*game, &replay).unwrap();
            while let Some(turn) = cursor.peek(&replay).unwrap() {
                let (seat, is_answer) = (turn.seat, matches!(turn.input, Recorded::Answer(_)));
                asked[seat.index()] += 1;
                if is_answer {
                    let mut answer = Vec::new();
                    cursor.state().write_answer(&mut answer);
                    let answer = String::from_utf8(answer).unwrap();
                    answered(&description, &answer).unwrap_or_else(|why| panic!("{}: {why}", game.info().id));
                }
                cursor.advance(&replay).unwrap();
            }
            for (index, count) in asked.into_iter().enumerate() {
                let seat = Seat::new(index as u8 + 1);
                assert_eq!(turns(&description, &sent(*game, &replay, seat)), Ok(count), "{}", game.info().id);
            }
        }
    }
}

#[test]
fn every_kit_is_whole() {
    for game in GAMES {
        assert!(!languages(*game).is_empty(), "{}", game.info().id);
        assert_eq!(languages(*game).len(), game.info().folder.bots.len(), "a bot in an unknown language");
        for language in languages(*game) {
            let files = kit(*game, language).unwrap();
            let text = |name: &str| &files.iter().find(|(file, _)| file == name).expect(name).1;
            assert!(text(language.bot).to_lowercase().contains("choose"), "{}", language.id);
            assert!(!text(language.main).is_empty() && text("packets.txt").len() > 100);
            assert!(text("README.md").lines().count() <= 15 && text("README.md").contains("palestra submit"));
            for name in [".vscode/launch.json", ".vscode/tasks.json"] {
                let read: Result<Value, _> = serde_json::from_str(text(name));
                assert!(read.is_ok(), "{} {name}: {read:?}", language.id);
            }
            for (name, text) in &files {
                let left = text.contains("{{") || text.contains("{%");
                assert!(!left && text.ends_with('\n'), "{} {name}", language.id);
            }
        }
    }
}
