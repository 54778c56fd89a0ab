//! What servers and workers say to each other. Postcard behind a version: whoever reads another version is told so.

use crate::limits;
use palestra_core::limits::SEATS;
use palestra_core::{TimeControl, bounded};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The version of these messages. It goes up whenever one of them changes, or where what they name is found.
pub const FORMAT: u16 = 2;

/// Why a message cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MessageError {
    /// Of another version of the program.
    #[error("it has version {found} of the queue's messages, and this palestra reads {FORMAT}")]
    Version {
        /// Its version.
        found: u16,
    },
    /// Not what it should be.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// The bytes of a message.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_extend(message, FORMAT.to_le_bytes().to_vec()).expect("messages are plain data")
}

/// Reads a message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    let damaged = |why: &str| MessageError::Damaged(why.to_owned());
    let (version, body) = bytes.split_first_chunk::<2>().ok_or_else(|| damaged("it has no version"))?;
    match u16::from_le_bytes(*version) {
        FORMAT => postcard::from_bytes(body).map_err(|error| damaged(&error.to_string())),
        found => Err(MessageError::Version { found }),
    }
}

/// The SHA-256 of something that is fetched by it. Who knows it can read the thing: it is shown to nobody else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        use sha2::Digest as _;
        Hash(sha2::Sha256::digest(bytes).into())
    }

    /// Enough of it to tell one from another.
    fn beginning(&self) -> String {
        self.to_string()[..8].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which matches were sent together, by which server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BatchId {
    /// The process that sent it: what another one has asked for is not for this one.
    pub session: u64,
    /// Counted in there.
    pub number: u64,
}

/// Matches to play, one after the other, on the same cores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// Who asks: the subject that results go to.
    pub run: String,
    /// Which one it is.
    pub id: BatchId,
    /// How many workers were lost with one of these matches before it was sent this time.
    pub losses: u32,
    /// The game's id.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// The time control.
    pub time: TimeControl,
    /// What stands between the bots and the machine.
    pub sandbox: Sandbox,
    /// Cores of a match.
    pub cores: u16,
    /// Settings and maps that matches begin with.
    pub starts: Vec<Start>,
    /// Everybody who plays.
    pub bots: Vec<BotOrder>,
    /// The matches.
    pub tasks: Vec<Task>,
}

/// The sandbox that is asked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Sandbox {
    /// `off`, `auto` or `strict`.
    pub level: String,
    /// Memory of a bot in bytes, if it is not the usual.
    pub memory_bytes: Option<u64>,
    /// Processes of a bot, if it is not the usual.
    pub processes: Option<u32>,
}

/// What a match begins with besides its seed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Start {
    /// The settings, as JSON.
    pub settings: String,
    /// The map.
    pub setup: Setup,
}

/// A map.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Setup {
    /// Its text.
    Text(String),
    /// A long one, to be fetched.
    Object(Hash),
}

/// What plays on a seat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BotOrder {
    /// A built-in player, by its name.
    BuiltIn(String),
    /// A program or its source, to be fetched.
    Program {
        /// The archive of its files; see [`crate::pack`].
        pack: Hash,
        /// The file in there that is compiled or started.
        entry: String,
        /// The toolchain that makes a bot of it; none for a program that is started as it is.
        toolchain: Option<String>,
    },
}

/// A match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its number; with [`Task::attempt`] it is unique in a run.
    pub number: u64,
    /// How often it was played before and does not count.
    pub attempt: u32,
    /// The place of what it begins with in [`Batch::starts`].
    pub start: u16,
    /// The seed.
    pub seed: u64,
    /// Who plays, by seat.
    pub seats: Vec<SeatTask>,
    /// Whether its turns are told while it is played.
    pub live: bool,
}

/// Who plays on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatTask {
    /// The place in [`Batch::bots`].
    pub bot: u16,
    /// The name to show.
    pub name: String,
    /// What protocols call it, if not the usual.
    pub label: Option<String>,
}

/// A part of what a worker answers to a batch: the bytes of all parts together are `encode(&Parcel)`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The batch.
    pub batch: BatchId,
    /// Tells the parcels of one worker for one batch apart.
    pub parcel: u64,
    /// Which part, from 0.
    pub part: u32,
    /// How many there are.
    pub parts: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a worker answers to a batch, or to a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parcel(
    /// What became of each match.
    #[serde(deserialize_with = "bounded::list::<{ limits::BATCH_MATCHES }, _, _>")]
    pub Vec<MatchReply>,
);

