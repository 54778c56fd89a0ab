//! Who is connected, by address. When there is no room, nobody is turned away at the door: somebody else makes room, of the
//! address that has most, idle ones first and the longest idle before all others.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Everybody who is connected to one thing.
pub(crate) struct Crowd {
    inside: Mutex<Inside>,
    all: usize,
    of_address: usize,
}

#[derive(Default)]
struct Inside {
    count: usize,
    /// The number of the next change.
    next: u64,
    parties: HashMap<IpAddr, Party>,
}

/// The members of one address, in the order in which they make room. Who loses its sender is to leave.
type Party = BTreeMap<u64, oneshot::Sender<()>>;

/// Whoever is busy makes room after whoever is idle.
const BUSY: u64 = 1 << 63;

impl Crowd {
    /// Room for so many, and for so many of one address.
    pub(crate) fn new(all: usize, of_address: usize) -> Arc<Crowd> {
        Arc::new(Crowd { inside: Mutex::default(), all, of_address })
    }

    /// Lets somebody in, idle at first.
    pub(crate) fn enter(self: &Arc<Crowd>, address: IpAddr) -> Member {
        let address = network(address);
        let (sender, ended) = oneshot::channel();
        let mut inside = self.inside();
        if inside.parties.get(&address).is_some_and(|party| party.len() >= self.of_address) {
            inside.end_one(address);
        } else if inside.count >= self.all {
            inside.end_one_of_most();
        }
        let at = inside.take_number();
        inside.parties.entry(address).or_default().insert(at, sender);
        inside.count += 1;
        let place = Place { crowd: Arc::clone(self), address, at: AtomicU64::new(at) };
        Member { place: Arc::new(place), ended }
    }

    /// Has somebody make room, if there is anybody.
    pub(crate) fn make_room(&self) -> bool {
        self.inside().end_one_of_most()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.inside().count
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // Nothing is left half done in there, whoever panicked.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn end_one_of_most(&mut self) -> bool {
        let first = |party: &Party| party.keys().next().copied().map(std::cmp::Reverse);
        let most = self.parties.iter().max_by_key(|(_, party)| (party.len(), first(party)));
        let Some(address) = most.map(|(address, _)| *address) else { return false };
        self.end_one(address);
        true
    }

    fn end_one(&mut self, address: IpAddr) {
        if let Some(at) = self.parties.get(&address).and_then(|party| party.keys().next().copied()) {
            self.remove(address, at);
        }
    }

    fn remove(&mut self, address: IpAddr, at: u64) -> Option<oneshot::Sender<()>> {
        let party = self.parties.get_mut(&address)?;
        let sender = party.remove(&at)?;
        if party.is_empty() {
            self.parties.remove(&address);
        }
        self.count -= 1;
        Some(sender)
    }
}

/// Somebody who is connected; dropping it is leaving.
pub(crate) struct Member {
    place: Arc<Place>,
    ended: oneshot::Receiver<()>,
}

impl Member {
    /// Comes to its end when it has to make room.
    pub(crate) async fn ended(&mut self) {
        let _ = (&mut self.ended).await;
    }

    /// What says whether it is busy.
    pub(crate) fn place(&self) -> Arc<Place> {
        Arc::clone(&self.place)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let at = self.place.at.load(Ordering::Relaxed);
        self.place.crowd.inside().remove(self.place.address, at);
    }
}

/// The place of a member in its crowd.
pub(crate) struct Place {
    crowd: Arc<Crowd>,
    address: IpAddr,
    /// Changes only while the crowd is locked.
    at: AtomicU64,
}

impl Place {
    /// It is busy until this is dropped.
    pub(crate) fn busy(self: &Arc<Place>) -> Busy {
        self.put(BUSY);
        Busy(Arc::clone(self))
    }

    fn put(&self, busy: u64) {
        let mut inside = self.crowd.inside();
        // Who has been told to leave has no place any more.
        if let Some(sender) = inside.remove(self.address, self.at.load(Ordering::Relaxed)) {
            let at = inside.take_number() | busy;
            inside.parties.entry(self.address).or_default().insert(at, sender);
            inside.count += 1;
            self.at.store(at, Ordering::Relaxed);
        }
    }
}

/// That a member is busy.
pub(crate) struct Busy(Arc<Place>);

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
    use super::{Crowd, Member, network};
    use std::net::IpAddr;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_out(member: &mut Member) -> bool {
        member.ended.try_recv() != Err(tokio::sync::oneshot::error::TryRecvError::Empty)
    }

    #[test]
    fn the_longest_idle_of_the_address_that_has_most_makes_room() {
        let crowd = Crowd::new(4, 3);
        let (many, few) = (address("10.0.0.1"), address("10.0.0.2"));
        let mut first = crowd.enter(many);
        let mut second = crowd.enter(many);
        let busy = first.place().busy();
        let mut other = crowd.enter(few);
        let mut third = crowd.enter(many);
        assert_eq!(crowd.count(), 4);
        // Too many of one address: one of its own goes, and it is the one that has been idle longest.
        let mut fourth = crowd.enter(many);
        assert!(is_out(&mut second) && !is_out(&mut first) && !is_out(&mut third));
        // Too many altogether: the address that has most makes room for who comes from elsewhere.
        let mut newcomer = crowd.enter(address("10.0.0.3"));
        assert!(is_out(&mut third) && !is_out(&mut other) && !is_out(&mut fourth));
        drop(busy);
        // Now it has been idle for a shorter time than all others.
        let _last = crowd.enter(address("10.0.0.4"));
        assert!(is_out(&mut fourth) && !is_out(&mut first) && !is_out(&mut newcomer));
        drop((first, second, third, fourth, other, newcomer, _last));
        let inside = crowd.inside();
        assert_eq!((inside.count, inside.parties.len()), (0, 0));
    }

    #[test]
    fn when_everybody_is_busy_the_longest_busy_makes_room() {
        let crowd = Crowd::new(2, 2);
        let here = address("10.0.0.1");
        let (mut first, mut second) = (crowd.enter(here), crowd.enter(here));
        let _busy = (first.place().busy(), second.place().busy());
        let _third = crowd.enter(here);
        assert!(is_out(&mut first) && !is_out(&mut second));
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        assert_eq!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:2:ffff::9")));
        assert_ne!(network(address("2001:db8:1:2::1")), network(address("2001:db8:1:3::1")));
        assert_eq!(network(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }
}
