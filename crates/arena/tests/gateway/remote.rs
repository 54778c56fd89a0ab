//! Matches of clients at lines, moved by hand: what counts as late, what does not, and what becomes of who is gone.

use palestra_arena::api::MatchKind;
use palestra_arena::ids::MatchId;
use palestra_arena::limits;
use palestra_arena::play::{
    MatchMessage, MatchStart, PreparedMatch, Report, SeatedBot, SessionChannel, SessionMessage,
    client_channel, remote,
};
use palestra_core::{AnyGame, PlanRequest, Seat, TimeControl};
use palestra_runner::Played;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

static RPS: palestra_rps::Rps = palestra_rps::Rps;
const BUDGET: Duration = Duration::from_millis(40);

/// A match of these bots, with so many ticks.
fn prepared(bots: Vec<SeatedBot>, ticks: u32) -> PreparedMatch {
    timed_match(bots, ticks, TimeControl::PerAnswer(BUDGET))
}

fn timed_match(bots: Vec<SeatedBot>, ticks: u32, time: TimeControl) -> PreparedMatch {
    let changes = [("max_ticks", ticks), ("max_missed_answers", 5), ("hold_ticks", 100_000)];
    let changes = changes.map(|(key, value)| (key.to_owned(), value.to_string()));
    let plan = RPS.plan(&PlanRequest { changes: &changes, map: None, players: 2, seed: 7 }).unwrap();
    PreparedMatch::new(&RPS, plan, time, bots).unwrap()
}

/// A client's bot, and its session's end of the line.
fn client(name: &str, label: &str) -> (SeatedBot, Session) {
    let (line, session) = client_channel(match_start());
    let bot = SeatedBot::client(name, label, line);
    session.to_match.try_send(SessionMessage::Ready).unwrap();
    (bot, Session { line: session, asked: Instant::now() })
}

fn match_start() -> MatchStart {
    MatchStart {
        number: MatchId(1),
        game: "rps".to_owned(),
        seat: 1,
        names: Vec::new(),
        kind: MatchKind::Free,
    }
}

struct Session {
    line: SessionChannel,
    asked: Instant,
}

/// What a session is told.
enum Told {
    Packet(String),
    Look,
    Over(String),
    End,
}

impl Session {
    async fn told(&mut self) -> Told {
        match self.line.from_match.recv().await {
            None => Told::End,
            Some(MatchMessage::Look) => Told::Look,
            Some(MatchMessage::Over(end)) => Told::Over(end.words),
            Some(MatchMessage::Bytes(bytes)) => {
                self.asked = Instant::now();
                Told::Packet(String::from_utf8(bytes).unwrap())
            }
        }
    }

    async fn say(&self, text: &str) {
        let say =
            SessionMessage::Bytes { bytes: text.as_bytes().to_vec(), at: Instant::now(), asked: self.asked };
        let _ = self.line.to_match.send(say).await;
    }

    async fn nothing(&self) {
        let _ = self.line.to_match.send(SessionMessage::Nothing { asked: self.asked }).await;
    }

    /// Answers everything at once; gives all packets and how it ended.
    async fn answer_all(mut self) -> (Vec<String>, String) {
        let (mut packets, mut end) = (Vec::new(), String::new());
        loop {
            match self.told().await {
                Told::Packet(packet) => {
                    packets.push(packet);
                    self.say("prod R\n.\n").await;
                }
                Told::Look => self.nothing().await,
                Told::Over(words) => end = words,
                Told::End => return (packets, end),
            }
        }
    }
}

fn played(report: Report) -> Box<Played> {
    let played = report.unwrap();
    assert!(played.replay.verify(&RPS).is_ok(), "a match that was played can be played again");
    played
}

fn bot() -> SeatedBot {
    SeatedBot::built_in("bot")
}

