//! The owner of everything that changes in an event: clients, matches, rounds, ratings. One task, an actor, owns all of
//! it, so that nothing has to be locked and nothing can disagree; others send it commands and read its snapshots.
//!
//! The event itself (`event::Event`) does no input or output: its parts (clients, roster, matches, rounds, programs) put
//! changes and effects into an outcome. The actor takes commands in batches, commits the changes in one transaction, and
//! only then carries out the effects. Whatever happens to this process, what was told is stored.

mod actor;
mod challenge_admission;
mod challenges;
mod clients;
mod event;
mod hand;
mod matches;
mod matchmaking;
mod outcome;
mod programs;
mod roster;
mod round;
mod round_page;
mod rounds;
mod schedule;
mod snapshot;
mod stalls;
mod start;
mod tables;
#[cfg(test)]
mod tests;

pub use actor::StartError;
pub(crate) use actor::{Needs, start};
pub(crate) use hand::TableCommand;
pub use tables::Guest;

use crate::api::challenges::{ChallengeTurn, OpenChallenge};
use crate::api::play::TableView;
use crate::api::{
    Control, EventState, LiveView, MatchView, RoundDetail, RoundList, SettledVersion, StandingLine,
};
use crate::ids::{AccountId, ChallengeId, MatchId, RoundId};
use crate::play::SessionChannel;
use crate::trouble::Trouble;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};

/// The way to the hub, for everybody else.
#[derive(Clone)]
pub struct Hub {
    commands: mpsc::Sender<Command>,
    snapshot: watch::Receiver<Arc<Snapshot>>,
}

/// The whole event at one moment, for spectators.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Where the event stands.
    pub state: EventState,
    /// What changes all the time.
    pub live: LiveView,
    /// Everybody's place, by game, best first.
    pub standings: HashMap<String, Arc<Vec<StandingLine>>>,
    /// How many matches are being played, by game.
    pub running: HashMap<String, u32>,
    /// Who is connected: player and game.
    pub online: HashSet<(AccountId, String)>,
    /// Versions that were settled lately, with their players, the latest first.
    pub settled: Vec<(AccountId, SettledVersion)>,
    /// Matches of the last minutes that the machine has spoilt.
    pub stalled: u32,
}

/// A client's place in the hub.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ticket(pub(crate) u64);

/// What the hub wants of a client's session.
pub enum Order {
    /// Play this match. The session was free, and is not until it says so again.
    Play(SessionChannel),
    /// Say goodbye for this reason, and close.
    Leave(String),
}

/// Whom a client wants to play against.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    /// Everybody but the server's own bot.
    pub any: bool,
    /// The server's own bot.
    pub bot: bool,
    /// By the numbers of their accounts.
    pub players: Vec<AccountId>,
}

/// Why the hub says no: one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub Trouble);

/// What can be asked of the hub.
pub(crate) enum Command {
    Join {
        player: AccountId,
        game: String,
        orders: mpsc::Sender<Order>,
        reply: oneshot::Sender<Result<Ticket, Refused>>,
    },
    Leave(Ticket),
    Wish(Ticket, Wish),
    Free(Ticket),
    Control {
        who: Option<AccountId>,
        round: Option<RoundId>,
        control: Control,
        reply: Reply,
    },
    Correct {
        who: Option<AccountId>,
        number: MatchId,
        why: String,
        /// Played again, or taken out of the count.
        rerun: bool,
        reply: Reply,
    },
    Announce {
        who: Option<AccountId>,
        text: String,
        reply: Reply,
    },
    Retract {
        who: Option<AccountId>,
        announcement: i64,
        reply: Reply,
    },
    Banned {
        player: AccountId,
    },
    Challenge {
        player: AccountId,
        wanted: OpenChallenge,
        reply: oneshot::Sender<Result<ChallengeId, Refused>>,
    },
    CancelChallenge {
        id: ChallengeId,
        reply: Reply,
    },
    ChallengeTurns {
        reply: oneshot::Sender<HashMap<ChallengeId, ChallengeTurn>>,
    },
    Table {
        command: TableCommand,
        reply: oneshot::Sender<Result<Option<TableView>, Refused>>,
    },
    Running {
        number: MatchId,
        reply: oneshot::Sender<Option<MatchView>>,
    },
    Round {
        id: RoundId,
        reply: oneshot::Sender<Option<Arc<RoundDetail>>>,
    },
    Rounds {
        wanted: WantedRounds,
        reply: oneshot::Sender<RoundList>,
    },
}

impl Command {
    /// Whether it only asks, and changes nothing.
    fn is_look(&self) -> bool {
        matches!(
            self,
            Command::Running { .. }
                | Command::Round { .. }
                | Command::Rounds { .. }
                | Command::ChallengeTurns { .. }
                | Command::Table { command: TableCommand::Look { .. }, .. }
        )
    }
}

