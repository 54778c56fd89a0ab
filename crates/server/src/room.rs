//! One match that browsers can look at: a replay, a log, or a game that goes on, perhaps with people in it.

use crate::api::{
    DefeatView, Defeats, GameHead, Head, Lateness, OutcomeHead, PlacingHead, Progress, Summary,
};
use crate::feed::Feed;
use crate::playback::{Playback, PlaybackError};
use crate::spectator_delay::SpectatorDelay;
use crate::spectators::{CacheKey, Revision, Spectators};
use crate::trouble::Trouble;
use axum::body::Bytes;
use palestra_core::{AnyGame, Catalog, Defeat, Eye, Hides, Message, Seat};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What stands for the bot in a command line: only its author knows where it is.
const BOT_AT_HOME: &str = "./mybot";

/// A match and all who are at it: spectators, and people who play.
pub(crate) struct Room {
    pub(crate) id: String,
    game: &'static dyn AnyGame,
    names: Vec<String>,
    playback: Mutex<Playback>,
    pub(crate) feed: Option<Arc<Feed>>,
    pub(crate) spectators: Arc<Spectators>,
    access: Access,
    people: Vec<Person>,
}

/// Who may look on while a match goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Anybody, at everything.
    Everybody,
    /// The people who play it at this server, each through the eyes of its own seat.
    People,
    /// Those who play it from elsewhere, each through the eyes of its own seat.
    Players,
    /// Anybody, behind this delay.
    Delayed(SpectatorDelay),
}

/// Somebody who plays a seat by hand.
pub struct SeatedPerson {
    /// The seat that the person plays on.
    pub seat: Seat,
    /// Opens the seat to whoever has it, and to nobody else.
    pub key: String,
    /// Takes each answer whole, without waiting. Dropping it gives up.
    pub answers: Box<dyn Write + Send>,
}

/// A seat that a person plays.
pub(crate) struct Person {
    pub(crate) seat: Seat,
    pub(crate) key: String,
    hand: Mutex<Hand>,
}

struct Hand {
    /// Where answers go; dropped by giving up.
    answers: Option<Box<dyn Write + Send>>,
    /// The last turn that was answered.
    answered: u32,
}

