//! Connected clients: what they wish, which of them can play, and how long they rest after a match.

use super::matches::{Running, Source};
use super::matchmaking::{Met, Pairing, Waiting, both, pair};
use super::outcome::{Effect, Outcome};
use super::{Order, Refused, Ticket, Wish};
use crate::api::MatchKind;
use crate::ids::{AccountId, BotId, MatchId};
use crate::trouble::Trouble;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

#[derive(Default)]
pub(super) struct Clients {
    clients: HashMap<Ticket, Client>,
    tickets: HashMap<(AccountId, String), Ticket>,
    last_ticket: u64,
    met: Met,
    /// By game and player, so that whoever connects anew rests on.
    rests_until: HashMap<String, HashMap<AccountId, Instant>>,
}

struct Client {
    player: AccountId,
    game: String,
    bot: BotId,
    orders: mpsc::Sender<Order>,
    wish: Wish,
    /// Since when it owes no answer of a former match.
    free: Option<Instant>,
    /// The match it plays, until that is stored.
    playing: Option<MatchId>,
}

impl Client {
    fn can_play_since(&self) -> Option<Instant> {
        self.free.filter(|_| self.playing.is_none())
    }
}

impl Clients {
    /// A former client of the same player and game is dismissed, unless it is playing: then this one is refused.
    pub(super) fn join(
        &mut self,
        player: AccountId,
        game: String,
        bot: BotId,
        orders: mpsc::Sender<Order>,
        out: &mut Outcome,
    ) -> Result<Ticket, Refused> {
        let key = (player, game.clone());
        if let Some(former) = self.tickets.get(&key).copied() {
            if self.clients[&former].playing.is_some() {
                return Err(Refused(Trouble::ClientPlays {}));
            }
            self.dismiss(former, "another client of this player has taken its place", out);
        }
        self.last_ticket += 1;
        let ticket = Ticket(self.last_ticket);
        self.tickets.insert(key, ticket);
        let client = Client { player, game, bot, orders, wish: Wish::default(), free: None, playing: None };
        self.clients.insert(ticket, client);
        Ok(ticket)
    }

    pub(super) fn leave(&mut self, ticket: Ticket) {
        if let Some(client) = self.clients.remove(&ticket) {
            self.tickets.remove(&(client.player, client.game));
        }
    }

    pub(super) fn wish(&mut self, ticket: Ticket, wish: Wish) {
        if let Some(client) = self.clients.get_mut(&ticket) {
            client.wish = wish;
        }
    }

    pub(super) fn free(&mut self, ticket: Ticket, now: Instant) {
        if let Some(client) = self.clients.get_mut(&ticket) {
            client.free = Some(now);
        }
    }

    fn dismiss(&mut self, ticket: Ticket, why: &str, out: &mut Outcome) {
        if let Some(client) = self.clients.get(&ticket) {
            out.effects.push(Effect::Dismiss(client.orders.clone(), why.to_owned()));
            self.leave(ticket);
        }
    }

    fn dismiss_those(&mut self, which: impl Fn(&Client) -> bool, why: &str, out: &mut Outcome) {
        let tickets: Vec<Ticket> =
            self.clients.iter().filter(|(_, client)| which(client)).map(|(ticket, _)| *ticket).collect();
        for ticket in tickets {
            self.dismiss(ticket, why, out);
        }
    }

    pub(super) fn dismiss_idle(&mut self, why: &str, out: &mut Outcome) {
        self.dismiss_those(|client| client.playing.is_none(), why, out);
    }

    pub(super) fn dismiss_account(&mut self, player: AccountId, why: &str, out: &mut Outcome) {
        self.dismiss_those(|client| client.player == player, why, out);
    }

    /// A match begins for this client; gives the way to its session.
    pub(super) fn begin(&mut self, ticket: Ticket, number: MatchId) -> Option<mpsc::Sender<Order>> {
        let client = self.clients.get_mut(&ticket)?;
        (client.free, client.playing) = (None, Some(number));
        Some(client.orders.clone())
    }

    /// A match is over. Its clients rest, unless it was against the server's own bot.
    pub(super) fn end(&mut self, running: &Running, ended: Instant, rest: Duration) {
        for seat in &running.seats {
            if let Source::Client(ticket) = seat.source
                && let Some(client) = self.clients.get_mut(&ticket)
            {
                client.playing = None;
            }
        }
        let players: Vec<AccountId> = running.seats.iter().filter_map(|seat| seat.player).collect();
        if running.kind == MatchKind::Practice || running.kind.is_apart() || players.len() < 2 {
            return;
        }
        for (index, one) in players.iter().enumerate() {
            self.met.extend(players[index + 1..].iter().map(|other| (both(*one, *other), ended)));
        }
        let resting = self.rests_until.entry(running.game.clone()).or_default();
        resting.retain(|_, until| *until > ended);
        for seat in &running.seats {
            if let (Source::Client(_), Some(player)) = (&seat.source, seat.player) {
                resting.insert(player, ended + rest);
            }
        }
    }

    /// The free matches of a game that can begin now; `elo` is the rating of a bot.
    pub(super) fn pairings(
        &self,
        game: &str,
        now: Instant,
        bot_after: Duration,
        elo: impl Fn(BotId) -> f64,
    ) -> Vec<Pairing> {
        let resting = self.rests_until.get(game);
        let waits = |(ticket, client): (&Ticket, &Client)| {
            let free = client.can_play_since().filter(|_| client.game == game)?;
            let rested = resting.and_then(|resting| resting.get(&client.player));
            let since = rested.map_or(free, |rested| free.max(*rested));
            (since <= now).then(|| Waiting {
                ticket: *ticket,
                player: client.player,
                wish: client.wish.clone(),
                since,
                elo: elo(client.bot),
            })
        };
        pair(self.clients.iter().filter_map(waits).collect(), &self.met, now, bot_after)
    }