/// Which rounds to list, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedRounds {
    /// Its id; every game unless given.
    pub game: Option<String>,
    /// Those with smaller numbers.
    pub before: RoundId,
    /// At most so many.
    pub limit: usize,
}

type Reply = oneshot::Sender<Result<(), Refused>>;

impl Hub {
    /// A client of this player for this game is there. A former one of the same player is sent away, unless it is playing:
    /// then this one is refused.
    pub async fn join(
        &self,
        player: AccountId,
        game: &str,
        orders: mpsc::Sender<Order>,
    ) -> Result<Ticket, Refused> {
        let game = game.to_owned();
        self.ask(|reply| Command::Join { player, game, orders, reply }).await
    }

    /// The client is gone. Its match, if it plays one, hears of that through its line.
    pub async fn leave(&self, ticket: Ticket) {
        self.tell(Command::Leave(ticket)).await;
    }

    /// Whom it wants to play against from now on.
    pub async fn wish(&self, ticket: Ticket, wish: Wish) {
        self.tell(Command::Wish(ticket, wish)).await;
    }

    /// It owes no answer and can play.
    pub async fn free(&self, ticket: Ticket) {
        self.tell(Command::Free(ticket)).await;
    }

    /// What an organiser wants of the event, or of a round.
    pub async fn control(
        &self,
        who: Option<AccountId>,
        round: Option<RoundId>,
        control: Control,
    ) -> Result<(), Refused> {
        self.ask(|reply| Command::Control { who, round, control, reply }).await
    }

    /// Takes a match out of the count.
    pub async fn void(&self, who: Option<AccountId>, number: MatchId, why: String) -> Result<(), Refused> {
        self.ask(|reply| Command::Correct { who, number, why, rerun: false, reply }).await
    }

    /// Has a match of a scored round played again.
    pub async fn rerun(&self, who: Option<AccountId>, number: MatchId, why: String) -> Result<(), Refused> {
        self.ask(|reply| Command::Correct { who, number, why, rerun: true, reply }).await
    }

    /// Tells everybody something.
    pub async fn announce(&self, who: Option<AccountId>, text: String) -> Result<(), Refused> {
        self.ask(|reply| Command::Announce { who, text, reply }).await
    }

    /// Takes an announcement back.
    pub async fn retract(&self, who: Option<AccountId>, announcement: i64) -> Result<(), Refused> {
        self.ask(|reply| Command::Retract { who, announcement, reply }).await
    }

    /// A player has been shut out: its client is sent away.
    pub async fn banned(&self, player: AccountId) {
        self.tell(Command::Banned { player }).await;
    }

    /// Has a version of a player's own play somebody, as soon as there is room.
    pub(crate) async fn challenge(
        &self,
        player: AccountId,
        wanted: OpenChallenge,
    ) -> Result<ChallengeId, Refused> {
        self.ask(|reply| Command::Challenge { player, wanted, reply }).await
    }

    /// What has not been played of a challenge is not played any more.
    pub(crate) async fn cancel_challenge(&self, id: ChallengeId) -> Result<(), Refused> {
        self.ask(|reply| Command::CancelChallenge { id, reply }).await
    }

    /// How the open challenges stand.
    pub(crate) async fn challenge_turns(&self) -> HashMap<ChallengeId, ChallengeTurn> {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::ChallengeTurns { reply }).await;
        answer.await.unwrap_or_default()
    }

    /// What somebody does at a table; how it stands then, unless they have left.
    pub(crate) async fn table(&self, command: TableCommand) -> Result<Option<TableView>, Refused> {
        self.ask(|reply| Command::Table { command, reply }).await
    }

    /// A match that is being played, whether a snapshot has room for it or not.
    pub async fn running(&self, number: MatchId) -> Option<MatchView> {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Running { number, reply }).await;
        answer.await.ok().flatten()
    }

    /// A scored round, with everything that its page shows.
    pub async fn round(&self, id: RoundId) -> Option<Arc<RoundDetail>> {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Round { id, reply }).await;
        answer.await.ok().flatten()
    }

    /// Scored rounds, newest first.
    pub async fn rounds(&self, wanted: WantedRounds) -> RoundList {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Rounds { wanted, reply }).await;
        answer.await.unwrap_or(RoundList { rounds: Vec::new(), older: None })
    }

    /// How everything stood a moment ago, shared by all who read it.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.borrow())
    }

    /// Tells of every new snapshot.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshot.clone()
    }

    async fn tell(&self, command: Command) {
        // The hub ends last; whoever speaks to it then is on the way out too.
        let _ = self.commands.send(command).await;
    }

    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<Result<T, Refused>>) -> Command,
    ) -> Result<T, Refused> {
        let (reply, answer) = oneshot::channel();
        self.tell(command(reply)).await;
        answer.await.unwrap_or_else(|_| Err(Refused(Trouble::ShuttingDown {})))
    }
}
