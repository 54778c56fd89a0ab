//! Who may come in: how many connections, how many of them from one address, how many wrong passwords.

use crate::limits;
use governor::{DefaultKeyedRateLimiter, Quota};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The door of the gateway.
pub(super) struct Door {
    inside: Mutex<Inside>,
    failures: DefaultKeyedRateLimiter<IpAddr>,
}

#[derive(Default)]
struct Inside {
    all: usize,
    strangers: usize,
    strangers_of: HashMap<IpAddr, usize>,
    /// Addresses that have failed too often, and until when nothing they say is believed.
    shut: HashMap<IpAddr, Instant>,
}

/// Somebody who came in; dropping it is leaving.
pub(super) struct Visit {
    door: Arc<Door>,
    address: IpAddr,
    stranger: bool,
}

impl Door {
    pub(super) fn new() -> Arc<Door> {
        let failures = NonZeroU32::new(limits::LOGIN_FAILURES).expect("more than none");
        let failures = DefaultKeyedRateLimiter::keyed(Quota::per_minute(failures));
        Arc::new(Door { inside: Mutex::default(), failures })
    }

    /// Lets somebody in, if there is room.
    pub(super) fn enter(self: &Arc<Door>, address: IpAddr) -> Option<Visit> {
        let address = network(address);
        let mut inside = self.inside();
        let of_address = inside.strangers_of.get(&address).copied().unwrap_or(0);
        let full = inside.all >= limits::GATEWAY_CONNECTIONS
            || inside.strangers >= limits::STRANGERS
            || of_address >= limits::STRANGERS_OF_ADDRESS;
        if full {
            return None;
        }
        inside.all += 1;
        inside.strangers += 1;
        inside.strangers_of.insert(address, of_address + 1);
        Some(Visit { door: Arc::clone(self), address, stranger: true })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // Numbers are never left half counted, whoever panicked.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visit {
    /// Whether its address has failed so often that passwords are not even looked at.
    pub(super) fn is_shut_out(&self) -> bool {
        let mut inside = self.door.inside();
        let shut = inside.shut.get(&self.address).copied();
        if shut.is_some_and(|until| until <= Instant::now()) {
            inside.shut.remove(&self.address);
            return false;
        }
        shut.is_some()
    }

    /// It said a wrong password.
    pub(super) fn failed(&self) {
        if self.door.failures.check_key(&self.address).is_err() {
            let now = Instant::now();
            let mut inside = self.door.inside();
            inside.shut.retain(|_, until| *until > now);
            inside.shut.insert(self.address, now + limits::LOGIN_SHUT);
            self.door.failures.retain_recent();
        }
    }

    /// It has logged in.
    pub(super) fn is_known(&mut self) {
        if std::mem::take(&mut self.stranger) {
            self.door.inside().forget_stranger(self.address);
        }
    }
}

impl Inside {
    fn forget_stranger(&mut self, address: IpAddr) {
        self.strangers -= 1;
        if let Some(count) = self.strangers_of.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.strangers_of.remove(&address);
            }
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.is_known();
        self.door.inside().all -= 1;
    }
}

/// What is counted as one address: of the new kind everybody has a whole network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::{Door, network};
    use crate::limits;
    use std::net::IpAddr;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_cannot_take_all_the_room_of_strangers() {
        let door = Door::new();
        let mut inside: Vec<_> =
            (0..limits::STRANGERS_OF_ADDRESS).map(|_| door.enter(address("10.0.0.1")).unwrap()).collect();
        assert!(door.enter(address("10.0.0.1")).is_none());
        let other = door.enter(address("10.0.0.2"));
        assert!(other.is_some(), "others come in");
        inside[0].is_known();
        let again = door.enter(address("10.0.0.1"));
        assert!(again.is_some(), "who has logged in does not count");
        assert!(door.enter(address("10.0.0.1")).is_none());
        drop(inside);
        assert!(door.enter(address("10.0.0.1")).is_some(), "who has left does not count");
        drop((other, again));
        let inside = door.inside();
        assert_eq!((inside.all, inside.strangers, inside.strangers_of.len()), (0, 0, 0));
    }

    #[test]
    fn strangers_altogether_are_limited() {
        let door = Door::new();
        let addresses = (0..limits::STRANGERS).map(|n| address(&format!("10.{}.{}.1", n / 250, n % 250)));
        let inside: Vec<_> = addresses.map(|address| door.enter(address).unwrap()).collect();
        assert!(door.enter(address("192.168.0.1")).is_none());
        drop(inside);
    }

    #[test]
    fn an_address_that_guesses_is_shut_out_and_no_other() {
        let door = Door::new();
        let (guesser, other) =
            (door.enter(address("10.0.0.1")).unwrap(), door.enter(address("10.0.0.2")).unwrap());
        for _ in 0..limits::LOGIN_FAILURES {
            guesser.failed();
            assert!(!guesser.is_shut_out());
        }
        guesser.failed();
        assert!(guesser.is_shut_out() && !other.is_shut_out());
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        assert_eq!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:2:ffff::9")));
        assert_ne!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:3::1")));
        assert_eq!(network(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }
}
