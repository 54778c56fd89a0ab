//! What every game must pass without asking: these tests walk the list of games and know none by name.

mod kits;

use crate::games::GAMES;
use palestra_core::course::{Course, Exercise, Goal};
use palestra_core::legacy::ConfigFile;
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{
    AnyGame, Catalog, Defeat, Entrant, Exit, Eye, Fate, Fault, Hides, Inbox, Match, Message, Next, Outcome,
    Parsed, Plan, PlanRequest, Replay, Rng, Seat, TimeControl, catalog, limits,
};
use palestra_testkit::{check_counters, check_messages};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder(game: &dyn AnyGame) -> PathBuf {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        [cli.join("../../games"), cli.join("tests/fixtures")].map(|folder| folder.join(game.info().id));
    folders.into_iter().find(|folder| folder.is_dir()).expect("a game is a folder")
}

/// Plays built-in players against each other to the end.
fn play(game: &dyn AnyGame, map: Option<&str>, bots: &[&str], seed: u64) -> Replay {
    let request = PlanRequest { changes: &[], map, players: bots.len() as u8, seed };
    play_plan(game, game.plan(&request).expect("a map for these players"), bots.iter().copied()).1
}

fn play_plan<'a>(game: &dyn AnyGame, plan: Plan, bots: impl Iterator<Item = &'a str>) -> (Outcome, Replay) {
    let entrants: Vec<Entrant> = bots.map(Entrant::built_in).collect();
    let mut running = Match::new(game, plan, &entrants, TimeControl::Unlimited).expect("a match");
    while running.next() != Next::Over {}
    running.finish(Vec::new()).expect("the game is over")
}

/// How many players a shipped map is for.
fn seats(game: &dyn AnyGame, map: &str) -> usize {
    let request = PlanRequest { changes: &[], map: Some(map), players: 2, seed: 0 };
    usize::from(game.plan(&request).expect("a shipped map is sound").seats)
}

/// A few matches of a game: every built-in player against each kind of neighbour, on small and generated maps.
fn some_matches(game: &dyn AnyGame) -> Vec<Replay> {
    let names: Vec<&str> = game.built_ins().iter().map(|built_in| built_in.name).collect();
    (0..names.len()).map(|i| play(game, None, &[names[i], names[(i + 1) % names.len()]], i as u64)).collect()
}

#[test]
fn every_built_in_player_finishes_on_every_shipped_map() {
    for game in GAMES {
        assert!(!game.maps().is_empty() && game.built_ins().len() >= 3);
        for (number, map) in game.maps().iter().enumerate() {
            let seats = seats(*game, map.text);
            for (offset, built_in) in game.built_ins().iter().enumerate() {
                let names: Vec<&str> =
                    (0..seats)
                        .map(|seat| {
                            if seat == number % seats {
                                built_in.name
                            } else {
                                nth_name(*game, offset + seat)
                            }
                        })
                        .collect();
                let replay = play(*game, Some(map.text), &names, number as u64);
                assert_eq!(replay.head.outcome.placings.len(), seats);
                assert!(replay.head.outcome.placings.iter().any(|placing| placing.place == 1));
            }
        }
    }
}

fn nth_name(game: &dyn AnyGame, number: usize) -> &'static str {
    let built_ins = game.built_ins();
    built_ins[number % built_ins.len()].name
}

#[test]
fn the_same_seed_plays_the_same_match() {
    for game in GAMES {
        let name = nth_name(*game, 1);
        let (one, two) = (play(*game, None, &[name, name], 5), play(*game, None, &[name, name], 5));
        assert_eq!(one, two);
        // By the map, or by a player that plays at random.
        let random = game
            .built_ins()
            .iter()
            .map(|built_in| built_in.name)
            .find(|name| name.contains("random"))
            .unwrap();
        let digest = |seed| play(*game, None, &[random, random], seed).head.digest;
        assert_ne!(digest(6), digest(7), "the seed decides what is left to chance");
    }
}

#[test]
fn a_replay_is_small_and_plays_again_to_the_same_end() {
    for game in GAMES {
        for replay in some_matches(*game) {
            let bytes = replay.to_bytes().unwrap();
            let read = Replay::from_bytes(&bytes).unwrap();
            assert_eq!(read, replay);
            assert_eq!(read.verify(*game).unwrap(), replay.head.turns);
            // Threads pack with what they have packed others with before: that leaves no trace.
            let alone = std::thread::spawn(move || replay.to_bytes().unwrap());
            assert_eq!(alone.join().unwrap(), bytes);
        }
    }
}