    /// The client of a player, and whether it can play now.
    pub(super) fn of(&self, player: AccountId, game: &str) -> Option<(Ticket, bool)> {
        let ticket = self.tickets.get(&(player, game.to_owned()))?;
        Some((*ticket, self.clients[ticket].can_play_since().is_some()))
    }

    pub(super) fn bot_of(&self, ticket: Ticket) -> BotId {
        self.clients[&ticket].bot
    }

    pub(super) fn count(&self) -> usize {
        self.clients.len()
    }

    pub(super) fn online(&self) -> HashSet<(AccountId, String)> {
        self.tickets.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::matches::Participant;

    const GAME: &str = "rps";
    const REST: Duration = Duration::from_secs(10);
    const NEVER: Duration = Duration::from_secs(3600);

    struct Stand {
        clients: Clients,
        out: Outcome,
        now: Instant,
    }

    impl Stand {
        fn new() -> Stand {
            Stand { clients: Clients::default(), out: Outcome::default(), now: Instant::now() }
        }

        /// Joins with a wish for anybody, free at once.
        fn join(&mut self, player: i64) -> Result<Ticket, Refused> {
            let orders = mpsc::channel(4).0;
            let (player, bot) = (AccountId(player), BotId(player));
            let ticket = self.clients.join(player, GAME.to_owned(), bot, orders, &mut self.out)?;
            self.clients.wish(ticket, Wish { any: true, ..Wish::default() });
            self.clients.free(ticket, self.now);
            Ok(ticket)
        }

        fn pairings(&self) -> Vec<Pairing> {
            self.clients.pairings(GAME, self.now, NEVER, |_| 1500.0)
        }

        fn dismissed(&mut self) -> Vec<String> {
            let effects = std::mem::take(&mut self.out.effects).into_iter();
            effects
                .map(|effect| match effect {
                    Effect::Dismiss(_, why) => why,
                    _ => panic!("clients only dismiss clients"),
                })
                .collect()
        }
    }

    fn running(kind: MatchKind, tickets: &[(i64, Ticket)]) -> Running {
        let seat = |(player, ticket): &(i64, Ticket)| Participant {
            player: Some(AccountId(*player)),
            bot: Some(BotId(*player)),
            name: String::new(),
            source: Source::Client(*ticket),
        };
        let seats = tickets.iter().map(seat).collect();
        let place = crate::hub::programs::Place::Here;
        Running {
            game: GAME.to_owned(),
            kind,
            seats,
            started: 0,
            round: None,
            apart: None,
            delay: None,
            place,
        }
    }

    #[test]
    fn a_newcomer_takes_the_place_of_an_idle_client_and_not_of_one_that_plays() {
        let mut stand = Stand::new();
        let first = stand.join(1).unwrap();
        let second = stand.join(1).unwrap();
        assert_eq!(stand.dismissed(), ["another client of this player has taken its place"]);
        assert!(stand.clients.begin(first, MatchId(1)).is_none());
        assert!(stand.clients.begin(second, MatchId(1)).is_some());
        assert_eq!(stand.join(1), Err(Refused(Trouble::ClientPlays {})));
        assert_eq!((stand.clients.count(), stand.clients.of(AccountId(1), GAME)), (1, Some((second, false))));
    }

    #[test]
    fn who_plays_is_not_paired_and_rests_afterwards_even_if_it_connects_anew() {
        let mut stand = Stand::new();
        let (one, two) = (stand.join(1).unwrap(), stand.join(2).unwrap());
        assert_eq!(stand.pairings(), [Pairing::Two(one, two)]);
        for ticket in [one, two] {
            stand.clients.begin(ticket, MatchId(1));
        }
        assert_eq!(stand.pairings(), []);
        stand.clients.end(&running(MatchKind::Free, &[(1, one), (2, two)]), stand.now, REST);
        stand.clients.free(one, stand.now);
        stand.clients.leave(two);
        let two = stand.join(2).unwrap();
        assert_eq!(stand.pairings(), [], "both rest");
        stand.now += REST;
        assert_eq!(stand.pairings(), [Pairing::Two(one, two)]);
    }

    #[test]
    fn nobody_rests_after_practice() {
        let mut stand = Stand::new();
        let (one, two) = (stand.join(1).unwrap(), stand.join(2).unwrap());
        stand.clients.begin(one, MatchId(1));
        stand.clients.end(&running(MatchKind::Practice, &[(1, one)]), stand.now, REST);
        assert_eq!(stand.pairings(), [], "it still owes an answer");
        stand.clients.free(one, stand.now);
        assert_eq!(stand.pairings(), [Pairing::Two(one, two)]);
    }

    #[test]
    fn when_an_event_closes_those_who_play_finish_first() {
        let mut stand = Stand::new();
        let (one, _) = (stand.join(1).unwrap(), stand.join(2).unwrap());
        stand.clients.begin(one, MatchId(1));
        stand.clients.dismiss_idle("over", &mut stand.out);
        assert_eq!((stand.dismissed().len(), stand.clients.count()), (1, 1));
        stand.clients.dismiss_account(AccountId(1), "banned", &mut stand.out);
        assert_eq!(stand.dismissed(), ["banned"]);
        assert!(stand.clients.online().is_empty());
    }
}
