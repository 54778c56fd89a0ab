//! The connection to an arena: its lines in, ours out. `docs/gateway.md` says what they mean.

use super::secure::{self, Trust};
use super::{Host, PORT};
use palestra_arena::tls::TlsChannel;
use palestra_runner::{Socket, socket_of};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

/// The first line: the dialect and its version.
const GREETING: &str = "palestra-bridge 3\n";
/// How long a connection may take to come about, and TLS on it.
const CONNECT: Duration = Duration::from_secs(10);
/// An arena that says nothing for so long is gone: it asks every minute, and more often during a match.
const SILENCE: Duration = Duration::from_secs(300);
/// Bytes of a line, and of a piece for the bot.
const LINE_BYTES: usize = 64 << 10;
const PIECE_BYTES: usize = 64 << 20;
const READ_BYTES: usize = 64 << 10;
/// How somebody begins who speaks nothing but TLS, and was asked something else.
const TLS_ALERT: &[u8] = &[0x15, 0x03];
/// Bytes that may wait for the network before the bot has to.
const UNSENT_BYTES: usize = 1 << 20;

/// A connection to an arena.
pub(super) struct Link {
    stream: TcpStream,
    tls: Option<TlsChannel>,
    inbox: Vec<u8>,
    read: usize,
    unsent: Vec<u8>,
    heard: Instant,
}

/// What an arena says.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Message {
    Welcome {
        player: i64,
        name: String,
    },
    Standing {
        place: u32,
        of: u32,
        points: String,
        elo: i32,
    },
    Waiting(WaitsFor),
    /// The next round of the game, and in how many seconds it begins, if that is settled.
    Next {
        name: String,
        seconds: Option<u64>,
    },
    Begin(Begin),
    Bytes(Vec<u8>),
    Over(Over),
    Ping,
    Bye {
        why: String,
        again: bool,
    },
}

/// What has to happen before the next match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WaitsFor {
    /// The event is paused.
    Resume,
    /// A round of this name is being played.
    Round(String),
    /// So many others are connected.
    Opponent(u32),
    /// Nobody is wished for a free match: a round.
    NextRound,
}

/// What a match counts for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counts {
    /// A round, and the rating.
    Scored,
    /// The rating alone.
    Free,
    /// Neither points nor the rating.
    Practice,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Over {
    /// `won`, `drawn`, `lost`, `disqualified`, or `none` if it was broken off.
    pub(super) result: String,
    /// The same for people.
    pub(super) words: String,
}

/// A match that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Begin {
    pub(super) number: i64,
    pub(super) seat: usize,
    pub(super) counts: Counts,
    pub(super) names: Vec<String>,
}

impl Link {
    /// Connects; with TLS to whom this machine trusts, if there is to be TLS.
    pub(super) fn open(host: &Host, trust: Option<&Trust>) -> io::Result<Link> {
        let stream = connect(host)?;
        let tls = trust.map(|trust| secure::shake_hands(trust, &stream, &host.name, CONNECT)).transpose()?;
        stream.set_nonblocking(true)?;
        let (inbox, unsent, heard) = (Vec::new(), Vec::new(), Instant::now());
        let mut link = Link { stream, tls, inbox, read: 0, unsent, heard };
        link.send(GREETING.as_bytes())?;
        Ok(link)
    }