#[tokio::test]
async fn two_clients_move_in_turn_and_both_see_the_end() {
    let ((anna, one), (bela, two)) = (client("anna", "17"), client("bela", "4"));
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bela], 30)));
    let ((of_anna, end), (of_bela, other_end)) = tokio::join!(one.answer_all(), two.answer_all());
    let played = played(playing.await.unwrap());
    let ticks = |packets: &[String]| -> Vec<u32> {
        packets.iter().map(|packet| packet[5..packet.find('\n').unwrap()].parse().unwrap()).collect()
    };
    assert_eq!(ticks(&of_anna), (1..=30).step_by(2).chain([31]).collect::<Vec<_>>());
    assert_eq!(ticks(&of_bela), (2..=30).step_by(2).chain([31]).collect::<Vec<_>>());
    assert!(of_anna[0].contains("\nversus 4\n") && of_bela[0].contains("\nversus 17\n"));
    assert!(of_anna.last().unwrap().ends_with("finished draw\n.\n"));
    assert_eq!((end.as_str(), other_end.as_str()), ("drawn in 30 ticks", "drawn in 30 ticks"));
    assert!(played.faults.is_empty() && played.rounds == 30, "{:?}", played.faults);
    assert_eq!(played.usage[0].turns, 15);
    assert_eq!(played.usage[0].cpu, None, "nobody knows what a client computes");
}

#[tokio::test]
async fn what_is_there_when_the_session_looks_is_in_time() {
    let (anna, mut session) = client("anna", "17");
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bot()], 10)));
    let mut looks = 0;
    loop {
        match session.told().await {
            // The answer has come in, but this machine was too busy to read it.
            Told::Packet(_) => {}
            Told::Look => {
                looks += 1;
                session.say("prod R\n.\n").await;
                session.nothing().await;
            }
            Told::Over(_) => {}
            Told::End => break,
        }
    }
    let played = played(playing.await.unwrap());
    assert_eq!(looks, 5);
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    assert!(played.usage[0].longest <= BUDGET);
}

#[tokio::test]
async fn an_ask_that_waited_for_the_network_gets_its_whole_time() {
    let (anna, mut session) = client("anna", "17");
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bot()], 2)));
    assert!(matches!(session.told().await, Told::Packet(_)));
    assert!(matches!(session.told().await, Told::Look));
    // Only from here on the clock runs, whatever this match thought.
    session.asked = Instant::now() + Duration::from_secs(1);
    session.nothing().await;
    assert!(matches!(session.told().await, Told::Look), "it was given its time, and is looked for again");
    session.say(".\n").await;
    session.nothing().await;
    while !matches!(session.told().await, Told::End) {}
    assert!(played(playing.await.unwrap()).faults.is_empty());
}

#[tokio::test]
async fn a_late_answer_is_thrown_away_and_the_next_one_counts() {
    let (anna, mut session) = client("anna", "17");
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bot()], 8)));
    let mut packets = Vec::new();
    loop {
        match session.told().await {
            Told::Packet(packet) => {
                packets.push(packet);
                match packets.len() {
                    // Late by one packet, and then both at once.
                    1 => {}
                    2 => session.say("prod S\n.\nprod R\n.\n").await,
                    _ => session.say(".\n").await,
                }
            }
            Told::Look => session.nothing().await,
            Told::Over(_) => {}
            Told::End => break,
        }
    }
    let played = played(playing.await.unwrap());
    let faults: Vec<_> = played.faults.iter().map(|fault| (fault.turn, fault.fault.kind())).collect();
    assert_eq!(faults, [(1, "out_of_time")]);
    assert!(packets[2].contains("\nprod 10 1 0 0\n"), "rocks, not scissors: {}", packets[2]);
}

