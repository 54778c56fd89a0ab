//! An encrypted connection, of either side, without the network: what is to be sent is handed out, and what has come is
//! handed in, so that the limits of whoever owns the connection hold for it too.

use std::io::{self, ErrorKind, Read, Write as _};
use tokio_rustls::rustls::{Connection, Error};

/// One end of an encrypted connection.
pub struct TlsChannel {
    connection: Connection,
    /// Whether there may be more that was not read yet.
    more: bool,
}

/// Why nothing was received.
#[derive(Debug)]
pub enum ReceiveError {
    /// The network says no.
    Network(io::Error),
    /// What came was no TLS, or not for us.
    Tls(Error),
}

impl TlsChannel {
    /// Of a client or a server.
    pub fn new(connection: impl Into<Connection>) -> TlsChannel {
        let mut connection = connection.into();
        // Nothing stays in there: whatever is encrypted is taken out at once.
        connection.set_buffer_limit(None);
        TlsChannel { connection, more: false }
    }

    /// Whether the two ends have not agreed yet.
    pub fn is_handshaking(&self) -> bool {
        self.connection.is_handshaking()
    }

    /// Takes bytes from the network: how many, none at its end. What it has to answer is to be sent in any case.
    pub fn receive(&mut self, network: &mut dyn Read) -> Result<usize, ReceiveError> {
        let length = self.connection.read_tls(network).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => ReceiveError::Tls(Error::General(error.to_string())),
            _ => ReceiveError::Network(error),
        })?;
        self.connection.process_new_packets().map_err(ReceiveError::Tls)?;
        Ok(length)
    }

    /// Reads what the other end said: none at its end, `WouldBlock` if more has to be received first.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.connection.reader().read(buffer);
        self.more = read.as_ref().is_ok_and(|length| *length == buffer.len());
        read
    }

    /// Whether there may be more to read, of which the network knows nothing.
    pub(crate) fn has_more(&self) -> bool {
        self.more
    }

    /// Encrypts what is to be said.
    pub fn encrypt(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.connection.writer().write_all(bytes)?;
        Ok(self.outgoing())
    }

    /// Says that nothing more will be said.
    pub fn close(&mut self) -> Vec<u8> {
        self.connection.send_close_notify();
        self.outgoing()
    }

    /// What is to be sent: answers of the handshake, and everything that was encrypted.
    pub fn outgoing(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while self.connection.wants_write() {
            self.connection.write_tls(&mut bytes).expect("memory takes it");
        }
        bytes
    }
}