    pub(super) fn socket(&self) -> Socket<'_> {
        socket_of(&self.stream)
    }

    /// Whether something waits to be written.
    pub(super) fn is_writing(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Whether so much waits that the bot has to wait too.
    pub(super) fn is_full(&self) -> bool {
        self.unsent.len() > UNSENT_BYTES
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.tls {
            None => self.unsent.extend_from_slice(bytes),
            Some(channel) => self.unsent.append(&mut channel.encrypt(bytes)?),
        }
        self.flush()
    }

    /// What the bot wrote.
    pub(super) fn send_piece(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut piece = format!("bytes {}\n", bytes.len()).into_bytes();
        piece.extend_from_slice(bytes);
        self.send(&piece)
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes what waits, as long as it takes, but not for ever: last words.
    pub(super) fn finish(mut self) {
        if let Some(channel) = &mut self.tls {
            self.unsent.append(&mut channel.close());
        }
        // Whoever leaves has nothing to lose.
        let _ = self.stream.set_nonblocking(false);
        let _ = self.stream.set_write_timeout(Some(Duration::from_secs(1)));
        let _ = self.stream.write_all(&self.unsent);
        self.unsent.clear();
    }

    /// When the arena is taken to be gone.
    pub(super) fn silent_at(&self) -> Instant {
        self.heard + SILENCE
    }

    /// Takes in what has come.
    pub(super) fn receive(&mut self) -> io::Result<()> {
        self.flush()?;
        self.inbox.drain(..self.read);
        self.read = 0;
        let mut buffer = vec![0; READ_BYTES];
        loop {
            let read = match &mut self.tls {
                None => self.stream.read(&mut buffer),
                Some(channel) => secure::read(channel, &self.stream, &mut buffer),
            };
            match read {
                Ok(0) => {
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, "the arena closed the connection"));
                }
                Ok(length) => {
                    self.inbox.extend_from_slice(&buffer[..length]);
                    self.heard = Instant::now();
                    if length < buffer.len() || self.inbox.len() > PIECE_BYTES {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return match self.silent_at() > Instant::now() {
                        true => Ok(()),
                        false => Err(io::Error::new(ErrorKind::TimedOut, "the arena says nothing any more")),
                    };
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next message that is complete.
    pub(super) fn next(&mut self) -> io::Result<Option<Message>> {
        let unread = &self.inbox[self.read..];
        match parse(unread).map_err(|why| io::Error::new(ErrorKind::InvalidData, why))? {
            None => Ok(None),
            Some((message, used)) => {
                self.read += used;
                Ok(Some(message))
            }
        }
    }
}

/// The first of its addresses that answers.
fn connect(host: &Host) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in (host.name.as_str(), host.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// One message, and how many bytes it took.
fn parse(bytes: &[u8]) -> Result<Option<(Message, usize)>, String> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        return if bytes.len() > LINE_BYTES || bytes.starts_with(TLS_ALERT) {
            Err(strange(bytes))
        } else {
            Ok(None)
        };
    };
    let line = str::from_utf8(&bytes[..end]).map_err(|_| strange(bytes))?;
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    if word != "bytes" {
        let message = read(word, rest).ok_or_else(|| strange(line.as_bytes()))?;
        return Ok(Some((message, end + 1)));
    }
    let length: usize = rest.parse().map_err(|_| strange(line.as_bytes()))?;
    if length > PIECE_BYTES {
        return Err(strange(line.as_bytes()));
    }
    let piece = bytes.get(end + 1..end + 1 + length);
    Ok(piece.map(|piece| (Message::Bytes(piece.to_vec()), end + 1 + length)))
}

fn read(word: &str, rest: &str) -> Option<Message> {
    let mut words = rest.split(' ');
    Some(match word {
        "ping" => Message::Ping,
        "over" => {
            let (result, words) = rest.split_once(' ')?;
            Message::Over(Over { result: result.to_owned(), words: words.to_owned() })
        }
        "welcome" => {
            let (player, name) = rest.split_once(' ')?;
            Message::Welcome { player: player.parse().ok()?, name: name.to_owned() }
        }
        "standing" => Message::Standing {
            place: words.next()?.parse().ok()?,
            of: words.next()?.parse().ok()?,
            points: words.next()?.to_owned(),
            elo: words.next()?.parse().ok()?,
        },
        "begin" => {
            let number = words.next()?.parse().ok()?;
            let seat = words.next()?.parse().ok()?;
            let counts = match words.next()? {
                "scored" => Counts::Scored,
                "practice" => Counts::Practice,
                _ => Counts::Free,
            };
            let names: Vec<String> = words.map(str::to_owned).collect();
            (1..=names.len()).contains(&seat).then_some(Message::Begin(Begin {
                number,
                seat,
                counts,
                names,
            }))?
        }
        "waiting" => {
            let (what, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            Message::Waiting(match what {
                "resume" => WaitsFor::Resume,
                "round" => WaitsFor::Round(rest.to_owned()),
                "opponent" => WaitsFor::Opponent(rest.parse().ok()?),
                "next" => WaitsFor::NextRound,
                _ => return None,
            })
        }
        "next" => {
            let (seconds, name) = rest.split_once(' ')?;
            let seconds = if seconds == "-" { None } else { Some(seconds.parse().ok()?) };
            Message::Next { name: name.to_owned(), seconds }
        }
        "bye" => {
            let (when, why) = rest.split_once(' ').unwrap_or((rest, "the arena says goodbye"));
            Message::Bye { why: why.to_owned(), again: when != "never" }
        }
        _ => return None,
    })
}

fn strange(bytes: &[u8]) -> String {
    if bytes.starts_with(b"HTTP/") || bytes.starts_with(TLS_ALERT) {
        return format!(
            "this is no arena of palestra, or it is the port of its site; its gateway is at port {PORT} unless the organiser \
             says otherwise"
        );
    }
    let shown = &bytes[..bytes.len().min(60)];
    format!("this is no arena of palestra, or a newer one: it said \"{}\"", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::{Begin, Counts, Message, Over, WaitsFor, parse};

    fn one(text: &str) -> Message {
        let (message, used) = parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!(used, text.len());
        message
    }

    #[test]
    fn every_message_is_understood() {
        assert_eq!(one("welcome 3 anna\n"), Message::Welcome { player: 3, name: "anna".to_owned() });
        assert_eq!(one("welcome 3 Team One\n"), Message::Welcome { player: 3, name: "Team One".to_owned() });
        let standing = Message::Standing { place: 1, of: 20, points: "2.5".to_owned(), elo: 1516 };
        assert_eq!(one("standing 1 20 2.5 1516\n"), standing);
        let names = vec!["anna".to_owned(), "bela".to_owned()];
        let begin = Begin { number: 17, seat: 2, counts: Counts::Scored, names };
        assert_eq!(one("begin 17 2 scored anna bela\n"), Message::Begin(begin));
        assert_eq!(one("bytes 5\na\nb\nc"), Message::Bytes(b"a\nb\nc".to_vec()));
        let over = Over { result: "won".to_owned(), words: "won in 3 ticks".to_owned() };
        assert_eq!(one("over won won in 3 ticks\n"), Message::Over(over));
        assert_eq!(one("bye never go away\n"), Message::Bye { why: "go away".to_owned(), again: false });
        assert_eq!(one("bye later try again\n"), Message::Bye { why: "try again".to_owned(), again: true });
        assert_eq!(one("ping\n"), Message::Ping);
        assert_eq!(one("waiting resume\n"), Message::Waiting(WaitsFor::Resume));
        assert_eq!(
            one("waiting round The final\n"),
            Message::Waiting(WaitsFor::Round("The final".to_owned()))
        );
        assert_eq!(one("waiting opponent 3\n"), Message::Waiting(WaitsFor::Opponent(3)));
        assert_eq!(one("waiting next\n"), Message::Waiting(WaitsFor::NextRound));
        let next = |seconds| Message::Next { name: "The final".to_owned(), seconds };
        assert_eq!(one("next 90 The final\n"), next(Some(90)));
        assert_eq!(one("next - The final\n"), next(None));
    }

    #[test]
    fn half_a_message_waits_for_the_rest() {
        for half in ["", "pi", "bytes 3", "bytes 3\n", "bytes 3\nab"] {
            assert_eq!(parse(half.as_bytes()), Ok(None), "{half:?}");
        }
    }

    #[test]
    fn what_is_no_arena_is_told_so() {
        for strange in [
            "HTTP/1.1 400 Bad Request\r\n",
            "\n",
            "bytes -1\n",
            "bytes 99999999999\n",
            "begin 1 3 free a b\n",
        ] {
            let why = parse(strange.as_bytes()).unwrap_err();
            assert!(why.contains("no arena of palestra"), "{why}");
        }
        assert!(parse(&[b'x'; 100_000]).is_err());
        let alert = b"\x15\x03\x03\x00\x02\x02\x32";
        assert!(parse(alert).unwrap_err().contains("the port of its site"), "before it is closed");
    }
}
