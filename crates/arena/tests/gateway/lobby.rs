//! Who plays whom and when: wishes, rest, the server's own bot, house players, and rounds that follow each other.

use crate::support::{Client, Event};
use palestra_arena::api::{Control, EventState, MatchKind, RoundState};
use palestra_arena::hub::{Snapshot, WantedRounds};
use palestra_arena::ids::RoundId;
use std::time::Duration;
use tokio::time::timeout;

/// Long enough for the arena to do what it must not do.
const A_WHILE: Duration = Duration::from_millis(700);

const RPS: &str = "[[game]]\nid = \"rps\"\nsubmissions = false\nsettings = { max_ticks = 40 }\n";

async fn begins(client: &mut Client) -> bool {
    timeout(A_WHILE, client.game_packet()).await.is_ok()
}

/// Plays a match to its end, the last packet answered.
async fn play_out(client: &mut Client) {
    client.play(".\n").await;
    client.send(".\n").await;
}

#[tokio::test]
async fn a_wish_before_the_login_is_remembered() {
    let event = Event::new("").await;
    event.player("anna").await;
    let mut client = event.connect().await;
    client.send("opponent any\nopponent bot\nlogin wrong\n").await;
    assert_eq!(client.line().await, "fail");
    client.send(&format!("login {}\n", event.password("anna"))).await;
    let first = client.game_packet().await;
    assert!(first.contains("\nversus bot\n"), "{first}");
}

#[tokio::test]
async fn a_second_login_is_answered_like_the_first() {
    let event = Event::new("").await;
    event.player("bela").await;
    let mut client = event.log_in("anna").await;
    let login = format!("login {}\n", event.password("anna"));
    for _ in 0..2 {
        client.send(&login).await;
        assert!(client.packet().await.starts_with("players "));
        assert_eq!(client.line().await, "ping");
    }
    for other in ["wrong", &event.password("bela")] {
        client.send(&format!("login {other}\n")).await;
        assert_eq!(client.line().await, "fail");
    }
    // Within a match it is answered after that.
    client.send("opponent bot\n").await;
    client.game_packet().await;
    client.send(&format!("{login}opponent\n.\n")).await;
    play_out(&mut client).await;
    assert!(client.packet().await.starts_with("players "));
    assert_eq!(client.line().await, "ping");
}

#[tokio::test]
async fn the_rest_after_a_match_belongs_to_the_player() {
    let event = Event::new("rest = \"1h\"").await;
    let (mut anna, mut bela) = (event.log_in("anna").await, event.log_in("bela").await);
    anna.send("opponent any\n").await;
    bela.send("opponent any\n").await;
    tokio::join!(play_out(&mut anna), play_out(&mut bela));
    assert!(!begins(&mut anna).await, "still connected");
    let (mut anna, mut bela) = (event.log_in_again("anna").await, event.log_in_again("bela").await);
    anna.send("opponent any\n").await;
    bela.send("opponent any\n").await;
    assert!(!begins(&mut anna).await, "connected anew");
    // Others are not in the way, and neither is practice.
    let (mut carl, mut dora) = (event.log_in("carl").await, event.log_in("dora").await);
    carl.send("opponent any\n").await;
    dora.send("opponent any\n").await;
    tokio::join!(carl.game_packet(), dora.game_packet());
}

#[tokio::test]
async fn real_opponents_go_before_the_bot() {
    let event = Event::new("bot_after = \"1h\"\nrest = \"0s\"").await;
    let mut anna = event.log_in("anna").await;
    anna.send("opponent any bot\n").await;
    assert!(!begins(&mut anna).await, "somebody may still come");
    let mut bela = event.log_in("bela").await;
    bela.send("opponent any bot\n").await;
    let (of_anna, of_bela) = tokio::join!(anna.game_packet(), bela.game_packet());
    assert!(!of_anna.contains("versus bot") && !of_bela.contains("versus bot"), "{of_anna}{of_bela}");

    let event = Event::new("bot_after = \"100ms\"").await;
    let mut alone = event.log_in("alone").await;
    alone.send("opponent any bot\n").await;
    assert!(alone.game_packet().await.contains("\nversus bot\n"), "nobody came");
}

#[tokio::test]
async fn house_players_have_their_numbers_and_the_servers_own_bot_is_called_bot() {
    let game = RPS.replace(
        "submissions",
        "house = [\"greedy\"]\nhouse_in_rounds = true\nbot = \"greedy\"\nsubmissions",
    );
    let event = Event::with(&format!("{game}[[round]]\nname = \"One\"\n")).await;
    let mut anna = event.log_in("anna").await;
    anna.send("opponent bot\n").await;
    let first = anna.game_packet().await;
    assert!(first.contains("\nversus bot\n"), "{first}");
    anna.send("opponent\n.\n").await;
    play_out(&mut anna).await;
    event.arena.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    let scored = anna.game_packet().await;
    let house =
        event.arena.store.accounts().await.unwrap().into_iter().find(|account| account.house).unwrap();
    assert!(scored.contains(&format!("\nversus {}\n", house.id)), "{scored}");
}