#[test]
fn a_replay_that_was_changed_does_not_hold() {
    for game in GAMES {
        let mut replay = play(*game, None, &[nth_name(*game, 1), nth_name(*game, 2)], 3);
        replay.head.plan.seed ^= 1;
        replay.head.digest[0] ^= 1;
        assert!(replay.verify(*game).is_err());
        replay.head.digest[0] ^= 1;
        replay.head.outcome.placings[0].place += 1;
        assert!(replay.verify(*game).is_err());
        replay.head.plan.seats += 1;
        assert!(replay.verify(*game).unwrap_err().to_string().contains("number of seats"));
        for export in game.exports() {
            let error = game.export(export.name, &replay, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains("number of seats"), "{}: {error}", export.name);
        }
        replay.head.rules_version += 1;
        assert!(replay.verify(*game).unwrap_err().to_string().contains("version"));
    }
}

#[test]
fn damaged_replays_are_errors_and_never_panics() {
    let mut rng = Rng::new(9);
    for game in GAMES {
        let bytes = play(*game, None, &[nth_name(*game, 1), nth_name(*game, 2)], 3).to_bytes().unwrap();
        for length in (0..bytes.len()).step_by(7) {
            assert!(Replay::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
        }
        for _ in 0..400 {
            let mut changed = bytes.clone();
            let at = rng.below(changed.len() as u32) as usize;
            changed[at] ^= 1 << rng.below(8);
            // Either the change is noticed, or it is in a byte that nothing depends on.
            if let Ok(replay) = Replay::from_bytes(&changed) {
                let _ = replay.verify(*game);
            }
        }
        let mut grown = bytes.clone();
        grown.extend_from_slice(b"more");
        assert!(Replay::from_bytes(&grown).is_err());
    }
    assert!(Replay::from_bytes(b"").is_err());
    assert!(Replay::from_bytes(b"PALESTRA").is_err());
}

#[test]
fn a_replay_that_declares_too_much_is_refused_before_it_is_unpacked() {
    let mut file = b"PALESTRA\x01\x00".to_vec();
    file.extend_from_slice(&u32::MAX.to_le_bytes().repeat(3));
    let error = Replay::from_bytes(&file).unwrap_err().to_string();
    assert!(error.contains(&limits::REPLAY_HEAD_BYTES.to_string()), "{error}");
    let error = Replay::from_bytes(b"PALESTRA\xff\x00............").unwrap_err().to_string();
    assert!(error.contains("newer"), "{error}");
}

#[test]
fn what_is_hidden_changes_no_byte_of_what_a_seat_is_sent() {
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 2), nth_name(*game, 3)], 8);
        let mut disturbed = 0;
        for (seed, stop) in
            (0..replay.head.turns).step_by((replay.head.turns as usize / 25).max(1)).enumerate()
        {
            for seat in Seat::all(replay.head.plan.seats) {
                let mut cursor = Cursor::start(*game, &replay).unwrap();
                for _ in 0..stop {
                    cursor.advance(&replay).unwrap();
                }
                let sent = |cursor: &Cursor| {
                    let mut bytes = Vec::new();
                    cursor.state().hello(seat, &mut bytes);
                    cursor.state().ask(seat, &mut bytes);
                    (bytes, cursor.state().frame(Eye::Seat(seat)))
                };
                let (before, digest) = (sent(&cursor), cursor.state().digest());
                if cursor.state_mut().disturb_hidden(seat, seed as u64) {
                    disturbed += 1;
                    assert_ne!(cursor.state().digest(), digest, "something was changed");
                    assert_eq!(sent(&cursor), before, "turn {stop}, seat {seat}");
                }
            }
        }
        // A game that hides something must have been put to the test.
        assert_eq!(disturbed > 10, game.info().hides != Hides::Nothing, "{}", game.info().id);
    }
}

#[test]
fn every_answer_reads_as_it_is_written() {
    for game in GAMES {
        for replay in some_matches(*game) {
            let mut cursor = Cursor::start(*game, &replay).unwrap();
            while let Some(turn) = cursor.peek(&replay).unwrap() {
                if let Recorded::Answer(recorded) = turn.input {
                    let mut text = Vec::new();
                    cursor.state().write_answer(&mut text);
                    assert_eq!(cursor.state_mut().parse(turn.seat, &text), Parsed::Done { used: text.len() });
                    assert!(cursor.state().answer_is(recorded));
                }
                cursor.advance(&replay).unwrap();
            }
        }
    }
}

