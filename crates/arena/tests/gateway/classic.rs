//! Clients of old, through the whole session around their matches.

use crate::support::Event;
use palestra_arena::api::MatchKind;
use palestra_arena::store::{Account, KeyKind, NewAccount};
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn a_wrong_password_fails_and_another_try_may_do() {
    let event = Event::new("").await;
    let anna = event.player("anna").await;
    let mut client = event.connect().await;
    client.send("login wrong\r\nlog").await;
    assert_eq!(client.line().await, "fail");
    client.send(&format!("in {}\r\n", event.password("anna"))).await;
    let list = client.packet().await;
    assert!(list.starts_with("players "), "{list}");
    assert_eq!(client.line().await, "ping");
    client.send("pong\nopponent bot\n").await;
    assert!(client.game_packet().await.starts_with("tick "));
    // She has played, so that the next list has her in it.
    let mut second = event.log_in("bela").await;
    second.send("pong\n").await;
    drop(client);
    let mut again = event.connect().await;
    again.send(&format!("login {}\n", event.password("anna"))).await;
    let list = again.packet().await;
    assert!(list.lines().any(|line| line == format!("{} 0 1500 anna", anna.id)), "{list}");
}

#[tokio::test]
async fn a_password_that_somebody_chose_is_of_no_use_without_the_name() {
    let event = Event::new("").await;
    let password = Some("password".to_owned());
    let new = NewAccount { name: "anna".to_owned(), password, organiser: false };
    let (anna, _) = event.arena.store.add_account(new).await.unwrap();
    // Nor is one that looks as if the arena had made it.
    let new =
        NewAccount { name: "bela".to_owned(), password: Some("secretsecret".to_owned()), organiser: false };
    event.arena.store.add_account(new).await.unwrap();
    let (_, key) = event.arena.store.add_key(anna.id, KeyKind::Token, "my bot").await.unwrap();
    let mut client = event.connect().await;
    for chosen in ["password", "secretsecret", "anna password", "anna"] {
        client.send(&format!("login {chosen}\n")).await;
        assert_eq!(client.line().await, "fail", "{chosen}");
    }
    client.send(&format!("login {key}\n")).await;
    assert!(client.packet().await.starts_with("players "), "a key does");
    // What the arena made lets in until somebody chooses another one.
    let made = event.arena.store.set_password(anna.id, None).await.unwrap();
    let mut client = event.connect().await;
    client.send(&format!("login {made}\n")).await;
    assert!(client.packet().await.starts_with("players "));
    event.arena.store.set_password(anna.id, Some("better-password".to_owned())).await.unwrap();
    let mut client = event.connect().await;
    for chosen in [made.as_str(), "better-password"] {
        client.send(&format!("login {chosen}\n")).await;
        assert_eq!(client.line().await, "fail");
    }
}

#[tokio::test]
async fn the_connection_is_closed_after_a_few_wrong_passwords() {
    let event = Event::new("").await;
    let mut client = event.connect().await;
    client.send(&"login wrong\n".repeat(20)).await;
    let mut fails = 0;
    while let Some(line) = client.try_line().await {
        assert_eq!(line, "fail");
        fails += 1;
    }
    assert_eq!(fails, palestra_arena::limits::LOGIN_TRIES);
}

#[tokio::test]
async fn practice_goes_on_for_as_long_as_it_is_wished() {
    let event = Event::new("").await;
    let mut client = event.log_in("anna").await;
    client.send("pong\nopponent bot\n").await;
    let first = client.game_packet().await;
    assert!(first.contains("\nversus bot\nsoldiers 0\n"), "{first}");
    client.send("prod R\n.\n").await;
    let last = client.play("pong\nprod R\nopponent bot\n.\n").await;
    assert!(last.starts_with("tick 41\n") && last.ends_with("finished draw\n.\n"), "{last}");
    client.send(".\n").await;
    let next = client.game_packet().await;
    assert!(next.starts_with("tick 1\n") || next.starts_with("tick 2\n"), "the next match begins: {next}");
    let result = event.result(|view| view.kind == MatchKind::Practice).await;
    assert!(result.seats.iter().all(|seat| seat.fault.is_none() && seat.elo.is_none()), "{result:?}");
    // Nobody is wished any more: this match is the last.
    client.send("opponent \r\n.\n").await;
    client.play(".\n").await;
    client.send(".\n").await;
    assert!(timeout(Duration::from_millis(500), client.game_packet()).await.is_err());
}

