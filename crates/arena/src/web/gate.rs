//! Who asks, and how often: every request passes here. Whoever asks for too much is told so, or cut off, without hurting
//! the others.

use super::Site;
use super::fair_queue::FairQueue;
use super::login_backoff::LoginBackoff;
use crate::connections::{ConnectionLimit, network};
use crate::ids::AccountId;
use crate::limits;
use crate::trouble::Trouble;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use palestra_server::problem::Problem;
use std::collections::HashSet;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known of whoever asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Caller {
    /// The address, or the whole network that one machine may have.
    pub(super) address: IpAddr,
    /// Whether nobody on the way can read along.
    pub(super) secure: bool,
    /// Whether it is this machine itself that asks, and nobody through it.
    pub(super) local: bool,
}

/// Everything that is counted.
pub(super) struct Gate {
    requests: RateLimit<IpAddr>,
    pub(super) registrations: RateLimit<IpAddr>,
    pub(super) guesses: LoginBackoff,
    /// The same for the code with which newcomers make their accounts.
    pub(super) codes: LoginBackoff,
    pub(super) uploads: RateLimit<AccountId>,
    pub(super) challenges: RateLimit<AccountId>,
    /// Steps of courses that are to be checked.
    pub(super) courses: RateLimit<AccountId>,
    /// Tables that are opened to play by hand, by players and by guests.
    pub(super) tables_of_player: RateLimit<AccountId>,
    pub(super) tables_of_address: RateLimit<IpAddr>,
    pub(super) sources: RateLimit<AccountId>,
    /// Room for files that are being handed in.
    pub(super) uploading: Arc<Uploading>,
    /// Who checks a password next: that takes a core for a while.
    pub(super) passwords: FairQueue,
    pub(super) streams: Arc<ConnectionLimit>,
}

impl Gate {
    pub(super) fn new() -> Gate {
        Gate {
            requests: RateLimit::new(Quota::per_second(many(limits::REQUESTS_OF_ADDRESS))),
            registrations: RateLimit::new(Quota::per_minute(many(limits::REGISTERED_OF_ADDRESS))),
            guesses: LoginBackoff::default(),
            codes: LoginBackoff::default(),
            uploads: RateLimit::new(Quota::per_minute(many(limits::UPLOADS_OF_PLAYER))),
            challenges: RateLimit::new(Quota::per_hour(many(limits::CHALLENGES_AN_HOUR))),
            courses: RateLimit::new(Quota::per_hour(many(limits::COURSE_CHECKS_AN_HOUR))),
            tables_of_player: RateLimit::new(Quota::per_minute(many(limits::OPENED_BY_PLAYER))),
            tables_of_address: RateLimit::new(Quota::per_minute(many(limits::OPENED_BY_ADDRESS))),
            sources: RateLimit::new(Quota::per_minute(many(limits::SOURCES_OF_PLAYER))),
            uploading: Arc::default(),
            passwords: FairQueue::new(limits::PASSWORDS_AT_ONCE),
            streams: ConnectionLimit::new(limits::STREAMS, limits::STREAMS_OF_ADDRESS),
        }
    }
}

fn many(limit: u32) -> NonZeroU32 {
    NonZeroU32::new(limit).expect("limits are not zero")
}

/// How often something may be done.
pub(super) struct RateLimit<K: Hash + Eq + Clone>(DefaultKeyedRateLimiter<K>);

impl<K: Hash + Eq + Clone> RateLimit<K> {
    fn new(quota: Quota) -> RateLimit<K> {
        RateLimit(RateLimiter::keyed(quota))
    }

    /// Once more, if it is not too often.
    pub(super) fn take(&self, key: &K) -> Result<(), Problem> {
        if self.0.len() > limits::REMEMBERED {
            self.0.retain_recent();
            self.0.shrink_to_fit();
        }
        self.0.check_key(key).map_err(|_| Trouble::TooOften {}.into())
    }
}

/// Whose files are on their way: so many altogether, and one of each player.
#[derive(Default)]
pub(super) struct Uploading(Mutex<HashSet<AccountId>>);

impl Uploading {
    /// A place until it is dropped; nothing if there is none.
    pub(super) fn take(self: &Arc<Uploading>, player: AccountId) -> Option<UploadSlot> {
        let mut players = self.accounts();
        let room = players.len() < limits::UPLOADS_AT_ONCE && players.insert(player);
        room.then(|| UploadSlot { uploading: Arc::clone(self), player })
    }

    /// Whether this player has one on its way.
    pub(super) fn holds(&self, player: AccountId) -> bool {
        self.accounts().contains(&player)
    }

