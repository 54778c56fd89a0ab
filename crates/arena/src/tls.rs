//! TLS: the certificate of an event, which the site and the gateway show, and encrypted connections of either side.

mod channel;

pub use channel::{ReceiveError, TlsChannel};

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection};

/// A certificate and its key.
#[derive(Clone)]
pub struct Tls(Arc<ServerConfig>);

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}; the plan's tls needs a certificate and its key as PEM files", file.display())]
pub struct TlsError {
    file: PathBuf,
    why: String,
}

impl Tls {
    /// Reads a certificate (with those that it hangs on) and its key from PEM files.
    pub fn read(certificate: &Path, key: &Path) -> Result<Tls, TlsError> {
        let wrong = |file: &Path, why: String| TlsError { file: file.to_owned(), why };
        let read = |file: &Path| fs::read(file).map_err(|error| wrong(file, error.to_string()));
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&read(certificate)?).collect();
        let chain = chain.map_err(|error| wrong(certificate, error.to_string()))?;
        let secret =
            PrivateKeyDer::from_pem_slice(&read(key)?).map_err(|error| wrong(key, error.to_string()))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
            .map_err(|error| wrong(certificate, error.to_string()))?;
        Ok(Tls(Arc::new(config)))
    }

    /// A connection with somebody who has begun with TLS.
    pub(crate) fn accept(&self) -> Option<TlsChannel> {
        ServerConnection::new(self.config()).ok().map(TlsChannel::new)
    }

    /// What a connection that shows it begins with.
    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0)
    }
}
