//! The task behind the hub: takes commands in batches, commits what they change, and only then acts on it.

use super::lobby::Met;
use super::matches::{Begin, Ended, Running};
use super::roster::Roster;
use super::rounds::Round;
use super::{Command, Hub, Order, Picture, Refused, Ticket, Wish};
use crate::api::{Control, EventState, MatchView, RoundDetail, RoundList};
use crate::ids::{BotId, MatchId, PlayerId, RoundId, VersionId};
use crate::limits;
use crate::plan::{EventPlan, GamePlan};
use crate::play::hall::Hall;
use crate::seeds::Seeds;
use crate::store::{Changes, Store, StoreError};
use crate::workshop::{News, Workshop};
use palestra_core::Rng;
use palestra_league::excuses::Excuses;
use palestra_league::referee::Ground;
use palestra_server::Library;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// What a hub works with.
pub struct Needs {
    /// The event.
    pub plan: Arc<EventPlan>,
    /// Where everything is kept.
    pub store: Store,
    /// Shows matches to browsers.
    pub library: Arc<Library>,
    /// Where programs play.
    pub hall: Hall,
    /// Where programs come from.
    pub workshop: Workshop,
    /// What happens there.
    pub news: mpsc::Receiver<News>,
}

/// A client that is connected.
pub(super) struct Client {
    pub(super) player: PlayerId,
    pub(super) game: String,
    pub(super) bot: BotId,
    pub(super) orders: mpsc::Sender<Order>,
    pub(super) wish: Wish,
    /// Since when it owes nothing; nothing while it does.
    pub(super) free: Option<Instant>,
    /// The match it plays, until that is stored.
    pub(super) playing: Option<MatchId>,
}

impl Client {
    /// Since when it could play, if it can: it has settled its last match, and that is stored.
    pub(super) fn can_play_since(&self) -> Option<Instant> {
        self.free.filter(|_| self.playing.is_none())
    }
}

pub(super) struct Desk {
    pub(super) plan: Arc<EventPlan>,
    pub(super) store: Store,
    pub(super) library: Arc<Library>,
    pub(super) hall: Arc<Hall>,
    pub(super) workshop: Workshop,
    pub(super) state: EventState,
    pub(super) roster: Roster,
    pub(super) grounds: HashMap<String, Ground>,
    pub(super) clients: HashMap<Ticket, Client>,
    pub(super) tickets: HashMap<(PlayerId, String), Ticket>,
    next_ticket: u64,
    pub(super) running: BTreeMap<MatchId, Running>,
    /// Versions that play, and in how many matches.
    pub(super) at_work: HashMap<VersionId, u32>,
    /// Versions that were at work at several deaths of the arena in a row, and have not come through a match since.
    pub(super) suspects: BTreeSet<VersionId>,
    pub(super) rounds: BTreeMap<RoundId, Round>,
    /// Those that go on or are to come: few, however many there were.
    pub(super) open_rounds: BTreeSet<RoundId>,
    /// Those that may have brought points which the standings do not have yet.
    pub(super) uncounted: BTreeSet<RoundId>,
    pub(super) met: Met,
    /// Until when players rest, by game and player: whoever connects anew rests on.
    pub(super) rests_until: HashMap<String, HashMap<PlayerId, Instant>>,
    /// When the last match of a game's ladder began.
    pub(super) last_ladder: HashMap<String, Instant>,
    /// The next match's number, the first that is not ours yet, and the next place in the order of counting.
    pub(super) next_number: MatchId,
    pub(super) numbers_end: MatchId,
    pub(super) next_counted: i64,
    pub(super) rng: Rng,
    pub(super) seeds: Seeds,
    pub(super) changes: Changes,
    pub(super) effects: Vec<Effect>,
    pub(super) reports: mpsc::UnboundedSender<Ended>,
    pub(super) latest: VecDeque<MatchView>,
    pub(super) announcement: Option<i64>,
    pub(super) opened: Instant,
    /// Whether something changed that a picture shows.
    pub(super) dirty: bool,
    pub(super) unscored: i64,
    /// When the log was last told that this machine is too busy.
    pub(super) told_of_stalls: Option<Instant>,
    /// Whose matches outside rounds were left out because this machine was at fault.
    pub(super) excuses: Excuses<BotId>,
}

/// What is done once everything is stored.
pub(super) enum Effect {
    Reply(oneshot::Sender<Result<(), Refused>>, Result<(), Refused>),
    Joined(oneshot::Sender<Result<Ticket, Refused>>, Result<Ticket, Refused>),
    SendAway(mpsc::Sender<Order>, String),
    Round(oneshot::Sender<Option<Arc<RoundDetail>>>, Option<Arc<RoundDetail>>),
    Rounds(oneshot::Sender<RoundList>, RoundList),
    Begin(Box<Begin>),
    /// A match is stored: its live show is no longer needed.
    CloseLive(MatchId),
    /// The first match of a version is stored under this number.
    Smoked(oneshot::Sender<MatchId>, MatchId),
}

