//! A client before it has logged in: its tries, and what becomes of them.

use super::dialect::{ClientCommand, Dialect, Received};
use super::session::read_into;
use super::wire::Wire;
use super::{Disconnect, GatewayState};
use crate::hub::{Order, Ticket};
use crate::limits;
use crate::store::Account;
use std::time::Instant;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// A client that has not logged in yet.
pub(super) struct Arrival<'a, D> {
    pub(super) dialect: &'a mut D,
    pub(super) wire: &'a mut Wire,
    pub(super) gateway: &'a GatewayState,
}

/// A client that has logged in.
pub(super) struct Entry {
    pub(super) account: Account,
    pub(super) game: String,
    pub(super) secret: String,
    pub(super) ticket: Ticket,
    pub(super) orders: mpsc::Receiver<Order>,
    /// What it has said beside its login.
    pub(super) received: Received,
}

/// Why a try to log in failed.
struct Refusal {
    why: String,
    /// Whether another try may help.
    again: bool,
}

impl<D: Dialect> Arrival<'_, D> {
    pub(super) async fn log_in(&mut self, first: &[u8]) -> Result<Entry, Disconnect> {
        let mut received = Received::default();
        self.dialect.hear(first, Instant::now(), &mut received)?;
        let (mut tries, mut bytes) = (0, first.len());
        let mut wish = None;
        loop {
            let mut commands = std::mem::take(&mut received.commands).into_iter();
            while let Some(command) = commands.next() {
                let (game, secret) = match command {
                    ClientCommand::Login { game, secret } => (game, secret),
                    ClientCommand::Wish(_) => {
                        wish = Some(command);
                        continue;
                    }
                    ClientCommand::Ready | ClientCommand::Ended | ClientCommand::Bye => continue,
                };
                let refusal = match self.try_one(&game, &secret).await {
                    Ok((account, ticket, orders)) => {
                        // That it said something is an answer to no ping: none has been sent.
                        received = Received {
                            commands: wish.into_iter().chain(commands).collect(),
                            ..Received::default()
                        };
                        return Ok(Entry { account, game, secret, ticket, orders, received });
                    }
                    Err(refusal) => refusal,
                };
                tries += 1;
                metrics::counter!("palestra_gateway_refused_total").increment(1);
                // Whoever guesses has time.
                sleep(limits::LOGIN_PAUSE).await;
                self.wire.send(&self.dialect.refuse(&refusal.why, refusal.again))?;
                if tries >= D::TRIES {
                    return Err(Disconnect::Gone);
                }
            }
            self.wire.wait().await?;
            let mut said = Vec::new();
            read_into(self.wire, &mut said)?;
            bytes += said.len();
            if bytes > limits::IDLE_BYTES {
                return Err(Disconnect::Flood);
            }
            self.dialect.hear(&said, Instant::now(), &mut received)?;
        }
    }

    async fn try_one(
        &self,
        game: &str,
        secret: &str,
    ) -> Result<(Account, Ticket, mpsc::Receiver<Order>), Refusal> {
        let gateway = self.gateway;
        if gateway.plan.game(game).is_none() {
            let games: Vec<&str> = gateway.plan.games.iter().map(|plan| plan.game.info().id).collect();
            let why = format!("there is no game \"{game}\" at this event; there are {}", games.join(", "));
            return Err(Refusal { why, again: false });
        }
        let account = match gateway.store.secret_owner(secret).await {
            Ok(Some(account)) => account,
            Ok(None) => {
                let why = "nobody has this key; make one on your page at the arena's site".to_owned();
                return Err(Refusal { why, again: false });
            }
            Err(error) => {
                tracing::error!(%error, "a client could not be looked up");
                let why = "the arena cannot look you up at the moment".to_owned();
                return Err(Refusal { why, again: true });
            }
        };
        let (sender, orders) = mpsc::channel(limits::ORDERS);
        match gateway.hub.join(account.id, game, sender).await {
            Ok(ticket) => Ok((account, ticket, orders)),
            Err(refused) => Err(Refusal { why: refused.to_string(), again: true }),
        }
    }
}
