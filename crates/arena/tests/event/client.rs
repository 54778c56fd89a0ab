//! A client of the Rock Paper Scissor event, as people write them: lines in, lines out.

use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

const THINKS: std::time::Duration = std::time::Duration::from_millis(4);

/// How a client plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Marches straight to the other factory.
    Rush,
    /// Makes rocks and leaves them where they are.
    Sit,
}

/// Plays, connecting again, until nobody listens any more; says how many matches it saw the end of.
pub(crate) async fn play(gateway: SocketAddr, password: String, wish: String, style: Style) -> u32 {
    let mut finished = 0;
    while let Ok(stream) = TcpStream::connect(gateway).await {
        finished += session(stream, &password, &wish, style).await.unwrap_or(0);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    finished
}

async fn session(stream: TcpStream, password: &str, wish: &str, style: Style) -> std::io::Result<u32> {
    stream.set_nodelay(true)?;
    let (reading, mut writing) = stream.into_split();
    let mut lines = BufReader::new(reading).lines();
    writing.write_all(format!("login {password}\n").as_bytes()).await?;
    let (mut packet, mut finished, mut told) = (Vec::new(), 0, false);
    while let Some(line) = lines.next_line().await? {
        match line.as_str() {
            "fail" => return Ok(finished),
            "ping" => {
                writing.write_all(b"pong\n").await?;
                if !told {
                    writing.write_all(format!("opponent {wish}\n").as_bytes()).await?;
                    told = true;
                }
            }
            "." => {
                let list = packet.first().is_some_and(|line: &String| line.starts_with("players"));
                if !list {
                    // A bot thinks a little.
                    tokio::time::sleep(THINKS).await;
                    finished += u32::from(packet.iter().any(|line| line.starts_with("finished")));
                    writing.write_all(answer(&packet, style).as_bytes()).await?;
                }
                packet.clear();
            }
            _ => packet.push(line),
        }
    }
    Ok(finished)
}

fn answer(packet: &[String], style: Style) -> String {
    let mut answer = String::new();
    for line in packet {
        let words: Vec<&str> = line.split(' ').collect();
        if let [id, "A", _, x, y] = words[..]
            && style == Style::Rush
        {
            let (x, y): (u32, u32) = (x.parse().unwrap_or(0), y.parse().unwrap_or(0));
            let way = if x <= y { "right" } else { "down" };
            answer += &format!("{id} {way}\n");
        }
    }
    answer + "prod R\n.\n"
}
