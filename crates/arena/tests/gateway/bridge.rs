//! The dialect of `palestra connect`, spoken by hand.

use crate::support::{Client, Event};
use palestra_arena::api::MatchKind;
use palestra_arena::store::KeyKind;

/// The next line that is no ping, and not about how one stands.
pub(crate) async fn line(client: &mut Client) -> String {
    loop {
        let line = client.line().await;
        match line.split(' ').next() {
            Some("ping") => client.send("pong\n").await,
            Some("standing") => {}
            _ => return line,
        }
    }
}

/// Plays a match of generals in which it never moves, from its `begin` on; gives how it ended.
pub(crate) async fn play(client: &mut Client) -> String {
    client.send("ready\n").await;
    let mut asks = 0;
    loop {
        let line = line(client).await;
        if let Some(words) = line.strip_prefix("over ") {
            assert!(asks > 0);
            client.send("done\n").await;
            return words.to_owned();
        }
        let length = line.strip_prefix("bytes ").unwrap_or_else(|| panic!("{line}")).parse().unwrap();
        let bytes = client.bytes(length).await;
        // The map comes first; then every turn is asked for.
        if asks > 0 && bytes != b"0\n" {
            client.send("bytes 3\n-1\nby").await;
            client.send("tes 0\n").await;
        }
        asks += 1;
    }
}

#[tokio::test]
async fn a_bot_of_another_game_plays_through_a_bridge() {
    let event = Event::new("").await;
    let anna = event.player("anna").await;
    let (_, key) = event.arena.store.add_key(anna.id, KeyKind::Token, "bridge").await.unwrap();
    let mut client = event.connect().await;
    client.send(&format!("palestra-bridge 1\nlogin generals {key}\nopponent bot\n")).await;
    assert_eq!(line(&mut client).await, format!("welcome {} anna", anna.id));
    for _ in 0..2 {
        let begin = line(&mut client).await;
        assert!(
            begin.starts_with("begin ") && begin.contains(" free ") && begin.contains(" anna"),
            "{begin}"
        );
        let words = play(&mut client).await;
        assert!(words.contains(" in ") && !words.contains(": "), "{words}");
    }
    let result = event.result(|view| view.kind == MatchKind::Practice).await;
    assert_eq!(result.game, "generals");
    client.send("bye\n").await;
    client.is_closed().await;
}

#[tokio::test]
async fn a_bot_that_ends_loses_and_the_next_match_begins() {
    let event = Event::new("").await;
    event.player("anna").await;
    let mut client = event.connect().await;
    client.send(&format!("palestra-bridge 1\nlogin rps {}\nopponent bot\n", event.password("anna"))).await;
    assert!(line(&mut client).await.starts_with("welcome "));
    assert!(line(&mut client).await.starts_with("begin "));
    client.send("ready\nended\n").await;
    loop {
        let line = line(&mut client).await;
        if let Some(words) = line.strip_prefix("over ") {
            assert!(words.starts_with("lost in ") && words.contains("closed its output"), "{words}");
            break;
        }
        client.bytes(line.strip_prefix("bytes ").unwrap().parse().unwrap()).await;
    }
    client.send("done\n").await;
    assert!(line(&mut client).await.starts_with("begin "));
}

#[tokio::test]
async fn whoever_cannot_come_in_is_told_why() {
    let event = Event::new("").await;
    event.player("anna").await;
    for (said, told) in [
        (
            "palestra-bridge 4\n",
            "bye never this arena speaks versions up to 3 of the bridge and you speak \"4\"",
        ),
        ("palestra-bridge 1\nlogin chess wrong\n", "bye never there is no game \"chess\" at this event"),
        ("palestra-bridge 1\nlogin rps wrong\n", "bye never nobody has this key"),
        ("palestra-bridge 1\nhello\n", "bye later you sent a line that means nothing"),
        ("palestra-bridge 1\nbytes 1000000\n", "bye later you announced something else than"),
    ] {
        let mut client = event.connect().await;
        client.send(said).await;
        let line = client.line().await;
        assert!(line.starts_with(told), "{line}");
        client.is_closed().await;
    }
    // One of two clients of the same player is told to leave for good, so that they do not take turns.
    let mut first = event.connect().await;
    first.send(&format!("palestra-bridge 1\nlogin rps {}\n", event.password("anna"))).await;
    assert!(first.line().await.starts_with("welcome "));
    let _second = event.log_in_again("anna").await;
    let told = loop {
        let line = first.line().await;
        if line.starts_with("bye ") {
            break line;
        }
    };
    assert!(told.starts_with("bye never another client"), "{told}");
}
