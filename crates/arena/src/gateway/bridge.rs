//! The dialect of `palestra connect`, for bots of every game: lines, and counted bytes of the bot. `docs/gateway.md` says
//! everything about it.

use super::Disconnect;
use super::dialect::{ClientCommand, Dialect, Lines, Received, first_word, wish};
use super::lobby::{Lobby, NextRound, WaitsFor};
use super::standings::Standings;
use crate::api::MatchKind;
use crate::ids::AccountId;
use crate::limits;
use crate::play::{MatchEnd, MatchResult, MatchStart};
use crate::store::Account;
use std::time::Instant;

/// The first line of such a client, without its version.
pub(super) const GREETING: &[u8] = b"palestra-bridge";
/// The version of the dialect. A change that a client of before would not understand raises it. In version 1 `over` is
/// followed by words for people only; before version 3 there is no `waiting` and no `next`, and practice is `free`.
const VERSION: u8 = 3;

/// The state of one client.
#[derive(Default)]
pub(super) struct Bridge {
    version: u8,
    lines: Lines,
    /// Bytes of the bot that are still to come.
    piece: usize,
    phase: Phase,
    /// What it was last told about how it stands.
    standing: String,
    /// What it was last told that it waits for.
    lobby: Option<Lobby>,
}

/// Where a client is with its match.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Idle,
    /// Its bot is being started.
    Begun,
    /// In a match.
    Playing,
    /// The match is over, and it is to end its bot.
    Over { until: Option<Instant> },
}

impl Bridge {
    /// For a client of this version, if that is spoken here.
    pub(super) fn of_version(version: &[u8]) -> Option<Bridge> {
        let version = str::from_utf8(version).ok()?.parse().ok()?;
        (1..=VERSION).contains(&version).then(|| Bridge { version, ..Bridge::default() })
    }

    fn hear_line(&mut self, line: &[u8], received: &mut Received) -> Result<(), Disconnect> {
        let (word, rest) = first_word(line);
        match word {
            b"bytes" => {
                let length = str::from_utf8(rest).ok().and_then(|length| length.parse::<usize>().ok());
                self.piece =
                    length.filter(|length| *length <= limits::PIECE_BYTES).ok_or(Disconnect::LongPiece)?;
            }
            b"ready" if self.phase == Phase::Begun => {
                self.phase = Phase::Playing;
                received.commands.push(ClientCommand::Ready);
            }
            b"ended" => received.commands.push(ClientCommand::Ended),
            b"done" if matches!(self.phase, Phase::Over { .. }) => self.phase = Phase::Idle,
            // What is said of a match that the other end knows to be over by now.
            b"pong" | b"ready" | b"done" => {}
            b"opponent" => received.commands.push(ClientCommand::Wish(wish(rest))),
            b"login" => {
                let (game, secret) = first_word(rest);
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                received.commands.push(ClientCommand::Login { game: text(game), secret: text(secret) });
            }
            b"bye" => received.commands.push(ClientCommand::Bye),
            _ => return Err(Disconnect::Nonsense),
        }
        Ok(())
    }
}

impl Dialect for Bridge {
    const TRIES: u32 = 1;

    fn hear(&mut self, mut bytes: &[u8], _: Instant, received: &mut Received) -> Result<(), Disconnect> {
        let mut line = Vec::new();
        while !bytes.is_empty() {
            if self.piece > 0 {
                let (piece, rest) = bytes.split_at(self.piece.min(bytes.len()));
                if self.phase == Phase::Playing {
                    received.answer.extend_from_slice(piece);
                }
                self.piece -= piece.len();
                bytes = rest;
            } else if self.lines.next(&mut bytes, &mut line)? {
                received.anything = true;
                self.hear_line(&line, received)?;
            }
        }
        Ok(())
    }

    fn welcome(&mut self, account: &Account) -> Vec<u8> {
        self.standing.clear();
        self.lobby = None;
        format!("welcome {} {}\n", account.id, account.name).into_bytes()
    }

    fn refuse(&mut self, why: &str, again: bool) -> Vec<u8> {
        self.goodbye(why, again)
    }

