//! Clients that mean harm. None of them lasts, and none of them costs anybody else a match.

use crate::support::{Client, Event};
use palestra_arena::limits;

/// Two who play a match while others misbehave.
async fn play(event: &Event) -> (Client, Client) {
    let (mut anna, mut bela) = (event.log_in("anna").await, event.log_in("bela").await);
    anna.send("pong\nopponent any\n").await;
    bela.send("pong\nopponent any\n").await;
    let (of_anna, of_bela) = tokio::join!(anna.play("prod R\n.\n"), bela.play("prod S\n.\n"));
    assert!(of_anna.contains("finished draw") && of_bela.contains("finished draw"));
    let result = event.result(|view| view.seats.iter().any(|seat| seat.name == "anna")).await;
    assert!(result.seats.iter().all(|seat| seat.fault.is_none()), "{result:?}");
    (anna, bela)
}

#[tokio::test]
async fn garbage_long_lines_and_floods_are_cut_off() {
    let event = Event::new("").await;
    let endless = vec![b'x'; 1 << 20];
    let lines = b"1 left\n".repeat(1 << 16);
    let garbage: Vec<u8> = (0..1_u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [&endless, &lines, &garbage] {
        let mut stranger = event.connect().await;
        stranger.try_send(bytes).await;
        stranger.is_closed().await;
    }
    for bytes in [&endless, &lines, &garbage] {
        let mut known = event.log_in(&format!("known{}", bytes[0])).await;
        known.try_send(bytes).await;
        known.is_closed().await;
    }
    play(&event).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_bad_clients_does_not_spoil_a_match() {
    let event = Event::new("").await;
    let mut crowd = Vec::new();
    for number in 0..60 {
        let mut client = event.connect().await;
        crowd.push(tokio::spawn(async move {
            match number % 4 {
                // Says nothing at all, or not enough.
                0 => {}
                1 => client.send("log").await,
                // Guesses.
                2 => client.send("login guess\n".repeat(3).as_str()).await,
                // Comes and goes.
                _ => return None,
            }
            Some(client)
        }));
    }
    // One floods while it plays: it is not read faster than its match takes it.
    let mut flooder = event.log_in("flooder").await;
    flooder.send("opponent bot\n").await;
    flooder.game_packet().await;
    let flood = tokio::spawn(async move {
        let lines = b"1 left\nopponent bot\n".repeat(1000);
        for _ in 0..200 {
            if !flooder.try_send(&lines).await {
                return;
            }
        }
    });
    play(&event).await;
    flood.abort();
    for client in crowd {
        drop(client.await);
    }
}

#[tokio::test]
async fn whoever_drips_an_answer_is_in_time_and_costs_nobody_a_match() {
    let event = Event::new("").await;
    let (mut anna, mut drips) = (event.log_in("anna").await, event.log_in("drips").await);
    anna.send("pong\nopponent any\n").await;
    drips.send("pong\nopponent any\n").await;
    let dripping = async {
        loop {
            if drips.game_packet().await.contains("\nfinished ") {
                return;
            }
            for piece in ["\n"; 100].into_iter().chain("1 left\nprod R\n.\n".split_inclusive("")) {
                drips.send(piece).await;
            }
        }
    };
    let (of_anna, ()) = tokio::join!(anna.play("prod S\n.\n"), dripping);
    assert!(of_anna.contains("finished draw"), "{of_anna}");
    let result = event.result(|view| view.seats.iter().any(|seat| seat.name == "anna")).await;
    assert!(result.seats.iter().all(|seat| seat.fault.is_none()), "{result:?}");
}

#[tokio::test]
async fn a_flood_during_a_match_ends_with_who_sends_it() {
    let event = Event::new("").await;
    // Answers without end are answers, as long as there are packets; the others lose.
    for (name, flood, loses) in [
        ("answers", "prod R\n.\n", false),
        ("wishes", "opponent 1 2 3\n", true),
        ("endless", "1 left\n", true),
    ] {
        let mut client = event.log_in(name).await;
        client.send("pong\nopponent bot\n").await;
        client.game_packet().await;
        let lines = flood.repeat(1000);
        let mut sent = 0;
        while client.try_send(lines.as_bytes()).await {
            sent += lines.len();
            assert!(sent < 1 << 30, "{name} sends for ever");
        }
        let result = event.result(|view| view.seats.iter().any(|seat| seat.name == name)).await;
        let seat = result.seats.iter().find(|seat| seat.name == name).unwrap();
        assert!(!loses || seat.place == Some(2), "{result:?}");
    }
}

#[tokio::test]
async fn an_address_where_somebody_guesses_is_open_to_the_others() {
    let event = Event::new("").await;
    event.player("anna").await;
    let mut inside = event.log_in("bela").await;
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let mut client = event.connect().await;
        guesses.spawn(async move {
            client.send("login guess\n".repeat(limits::LOGIN_TRIES as usize).as_str()).await;
            client.is_closed().await;
        });
    }
    guesses.join_all().await;
    let mut anna = event.log_in_again("anna").await;
    anna.send("pong\nopponent bot\n").await;
    assert!(anna.play(".\n").await.contains("finished"));
    inside.send("pong\nopponent bot\n").await;
    assert!(inside.play(".\n").await.contains("finished"));
}

#[tokio::test]
async fn silent_strangers_make_room_for_who_logs_in() {
    palestra_arena::gateway::allow_many_files();
    let event = Event::new("").await;
    let mut inside = event.log_in("bela").await;
    let mut silent = Vec::new();
    for number in 0..limits::STRANGERS_OF_ADDRESS {
        let mut client = event.connect().await;
        if number == 1 {
            client.send("log").await;
        }
        silent.push(client);
    }
    let mut anna = event.log_in("anna").await;
    let mut dora = event.log_in("dora").await;
    silent[0].is_closed().await;
    silent[1].is_closed().await;
    for client in [&mut inside, &mut anna, &mut dora] {
        client.send("pong\nopponent bot\n").await;
        assert!(client.play(".\n").await.contains("finished"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_answers_without_reading_is_cut_off_and_nobody_waits() {
    let event = Event::with(ENDLESS).await;
    event.player("deaf").await;
    let deaf = Client::new(event.socket_with_little_room().await);
    is_deaf(&event, deaf).await;
}

/// Matches that do not end by themselves.
pub(crate) const ENDLESS: &str =
    "[[game]]\nid = \"rps\"\nsubmissions = false\nsettings = { max_ticks = 100000, hold_ticks = 100000 }\n";

/// Answers as the player "deaf" without reading, and loses.
pub(crate) async fn is_deaf(event: &Event, mut deaf: Client) {
    deaf.send(&format!("login {}\nopponent bot\n", event.password("deaf"))).await;
    deaf.packet().await;
    deaf.game_packet().await;
    // What it is sent fills its own buffer, the system's, and then the session's.
    let answers = b"prod R\n.\n".repeat(100);
    while deaf.try_send(&answers).await {}
    let result = event.result(|view| view.seats.iter().any(|seat| seat.name == "deaf")).await;
    let seat = result.seats.iter().find(|seat| seat.name == "deaf").unwrap();
    assert_eq!(seat.place, Some(2), "{result:?}");
    assert!(seat.fault.is_some(), "{result:?}");
}