#[test]
fn answers_of_a_thousand_shapes_never_panic_and_never_take_more_than_there_is() {
    const WORDS: &[&str] = &[
        "0",
        "1",
        "2",
        "-1",
        "3",
        "20",
        "999999999999",
        "-99999999999999999999",
        "x",
        "MOVE",
        ".",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\0",
        "é",
        "1.5",
        "+1",
        "--1",
        "0x10",
        "prod",
        "left",
    ];
    let mut rng = Rng::new(4);
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 1), nth_name(*game, 2)], 2);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        let seat = cursor.state().to_move().unwrap();
        for round in 0..3000 {
            let mut bytes = Vec::new();
            for _ in 0..rng.below(12) {
                if round % 3 == 0 {
                    bytes.push(rng.below(256) as u8);
                } else {
                    bytes.extend_from_slice(rng.pick(WORDS).unwrap().as_bytes());
                    bytes.push(*rng.pick(b" \n ").unwrap());
                }
            }
            if let Parsed::Done { used } = cursor.state_mut().parse(seat, &bytes) {
                assert!(used <= bytes.len() && used > 0, "{bytes:?}");
                // What was read is what is carried out, whatever it is.
                let mut table = game.open(&replay.head.plan).unwrap();
                assert!(matches!(table.parse(seat, &bytes), Parsed::Done { .. }));
                table.apply(seat, 1);
            }
        }
    }
}

#[test]
fn an_answer_in_pieces_is_the_same_answer_and_no_more_work() {
    // What makes an answer long without making it another one, here or there.
    let (blanks, zeros, lines) = (" ".repeat(20_000), "0".repeat(20_000), "x y z\n".repeat(5_000));
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 1), nth_name(*game, 2)], 2);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        let mut texts: Vec<Vec<u8>> = ["1", "1000\n", "prod R\n", "EMPTY", "MOVE"]
            .into_iter()
            .flat_map(|start| {
                [&blanks, &zeros, &lines].map(|long| format!("{long}{start}{long}{start}\n.\n").into_bytes())
            })
            .collect();
        texts.push(format!("1000\n{}", "1 2 3 and so on, and on\n".repeat(1000)).into_bytes());
        let seat = cursor.state().to_move().unwrap();
        while let Some(turn) = cursor.peek(&replay).unwrap() {
            if turn.seat == seat && texts.len() < 100 {
                let mut text = Vec::new();
                cursor.state().write_answer(&mut text);
                texts.push([text.as_slice(), &text].concat());
            }
            cursor.advance(&replay).unwrap();
        }
        let mut table = game.open(&replay.head.plan).unwrap();
        for text in texts {
            let mut read = |size: usize| {
                let (mut inbox, mut work) = (Inbox::default(), 0);
                for piece in text.chunks(size) {
                    inbox.add(piece);
                    let parsed = inbox.read(table.unit(), |bytes, progress| {
                        work += bytes.len() - progress.read;
                        table.parse_on(seat, bytes, progress)
                    });
                    if parsed != Parsed::NeedMore {
                        let mut held = Vec::new();
                        table.encode_answer(&mut held);
                        return (Some((parsed, held)), work);
                    }
                }
                (None, work)
            };
            let (whole, _) = read(text.len());
            for size in [1, 7] {
                let (answer, work) = read(size);
                assert_eq!(answer, whole, "{}", game.info().id);
                // Whoever reads by words reads a handful of them, and from the beginning each time.
                assert!(
                    work <= 8 * text.len(),
                    "{}: {work} bytes were looked at for {}",
                    game.info().id,
                    text.len()
                );
            }
        }
    }
}

#[test]
fn every_seat_is_dismissed_exactly_once_and_by_the_end() {
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 2), nth_name(*game, 1)], 1);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        while cursor.advance(&replay).unwrap().is_some() {}
        for seat in Seat::all(replay.head.plan.seats) {
            let mut words = Vec::new();
            assert!(cursor.state().dismissal(seat, &mut words) && !words.is_empty());
        }
        let fresh = Cursor::start(*game, &replay).unwrap();
        for seat in Seat::all(replay.head.plan.seats) {
            assert!(!fresh.state().dismissal(seat, &mut Vec::new()), "not before the game has begun");
        }
    }
}

