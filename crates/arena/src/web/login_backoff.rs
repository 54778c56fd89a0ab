//! Wrong passwords. Whoever guesses waits longer and longer, and a right password still gets in: an account or an address
//! where somebody guesses is slower for all others, by seconds at most, and never shut.
//!
//! What grows without mercy is the pause between two tries of the same account on the same [`Lane`]. Beside the lane of
//! its address, a browser that has signed in before has a lane of its own, and so has the machine itself: nobody
//! elsewhere can make the organisers wait there.

use crate::ids::AccountId;
use crate::limits;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// On which way somebody tries to sign in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Lane {
    /// Anybody at this address.
    Address(IpAddr),
    /// A browser that has signed in to this account before.
    Device(String),
    /// Somebody who is signed in, and says the password once more.
    SignedIn,
    /// The machine itself.
    Local,
}

/// Tries to sign in, of late.
#[derive(Default)]
pub(super) struct LoginBackoff(Mutex<Meters>);

#[derive(Default)]
struct Meters {
    pairs: HashMap<(Option<AccountId>, Lane), Pair>,
    accounts: HashMap<AccountId, Meter>,
    addresses: HashMap<IpAddr, Meter>,
}

/// Tries that were not found to be right, one of which is forgotten every minute.
struct Meter {
    tries: u32,
    since: Instant,
}

/// The tries of one account on one lane, one behind the other.
struct Pair {
    meter: Meter,
    /// Tries before then are turned away.
    next: Instant,
}

/// A try that may be made after a while. It counts as wrong until it is found to be right.
#[must_use]
pub(super) struct Try<'a> {
    guesses: &'a LoginBackoff,
    account: Option<AccountId>,
    lane: Lane,
    /// When the password may be looked at.
    pub(super) at: Instant,
}

impl LoginBackoff {
    /// Takes a try at an account, or at one that there is not; says nothing if too many of the same lane are waiting.
    pub(super) fn take(&self, account: Option<AccountId>, lane: Lane, now: Instant) -> Option<Try<'_>> {
        let mut meters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Meters { pairs, accounts, addresses } = &mut *meters;
        forget(pairs, now, |pair| &mut pair.meter);
        forget(accounts, now, |meter| meter);
        forget(addresses, now, |meter| meter);
        let pair = pairs
            .entry((account, lane.clone()))
            .or_insert_with(|| Pair { meter: Meter::new(now), next: now });
        let turn = pair.next.max(now);
        if turn > now + limits::GUESS_QUEUE {
            return None;
        }
        pair.next = turn + pause(pair.meter.count(now), limits::GUESSES_OF_LANE, limits::LANE_PAUSE);
        let mut wait = Duration::ZERO;
        if let Lane::Address(address) = lane {
            let count = |meter: &mut Meter, free| pause(meter.count(now), free, limits::CROWD_PAUSE);
            let of_address = addresses.entry(address).or_insert_with(|| Meter::new(now));
            wait = count(of_address, limits::GUESSES_OF_ADDRESS);
            if let Some(account) = account {
                let of_account = accounts.entry(account).or_insert_with(|| Meter::new(now));
                wait = wait.max(count(of_account, limits::GUESSES_OF_ACCOUNT));
            }
        }
        Some(Try { guesses: self, account, lane, at: turn.max(now + wait) })
    }
}

impl Try<'_> {
    pub(super) fn was_right(self) {
        let mut meters = self.guesses.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Meters { pairs, accounts, addresses } = &mut *meters;
        if let Lane::Address(address) = &self.lane {
            let of_account = self.account.and_then(|account| accounts.get_mut(&account));
            for meter in addresses.get_mut(address).into_iter().chain(of_account) {
                meter.tries = meter.tries.saturating_sub(1);
            }
        }
        pairs.remove(&(self.account, self.lane));
    }
}

impl Meter {
    fn new(now: Instant) -> Meter {
        Meter { tries: 0, since: now }
    }

    /// Counts another try; says how many there are now.
    fn count(&mut self, now: Instant) -> u32 {
        self.forget(now);
        self.tries = self.tries.saturating_add(1);
        self.tries
    }

    fn forget(&mut self, now: Instant) {
        let minutes = now.saturating_duration_since(self.since).as_secs() / limits::GUESS_FORGOTTEN.as_secs();
        let forgotten = u32::try_from(minutes).unwrap_or(u32::MAX);
        self.tries = self.tries.saturating_sub(forgotten);
        self.since += limits::GUESS_FORGOTTEN * forgotten;
    }
}

