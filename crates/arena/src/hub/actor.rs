//! The task that owns an event: it takes commands in batches, has the event decide, commits what that changes, and only
//! then acts on it.

use super::event::{Event, STATE};
use super::matches::{Matches, NUMBERS};
use super::outcome::{Effect, Outcome};
use super::programs::Programs;
use super::round::{Events, Play};
use super::schedule::Capacity;
use super::snapshot::running_view;
use super::start::{Ended, Starter};
use super::{Command, Hub, Order, Refused, Snapshot, Ticket};
use crate::api::{EventState, MatchKind};
use crate::ids::{AccountId, BotId, MatchId, RoundId, VersionId};
use crate::limits;
use crate::plan::EventPlan;
use crate::play::background::Background;
use crate::play::pool::WorkerPool;
use crate::play::workers::Workers;
use crate::store::{Store, StoreError, Word as _, now};
use crate::trouble::Trouble;
use crate::workshop::{News, Workshop};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use palestra_server::Library;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// What a hub works with.
pub(crate) struct Needs {
    /// The event.
    pub(crate) plan: Arc<EventPlan>,
    /// Where everything is kept.
    pub(crate) store: Store,
    /// Shows matches to browsers.
    pub(crate) library: Arc<Library>,
    /// Plays programs on this machine.
    pub(crate) pool: WorkerPool,
    /// Those who play them on other machines, if there is a queue for them.
    pub(crate) workers: Option<Arc<Workers>>,
    /// Where programs come from.
    pub(crate) workshop: Workshop,
    /// What the workshop tells: versions settled, bots with a new one.
    pub(crate) news: mpsc::Receiver<News>,
}

/// Why a hub does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no thread for matches of people.
    #[error("failed to start: {0}")]
    Thread(#[from] io::Error),
}

pub(super) struct Actor {
    pub(super) event: Event,
    pub(super) store: Store,
    starter: Starter,
    pub(super) out: Outcome,
    announcement: Option<i64>,
    /// Whether something changed that a snapshot shows.
    dirty: bool,
}

/// Starts the hub of an event, from what its store says. It ends when nobody holds a [`Hub`] any more.
pub(crate) async fn start(needs: Needs) -> Result<(Hub, JoinHandle<()>), StartError> {
    let (commands, inbox) = mpsc::channel(limits::COMMANDS);
    let (reports, ended) = mpsc::unbounded_channel();
    let Needs { plan, store, library, pool, workers, workshop, news } = needs;
    let mut actor = Actor {
        announcement: store.last_announcement().await?,
        event: open(plan, &store).await?,
        starter: Starter {
            pool: Arc::new(pool),
            workers,
            background: Arc::new(Background::start()?),
            library,
            workshop,
            store: store.clone(),
            reports,
        },
        store,
        out: Outcome::default(),
        dirty: true,
    };
    actor.load_roster().await?;
    actor.load_rounds().await?;
    actor.load_challenges().await?;
    actor.flush().await?;
    let (sender, snapshot) = watch::channel(Arc::new(actor.snapshot()));
    let task = tokio::spawn(actor.run(inbox, ended, news, sender));
    Ok((Hub { commands, snapshot }, task))
}

async fn open(plan: Arc<EventPlan>, store: &Store) -> Result<Event, StoreError> {
    let (last, counted) = store.last_match().await?;
    let unreserved = store.setting(NUMBERS).await?.and_then(|text| text.parse().ok()).unwrap_or(1);
    let state = match store.setting(STATE).await? {
        Some(word) => EventState::of(word)?,
        None => EventState::Open,
    };
    let suspects = store.suspects(limits::DEATHS - 1).await?;
    let seeds = store.seeds(plan.seed);
    Ok(Event::new(plan, state, seeds, Matches::new(unreserved, last, counted), Programs::new(suspects)))
}

