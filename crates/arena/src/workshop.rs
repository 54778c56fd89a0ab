//! What people hand in: kept, unpacked, compiled, tried in a first match, and from then on ready to play.
//!
//! Whatever is handed in is stored before anybody hears that it was taken. What is on the way when this process ends is
//! taken up again by the next one, and programs are made anew from the store where their folder is gone.

pub mod archive;
mod build_queue;
mod builder;
mod complaints;
mod pack;
mod progress;
mod quarantine;
mod smoke;

pub use archive::Unfit;
pub use pack::{PackError, pack};
pub use progress::Update;

use crate::api::{SettledVersion, SourceFile, VersionState, VersionView};
use crate::ids::{AccountId, BotId, MatchId, VersionId};
use crate::limits;
use crate::model::RejectionStep;
use crate::plan::{EventPlan, GamePlan};
use crate::play::pool::own_mistake;
use crate::play::{PreparedMatch, Report, local};
use crate::store::{Store, StoreError, Version, VersionError, now};
use crate::trouble::{Trouble, VersionFault};
use build_queue::BuildQueue;
use builder::{Builder, Unmade, Upload};
use futures_util::Stream;
use palestra_league::worker_pool::catch_panic;
use palestra_queue::PortableBot;
use palestra_runner::{BotError, Cores, Guard, Interrupt, Launch, Played, host_at_fault};
use progress::ProgressLog;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

/// The folder of everything that was made, in an event's folder. It can be removed while no arena runs.
pub const FOLDER: &str = "workshop";

/// What the hub hears.
#[derive(Debug)]
pub enum News {
    /// A version has played its first match.
    Smoke(Box<Smoke>),
    /// Another version of this bot plays from now on, or its first one.
    Active {
        /// The bot whose version it is.
        bot: BotId,
    },
    /// A version was handed in by this player and has become ready, or was rejected.
    Settled {
        /// The account of the bot's author.
        player: AccountId,
        /// What became of it.
        version: SettledVersion,
    },
}

/// The first match of a version.
#[derive(Debug)]
pub struct Smoke {
    /// The version; it sat first.
    pub version: Version,
    /// The built-in players on the other seats.
    pub opponents: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub started: i64,
    /// The first match, played to its end.
    pub played: Box<Played>,
    /// For the number that it is stored under; the version is settled after that, or when this is dropped.
    pub number: oneshot::Sender<MatchId>,
}

