//! Where the queue is, and how one shows who one is.

use crate::limits;
use async_nats::{Client, ConnectOptions, Event, ServerAddr, rustls};
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why the queue cannot be used: one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueueError {
    /// What was written is no address of a queue.
    #[error("\"{text}\" is no address of a queue ({why}); write nats://host:4222, or tls://host:4222")]
    Address {
        /// The words as they were written.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The file of credentials cannot be used.
    #[error("the credentials in {} cannot be used: {why}", path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The file of authorities cannot be used.
    #[error("the certificates of authorities in {} cannot be used: {why}", path.display())]
    Authorities {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It shows a certificate that nobody whom we trust vouches for.
    #[error(
        "the queue at {address} shows a certificate that is not accepted ({why}); say with --queue-ca (palestra worker: --ca) \
         which file has the certificate of its authority"
    )]
    Certificate {
        /// The address that was tried.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nobody is there, or it does not let us in.
    #[error("the queue at {address} cannot be reached: {why}; is nats-server running there, and may we in?")]
    Connect {
        /// The address that was tried.
        address: String,
        /// What the client of NATS says.
        why: String,
    },
    /// It has no JetStream, or does not let us use it.
    #[error(
        "the queue at {address} cannot keep work ({what}: {why}); start nats-server with JetStream (-js)"
    )]
    JetStream {
        /// The address of the queue.
        address: String,
        /// The request that was refused.
        what: String,
        /// The server's own words.
        why: String,
    },
    /// A thread or a pipe cannot be had.
    #[error("the queue cannot be used here: {0}")]
    Own(String),
}

/// Where a queue is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    servers: Vec<String>,
    /// A file that says who we are.
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities that are trusted, instead of the system's.
    pub certificates: Option<PathBuf>,
}

impl FromStr for Address {
    type Err = QueueError;

    /// One server, or several of one cluster, separated by commas.
    fn from_str(text: &str) -> Result<Address, QueueError> {
        let wrong = |why: String| QueueError::Address { text: hide_password(text), why };
        let servers: Vec<String> = text.split(',').map(|server| server.trim().to_owned()).collect();
        for server in &servers {
            if !["nats://", "tls://"].iter().any(|scheme| server.starts_with(scheme)) {
                return Err(wrong("it does not begin with nats://".to_owned()));
            }
            server.parse::<ServerAddr>().map_err(|error| wrong(error.to_string()))?;
        }
        Ok(Address { servers, credentials: None, certificates: None })
    }
}

/// Without passwords: it is shown and logged.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers: Vec<String> = self.servers.iter().map(|server| hide_password(server)).collect();
        f.write_str(&servers.join(","))
    }
}

