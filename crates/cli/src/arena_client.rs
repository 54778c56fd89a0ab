//! Speaks with an arena's site: addresses, a key, JSON both ways. What the arena complains about is shown as it is.

use crate::failure::Failure;
use palestra_arena::limits;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::Arc;
use std::time::Duration;
use ureq::http::{Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// How long a connection, and the beginning of an answer, may take.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);
/// Bytes of an answer, and of a line of a stream.
const ANSWER_BYTES: u64 = 16 << 20;
/// Bytes of an answer in plain words that is shown as it is.
const QUOTED_BYTES: usize = 300;

/// The way to one arena.
pub(crate) struct ArenaClient {
    agent: Agent,
    base: String,
    token: String,
}

impl ArenaClient {
    /// To this host (a name, perhaps with a port, or a whole address), with a key or the one in `PALESTRA_TOKEN`.
    pub(crate) fn new(host: &str, token: Option<&str>) -> Result<ArenaClient, Failure> {
        ArenaClient::with(host, token, false)
    }

    /// To an arena on this machine. Its certificate is for another name, and nobody is on the way.
    pub(crate) fn on_this_machine(address: &str, token: &str) -> Result<ArenaClient, Failure> {
        ArenaClient::with(address, Some(token), true)
    }

    fn with(host: &str, token: Option<&str>, is_here: bool) -> Result<ArenaClient, Failure> {
        let token = token.map(str::to_owned).or_else(|| std::env::var("PALESTRA_TOKEN").ok());
        let token = token.unwrap_or_default();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            return Err(Failure::usage(
                "give your key from your page at the arena's site: --token KEY, without blanks",
            ));
        }
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .disable_verification(is_here)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(ANSWER))
            .max_redirects(0)
            .build();
        Ok(ArenaClient { agent: config.into(), base: base(host)?, token })
    }

    /// Asks for something.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.read(self.agent.get(self.address(path)).header("Authorization", self.bearer()).call())
    }

    /// Has something done.
    pub(crate) fn post(&self, path: &str, body: &impl Serialize) -> Result<(), Failure> {
        let request = self.agent.post(self.address(path)).header("Authorization", self.bearer());
        self.granted(request.send_json(body)).map(drop)
    }

    /// Hands bytes over, under this name.
    pub(crate) fn post_file<T: DeserializeOwned>(
        &self,
        path: &str,
        name: &str,
        content: &[u8],
    ) -> Result<T, Failure> {
        let request = self.agent.post(self.address(path)).query("file", name);
        let request = request.header("Authorization", self.bearer());
        self.read(request.content_type("application/octet-stream").send(content))
    }

    /// Hears a stream of events, kind and data, until it ends or `hear` has heard enough.
    pub(crate) fn listen(
        &self,
        path: &str,
        hear: &mut dyn FnMut(&str, &str) -> Result<Heard, Failure>,
    ) -> Result<(), Failure> {
        let request = self.agent.get(self.address(path)).header("Authorization", self.bearer());
        let answer = self.granted(request.call())?;
        let mut lines = BufReader::new(answer.into_body().into_reader());
        let (mut kind, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            // A stream that breaks off has ended.
            match lines.by_ref().take(ANSWER_BYTES).read_line(&mut line) {
                Ok(0) | Err(_) => return Ok(()),
                Ok(_) => {}
            }
            match line.trim_end().split_once(": ") {
                Some(("event", word)) => word.clone_into(&mut kind),
                Some(("data", data)) if hear(&kind, data)? == Heard::Enough => return Ok(()),
                _ => {}
            }
        }
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    fn read<T: DeserializeOwned>(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<T, Failure> {
        let mut answer = self.granted(answer)?;
        let read = answer.body_mut().with_config().limit(ANSWER_BYTES).read_json();
        read.map_err(|error| Failure::input(format!("{} answers something else: {error}", self.base)))
    }

    /// The answer, unless it is a complaint.
    fn granted(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<Response<Body>, Failure> {
        let mut answer = answer.map_err(|error| {
            Failure::input(format!("{} cannot be reached: {error}; is the address right?", self.base))
        })?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let said = answer.body_mut().with_config().limit(ANSWER_BYTES).read_to_string().unwrap_or_default();
        Err(match serde_json::from_str::<Complaint>(&said) {
            Ok(complaint) => Failure::input(complaint.error),
            Err(_) => Failure::input(self.strange(&answer, &said)),
        })
    }

    /// What is said of an answer that no arena's site gives. Whoever speaks plainly is quoted.
    fn strange(&self, answer: &Response<Body>, said: &str) -> String {
        let plain = answer.body().mime_type() == Some("text/plain");
        match said.trim() {
            said if plain
                && !said.is_empty()
                && said.len() <= QUOTED_BYTES
                && !said.contains(char::is_control) =>
            {
                format!("{}: {said}", self.base)
            }
            _ => format!("{} answers {}; is it an arena?", self.base, answer.status()),
        }
    }
}

/// Whether to go on listening.
#[derive(PartialEq, Eq)]
pub(crate) enum Heard {
    More,
    Enough,
}

#[derive(Deserialize)]
struct Complaint {
    error: String,
}

/// The address that a host means, without a slash at its end.
fn base(host: &str) -> Result<String, Failure> {
    let bad = || {
        Failure::usage(format!(
            "\"{host}\" is no address; write arena.example.org or https://arena.example.org"
        ))
    };
    let whole = host.contains("://");
    let text = if whole { host.to_owned() } else { format!("http://{host}") };
    let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| bad())?;
    let name = uri.host().filter(|name| !name.is_empty()).ok_or_else(bad)?;
    let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https")).ok_or_else(bad)?;
    let with_port = |port: Option<u16>| port.map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
    let given = uri.port_u16();
    // Neither half a port nor somebody's name.
    if uri.authority().is_none_or(|authority| authority.as_str() != with_port(given)) {
        return Err(bad());
    }
    let host = with_port(given.or((!whole).then_some(limits::SITE_PORT)));
    Ok(format!("{scheme}://{host}{}", uri.path().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn hosts_are_addresses() {
        for (host, address) in [
            ("localhost", "http://localhost:8080"),
            ("localhost:99", "http://localhost:99"),
            ("[::1]:99", "http://[::1]:99"),
            ("http://arena.org", "http://arena.org"),
            ("https://arena.org/cup/", "https://arena.org/cup"),
        ] {
            assert_eq!(base(host).unwrap(), address);
        }
        for host in ["", "ftp://arena.org", "a b", "http://", "localhost:x", "localhost:", "me@localhost"] {
            assert!(base(host).is_err(), "{host}");
        }
    }
}
