//! The dialect of contests' own clients: lines, packets that end with one of their own, answers that do the same. A game
//! says which words it is spoken in.
//!
//! Answers are matched to packets one to one. What is said when no packet waits for its answer belongs to no match, and
//! a client is free for the next one only when it owes no answer any more.

use super::Disconnect;
use super::dialect::{ClientCommand, Dialect, Lines, Received, first_word, wish};
use super::standings::Standings;
use crate::ids::AccountId;
use crate::limits;
use crate::play::{MatchEnd, MatchStart};
use crate::store::Account;
use palestra_core::AnyGame;
use palestra_core::legacy::ClientLines;
use palestra_core::limits::LATE_ANSWER;
use std::collections::VecDeque;
use std::time::Instant;

/// The words of a dialect, and the game whose clients speak it; they have no word to name another.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) game: &'static str,
    pub(super) lines: &'static ClientLines,
}

impl Words {
    /// The dialect of the first of these games that has one.
    pub(super) fn of(games: &[&'static dyn AnyGame]) -> Option<Words> {
        games.iter().find_map(|game| Some(Words { game: game.info().id, lines: game.client_lines()? }))
    }
}

/// The state of one client.
pub(super) struct LineDialect {
    words: Words,
    lines: Lines,
    /// When the packets went out that wait for their answers.
    owed: VecDeque<Instant>,
    /// Since when there has always been such a packet.
    owes_since: Option<Instant>,
    answer: Answer,
    /// The line of a packet that went out in part, as far as it is the beginning of the one that ends packets.
    sent: Option<usize>,
    /// The version of the list that it knows, and when it got that.
    list: u64,
    listed: Option<Instant>,
}

/// Where a client is with its answer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Answer {
    /// It has not begun one.
    #[default]
    None,
    /// To the packet that it was sent last.
    Wanted,
    /// To nothing: it is thrown away up to its end.
    Unwanted,
}

impl LineDialect {
    pub(super) fn new(words: Words) -> LineDialect {
        LineDialect {
            words,
            lines: Lines::default(),
            owed: VecDeque::new(),
            owes_since: None,
            answer: Answer::None,
            sent: Some(0),
            list: 0,
            listed: None,
        }
    }

    /// Writes off what has been owed for too long: without that, whoever skips an answer would be one behind for ever.
    /// The last packet is no debt yet, unless it is itself as old as that.
    fn write_off(&mut self, now: Instant) {
        let is_old = |since: &Instant| now.saturating_duration_since(*since) >= LATE_ANSWER;
        if self.owes_since.as_ref().is_some_and(is_old) {
            self.owed.drain(..self.owed.len().saturating_sub(1));
            if self.owed.back().is_some_and(is_old) {
                self.owed.clear();
            }
            self.owes_since = self.owed.back().copied();
        }
        if self.owed.is_empty() && self.answer == Answer::Wanted {
            self.answer = Answer::Unwanted;
        }
    }

    fn hear_line(&mut self, line: &[u8], now: Instant, received: &mut Received) {
        let (word, rest) = first_word(line);
        let Words { game, lines } = self.words;
        if word.is_empty() || word == lines.pong.as_bytes() {
            return;
        }
        if word == lines.opponents.as_bytes() {
            received.commands.push(ClientCommand::Wish(wish(rest)));
        } else if word == lines.login.as_bytes() {
            let secret = String::from_utf8_lossy(rest).into_owned();
            received.commands.push(ClientCommand::Login { game: game.to_owned(), secret });
        } else {
            self.hear_answer(line, word == lines.end.as_bytes() && rest.is_empty(), now, received);
        }
    }

    fn hear_answer(&mut self, line: &[u8], is_end: bool, now: Instant, received: &mut Received) {
        self.write_off(now);
        if self.answer == Answer::None {
            self.answer = if self.owed.is_empty() { Answer::Unwanted } else { Answer::Wanted };
        }
        if self.answer == Answer::Wanted {
            received.answer.extend_from_slice(line);
            received.answer.push(b'\n');
        }
        if is_end {
            if self.answer == Answer::Wanted {
                self.owed.pop_front();
                self.owes_since = self.owes_since.filter(|_| !self.owed.is_empty());
            }
            self.answer = Answer::None;
        }
    }
}

impl Dialect for LineDialect {
    const TRIES: u32 = limits::LOGIN_TRIES;

    fn hear(&mut self, mut bytes: &[u8], now: Instant, received: &mut Received) -> Result<(), Disconnect> {
        let mut line = Vec::new();
        while self.lines.next(&mut bytes, &mut line)? {
            received.anything = true;
            self.hear_line(&line, now, received);
        }
        Ok(())
    }

    /// The list that follows says it; it comes at every login.
    fn welcome(&mut self, _: &Account) -> Vec<u8> {
        (self.list, self.listed) = (0, None);
        Vec::new()
    }

    fn refuse(&mut self, _: &str, _: bool) -> Vec<u8> {
        self.words.lines.refused.into()
    }

    fn ping(&self) -> &'static [u8] {
        self.words.lines.ping.as_bytes()
    }

    fn standings(&mut self, standings: &Standings, _: AccountId, now: Instant) -> Option<Vec<u8>> {
        let recent =
            self.listed.is_some_and(|listed| now.saturating_duration_since(listed) < limits::LIST_PAUSE);
        if recent || self.list == standings.version {
            return None;
        }
        (self.list, self.listed) = (standings.version, Some(now));
        Some(standings.list.clone().into_bytes())
    }

    /// The first packet says it all; such a client is always ready.
    fn begin(&mut self, _: &MatchStart, received: &mut Received) -> Vec<u8> {
        self.sent = Some(0);
        received.commands.push(ClientCommand::Ready);
        Vec::new()
    }

    fn packet(&mut self, bytes: Vec<u8>, now: Instant) -> Vec<u8> {
        let end = self.words.lines.end.as_bytes();
        for byte in &bytes {
            if *byte == b'\n' && self.sent == Some(end.len()) {
                self.owed.push_back(now);
                self.owes_since.get_or_insert(now);
            }
            self.sent = match (byte, self.sent) {
                (b'\n', _) => Some(0),
                (byte, Some(same)) if end.get(same) == Some(byte) => Some(same + 1),
                _ => None,
            };
        }
        self.write_off(now);
        bytes
    }

    fn over(&mut self, _: &MatchEnd) -> Vec<u8> {
        Vec::new()
    }

    fn settle(&mut self, now: Instant) -> Result<Option<Instant>, Disconnect> {
        self.write_off(now);
        Ok(self.owed.back().map(|asked| *asked + LATE_ANSWER))
    }

    fn goodbye(&mut self, _: &str, _: bool) -> Vec<u8> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