#[tokio::test]
async fn names_with_blanks_and_of_other_alphabets_are_listed_as_they_are() {
    let event = Event::new("").await;
    let (team, roma) = (event.player("Team  One").await, event.player("Рома Ёлкин").await);
    let mut first = event.log_in_again("Team  One").await;
    first.send("pong\nopponent any\n").await;
    let mut second = event.log_in_again("Рома Ёлкин").await;
    second.send("pong\nopponent any\n").await;
    tokio::join!(first.play("prod R\n.\n"), second.play("prod R\n.\n"));
    event.result(|view| view.seats.iter().any(|seat| seat.name == "Team One")).await;
    let mut third = event.connect().await;
    event.player("anna").await;
    third.send(&format!("login {}\n", event.password("anna"))).await;
    let list = third.packet().await;
    let listed = |account: &Account| {
        let line = list.lines().find(|line| line.split(' ').next() == Some(&account.id.to_string()));
        // Whoever reads three numbers and the rest of the line reads the name.
        line.and_then(|line| line.splitn(4, ' ').nth(3)).map(str::to_owned)
    };
    assert_eq!((listed(&team), listed(&roma)), (Some("Team One".to_owned()), Some("Рома Ёлкин".to_owned())));
}

#[tokio::test]
async fn two_who_accept_each_other_play() {
    let event = Event::new("rest = \"0s\"").await;
    let (a, b) = (event.player("anna").await.id, event.player("bela").await.id);
    let (mut anna, mut bela) = (event.log_in_again("anna").await, event.log_in_again("bela").await);
    anna.send(&format!("pong\nopponent {b}\n")).await;
    bela.send("pong\nopponent any\n").await;
    for _ in 0..2 {
        let (of_anna, of_bela) = tokio::join!(anna.play(".\n"), bela.play("prod P\n.\n"));
        assert!(
            of_anna.contains(&format!("\nversus {b}\n")) && of_anna.contains("finished draw"),
            "{of_anna}"
        );
        assert!(
            of_bela.contains(&format!("\nversus {a}\n")) && of_bela.contains("finished draw"),
            "{of_bela}"
        );
        // The factory that produces is in everybody's own corner.
        assert!(of_bela.contains(" A P 0 0\n") && of_anna.contains(" E P 19 19\n"), "{of_anna}{of_bela}");
        anna.send(".\n").await;
        bela.send(".\n").await;
    }
    let result = event.result(|view| view.kind == MatchKind::Free).await;
    assert!(result.seats.iter().all(|seat| seat.elo.is_some() && seat.fault.is_none()), "{result:?}");
}

#[tokio::test]
async fn who_hangs_up_has_lost_whoever_is_to_move() {
    let event =
        Event::with("rest = \"0s\"\n[[game]]\nid = \"rps\"\nsubmissions = false\ntime = \"100s/answer\"\n")
            .await;
    let (mut anna, mut bela) = (event.log_in("anna").await, event.log_in("bela").await);
    anna.send("pong\nopponent any\n").await;
    bela.send("pong\nopponent any\n").await;
    // Whoever has the first tick is asked, and does not answer; the other one goes.
    let mut starter = tokio::select! {
        _ = anna.game_packet() => { drop(bela); anna }
        _ = bela.game_packet() => { drop(anna); bela }
    };
    let last = starter.game_packet().await;
    assert!(last.starts_with("tick 1\n") && last.contains("\nfinished victory\n"), "{last}");
    let result = event.result(|view| view.kind == MatchKind::Free).await;
    assert!(result.seats.iter().any(|seat| seat.fault.as_deref() == Some("exited")), "{result:?}");
}