#[test]
fn every_frame_is_an_object_for_everybody() {
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 2), nth_name(*game, 1)], 1);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        for _ in 0..50 {
            for eye in [Eye::Spectator, Eye::Seat(Seat::new(1)), Eye::Seat(Seat::new(2))] {
                let value = cursor.state().frame(eye);
                assert!(value.is_object());
            }
            if cursor.advance(&replay).unwrap().is_none() {
                break;
            }
        }
    }
}

#[test]
fn counters_are_what_the_frame_says() {
    for game in GAMES {
        assert!(!game.counters().is_empty());
        let replay = play(*game, None, &[nth_name(*game, 2), nth_name(*game, 3)], 4);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        loop {
            let table = cursor.state();
            for eye in Seat::all(table.seats()).map(Eye::Seat).chain([Eye::Spectator]) {
                let frame = table.frame(eye);
                let to_move = frame.get("to_move").expect("every frame says who is to move");
                assert_eq!(to_move.as_u64(), table.to_move().map(|seat| u64::from(seat.number())));
                let players = frame["players"].as_array().expect("every frame has players");
                assert_eq!(players.len(), usize::from(table.seats()));
                for (seat, player) in Seat::all(table.seats()).zip(players) {
                    for (number, counter) in game.counters().iter().enumerate() {
                        let shown = player.get(counter.key).map(|count| count.as_u64().expect("a count"));
                        assert_eq!(table.count(eye, seat, number), shown, "{}, {eye:?}", counter.key);
                    }
                    assert_eq!(table.count(eye, seat, game.counters().len()), None);
                }
            }
            if cursor.advance(&replay).unwrap().is_none() {
                break;
            }
        }
    }
}

#[test]
fn a_fork_played_on_with_the_same_answers_comes_to_the_same_end() {
    for game in GAMES {
        let replay = play(*game, None, &[nth_name(*game, 1), nth_name(*game, 2)], 6);
        let mut cursor = Cursor::start(*game, &replay).unwrap();
        for _ in 0..replay.head.turns / 2 {
            cursor.advance(&replay).unwrap();
        }
        let mut fork = cursor.state().fork();
        let forked_at = fork.digest();
        assert_eq!(forked_at, cursor.state().digest());
        while let Some(turn) = cursor.advance(&replay).unwrap() {
            match turn.input {
                Recorded::Answer(recorded) => {
                    assert_eq!(fork.decode_answer(recorded), Some(recorded.len()));
                    fork.apply(turn.seat, turn.number);
                }
                Recorded::Fault(fault) => fork.fault(turn.seat, turn.number, fault),
            }
        }
        assert_ne!(fork.digest(), forked_at, "the fork was played on");
        assert_eq!(fork.digest(), replay.head.digest);
        assert_eq!(fork.outcome().as_ref(), Some(&replay.head.outcome));
    }
}

#[test]
fn who_could_not_be_started_is_out_before_the_first_turn() {
    for game in GAMES {
        let id = game.info().id;
        let players = game.info().max_seats.min(3);
        let request = PlanRequest { changes: &[], map: None, players, seed: 3 };
        let plan = game.plan(&request).unwrap();
        let built_in = || Entrant::built_in(nth_name(*game, 1));
        let absent = || Entrant::absent("gone");
        let mut entrants = vec![absent()];
        entrants.resize_with(usize::from(players), built_in);
        let mut playing = Match::new(*game, plan.clone(), &entrants, TimeControl::Unlimited).unwrap();
        assert!(!playing.state().plays(Seat::new(1)), "{id}");
        while playing.next() != Next::Over {}
        let (outcome, replay) = playing.finish(Vec::new()).unwrap();
        assert_eq!(outcome.placings[0].reason.code(), "not_started", "{id}: {outcome:?}");
        assert_eq!(outcome.placings[0].place, u32::from(players), "{id}: {outcome:?}");
        let replay = Replay::from_bytes(&replay.to_bytes().unwrap()).unwrap();
        replay.verify(*game).unwrap_or_else(|error| panic!("{id}: {error}"));
        for export in game.exports() {
            game.export(export.name, &replay, &mut Vec::new()).unwrap();
        }
        for impossible in [vec![Seat::new(64)], vec![Seat::new(1), Seat::new(1)]] {
            let mut wrong = replay.clone();
            wrong.head.plan.absent = impossible;
            assert!(Replay::from_bytes(&wrong.to_bytes().unwrap()).is_err(), "{id}");
        }
        entrants.fill_with(absent);
        let nobody = Match::new(*game, plan, &entrants, TimeControl::Unlimited).unwrap();
        let (outcome, replay) = nobody.finish(Vec::new()).unwrap();
        assert_eq!((outcome.winner, replay.head.turns), (None, 0), "{id}");
        replay.verify(*game).unwrap();
    }
}

