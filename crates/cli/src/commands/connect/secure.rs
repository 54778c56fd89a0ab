//! TLS on the way to an arena: whom this machine trusts, and what to say when it does not come about.

use crate::failure::Failure;
use palestra_arena::tls::{ReceiveError, TlsChannel};
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig, ClientConnection, Error};
use rustls_platform_verifier::BuilderVerifierExt as _;
use std::io::{self, ErrorKind, Write as _};
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

/// Makes sure that this is the arena of this name. `Unsupported` if it seems to speak no TLS, `InvalidData` if it would
/// say the same again.
pub(super) fn shake_hands(
    trust: &Trust,
    mut stream: &TcpStream,
    name: &str,
    patience: Duration,
) -> io::Result<TlsChannel> {
    let wrong = |why: String| io::Error::new(ErrorKind::InvalidData, why);
    let server = ServerName::try_from(name.to_owned());
    let server = server.map_err(|_| wrong(format!("no certificate can be for \"{name}\"")))?;
    let connection = ClientConnection::new(Arc::clone(&trust.0), server);
    let connection = connection.map_err(|error| wrong(format!("there is no TLS here: {error}")))?;
    let mut channel = TlsChannel::new(connection);
    let deadline = Instant::now() + patience;
    while channel.is_handshaking() {
        step(&mut channel, stream, deadline, name)?;
    }
    stream.write_all(&channel.outgoing())?;
    Ok(channel)
}

fn step(channel: &mut TlsChannel, mut stream: &TcpStream, deadline: Instant, name: &str) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    // No time at all would mean for ever.
    let left = Some(left.max(Duration::from_millis(1)));
    stream.set_read_timeout(left)?;
    stream.set_write_timeout(left)?;
    stream.write_all(&channel.outgoing()).map_err(|_| no_tls(name))?;
    match channel.receive(&mut stream) {
        Ok(1..) => Ok(()),
        Ok(0) | Err(ReceiveError::Network(_)) => Err(no_tls(name)),
        Err(ReceiveError::Tls(error)) => {
            // The other end is told why, if it still hears it.
            let _ = stream.write_all(&channel.outgoing());
            Err(explain(&error, name))
        }
    }
}

/// Reads what has come, as the stream would.
pub(super) fn read(channel: &mut TlsChannel, mut stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match channel.read(buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            read => return read,
        }
        match channel.receive(&mut stream) {
            Ok(0) => return Ok(0),
            Ok(_) => {}
            Err(ReceiveError::Network(error)) => return Err(error),
            Err(ReceiveError::Tls(error)) => {
                let why = format!("the connection was tampered with: {error}");
                return Err(io::Error::new(ErrorKind::ConnectionAborted, why));
            }
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
