//! One client's connection from its first line to its end. The dialect says what its bytes mean; this is what happens.

use super::admission::Visit;
use super::bridge::{self, Bridge};
use super::dialect::{ClientCommand, Dialect, Received, first_word};
use super::lines::{LineDialect, Words};
use super::lobby::Lobby;
use super::login::Arrival;
use super::wire::Wire;
use super::{Disconnect, GatewayState, misdirected};
use crate::hub::{Order, Ticket, Wish};
use crate::limits;
use crate::play::{MatchEnd, MatchMessage, SessionChannel, SessionMessage};
use crate::store::{Account, now};
use std::sync::Arc;
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};

/// The first byte of everybody who speaks TLS, and of nobody else.
const TLS_FIRST_BYTE: u8 = 0x16;

/// Takes a connection from its first line to its end.
pub(super) async fn run(stream: TcpStream, mut visit: Visit, gateway: Arc<GatewayState>) {
    let connections = metrics::gauge!("palestra_gateway_connections");
    connections.increment(1);
    let deadline = Instant::now() + limits::LOGIN_TIME;
    let greeted = tokio::select! {
        greeted = greet(stream, deadline, &gateway) => greeted,
        () = visit.ended() => Err(Disconnect::Crowded),
    };
    let why = match greeted {
        Ok((wire, Greeting::Lines(words, first))) => {
            Box::pin(talk(LineDialect::new(words), wire, &first, visit, deadline, gateway)).await
        }
        Ok((wire, Greeting::Bridge(bridge, first))) => {
            Box::pin(talk(bridge, wire, &first, visit, deadline, gateway)).await
        }
        Ok((wire, Greeting::Http)) => tokio::select! {
            cut = Box::pin(misdirected::redirect(wire, &gateway.plan)) => cut,
            () = visit.ended() => Disconnect::Crowded,
        },
        Err(cut) => cut,
    };
    connections.decrement(1);
    metrics::counter!("palestra_gateway_ended_total", "why" => why.word()).increment(1);
    tracing::debug!(%why, "a connection ended");
}

/// The dialect that a client speaks, and what it has said in it already.
enum Greeting {
    Lines(Words, Vec<u8>),
    Bridge(Bridge, Vec<u8>),
    /// Not one of ours: it has lost its way.
    Http,
}

/// Reads the first line, through TLS if it begins with that.
async fn greet(
    stream: TcpStream,
    deadline: Instant,
    gateway: &GatewayState,
) -> Result<(Wire, Greeting), Disconnect> {
    let mut wire = Wire::new(stream).map_err(|_| Disconnect::Gone)?;
    let mut said = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        timeout(left, wire.wait()).await.map_err(|_| Disconnect::NoLogin)??;
        let known = said.len();
        read_into(&mut wire, &mut said)?;
        if said.first() == Some(&TLS_FIRST_BYTE) && !wire.is_encrypted() {
            let tls = gateway.tls.as_ref().ok_or(Disconnect::Nonsense)?;
            wire.speak_tls(tls, &std::mem::take(&mut said))?;
        }
        let known = known.min(said.len());
        if let Some(end) = said[known..].iter().position(|byte| *byte == b'\n') {
            let end = known + end;
            if misdirected::speaks_http(&said[..end]) {
                return Ok((wire, Greeting::Http));
            }
            let (word, version) = first_word(&said[..end]);
            if word != bridge::GREETING {
                return Ok((wire, Greeting::Lines(gateway.words.ok_or(Disconnect::Nonsense)?, said)));
            }
            let Some(bridge) = Bridge::of_version(version) else {
                wire.send(&bridge::other_version(version))?;
                return Err(Disconnect::Nonsense);
            };
            return Ok((wire, Greeting::Bridge(bridge, said.split_off(end + 1))));
        }
        if said.len() > limits::LINE_BYTES {
            return Err(Disconnect::LongLine);
        }
    }
}

/// The buffer is on the stack, for as long as it takes, as no connection needs one of its own.
pub(super) fn read_into(wire: &mut Wire, said: &mut Vec<u8>) -> Result<(), Disconnect> {
    let mut buffer = [0; limits::LINE_BYTES];
    said.extend_from_slice(wire.read(&mut buffer)?);
    Ok(())
}

