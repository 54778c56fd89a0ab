//! Games between built-in players, and what each of them owes.

use palestra_core::game::{SettingsOf, SetupOf, State as _, built_in};
use palestra_core::{Bot, BotSeat, Fate, Game, Notes, Outcome, Seat, play};

/// These players, by seat.
pub(crate) fn seated<G: Game>(names: &[&str], seed: impl Fn(usize) -> u64) -> Vec<Box<dyn Bot<G>>> {
    let seat = |(index, name): (usize, &&str)| built_in(name, Seat::at(index), seed(index));
    names.iter().enumerate().map(|player| seat(player).expect("a built-in player")).collect()
}

/// Plays a whole game of built-in players, of whose answers there is nothing to remark; gives its outcome and its rounds.
pub fn play_cleanly<G: Game>(
    settings: &SettingsOf<G>,
    setup: &SetupOf<G>,
    names: &[&str],
    seed: u64,
) -> (Outcome, u32) {
    let mut state = G::State::start(settings, setup, seed).expect("a sound start");
    let mut bots = seated::<G>(names, |index| seed * 100 + index as u64);
    let mut notes = Notes::kept();
    play::play::<G>(&mut state, &mut bots, &mut notes, u64::MAX);
    if let Some(note) = notes.list().first() {
        panic!("{} on seat {}: {note:?}", names[note.seat.index()], note.seat);
    }
    let outcome = state.outcome().expect("it is over");
    assert!(outcome.placings.iter().all(|placing| placing.fate != Fate::Disqualified), "{names:?}");
    (outcome, state.rounds())
}

/// How many games the first of two wins, half of them on each seat; each pair has its own setup.
pub fn wins<G: Game>(
    settings: &SettingsOf<G>,
    setup: impl Fn(u64) -> SetupOf<G>,
    first: &str,
    second: &str,
    pairs: u64,
) -> u64 {
    let won = |setup: &SetupOf<G>, names: [&str; 2], seat: u8, seed: u64| {
        u64::from(play_cleanly::<G>(settings, setup, &names, seed).0.winner == Some(Seat::new(seat)))
    };
    (0..pairs)
        .map(|seed| {
            let setup = setup(seed);
            won(&setup, [first, second], 1, seed) + won(&setup, [second, first], 2, seed)
        })
        .sum()
}

/// The sparring ladder has five levels or more, without a gap, and each player clearly beats the one below. How clearly is in
/// the rule book, from many more games; these are as many as a test has time for.
pub fn check_sparring_ladder<G: Game>(
    settings: &SettingsOf<G>,
    setup: impl Fn(u64) -> SetupOf<G>,
    pairs: u64,
) {
    let mut players: Vec<_> = G::BUILT_INS.iter().filter(|player| player.level.is_some()).collect();
    players.sort_by_key(|player| player.level);
    let levels: Vec<u8> = players.iter().filter_map(|player| player.level).collect();
    assert!(levels.len() >= 5 && levels.iter().copied().eq(1..=levels.len() as u8), "{levels:?}");
    for (below, player) in players.iter().zip(&players[1..]) {
        let wins = wins::<G>(settings, &setup, player.name, below.name, pairs);
        assert!(wins * 3 >= 2 * pairs * 2, "{} against {}: {wins} of {}", player.name, below.name, 2 * pairs);
    }
}

/// No built-in player takes an argument, and each says so.
pub fn check_no_arguments<G: Game>() {
    for built_in in G::BUILT_INS {
        let seat = BotSeat { seat: Seat::new(1), seed: 1, argument: Some("5") };
        let error = (built_in.make)(seat).err().expect("no argument is taken");
        assert_eq!(error, "it takes no argument, and got \"5\"", "{}", built_in.name);
    }
}