    fn ping(&self) -> &'static [u8] {
        b"ping\n"
    }

    fn standings(&mut self, standings: &Standings, player: AccountId, _: Instant) -> Option<Vec<u8>> {
        let of = standings.lines.len();
        let line = standings.lines.iter().find(|line| line.player == player)?;
        let standing = format!("standing {} {of} {} {}\n", line.place, line.points, line.elo);
        let news = (standing != self.standing).then(|| standing.clone().into_bytes());
        self.standing = standing;
        news
    }

    fn waiting(&mut self, lobby: &Lobby, now: i64) -> Option<Vec<u8>> {
        if self.version < 3 || self.lobby.as_ref() == Some(lobby) {
            return None;
        }
        let told = self.lobby.replace(lobby.clone());
        let mut lines = Vec::new();
        if told.as_ref().is_none_or(|told| told.waits_for != lobby.waits_for) {
            lines.append(&mut match &lobby.waits_for {
                WaitsFor::Resume => b"waiting resume\n".to_vec(),
                WaitsFor::Round(name) => one_line("waiting round", name),
                WaitsFor::Opponent(others) => format!("waiting opponent {others}\n").into_bytes(),
                WaitsFor::NextRound => b"waiting next\n".to_vec(),
            });
        }
        if told.is_none_or(|told| told.next != lobby.next)
            && let Some(NextRound { name, starts }) = &lobby.next
        {
            // Seconds from now: the clocks of two machines differ.
            let left = starts.map(|starts| ((starts - now).max(0) as u64).div_ceil(1000).to_string());
            lines.append(&mut one_line(&format!("next {}", left.as_deref().unwrap_or("-")), name));
        }
        (!lines.is_empty()).then_some(lines)
    }

    fn begin(&mut self, start: &MatchStart, _: &mut Received) -> Vec<u8> {
        self.phase = Phase::Begun;
        self.lobby = None;
        let MatchStart { number, seat, kind, names, .. } = start;
        let counts = match kind {
            MatchKind::Scored => "scored",
            kind if self.version < 3 || kind.is_rated() => "free",
            _ => "practice",
        };
        let mut line = format!("begin {number} {seat} {counts}");
        for name in names {
            // One word each, whatever it is made of.
            line.push(' ');
            line.extend(name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }));
        }
        line.push('\n');
        line.into_bytes()
    }

    fn packet(&mut self, bytes: Vec<u8>, _: Instant) -> Vec<u8> {
        let mut piece = format!("bytes {}\n", bytes.len()).into_bytes();
        piece.extend_from_slice(&bytes);
        piece
    }

    fn over(&mut self, end: &MatchEnd) -> Vec<u8> {
        self.phase = Phase::Over { until: None };
        let over = match end.result {
            _ if self.version < 2 => "over",
            MatchResult::Won => "over won",
            MatchResult::Drawn => "over drawn",
            MatchResult::Lost => "over lost",
            MatchResult::Disqualified => "over disqualified",
            MatchResult::None => "over none",
        };
        one_line(over, &end.words)
    }

    fn settle(&mut self, now: Instant) -> Result<Option<Instant>, Disconnect> {
        match self.phase {
            Phase::Idle => Ok(None),
            Phase::Over { until: Some(until) } if until <= now => Err(Disconnect::NotDone),
            Phase::Over { until: Some(until) } => Ok(Some(until)),
            Phase::Begun | Phase::Playing | Phase::Over { until: None } => {
                let until = now + limits::BRIDGE_DONE;
                self.phase = Phase::Over { until: Some(until) };
                Ok(Some(until))
            }
        }
    }

    fn goodbye(&mut self, why: &str, again: bool) -> Vec<u8> {
        one_line(if again { "bye later" } else { "bye never" }, why)
    }
}

/// A line of a word and a text.
fn one_line(word: &str, text: &str) -> Vec<u8> {
    let text = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let text: String = text.take(limits::LINE_BYTES / 4 - word.len() - 2).collect();
    format!("{word} {text}\n").into_bytes()
}

