//! What is read of the text that a bot is sent is what is seen.

use palestra_core::encoding::Reading;
use palestra_core::{AnyGame, Entrant, Heard, Match, Next, PlanRequest, Rng, Spent, TimeControl};
use palestra_generals::Generals;

/// Plays a match by drawn actions, each seat as a program that is sent text in pieces of some bytes.
fn play(map: Option<&str>, players: u8, seed: u64, piece: usize) -> u32 {
    let plan = Generals.plan(&PlanRequest { changes: &[], map, players, seed }).unwrap();
    let space = Generals.space(&plan).unwrap();
    let entrants: Vec<Entrant> = (0..players).map(|seat| Entrant::outside(seat.to_string())).collect();
    let mut game = Match::new(&Generals, plan, &entrants, TimeControl::Unlimited).unwrap();
    let mut readers: Vec<_> = entrants.iter().map(|_| Generals.reader(&[]).unwrap().unwrap()).collect();
    let (mut rng, mut seen, mut read) = (Rng::new(seed), space.page(), space.page());
    while let Next::Ask(seat, _) = game.next() {
        let text = std::mem::take(game.outbox(seat));
        let reader = &mut readers[seat.index()];
        let readings: Vec<Reading> = text.chunks(piece).map(|piece| reader.read(piece)).collect();
        let (last, before) = readings.split_last().unwrap();
        assert_eq!(*last, Reading::Turn);
        assert!(before.iter().all(|reading| *reading == Reading::More));
        game.state().observe(&space, seat, &[], &mut seen.open());
        reader.observe(&[], &mut read.open());
        assert_eq!(reader.space(), &space);
        assert_eq!(reader.seat(), seat);
        assert!(seen == read, "turn {}, seat {seat}", game.turns() + 1);
        let action = palestra_core::encoding::pick(&seen.mask, &mut rng).unwrap();
        let mut answer = Vec::new();
        assert!(reader.answer(&[action], &mut answer));
        assert!(!reader.answer(&[action, action], &mut Vec::new()));
        assert_eq!(game.receive(seat, &answer, Spent::NOTHING), Heard::TurnOver);
        let faults = game.faults();
        assert!(faults.is_empty(), "{faults:?}");
    }
    for (reader, seat) in readers.iter_mut().zip(palestra_core::Seat::all(players)) {
        let last = std::mem::take(game.outbox(seat));
        assert_eq!(reader.read(&last), Reading::Over);
    }
    game.turns()
}

#[test]
fn a_reader_sees_what_a_view_shows() {
    let tiny = Generals.maps().iter().find(|map| map.name == "tiny").unwrap().text;
    assert!(play(Some(tiny), 2, 1, 7) > 20);
    assert!(play(None, 2, 2, 1 << 16) > 20);
    assert!(play(None, 5, 3, 1000) > 20);
}

#[test]
fn what_no_game_says_is_told() {
    for text in [
        "0 3 2 1 ",
        "3 3 2 3 ",
        "3 3 99 1 ",
        "9999999 9999999 2 1 ",
        "a ",
        "1 1 1 1 1 1 1 3 1 ",
        "1 1 1 1 1 1 1 1 5 ",
    ] {
        let mut reader = Generals.reader(&[]).unwrap().unwrap();
        assert_eq!(reader.read(text.as_bytes()), Reading::Foreign, "{text}");
    }
}
