//! What the dialects of the gateway have in common: they turn bytes into what a client means, and back, without input
//! or output and without a clock.

use super::Disconnect;
use super::lobby::Lobby;
use super::standings::Standings;
use crate::hub::Wish;
use crate::ids::AccountId;
use crate::limits;
use crate::play::{MatchEnd, MatchStart};
use crate::store::Account;
use std::time::Instant;

/// A way of talking with clients.
pub(super) trait Dialect {
    /// Tries to log in before the connection is closed.
    const TRIES: u32;

    /// Takes what a client sent.
    fn hear(&mut self, bytes: &[u8], now: Instant, received: &mut Received) -> Result<(), Disconnect>;

    /// It has logged in.
    fn welcome(&mut self, account: &Account) -> Vec<u8>;

    /// It has not; `again` if another try may help.
    fn refuse(&mut self, why: &str, again: bool) -> Vec<u8>;

    /// Asks whether it is there.
    fn ping(&self) -> &'static [u8];

    /// How it, or everybody, stands; nothing if it knows that already, or was told only a moment ago.
    fn standings(&mut self, standings: &Standings, player: AccountId, now: Instant) -> Option<Vec<u8>>;

    /// What it waits for; nothing if it knows that already, or cannot be told.
    fn waiting(&mut self, _: &Lobby, _: i64) -> Option<Vec<u8>> {
        None
    }

    /// A match begins.
    fn begin(&mut self, start: &MatchStart, received: &mut Received) -> Vec<u8>;

    /// Bytes of the match for it.
    fn packet(&mut self, bytes: Vec<u8>, now: Instant) -> Vec<u8>;

    /// How the match ended.
    fn over(&mut self, end: &MatchEnd) -> Vec<u8>;

    /// The match is over. Says until when the client may still owe something of it; nothing if it does not.
    fn settle(&mut self, now: Instant) -> Result<Option<Instant>, Disconnect>;

    /// The connection ends; `again` if it is of use to come back.
    fn goodbye(&mut self, why: &str, again: bool) -> Vec<u8>;
}

/// What a client has said.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Received {
    /// For its match.
    pub(super) answer: Vec<u8>,
    /// For its session, in order.
    pub(super) commands: Vec<ClientCommand>,
    /// Whether it said anything at all.
    pub(super) anything: bool,
}

/// What a client can say to its session.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum ClientCommand {
    /// Who it is, and what it wants to play.
    Login {
        game: String,
        secret: String,
    },
    /// Against whom.
    Wish(Wish),
    /// Its bot can be asked.
    Ready,
    /// Its bot has ended, and will say nothing more in this match.
    Ended,
    Bye,
}

/// Whom a client wishes: `any`, `bot`, players' numbers, or nobody. Other words mean nobody.
pub(super) fn wish(words: &[u8]) -> Wish {
    let mut wish = Wish::default();
    for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        match word {
            b"any" => wish.any = true,
            b"bot" => wish.bot = true,
            number => {
                let number = str::from_utf8(number).ok().and_then(|number| number.parse::<AccountId>().ok());
                if wish.players.len() < limits::WISHED_PLAYERS {
                    wish.players.extend(number);
                }
            }
        }
    }
    wish
}

/// Cuts bytes into lines, however they come.
#[derive(Default)]
pub(super) struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    /// Takes the next line, without its end, from these bytes, and leaves the rest of them; false if more has to come.
    pub(super) fn next(&mut self, bytes: &mut &[u8], line: &mut Vec<u8>) -> Result<bool, Disconnect> {
        line.clear();
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            self.begun.extend_from_slice(bytes);
            *bytes = &[];
            return check(self.begun.len()).map(|()| false);
        };
        check(self.begun.len() + end)?;
        // Nothing is kept for a line that may never begin: there may be ten thousand clients.
        line.append(&mut std::mem::take(&mut self.begun));
        line.extend_from_slice(&bytes[..end]);
        *bytes = &bytes[end + 1..];
        while line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(true)
    }
}

fn check(length: usize) -> Result<(), Disconnect> {
    if length > limits::LINE_BYTES { Err(Disconnect::LongLine) } else { Ok(()) }
}

/// The first word of a line, and the rest.
pub(super) fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii())
}
