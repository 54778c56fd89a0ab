//! Playing a replay again, turn by turn.

use super::{NOT_OVER, Replay, ReplayError};
use crate::any_game::AnyGame;
use crate::any_state::{AnyState, TypedState};
use crate::digest::Digest;
use crate::encoding::Encoding;
use crate::fault::Fault;
use crate::game::{ActionOf, Input, SettingsOf, Setup as _, SetupOf};
use crate::limits;
use crate::seat::Seat;

/// A position between two turns of a replay, with the game as it stands there.
///
/// It does not borrow the replay: one that grows, as a live match does, is handed in again with every call. It must be the
/// replay that the cursor was started on, or what that has become since.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/nim/game.rs")); }
/// # use nim::{Nim, played};
/// use palestra_core::{Cursor, Eye, ReplayError};
///
/// let replay = played(7);
/// let mut cursor = Cursor::start(&Nim, &replay)?;
/// while let Some(turn) = cursor.advance(&replay)? {
///     println!("turn {} of seat {}: {}", turn.number, turn.seat, cursor.state().frame(Eye::Spectator));
/// }
/// assert_eq!(cursor.turn(), replay.head.turns);
/// assert_eq!(cursor.state().outcome(), Some(replay.head.outcome));
/// # Ok::<(), ReplayError>(())
/// ```
pub struct Cursor<S: AnyState + ?Sized = dyn AnyState> {
    state: Box<S>,
    turn: u32,
    /// Bytes of answers behind it.
    answered: usize,
    /// Faults behind it.
    faulted: usize,
}

/// A turn of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn<'r> {
    /// Its number, counted from 1 over all seats.
    pub number: u32,
    /// The seat that it belongs to.
    pub seat: Seat,
    /// The answer, or the fault in its place.
    pub input: Recorded<'r>,
}

/// What was recorded for a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded<'r> {
    /// An answer, as [`AnyState::decode_answer`] reads it.
    Answer(&'r [u8]),
    /// No answer, and why.
    Fault(&'r Fault),
}

/// A turn with its game's types: the state before it, whose it is, and what was recorded.
pub type TypedTurn<'a, G> = (&'a mut <G as crate::Game>::State, Seat, Input<'a, ActionOf<G>>);

impl Cursor {
    /// At the beginning of the match.
    pub fn start(game: &dyn AnyGame, replay: &Replay) -> Result<Cursor, ReplayError> {
        let (info, head) = (game.info(), &replay.head);
        if head.game != info.id {
            return Err(ReplayError::OtherGame { found: head.game.clone(), wanted: info.id.to_owned() });
        }
        if head.rules_version != info.rules_version {
            return Err(ReplayError::OtherRules {
                game: head.game.clone(),
                found: head.rules_version,
                ours: info.rules_version,
            });
        }
        Cursor::before(game.open(&head.plan)?, replay)
    }

    /// Another one at the same position, whose state has no remarks yet.
    #[must_use]
    pub fn fork(&self) -> Cursor {
        let &Cursor { ref state, turn, answered, faulted } = self;
        Cursor { state: state.fork(), turn, answered, faulted }
    }
}

impl<S: AnyState + ?Sized> Cursor<S> {
    /// Before the first turn, of which this is the state.
    fn before(mut state: Box<S>, replay: &Replay) -> Result<Cursor<S>, ReplayError> {
        state.introduce(&replay.head.labels);
        if state.seats() != replay.head.plan.seats {
            return Err(ReplayError::Damaged("its map has another number of seats".to_owned()));
        }
        Ok(Cursor { state, turn: 0, answered: 0, faulted: 0 })
    }

    /// The number of the last turn that was taken.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The game as it stands.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// The game as it stands. Whoever applies something to it leads it away from the replay.
    pub fn state_mut(&mut self) -> &mut S {
        &mut self.state
    }

    /// The turn to come, with its answer pending in the state; `None` after the last one.
    pub fn peek<'r>(&mut self, replay: &'r Replay) -> Result<Option<Turn<'r>>, ReplayError> {
        if self.turn == replay.head.turns {
            return Ok(None);
        }
        let number = self.turn + 1;
        let seat = self.seat_of(number, replay)?;
        let fault = replay.head.faults.get(self.faulted).filter(|(turn, _)| *turn == number);
        let input = match fault {
            Some((_, fault)) => Recorded::Fault(fault),
            None => {
                // No answer takes more when it is recorded than when it is said.
                let rest = &replay.answers[self.answered..];
                let rest = &rest[..rest.len().min(limits::ANSWER_BYTES)];
                let used = self.state.decode_answer(rest).filter(|used| *used > 0);
                let used =
                    used.ok_or_else(|| ReplayError::Damaged(format!("no answer for turn {number}")))?;
                Recorded::Answer(&rest[..used])
            }
        };
        Ok(Some(Turn { number, seat, input }))
    }

    /// Whose a turn is: that of the player to move, or of another one who plays and leaves.
    fn seat_of(&self, turn: u32, replay: &Replay) -> Result<Seat, ReplayError> {
        let Some(to_move) = self.state.to_move() else {
            return Err(ReplayError::Mismatch(format!("the game is over before turn {turn}")));
        };
        match replay.head.departures.iter().find(|(departure, _)| *departure == turn) {
            None => Ok(to_move),
            Some((_, seat)) if self.state.plays(*seat) => Ok(*seat),
            Some((_, seat)) => {
                Err(ReplayError::Mismatch(format!("player {seat} leaves in turn {turn} and is out before")))
            }
        }
    }

    fn pass(&mut self, turn: &Turn<'_>) {
        self.turn = turn.number;
        match turn.input {
            Recorded::Answer(answer) => self.answered += answer.len(),
            Recorded::Fault(_) => self.faulted += 1,
        }
    }

    /// Plays one more turn and says which; `None` after the last one.
    pub fn advance<'r>(&mut self, replay: &'r Replay) -> Result<Option<Turn<'r>>, ReplayError> {
        let Some(turn) = self.peek(replay)? else { return Ok(None) };
        self.pass(&turn);
        match turn.input {
            Recorded::Answer(_) => self.state.apply(turn.seat, turn.number),
            Recorded::Fault(fault) => self.state.fault(turn.seat, turn.number, fault),
        }
        Ok(Some(turn))
    }

    /// Plays all turns that are left.
    pub(crate) fn advance_to_end(&mut self, replay: &Replay) -> Result<(), ReplayError> {
        while self.advance(replay)?.is_some() {}
        Ok(())
    }

    /// Whether the end, once reached, is the recorded one.
    pub fn compare_end(&self, replay: &Replay) -> Result<(), ReplayError> {
        let recorded = &replay.head.outcome.placings;
        let mut outcome = self.state.outcome().ok_or_else(|| ReplayError::mismatch(NOT_OVER))?;
        let mut digest = Digest::default();
        if replay.head.former {
            for (placing, recorded) in outcome.placings.iter_mut().zip(recorded) {
                placing.reason = recorded.reason.clone();
            }
            digest = Digest::former(recorded.iter().map(|placing| placing.reason.to_text()).collect());
        }
        if outcome != replay.head.outcome {
            return Err(ReplayError::mismatch("it ends with another result"));
        }
        if self.answered != replay.answers.len() {
            return Err(ReplayError::mismatch("it has more answers than turns"));
        }
        if self.state.digest_on(digest) != replay.head.digest {
            return Err(ReplayError::mismatch("it ends in another state"));
        }
        if replay.times().count() != replay.head.turns as usize {
            return Err(ReplayError::mismatch("it does not have a time for every turn"));
        }
        Ok(())
    }
}

