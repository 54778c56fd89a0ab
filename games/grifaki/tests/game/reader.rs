//! What is read of the text that a bot is sent is what is seen.

use palestra_core::encoding::Reading;
use palestra_core::{AnyGame, Entrant, Heard, Match, Next, PlanRequest, Rng, Spent, TimeControl};
use palestra_grifaki::Grifaki;

/// Plays a match by drawn actions, each seat as a program that is sent text in pieces of some bytes.
fn play(map: Option<&str>, players: u8, seed: u64, piece: usize) -> u32 {
    let plan = Grifaki.plan(&PlanRequest { changes: &[], map, players, seed }).unwrap();
    let space = Grifaki.space(&plan).unwrap();
    let entrants: Vec<Entrant> = (0..players).map(|seat| Entrant::outside(seat.to_string())).collect();
    let mut game = Match::new(&Grifaki, plan, &entrants, TimeControl::Unlimited).unwrap();
    let mut readers: Vec<_> = entrants.iter().map(|_| Grifaki.reader(&[]).unwrap().unwrap()).collect();
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
        reader.answered(&answer);
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
    let tiny = Grifaki.maps().iter().find(|map| map.name == "tiny").unwrap().text;
    assert!(play(Some(tiny), 2, 1, 7) > 20);
    assert!(play(None, 2, 2, 1 << 16) > 20);
    assert!(play(None, 5, 3, 1000) > 20);
}

#[test]
fn what_was_built_is_counted_where_it_was_allowed() {
    let mut reader = Grifaki.reader(&[]).unwrap().unwrap();
    let board = |units: u32, wall: u8| format!("0\n{units} 1 {wall} 1 1 CAPITAL\n0 0 0 0 0 PLAIN\n");
    assert_eq!(reader.read(format!("1 2 2 1\n{}", board(300, 0)).as_bytes()), Reading::Turn);
    let prices = |reader: &dyn palestra_core::encoding::Reader| {
        let mut page = reader.space().page();
        reader.observe(&[], &mut page.open());
        let price = |name: &str| {
            let globals = &reader.space().globals;
            page.globals[globals.iter().position(|channel| channel.name == name).unwrap()]
        };
        [price("wall_price"), price("city_price")]
    };
    assert_eq!(prices(&*reader), [50, 200]);
    for refused in ["BUILD 0 0 0 1 WALL\n", "BUILD 0 0 0 0 CITY\n", "BUILD 0 1 0 0 WALL\n", "EMPTY\n", "?\n"]
    {
        reader.answered(refused.as_bytes());
        assert_eq!(prices(&*reader), [50, 200], "{refused}");
    }
    reader.answered(b"BUILD 0 0 0 0 WALL\n");
    assert_eq!(reader.read(board(250, 1).as_bytes()), Reading::Turn);
    assert_eq!(prices(&*reader), [55, 200]);
}

#[test]
fn what_no_game_says_is_told() {
    for text in [
        "0 3 2 1 ",
        "3 3 2 3 ",
        "3 3 99 1 ",
        "9999999 9999999 2 1 ",
        "a ",
        "1 1 1 1 0 1 1 0 1 1 HILL ",
        "1 1 1 1 0 1 9 0 1 1 CAPITAL ",
        "1 1 1 1 0 1 1 0 1 CAPITAL 1 ",
    ] {
        let mut reader = Grifaki.reader(&[]).unwrap().unwrap();
        assert_eq!(reader.read(text.as_bytes()), Reading::Foreign, "{text}");
    }
}