/// What became of one match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchReply {
    /// Its number.
    pub number: u64,
    /// The attempt.
    pub attempt: u32,
    /// What became of it.
    pub what: ReplyKind,
}

/// What became of a match at a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ReplyKind {
    /// It was played to its end.
    Played(Box<PlayedReply>),
    /// It cannot be played there.
    Trouble(Trouble),
    /// The worker goes and gives it back.
    Returned,
    /// So many workers were lost with it, or with a match it was sent with: it was not begun.
    Lost(u32),
}

/// Why a worker cannot play a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Trouble {
    /// Something could not be fetched.
    Missing(Hash),
    /// What was fetched is something else.
    WrongObject(Hash),
    /// Of a game or rules that it does not have.
    OtherRules,
    /// Something else, in words.
    Other(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Missing(hash) => {
                write!(f, "the object {} could not be fetched from the queue", hash.beginning())
            }
            Trouble::WrongObject(hash) => {
                write!(f, "what the queue holds as the object {} is something else", hash.beginning())
            }
            Trouble::OtherRules => f.write_str("it has another version of the rules; update palestra there"),
            Trouble::Other(why) => f.write_str(why),
        }
    }
}

/// What a worker says about a match that it has played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedReply {
    /// The replay file.
    pub replay: Vec<u8>,
    /// How long the match took, in microseconds.
    pub micros: u64,
    /// By seat.
    #[serde(deserialize_with = "bounded::list::<SEATS, _, _>")]
    pub seats: Vec<SeatReply>,
    /// What helps to understand faults.
    #[serde(deserialize_with = "bounded::list::<{ limits::FAULTS }, _, _>")]
    pub faults: Vec<FaultReply>,
}

/// What a bot used, as far as its sandbox can tell, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatReply {
    /// The archive that was played.
    pub pack: Option<Hash>,
    /// The most memory at a time.
    pub memory_peak: Option<u64>,
    /// Processor time, in microseconds.
    pub cpu: Option<u64>,
    /// The most processes at a time.
    pub processes_peak: Option<u32>,
    /// Whether it asked for more memory than it may use.
    pub over_memory: bool,
    /// Whether it ended by itself.
    pub ended_itself: bool,
    /// Whether it was stopped for computing outside of its turns.
    pub off_turn: bool,
}

/// What is known about a fault besides the replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultReply {
    /// The turn.
    pub turn: u32,
    /// The last lines of the bot's standard error.
    #[serde(deserialize_with = "bounded::list::<{ limits::FAULT_LINES }, _, _>")]
    pub stderr: Vec<String>,
    /// If it ran out of time: what became of that time.
    pub waiting: Option<WaitingReply>,
}

/// What became of the time of a bot that ran out of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WaitingReply {
    /// The time that ran out.
    pub wall: Duration,
    /// How long others had the processor.
    pub starved: Duration,
    /// How long it did not want it.
    pub slept: Duration,
    /// By how much an answer was late.
    pub late: Option<Duration>,
    /// How long the driver did not have the processor.
    pub unheard: Duration,
}

/// What a server tells one worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Told {
    /// Nothing of it counts any more, and why.
    SetAside(String),
}

/// A text that a stranger sent, cut to what is shown.
pub(crate) fn cut(mut text: String) -> String {
    if text.len() > limits::REASON_BYTES {
        text.truncate(text.floor_char_boundary(limits::REASON_BYTES));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{BatchId, FORMAT, Hash, MatchReply, MessageError, Parcel, ReplyKind, decode, encode};

    #[test]
    fn what_is_written_is_read_and_another_version_is_refused() {
        let reply = MatchReply { number: 7, attempt: 2, what: ReplyKind::Returned };
        let bytes = encode(&Parcel(vec![reply.clone()]));
        assert_eq!(decode::<Parcel>(&bytes).unwrap().0, [reply]);
        let mut newer = bytes.clone();
        newer[0] += 1;
        let found = FORMAT + 1;
        assert_eq!(decode::<Parcel>(&newer), Err(MessageError::Version { found }));
        for length in 0..bytes.len() {
            assert!(matches!(decode::<Parcel>(&bytes[..length]), Err(MessageError::Damaged(_))));
        }
        assert!(decode::<BatchId>(b"").is_err());
    }

    #[test]
    fn a_hash_is_the_published_one() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of(b"abc").to_string(), abc);
    }
}