/// What a client of another version is told.
pub(super) fn other_version(version: &[u8]) -> Vec<u8> {
    let why = format!(
        "this arena speaks versions up to {} of the bridge and you speak \"{}\"; use a palestra of the arena's version",
        VERSION,
        version.escape_ascii()
    );
    one_line("bye never", &why)
}

#[cfg(test)]
mod tests {
    use super::{Bridge, other_version};
    use crate::api::MatchKind;
    use crate::gateway::Disconnect;
    use crate::gateway::dialect::{ClientCommand, Dialect as _, Received};
    use crate::gateway::lobby::{Lobby, NextRound, WaitsFor};
    use crate::gateway::standings::tests::{standing, standings};
    use crate::ids::{AccountId, MatchId};
    use crate::limits;
    use crate::play::{MatchEnd, MatchResult, MatchStart};
    use proptest::prelude::*;
    use std::time::Instant;

    fn start() -> MatchStart {
        let names = vec!["anna".to_owned(), "b c\n".to_owned()];
        let kind = MatchKind::Scored;
        MatchStart { number: MatchId(17), game: "generals".to_owned(), seat: 2, names, kind }
    }

    fn says(bridge: &mut Bridge, bytes: &[u8]) -> Result<Received, Disconnect> {
        let mut received = Received::default();
        bridge.hear(bytes, Instant::now(), &mut received).map(|()| received)
    }

    #[test]
    fn a_match_from_begin_to_done() {
        let mut bridge = Bridge::of_version(b"2").unwrap();
        assert_eq!(says(&mut bridge, b"bytes 3\nabc").unwrap().answer, b"", "there is no match");
        let begin = bridge.begin(&start(), &mut Received::default());
        assert_eq!(begin, b"begin 17 2 scored anna b_c_\n");
        assert_eq!(says(&mut bridge, b"bytes 1\nx").unwrap().answer, b"", "not before it is ready");
        let received = says(&mut bridge, b"ready\nbytes 5\n1\n2\n3ended\n").unwrap();
        assert_eq!(
            (received.answer.as_slice(), received.commands),
            (b"1\n2\n3".as_slice(), vec![ClientCommand::Ready, ClientCommand::Ended])
        );
        assert_eq!(bridge.packet(b"hello\n".to_vec(), Instant::now()), b"bytes 6\nhello\n");
        let end = MatchEnd { result: MatchResult::Won, words: "won in 12 rounds".to_owned() };
        assert_eq!(bridge.over(&end), b"over won won in 12 rounds\n");
        assert_eq!(Bridge::of_version(b"1").unwrap().over(&end), b"over won in 12 rounds\n");
        let now = Instant::now();
        assert_eq!(bridge.settle(now), Ok(Some(now + limits::BRIDGE_DONE)));
        assert_eq!(says(&mut bridge, b"bytes 2\nxxpong\n").unwrap().answer, b"", "the match is over");
        assert_eq!(bridge.settle(now + limits::BRIDGE_DONE), Err(Disconnect::NotDone));
        says(&mut bridge, b"done\n").unwrap();
        assert_eq!(bridge.settle(now + limits::BRIDGE_DONE), Ok(None));
    }

    #[test]
    fn how_it_stands_is_told_when_it_has_changed() {
        let mut bridge = Bridge::default();
        let lines = || vec![standing(3, 2.5, 1516, "anna"), standing(4, 0.0, 1484, "bela")];
        assert_eq!(
            bridge.standings(&standings(1, lines()), AccountId(3), Instant::now()).unwrap(),
            b"standing 1 2 2.5 1516\n"
        );
        assert_eq!(bridge.standings(&standings(2, lines()), AccountId(3), Instant::now()), None);
        assert_eq!(
            bridge.standings(&standings(3, lines()), AccountId(9), Instant::now()),
            None,
            "who has not played stands nowhere"
        );
    }