impl Person {
    pub(crate) fn new(SeatedPerson { seat, key, answers }: SeatedPerson) -> Person {
        Person { seat, key, hand: Mutex::new(Hand { answers: Some(answers), answered: 0 }) }
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Playback(#[from] PlaybackError),
    #[error("{0}")]
    NotYours(Trouble),
    #[error("{0}")]
    TooLate(String),
    #[error("{sentence}")]
    NotAllowed { message: Message, sentence: String },
}

impl Room {
    /// A match that is over.
    pub(crate) fn recorded(
        id: String,
        game: &'static dyn AnyGame,
        playback: Playback,
        names: Vec<String>,
    ) -> Room {
        let spectators = Spectators::new(Progress { turns: playback.turns(), over: true, to_move: None });
        let playback = Mutex::new(playback);
        Room {
            id,
            game,
            names,
            playback,
            feed: None,
            spectators: Arc::new(spectators),
            access: Access::Everybody,
            people: Vec::new(),
        }
    }

    /// A match that goes on.
    pub(crate) fn live(
        id: String,
        game: &'static dyn AnyGame,
        playback: Playback,
        names: Vec<String>,
        feed: Arc<Feed>,
        people: Vec<Person>,
        access: Access,
    ) -> Room {
        let spectators = Arc::new(Spectators::new(feed.progress()));
        Room { id, game, names, playback: Mutex::new(playback), feed: Some(feed), spectators, access, people }
    }

    /// Everything that is known of the match up to now.
    pub(crate) fn playback(&self) -> MutexGuard<'_, Playback> {
        let mut playback = self.playback.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(feed) = &self.feed {
            feed.take_into(&mut playback);
        }
        playback
    }

    pub(crate) fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    fn over(&self) -> bool {
        self.feed.as_ref().is_none_or(|feed| feed.progress().over)
    }

    /// The eyes that somebody may use who asks for this seat's, with this key or playing these seats.
    pub(crate) fn eye(&self, seat: Option<u8>, key: Option<&str>, plays: &[Seat]) -> Result<Eye, Refusal> {
        let seats = self.names.len();
        let eye = match seat {
            None => Eye::Spectator,
            Some(number) if number > 0 && usize::from(number) <= seats => Eye::Seat(Seat::new(number)),
            Some(number) => {
                let why = format!("there is no seat {number}; the match has seats 1 to {seats}");
                return Err(PlaybackError::BadRequest(why).into());
            }
        };
        if self.over() {
            return Ok(eye);
        }
        let refused = |trouble: Trouble| Err(Refusal::NotYours(trouble));
        match self.access {
            Access::Everybody => Ok(eye),
            Access::People => {
                let own = |person: &Person| eye == Eye::Seat(person.seat) && key == Some(&person.key);
                match (self.people.iter().any(own), key) {
                    (true, _) => Ok(eye),
                    (false, Some(_)) => refused(Trouble::WrongSeatKey {}),
                    (false, None) => refused(Trouble::PeoplePlay {}),
                }
            }
            Access::Players if plays.iter().any(|seat| eye == Eye::Seat(*seat)) => Ok(eye),
            Access::Players => refused(Trouble::OwnSeatOnly {}),
            Access::Delayed(_) if self.progress().turns > 0 => Ok(eye),
            Access::Delayed(_) => refused(Trouble::HiddenYet {}),
        }
    }

    /// The only seat that somebody who plays these may look through.
    pub(crate) fn own_eye(&self, plays: &[Seat]) -> Option<Seat> {
        plays.first().copied().filter(|_| self.access == Access::Players && !self.over())
    }

    pub(crate) fn summary(&self) -> Summary {
        let playback = self.playback();
        let info = self.game.info();
        Summary {
            id: self.id.clone(),
            game: info.id,
            title: info.title,
            names: self.names.clone(),
            turns: playback.turns(),
            over: playback.over(),
            winner: playback
                .replay()
                .filter(|_| playback.over())
                .and_then(|replay| replay.head.outcome.winner),
        }
    }

    /// For somebody who may look through this seat only, if there is such.
    pub(crate) fn head(&self, eye: Option<Seat>) -> Head {
        let playback = self.playback();
        let info = self.game.info();
        let counters = self.game.counters().iter();
        let finished = playback.replay().filter(|_| playback.over());
        Head {
            id: self.id.clone(),
            game: GameHead {
                id: info.id,
                title: info.title,
                round_word: info.round_word,
                fog: info.hides == Hides::Board,
                counters: counters.map(|counter| counter.key).collect(),
            },
            names: self.names.clone(),
            turns: playback.turns(),
            over: playback.over(),
            open: playback.over()
                || match self.access {
                    Access::Everybody => true,
                    Access::People | Access::Players => false,
                    Access::Delayed(_) => playback.turns() > 0,
                },
            eye: eye.filter(|_| !playback.over()),
            late: match self.access {
                Access::Delayed(delay) if !playback.over() => {
                    Some(Lateness { seconds: delay.seconds(), rounds: delay.rounds() })
                }
                _ => None,
            },
            people: self.people.iter().map(|person| person.seat).collect(),
            seed: finished.map(|replay| replay.head.plan.seed.to_string()),
            time: playback.replay().map(|replay| replay.head.time.message()),
            replay: finished.is_some(),
            outcome: finished.map(|replay| OutcomeHead {
                winner: replay.head.outcome.winner,
                placings: replay
                    .head
                    .outcome
                    .placings
                    .iter()
                    .map(|placing| PlacingHead {
                        place: placing.place,
                        score: placing.score.to_f64(),
                        fate: placing.fate,
                        reason: placing.reason.clone(),
                    })
                    .collect(),
            }),
        }
    }

    /// Why everybody lost who did, once the match is over.
    pub(crate) fn defeats(&self) -> Result<Defeats, PlaybackError> {
        let playback = self.playback();
        let Some(replay) = playback.replay().filter(|_| playback.over()) else {
            return Ok(Defeats { defeats: Vec::new() });
        };
        let told = |defeat: Defeat| {
            // The name under which the page offers the replay.
            let command = defeat.command(&format!("{}.replay", self.id), BOT_AT_HOME).join(" ");
            DefeatView { seat: defeat.seat, turn: defeat.turn, sentences: defeat.sentences(command) }
        };
        let found = palestra_core::defeats(self.game, replay)?;
        Ok(Defeats { defeats: found.into_iter().map(told).collect() })
    }

    /// How far it has come.
    pub(crate) fn progress(&self) -> Progress {
        match &self.feed {
            Some(feed) => feed.progress(),
            None => Progress { turns: self.playback().turns(), over: true, to_move: None },
        }
    }

    /// How far it has come, as all spectators are told.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.feed.as_ref().map(|feed| self.spectators.revision(feed))
    }

    /// The response to a query that somebody else made at the same revision.
    pub(crate) fn cached(&self, key: CacheKey) -> Option<Bytes> {
        self.spectators.cached(self.revision().map_or(0, Revision::number), key)
    }

    fn person(&self, seat: u8, key: &str) -> Result<&Person, Refusal> {
        let found = self.people.iter().find(|person| person.seat.number() == seat && person.key == key);
        found.ok_or(Refusal::NotYours(Trouble::NotYourSeat {}))
    }

    /// Takes a person's answer for this turn.
    pub(crate) fn answer(
        &self,
        seat: u8,
        key: &str,
        turn: u32,
        text: &str,
        english: &Catalog,
    ) -> Result<(), Refusal> {
        let person = self.person(seat, key)?;
        let mut hand = person.hand.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = self.progress();
        if progress.over {
            return Err(Refusal::TooLate("the match is over".to_owned()));
        }
        if turn != progress.turns + 1 || progress.to_move != Some(person.seat) || hand.answered >= turn {
            return Err(Refusal::TooLate(format!("turn {turn} is not yours to take now")));
        }
        let mut text = text.to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.playback().try_answer(person.seat, text.as_bytes())?.map_err(|message| {
            let sentence = english.say(&message);
            Refusal::NotAllowed { message, sentence }
        })?;
        let Some(answers) = &mut hand.answers else {
            return Err(Refusal::TooLate("you have given up".to_owned()));
        };
        answers
            .write_all(text.as_bytes())
            .map_err(|_| Refusal::TooLate("the match does not go on".to_owned()))?;
        hand.answered = turn;
        Ok(())
    }

    /// A person gives up: the rules take it as a bot that has ended.
    pub(crate) fn resign(&self, seat: u8, key: &str) -> Result<(), Refusal> {
        let person = self.person(seat, key)?;
        person.hand.lock().unwrap_or_else(PoisonError::into_inner).answers = None;
        Ok(())
    }
}
