//! One connection: bytes in and out, without waiting and within limits. Knows no dialect.

use super::Cut;
use crate::limits;
use rustix::net::RecvFlags;
use std::io::{self, ErrorKind};
use std::time::Instant;
use tokio::net::TcpStream;

/// A connection. It holds no buffer while nothing is on its way: there may be ten thousand of them.
pub(super) struct Wire {
    stream: TcpStream,
    unsent: Vec<u8>,
    /// When it will have been stuck too long, if it does not take what it is sent.
    stuck: Option<Instant>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        Ok(Wire { stream, unsent: Vec::new(), stuck: None })
    }

    /// Hands bytes to the network, in one write if it takes them. What it does not take waits, within limits.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Cut> {
        let sent = if self.unsent.is_empty() { self.write(bytes)? } else { 0 };
        if sent < bytes.len() {
            self.unsent.extend_from_slice(&bytes[sent..]);
            self.stuck.get_or_insert_with(|| Instant::now() + limits::UNSENT_TIME);
        }
        match self.unsent.len() > limits::UNSENT_BYTES {
            true => Err(Cut::Slow),
            false => Ok(()),
        }
    }

    /// Hands over what waits.
    pub(super) fn flush(&mut self) -> Result<(), Cut> {
        let sent = self.write(&self.unsent)?;
        self.unsent.drain(..sent);
        if self.unsent.is_empty() {
            self.unsent = Vec::new();
            self.stuck = None;
        }
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> Result<usize, Cut> {
        match self.stream.try_write(bytes) {
            Ok(sent) => Ok(sent),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(_) => Err(Cut::Gone),
        }
    }

    /// When its client has not taken what it was sent for too long.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        self.stuck
    }

    /// Waits until there is something to read, or it was closed.
    pub(super) async fn readable(&self) {
        // An error shows itself when it is read.
        let _ = self.stream.readable().await;
    }

    /// Waits until it takes more of what waits.
    pub(super) async fn writable(&self) {
        let _ = self.stream.writable().await;
    }

    /// Reads what there is, which may be nothing.
    pub(super) fn read<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], Cut> {
        match self.stream.try_read(buffer) {
            Ok(0) => Err(Cut::Gone),
            Ok(length) => Ok(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(&[]),
            Err(_) => Err(Cut::Gone),
        }
    }

    /// The same, but asks the system itself: the runtime may not have heard yet of what has come in.
    pub(super) fn look<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], Cut> {
        match rustix::net::recv(&self.stream, &mut *buffer, RecvFlags::DONTWAIT) {
            Ok((0, _)) => Err(Cut::Gone),
            Ok((length, _)) => Ok(&buffer[..length]),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(&[]),
            Err(_) => Err(Cut::Gone),
        }
    }
}
