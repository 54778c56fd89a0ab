//! The smallest client of the Rock Paper Scissor event, as people write them: lines in, lines out. It comes back as long as
//! it is held. Some of them mean no good, though they have a password.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(2);

/// How a client plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Marches straight to the other factory.
    Rush,
    /// Makes rocks and leaves them where they are.
    Sit,
    /// Says what means nothing.
    Garble,
    /// Begins an answer now and then that never ends.
    Flood,
    /// Sends its answers byte by byte.
    Drip,
    /// Tries to be there twice, and leaves in the middle of every match.
    Leave,
}

/// Packets on one connection after which those who mean no good do their worst.
const WORST: usize = 20;
/// An answer that never ends.
const FLOOD: usize = 4 << 20;

/// A client that plays on a thread of its own.
pub(super) struct Plain(Arc<AtomicBool>);

impl Plain {
    pub(super) fn start(gateway: SocketAddr, password: &str, wish: &str, style: Style) -> Plain {
        let gone = Arc::new(AtomicBool::new(false));
        let (there, password, wish) = (Arc::clone(&gone), password.to_owned(), wish.to_owned());
        spawn(move || {
            while !there.load(Ordering::Relaxed) {
                // A connection that breaks is made again.
                let _ = TcpStream::connect(gateway)
                    .and_then(|stream| session(stream, &there, &password, &wish, style));
                sleep(PAUSE);
            }
        });
        Plain(gone)
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn session(
    mut stream: TcpStream,
    gone: &AtomicBool,
    password: &str,
    wish: &str,
    style: Style,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    // The arena need not take everything that is said.
    stream.set_write_timeout(Some(PATIENCE))?;
    let login = format!("login {password}\n");
    let lines = BufReader::new(stream.try_clone()?).lines();
    stream.write_all(login.as_bytes())?;
    let (mut packet, mut told, mut packets, mut second) = (Vec::new(), false, 0, None);
    for line in lines {
        let line = line?;
        if gone.load(Ordering::Relaxed) || line == "fail" {
            break;
        }
        match line.as_str() {
            "ping" => {
                stream.write_all(b"pong\n")?;
                if !told {
                    stream.write_all(format!("opponent {wish}\n").as_bytes())?;
                    told = true;
                }
            }
            "." => {
                let list = packet.first().is_some_and(|line: &String| line.starts_with("players"));
                if !list {
                    packets += 1;
                    match style {
                        Style::Flood if packets % WORST == 0 => {
                            stream.write_all(&b"x\n".repeat(FLOOD / 2))?;
                        }
                        Style::Leave if packets == WORST => break,
                        Style::Leave if second.is_none() => {
                            let mut again = TcpStream::connect(stream.peer_addr()?)?;
                            again.write_all(login.as_bytes())?;
                            second = Some(again);
                        }
                        _ => {}
                    }
                    let answer = answer(&packet, style);
                    // Each in a segment of its own.
                    let pieces = if style == Style::Drip { 1 } else { answer.len() };
                    answer.chunks(pieces).try_for_each(|piece| stream.write_all(piece))?;
                }
                packet.clear();
            }
            _ => packet.push(line),
        }
    }
    Ok(())
}

fn answer(packet: &[String], style: Style) -> Vec<u8> {
    if style == Style::Garble {
        return b"1 up up\n\xff\xfe\0\n-7 left\nprod Q\nprod\n.\n".to_vec();
    }
    let mut answer = String::new();
    for line in packet {
        let words: Vec<&str> = line.split(' ').collect();
        if let [id, "A", _, x, y] = words[..]
            && matches!(style, Style::Rush | Style::Drip)
        {
            let (x, y): (u32, u32) = (x.parse().unwrap_or(0), y.parse().unwrap_or(0));
            let way = if x <= y { "right" } else { "down" };
            answer += &format!("{id} {way}\n");
        }
    }
    (answer + "prod R\n.\n").into_bytes()
}