/// Why the workshop says no: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum WorkshopError {
    /// There is no such game, or nothing is handed in for it.
    #[error("{}", Trouble::from(self))]
    NoGame(String),
    /// It cannot be handed in.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// Too much at a time.
    #[error("{}", Trouble::from(self))]
    TooOften(Trouble),
    /// It is too old.
    #[error("{}", Trouble::from(self))]
    NotKept,
    /// There is no such version of this player's.
    #[error("{}", Trouble::from(self))]
    NoVersion(VersionId),
    /// It was rejected, or its first match is not over.
    #[error("{}", Trouble::from(self))]
    NotReady {
        /// Its number among the bot's versions.
        number: u32,
        /// What is in the way.
        why: VersionFault,
    },
    /// The table of toolchains is wrong.
    #[error(transparent)]
    Toolchains(#[from] BotError),
    /// Something of the arena's own went wrong.
    #[error("{0}")]
    Failed(String),
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<&WorkshopError> for Trouble {
    fn from(error: &WorkshopError) -> Trouble {
        match error {
            WorkshopError::NoGame(game) => Trouble::NoSubmissions { game: game.clone() },
            WorkshopError::Unfit(Unfit(trouble)) | WorkshopError::TooOften(trouble) => trouble.clone(),
            WorkshopError::NotKept => Trouble::NotKept {},
            WorkshopError::NoVersion(version) => Trouble::NoVersion { version: version.0 },
            WorkshopError::NotReady { number, why } => {
                Trouble::VersionNotReady { version: *number, why: why.clone() }
            }
            WorkshopError::Toolchains(error) => Trouble::Broken { why: error.to_string() },
            WorkshopError::Failed(why) => Trouble::Broken { why: why.clone() },
            WorkshopError::Store(_) => Trouble::StoreAway {},
        }
    }
}

impl From<VersionError> for WorkshopError {
    fn from(error: VersionError) -> WorkshopError {
        match error {
            VersionError::Store(error) => error.into(),
            error => WorkshopError::TooOften(Trouble::from(&error)),
        }
    }
}

/// The way to the workshop; cheap to copy. It closes when the last copy is dropped: what was on the way is left as it
/// is, to be taken up again.
#[derive(Clone)]
pub struct Workshop {
    shared: Arc<Shared>,
    _workers: Arc<JoinSet<()>>,
}

struct Shared {
    store: Store,
    plan: Arc<EventPlan>,
    guard: Arc<Guard>,
    builder: Arc<Builder>,
    progress: ProgressLog,
    queue: BuildQueue,
    /// By fingerprint: how to start what was made.
    launches: Mutex<HashMap<String, Launch>>,
    /// By fingerprint: what workers are sent.
    packs: Mutex<HashMap<String, PortableBot>>,
    news: mpsc::Sender<News>,
    /// One at a time, so that nobody takes another one's number.
    handing_in: AsyncMutex<()>,
    /// By fingerprint: whoever makes or throws away a program, so that nothing is made twice. Nobody waits for others'.
    making: Mutex<HashMap<String, Arc<AsyncMutex<()>>>>,
    /// Whether suspects are being tried, alone.
    quarantine: watch::Sender<bool>,
}

impl Workshop {
    /// Opens it, and takes up again what was on the way.
    pub async fn start(
        store: Store,
        plan: Arc<EventPlan>,
        guard: Arc<Guard>,
        news: mpsc::Sender<News>,
    ) -> Result<Workshop, WorkshopError> {
        let folder = store.folder().join(FOLDER);
        let builder = {
            let guard = Arc::clone(&guard);
            beside(move || Builder::new(folder, guard)).await.map_err(WorkshopError::Failed)??
        };
        let shared = Arc::new(Shared {
            store,
            plan,
            guard,
            builder: Arc::new(builder),
            progress: ProgressLog::default(),
            queue: BuildQueue::default(),
            launches: Mutex::default(),
            packs: Mutex::default(),
            news,
            handing_in: AsyncMutex::default(),
            making: Mutex::default(),
            quarantine: watch::Sender::new(true),
        });
        let suspects = shared.settle_suspects().await?;
        for id in shared.store.unsettled_versions().await? {
            let Some(version) = shared.store.version(id).await? else { continue };
            shared.take_up_again(&version).await?;
            if !suspects.contains(&id) {
                shared.queue.join(version.player, id);
            }
        }
        let mut workers = JoinSet::new();
        workers.spawn(Arc::clone(&shared).try_suspects(suspects));
        for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(limits::WORKERS) {
            workers.spawn(work(Arc::clone(&shared)));
        }
        Ok(Workshop { shared, _workers: Arc::new(workers) })
    }

    /// Whether programs that were at work when a former process died are being tried, alone: no other program may play.
    pub fn in_quarantine(&self) -> bool {
        *self.shared.quarantine.borrow()
    }

    /// Takes what a player hands in for a game: it is stored, and tried when its turn comes.
    pub async fn hand_in(
        &self,
        player: AccountId,
        game: &str,
        file: &str,
        content: Vec<u8>,
    ) -> Result<VersionView, WorkshopError> {
        let shared = &self.shared;
        if !shared.plan.game(game).is_some_and(|plan| plan.submissions) {
            return Err(WorkshopError::NoGame(game.to_owned()));
        }
        archive::check(file, &content, &shared.builder.endings())?;
        let _alone = shared.handing_in.lock().await;
        let bot = shared.store.bot_of(player, game, None, shared.plan.elo.start).await?;
        let id = shared.store.add_version(&bot, file, content).await?;
        self.join_queue(player, id).await
    }

    /// Takes a source that a player wants to try against a built-in player: it is compiled and plays one match that counts for
    /// nothing, when its turn comes. It never becomes a version that plays.
    pub(crate) async fn try_against(
        &self,
        player: AccountId,
        game: &str,
        file: &str,
        content: Vec<u8>,
        opponent: &str,
    ) -> Result<VersionView, WorkshopError> {
        let shared = &self.shared;
        let plan = shared.plan.game(game).filter(|plan| plan.submissions);
        let plan = plan.ok_or_else(|| WorkshopError::NoGame(game.to_owned()))?;
        if !plan.game.built_ins().iter().any(|player| player.name == opponent) {
            let known: Vec<_> = plan.game.built_ins().iter().map(|player| player.name).collect();
            let trouble = Trouble::NoOpponent { name: opponent.to_owned(), known: known.join(", ") };
            return Err(WorkshopError::Unfit(Unfit(trouble)));
        }
        archive::check_source(file, &content, &shared.builder.endings())?;
        let _alone = shared.handing_in.lock().await;
        let bot = shared.store.bot_of(player, game, None, shared.plan.elo.start).await?;
        let id = shared.store.add_trial(&bot, file, content, opponent).await?;
        self.join_queue(player, id).await
    }

    async fn join_queue(&self, player: AccountId, id: VersionId) -> Result<VersionView, WorkshopError> {
        let shared = &self.shared;
        let version = shared.store.version(id).await?;
        shared.progress.begin(id);
        shared.queue.join(player, id);
        version.map(VersionView::from).ok_or(WorkshopError::NoVersion(id))
    }

    /// The languages that sources can be in, with the endings of their files.
    pub fn languages(&self) -> &[(String, Vec<String>)] {
        &self.shared.builder.languages
    }

    /// The files of what was handed in, with those texts that are not too long.
    pub async fn sources(&self, version: &Version) -> Result<Vec<SourceFile>, WorkshopError> {
        let content = self.shared.store.upload(version.id).await?;
        let content = content.ok_or(WorkshopError::NotKept)?;
        let (builder, file) = (Arc::clone(&self.shared.builder), version.file.clone());
        let found = beside(move || builder.sources(&file, &content)).await;
        Ok(found.map_err(WorkshopError::Failed)??)
    }

    /// How many versions wait to be compiled and tried.
    pub fn waiting(&self) -> usize {
        self.shared.queue.len()
    }

    /// What has happened to a version, what happens, and in the end what became of it. For its author only.
    pub fn follow(&self, version: VersionId) -> impl Stream<Item = Update> + Send + use<> {
        progress::follow(&self.shared.progress, self.shared.store.clone(), version)
    }

    /// Lets another version of a player's bot play: any that is ready.
    pub async fn activate(
        &self,
        version: VersionId,
        player: AccountId,
    ) -> Result<VersionView, WorkshopError> {
        let Shared { store, news, .. } = &*self.shared;
        let own = |version: &Version| version.player == player;
        let done = store.activate_version(player, version).await?;
        let found = store.version(version).await?.filter(own).ok_or(WorkshopError::NoVersion(version))?;
        if !done {
            let why = match found.state {
                VersionState::Ready => VersionFault::VersionForgotten {},
                VersionState::Rejected => VersionFault::VersionRejected {},
                _ => VersionFault::VersionUntried {},
            };
            return Err(WorkshopError::NotReady { number: found.number, why });
        }
        let _ = news.send(News::Active { bot: found.bot }).await;
        Ok(found.into())
    }

    /// Plays a match beside everything else; nothing if it is not over at this moment.
    pub(crate) async fn play_until(
        &self,
        prepared: PreparedMatch,
        deadline: Instant,
    ) -> Result<Option<Box<Played>>, String> {
        let cut = Cut(Interrupt::new().map_err(|error| error.to_string())?);
        let playing = play_beside(prepared, Arc::clone(&self.shared.guard), cut.0.clone());
        match timeout_at(deadline, playing).await {
            Ok(report) => report.map(Some).map_err(|why| self.shared.builder.plain(&why)),
            Err(_) => Ok(None),
        }
    }

    /// How to start a version's program. That is known at once, but for the first time in this process: then it may have
    /// to be unpacked and compiled again.
    pub async fn launch(&self, version: VersionId) -> Result<Launch, String> {
        let shared = &self.shared;
        let version = shared.store.version(version).await.map_err(|error| error.to_string())?;
        shared.launch(&version.ok_or("there is no such version")?).await
    }
}

impl Workshop {
    /// A version as it travels to workers: its files, which they compile themselves.
    pub(crate) async fn portable(&self, version: VersionId) -> Result<PortableBot, String> {
        let shared = &self.shared;
        let version = shared.store.version(version).await.map_err(|error| error.to_string())?;
        let version = version.ok_or("there is no such version")?;
        if let Some(known) = shared.packs().get(&version.sha256) {
            return Ok(known.clone());
        }
        let content = shared.store.upload(version.id).await.map_err(|error| error.to_string())?;
        let content = content.ok_or("its file is not kept any more")?;
        let making = shared.making_of(&version.sha256);
        let _alone = making.lock().await;
        let (builder, file, sha256) =
            (Arc::clone(&shared.builder), version.file.clone(), version.sha256.clone());
        let packed =
            beside(move || builder.pack(&Upload { file: &file, sha256: &sha256, content: &content }))
                .await??;
        let mut packs = shared.packs();
        let size = |bot: &PortableBot| match bot {
            PortableBot::BuiltIn(_) => 0,
            PortableBot::Program(pack) => pack.bytes.len(),
        };
        if packs.values().map(size).sum::<usize>() + size(&packed) > limits::PACKS_BYTES {
            packs.clear();
        }
        packs.insert(version.sha256, packed.clone());
        Ok(packed)
    }
}

async fn work(shared: Arc<Shared>) {
    // Nobody sends the end of the quarantine twice.
    let _ = shared.quarantine.subscribe().wait_for(|quarantine| !quarantine).await;
    loop {
        let turn = shared.queue.next().await;
        shared.try_until_settled(turn.version, false).await;
    }
}

impl Shared {
    /// A former process may have left it half made.
    async fn take_up_again(&self, version: &Version) -> Result<(), StoreError> {
        self.clear(&version.sha256).await;
        self.store.set_version_state(version.id, VersionState::Queued).await?;
        self.progress.begin(version.id);
        Ok(())
    }

    /// Nothing can be done without the store, and nothing is lost by trying again.
    async fn try_until_settled(self: &Arc<Shared>, version: VersionId, alone: bool) {
        while let Err(error) = self.try_out(version, alone).await {
            tracing::error!(%version, %error, "a version could not be tried; trying again");
            sleep(limits::STORE_PAUSE).await;
        }
    }

    /// Compiles a version, lets it play, and settles what becomes of it.
    async fn try_out(self: &Arc<Shared>, id: VersionId, alone: bool) -> Result<(), StoreError> {
        let (Some(version), Some(content)) = (self.store.version(id).await?, self.store.upload(id).await?)
        else {
            self.progress.end(id);
            return Ok(());
        };
        self.store.begin_work(id, alone).await?;
        self.enter(id, VersionState::Compiling).await?;
        let mut smoke = None;
        let verdict = match self.make_telling(&version, content).await {
            Err(why) => {
                self.clear(&version.sha256).await;
                Err(why)
            }
            Ok(launch) => {
                self.enter(id, VersionState::Trying).await?;
                self.play_first_match(&version, launch, &mut smoke).await
            }
        };
        let (rejection, conclusion) = match verdict {
            Ok(()) if version.trial.is_some() => (None, "it works\n".to_owned()),
            Ok(()) => (None, "it is ready to play\n".to_owned()),
            Err(Unmade { why, rejection }) => (Some(rejection), format!("rejected: {why}\n")),
        };
        self.progress.conclude(id, &conclusion);
        let made = self.bytes(&version.sha256).await;
        let log = self.progress.log(id);
        let active = self.store.settle_version(id, rejection.as_deref(), &log, smoke, made).await?;
        self.progress.end(id);
        if version.trial.is_none() {
            let state = if rejection.is_some() { VersionState::Rejected } else { VersionState::Ready };
            let settled = SettledVersion { id, number: version.number, game: version.game.clone(), state };
            let _ = self.news.send(News::Settled { player: version.player, version: settled }).await;
        }
        if active {
            let _ = self.news.send(News::Active { bot: version.bot }).await;
        }
        for sha256 in self.store.forget_old_uploads(version.bot).await? {
            self.clear(&sha256).await;
        }
        Ok(())
    }

    /// Throws away what was made of a file, unless it is being made at this moment.
    async fn clear(&self, sha256: &str) {
        let making = self.making_of(sha256);
        let _alone = making.lock().await;
        self.launches().remove(sha256);
        self.packs().remove(sha256);
        let (builder, sha256) = (Arc::clone(&self.builder), sha256.to_owned());
        let _ = beside(move || builder.clear(&sha256)).await;
    }

    async fn bytes(&self, sha256: &str) -> u64 {
        let (builder, sha256) = (Arc::clone(&self.builder), sha256.to_owned());
        beside(move || builder.bytes(&sha256)).await.unwrap_or_default()
    }

    async fn enter(&self, version: VersionId, state: VersionState) -> Result<(), StoreError> {
        self.store.set_version_state(version, state).await?;
        self.progress.enter(version, state);
        Ok(())
    }

    /// How to start a version's program, which may have to be made again.
    async fn launch(&self, version: &Version) -> Result<Launch, String> {
        let known = {
            let making = self.making_of(&version.sha256);
            let _alone = making.lock().await;
            self.known(version)
        };
        if let Some(launch) = known {
            return Ok(launch);
        }
        let content = self.store.upload(version.id).await.map_err(|error| error.to_string())?;
        let content = content.ok_or("its file is not kept any more")?;
        self.make(version, content, |_| {}).await.map_err(|unmade| unmade.why)
    }

    async fn make_telling(self: &Arc<Shared>, version: &Version, content: Vec<u8>) -> Result<Launch, Unmade> {
        let (shared, id) = (Arc::clone(self), version.id);
        self.progress.tell(id, &format!("{}, {} bytes\n", version.file, content.len()));
        self.make(version, content, move |text| shared.progress.tell(id, text)).await
    }

    async fn make(
        &self,
        version: &Version,
        content: Vec<u8>,
        mut tell: impl FnMut(&str) + Send + 'static,
    ) -> Result<Launch, Unmade> {
        let making = self.making_of(&version.sha256);
        let _alone = making.lock().await;
        let (builder, file, sha256) =
            (Arc::clone(&self.builder), version.file.clone(), version.sha256.clone());
        let made = beside(move || {
            builder.make(&Upload { file: &file, sha256: &sha256, content: &content }, &mut tell)
        });
        let launch = made.await.map_err(|why| Unmade::at(RejectionStep::Compiling, why))??;
        self.launches().insert(version.sha256.clone(), launch.clone());
        Ok(launch)
    }

    /// What was made of it, if it is still there.
    fn known(&self, version: &Version) -> Option<Launch> {
        let launch = self.launches().get(&version.sha256).cloned()?;
        launch.readable.iter().all(|path| path.exists()).then_some(launch)
    }

    fn making_of(&self, sha256: &str) -> Arc<AsyncMutex<()>> {
        let mut making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        making.retain(|_, held| Arc::strong_count(held) > 1);
        Arc::clone(making.entry(sha256.to_owned()).or_default())
    }

    fn launches(&self) -> std::sync::MutexGuard<'_, HashMap<String, Launch>> {
        // Nothing is left half done in there, whoever panicked.
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn packs(&self) -> std::sync::MutexGuard<'_, HashMap<String, PortableBot>> {
        self.packs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays a version's first match; why it is rejected, if it is. `smoke` becomes the number of the match.
    async fn play_first_match(
        &self,
        version: &Version,
        launch: Launch,
        smoke: &mut Option<MatchId>,
    ) -> Result<(), Unmade> {
        let starting = |why: String| Unmade::at(RejectionStep::Starting, why);
        let game = self.plan.game(&version.game);
        let game =
            game.ok_or_else(|| starting("the game is not played in this event any more".to_owned()))?;
        let deadline = Instant::now() + limits::SMOKE;
        for tries_left in (0..limits::SMOKE_TRIES).rev() {
            let started = now();
            let playing = self.play(game, version, launch.clone(), deadline);
            let Some((opponents, played)) = playing.await.map_err(starting)? else {
                self.progress.tell(version.id, &smoke::broken_off());
                return Ok(());
            };
            if tries_left > 0 && host_at_fault(&played.faults) {
                self.progress.tell(
                    version.id,
                    "it ran out of time while other programs had the processor; once more\n",
                );
                continue;
            }
            let (text, verdict) = smoke::report(game.game.info(), &version.file, &played);
            self.progress.tell(version.id, &text);
            *smoke = self.store_match(version, opponents, started, played).await;
            return verdict;
        }
        unreachable!("the last try counts")
    }

    /// One match, or nothing if it took too long.
    async fn play(
        &self,
        game: &GamePlan,
        version: &Version,
        launch: Launch,
        deadline: Instant,
    ) -> Result<Option<(Vec<String>, Box<Played>)>, String> {
        let (prepared, opponents) =
            smoke::prepared(game, &self.store.seeds(self.plan.seed), version, launch)?;
        let against = opponents.join(", ");
        let which = if version.trial.is_some() { "a match" } else { "a first match" };
        self.progress.tell(version.id, &format!("{which} against {against}\n"));
        let cut = Cut(Interrupt::new().map_err(|error| error.to_string())?);
        let mut playing = Box::pin(play_beside(prepared, Arc::clone(&self.guard), cut.0.clone()));
        match timeout_at(deadline, &mut playing).await {
            Ok(report) => Ok(Some((opponents, report.map_err(|why| self.builder.plain(&why))?))),
            Err(_) => {
                cut.0.raise();
                Ok(playing.await.ok().map(|played| (opponents, played)))
            }
        }
    }

    /// Has the hub store the match; its number, if it could.
    async fn store_match(
        &self,
        version: &Version,
        opponents: Vec<String>,
        started: i64,
        played: Box<Played>,
    ) -> Option<MatchId> {
        let (number, stored) = oneshot::channel();
        let smoke = Smoke { version: version.clone(), opponents, started, played, number };
        self.news.send(News::Smoke(Box::new(smoke))).await.ok()?;
        stored.await.ok()
    }
}

/// Ends a match that nobody waits for any more.
struct Cut(Interrupt);

impl Drop for Cut {
    fn drop(&mut self) {
        self.0.raise();
    }
}

async fn play_beside(prepared: PreparedMatch, guard: Arc<Guard>, interrupt: Interrupt) -> Report {
    let runtime = Handle::current();
    let playing = beside(move || local::play(prepared, &guard, &Cores::Shared, &interrupt, &runtime));
    playing.await.and_then(|report| report)
}

/// Does something that takes its time in a thread of its own, which holds up nobody: not even the end of this process.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    let (sender, done) = oneshot::channel();
    let work = move || {
        let result = catch_panic(work).map_err(|panic| own_mistake(&panic));
        let _ = sender.send(result);
    };
    let started = thread::Builder::new().name(FOLDER.to_owned()).spawn(work);
    started.map_err(|error| format!("no thread could be started: {error}; tell the organisers"))?;
    done.await.unwrap_or_else(|_| Err("the arena is shutting down".to_owned()))
}
