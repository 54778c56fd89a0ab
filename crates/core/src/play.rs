//! Games between built-in players: typed, in this thread, without a replay. For training and benchmarks.

use crate::game::{Bot, Game, Input};
use crate::notes::Notes;
use crate::seat::Eye;

/// Plays on until the game is over or `max_turns` more turns have been taken; says how many were.
pub fn play<G: Game>(
    state: &mut G::State,
    bots: &mut [Box<dyn Bot<G>>],
    notes: &mut Notes,
    max_turns: u64,
) -> u64 {
    let mut action = G::Action::default();
    let mut turns = 0;
    while turns < max_turns
        && let Some(seat) = G::to_move(state)
    {
        match bots[seat.index()].act(G::view(state, Eye::Seat(seat)), &mut action) {
            Ok(()) => G::apply(state, seat, Input::Answer(&action), notes),
            Err(fault) => G::apply(state, seat, Input::Fault(&fault), notes),
        }
        turns += 1;
    }
    turns
}
