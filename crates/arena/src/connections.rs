//! Who is connected, by address. When there is no room, nobody is turned away at the door: somebody else makes room, of the
//! address that has most, idle ones first and the longest idle before all others.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Everybody who is connected to one thing.
pub(crate) struct ConnectionLimit {
    connections: Mutex<Connections>,
    all: usize,
    of_address: usize,
}

#[derive(Default)]
struct Connections {
    count: usize,
    /// The number of the next change.
    next: u64,
    by_address: HashMap<IpAddr, OfAddress>,
}

/// The members of one address, in the order in which they make room. Who loses its sender is to leave.
type OfAddress = BTreeMap<u64, oneshot::Sender<()>>;

/// Whoever is busy makes room after whoever is idle.
const BUSY: u64 = 1 << 63;

impl ConnectionLimit {
    /// Room for so many, and for so many of one address.
    pub(crate) fn new(all: usize, of_address: usize) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit { connections: Mutex::default(), all, of_address })
    }

    /// Lets somebody in, idle at first.
    pub(crate) fn enter(self: &Arc<ConnectionLimit>, address: IpAddr) -> Connection {
        let address = network(address);
        let (sender, ended) = oneshot::channel();
        let mut connections = self.connections();
        if connections.by_address.get(&address).is_some_and(|of_one| of_one.len() >= self.of_address) {
            connections.end_one(address);
        } else if connections.count >= self.all {
            connections.end_one_of_most();
        }
        let at = connections.take_number();
        connections.by_address.entry(address).or_default().insert(at, sender);
        connections.count += 1;
        let slot = Slot { limit: Arc::clone(self), address, at: AtomicU64::new(at) };
        Connection { slot: Arc::new(slot), ended }
    }

    /// Has somebody make room, if there is anybody.
    pub(crate) fn make_room(&self) -> bool {
        self.connections().end_one_of_most()
    }

    pub(crate) fn count(&self) -> usize {
        self.connections().count
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        // Nothing is left half done in there, whoever panicked.
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn end_one_of_most(&mut self) -> bool {
        let first = |of_one: &OfAddress| of_one.keys().next().copied().map(std::cmp::Reverse);
        let most = self.by_address.iter().max_by_key(|(_, of_one)| (of_one.len(), first(of_one)));
        let Some(address) = most.map(|(address, _)| *address) else { return false };
        self.end_one(address);
        true
    }

    fn end_one(&mut self, address: IpAddr) {
        if let Some(at) = self.by_address.get(&address).and_then(|of_one| of_one.keys().next().copied()) {
            self.remove(address, at);
        }
    }

    fn remove(&mut self, address: IpAddr, at: u64) -> Option<oneshot::Sender<()>> {
        let of_one = self.by_address.get_mut(&address)?;
        let sender = of_one.remove(&at)?;
        if of_one.is_empty() {
            self.by_address.remove(&address);
        }
        self.count -= 1;
        Some(sender)
    }
}

/// Somebody who is connected; dropping it is leaving.
pub(crate) struct Connection {
    slot: Arc<Slot>,
    ended: oneshot::Receiver<()>,
}

impl Connection {
    /// Comes to its end when it has to make room.
    pub(crate) async fn ended(&mut self) {
        let _ = (&mut self.ended).await;
    }

    /// What says whether it is busy.
    pub(crate) fn slot(&self) -> Arc<Slot> {
        Arc::clone(&self.slot)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let at = self.slot.at.load(Ordering::Relaxed);
        self.slot.limit.connections().remove(self.slot.address, at);
    }
}

/// The slot of a member in its limit.
pub(crate) struct Slot {
    limit: Arc<ConnectionLimit>,
    address: IpAddr,
    /// Changes only while the limit is locked.
    at: AtomicU64,
}

impl Slot {
    /// It is busy until this is dropped.
    pub(crate) fn busy(self: &Arc<Slot>) -> Busy {
        self.put(BUSY);
        Busy(Arc::clone(self))
    }

    fn put(&self, busy: u64) {
        let mut connections = self.limit.connections();
        // Who has been told to leave has no slot any more.
        if let Some(sender) = connections.remove(self.address, self.at.load(Ordering::Relaxed)) {
            let at = connections.take_number() | busy;
            connections.by_address.entry(self.address).or_default().insert(at, sender);
            connections.count += 1;
            self.at.store(at, Ordering::Relaxed);
        }
    }
}

/// That a member is busy.
pub(crate) struct Busy(Arc<Slot>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.put(0);
    }
}

/// What is counted as one address: of the new kind everybody has a whole network.
pub(crate) fn network(address: IpAddr) -> IpAddr {
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
    use super::{Connection, ConnectionLimit, network};
    use std::net::IpAddr;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_out(member: &mut Connection) -> bool {
        member.ended.try_recv() != Err(tokio::sync::oneshot::error::TryRecvError::Empty)
    }

    #[test]
    fn the_longest_idle_of_the_address_that_has_most_makes_room() {
        let limit = ConnectionLimit::new(4, 3);
        let (many, few) = (address("10.0.0.1"), address("10.0.0.2"));
        let mut first = limit.enter(many);
        let mut second = limit.enter(many);
        let busy = first.slot().busy();
        let mut other = limit.enter(few);
        let mut third = limit.enter(many);
        assert_eq!(limit.count(), 4);
        // Too many of one address: one of its own goes, and it is the one that has been idle longest.
        let mut fourth = limit.enter(many);
        assert!(is_out(&mut second) && !is_out(&mut first) && !is_out(&mut third));
        // Too many altogether: the address that has most makes room for who comes from elsewhere.
        let mut newcomer = limit.enter(address("10.0.0.3"));
        assert!(is_out(&mut third) && !is_out(&mut other) && !is_out(&mut fourth));
        drop(busy);
        // Now it has been idle for a shorter time than all others.
        let _last = limit.enter(address("10.0.0.4"));
        assert!(is_out(&mut fourth) && !is_out(&mut first) && !is_out(&mut newcomer));
        drop((first, second, third, fourth, other, newcomer, _last));
        let connections = limit.connections();
        assert_eq!((connections.count, connections.by_address.len()), (0, 0));
    }

    #[test]
    fn when_everybody_is_busy_the_longest_busy_makes_room() {
        let limit = ConnectionLimit::new(2, 2);
        let here = address("10.0.0.1");
        let (mut first, mut second) = (limit.enter(here), limit.enter(here));
        let _busy = (first.slot().busy(), second.slot().busy());
        let _third = limit.enter(here);
        assert!(is_out(&mut first) && !is_out(&mut second));
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        assert_eq!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:2:ffff::9")));
        assert_ne!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:3::1")));
        assert_eq!(network(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }
}
