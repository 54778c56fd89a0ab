//! Games between built-in players: typed, in this thread, without a replay. For training and benchmarks.

use crate::game::{ActionOf, Bot, Game, Input, Protocol, SetupError, State as _, built_in};
use crate::notes::Notes;
use crate::seat::{Eye, Seat};

/// Plays on until the game is over or `max_turns` more turns have been taken; says how many were.
pub fn play<G: Game>(
    state: &mut G::State,
    bots: &mut [Box<dyn Bot<G>>],
    notes: &mut Notes,
    max_turns: u64,
) -> u64 {
    let mut action = ActionOf::<G>::default();
    let mut turns = 0;
    while turns < max_turns
        && let Some(seat) = state.to_move()
    {
        match bots[seat.index()].act(state.view(Eye::Seat(seat)), &mut action) {
            Ok(()) => state.apply(seat, Input::Answer(&action), notes),
            Err(fault) => state.apply(seat, Input::Fault(&fault), notes),
        }
        turns += 1;
    }
    turns
}

/// A whole game that is set up: calling it plays it, and says how many turns that took.
pub type Rollout = Box<dyn FnOnce() -> u64>;

/// The most turns of a rollout.
const MOST_TURNS: u64 = 5_000_000;

/// A game of the built-in player of this name on every seat. With `told`, what the player to move is sent is written in
/// every turn, into a buffer that is used again.
pub(crate) fn rollout<G: Protocol>(
    mut state: G::State,
    seats: u8,
    player: &str,
    seed: u64,
    told: bool,
) -> Result<Rollout, SetupError> {
    let seated = |seat: Seat| built_in::<G>(player, seat, seed * 100 + seat.index() as u64);
    let mut bots = Seat::all(seats).map(seated).collect::<Result<Vec<_>, SetupError>>()?;
    let mut notes = Notes::counted();
    Ok(Box::new(move || {
        if !told {
            return play::<G>(&mut state, &mut bots, &mut notes, MOST_TURNS);
        }
        let mut text = Vec::new();
        let mut turns = 0;
        while turns < MOST_TURNS
            && let Some(seat) = state.to_move()
        {
            text.clear();
            G::ask(state.view(Eye::Seat(seat)), &mut text);
            std::hint::black_box(&text);
            turns += play::<G>(&mut state, &mut bots, &mut notes, 1);
        }
        turns
    }))
}
