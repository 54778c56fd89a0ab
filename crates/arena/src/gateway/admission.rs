//! Who may come in. Whoever has not logged in makes room for newcomers when there is none; who has, stays.

use crate::connections::{Connection, ConnectionLimit};
use crate::limits;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The admission of the gateway.
pub(super) struct Admission {
    strangers: Arc<ConnectionLimit>,
    /// Connections that have logged in.
    known: AtomicUsize,
}

/// Somebody who came in; dropping it is leaving.
pub(super) struct Visit {
    admission: Arc<Admission>,
    /// Nothing once it has logged in.
    stranger: Option<Connection>,
}

impl Admission {
    pub(super) fn new() -> Arc<Admission> {
        let strangers = ConnectionLimit::new(limits::STRANGERS, limits::STRANGERS_OF_ADDRESS);
        Arc::new(Admission { strangers, known: AtomicUsize::new(0) })
    }

    /// Lets somebody in, unless everybody inside has logged in and there is no room.
    pub(super) fn enter(self: &Arc<Admission>, address: IpAddr) -> Option<Visit> {
        let known = self.known.load(Ordering::Relaxed);
        if known + self.strangers.count() >= limits::GATEWAY_CONNECTIONS && !self.make_room() {
            return None;
        }
        let stranger = Some(self.strangers.enter(address));
        Some(Visit { admission: Arc::clone(self), stranger })
    }

    /// Has a stranger leave, if there is one.
    pub(super) fn make_room(&self) -> bool {
        self.strangers.make_room()
    }
}

impl Visit {
    /// Comes to its end when it has to make room; never for whoever has logged in.
    pub(super) async fn ended(&mut self) {
        match &mut self.stranger {
            Some(stranger) => stranger.ended().await,
            None => std::future::pending().await,
        }
    }

    pub(super) fn is_known(&mut self) {
        if self.stranger.take().is_some() {
            self.admission.known.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if self.stranger.is_none() {
            self.admission.known.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Admission;
    use crate::limits;
    use futures_util::FutureExt as _;
    use std::net::IpAddr;
    use std::sync::atomic::Ordering;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_stranger_makes_room_and_who_has_logged_in_does_not() {
        let admission = Admission::new();
        let mut known = admission.enter(address("10.0.0.1")).unwrap();
        known.is_known();
        let mut crowd: Vec<_> = (0..limits::STRANGERS_OF_ADDRESS)
            .map(|_| admission.enter(address("10.0.0.1")).unwrap())
            .collect();
        let mut other = admission.enter(address("10.0.0.2")).unwrap();
        let newcomer = admission.enter(address("10.0.0.1"));
        assert!(newcomer.is_some());
        assert!(crowd[0].ended().now_or_never().is_some(), "who came first and has not logged in");
        assert!(crowd[1].ended().now_or_never().is_none());
        assert!(known.ended().now_or_never().is_none() && other.ended().now_or_never().is_none());
        drop((crowd, newcomer, other, known));
        assert_eq!((admission.strangers.count(), admission.known.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn a_house_full_of_players_has_no_room() {
        let admission = Admission::new();
        admission.known.store(limits::GATEWAY_CONNECTIONS - 1, Ordering::Relaxed);
        let mut first = admission.enter(address("10.0.0.1")).unwrap();
        let second = admission.enter(address("10.0.0.2"));
        assert!(second.is_some() && first.ended().now_or_never().is_some());
        drop((first, second));
        admission.known.fetch_add(1, Ordering::Relaxed);
        assert!(admission.enter(address("10.0.0.1")).is_none());
    }
}