#[tokio::test]
async fn everybody_who_was_ever_there_is_in_a_round_and_the_next_one_follows_at_once() {
    let rounds = "[[round]]\nname = \"One\"\n[[round]]\nname = \"Two\"\nstart = \"next\"\n";
    let event = Event::with(&format!("rest = \"0s\"\ngrace = \"0s\"\n{RPS}{rounds}")).await;
    drop(event.log_in("gone").await);
    let (mut anna, mut bela) = (event.log_in("anna").await, event.log_in("bela").await);
    for client in [&mut anna, &mut bela] {
        client.send("opponent any\n").await;
    }
    event.arena.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    let plays = |mut client: Client| {
        tokio::spawn(async move {
            loop {
                play_out(&mut client).await;
            }
        })
    };
    let players = [plays(anna), plays(bela)];
    let all = WantedRounds { game: None, before: RoundId(u32::MAX), limit: 10 };
    let over = async {
        while event
            .arena
            .hub
            .rounds(all.clone())
            .await
            .rounds
            .iter()
            .any(|round| round.state != RoundState::Over)
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(60), over).await.expect("both rounds are played");
    players.iter().for_each(tokio::task::JoinHandle::abort);
    let rounds = event.arena.hub.rounds(all).await.rounds;
    let [two, one] = &rounds[..] else { panic!("{rounds:?}") };
    // Everybody meets everybody on both seats, and who has left is one of three.
    assert_eq!((one.progress, two.progress), ((6, 6), (6, 6)));
    let (from, to) = (one.ended.unwrap(), two.starts.unwrap());
    let between = event
        .arena
        .hub
        .snapshots()
        .borrow()
        .live
        .latest
        .iter()
        .filter(|view| view.kind == MatchKind::Free && (from..=to).contains(&view.started))
        .count();
    assert_eq!(between, 0, "no free match in between");
}

#[tokio::test]
async fn whoever_leaves_loses_however_much_it_has_written_ahead() {
    let event = Event::new("rest = \"0s\"").await;
    event.player("anna").await;
    let mut anna = event.connect().await;
    anna.send(&format!("palestra-bridge 1\nlogin rps {}\nopponent any\n", event.password("anna"))).await;
    let mut bela = event.log_in("bela").await;
    bela.send("opponent any\n").await;
    while !anna.line().await.starts_with("begin ") {}
    let ahead = ".\n".repeat(100);
    anna.send(&format!("ready\nbytes {}\n{ahead}bye\n", ahead.len())).await;
    anna.is_closed().await;
    let last = bela.play(".\n").await;
    assert!(last.ends_with("finished victory\n.\n"), "{last}");
}

/// The next line that says what is waited for, or which round is next.
async fn told(client: &mut Client) -> String {
    loop {
        let line = client.line().await;
        if line.starts_with("waiting ") || line.starts_with("next ") {
            return line;
        }
    }
}

#[tokio::test]
async fn a_bridge_is_told_what_it_waits_for() {
    let rounds = "[[round]]\nname = \"The first\"\n[[round]]\nname = \"Two\"\nstart = \"next\"\n";
    let event = Event::with(&format!("rest = \"0s\"\n{RPS}{rounds}")).await;
    event.player("anna").await;
    let bela = event.log_in("bela").await;
    let mut anna = event.connect().await;
    let hub = &event.arena.hub;
    let snapshot = async |wanted: fn(&Snapshot) -> bool| {
        hub.snapshots().wait_for(|snapshot| wanted(snapshot)).await.map(drop).unwrap();
    };
    snapshot(|snapshot| snapshot.online.len() == 1).await;
    anna.send(&format!("palestra-bridge 3\nlogin rps {}\nopponent any\n", event.password("anna"))).await;
    assert_eq!(told(&mut anna).await, "waiting opponent 1");
    assert_eq!(told(&mut anna).await, "next - The first");
    anna.send("opponent\n").await;
    assert_eq!(told(&mut anna).await, "waiting next");
    hub.control(None, None, Control::Pause).await.unwrap();
    snapshot(|snapshot| snapshot.state == EventState::Paused).await;
    anna.send("opponent any\n").await;
    assert_eq!(told(&mut anna).await, "waiting resume");
    hub.control(None, None, Control::Resume).await.unwrap();
    // Whoever has left is in the round all the same, and is waited for.
    drop(bela);
    snapshot(|snapshot| snapshot.online.len() == 1).await;
    hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    snapshot(|snapshot| snapshot.live.rounds.iter().any(|round| round.state == RoundState::Running)).await;
    anna.send("opponent bot\n").await;
    assert_eq!(told(&mut anna).await, "waiting round The first");
}
