//! TLS on a connection: sealed bytes in, what they say out, and back. It touches no network and keeps nothing that is to be
//! sent, so that the limits of the wire hold for it too.

use super::Cut;
use crate::tls::Tls;
use std::io::{ErrorKind, Read, Write as _};
use tokio_rustls::rustls::ServerConnection;

/// The first byte of everybody who speaks TLS, and of nobody else.
pub(super) const FIRST_BYTE: u8 = 0x16;

/// One side of a connection in TLS.
pub(super) struct Secure {
    connection: ServerConnection,
    /// Whether there may be more that was not read yet.
    more: bool,
}

impl Secure {
    pub(super) fn new(tls: &Tls) -> Result<Secure, Cut> {
        let mut connection = ServerConnection::new(tls.config()).map_err(|_| Cut::Tls)?;
        // Nothing stays in there: whatever is sealed is taken out at once.
        connection.set_buffer_limit(None);
        Ok(Secure { connection, more: false })
    }

    /// Takes sealed bytes from where they come in; false if nothing has. What it has to answer is to be sent in any case.
    pub(super) fn receive(&mut self, network: &mut dyn Read) -> Result<bool, Cut> {
        match self.connection.read_tls(network) {
            Ok(0) => Err(Cut::Gone),
            Ok(_) => self.connection.process_new_packets().map(|_| true).map_err(|_| Cut::Tls),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(false),
                ErrorKind::InvalidData => Err(Cut::Tls),
                _ => Err(Cut::Gone),
            },
        }
    }

    /// Reads what they said. It has to be read up to the end before more is received.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Cut> {
        let read = match self.connection.reader().read(buffer) {
            Ok(0) => Err(Cut::Gone),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            read => read.map_err(|_| Cut::Gone),
        };
        self.more = read.as_ref().is_ok_and(|length| *length == buffer.len());
        read
    }

    /// Whether there may be more to read, of which the network knows nothing.
    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    /// Seals what is to be said.
    pub(super) fn seal(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Cut> {
        self.connection.writer().write_all(bytes).map_err(|_| Cut::Gone)?;
        Ok(self.outgoing())
    }

    /// Says that nothing more will be said.
    pub(super) fn close(&mut self) -> Vec<u8> {
        self.connection.send_close_notify();
        self.outgoing()
    }

    /// What is to be sent: answers of the handshake, and everything that was sealed.
    pub(super) fn outgoing(&mut self) -> Vec<u8> {
        let mut sealed = Vec::new();
        while self.connection.wants_write() {
            self.connection.write_tls(&mut sealed).expect("memory takes it");
        }
        sealed
    }
}
