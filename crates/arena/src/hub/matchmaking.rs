//! Who plays a free match with whom, from what everybody wishes.

use super::{Ticket, Wish};
use crate::ids::AccountId;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A client that could play now.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) ticket: Ticket,
    pub(super) player: AccountId,
    pub(super) wish: Wish,
    pub(super) since: Instant,
    pub(super) elo: f64,
}

/// A free match to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pairing {
    /// Two clients, who accept each other.
    Two(Ticket, Ticket),
    /// A client and the server's own bot.
    Practice(Ticket),
}

/// When two players last met; the smaller number first.
pub(super) type Met = HashMap<(AccountId, AccountId), Instant>;

impl Wish {
    fn accepts(&self, player: AccountId) -> bool {
        self.any || self.players.contains(&player)
    }

    fn is_bot_only(&self) -> bool {
        self.bot && !self.any && self.players.is_empty()
    }
}

/// The matches that can begin. Whoever waits longest chooses first: of those who accept each other, whom it has not met
/// for the longest time, then the one of the nearest rating. Real opponents go before the bot: who accepts both is given
/// the bot only after waiting for `bot_after`.
pub(super) fn pair(mut waiting: Vec<Waiting>, met: &Met, now: Instant, bot_after: Duration) -> Vec<Pairing> {
    waiting.retain(|client| client.wish != Wish::default());
    waiting.sort_by_key(|client| (client.since, client.ticket.0));
    let mut taken = vec![false; waiting.len()];
    let mut pairings = Vec::new();
    for chooser in 0..waiting.len() {
        if taken[chooser] {
            continue;
        }
        let own = &waiting[chooser];
        let order = |other: &Waiting| {
            let last = met.get(&both(own.player, other.player)).copied();
            (last, (own.elo - other.elo).abs())
        };
        let accepted = (chooser + 1..waiting.len()).filter(|&at| {
            let other = &waiting[at];
            !taken[at]
                && other.player != own.player
                && own.wish.accepts(other.player)
                && other.wish.accepts(own.player)
        });
        let best = accepted.min_by(|&a, &b| {
            let (a, b) = (order(&waiting[a]), order(&waiting[b]));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        match best {
            Some(other) => {
                taken[other] = true;
                pairings.push(Pairing::Two(own.ticket, waiting[other].ticket));
            }
            None if own.wish.bot
                && (own.wish.is_bot_only() || now.duration_since(own.since) >= bot_after) =>
            {
                pairings.push(Pairing::Practice(own.ticket));
            }
            None => {}
        }
    }
    pairings
}

/// Two players, the smaller number first.
pub(super) fn both(a: AccountId, b: AccountId) -> (AccountId, AccountId) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// A moment, in milliseconds of the test's clock.
    fn at(millis: u64) -> Instant {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        *START + Duration::from_millis(millis)
    }

    /// Whom to play, if the bot is for whoever has waited since before `bot_before`.
    fn pairings(waiting: Vec<Waiting>, met: &Met, bot_before: u64) -> Vec<Pairing> {
        pair(waiting, met, at(NOW), Duration::from_millis(NOW - bot_before))
    }

    fn client(number: i64, wish: Wish) -> Waiting {
        Waiting {
            ticket: Ticket(number as u64),
            player: AccountId(number),
            wish,
            since: at(number as u64),
            elo: 1500.0,
        }
    }

    fn only(players: &[i64]) -> Wish {
        Wish { players: players.iter().copied().map(AccountId).collect(), ..Wish::default() }
    }

    const ANY: Wish = Wish { any: true, bot: false, players: Vec::new() };
    const BOT: Wish = Wish { any: false, bot: true, players: Vec::new() };

    const NOW: u64 = 1_000_000;

    #[test]
    fn both_must_accept() {
        let met = Met::new();
        assert_eq!(pairings(vec![client(1, only(&[2])), client(2, only(&[3]))], &met, NOW), []);
        let one = pairings(vec![client(1, only(&[2])), client(2, ANY)], &met, NOW);
        assert_eq!(one, [Pairing::Two(Ticket(1), Ticket(2))]);
    }

    #[test]
    fn any_never_means_the_bot_and_real_opponents_go_first() {
        let met = Met::new();
        assert_eq!(pairings(vec![client(1, ANY)], &met, NOW), []);
        assert_eq!(pairings(vec![client(1, BOT)], &met, NOW), [Pairing::Practice(Ticket(1))]);
        let mixed = Wish { bot: true, ..only(&[2]) };
        assert_eq!(
            pairings(vec![client(1, mixed.clone()), client(2, ANY)], &met, NOW),
            [Pairing::Two(Ticket(1), Ticket(2))]
        );
        assert_eq!(pairings(vec![client(1, mixed), client(2, BOT)], &met, NOW).len(), 2);
    }

    #[test]
    fn the_bot_is_for_those_who_have_waited_for_others_in_vain() {
        let met = Met::new();
        let both_ways = Wish { bot: true, ..ANY };
        assert_eq!(pairings(vec![client(5, both_ways.clone())], &met, 4), []);
        assert_eq!(pairings(vec![client(5, both_ways.clone())], &met, 5), [Pairing::Practice(Ticket(5))]);
        assert_eq!(pairings(vec![client(5, BOT)], &met, 4), [Pairing::Practice(Ticket(5))]);
        let two = vec![client(5, both_ways.clone()), client(9, both_ways)];
        assert_eq!(pairings(two, &met, 8), [Pairing::Two(Ticket(5), Ticket(9))]);
    }

    #[test]
    fn who_has_not_met_for_long_goes_first() {
        let met =
            Met::from([((AccountId(1), AccountId(2)), at(500)), ((AccountId(1), AccountId(3)), at(100))]);
        let pairs = pairings(vec![client(1, ANY), client(2, ANY), client(3, ANY)], &met, NOW);
        assert_eq!(pairs, [Pairing::Two(Ticket(1), Ticket(3))]);
    }

    proptest! {
        #[test]
        fn nobody_plays_twice_or_against_its_wish(
            wishes in prop::collection::vec((any::<bool>(), any::<bool>(), prop::collection::vec(1..20_i64, 0..4)), 0..20)
        ) {
            let clients: Vec<Waiting> = wishes
                .into_iter()
                .enumerate()
                .map(|(index, (any, bot, players))| client(index as i64 + 1, Wish { any, bot, ..only(&players) }))
                .collect();
            let find = |ticket: Ticket| clients.iter().find(|client| client.ticket == ticket).unwrap();
            let mut seen = std::collections::HashSet::new();
            for pairing in pairings(clients.clone(), &Met::new(), NOW) {
                match pairing {
                    Pairing::Two(a, b) => {
                        prop_assert!(seen.insert(a) && seen.insert(b));
                        prop_assert!(find(a).wish.accepts(find(b).player) && find(b).wish.accepts(find(a).player));
                    }
                    Pairing::Practice(a) => {
                        prop_assert!(seen.insert(a) && find(a).wish.bot);
                    }
                }
            }
            // Whoever is left accepts nobody else who is left, or is not accepted.
            let left: Vec<&Waiting> = clients.iter().filter(|client| !seen.contains(&client.ticket)).collect();
            for a in &left {
                for b in &left {
                    prop_assert!(a.player == b.player
                        || !(a.wish.accepts(b.player) && b.wish.accepts(a.player)));
                }
            }
        }
    }
}
