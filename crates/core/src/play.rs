//! Games between built-in players: typed, in this thread, without a replay. For training and benchmarks.

use crate::game::{ActionOf, Bot, Game, Input, State as _};
use crate::notes::Notes;
use crate::seat::Eye;

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