#[test]
fn who_leaves_while_another_is_to_move_is_out_at_once_and_the_replay_says_so() {
    for (game, players) in GAMES.iter().flat_map(|game| [(game, 2), (game, game.info().max_seats.min(3))]) {
        let id = game.info().id;
        let request = PlanRequest { changes: &[], map: None, players, seed: 3 };
        let plan = game.plan(&request).unwrap();
        let entrants = vec![Entrant::built_in(nth_name(*game, 1)); usize::from(players)];
        for turns in [0, 1, 2, 11] {
            let mut playing = Match::new(*game, plan.clone(), &entrants, TimeControl::Unlimited).unwrap();
            for _ in 0..turns {
                playing.next();
            }
            let to_move = playing.state().to_move();
            let leaver = Seat::all(players).rfind(|seat| to_move != Some(*seat)).unwrap();
            let rounds = playing.state().rounds();
            playing.leave(leaver, Exit::ClosedOutput);
            // Who is out cannot leave again.
            playing.leave(leaver, Exit::ClosedOutput);
            assert!(!playing.state().plays(leaver), "{id}");
            assert_eq!(playing.state().rounds(), rounds, "{id}: nobody has moved");
            assert_eq!(playing.state().to_move(), to_move.filter(|_| players > 2), "{id}");
            while playing.next() != Next::Over {}
            let (outcome, replay) = playing.finish(Vec::new()).unwrap();
            let placing = &outcome.placings[leaver.index()];
            assert_eq!((placing.place, placing.fate), (u32::from(players), Fate::Disqualified), "{id}");
            assert_eq!(replay.head.departures, [(turns + 1, leaver)], "{id}");
            let replay = Replay::from_bytes(&replay.to_bytes().unwrap()).unwrap();
            replay.verify(*game).unwrap_or_else(|error| panic!("{id}: {error}"));
            replay.with_fault_kinds_only(*game, |_| false).unwrap().verify(*game).unwrap();
            for export in game.exports() {
                game.export(export.name, &replay, &mut Vec::new()).unwrap();
            }
            palestra_server::fuzzing::look_through(GAMES, &replay.to_bytes().unwrap());
            for impossible in [vec![(turns + 1, Seat::new(64))], vec![(turns + 2, leaver)]] {
                let mut wrong = replay.clone();
                wrong.head.departures = impossible;
                assert!(Replay::from_bytes(&wrong.to_bytes().unwrap()).is_err(), "{id}");
            }
            // Who is out has nothing to leave.
            let mut twice = replay.clone();
            twice.head.faults.push((turns + 2, Fault::OutOfTime));
            twice.head.departures.push((turns + 2, leaver));
            twice.head.turns = twice.head.turns.max(turns + 2);
            assert!(twice.verify(*game).is_err(), "{id}");
        }
    }
}

#[test]
fn replays_of_former_versions_still_hold() {
    let mut versions = BTreeSet::new();
    for game in GAMES {
        let mut files: Vec<PathBuf> =
            folder(*game).join("replays").read_dir().unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{}", game.info().id);
        for path in files {
            let file = std::fs::read(&path).unwrap();
            let replay = Replay::from_bytes(&file).unwrap();
            replay.verify(*game).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let again = replay.to_bytes().unwrap();
            assert_eq!(again[8..10], file[8..10], "{} is written again in its own version", path.display());
            assert_eq!(Replay::from_bytes(&again).unwrap(), replay, "{}", path.display());
            versions.insert(file[8]);
            let mut changed = replay;
            changed.head.digest[0] ^= 1;
            assert!(changed.verify(*game).is_err(), "{}", path.display());
        }
    }
    assert_eq!(versions, BTreeSet::from([1, 2, 3]), "somebody failed, could not be started, and left");
}

