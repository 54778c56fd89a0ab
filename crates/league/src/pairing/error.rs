//! What can be wrong with a stage, and what would be right.

use super::{BotNumber, limits};

/// Why a stage cannot be paired as asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PairingError {
    /// Not enough players.
    #[error("{have} players are too few: this format needs at least {need}")]
    TooFew {
        /// How many there are.
        have: usize,
        /// How many there must be.
        need: usize,
    },
    /// Too many players.
    #[error("{have} players are too many: this format takes at most {most}")]
    TooMany {
        /// How many there would be.
        have: usize,
        /// How many there may be.
        most: usize,
    },
    /// Somebody is listed twice.
    #[error("{0} takes part twice: list every player once")]
    Twice(BotNumber),
    /// Somebody joins who was in the stage before.
    #[error("{0} is or was in this stage: a bot that joins needs a number of its own")]
    Known(BotNumber),
    /// Somebody leaves who is not in the stage.
    #[error("{0} is not in this stage: only those who take part can leave")]
    Unknown(BotNumber),
    /// A number is out of its range.
    #[error("{what} is {value}: it must be from {least} to {most}")]
    Range {
        /// The setting's name in a plan.
        what: &'static str,
        /// The value that is not allowed.
        value: u64,
        /// The least value that is right.
        least: u64,
        /// The greatest value that is right.
        most: u64,
    },
    /// Everybody meeting everybody is too much.
    #[error("that would be {0} meetings, more than {most}: use fewer cycles, fewer seats or another format", most = limits::MEETINGS)]
    Meetings(u64),
    /// A meeting has too many games.
    #[error("a meeting would have {0} games, more than {most}: use fewer maps, seatings or repeats", most = limits::GAMES)]
    Games(u64),
    /// A gauntlet without a hero.
    #[error("a gauntlet needs at least one hero: name who plays against everybody else")]
    NoHero,
    /// A hero who does not take part.
    #[error("the hero {0} does not take part: list it among the players")]
    AbsentHero(BotNumber),
    /// A match for third place where it makes no sense.
    #[error("double elimination finds its third place by itself: leave third place out")]
    ThirdPlace,
    /// A knockout that began.
    #[error("the knockout began and takes nobody in: add players before its first round")]
    Begun,
    /// Results that nobody waits for.
    #[error("round {round} waits for no results: {}", match awaited { Some(round) => format!("report round {round}"), None => "draw the next round first".into() })]
    NotAwaited {
        /// The round of the results.
        round: u32,
        /// The round that waits for results.
        awaited: Option<u32>,
    },
    /// Results that do not fit the round.
    #[error(
        "the results of round {round} do not fit it: give points and score of every player in each of its {meetings} meetings"
    )]
    Results {
        /// The round that cannot be drawn.
        round: u32,
        /// How many meetings it has.
        meetings: usize,
    },
}

impl PairingError {
    /// The value, if it is in its range.
    pub(crate) fn within(what: &'static str, value: u64, least: u64, most: u64) -> Result<(), PairingError> {
        match (least..=most).contains(&value) {
            true => Ok(()),
            false => Err(PairingError::Range { what, value, least, most }),
        }
    }
}