async fn talk<D: Dialect>(
    mut dialect: D,
    mut wire: Wire,
    first: &[u8],
    mut visit: Visit,
    deadline: Instant,
    gateway: Arc<GatewayState>,
) -> Disconnect {
    let mut arrival = Arrival { dialect: &mut dialect, wire: &mut wire, gateway: &gateway };
    let entry = tokio::select! {
        // A client that is in is not sent away any more.
        biased;
        entry = arrival.log_in(first) => entry,
        () = sleep_until(deadline.into()) => Err(Disconnect::NoLogin),
        () = visit.ended() => Err(Disconnect::Crowded),
    };
    let entry = match entry {
        Ok(entry) => entry,
        Err(cut) => return part(&mut dialect, &mut wire, cut),
    };
    visit.is_known();
    metrics::counter!("palestra_gateway_logins_total").increment(1);
    let now = Instant::now();
    let ticket = entry.ticket;
    let mut session = Session {
        dialect,
        wire,
        gateway: Arc::clone(&gateway),
        account: entry.account,
        game: entry.game,
        secret: entry.secret,
        logs_in_again: None,
        ticket,
        orders: entry.orders,
        playing: None,
        settling: false,
        asked: now,
        next_ping: now,
        unanswered: 0,
        idle_bytes: 0,
        wish: Wish::default(),
        told_wish: Wish::default(),
        wishes: 0,
        news_at: None,
    };
    let cut = match session.stay(entry.received).await {
        Ok(never) => match never {},
        Err(cut) => cut,
    };
    // Its match hears of it at once, by the end of its channel.
    session.playing = None;
    let cut = part(&mut session.dialect, &mut session.wire, cut);
    drop(session);
    gateway.hub.leave(ticket).await;
    cut
}

/// Says why, if there is anybody to hear it.
fn part<D: Dialect>(dialect: &mut D, wire: &mut Wire, cut: Disconnect) -> Disconnect {
    if !matches!(cut, Disconnect::Gone | Disconnect::Slow) {
        let again = !matches!(cut, Disconnect::Left(_));
        let _ = wire.send(&dialect.goodbye(&cut.to_string(), again));
    }
    wire.close();
    cut
}

/// A client that is known.
struct Session<D> {
    dialect: D,
    wire: Wire,
    gateway: Arc<GatewayState>,
    account: Account,
    game: String,
    secret: String,
    /// A login that is to be answered, and whether it is the one that it came in with.
    logs_in_again: Option<bool>,
    ticket: Ticket,
    orders: mpsc::Receiver<Order>,
    playing: Option<Playing>,
    /// The match is over, and the client may still owe something of it.
    settling: bool,
    /// When the last bytes of a match were handed to the network.
    asked: Instant,
    next_ping: Instant,
    /// Pings since it last said something.
    unanswered: u32,
    /// Bytes for no match since the last ping or packet.
    idle_bytes: usize,
    wish: Wish,
    /// What the hub knows of it.
    told_wish: Wish,
    /// Wishes that the hub was told since the last ping.
    wishes: u32,
    /// When the last match has found its way into the standings.
    news_at: Option<Instant>,
}

struct Playing {
    from_match: mpsc::Receiver<MatchMessage>,
    /// Nothing once its bot has ended.
    to_match: Option<mpsc::Sender<SessionMessage>>,
    /// Whether it has been told how it ended.
    over: bool,
}

enum Never {}

impl<D: Dialect> Session<D> {
    /// Sees to everything that happens, until it ends.
    async fn stay(&mut self, received: Received) -> Result<Never, Disconnect> {
        self.welcome()?;
        self.act(received)?;
        self.gateway.hub.free(self.ticket).await;
        if self.wish == self.told_wish {
            self.tell_waiting()?;
        }
        loop {
            // Never during a match, which must not wait for the hub.
            if self.playing.is_none() {
                self.answer_login()?;
                self.tell_hub().await?;
            }
            self.wait().await?;
        }
    }

    fn welcome(&mut self) -> Result<(), Disconnect> {
        self.wire.send(&self.dialect.welcome(&self.account))?;
        self.tell_standings()?;
        self.ping()
    }

    /// A login after the first one is answered like that, outside matches. It can change nothing, and tells nobody whose
    /// another key is.
    fn answer_login(&mut self) -> Result<(), Disconnect> {
        match self.logs_in_again.take() {
            None => Ok(()),
            Some(true) => self.welcome(),
            Some(false) => {
                let why = "another player is logged in on this connection; make a new one";
                self.wire.send(&self.dialect.refuse(why, false))
            }
        }
    }

