//! The dialect of Rock Paper Scissor's clients, fed with bytes and times: one to one, whatever comes in whatever pieces.

use super::{LineDialect, Words};
use crate::api::MatchKind;
use crate::gateway::Disconnect;
use crate::gateway::dialect::{ClientCommand, Dialect as _, Received};
use crate::gateway::standings::tests::{standing, standings};
use crate::hub::Wish;
use crate::ids::{AccountId, MatchId};
use crate::limits;
use crate::play::MatchStart;
use palestra_core::limits::LATE_ANSWER;
use proptest::prelude::*;
use std::time::{Duration, Instant};

const PACKET: &[u8] = b"tick 1\nversus bot\nsoldiers 0\nbase r N\nbase d N\nprod 10 0 0 0\n.\n";

struct Client {
    dialect: LineDialect,
    now: Instant,
}

impl Client {
    fn new() -> Client {
        let mut dialect = LineDialect::new(Words::of(&[&palestra_rps::Rps]).unwrap());
        let names = vec!["a".to_owned(), "b".to_owned()];
        let start =
            MatchStart { number: MatchId(1), game: "rps".to_owned(), seat: 1, names, kind: MatchKind::Free };
        let mut received = Received::default();
        assert!(dialect.begin(&start, &mut received).is_empty(), "clients of old are told nothing");
        assert_eq!(received.commands, [ClientCommand::Ready]);
        Client { dialect, now: Instant::now() }
    }

    fn packet(&mut self) {
        assert_eq!(self.dialect.packet(PACKET.to_vec(), self.now), PACKET, "packets go out as they are");
    }

    fn says(&mut self, text: &str) -> Received {
        let mut received = Received::default();
        self.dialect.hear(text.as_bytes(), self.now, &mut received).unwrap();
        received
    }

    fn answers(&mut self, text: &str) -> String {
        String::from_utf8(self.says(text).answer).unwrap()
    }

    fn is_free(&mut self) -> bool {
        self.dialect.settle(self.now).unwrap().is_none()
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
    }
}

#[test]
fn session_lines_between_the_lines_of_an_answer_are_no_part_of_it() {
    let mut client = Client::new();
    client.packet();
    let received = client.says("1 left\r\npong\r\nopponent 3 7 bot\nprod R\nlogin again\n\n.\r\n");
    assert_eq!(received.answer, b"1 left\nprod R\n.\n");
    let wish = Wish { any: false, bot: true, players: vec![AccountId(3), AccountId(7)] };
    let login = ClientCommand::Login { game: "rps".to_owned(), secret: "again".to_owned() };
    assert_eq!(received.commands, [ClientCommand::Wish(wish), login]);
    assert!(received.anything && client.is_free());
}

#[test]
fn every_way_to_wish_is_understood() {
    let mut client = Client::new();
    let mut wish = |text: &str| match client.says(text).commands.pop() {
        Some(ClientCommand::Wish(wish)) => wish,
        other => panic!("{other:?}"),
    };
    assert_eq!(wish("opponent any\n"), Wish { any: true, ..Wish::default() });
    assert_eq!(wish("opponent bot\n"), Wish { bot: true, ..Wish::default() });
    for nobody in ["opponent\n", "opponent \n", "opponent \r\n", "opponent nobody 1e9 99999999999999999999\n"]
    {
        assert_eq!(wish(nobody), Wish::default(), "{nobody:?}");
    }
    let all: String = (0..800).map(|number| format!(" {number}")).collect();
    assert_eq!(wish(&format!("opponent{all}\n")).players.len(), limits::WISHED_PLAYERS);
}

#[test]
fn an_answer_without_a_packet_belongs_to_no_match() {
    let mut client = Client::new();
    assert_eq!(client.answers("prod R\n.\n"), "");
    client.packet();
    assert_eq!(client.answers("prod P\n.\nprod S\n.\n"), "prod P\n.\n", "one packet, one answer");
    assert_eq!(client.answers("1 le"), "");
    client.packet();
    assert_eq!(
        client.answers("ft\n.\n2 up\n.\n"),
        "1 left\n.\n",
        "an answer begins with its first whole line"
    );
}

#[test]
fn the_rest_of_an_unwanted_answer_is_unwanted() {
    let mut client = Client::new();
    assert_eq!(client.answers("prod R\n"), "");
    client.packet();
    assert_eq!(client.answers("1 left\n.\nprod P\n.\n"), "prod P\n.\n");
}

#[test]
fn late_answers_reach_the_match_which_throws_them_away() {
    let mut client = Client::new();
    client.packet();
    client.wait(Duration::from_millis(600));
    client.packet();
    assert_eq!(client.answers("prod R\n.\nprod P\n.\nprod S\n.\n"), "prod R\n.\nprod P\n.\n");
}

