//! One connection: bytes in and out, encrypted or plain, without waiting and within limits. Knows no dialect.

use super::Disconnect;
use super::throttle::Throttle;
use crate::limits;
use crate::tls::{ReceiveError, Tls, TlsChannel};
use rustix::net::{RecvFlags, Shutdown};
use std::io::{self, ErrorKind};
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::time::sleep_until;

/// A connection. It holds no buffer while nothing is on its way: there may be ten thousand of them.
pub(super) struct Wire {
    stream: TcpStream,
    tls: Option<Box<TlsChannel>>,
    /// What the network has not taken yet, encrypted if it is to be.
    unsent: Vec<u8>,
    /// When it will have been stuck too long, if it does not take what it is sent.
    stuck: Option<Instant>,
    throttle: Throttle,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        let throttle = Throttle::new(Instant::now());
        Ok(Wire { stream, tls: None, unsent: Vec::new(), stuck: None, throttle })
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// Speaks TLS from now on, with somebody who has begun with these bytes.
    pub(super) fn speak_tls(&mut self, tls: &Tls, mut begun: &[u8]) -> Result<(), Disconnect> {
        let channel = self.tls.insert(Box::new(tls.accept().ok_or(Disconnect::Tls)?));
        let mut received = Ok(true);
        while received == Ok(true) && !begun.is_empty() {
            received = receive(channel, &mut begun);
        }
        self.answer(received).map(drop)
    }

    /// Hands bytes to the network, in one write if it takes them. What it does not take waits, within limits.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Disconnect> {
        self.throttle.sent(Instant::now());
        match &mut self.tls {
            None => self.hand_over(bytes),
            Some(channel) => {
                let encrypted = channel.encrypt(bytes).map_err(|_| Disconnect::Gone)?;
                self.hand_over(&encrypted)
            }
        }
    }

    fn hand_over(&mut self, bytes: &[u8]) -> Result<(), Disconnect> {
        let sent = if self.unsent.is_empty() { self.write(bytes)? } else { 0 };
        if sent < bytes.len() {
            self.unsent.extend_from_slice(&bytes[sent..]);
            self.stuck.get_or_insert_with(|| Instant::now() + limits::UNSENT_TIME);
        }
        match self.unsent.len() > limits::UNSENT_BYTES {
            true => Err(Disconnect::Slow),
            false => Ok(()),
        }
    }

    /// Hands over what waits.
    pub(super) fn flush(&mut self) -> Result<(), Disconnect> {
        let sent = self.write(&self.unsent)?;
        self.unsent.drain(..sent);
        if self.unsent.is_empty() {
            self.unsent = Vec::new();
            self.stuck = None;
        }
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> Result<usize, Disconnect> {
        match self.stream.try_write(bytes) {
            Ok(sent) => Ok(sent),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(_) => Err(Disconnect::Gone),
        }
    }

    /// Tells the other end that nothing more comes.
    pub(super) fn close(&mut self) {
        if let Some(channel) = &mut self.tls {
            let goodbye = channel.close();
            let _ = self.hand_over(&goodbye);
        }
        let _ = rustix::net::shutdown(&self.stream, Shutdown::Write);
    }

    /// When its client has not taken what it was sent for too long.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        self.stuck
    }

    /// Waits until there is something to read, or it was closed. Whoever sends byte by byte is not received byte by byte.
    pub(super) async fn readable(&self) {
        if self.throttle.paused_until() > Instant::now() {
            sleep_until(self.throttle.paused_until().into()).await;
        }
        if self.tls.as_ref().is_some_and(|channel| channel.has_more()) {
            return;
        }
        // An error shows itself when it is read.
        let _ = self.stream.readable().await;
    }

    /// The same, and hands over what waits meanwhile.
    pub(super) async fn wait(&mut self) -> Result<(), Disconnect> {
        loop {
            tokio::select! {
                () = self.readable() => return Ok(()),
                () = self.writable(), if self.stuck.is_some() => self.flush()?,
            }
        }
    }

    /// Waits until it takes more of what waits.
    pub(super) async fn writable(&self) {
        let _ = self.stream.writable().await;
    }

    /// Reads what there is, which may be nothing.
    pub(super) fn read<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], Disconnect> {
        self.take(buffer, |stream, buffer| stream.try_read(buffer))
    }

    /// The same, but asks the system itself: the runtime may not have received yet of what has come in.
    pub(super) fn look<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], Disconnect> {
        self.take(buffer, |stream, buffer| {
            Ok(rustix::net::recv(stream, buffer, RecvFlags::empty()).map(|(length, _)| length)?)
        })
    }

    fn take<'a>(&mut self, buffer: &'a mut [u8], ask: Ask) -> Result<&'a [u8], Disconnect> {
        if self.tls.is_some() {
            return self.take_encrypted(buffer, ask);
        }
        match ask(&self.stream, buffer) {
            Ok(0) => Err(Disconnect::Gone),
            Ok(length) => {
                self.throttle.read(length, Instant::now());
                Ok(&buffer[..length])
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(&[]),
            Err(_) => Err(Disconnect::Gone),
        }
    }

    /// Half of an encrypted record says nothing: it goes on until something is said, or there is no more of it.
    fn take_encrypted<'a>(&mut self, buffer: &'a mut [u8], ask: Ask) -> Result<&'a [u8], Disconnect> {
        while let Some(channel) = &mut self.tls {
            match channel.read(buffer) {
                Ok(0) => return Err(Disconnect::Gone),
                Ok(length) => return Ok(&buffer[..length]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return Err(Disconnect::Gone),
            }
            let mut network = Network { stream: &self.stream, ask, read: 0 };
            let received = receive(channel, &mut network);
            self.throttle.read(network.read, Instant::now());
            if !self.answer(received)? {
                break;
            }
        }
        Ok(&[])
    }

    /// Sends what TLS itself has to say to what was received, even if that was wrong.
    fn answer(&mut self, received: Result<bool, Disconnect>) -> Result<bool, Disconnect> {
        let answer = self.tls.as_mut().map(|channel| channel.outgoing()).unwrap_or_default();
        if !answer.is_empty() {
            self.hand_over(&answer)?;
        }
        received
    }
}

