//! What the parts of an event decide: changes to store, and effects that follow once they are stored.

use super::start::StartMatch;
use super::{Order, Refused, Ticket};
use crate::ids::MatchId;
use crate::store::Changes;
use tokio::sync::{mpsc, oneshot};

#[derive(Default)]
pub(super) struct Outcome {
    pub(super) changes: Changes,
    pub(super) effects: Vec<Effect>,
}

pub(super) enum Effect {
    Answer(Box<dyn FnOnce() + Send>),
    Joined(oneshot::Sender<Result<Ticket, Refused>>, Result<Ticket, Refused>),
    Dismiss(mpsc::Sender<Order>, String),
    Start(Box<StartMatch>),
    /// Matches that give way to others are broken off.
    GiveWay,
    /// The match is stored: nobody needs its live recording any more.
    CloseLive(MatchId),
}

impl Outcome {
    /// Whoever does not wait for the answer any more does not get it.
    pub(super) fn answer<T: Send + 'static>(&mut self, reply: oneshot::Sender<T>, answer: T) {
        self.effects.push(Effect::Answer(Box::new(move || drop(reply.send(answer)))));
    }

    /// How many matches are about to start.
    pub(super) fn starting(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Start(_))).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.effects.is_empty()
    }
}
