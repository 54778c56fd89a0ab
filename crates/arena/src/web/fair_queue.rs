//! A fair queue for something expensive: so many at the same time, and everybody in turn. Addresses take turns, and within an
//! address accounts do, so that whoever asks often waits for itself.

use crate::ids::AccountId;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Everybody who waits, and how many more may go on.
pub(super) struct FairQueue(Mutex<Waiting>);

struct Waiting {
    free: usize,
    addresses: VecDeque<(IpAddr, Accounts)>,
}

type Accounts = VecDeque<(Option<AccountId>, VecDeque<oneshot::Sender<()>>)>;

/// Somebody's turn, until it is dropped.
#[must_use]
pub(super) struct Turn<'a>(&'a FairQueue);

impl FairQueue {
    pub(super) fn new(at_once: usize) -> FairQueue {
        FairQueue(Mutex::new(Waiting { free: at_once, addresses: VecDeque::new() }))
    }

    pub(super) async fn wait(&self, address: IpAddr, account: Option<AccountId>) -> Turn<'_> {
        let called = self.waiting().queue(address, account);
        let mut place = Waiter { turns: self, called };
        if let Some(called) = &mut place.called {
            // Who hands a turn on never drops it.
            let _ = called.await;
            place.called = None;
        }
        Turn(self)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing is left half done in there, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Takes a turn that is free, or a place in the queue.
    fn queue(&mut self, address: IpAddr, account: Option<AccountId>) -> Option<oneshot::Receiver<()>> {
        if self.free > 0 {
            self.free -= 1;
            return None;
        }
        let accounts = find_or_add(&mut self.addresses, address);
        let (sender, called) = oneshot::channel();
        find_or_add(accounts, account).push_back(sender);
        Some(called)
    }

    fn next(&mut self) -> Option<oneshot::Sender<()>> {
        let (address, mut accounts) = self.addresses.pop_front()?;
        let (account, mut waiters) = accounts.pop_front()?;
        let next = waiters.pop_front();
        if !waiters.is_empty() {
            accounts.push_back((account, waiters));
        }
        if !accounts.is_empty() {
            self.addresses.push_back((address, accounts));
        }
        next
    }
}

fn find_or_add<K: PartialEq, V: Default>(list: &mut VecDeque<(K, V)>, key: K) -> &mut V {
    let at = list.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        list.push_back((key, V::default()));
        list.len() - 1
    });
    &mut list[at].1
}

/// Somebody who waits, or has just been called.
struct Waiter<'a> {
    turns: &'a FairQueue,
    called: Option<oneshot::Receiver<()>>,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        // Who leaves after it was called hands its turn on.
        if let Some(called) = &mut self.called
            && called.try_recv().is_ok()
        {
            drop(Turn(self.turns));
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting();
        while let Some(next) = waiting.next() {
            if next.send(()).is_ok() {
                return;
            }
        }
        waiting.free += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::FairQueue;
    use crate::ids::AccountId;
    use futures_util::FutureExt as _;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::{Arc, Mutex};

    fn address(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    #[tokio::test]
    async fn whoever_asks_often_waits_for_itself() {
        let turns = Arc::new(FairQueue::new(1));
        let order = Arc::new(Mutex::new(Vec::new()));
        let held = turns.wait(address(9), None).await;
        let mut all = Vec::new();
        // One address asks a hundred times, at two accounts; then others come.
        let asked = (0..100).map(|number| (1, 1 + number % 2)).chain([(2, 7), (1, 3), (3, 7)]);
        for (from, account) in asked {
            let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
            all.push(tokio::spawn(async move {
                let turn = turns.wait(address(from), Some(AccountId(account))).await;
                order.lock().unwrap().push((from, account));
                drop(turn);
            }));
            tokio::task::yield_now().await;
        }
        // Somebody does not want to wait any more.
        assert!(turns.wait(address(4), None).now_or_never().is_none());
        drop(held);
        for one in all {
            one.await.unwrap();
        }
        let order = order.lock().unwrap();
        let place = |who: (u8, i64)| order.iter().position(|one| *one == who).unwrap();
        assert_eq!(order.len(), 103);
        assert!(place((2, 7)) <= 2 && place((3, 7)) <= 3 && place((1, 3)) <= 8, "{order:?}");
        assert!(turns.wait(address(4), None).now_or_never().is_some(), "the turn is free again");
    }
}
