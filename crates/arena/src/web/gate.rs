//! Who asks, and how often: every request passes here. Whoever asks for too much is told so, or cut off, without hurting
//! the others.

use super::Site;
use super::problem::Problem;
use crate::limits;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// What is known of whoever asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Caller {
    /// The address, or the whole network that one machine may have.
    pub(super) address: IpAddr,
    /// Whether nobody on the way can read along.
    pub(super) secure: bool,
}

/// Everything that is counted.
pub(super) struct Gate {
    requests: Pace<IpAddr>,
    pub(super) sign_ins: Pace<IpAddr>,
    pub(super) names: Pace<String>,
    pub(super) uploads: Pace<i64>,
    /// Room for files that are being handed in.
    pub(super) uploading: Semaphore,
    /// Room for looking at passwords.
    pub(super) passwords: Semaphore,
    pub(super) streams: Arc<Places>,
}

impl Gate {
    pub(super) fn new() -> Gate {
        Gate {
            requests: Pace::new(Quota::per_second(many(limits::REQUESTS_OF_ADDRESS))),
            sign_ins: Pace::new(Quota::per_minute(many(limits::SIGN_INS_OF_ADDRESS))),
            names: Pace::new(Quota::per_minute(many(limits::SIGN_INS_OF_NAME))),
            uploads: Pace::new(Quota::per_minute(many(limits::UPLOADS_OF_PLAYER))),
            uploading: Semaphore::new(limits::UPLOADS_AT_ONCE),
            passwords: Semaphore::new(limits::PASSWORDS_AT_ONCE),
            streams: Places::new(limits::STREAMS, limits::STREAMS_OF_ADDRESS),
        }
    }
}

fn many(limit: u32) -> NonZeroU32 {
    NonZeroU32::new(limit).expect("limits are not zero")
}

/// How often something may be done.
pub(super) struct Pace<K: Hash + Eq + Clone>(DefaultKeyedRateLimiter<K>);

impl<K: Hash + Eq + Clone> Pace<K> {
    fn new(quota: Quota) -> Pace<K> {
        Pace(RateLimiter::keyed(quota))
    }

    /// Once more, if it is not too often.
    pub(super) fn take(&self, key: &K) -> Result<(), Problem> {
        if self.0.len() > limits::REMEMBERED {
            self.0.retain_recent();
            self.0.shrink_to_fit();
        }
        self.0
            .check_key(key)
            .map_err(|_| Problem::too_often("that was too often; wait a minute and try again"))
    }
}

/// Places that are taken and given back, so many altogether and so many for one address.
pub(super) struct Places {
    taken: Mutex<(usize, HashMap<IpAddr, usize>)>,
    all: usize,
    of_address: usize,
}

impl Places {
    pub(super) fn new(all: usize, of_address: usize) -> Arc<Places> {
        Arc::new(Places { taken: Mutex::default(), all, of_address })
    }

    /// A place until it is dropped; nothing if there is none.
    pub(super) fn take(self: &Arc<Places>, address: IpAddr) -> Option<Place> {
        let mut taken = self.taken();
        let (all, of_address) = (taken.0, taken.1.get(&address).copied().unwrap_or(0));
        if all >= self.all || of_address >= self.of_address {
            return None;
        }
        taken.0 += 1;
        taken.1.insert(address, of_address + 1);
        Some(Place { places: Arc::clone(self), address })
    }

    /// How many are taken.
    pub(super) fn count(&self) -> usize {
        self.taken().0
    }

    fn taken(&self) -> MutexGuard<'_, (usize, HashMap<IpAddr, usize>)> {
        // Nothing is left half done in there, whoever panicked.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place that is taken.
pub(super) struct Place {
    places: Arc<Places>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.0 -= 1;
        if let Some(count) = taken.1.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.1.remove(&self.address);
            }
        }
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
    let mut caller = Caller { address: peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into()), secure: tls };
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

/// One machine has a whole network of the new addresses.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

/// Lets requests that change something through only if they come from the site itself, or from a program with a key:
/// a page of another site cannot send the header, nor read the key.
pub(super) async fn same_site(request: Request, next: Next) -> Response {
    let changes = ![Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    if changes && !request.headers().contains_key(header::AUTHORIZATION) && !is_own(request.headers()) {
        let sentence =
            "requests of other sites are not taken; programs send a key, or the header X-Palestra: 1";
        return Problem::forbidden(sentence).into_response();
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
    use super::{Places, caller, is_own, network};
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
    fn one_machine_is_one_address() {
        assert_eq!(network(address("2001:db8:1:2:3:4:5:6")), network(address("2001:db8:1:2:ffff::1")));
        assert_ne!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:3::1")));
        assert_eq!(network(address("::ffff:10.0.0.9")), address("10.0.0.9"));
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

    #[test]
    fn places_are_given_back() {
        let places = Places::new(3, 2);
        let (one, two) = (address("10.0.0.1"), address("10.0.0.2"));
        let first = places.take(one).unwrap();
        let second = places.take(one).unwrap();
        assert!(places.take(one).is_none(), "enough for one address");
        let third = places.take(two).unwrap();
        drop(first);
        let again = places.take(two).unwrap();
        assert!(places.take(one).is_none(), "enough altogether");
        drop((second, third, again));
        assert_eq!((places.count(), places.taken().1.len()), (0, 0));
    }
}