    fn accounts(&self) -> MutexGuard<'_, HashSet<AccountId>> {
        // Nothing is left half done in there, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place that is taken.
pub(super) struct UploadSlot {
    uploading: Arc<Uploading>,
    player: AccountId,
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        self.uploading.accounts().remove(&self.player);
    }
}

/// Finds out who asks, and turns away whoever asks too often.
pub(super) async fn pass(State(site): State<Arc<Site>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let caller = caller(peer, request.headers(), site.plan.behind_proxy, site.plan.tls.is_some());
    if let Err(problem) = site.gate.requests.take(&caller.address) {
        return problem.into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

fn caller(peer: Option<IpAddr>, headers: &HeaderMap, behind_proxy: bool, tls: bool) -> Caller {
    let mut caller = Caller {
        address: peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
        secure: tls,
        local: peer.is_some_and(|peer| peer.to_canonical().is_loopback())
            && !headers.contains_key("x-forwarded-for"),
    };
    if behind_proxy {
        // What comes before the last hop was said by whoever asks, and may be anything.
        let hops = headers.get_all("x-forwarded-for").iter().next_back().and_then(|hops| hops.to_str().ok());
        let last = hops.and_then(|hops| hops.rsplit(',').next()?.trim().parse().ok());
        caller.address = last.unwrap_or(caller.address);
        caller.secure |= headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes() == b"https");
    }
    caller.address = network(caller.address);
    caller
}

/// Lets requests that change something through only if they come from the site itself, or from a program with a key:
/// a page of another site cannot send the header, nor read the key.
pub(super) async fn same_site(request: Request, next: Next) -> Response {
    let changes = ![Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if changes && !request.headers().contains_key(header::AUTHORIZATION) && !is_own(request.headers()) {
        return Problem::from(Trouble::OtherSite {}).into_response();
    }
    next.run(request).await
}

fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let marked = text("x-palestra") == Some("1");
    let near = text("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none");
    let same_host = text("origin").is_none_or(|origin| {
        let host = origin.split_once("://").map(|(_, host)| host);
        host.is_some() && (host == text("host") || host == text("x-forwarded-host"))
    });
    marked && near && same_host
}

#[cfg(test)]
mod tests {
    use super::{caller, is_own};
    use axum::http::{HeaderMap, HeaderName, HeaderValue};
    use std::net::IpAddr;

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        list.iter().map(header).collect()
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn only_a_proxy_says_who_asks_and_only_its_own_word_counts() {
        let said = headers(&[("x-forwarded-for", "6.6.6.6, 10.0.0.9"), ("x-forwarded-proto", "https")]);
        let peer = Some(address("192.168.0.1"));
        let direct = caller(peer, &said, false, false);
        assert_eq!((direct.address, direct.secure), (address("192.168.0.1"), false));
        let behind = caller(peer, &said, true, false);
        assert_eq!((behind.address, behind.secure), (address("10.0.0.9"), true));
        let mut twice = headers(&[("x-forwarded-for", "6.6.6.6")]);
        twice.append("x-forwarded-for", HeaderValue::from_static("10.0.0.9"));
        assert_eq!(caller(peer, &twice, true, false).address, address("10.0.0.9"));
        let nonsense = headers(&[("x-forwarded-for", "nobody")]);
        assert_eq!(caller(peer, &nonsense, true, false).address, address("192.168.0.1"));
    }

    #[test]
    fn only_who_asks_from_this_machine_without_a_proxy_is_local() {
        let said = headers(&[("x-forwarded-for", "127.0.0.1")]);
        for (peer, headers, local) in [
            ("127.0.0.1", headers(&[]), true),
            ("::1", headers(&[]), true),
            ("::ffff:127.0.0.1", headers(&[]), true),
            ("127.0.0.1", said.clone(), false),
            ("192.168.0.1", headers(&[]), false),
            ("192.168.0.1", said, false),
        ] {
            for behind_proxy in [false, true] {
                assert_eq!(caller(Some(address(peer)), &headers, behind_proxy, false).local, local, "{peer}");
            }
        }
    }

    #[test]
    fn requests_of_other_sites_are_noticed() {
        let own = [("x-palestra", "1"), ("host", "arena.example:8080")];
        assert!(is_own(&headers(&own)));
        for (more, taken) in [
            (("origin", "http://arena.example:8080"), true),
            (("sec-fetch-site", "same-origin"), true),
            (("sec-fetch-site", "cross-site"), false),
            (("sec-fetch-site", "same-site"), false),
            (("origin", "http://arena.example"), false),
            (("origin", "https://evil.example"), false),
            (("origin", "null"), false),
        ] {
            assert_eq!(is_own(&headers(&[own[0], own[1], more])), taken, "{more:?}");
        }
        assert!(!is_own(&headers(&own[1..])), "without the header");
    }
}