#[tokio::test]
async fn a_second_login_takes_the_place_of_the_first_but_not_in_a_match() {
    let event = Event::new("").await;
    let mut first = event.log_in("anna").await;
    let mut second = event.log_in_again("anna").await;
    first.is_closed().await;
    second.send("pong\nopponent bot\n").await;
    second.game_packet().await;
    let mut third = event.connect().await;
    third.send(&format!("login {}\n", event.password("anna"))).await;
    assert_eq!(third.line().await, "fail", "refused while a match is on");
    second.send(".\n").await;
    second.play("opponent\n.\n").await;
    second.send(".\n").await;
    // What is wished within a match counts when it is over: no other match begins, and the place can be taken.
    loop {
        third.send(&format!("login {}\n", event.password("anna"))).await;
        match third.line().await.as_str() {
            "fail" => {}
            list => break assert!(list.starts_with("players "), "{list}"),
        }
    }
    second.is_closed().await;
}

#[tokio::test]
async fn a_match_waits_for_the_answer_to_the_last_packet_of_the_one_before() {
    let event = Event::new("").await;
    let mut client = event.log_in("anna").await;
    client.send("pong\nopponent bot\n").await;
    client.play(".\n").await;
    assert!(timeout(Duration::from_millis(700), client.game_packet()).await.is_err(), "an answer is owed");
    client.send("prod R\n.\n").await;
    let first = client.game_packet().await;
    assert!(first.starts_with("tick 1\n") || first.starts_with("tick 2\n"), "{first}");
    assert!(first.contains("\nprod 10 0 0 0\n"));
    client.send(".\n").await;
    let second = client.game_packet().await;
    // An answer that was taken for one of the next match would have begun to produce rocks.
    assert!(second.contains("\nprod 10 0 0 0\n"), "{second}");
}

#[tokio::test]
async fn an_answer_that_never_comes_is_written_off() {
    let event = Event::new("").await;
    let mut client = event.log_in("anna").await;
    client.send("pong\nopponent bot\n").await;
    client.play(".\n").await;
    let next = client.game_packet().await;
    assert!(next.starts_with("tick 1\n") || next.starts_with("tick 2\n"), "{next}");
    client.send("prod R\n.\n").await;
    let second = client.game_packet().await;
    assert!(second.contains("\nprod 10 1 0 0\n"), "answers count again: {second}");
}

#[tokio::test]
async fn who_misses_too_many_answers_loses_and_so_does_who_leaves() {
    let plan = "[[game]]\nid = \"rps\"\nsubmissions = false\ntime = \"20ms/answer\"\n\
                settings = { max_missed_answers = 3 }\n";
    let event = Event::with(&format!("rest = \"0s\"\n{plan}")).await;
    let mut silent = event.log_in("silent").await;
    silent.send("pong\nopponent bot\n").await;
    let mut packets = 0;
    while !silent.game_packet().await.contains("\nfinished defeat\n") {
        packets += 1;
    }
    assert_eq!(packets, 3);
    let result = event.result(|view| view.seats.iter().any(|seat| seat.name == "silent")).await;
    let seat = result.seats.iter().find(|seat| seat.name == "silent").unwrap();
    assert_eq!((seat.place, seat.fault.as_deref()), (Some(2), Some("out_of_time")));

    let (mut anna, mut bela) = (event.log_in("anna").await, event.log_in("bela").await);
    anna.send("opponent any\n").await;
    bela.send("opponent any\n").await;
    let leaving = tokio::spawn(async move {
        anna.game_packet().await;
        drop(anna);
    });
    let last = bela.play(".\n").await;
    assert!(last.contains("finished victory"), "{last}");
    leaving.await.unwrap();
}

#[tokio::test]
async fn pings_come_again_and_again_and_who_answers_none_is_gone() {
    let event = Event::new("ping = \"200ms\"").await;
    let mut silent = event.log_in("silent").await;
    let mut there = event.log_in("there").await;
    let mut pings = 1;
    while silent.try_line().await.is_some_and(|line| line == "ping") {
        pings += 1;
    }
    assert_eq!(pings, palestra_arena::limits::UNANSWERED_PINGS);
    for _ in 0..6 {
        there.send("pong\n").await;
        assert_eq!(there.line().await, "ping");
    }
}