    #[test]
    fn what_is_waited_for_is_told_when_it_has_changed_and_only_to_who_understands_it() {
        let next = |starts| Some(NextRound { name: "The\nfinal".to_owned(), starts });
        let lobby = |waits_for, next| Lobby { waits_for, next };
        let mut bridge = Bridge::of_version(b"3").unwrap();
        let mut told = |lobby: Lobby| {
            bridge.waiting(&lobby, 1_000).map(|told| String::from_utf8(told).unwrap()).unwrap_or_default()
        };
        assert_eq!(told(lobby(WaitsFor::Opponent(2), None)), "waiting opponent 2\n");
        assert_eq!(told(lobby(WaitsFor::Opponent(2), None)), "");
        assert_eq!(told(lobby(WaitsFor::Opponent(2), next(Some(3_500)))), "next 3 The final\n");
        assert_eq!(told(lobby(WaitsFor::Resume, next(Some(3_500)))), "waiting resume\n");
        assert_eq!(told(lobby(WaitsFor::NextRound, next(None))), "waiting next\nnext - The final\n");
        assert_eq!(told(lobby(WaitsFor::Round("The\nfinal".to_owned()), None)), "waiting round The final\n");
        let again = lobby(WaitsFor::Round("The\nfinal".to_owned()), None);
        bridge.begin(&start(), &mut Received::default());
        assert_eq!(
            bridge.waiting(&again, 0).unwrap(),
            b"waiting round The final\n",
            "after a match it is told again"
        );
        let mut before = Bridge::of_version(b"2").unwrap();
        assert_eq!(before.waiting(&again, 0), None);
    }

    #[test]
    fn what_a_match_counts_for_is_told() {
        for (version, kind, word) in [
            (&b"2"[..], MatchKind::Practice, "free"),
            (b"3", MatchKind::Practice, "practice"),
            (b"3", MatchKind::Free, "free"),
            (b"3", MatchKind::Scored, "scored"),
        ] {
            let mut bridge = Bridge::of_version(version).unwrap();
            let begin = bridge.begin(&MatchStart { kind, ..start() }, &mut Received::default());
            assert_eq!(begin, format!("begin 17 2 {word} anna b_c_\n").into_bytes());
        }
    }

    #[test]
    fn whoever_speaks_something_else_is_told_so() {
        for nonsense in [&b"hello\n"[..], b"\n", b"BYTES 3\nabc"] {
            assert_eq!(says(&mut Bridge::default(), nonsense), Err(Disconnect::Nonsense));
        }
        for length in ["", "-1", "x", "65537", "99999999999999999999999"] {
            let line = format!("bytes {length}\n");
            assert_eq!(says(&mut Bridge::default(), line.as_bytes()), Err(Disconnect::LongPiece), "{line:?}");
        }
        for version in [&b"0"[..], b"4", b"", b"2\xff", b"two"] {
            assert!(Bridge::of_version(version).is_none(), "{version:?}");
        }
        let told = String::from_utf8(other_version(b"3\xff")).unwrap();
        assert!(
            told.starts_with("bye never this arena speaks versions up to 3 ") && told.ends_with('\n'),
            "{told}"
        );
        assert_eq!(Bridge::default().goodbye("a\nb", true), b"bye later a b\n");
    }

    proptest! {
        #[test]
        fn any_cutting_of_the_same_bytes_says_the_same(
            said in prop::collection::vec(prop_oneof![
                Just(b"pong\n".to_vec()),
                Just(b"opponent any 3\n".to_vec()),
                prop::collection::vec(any::<u8>(), 0..30)
                    .prop_map(|bytes| [format!("bytes {}\n", bytes.len()).as_bytes(), &bytes].concat()),
            ], 0..20),
            cuts in prop::collection::vec(0_usize..400, 0..20),
        ) {
            let all = [&b"ready\n"[..], &said.concat()].concat();
            let (mut whole, mut pieces) = (Bridge::default(), Bridge::default());
            whole.begin(&start(), &mut Received::default());
            pieces.begin(&start(), &mut Received::default());
            let received = says(&mut whole, &all).unwrap();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(all.len())).chain([0, all.len()]).collect();
            cuts.sort_unstable();
            let mut in_pieces = Received::default();
            for cut in cuts.windows(2) {
                pieces.hear(&all[cut[0]..cut[1]], Instant::now(), &mut in_pieces).unwrap();
            }
            prop_assert_eq!(received, in_pieces);
        }

        #[test]
        fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let _ = says(&mut Bridge::default(), &bytes);
        }
    }
}
