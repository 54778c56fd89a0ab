//! The configurations, tests and logs of contests. The byte 0xF8 ends the file that is read; behind it is what every
//! file beside it says.

use palestra_core::legacy::{ConfigFile, LegacyConfig, PlayedGame};
use palestra_games::GAMES;

/// A file of a contest.
pub fn legacy(bytes: &[u8]) {
    let (file, beside) = match bytes.iter().position(|byte| *byte == 0xF8) {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    };
    palestra_server::fuzzing::look_through(GAMES, file);
    let Ok(text) = str::from_utf8(file) else { return };
    let beside = beside.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let config = ConfigFile { text, beside: &|_| beside.clone() };
    for game in GAMES {
        if let Ok(test) = game.read_test(text) {
            assert!(text.contains(test.map.trim()), "a test's map is what stands in it");
        }
        if let Some(Ok(LegacyConfig::Tournament(tournament))) = game.read_config(&config) {
            let scores = beside.clone().unwrap_or_default();
            let played: Vec<PlayedGame> = tournament
                .games
                .iter()
                .map(|game| PlayedGame { players: game.players.clone(), scores: scores.clone() })
                .collect();
            let _ = (tournament.table)(&tournament.players, &played);
        }
    }
}