#[test]
fn whoever_lost_is_told_why_in_three_sentences_and_where_to_look() {
    for game in GAMES {
        let crowd = game.maps().iter().max_by_key(|map| seats(*game, map.text)).expect("maps ship");
        let players: Vec<&str> = (0..seats(*game, crowd.text)).map(|seat| nth_name(*game, seat)).collect();
        let recorded = std::fs::read_dir(folder(*game).join("replays")).unwrap();
        let recorded = recorded.map(|file| Replay::from_bytes(&std::fs::read(file.unwrap().path()).unwrap()));
        let mut replays: Vec<Replay> = recorded.map(|replay| replay.unwrap().renewed(*game)).collect();
        replays.extend(some_matches(*game));
        replays.push(play(*game, Some(crowd.text), &players, 3));
        for replay in replays {
            let found = palestra_core::defeats(*game, &replay).unwrap();
            let placings = replay.head.outcome.placings.iter().enumerate();
            let lost: Vec<Seat> =
                placings.filter(|(_, placing)| placing.place > 1).map(|(index, _)| Seat::at(index)).collect();
            assert_eq!(found.iter().map(|defeat| defeat.seat).collect::<Vec<_>>(), lost);
            for defeat in &found {
                let sentences = defeat.sentences("palestra drive".to_owned());
                let absent = replay.head.plan.absent.contains(&defeat.seat);
                assert_eq!(sentences.len(), if absent { 1 } else { 3 }, "{sentences:?}");
                for language in catalog::LANGUAGES {
                    for told in sentences.iter().map(|told| Catalog::of(game.info(), language).say(told)) {
                        assert!(!told.contains(['{', '}']), "{told}");
                    }
                }
                if !absent {
                    check_defeat(*game, &replay, defeat);
                }
            }
            // Those who may not know more of a fault than its kind are told of the same turns.
            let public = replay.with_fault_kinds_only(*game, |_| false).unwrap();
            let told = palestra_core::defeats(*game, &public).unwrap();
            let turns = |list: &[Defeat]| list.iter().map(|defeat| defeat.turn).collect::<Vec<_>>();
            assert_eq!(turns(&told), turns(&found));
        }
    }
}

/// The turn to look at is one that the player took, and the numbers are those of the game at its end.
fn check_defeat(game: &dyn AnyGame, replay: &Replay, defeat: &Defeat) {
    let mut cursor = Cursor::start(game, replay).unwrap();
    let mut own = defeat.turn == 0;
    let mut last = None;
    while let Some(turn) = cursor.advance(replay).unwrap() {
        own |= turn.number == defeat.turn && turn.seat == defeat.seat;
        if last.is_none() && cursor.state().to_move().is_some() && !cursor.state().plays(defeat.seat) {
            last = Some(cursor.fork());
        }
    }
    assert!(own, "{defeat:?}");
    let balance = defeat.balance.as_ref().expect("every game of ours counts something");
    let key = balance.value("counter").unwrap().as_str().unwrap();
    let counter = game.counters().iter().position(|counter| counter.key == key).unwrap();
    let state = last.as_ref().map_or(cursor.state(), |cursor| cursor.state());
    let count = |seat| state.count(Eye::Spectator, seat, counter).unwrap();
    assert_eq!(balance.value("own_end").unwrap(), count(defeat.seat), "{defeat:?}");
    assert_eq!(balance.value("all_end").unwrap(), Seat::all(replay.head.plan.seats).map(count).sum::<u64>());
}

/// The replay of a match of a course that this built-in player takes.
fn exercise(game: &dyn AnyGame, exercise: &Exercise, player: &str) -> Replay {
    let plan = exercise.plan(game).unwrap_or_else(|error| panic!("{}: {error}", game.info().id));
    let entrants: Vec<Entrant> =
        exercise.seats().into_iter().map(|seat| Entrant::built_in(seat.unwrap_or(player))).collect();
    let mut running = Match::new(game, plan, &entrants, TimeControl::Unlimited).expect("a match");
    while running.next() != Next::Over {}
    running.finish(Vec::new()).expect("the game is over").1
}

