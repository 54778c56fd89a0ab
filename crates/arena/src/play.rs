//! One match of the arena. Who takes part sits at the end of a [`ClientChannel`], in this process, or is a program that was
//! handed in; what comes out is the same.

pub(crate) mod background;
mod live;
pub mod local;
pub(crate) mod person;
pub mod pool;
pub mod remote;
pub mod workers;

use crate::api::MatchKind;
use crate::ids::MatchId;
use palestra_core::{
    AnyGame, Catalog, Entrant, Fate, Info, Match, Outcome, Plan, Seat, SetupError, TimeControl,
};
use palestra_runner::{Launch, Played};
use palestra_server::FeedPublisher;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// A match that is about to begin.
pub struct PreparedMatch {
    /// As it stands before the first turn.
    pub game: Match,
    /// Where everybody is, by seat.
    pub links: Vec<BotLink>,
    /// Told of every turn, for those who look on.
    pub reporter: Option<FeedPublisher>,
    /// The least that a turn takes, so that people can look on; nothing if it need not.
    pub pace: Option<Duration>,
}

impl PreparedMatch {
    /// Sets up a match that nobody looks on at.
    pub fn new(
        game: &dyn AnyGame,
        plan: Plan,
        time: TimeControl,
        bots: Vec<SeatedBot>,
    ) -> Result<PreparedMatch, SetupError> {
        let (entrants, links): (Vec<Entrant>, Vec<BotLink>) =
            bots.into_iter().map(|bot| (bot.entrant, bot.link)).unzip();
        Ok(PreparedMatch {
            game: Match::new(game, plan, &entrants, time)?,
            links,
            reporter: None,
            pace: None,
        })
    }

    /// Whether it can be played by [`remote::play`]: no program has to be started.
    pub(crate) fn is_remote(&self) -> bool {
        !self.links.iter().any(|link| matches!(link, BotLink::Program(_)))
    }
}

/// Who sits on a seat.
pub struct SeatedBot {
    /// How it takes part in the match.
    pub entrant: Entrant,
    /// How it is reached.
    pub link: BotLink,
}

/// How a bot of a match is reached.
pub enum BotLink {
    /// In this process: a built-in player.
    BuiltIn,
    /// Connected: the channel to the client's session.
    Client(ClientChannel),
    /// In a program that was handed in.
    Program(Launch),
}

impl SeatedBot {
    /// A built-in player that goes by its name.
    pub fn built_in(name: &str) -> SeatedBot {
        SeatedBot { entrant: Entrant::built_in(name), link: BotLink::BuiltIn }
    }

    /// Somebody who is connected; protocols call it by the player's number.
    pub fn client(name: impl Into<String>, number: impl Into<String>, channel: ClientChannel) -> SeatedBot {
        SeatedBot { entrant: Entrant::outside(name).known_as(number), link: BotLink::Client(channel) }
    }

    /// A program that was handed in; protocols call it by the player's number.
    pub fn program(name: impl Into<String>, number: impl Into<String>, launch: Launch) -> SeatedBot {
        SeatedBot { entrant: Entrant::outside(name).known_as(number), link: BotLink::Program(launch) }
    }
}

/// A match's end of the channel to a client's session. Dropping it ends the match for the client.
pub struct ClientChannel {
    /// To the session. A session takes everything at once or is cut off, so that no match waits for a slow reader.
    pub to_session: mpsc::Sender<MatchMessage>,
    /// From the session.
    pub from_session: mpsc::Receiver<SessionMessage>,
}

/// A session's end of the channel to a match.
pub struct SessionChannel {
    /// From the match; nothing more means that the match is over.
    pub from_match: mpsc::Receiver<MatchMessage>,
    /// To the match.
    pub to_match: mpsc::Sender<SessionMessage>,
    /// What the match is.
    pub start: MatchStart,
}

/// What a client is told about a match before it begins.
#[derive(Clone, Debug)]
pub struct MatchStart {
    /// The match's number.
    pub number: MatchId,
    /// The game's id.
    pub game: String,
    /// The client's seat, counted from 1.
    pub seat: u8,
    /// Who plays, by seat.
    pub names: Vec<String>,
    /// Why it is played, and so what it counts for.
    pub kind: MatchKind,
}

/// What a match tells a session.
#[derive(Debug)]
pub enum MatchMessage {
    /// Bytes for the bot, to be written at once and as a whole.
    Bytes(Vec<u8>),
    /// The time for an answer is over: read once more and say what is there, even if it is nothing.
    Look,
    /// How it ended.
    Over(MatchEnd),
}

/// What a session says to a match.
#[derive(Debug)]
pub enum SessionMessage {
    /// The bot has started and can be asked. Sent once, before anything else.
    Ready,
    /// The bot wrote this.
    Bytes {
        /// In the game's protocol, perhaps only a part of an answer.
        bytes: Vec<u8>,
        /// When it was read from the network.
        at: Instant,
        /// When the last bytes for the bot were handed to the network: no time before that is the bot's.
        asked: Instant,
    },
    /// There is nothing more at this moment: the answer to [`MatchMessage::Look`], after what there was.
    Nothing {
        /// When the last bytes for the bot were handed to the network.
        asked: Instant,
    },
    /// The client is gone, or its bot has ended.
    Closed,
}

/// Both ends of a channel between a match and a session.
pub fn client_channel(start: MatchStart) -> (ClientChannel, SessionChannel) {
    let (to_session, from_match) = mpsc::channel(crate::limits::CHANNEL_QUEUE);
    let (to_match, from_session) = mpsc::channel(crate::limits::CHANNEL_QUEUE);
    (ClientChannel { to_session, from_session }, SessionChannel { from_match, to_match, start })
}

/// A match that is over: how it went, or why it could not be played.
pub type Report = Result<Box<Played>, String>;

/// How a match ended for one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchEnd {
    /// For programs.
    pub result: MatchResult,
    /// For people: "won in 123 ticks".
    pub words: String,
}

/// What a match brought somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchResult {
    /// It was better than all others.
    Won,
    /// It shares the best place.
    Drawn,
    /// Others were better.
    Lost,
    /// It was removed for a fault or a breach of the rules.
    Disqualified,
    /// It was broken off.
    None,
}

impl MatchEnd {
    /// Of this seat, in a match that was played to its end.
    fn new(game: &Info, outcome: &Outcome, seat: Seat, rounds: u32) -> MatchEnd {
        let placing = &outcome.placings[seat.index()];
        let (result, how) = match (placing.place, outcome.placings.len()) {
            _ if outcome.winner == Some(seat) => (MatchResult::Won, "won".to_owned()),
            (1, _) => (MatchResult::Drawn, "drawn".to_owned()),
            (_, 2) => (MatchResult::Lost, "lost".to_owned()),
            (place, seats) => (MatchResult::Lost, format!("came in {place} of {seats}")),
        };
        let plural = if rounds == 1 { "" } else { "s" };
        let words = format!("{how} in {rounds} {}{plural}", game.round_word);
        if placing.fate == Fate::Disqualified {
            let why = Catalog::english(game).say(&placing.reason);
            return MatchEnd { result: MatchResult::Disqualified, words: format!("{words}: {why}") };
        }
        MatchEnd { result, words }
    }

    /// Of a match that was broken off.
    pub(crate) fn broken_off() -> MatchEnd {
        MatchEnd { result: MatchResult::None, words: "the match is over".to_owned() }
    }
}
