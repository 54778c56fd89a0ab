//! The built-in players: never ignored, repeatable, and in the order of strength that is claimed.

use palestra_core::game::State as _;
use palestra_core::{Bot, BotSeat, Fate, Game, Notes, Outcome, Seat, play};
use palestra_rps::{Arena, Rps, Settings, State};

fn bot(name: &str, seat: Seat, seed: u64) -> Box<dyn Bot<Rps>> {
    let found = Rps::BUILT_INS.iter().find(|bot| bot.name == name);
    (found.unwrap().make)(BotSeat { seat, seed, argument: None }).unwrap()
}

fn play(settings: &Settings, names: [&str; 2], seed: u64) -> (Outcome, u32) {
    let mut state = State::start(settings, &Arena::new(settings.size).unwrap(), seed).unwrap();
    let mut bots = [0, 1]
        .map(|index| bot(names[index], Seat::at(index), seed * 2 + index as u64))
        .into_iter()
        .collect::<Vec<_>>();
    let mut notes = Notes::kept();
    play::play::<Rps>(&mut state, &mut bots, &mut notes, u64::MAX);
    assert!(notes.list().is_empty(), "{names:?}: {:?}", notes.list());
    let outcome = state.outcome().unwrap();
    assert!(outcome.placings.iter().all(|placing| placing.fate != Fate::Disqualified));
    (outcome, state.rounds())
}

/// Matches that the first of two wins, half of them as the starter.
fn wins(first: &str, second: &str, pairs: u64) -> u64 {
    let usual = Settings::default();
    (0..pairs)
        .map(|seed| {
            u64::from(play(&usual, [first, second], seed).0.winner == Some(Seat::new(1)))
                + u64::from(play(&usual, [second, first], seed).0.winner == Some(Seat::new(2)))
        })
        .sum()
}

#[test]
fn everybody_beats_those_that_are_said_to_be_weaker() {
    for (first, second, pairs, least) in [
        ("bot", "random", 20, 36),
        ("greedy", "random", 30, 58),
        ("greedy", "bot", 30, 58),
        ("marshal", "random", 30, 58),
        ("marshal", "bot", 30, 58),
        ("marshal", "greedy", 50, 95),
    ] {
        let wins = wins(first, second, pairs);
        assert!(wins >= least, "{first} against {second}: {wins} of {}", 2 * pairs);
    }
}

#[test]
fn everybody_finishes_in_every_arena_and_is_never_ignored() {
    let names = ["random", "bot", "greedy", "marshal"];
    for size in [4, 5, 8, 20, 40] {
        for one in names {
            for two in names {
                let settings = Settings { size, max_ticks: 1200, ..Settings::default() };
                play(&settings, [one, two], u64::from(size));
            }
        }
    }
    let crowded = Settings {
        size: 9,
        first_unit_ticks: 1,
        unit_ticks_growth: 0,
        max_ticks: 800,
        ..Settings::default()
    };
    for one in names {
        for two in names {
            play(&crowded, [one, two], 3);
        }
    }
}

#[test]
fn a_seed_decides_everything() {
    let usual = Settings::default();
    for names in [["random", "greedy"], ["marshal", "random"]] {
        assert_eq!(play(&usual, names, 9), play(&usual, names, 9));
    }
}

#[test]
fn no_built_in_player_takes_an_argument() {
    for built_in in Rps::BUILT_INS {
        let seat = BotSeat { seat: Seat::new(1), seed: 1, argument: Some("5") };
        assert_eq!((built_in.make)(seat).err().unwrap(), "it takes no argument, and got \"5\"");
    }
}
