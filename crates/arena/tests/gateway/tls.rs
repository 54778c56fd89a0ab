//! Clients that speak TLS, beside those who do not, and those who only begin with it.

use crate::bridge::{line, play};
use crate::hostile::{ENDLESS, is_deaf};
use crate::support::{Client, Event, tls, trusting};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ClientConnection;

/// A connection that takes one byte at a time.
struct Crumbs(TcpStream);

impl AsyncRead for Crumbs {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Crumbs {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, &bytes[..bytes.len().min(1)])
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[tokio::test]
async fn a_bridge_through_tls_plays_whole_matches() {
    let event = Event::new(&tls()).await;
    event.player("anna").await;
    event.player("bela").await;
    let whole = Client::with_tls(event.socket().await).await.unwrap();
    let in_crumbs = Client::with_tls(Crumbs(event.socket().await)).await.unwrap();
    for (mut client, name) in [(whole, "anna"), (in_crumbs, "bela")] {
        client
            .send(&format!("palestra-bridge 1\nlogin generals {}\nopponent bot\n", event.password(name)))
            .await;
        assert!(line(&mut client).await.starts_with("welcome "));
        for _ in 0..2 {
            assert!(line(&mut client).await.starts_with("begin "));
            let words = play(&mut client).await;
            assert!(words.contains(" in ") && !words.contains(": "), "{words}");
        }
        client.send("bye\n").await;
        client.is_closed().await;
    }
}

#[tokio::test]
async fn who_speaks_tls_plays_against_who_does_not() {
    let event = Event::new(&tls()).await;
    let mut plain = event.log_in("anna").await;
    event.player("bela").await;
    let mut secure = Client::with_tls(event.socket().await).await.unwrap();
    secure.send(&format!("login {}\n", event.password("bela"))).await;
    assert!(secure.packet().await.starts_with("players "));
    plain.send("pong\nopponent any\n").await;
    secure.send("pong\nopponent any\n").await;
    let (of_plain, of_secure) = tokio::join!(plain.play("prod R\n.\n"), secure.play("prod S\n.\n"));
    assert!(of_plain.contains("finished draw") && of_secure.contains("finished draw"));
    let result = event.result(|view| view.seats.iter().any(|seat| seat.name == "bela")).await;
    assert!(result.seats.iter().all(|seat| seat.fault.is_none()), "{result:?}");
}

#[tokio::test]
async fn much_that_comes_at_once_is_heard_to_its_end() {
    let event = Event::new(&tls()).await;
    event.player("anna").await;
    let mut client = Client::with_tls(event.socket().await).await.unwrap();
    // One piece of TLS, longer than what is read at a time: the network has no more to tell when its end is not read yet.
    let chatter = "pong\n".repeat(2_400);
    client
        .send(&format!(
            "palestra-bridge 1\n{chatter}login rps {}\n{chatter}opponent bot\n",
            event.password("anna")
        ))
        .await;
    assert!(line(&mut client).await.starts_with("welcome "));
    assert!(line(&mut client).await.starts_with("begin "));
}

/// The first words of a client that speaks TLS as it should.
fn hello() -> Vec<u8> {
    let mut client = ClientConnection::new(trusting(), "localhost".try_into().unwrap()).unwrap();
    let mut hello = Vec::new();
    client.write_tls(&mut hello).unwrap();
    hello
}

#[tokio::test]
async fn who_begins_with_tls_and_goes_on_with_garbage_is_cut_off() {
    let event = Event::new(&tls()).await;
    let garbage: Vec<u8> = (0..1_u32 << 16).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let handshake_without_end = [&[0x16, 3, 1, 0x40, 0][..], &[1, 0xff, 0xff, 0xff], &[0; 0x3ffc]].concat();
    for said in [
        [&[0x16], garbage.as_slice()].concat(),
        [&[0x16, 3, 1, 0xff, 0xff], garbage.as_slice()].concat(),
        handshake_without_end.repeat(8),
        [hello(), garbage.clone()].concat(),
        [hello(), b"login anna-secret\n".to_vec()].concat(),
        hello().repeat(2),
    ] {
        let mut client = event.connect().await;
        client.try_send(&said).await;
        client.is_closed().await;
    }
    // What is wrong after the handshake ends it too.
    event.player("anna").await;
    let mut client = Client::with_tls(event.socket().await).await.unwrap();
    client.send(&format!("palestra-bridge 1\nlogin rps {}\nhello\n", event.password("anna"))).await;
    loop {
        let line = line(&mut client).await;
        if line.starts_with("bye ") {
            assert_eq!(line, "bye later you sent a line that means nothing");
            break;
        }
    }
    client.is_closed().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_what_is_sealed_is_cut_off_too() {
    let event = Event::with(&format!("{}{ENDLESS}", tls())).await;
    event.player("deaf").await;
    let deaf = Client::with_tls(event.socket_with_little_room().await).await.unwrap();
    is_deaf(&event, deaf).await;
}

#[tokio::test]
async fn an_arena_without_tls_ends_it_at_once() {
    let event = Event::new("").await;
    assert!(Client::with_tls(event.socket().await).await.is_err());
    let mut plain = event.log_in("anna").await;
    plain.send("pong\nopponent bot\n").await;
    assert!(plain.play(".\n").await.contains("finished"));
}