/// Takes what has come in; false if nothing has.
fn receive(channel: &mut TlsChannel, network: &mut dyn io::Read) -> Result<bool, Disconnect> {
    match channel.receive(network) {
        Ok(0) => Err(Disconnect::Gone),
        Ok(_) => Ok(true),
        Err(ReceiveError::Tls(_)) => Err(Disconnect::Tls),
        Err(ReceiveError::Network(error)) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(false),
            _ => Err(Disconnect::Gone),
        },
    }
}

/// A way to ask for what has come in, without waiting.
type Ask = fn(&TcpStream, &mut [u8]) -> io::Result<usize>;

struct Network<'a> {
    stream: &'a TcpStream,
    ask: Ask,
    /// Bytes that came in.
    read: usize,
}

impl io::Read for Network<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = (self.ask)(self.stream, buffer)?;
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::Wire;
    use crate::limits;
    use std::io::Write as _;
    use std::time::Instant;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn whoever_drips_is_read_in_few_pieces() {
        const BYTES: usize = 20_000;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let start = Instant::now();
        let drips = std::thread::spawn(move || {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.set_nodelay(true).unwrap();
            for _ in 0..BYTES {
                stream.write_all(b"x").unwrap();
            }
            stream
        });
        let mut wire = Wire::new(listener.accept().await.unwrap().0).unwrap();
        let (mut bytes, mut pieces) = (0, 0);
        let mut buffer = [0; limits::READ_BYTES];
        while bytes < BYTES {
            wire.readable().await;
            let length = wire.read(&mut buffer).unwrap().len();
            pieces += usize::from(length > 0);
            bytes += length;
        }
        let pauses = start.elapsed().as_millis() / limits::SMALL_PIECE_PAUSE.as_millis();
        let most = limits::SMALL_PIECES as usize + BYTES / limits::SMALL_PIECE_BYTES + pauses as usize + 2;
        assert!(pieces <= most, "{BYTES} bytes were read in {pieces} pieces, and {most} are enough");
        drop(drips.join().unwrap());
    }
}