#[test]
fn the_last_packet_is_answered_or_written_off_before_the_next_match() {
    let mut client = Client::new();
    client.packet();
    assert!(!client.is_free());
    assert_eq!(client.answers("prod R\n"), "prod R\n");
    assert!(!client.is_free(), "half an answer is none");
    client.says(".\n");
    assert!(client.is_free());

    client.packet();
    client.packet();
    client.says(".\n");
    let until = client.dialect.settle(client.now).unwrap();
    assert_eq!(until, Some(client.now + LATE_ANSWER), "the last one is still owed");
    client.wait(LATE_ANSWER - Duration::from_millis(1));
    assert!(!client.is_free());
    client.wait(Duration::from_millis(1));
    assert!(client.is_free());
    // Its answer comes after all, and must not be taken for one to the next match's first packet.
    assert_eq!(client.answers("1 left\n.\n"), "");
}

#[test]
fn whoever_skips_an_answer_owes_it_for_five_seconds_and_no_longer() {
    let mut client = Client::new();
    client.packet();
    let mut waited = Duration::ZERO;
    while waited < LATE_ANSWER {
        assert!(!client.dialect.owed.is_empty(), "one behind");
        client.wait(Duration::from_millis(250));
        waited += Duration::from_millis(250);
        client.packet();
        assert_eq!(client.answers(".\n"), ".\n", "the match decides what it is worth");
    }
    assert!(client.is_free(), "in step");
    client.packet();
    client.says(".\n");
    assert!(client.is_free());
}

#[test]
fn an_answer_that_was_written_off_halfway_does_not_reach_into_the_next_match() {
    let mut client = Client::new();
    client.packet();
    assert_eq!(client.answers("1 left\n"), "1 left\n");
    client.wait(LATE_ANSWER);
    assert!(client.is_free());
    client.packet();
    assert_eq!(client.answers("2 left\n.\nprod R\n.\n"), "prod R\n.\n");
    assert!(client.is_free());
}

#[test]
fn a_packet_is_counted_once_however_it_is_cut() {
    let mut client = Client::new();
    for byte in PACKET {
        client.dialect.packet(vec![*byte], client.now);
    }
    assert_eq!(client.dialect.owed.len(), 1);
    client.dialect.packet([PACKET, PACKET].concat(), client.now);
    assert_eq!(client.dialect.owed.len(), 3);
}

#[test]
fn the_list_comes_when_it_has_changed_and_not_too_often() {
    let mut client = Client::new();
    let first = standings(1, vec![standing(3, 0.0, 1500, "anna")]);
    assert_eq!(
        client.dialect.standings(&first, AccountId(3), client.now).unwrap(),
        b"players 1\n3 0 1500 anna\n.\n"
    );
    let second = standings(2, Vec::new());
    assert_eq!(client.dialect.standings(&second, AccountId(3), client.now), None);
    client.wait(limits::LIST_PAUSE);
    assert_eq!(client.dialect.standings(&first, AccountId(3), client.now), None);
    assert!(client.dialect.standings(&second, AccountId(3), client.now).is_some());
}

#[test]
fn a_line_without_end_is_cut_off() {
    let mut client = Client::new();
    let mut received = Received::default();
    let long = vec![b'x'; limits::LINE_BYTES];
    assert_eq!(client.dialect.hear(&long, client.now, &mut received), Ok(()));
    assert_eq!(client.dialect.hear(b"x", client.now, &mut received), Err(Disconnect::LongLine));
    let mut client = Client::new();
    let whole = [long.as_slice(), b"x\n"].concat();
    assert_eq!(client.dialect.hear(&whole, client.now, &mut received), Err(Disconnect::LongLine));
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(".".to_owned()),
        Just("pong".to_owned()),
        Just(String::new()),
        "opponent( [0-9]{1,3}| any| bot){0,3}",
        "login [a-z]{0,5}",
        "[0-9]{1,2} (left|right|up|down)",
        "prod [RPS]",
        "[ -~]{0,12}",
    ]
}

proptest! {
    /// Clients write as they like, and the network cuts as it likes.
    #[test]
    fn any_cutting_of_the_same_bytes_says_the_same(
        lines in prop::collection::vec((line(), prop::bool::ANY), 0..40),
        cuts in prop::collection::vec(0_usize..400, 0..20),
        packets in 0_usize..12,
    ) {
        let text: String =
            lines.iter().map(|(line, cr)| format!("{line}{}", if *cr { "\r\n" } else { "\n" })).collect();
        let mut whole = Client::new();
        let mut pieces = Client::new();
        for _ in 0..packets {
            whole.packet();
            pieces.packet();
        }
        let received = whole.says(&text);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).chain([0, text.len()]).collect();
        cuts.sort_unstable();
        let mut in_pieces = Received::default();
        for cut in cuts.windows(2) {
            let bytes = &text.as_bytes()[cut[0]..cut[1]];
            pieces.dialect.hear(bytes, pieces.now, &mut in_pieces).unwrap();
        }
        prop_assert_eq!(&received, &in_pieces);
        prop_assert_eq!(&whole.dialect.owed.len(), &pieces.dialect.owed.len());
        let answered = received.answer.split(|byte| *byte == b'\n').filter(|line| line.trim_ascii() == b".").count();
        prop_assert_eq!(answered + whole.dialect.owed.len(), packets, "one to one");
    }

    #[test]
    fn no_bytes_do_harm(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut client = Client::new();
        client.packet();
        let _ = client.dialect.hear(&bytes, client.now, &mut Received::default());
    }
}