#[tokio::test]
async fn who_is_gone_loses_and_who_never_listens_is_cut_off() {
    let ((anna, one), (bela, two)) = (client("anna", "17"), client("bela", "4"));
    drop(one);
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bela], 30)));
    let (packets, end) = two.answer_all().await;
    assert_eq!(packets.len(), 1, "the last packet only");
    assert_eq!(end, "won in 1 tick");
    assert_eq!(played(playing.await.unwrap()).outcome.winner, Some(Seat::at(1)));

    // This one answers ahead, for ever, and takes nothing: its queue is full after a while.
    let (anna, session) = client("anna", "17");
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bot()], 1000)));
    while !session.line.to_match.is_closed() {
        session.say(&".\n".repeat(10)).await;
        tokio::task::yield_now().await;
    }
    let played = played(playing.await.unwrap());
    assert_eq!(played.outcome.winner, Some(Seat::at(1)));
    assert_eq!(played.faults[0].fault.kind(), "exited");
    drop(session);
}

#[tokio::test]
async fn who_closes_the_connection_loses_at_once_whoever_is_asked() {
    for asked in [0, 1] {
        let (mut bots, mut sessions) = (Vec::new(), Vec::new());
        for (name, label) in [("anna", "17"), ("bela", "4")] {
            let (bot, session) = client(name, label);
            bots.push(bot);
            sessions.push(session);
        }
        // Nobody's time is ever over.
        let prepared = timed_match(bots, 30, TimeControl::Unlimited);
        let playing = tokio::spawn(remote::play(prepared));
        let told = async {
            if asked == 1 {
                assert!(matches!(sessions[0].told().await, Told::Packet(_)));
                // The second answer is written ahead: it does not play on for who has left.
                sessions[0].say(".\n.\n").await;
            }
            assert!(
                matches!(sessions[asked].told().await, Told::Packet(_)),
                "it is asked, and does not answer"
            );
            drop(sessions.remove(1 - asked));
            let Told::Packet(last) = sessions[0].told().await else { panic!("a packet") };
            assert!(last.ends_with("finished victory\n.\n"), "{last}");
            assert!(matches!(sessions[0].told().await, Told::Over(words) if words.starts_with("won in ")));
        };
        tokio::time::timeout(Duration::from_secs(60), told).await.expect("it is told at once");
        let played = played(playing.await.unwrap());
        let gone = Seat::at(1 - asked);
        assert_eq!(played.outcome.winner, Some(Seat::at(asked)));
        assert_eq!((played.faults[0].seat, played.faults[0].fault.kind()), (gone, "exited"));
        assert_eq!(played.replay.head.departures, [(asked as u32 + 1, gone)]);
    }
}

/// On one thread, somebody else must come to work while built-in players think.
#[tokio::test]
async fn a_match_of_built_in_players_does_not_keep_the_thread() {
    let turns = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&turns);
    let other = tokio::spawn(async move {
        loop {
            counter.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    });
    let random = || SeatedBot::built_in("random");
    let played = played(remote::play(prepared(vec![random(), random()], 100_000)).await);
    assert!(played.rounds > 1000 && played.faults.is_empty(), "{}", played.rounds);
    assert!(turns.load(Ordering::Relaxed) > 2, "{turns:?}");
    other.abort();
}

#[test]
fn a_match_that_cannot_be_is_told_in_a_sentence() {
    let (anna, _session) = client("anna", "17");
    let plan = RPS.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 7 }).unwrap();
    let why = PreparedMatch::new(&RPS, plan, TimeControl::Unlimited, vec![anna]).err().unwrap().to_string();
    assert!(why.contains("2 seats"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn a_match_begins_without_whoever_is_not_ready() {
    let start = tokio::time::Instant::now();
    let (line, mut session) = client_channel(match_start());
    let anna = SeatedBot::client("anna", "17", line);
    let playing = tokio::spawn(remote::play(prepared(vec![anna, bot()], 10)));
    assert!(matches!(session.from_match.recv().await, Some(MatchMessage::Bytes(_))), "it is asked");
    let waited = start.elapsed();
    assert!(waited >= limits::READY && waited < 2 * limits::READY, "{waited:?}");
    drop(session);
    let played = played(playing.await.unwrap());
    assert_eq!(played.outcome.winner, Some(Seat::at(1)));
}