impl<G: Encoding> Cursor<TypedState<G>> {
    /// Passes the next turn and leaves it to the caller to carry it out; `None` after the last one.
    pub fn take<'a>(&'a mut self, replay: &'a Replay) -> Result<Option<TypedTurn<'a, G>>, ReplayError> {
        let Some(turn) = self.peek(replay)? else { return Ok(None) };
        self.pass(&turn);
        let (state, pending) = self.state.parts();
        let input = match turn.input {
            Recorded::Answer(_) => Input::Answer(pending),
            Recorded::Fault(fault) => Input::Fault(fault),
        };
        Ok(Some((state, turn.seat, input)))
    }
}

/// A replay with its game's types, for the game's own log formats.
pub struct TypedReplay<'r, G: Encoding> {
    /// The settings of the match.
    pub settings: SettingsOf<G>,
    /// Its map.
    pub setup: SetupOf<G>,
    /// The rest.
    pub replay: &'r Replay,
}

impl<G: Encoding> TypedReplay<'_, G> {
    /// At the beginning of the match.
    pub fn cursor(&self) -> Result<Cursor<TypedState<G>>, ReplayError> {
        let state = self.replay.head.plan.start::<G>(&self.settings, &self.setup)?;
        Cursor::before(Box::new(TypedState::new(state, self.setup.seats())), self.replay)
    }

    /// The state before the first turn.
    pub fn start(&self) -> Result<G::State, ReplayError> {
        Ok(self.cursor()?.state.into_inner())
    }

    /// Plays it again, each input carried out by `turn`; gives the last state.
    pub fn play(
        &self,
        mut turn: impl FnMut(&mut G::State, Seat, Input<'_, ActionOf<G>>) -> Result<(), ReplayError>,
    ) -> Result<G::State, ReplayError> {
        let mut cursor = self.cursor()?;
        while let Some((state, seat, input)) = cursor.take(self.replay)? {
            turn(state, seat, input)?;
        }
        Ok(cursor.state.into_inner())
    }
}
