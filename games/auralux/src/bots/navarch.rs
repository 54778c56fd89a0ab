//! The strongest built-in player: a search over styles of play.
//!
//! It is an [`Admiral`] that is not sure how bold to be. When its styles would give different orders, it plays the game
//! on in thought, once in each of them, by the rules themselves and against admirals of the usual style, and takes the
//! style that comes out best. The budget is in nodes, each of them a turn of somebody in thought, so it is the same on every
//! machine.

use super::admiral::{Admiral, Style};
use super::own_seat;
use crate::Auralux;
use crate::state::{Order, State};
use crate::view::View;
use palestra_core::game::State as _;
use palestra_core::{Bot, Eye, Fault, Input, Notes, Seat};

/// Turns in thought, for one turn on the board.
const NODES: u32 = 1_000;
/// Steps for which a style is followed, if the budget allows.
const HORIZON: u32 = 80;
/// In how many turns a planet's production counts for as much as the ships there are.
const PRODUCTION_TURNS: i64 = 60;
/// What a game that is won is worth, in ships.
const WON: i64 = 1_000_000_000;

/// The first is taken when others are no better.
const STYLES: [Style; 7] = [
    Style::USUAL,
    Style { exposure: 0, ..Style::USUAL },
    Style { exposure: 600, ..Style::USUAL },
    Style { surplus: 0, ..Style::USUAL },
    Style { surplus: 8, ..Style::USUAL },
    Style { caution: 0, surplus: 1, exposure: 100 },
    Style { caution: 5, ..Style::USUAL },
];

#[derive(Default)]
pub(super) struct Navarch {
    /// How each seat plays in thought.
    minds: Vec<Admiral>,
    /// The orders of each style for this turn.
    answers: Vec<Vec<Order>>,
    scratch: Vec<Order>,
}

impl Bot<Auralux> for Navarch {
    fn act(&mut self, view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        let own = own_seat(view);
        if self.minds.is_empty() {
            self.minds.extend(Seat::all(view.seats()).map(|_| Admiral::new(Style::USUAL)));
            self.answers.resize(STYLES.len(), Vec::new());
        }
        for (style, answer) in STYLES.into_iter().zip(&mut self.answers) {
            let mind = &mut self.minds[own.index()];
            mind.take_on(style);
            mind.act(view, answer)?;
        }
        let best = if self.answers.iter().all(|answer| *answer == self.answers[0]) {
            0
        } else {
            self.search(view, own)
        };
        orders.clone_from(&self.answers[best]);
        Ok(())
    }
}

impl Navarch {
    /// The style that comes out best.
    fn search(&mut self, view: View<'_>, own: Seat) -> usize {
        let start = view.imagine();
        let differ = |style: &usize| !self.answers[..*style].contains(&self.answers[*style]);
        let styles: Vec<usize> = (0..STYLES.len()).filter(differ).collect();
        let turns = NODES / styles.len() as u32;
        let mut best = (i64::MIN, 0);
        for style in styles {
            let value = self.play_on(start.clone(), own, style, turns);
            if value > best.0 {
                best = (value, style);
            }
        }
        best.1
    }

    /// Plays on from a moment, and says what has become of it.
    fn play_on(&mut self, mut state: State, own: Seat, style: usize, turns: u32) -> i64 {
        let mut notes = Notes::counted();
        for (seat, mind) in Seat::all(state.seats()).zip(&mut self.minds) {
            mind.take_on(if seat == own { STYLES[style] } else { Style::USUAL });
        }
        state.apply(own, Input::Answer(&self.answers[style]), &mut notes);
        let last = state.steps() + HORIZON;
        for _ in 1..turns {
            let Some(seat) = state.to_move().filter(|_| state.steps() < last) else {
                break;
            };
            let view = state.view(Eye::Seat(seat));
            if self.minds[seat.index()].act(view, &mut self.scratch).is_err() {
                break;
            }
            state.apply(seat, Input::Answer(&self.scratch), &mut notes);
        }
        appraise(&state, own)
    }
}

/// Own ships and what will be produced, less those of all others.
fn appraise(state: &State, own: Seat) -> i64 {
    let worth = |seat: Seat| state.ships(seat) as i64 + PRODUCTION_TURNS * state.production(seat) as i64;
    let others: i64 = Seat::all(state.seats()).filter(|seat| *seat != own).map(worth).sum();
    match (worth(own), others) {
        (mine, 0) => WON + mine - i64::from(state.steps()),
        (0, others) => -WON - others,
        (mine, others) => mine - others,
    }
}