#[test]
fn every_step_of_every_course_is_passed_by_who_does_it_and_by_nobody_else() {
    let mut wrong = Vec::new();
    for game in GAMES {
        let (course, id) = (Course::of(game.info()), game.info().id);
        assert!(!course.steps.is_empty(), "{id} has no course");
        let names: BTreeSet<&str> = course.steps.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names.len(), course.steps.len(), "{id}: two steps have one name");
        for step in &course.steps {
            let known = |key: &str| game.counters().iter().any(|counter| counter.key == key);
            let sound = |goal: &Goal| !matches!(goal, Goal::Counter { key, .. } if !known(key));
            assert!(!step.goals.is_empty() && step.goals.iter().all(sound), "{id}: {}", step.name);
            for (player, passes) in [(&step.solved_by, true), (&step.missed_by, false)] {
                if player.contains('/') {
                    assert!(folder(*game).join(player).is_file(), "{id} has no {player}");
                    continue;
                }
                let missed: Vec<Vec<Message>> = step
                    .matches
                    .iter()
                    .map(|played| {
                        let replay = exercise(*game, played, player);
                        assert!(
                            replay.head.turns <= limits::COURSE_TURNS,
                            "{id}: {} takes too long",
                            step.name
                        );
                        played.judge(*game, &step.goals, &replay).unwrap()
                    })
                    .collect();
                let held = missed.iter().filter(|missed| missed.is_empty()).count();
                if (held >= step.needed()) != passes {
                    wrong.push(format!(
                        "{id}, {}: {player} {held} of {}: {missed:?}",
                        step.name,
                        step.needed()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_step_of_every_course_is_told_in_every_language() {
    for game in GAMES {
        let course = Course::of(game.info());
        for language in catalog::LANGUAGES {
            let file = folder(*game).join("words").join(format!("{language}.json"));
            let words: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
            let told: BTreeSet<&str> =
                words["course"].as_object().unwrap().keys().map(String::as_str).collect();
            let steps: BTreeSet<&str> = course.steps.iter().map(|step| step.name.as_str()).collect();
            assert_eq!(told, steps, "{}, {language}", game.info().id);
            let catalog = Catalog::of(game.info(), language);
            for step in &course.steps {
                let words = catalog.step(&step.name).unwrap();
                for text in [&words.title, &words.task, &words.hint] {
                    assert!(!text.is_empty() && text.trim() == text, "{text:?}");
                }
            }
        }
    }
}

#[test]
fn golden_messages_are_told_in_every_language() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core");
    let common = catalog::samples();
    check_messages(&core.join("golden/messages.json"), &core.join("words"), &common, Catalog::core);
    for game in GAMES {
        let (folder, words) = (folder(*game), folder(*game).join("words"));
        let messages = game.messages();
        let catalog = |language| Catalog::of(game.info(), language);
        check_messages(&folder.join("golden/messages.json"), &words, &messages, catalog);
        let counters = game.counters().iter().map(|counter| (counter.key, counter.marked));
        check_counters(&words, &counters.collect::<Vec<_>>());
    }
}

#[test]
fn every_log_format_can_be_written() {
    for game in GAMES {
        for replay in some_matches(*game) {
            for export in game.exports() {
                game.export(export.name, &replay, &mut Vec::new()).unwrap();
            }
            assert!(game.export("nonsense", &replay, &mut Vec::new()).is_err());
        }
    }
}

#[test]
fn maps_are_made_repeatably_and_shipped_maps_read_as_they_are_written() {
    for game in GAMES {
        for map in game.maps() {
            let plan = |text: &str| {
                game.plan(&PlanRequest { changes: &[], map: Some(text), players: 2, seed: 0 }).unwrap()
            };
            let once = plan(map.text);
            assert_eq!(plan(&once.setup), once, "{}", map.name);
        }
        let numbers: Vec<u32> =
            game.map_arguments().iter().map(|name| if *name == "players" { 2 } else { 12 }).collect();
        assert_eq!(game.generate(&[], &numbers, 4).unwrap(), game.generate(&[], &numbers, 4).unwrap());
        // A map with places for players leaves something to chance.
        if game.map_arguments().contains(&"players") {
            assert_ne!(game.generate(&[], &numbers, 4).unwrap(), game.generate(&[], &numbers, 5).unwrap());
        }
        assert!(game.generate(&[], &numbers[1..], 4).is_err());
        for nonsense in
            ["", "1", "-5 5 5", "hello", "999999999 999999999 9", "2 2 2 1 1 1", "18446744073709551616"]
        {
            assert!(
                game.plan(&PlanRequest { changes: &[], map: Some(nonsense), players: 2, seed: 0 }).is_err()
            );
            assert!(game.read_test(nonsense).is_err());
        }
    }
}

#[test]
fn configurations_are_told_apart_by_their_content() {
    for text in ["", "hello", "{\"width\": 5}", "[cup]\ngame = 1", "\0\0\0"] {
        for game in GAMES {
            assert!(
                game.read_config(&ConfigFile::alone(text)).is_none(),
                "{} takes {text:?}",
                game.info().id
            );
        }
    }
}

/// Whether that is what a built-in player is for: it does so wherever it plays.
fn gives_up(game: &dyn AnyGame, bot: &str) -> bool {
    let request = PlanRequest { changes: &[], map: None, players: 2, seed: 1 };
    let plan = game.plan(&request).expect("a map for two");
    let (outcome, _) = play_plan(game, plan, [bot, bot].into_iter());
    outcome.placings.iter().any(|placing| placing.fate == Fate::Disqualified)
}

#[test]
fn every_situation_has_one_free_seat_and_can_be_played_by_every_built_in() {
    for game in GAMES {
        assert!(game.situations().len() >= 4);
        for situation in game.situations() {
            assert_eq!(situation.seats.iter().filter(|seat| seat.is_none()).count(), 1, "{}", situation.name);
            let request = PlanRequest {
                changes: &situation.changes(),
                map: situation.map,
                players: situation.seats.len() as u8,
                seed: 1,
            };
            let plan = game.plan(&request).unwrap_or_else(|error| panic!("{}: {error}", situation.name));
            assert_eq!(usize::from(plan.seats), situation.seats.len(), "{}", situation.name);
            for name in situation.seats.iter().flatten() {
                assert!(game.built_ins().iter().any(|built_in| built_in.answers_to(name)), "{name}");
            }
            for own in game.built_ins() {
                let bots: Vec<&str> = situation.seats.iter().map(|seat| seat.unwrap_or(own.name)).collect();
                let (outcome, replay) = play_plan(*game, plan.clone(), bots.iter().copied());
                let told = format!("{}, {}, {}", game.info().id, situation.name, own.name);
                for (bot, placing) in bots.iter().zip(&outcome.placings) {
                    assert!(placing.fate != Fate::Disqualified || gives_up(*game, bot), "{told}: {bot}");
                }
                assert_eq!(replay.verify(*game).expect("it holds"), replay.head.turns, "{told}");
            }
        }
    }
}

/// What a rule book has in every language: its headings, its blocks but for what they say about themselves, and of
/// every row of a table how many cells it has and which words of the protocol.
fn skeleton(book: &str) -> Vec<String> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in book.lines() {
        if line.starts_with("```") {
            inside = !inside;
            lines.push(line.to_owned());
        } else if inside {
            // Remarks stand apart, behind what is sent.
            lines.push(line.trim().split("  ").next().unwrap_or_default().to_owned());
        } else if line.starts_with('#') {
            lines.push(line.chars().take_while(|letter| *letter == '#').collect());
        } else if line.starts_with('|') {
            let words: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
            lines.push(format!("{} cells: {}", line.matches('|').count(), words.join(" ")));
        }
    }
    lines
}

#[test]
fn rule_books_say_the_same_in_every_language() {
    for game in GAMES {
        let info = game.info();
        for (language, book) in info.folder.translations {
            assert_ne!(*book, info.folder.rule_book);
            let (english, translated) = (skeleton(info.folder.rule_book), skeleton(book));
            for (line, other) in english.iter().zip(&translated) {
                assert_eq!(line, other, "{} in {language}", info.id);
            }
            assert_eq!(english.len(), translated.len(), "{} in {language}", info.id);
        }
    }
}

#[test]
fn every_game_is_complete_on_disk() {
    for game in GAMES {
        let folder = folder(*game);
        for file in
            ["README.md", "src/lib.rs", "src/settings.rs", "src/state.rs", "src/view.rs", "src/protocol.rs"]
        {
            assert!(folder.join(file).is_file(), "{}", folder.join(file).display());
        }
        for dir in ["maps", "golden"] {
            assert!(folder.join(dir).read_dir().unwrap().count() > 0, "{}", folder.join(dir).display());
        }
        assert_eq!(folder.join("maps").read_dir().unwrap().count(), game.maps().len(), "every map ships");
        assert!(game.info().folder.rule_book.len() > 2000);
        let translated: Vec<&str> = game.info().folder.translations.iter().map(|(code, _)| *code).collect();
        assert_eq!(translated, ["hu", "ru"], "{}", game.info().id);
        assert!(game.settings().iter().all(|setting| setting.doc.len() > 10));
    }
}