fn hide_password(server: &str) -> String {
    match (server.split_once("://"), server.rsplit_once('@')) {
        (Some((scheme, rest)), Some((_, host))) => {
            let user = rest.split(['@', ':']).next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        _ => server.to_owned(),
    }
}

/// What a file of credentials says.
#[derive(Clone, PartialEq, Eq)]
struct Credentials {
    proof: Proof,
    /// The worker that it was made for.
    name: Option<String>,
}

#[derive(Clone, PartialEq, Eq)]
enum Proof {
    /// A file as NATS' own tools write it.
    Jwt(String),
    /// The seed of a key whose other half the server knows.
    Seed(String),
}

/// The line of a file of credentials that says which worker it was made for.
pub const WORKER_LINE: &str = "# worker: ";

fn read_credentials(path: &Path) -> Result<Credentials, QueueError> {
    let wrong = |why: String| QueueError::Credentials { path: path.to_owned(), why };
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let name =
        text.lines().find_map(|line| line.strip_prefix(WORKER_LINE)).map(|name| name.trim().to_owned());
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU") && line.len() > 50);
    let proof = match seed {
        _ if text.contains("BEGIN NATS USER JWT") => Proof::Jwt(text.clone()),
        Some(seed) => Proof::Seed(seed.to_owned()),
        None => return Err(wrong("there is neither a user's key (SU...) nor a JWT in it".to_owned())),
    };
    Ok(Credentials { proof, name })
}

impl Address {
    /// The worker that the credentials were made for.
    pub fn worker(&self) -> Result<Option<String>, QueueError> {
        let read = self.credentials.as_deref().map(read_credentials).transpose()?;
        Ok(read.and_then(|credentials| credentials.name))
    }

    /// The same, for whoever has no credentials.
    pub(crate) fn anonymous(&self) -> Address {
        let bare = |server: &String| match (server.split_once("://"), server.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            _ => server.clone(),
        };
        let servers = self.servers.iter().map(bare).collect();
        Address { servers, credentials: None, certificates: self.certificates.clone() }
    }

    /// Whether it asks for TLS.
    pub(crate) fn is_tls(&self) -> bool {
        self.servers.iter().all(|server| server.starts_with("tls://"))
    }

    /// The names of the machines that it is on.
    pub fn hosts(&self) -> Vec<String> {
        let parsed =
            self.anonymous().servers.into_iter().filter_map(|server| server.parse::<ServerAddr>().ok());
        parsed.map(|server| server.host().to_owned()).collect()
    }

    /// Connects; comes back by itself when the connection is lost. What is for us comes to subjects with this beginning.
    pub async fn connect(&self, name: &str, inbox: &str) -> Result<Client, QueueError> {
        let failed = |why: String| QueueError::Connect { address: self.to_string(), why };
        let mut options = ConnectOptions::new()
            .name(name)
            .custom_inbox_prefix(inbox)
            .connection_timeout(limits::CONNECT)
            .request_timeout(Some(limits::REQUEST))
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(50 * attempts.min(1_000) as u64).min(limits::RECONNECT)
            })
            .event_callback(say_what_happens());
        if let Some(path) = &self.certificates {
            check_authorities(path)?;
            options = options.add_root_certificates(path.clone());
        }
        if let Some(path) = &self.credentials {
            let wrong = |why: String| QueueError::Credentials { path: path.clone(), why };
            options = match read_credentials(path)?.proof {
                Proof::Jwt(text) => options.credentials(&text).map_err(|error| wrong(error.to_string()))?,
                Proof::Seed(seed) => options.nkey(seed),
            };
        }
        let servers = self.servers.iter().map(|server| server.parse::<ServerAddr>());
        let servers = servers.collect::<Result<Vec<_>, _>>().map_err(|error| failed(error.to_string()))?;
        options.connect(servers).await.map_err(|error| match certificate_refused(&error) {
            Some(why) => QueueError::Certificate { address: self.to_string(), why },
            None => failed(error.to_string()),
        })
    }
}

/// A file without a certificate would be taken for one that trusts nobody.
fn check_authorities(path: &Path) -> Result<(), QueueError> {
    let wrong = |why: &str| QueueError::Authorities { path: path.to_owned(), why: why.to_owned() };
    let text = fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
    match text.contains("BEGIN CERTIFICATE") {
        true => Ok(()),
        false => Err(wrong("there is no certificate in it; write it as PEM")),
    }
}

/// What was wrong with the certificate of the other end, if that is why we are not connected.
pub fn certificate_refused(error: &(dyn Error + 'static)) -> Option<String> {
    let mut chain = std::iter::successors(Some(error), |error| (*error).source());
    chain.find_map(|error| {
        // What is in an io::Error is not its source.
        let inner = error.downcast_ref::<io::Error>()?.get_ref()?;
        match inner.downcast_ref::<rustls::Error>()? {
            error @ rustls::Error::InvalidCertificate(_) => Some(error.to_string()),
            _ => None,
        }
    })
}

/// Says once that the connection is lost, and once that it is there again, however often that is tried.
fn say_what_happens() -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync + 'static {
    let lost = AtomicBool::new(false);
    move |event| {
        match event {
            Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                tracing::warn!("the queue is there again");
            }
            Event::Connected => tracing::info!("connected to the queue"),
            Event::Disconnected | Event::ClientError(_) if lost.swap(true, Ordering::Relaxed) => {
                tracing::debug!("the queue: {event}");
            }
            event => tracing::warn!("the queue: {event}; it is tried again"),
        }
        std::future::ready(())
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn passwords_are_not_shown() {
        let address: Address = "nats://anna:secret@pc1:4222,tls://pc2".parse().unwrap();
        assert_eq!(address.to_string(), "nats://anna@pc1:4222,tls://pc2");
        let wrong = "http://anna:secret@pc1".parse::<Address>().unwrap_err().to_string();
        assert!(!wrong.contains("secret") && wrong.contains("nats://"), "{wrong}");
    }
}