impl Actor {
    /// Players, bots, and the built-in players of the plan.
    async fn load_roster(&mut self) -> Result<(), StoreError> {
        let Actor { event, store, .. } = self;
        for game in &event.plan.games {
            for name in &game.house {
                let account = store.house_account(name).await;
                let account = account.map_err(|error| StoreError::Damaged(error.to_string()))?;
                store.bot_of(account.id, &game.tournament.game, Some(name), event.plan.elo.start).await?;
            }
        }
        for account in store.accounts().await? {
            event.roster.add_account(account);
        }
        for row in store.bots().await? {
            // A game, or a built-in player, that the plan does not have any more sits out.
            let Some(game) = event.plan.game(&row.game) else { continue };
            if row.built_in.as_ref().is_none_or(|name| game.house.contains(name)) {
                let version = version_number(store, row.active).await?;
                event.roster.add_bot(row, version);
            }
        }
        for (game, bots, places) in store.latest_results(limits::RECALLED).await? {
            if event.plan.game(&game).is_some() {
                event.roster.recall(&game, &bots, &places);
            }
        }
        Ok(())
    }

    /// Rounds that the store knows, and those that the plan has beside.
    async fn load_rounds(&mut self) -> Result<(), StoreError> {
        for row in self.store.rounds().await? {
            let id = row.id;
            let play = load_play(&self.store, id).await?;
            self.event.rounds.load(row, play, &mut self.out);
            self.event.put_away(id);
        }
        let plan = Arc::clone(&self.event.plan);
        self.event.rounds.plan_missing(&plan.rounds, now(), &mut self.out);
        for round in self.event.rounds.views(&plan) {
            if let Some(missed) = round.missed.and_then(|time| Timestamp::from_millisecond(time).ok()) {
                let time = missed.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M %Z");
                tracing::warn!(
                    "round {} was to start at {time}, which is over: it waits for an organiser to start it",
                    round.name
                );
            }
        }
        Ok(())
    }

    /// Lets a round be looked at and corrected, however long it is over.
    async fn take_out(&mut self, id: RoundId) -> Result<(), StoreError> {
        if self.event.rounds.get(id).is_some_and(|round| round.is_away())
            && let Some(play) = load_play(&self.store, id).await?
        {
            self.event.rounds.take_out(id, play, &mut self.out);
        }
        Ok(())
    }

