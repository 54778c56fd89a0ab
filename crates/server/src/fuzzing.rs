//! A door for fuzzers: what a browser can ask about a file that somebody dropped onto the page, and what it can answer.

use crate::api::Answer;
use crate::library::Library;
use crate::playback::Playback;
use palestra_core::{AnyGame, Entrant, Eye, Match, PlanRequest, Seat, TimeControl};

/// Asks about everything in a file: moments near and far, the whole at a glance, single turns.
pub fn look_through(games: &'static [&'static dyn AnyGame], file: &[u8]) {
    let Ok((_, mut playback, _)) = Library::new(games).read(file) else { return };
    let last = playback.turns();
    for eye in [Eye::Spectator, Eye::Seat(Seat::new(1))] {
        // Most of a chunk is known already: fuzzers have many files to look at.
        for (every, chunk, after) in [(1, 0, 124), (1, last / 128, 124), (64, 0, 0), (4096, 0, 0)] {
            let _ = playback.chunk(eye, every, chunk, after);
        }
        let _ = playback.overview(eye);
    }
    for turn in [0, 1, last / 2, last] {
        let _ = playback.turn_detail(Seat::new(playback.seats()), turn, true);
    }
}

/// Tries the body of an answer at the beginning of a match. What is taken is an answer that the match takes too.
pub fn take_answer(game: &'static dyn AnyGame, body: &[u8]) {
    let Ok(answer) = serde_json::from_slice::<Answer>(body) else { return };
    let request = PlanRequest { changes: &[], map: None, players: game.info().min_seats.max(2), seed: 1 };
    let plan = game.plan(&request).expect("a default map");
    let entrants: Vec<Entrant> = (0..plan.seats).map(|_| Entrant::outside("")).collect();
    let beginning = Match::new(game, plan, &entrants, TimeControl::Unlimited).expect("a match");
    let mut playback =
        Playback::of_replay(game, beginning.recorded().clone(), false, false).expect("a recording");
    let seat = playback.first_to_move().expect("somebody begins");
    let _ = playback.try_answer(seat, answer.text.as_bytes());
}
