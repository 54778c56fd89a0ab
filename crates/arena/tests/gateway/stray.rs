//! Browsers, and programs that hand something in, at the wrong port.

use crate::support::{Client, Event, tls};

async fn answer(mut client: Client, request: &[u8]) -> String {
    assert!(client.try_send(request).await, "it is heard out");
    let mut answer = String::new();
    while let Some(line) = client.try_line().await {
        answer += &format!("{line}\n");
    }
    answer
}

#[tokio::test]
async fn who_looks_for_the_site_is_told_where_it_is() {
    let event = Event::new("").await;
    let upload = [
        &b"POST /api/games/rps/versions?file=a.py HTTP/1.1\r\nhost: x\r\ncontent-length: 8388608\r\n\r\n"[..],
        &[b'x'; 8 << 20],
    ]
    .concat();
    for request in [&b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"[..], b"OPTIONS * HTTP/1.0\r\n", &upload] {
        let answer = answer(event.connect().await, request).await;
        let (head, text) = answer.split_once("\r\n\r\n").expect("a head and a text");
        assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
        assert!(head.contains("\r\nConnection: close\r\n"), "{head}");
        assert!(head.ends_with(&format!("\r\nContent-Length: {}", text.len())), "{head}");
        let site = format!("its site is at port {}\n", event.arena.site.port());
        assert!(text.contains("the arena's gateway") && text.ends_with(&site), "{text}");
    }
    let event = Event::new(&tls()).await;
    let client = Client::with_tls(event.socket().await).await.unwrap();
    let answer = answer(client, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert!(answer.ends_with(&format!("at port {}, with https://\n", event.arena.site.port())), "{answer}");
    let event = Event::new("behind_proxy = true").await;
    let client = event.connect().await;
    let mut known = event.log_in("anna").await;
    let told = self::answer(client, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(told.contains("the address that the organisers have given you"), "{told}");
    known.send("pong\nopponent bot\n").await;
    assert!(known.play(".\n").await.contains("finished"), "nobody else notices");
}