    async fn wait(&mut self) -> Result<(), Disconnect> {
        let hears = self.has_room();
        let wake = self.wake();
        let playing = self.playing.as_mut();
        let (from_match, to_match) = playing
            .map_or((None, None), |playing| (Some(&mut playing.from_match), playing.to_match.as_ref()));
        tokio::select! {
            biased;
            message = next(from_match) => self.hear_match(message),
            order = self.orders.recv() => self.obey(order),
            () = self.wire.readable(), if hears => self.hear_client(),
            () = room(to_match), if !hears => Ok(()),
            () = self.wire.writable(), if self.wire.stuck_at().is_some() => self.wire.flush(),
            () = sleep_until(wake.unwrap_or_else(Instant::now).into()), if wake.is_some() => self.look_at_clock(),
        }
    }

    /// Whether what the client says can be handed on: while its match takes no more, it is not read. One place is kept for
    /// what its session has to say.
    fn has_room(&self) -> bool {
        let to_match = self.playing.as_ref().and_then(|playing| playing.to_match.as_ref());
        to_match.is_none_or(|sender| sender.is_closed() || sender.capacity() > 1)
    }

    /// When something is due. During a match nothing is, but for a client that does not read.
    fn wake(&mut self) -> Option<Instant> {
        let stuck = self.wire.stuck_at();
        if self.playing.is_some() {
            return stuck;
        }
        if self.settling {
            let settled = self.dialect.settle(Instant::now()).ok().flatten();
            return [stuck, settled].into_iter().flatten().min();
        }
        [Some(self.next_ping), stuck, self.news_at].into_iter().flatten().min()
    }

    fn look_at_clock(&mut self) -> Result<(), Disconnect> {
        let now = Instant::now();
        if self.wire.stuck_at().is_some_and(|stuck| stuck <= now) {
            return Err(Disconnect::Slow);
        }
        if self.playing.is_some() || self.settling {
            return Ok(());
        }
        let is_ping = self.next_ping <= now;
        if is_ping && self.unanswered >= limits::UNANSWERED_PINGS {
            return Err(Disconnect::Silent);
        }
        if is_ping || self.news_at.is_some_and(|news| news <= now) {
            self.tell_standings()?;
            self.tell_waiting()?;
        }
        if is_ping { self.ping() } else { Ok(()) }
    }

    fn ping(&mut self) -> Result<(), Disconnect> {
        self.wire.send(self.dialect.ping())?;
        self.unanswered += 1;
        self.idle_bytes = 0;
        self.wishes = 0;
        self.next_ping = Instant::now() + self.gateway.plan.ping;
        Ok(())
    }

    fn tell_standings(&mut self) -> Result<(), Disconnect> {
        self.news_at = None;
        let standings = self.gateway.lists.of(&self.game);
        match self.dialect.standings(&standings, self.account.id, Instant::now()) {
            Some(text) => self.wire.send(&text),
            None => Ok(()),
        }
    }

    fn tell_waiting(&mut self) -> Result<(), Disconnect> {
        let lobby = Lobby::of(&self.gateway.hub.snapshot(), &self.game, self.account.id, &self.wish);
        match self.dialect.waiting(&lobby, now()) {
            Some(text) => self.wire.send(&text),
            None => Ok(()),
        }
    }

    /// What the hub has to know, outside matches.
    async fn tell_hub(&mut self) -> Result<(), Disconnect> {
        if self.wish != self.told_wish && self.wishes < limits::WISHES {
            self.wishes += 1;
            self.told_wish = self.wish.clone();
            self.gateway.hub.wish(self.ticket, self.wish.clone()).await;
            self.tell_waiting()?;
        }
        if self.settling && self.dialect.settle(Instant::now())?.is_none() {
            self.settling = false;
            self.news_at = Some(Instant::now() + limits::NEWS_PAUSE);
            self.gateway.hub.free(self.ticket).await;
        }
        Ok(())
    }