    async fn run(
        mut self,
        mut inbox: mpsc::Receiver<Command>,
        mut ended: mpsc::UnboundedReceiver<Ended>,
        mut news: mpsc::Receiver<News>,
        snapshot: watch::Sender<Arc<Snapshot>>,
    ) {
        let mut moment = tokio::time::interval(limits::MOMENT);
        moment.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut commands, mut over) = (Vec::new(), Vec::new());
        let mut published = Instant::now();
        loop {
            tokio::select! {
                count = inbox.recv_many(&mut commands, limits::BATCH) => {
                    if count == 0 {
                        return;
                    }
                }
                _ = ended.recv_many(&mut over, limits::BATCH) => {}
                Some(news) = news.recv() => self.hear(news).await,
                _ = moment.tick() => {}
            }
            for ended in over.drain(..) {
                self.event.end(ended, Instant::now(), &mut self.out);
            }
            for command in commands.drain(..) {
                if let Err(error) = self.take(command).await {
                    tracing::error!(%error, "a command failed");
                }
            }
            self.hear_of_workers();
            let capacity = self.capacity();
            if let Err(error) = self.event.schedule(capacity, Instant::now(), &mut self.out) {
                tracing::error!(error, "nothing could begin");
            }
            // What is not stored did not happen yet: nobody hears of it, and it is tried again.
            let mut told = false;
            while let Err(error) = self.flush().await {
                if !told {
                    tracing::error!(%error, "the store does not take what happened; trying again");
                    told = true;
                }
                metrics::counter!("palestra_store_failures_total").increment(1);
                tokio::time::sleep(limits::STORE_RETRY).await;
            }
            if self.dirty && published.elapsed() >= limits::SNAPSHOT {
                snapshot.send_replace(Arc::new(self.snapshot()));
                (self.dirty, published) = (false, Instant::now());
            }
        }
    }

    fn capacity(&self) -> Capacity {
        let Starter { pool, workers, workshop, .. } = &self.starter;
        let (room, places) = workers.as_ref().map_or((0, 0), |workers| (workers.room(), workers.places()));
        Capacity {
            programs: pool.room() + room,
            here: pool.room(),
            places: pool.places() + places,
            places_here: pool.places(),
            workers: workers.is_some(),
            quarantine: workshop.in_quarantine(),
        }
    }

    /// What goes wrong with workers is in the event's log.
    fn hear_of_workers(&mut self) {
        let Some(workers) = &self.starter.workers else { return };
        let (news, come) = workers.news();
        if come {
            self.event.programs.forget_homebound();
        }
        self.out.changes.log.extend(news.into_iter().map(|text| (None, text)));
    }

    /// Stores what was decided, and then acts on it.
    async fn flush(&mut self) -> Result<(), StoreError> {
        self.dirty |= !self.out.is_empty();
        if !self.out.changes.is_empty() {
            self.store.commit(&self.out.changes).await?;
            let changes = std::mem::take(&mut self.out.changes);
            if !changes.announcements.is_empty() || !changes.retracted.is_empty() {
                self.announcement = self.store.last_announcement().await?;
            }
        }
        for effect in std::mem::take(&mut self.out.effects) {
            match effect {
                Effect::Answer(send) => send(),
                Effect::Joined(reply, answer) => {
                    let ticket = answer.as_ref().ok().copied();
                    if let (Err(_), Some(ticket)) = (reply.send(answer), ticket) {
                        self.event.clients.leave(ticket);
                    }
                }
                Effect::Dismiss(orders, why) => drop(orders.try_send(Order::Leave(why))),
                Effect::Start(start) => self.starter.start(*start),
                Effect::GiveWay => self.starter.pool.give_way(),
                Effect::CloseLive(number) => self.starter.library.close_live(&number.to_string()),
            }
        }
        if self.event.matches.unscored >= limits::FORGET_EVERY {
            self.event.matches.unscored = 0;
            self.store.forget_replays(self.event.plan.replays_kept).await?;
            self.store.forget_hand_matches(limits::HAND_KEPT).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, news: News) {
        match news {
            News::Smoke(smoke) => self.event.keep_smoke(*smoke, &mut self.out),
            News::Settled { player, version } => {
                self.event.tell_settled(player, version);
                self.dirty = true;
            }
            News::Active { bot } => {
                if let Err(error) = self.refresh_bot(bot).await {
                    tracing::error!(%bot, %error, "a new version is not known yet");
                }
            }
        }
    }

    async fn take(&mut self, command: Command) -> Result<(), StoreError> {
        self.dirty |= !command.is_look();
        match command {
            Command::Join { player, game, orders, reply } => {
                let answer = self.join(player, game, orders).await?;
                self.out.effects.push(Effect::Joined(reply, answer));
            }
            Command::Leave(ticket) => self.event.clients.leave(ticket),
            Command::Wish(ticket, wish) => self.event.clients.wish(ticket, wish),
            Command::Free(ticket) => self.event.clients.free(ticket, Instant::now()),
            Command::Control { who, round, control, reply } => {
                let answer = match round {
                    None => self.event.control(who, control, &mut self.out),
                    Some(round) => self.event.control_round(who, round, control, &mut self.out),
                };
                self.out.answer(reply, answer);
            }
            Command::Correct { who, number, why, rerun, reply } => {
                let answer = self.correct(who, number, &why, rerun).await?;
                self.out.answer(reply, answer);
            }
            Command::Announce { who, text, reply } => {
                self.out.changes.log.push((who, format!("announced: {text}")));
                self.out.changes.announcements.push(text);
                self.out.answer(reply, Ok(()));
            }
            Command::Retract { who, announcement, reply } => {
                self.out.changes.log.push((who, format!("took back announcement {announcement}")));
                self.out.changes.retracted.push(announcement);
                self.out.answer(reply, Ok(()));
            }
            Command::Running { number, reply } => {
                let running = self.event.matches.running.get(&number);
                let view = running.map(|running| running_view(number, running, self.turns(number)));
                // What is not running any more is stored by the time that is told.
                self.out.answer(reply, view);
            }
            Command::Round { id, reply } => {
                self.take_out(id).await?;
                let detail = self.event.rounds.detail(id, &self.event.plan);
                self.out.answer(reply, detail);
            }
            Command::Rounds { wanted, reply } => {
                let list = self.event.rounds.list(&wanted, &self.event.plan);
                self.out.answer(reply, list);
            }
            Command::Challenge { player, wanted, reply } => {
                let answer = self.challenge(player, wanted).await?;
                self.out.answer(reply, answer);
            }
            Command::CancelChallenge { id, reply } => {
                let answer = match self.event.challenges.cancel(id, None, &mut self.out) {
                    true => Ok(()),
                    false => Err(Refused(Trouble::ChallengeOver {})),
                };
                self.out.answer(reply, answer);
            }
            Command::ChallengeTurns { reply } => {
                let turns = self.event.challenges.turns();
                self.out.answer(reply, turns);
            }
            Command::Table { command, reply } => {
                let answer = self.event.take_table_command(command, &mut self.out);
                self.out.answer(reply, answer);
            }
            Command::Banned { player } => self.refresh_account(player).await?,
        }
        Ok(())
    }

    async fn join(
        &mut self,
        player: AccountId,
        game: String,
        orders: mpsc::Sender<Order>,
    ) -> Result<Result<Ticket, Refused>, StoreError> {
        let Actor { event, store, out, .. } = self;
        if let Err(refused) = event.takes_clients(&game) {
            return Ok(Err(refused));
        }
        match store.account(player).await? {
            Some(account) if !account.banned => event.roster.add_account(account),
            _ => return Ok(Err(Refused(Trouble::ShutOut {}))),
        }
        let bot = match event.roster.bot_of(player, &game) {
            Some(bot) => bot,
            None => {
                let row = store.bot_of(player, &game, None, event.plan.elo.start).await?;
                let bot = row.id;
                event.roster.add_bot(row, None);
                bot
            }
        };
        Ok(event.clients.join(player, game, bot, orders, out))
    }

    /// Takes over what the store says about a player: who is shut out is sent away.
    async fn refresh_account(&mut self, player: AccountId) -> Result<(), StoreError> {
        if let Some(account) = self.store.account(player).await? {
            if account.banned {
                let why = "the organisers have shut this player out";
                self.event.clients.dismiss_account(player, why, &mut self.out);
                self.event.tables.clear(Some(player));
                self.event.cancel_challenges_with(player, &mut self.out);
            }
            self.event.roster.add_account(account);
        }
        Ok(())
    }

    async fn refresh_bot(&mut self, bot: BotId) -> Result<(), StoreError> {
        if let Some(row) = self.store.bot(bot).await? {
            if let Some(account) = self.store.account(row.player).await? {
                self.event.roster.add_account(account);
            }
            let version = version_number(&self.store, row.active).await?;
            self.event.roster.refresh_bot(row, version);
            self.dirty = true;
        }
        Ok(())
    }

    /// Takes a match out of the count, or has it played again; everything that came of it is worked out anew.
    async fn correct(
        &mut self,
        who: Option<AccountId>,
        number: MatchId,
        why: &str,
        rerun: bool,
    ) -> Result<Result<(), Refused>, StoreError> {
        let found = self.store.match_state(number).await?;
        if let Err(refused) = self.event.can_correct(number, found.as_ref(), rerun) {
            return Ok(Err(refused));
        }
        let Some(found) = found else { return Ok(Ok(())) };
        if let Some((round, _)) = found.round {
            self.take_out(round).await?;
        }
        if let Err(refused) = self.event.correct(who, &found, why, rerun, &mut self.out) {
            return Ok(Err(refused));
        }
        self.flush().await?;
        if found.kind.is_rated() || found.kind == MatchKind::Challenge {
            let matches = self.store.rated_matches(&found.game).await?;
            let Event { roster, plan, .. } = &mut self.event;
            roster.rate_anew(&found.game, matches, plan.elo, &mut self.out.changes);
        }
        Ok(Ok(()))
    }

    fn turns(&self, number: MatchId) -> u32 {
        self.starter.library.turns(&number.to_string()).unwrap_or(0)
    }

    fn snapshot(&mut self) -> Snapshot {
        self.event.count_points();
        self.event.snapshot(self.announcement, |number| self.turns(number))
    }
}

async fn version_number(store: &Store, version: Option<VersionId>) -> Result<Option<u32>, StoreError> {
    match version {
        None => Ok(None),
        Some(version) => Ok(store.version(version).await?.map(|version| version.number)),
    }
}

/// A round as the store has it, if it has begun.
async fn load_play(store: &Store, id: RoundId) -> Result<Option<(Play, Events)>, StoreError> {
    let events = store.round_events(id).await?;
    if events.is_empty() {
        return Ok(None);
    }
    let matches = store.round_matches(id).await?.into_iter().collect();
    Play::reopen(events, matches).map(Some).map_err(StoreError::Damaged)
}
