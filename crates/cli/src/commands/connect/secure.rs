//! TLS on the way to an arena: whom this machine trusts, bytes sealed and opened, and what to say when it does not come about.

use crate::failure::Failure;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig, ClientConnection, Error};
use rustls_platform_verifier::BuilderVerifierExt as _;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whom this machine trusts.
pub(super) struct Trust(Arc<ClientConfig>);

impl Trust {
    /// Those whom the system names, or the file in the environment variable SSL_CERT_FILE.
    pub(super) fn of_this_machine() -> Result<Trust, Failure> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_platform_verifier())
            .map_err(|error| {
                Failure::input(format!(
                    "this machine trusts no certificate ({error}); install ca-certificates, or name a file with \
                     certificates in the environment variable SSL_CERT_FILE"
                ))
            })?;
        Ok(Trust(Arc::new(config.with_no_client_auth())))
    }
}

/// One side of a connection in TLS.
pub(super) struct Secure(Box<ClientConnection>);

impl Secure {
    /// Makes sure that this is the arena of this name. `Unsupported` if it seems to speak no TLS, `InvalidData` if it would
    /// say the same again.
    pub(super) fn shake_hands(
        trust: &Trust,
        stream: &TcpStream,
        name: &str,
        patience: Duration,
    ) -> io::Result<Secure> {
        let wrong = |why: String| io::Error::new(ErrorKind::InvalidData, why);
        let server = ServerName::try_from(name.to_owned());
        let server = server.map_err(|_| wrong(format!("no certificate can be for \"{name}\"")))?;
        let connection = ClientConnection::new(Arc::clone(&trust.0), server);
        let connection = connection.map_err(|error| wrong(format!("there is no TLS here: {error}")))?;
        let mut secure = Secure(Box::new(connection));
        // Whatever is sealed is taken out at once; what waits for the network waits in the link.
        secure.0.set_buffer_limit(None);
        let deadline = Instant::now() + patience;
        while secure.0.is_handshaking() {
            secure.step(stream, deadline, name)?;
        }
        secure.send(stream)?;
        Ok(secure)
    }

    fn step(&mut self, mut stream: &TcpStream, deadline: Instant, name: &str) -> io::Result<()> {
        let left = deadline.saturating_duration_since(Instant::now());
        // No time at all would mean for ever.
        let left = Some(left.max(Duration::from_millis(1)));
        stream.set_read_timeout(left)?;
        stream.set_write_timeout(left)?;
        let received = self.send(stream).and_then(|()| self.0.read_tls(&mut stream));
        if !matches!(received, Ok(1..)) {
            return Err(no_tls(name));
        }
        self.0.process_new_packets().map(drop).map_err(|error| {
            // The other end is told why, if it still hears it.
            let _ = self.send(stream);
            explain(&error, name)
        })
    }

    fn send(&mut self, mut stream: &TcpStream) -> io::Result<()> {
        stream.write_all(&self.outgoing())
    }

    /// Seals what is to be said.
    pub(super) fn seal(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.0.writer().write_all(bytes)?;
        Ok(self.outgoing())
    }

    /// Says that nothing more will be said.
    pub(super) fn close(&mut self) -> Vec<u8> {
        self.0.send_close_notify();
        self.outgoing()
    }

    fn outgoing(&mut self) -> Vec<u8> {
        let mut sealed = Vec::new();
        while self.0.wants_write() {
            self.0.write_tls(&mut sealed).expect("memory takes it");
        }
        sealed
    }

    /// Reads what has come, as the stream would.
    pub(super) fn read(&mut self, mut stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                read => return read,
            }
            if self.0.read_tls(&mut stream)? == 0 {
                return Ok(0);
            }
            let opened = self.0.process_new_packets();
            opened.map_err(|error| {
                io::Error::new(
                    ErrorKind::ConnectionAborted,
                    format!("the connection was tampered with: {error}"),
                )
            })?;
        }
    }
}

fn no_tls(name: &str) -> io::Error {
    let why =
        format!("{name} speaks no TLS there; leave out --tls, or ask the organiser for tls in the plan");
    io::Error::new(ErrorKind::Unsupported, why)
}

/// Why there is no trust, and what to do.
fn explain(error: &Error, name: &str) -> io::Error {
    let why = match error {
        Error::InvalidMessage(_) => return no_tls(name),
        Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) => {
            let names: Vec<&str> = presented.iter().map(|name| bare(name)).collect();
            let names = if names.is_empty() { "no name at all".to_owned() } else { names.join(", ") };
            format!("the certificate there is not for {name} but for {names}; connect to the name it is for")
        }
        Error::InvalidCertificate(
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. },
        ) => format!(
            "the certificate of {name} is from nobody whom this machine trusts; if it is the organiser's own, get it from \
             them and name its file in the environment variable SSL_CERT_FILE"
        ),
        Error::InvalidCertificate(
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. },
        ) => format!(
            "the certificate of {name} is not valid today; is this machine's clock right? else tell the organiser"
        ),
        Error::InvalidCertificate(error) => {
            format!("the certificate of {name} cannot be trusted ({error}); tell the organiser")
        }
        error => format!("TLS with {name} does not come about: {error}"),
    };
    io::Error::new(ErrorKind::InvalidData, why)
}

/// `arena.org` of `DnsName("arena.org")`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
    inner.trim_matches('"')
}