/// How long to pause after so many tries, of which some are free: twice as long each time, up to the longest.
fn pause(tries: u32, free: u32, longest: Duration) -> Duration {
    match tries.checked_sub(free + 1) {
        None => Duration::ZERO,
        Some(more) => limits::FIRST_PAUSE.saturating_mul(1 << more.min(16)).min(longest),
    }
}

/// Forgets who has not tried for long, and if that is not enough, who has tried least.
fn forget<K: Hash + Eq, V>(map: &mut HashMap<K, V>, now: Instant, meter: impl Fn(&mut V) -> &mut Meter) {
    let mut least = 1;
    while map.len() > limits::REMEMBERED {
        map.retain(|_, value| {
            let meter = meter(value);
            meter.forget(now);
            meter.tries >= least
        });
        least *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{Lane, LoginBackoff, Meters};
    use crate::ids::AccountId;
    use crate::limits;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::{Duration, Instant};

    fn lane(number: u32) -> Lane {
        Lane::Address(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    fn wait(guesses: &LoginBackoff, account: i64, lane: Lane, now: Instant) -> Option<Duration> {
        guesses.take(Some(AccountId(account)), lane, now).map(|guess| guess.at - now)
    }

    #[test]
    fn whoever_guesses_at_one_account_waits_longer_and_longer() {
        let (guesses, mut now) = (LoginBackoff::default(), Instant::now());
        let start = now;
        let mut tries = 0;
        while now < start + Duration::from_secs(3600) {
            // As fast as it can.
            now += wait(&guesses, 1, lane(1), now).unwrap();
            tries += 1;
        }
        let longest = limits::LANE_PAUSE.max(limits::CROWD_PAUSE);
        assert!(tries < 3600 / longest.as_secs() as u32 * 2 + 100, "{tries}");
        // All at once is no faster, and those beyond a few are sent away.
        let (guesses, now) = (LoginBackoff::default(), Instant::now());
        let waiting = (0..10_000).filter_map(|_| wait(&guesses, 1, lane(1), now));
        let (count, last) =
            waiting.fold((0, Duration::ZERO), |(count, last), wait| (count + 1, last.max(wait)));
        assert!(count < 30 && last <= limits::GUESS_QUEUE + limits::CROWD_PAUSE, "{count} {last:?}");
    }

    #[test]
    fn an_account_that_the_whole_world_guesses_at_is_open_to_its_player() {
        let (guesses, now) = (LoginBackoff::default(), Instant::now());
        for number in 0..20_000 {
            let _ = wait(&guesses, 1, lane(number), now);
        }
        assert!(wait(&guesses, 1, lane(99_999), now).unwrap() <= limits::CROWD_PAUSE);
        assert_eq!(wait(&guesses, 1, Lane::Local, now), Some(Duration::ZERO));
        assert_eq!(wait(&guesses, 1, Lane::Device("known".to_owned()), now), Some(Duration::ZERO));
        assert_eq!(wait(&guesses, 2, lane(77_777), now), Some(Duration::ZERO), "others notice nothing");
        let Meters { pairs, accounts, addresses } = &*guesses.0.lock().unwrap();
        assert!(
            [pairs.len(), accounts.len(), addresses.len()]
                .iter()
                .all(|count| *count <= limits::REMEMBERED + 1)
        );
    }

    #[test]
    fn a_hall_in_which_somebody_guesses_is_open_to_the_others() {
        let (guesses, now) = (LoginBackoff::default(), Instant::now());
        for _ in 0..20 {
            for account in 0..500 {
                let _ = wait(&guesses, account, lane(1), now);
            }
        }
        assert!(wait(&guesses, 1000, lane(1), now).unwrap() <= limits::CROWD_PAUSE);
        assert_eq!(wait(&guesses, 1000, lane(2), now), Some(Duration::ZERO));
    }

    #[test]
    fn who_was_right_has_not_guessed_and_time_heals() {
        let (guesses, now) = (LoginBackoff::default(), Instant::now());
        for _ in 0..1000 {
            guesses.take(Some(AccountId(1)), lane(1), now).unwrap().was_right();
        }
        assert_eq!(wait(&guesses, 1, lane(1), now), Some(Duration::ZERO));
        for _ in 0..100 {
            let _ = wait(&guesses, 1, lane(1), now);
        }
        assert!(wait(&guesses, 1, lane(1), now + Duration::from_secs(5)).unwrap() > Duration::ZERO);
        let later = now + limits::GUESS_FORGOTTEN * 200;
        assert_eq!(wait(&guesses, 1, lane(1), later), Some(Duration::ZERO));
    }
}