/// The setting under which the state of the event is remembered.
const STATE: &str = "state";
const NUMBERS: &str = "numbers";

/// Starts the hub of an event, from what its store says. It ends when nobody holds a [`Hub`] any more.
pub async fn start(needs: Needs) -> Result<(Hub, JoinHandle<()>), StoreError> {
    let (commands, inbox) = mpsc::channel(limits::COMMANDS);
    let (reports, ended) = mpsc::unbounded_channel();
    let mut desk =
        Desk::open(needs.plan, needs.store, needs.library, needs.hall, needs.workshop, reports).await?;
    desk.flush().await?;
    let (sender, picture) = watch::channel(Arc::new(desk.picture()));
    let task = tokio::spawn(desk.run(inbox, ended, needs.news, sender));
    Ok((Hub { commands, picture }, task))
}

impl Desk {
    pub(super) async fn open(
        plan: Arc<EventPlan>,
        store: Store,
        library: Arc<Library>,
        hall: Hall,
        workshop: Workshop,
        reports: mpsc::UnboundedSender<Ended>,
    ) -> Result<Desk, StoreError> {
        let ids = || plan.games.iter().map(|game| game.cup.game.clone());
        let seeds = store.seeds(plan.seed);
        let ground = |game: &GamePlan| Ground {
            seed: seeds.of_maps(&game.cup.game),
            ..Ground::of(&game.cup, game.game)
        };
        let grounds = plan.games.iter().map(|game| (game.cup.game.clone(), ground(game)));
        let (last, counted) = store.last_match().await?;
        let numbers = store.setting(NUMBERS).await?.and_then(|text| text.parse().ok()).unwrap_or(1);
        let state = match store.setting(STATE).await? {
            Some(word) => crate::store::meaning(word)?,
            None => EventState::Open,
        };
        let next_number = MatchId(numbers.max(last.0 + 1));
        let mut desk = Desk {
            grounds: grounds.collect(),
            roster: Roster::new(ids()),
            state,
            clients: HashMap::new(),
            tickets: HashMap::new(),
            next_ticket: 1,
            running: BTreeMap::new(),
            at_work: HashMap::new(),
            suspects: store.suspects(limits::DEATHS - 1).await?.into_iter().collect(),
            rounds: BTreeMap::new(),
            open_rounds: BTreeSet::new(),
            uncounted: BTreeSet::new(),
            met: Met::new(),
            rests_until: HashMap::new(),
            last_ladder: HashMap::new(),
            next_number,
            numbers_end: next_number,
            next_counted: counted + 1,
            rng: Rng::new(seeds.of_choices(next_number)),
            seeds,
            changes: Changes::default(),
            effects: Vec::new(),
            reports,
            latest: VecDeque::new(),
            announcement: store.last_announcement().await?,
            opened: Instant::now(),
            dirty: true,
            unscored: 0,
            told_of_stalls: None,
            excuses: Excuses::default(),
            hall: Arc::new(hall),
            plan,
            store,
            library,
            workshop,
        };
        desk.load_roster().await?;
        desk.load_rounds().await?;
        Ok(desk)
    }

    /// Players, bots, and the built-in players of the plan.
    async fn load_roster(&mut self) -> Result<(), StoreError> {
        for (game, name) in self
            .plan
            .games
            .iter()
            .flat_map(|game| game.house.iter().map(|name| (game.cup.game.clone(), name)))
        {
            let account = match self.store.house_player(name).await {
                Ok(account) => account,
                Err(error) => return Err(StoreError::Damaged(error.to_string())),
            };
            self.store.bot_of(account.id, &game, Some(name), self.plan.elo.start).await?;
        }
        for account in self.store.players().await? {
            self.roster.add_player(account);
        }
        for row in self.store.bots().await? {
            // A game, or a built-in player, that the plan does not have any more sits out.
            let Some(game) = self.plan.game(&row.game) else { continue };
            let gone = row.built_in.as_ref().is_some_and(|name| !game.house.contains(name));
            let version = self.version_number(row.active).await?;
            if !gone {
                self.roster.add_bot(row, version);
            }
        }
        for (game, bots, places) in self.store.latest_results(limits::RECALLED).await? {
            if self.plan.game(&game).is_some() {
                self.roster.recall(&game, &bots, &places);
            }
        }
        Ok(())
    }

    pub(super) async fn version_number(&self, version: Option<VersionId>) -> Result<Option<u32>, StoreError> {
        match version {
            None => Ok(None),
            Some(version) => Ok(self.store.version(version).await?.map(|version| version.number)),
        }
    }