    fn obey(&mut self, order: Option<Order>) -> Result<(), Disconnect> {
        match order {
            None => Err(Disconnect::Gone),
            Some(Order::Leave(why)) => Err(Disconnect::Left(why)),
            Some(Order::Play(SessionChannel { from_match, to_match, start })) => {
                let mut received = Received::default();
                self.wire.send(&self.dialect.begin(&start, &mut received))?;
                self.playing = Some(Playing { from_match, to_match: Some(to_match), over: false });
                self.news_at = None;
                self.unanswered = 0;
                self.act(received)
            }
        }
    }

    fn hear_match(&mut self, message: Option<MatchMessage>) -> Result<(), Disconnect> {
        match message {
            Some(MatchMessage::Bytes(bytes)) => {
                self.asked = Instant::now();
                self.idle_bytes = 0;
                let packet = self.dialect.packet(bytes, self.asked);
                self.wire.send(&packet)
            }
            Some(MatchMessage::Look) => self.look(),
            Some(MatchMessage::Over(end)) => self.tell_over(&end),
            None => {
                self.tell_over(&MatchEnd::broken_off())?;
                self.playing = None;
                self.settling = true;
                self.next_ping = Instant::now() + self.gateway.plan.ping;
                Ok(())
            }
        }
    }

    fn tell_over(&mut self, end: &MatchEnd) -> Result<(), Disconnect> {
        let told = self.playing.as_mut().is_none_or(|playing| std::mem::replace(&mut playing.over, true));
        if told { Ok(()) } else { self.wire.send(&self.dialect.over(end)) }
    }

    fn hear_client(&mut self) -> Result<(), Disconnect> {
        let mut buffer = [0; limits::READ_BYTES];
        let bytes = self.wire.read(&mut buffer)?;
        self.take_in(bytes)
    }

    fn take_in(&mut self, bytes: &[u8]) -> Result<(), Disconnect> {
        let mut received = Received::default();
        self.dialect.hear(bytes, Instant::now(), &mut received)?;
        // What goes to a match is bounded by what the match takes.
        let is_playing = self.playing.as_ref().is_some_and(|playing| playing.to_match.is_some());
        if received.answer.is_empty() || !is_playing {
            self.idle_bytes += bytes.len();
        }
        match self.idle_bytes > limits::IDLE_BYTES {
            true => Err(Disconnect::Flood),
            false => self.act(received),
        }
    }

    /// Hands on everything that has come in up to now, and says so.
    fn look(&mut self) -> Result<(), Disconnect> {
        let mut buffer = [0; limits::READ_BYTES];
        while self.has_room() {
            let bytes = self.wire.look(&mut buffer)?;
            if bytes.is_empty() {
                break;
            }
            self.take_in(bytes)?;
        }
        let asked = self.asked;
        self.send(SessionMessage::Nothing { asked });
        Ok(())
    }

    /// Does what a client has said.
    fn act(&mut self, received: Received) -> Result<(), Disconnect> {
        let at = Instant::now();
        if received.anything {
            self.unanswered = 0;
        }
        for command in received.commands {
            match command {
                ClientCommand::Wish(wish) => self.wish = wish,
                ClientCommand::Ready => self.send(SessionMessage::Ready),
                ClientCommand::Ended => {
                    if let Some(playing) = &mut self.playing {
                        playing.to_match = None;
                    }
                }
                ClientCommand::Bye => return Err(Disconnect::Gone),
                ClientCommand::Login { game, secret } => {
                    self.logs_in_again = Some(game == self.game && secret == self.secret);
                }
            }
        }
        if !received.answer.is_empty() {
            let asked = self.asked;
            self.send(SessionMessage::Bytes { bytes: received.answer, at, asked });
        }
        Ok(())
    }

    /// Says something to the match. It is read from the client only while there is room for it.
    fn send(&mut self, message: SessionMessage) {
        if let Some(playing) = &self.playing
            && let Some(sender) = &playing.to_match
        {
            let _ = sender.try_send(message);
        }
    }
}

/// What the match says next; nothing ever, if there is none.
async fn next(from_match: Option<&mut mpsc::Receiver<MatchMessage>>) -> Option<MatchMessage> {
    match from_match {
        Some(from_match) => from_match.recv().await,
        None => std::future::pending().await,
    }
}

/// Waits until the match takes more.
async fn room(to_match: Option<&mpsc::Sender<SessionMessage>>) {
    if let Some(to_match) = to_match {
        let _ = to_match.reserve_many(2).await;
    }
}