    async fn run(
        mut self,
        mut inbox: mpsc::Receiver<Command>,
        mut ended: mpsc::UnboundedReceiver<Ended>,
        mut news: mpsc::Receiver<News>,
        picture: watch::Sender<Arc<Picture>>,
    ) {
        let mut moment = tokio::time::interval(limits::MOMENT);
        moment.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut commands, mut over) = (Vec::new(), Vec::new());
        let mut pictured = Instant::now();
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
                self.match_over(ended);
            }
            for command in commands.drain(..) {
                if let Err(error) = self.take(command).await {
                    tracing::error!(%error, "a command failed");
                }
            }
            if let Err(error) = self.schedule() {
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
            if self.dirty && pictured.elapsed() >= limits::PICTURE {
                picture.send_replace(Arc::new(self.picture()));
                (self.dirty, pictured) = (false, Instant::now());
            }
        }
    }

    /// Stores what happened, and then acts on it.
    pub(super) async fn flush(&mut self) -> Result<(), StoreError> {
        if !self.changes.is_empty() {
            self.store.commit(&self.changes).await?;
            if !self.changes.announcements.is_empty() || !self.changes.retracted.is_empty() {
                self.announcement = self.store.last_announcement().await?;
            }
            self.changes = Changes::default();
            self.dirty = true;
        }
        for effect in std::mem::take(&mut self.effects) {
            match effect {
                // Who does not wait any more does not need to know.
                Effect::Reply(reply, answer) => drop(reply.send(answer)),
                Effect::Joined(reply, answer) => {
                    let ticket = answer.as_ref().ok().copied();
                    if let (Err(_), Some(ticket)) = (reply.send(answer), ticket) {
                        self.leave(ticket);
                    }
                }
                Effect::Round(reply, detail) => drop(reply.send(detail)),
                Effect::Rounds(reply, list) => drop(reply.send(list)),
                Effect::SendAway(orders, why) => drop(orders.try_send(Order::Leave(why))),
                Effect::Begin(begin) => self.spawn(*begin),
                Effect::Smoked(reply, number) => drop(reply.send(number)),
                Effect::CloseLive(number) => self.library.close_live(&number.to_string()),
            }
        }
        if self.unscored >= limits::FORGET_EVERY {
            self.unscored = 0;
            self.store.forget_replays(self.plan.replays_kept).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, news: News) {
        match news {
            News::Smoke(smoke) => self.keep_smoke(*smoke),
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
                self.effects.push(Effect::Joined(reply, answer));
            }
            Command::Leave(ticket) => self.leave(ticket),
            Command::Wish(ticket, wish) => {
                if let Some(client) = self.clients.get_mut(&ticket) {
                    client.wish = wish;
                }
            }
            Command::Free(ticket) => {
                if let Some(client) = self.clients.get_mut(&ticket) {
                    client.free = Some(Instant::now());
                }
            }
            Command::Control { who, round, control, reply } => {
                let answer = match round {
                    None => self.control(who, control),
                    Some(round) => self.control_round(who, round, control),
                };
                self.effects.push(Effect::Reply(reply, answer));
            }
            Command::Void { who, number, why, reply } => {
                let answer = self.correct(who, number, &why, false).await?;
                self.effects.push(Effect::Reply(reply, answer));
            }
            Command::Rerun { who, number, why, reply } => {
                let answer = self.correct(who, number, &why, true).await?;
                self.effects.push(Effect::Reply(reply, answer));
            }
            Command::Announce { who, text, reply } => {
                self.changes.log.push((who, format!("announced: {text}")));
                self.changes.announcements.push(text);
                self.effects.push(Effect::Reply(reply, Ok(())));
            }
            Command::Retract { who, announcement, reply } => {
                self.changes.log.push((who, format!("took back announcement {announcement}")));
                self.changes.retracted.push(announcement);
                self.effects.push(Effect::Reply(reply, Ok(())));
            }
            Command::Running { number, reply } => {
                let view = self.running.get(&number).map(|running| self.running_view(number, running));
                let _ = reply.send(view);
            }
            Command::Round { id, reply } => {
                self.take_out(id).await?;
                let detail = self.round_detail(id);
                self.effects.push(Effect::Round(reply, detail));
            }
            Command::Rounds { wanted, reply } => {
                let list = self.round_list(&wanted);
                self.effects.push(Effect::Rounds(reply, list));
            }
            Command::Banned { player } => self.refresh_player(player).await?,
        }
        Ok(())
    }

    async fn join(
        &mut self,
        player: PlayerId,
        game: String,
        orders: mpsc::Sender<Order>,
    ) -> Result<Result<Ticket, Refused>, StoreError> {
        let refused = |why: String| Ok(Err(Refused(why)));
        if self.state == EventState::Closed {
            return refused("the event is over".to_owned());
        }
        let Some(plan) = self.plan.game(&game) else {
            return refused(format!("the event has no game \"{game}\""));
        };
        if !plan.free_play {
            return refused(format!(
                "clients do not play {} in this event; hand a bot in",
                plan.game.info().title
            ));
        }
        match self.store.player(player).await? {
            Some(account) if !account.banned => self.roster.add_player(account),
            _ => return refused("this player is shut out".to_owned()),
        }
        let key = (player, game.clone());
        if let Some(former) = self.tickets.get(&key).copied() {
            if self.clients[&former].playing.is_some() {
                return refused("a client of this player is playing; try again after the match".to_owned());
            }
            let orders = self.clients[&former].orders.clone();
            self.leave(former);
            let why = "another client of this player has taken its place".to_owned();
            self.effects.push(Effect::SendAway(orders, why));
        }
        let bot = match self.roster.bot_of(player, &game) {
            Some(bot) => bot,
            None => {
                let row = self.store.bot_of(player, &game, None, self.plan.elo.start).await?;
                let bot = row.id;
                self.roster.add_bot(row, None);
                bot
            }
        };
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        self.tickets.insert(key, ticket);
        let client = Client { player, game, bot, orders, wish: Wish::default(), free: None, playing: None };
        self.clients.insert(ticket, client);
        Ok(Ok(ticket))
    }

    fn leave(&mut self, ticket: Ticket) {
        if let Some(client) = self.clients.remove(&ticket) {
            self.tickets.remove(&(client.player, client.game));
        }
    }

    fn control(&mut self, who: Option<PlayerId>, control: Control) -> Result<(), Refused> {
        let (state, text) = match (self.state, control) {
            (EventState::Closed, Control::Start | Control::Resume) => {
                (EventState::Open, "opened the event again")
            }
            (EventState::Closed, _) => return Err(Refused("the event is over".to_owned())),
            (_, Control::Pause) => (EventState::Paused, "paused the event"),
            (_, Control::Start | Control::Resume) => (EventState::Open, "let the event go on"),
            (_, Control::Close) => (EventState::Closed, "closed the event"),
        };
        self.state = state;
        self.changes.settings.push((STATE, crate::store::word(state)));
        self.changes.log.push((who, text.to_owned()));
        if state == EventState::Closed {
            let idle: Vec<Ticket> =
                self.clients.iter().filter(|(_, c)| c.playing.is_none()).map(|(t, _)| *t).collect();
            for ticket in idle {
                let orders = self.clients[&ticket].orders.clone();
                self.leave(ticket);
                self.effects.push(Effect::SendAway(orders, "the event is over".to_owned()));
            }
        }
        Ok(())
    }

    /// Takes over what the store says about a player: who is shut out is sent away.
    async fn refresh_player(&mut self, player: PlayerId) -> Result<(), StoreError> {
        let Some(account) = self.store.player(player).await? else {
            return Ok(());
        };
        let banned = account.banned;
        self.roster.add_player(account);
        let tickets: Vec<Ticket> = self
            .tickets
            .iter()
            .filter(|((owner, _), _)| banned && *owner == player)
            .map(|(_, t)| *t)
            .collect();
        for ticket in tickets {
            let orders = self.clients[&ticket].orders.clone();
            self.leave(ticket);
            self.effects
                .push(Effect::SendAway(orders, "the organisers have shut this player out".to_owned()));
        }
        Ok(())
    }

    async fn refresh_bot(&mut self, bot: BotId) -> Result<(), StoreError> {
        let Some(row) = self.store.bot(bot).await? else {
            return Ok(());
        };
        if let Some(account) = self.store.player(row.player).await? {
            self.roster.add_player(account);
        }
        let version = self.version_number(row.active).await?;
        match self.roster.bots.get_mut(&bot) {
            // Ratings are moved here and nowhere else.
            Some(entry) => {
                entry.row.active = row.active;
                (entry.version, entry.strikes, entry.broken) = (version, 0, false);
            }
            None => self.roster.add_bot(row, version),
        }
        self.dirty = true;
        Ok(())
    }

    /// The number of a new match. Numbers are taken from the store in blocks, so that none is ever used twice.
    pub(super) fn new_number(&mut self) -> MatchId {
        if self.next_number >= self.numbers_end {
            self.numbers_end = MatchId(self.next_number.0 + limits::NUMBER_BLOCK);
            self.changes.settings.push((NUMBERS, self.numbers_end.to_string()));
        }
        self.next_number.0 += 1;
        MatchId(self.next_number.0 - 1)
    }
}
