//! A whole event on one server: players, a gateway for clients, submissions, a ladder, scored rounds, and the site.

pub mod api;
mod comparison;
mod connections;
pub mod gateway;
pub mod hub;
pub mod ids;
pub mod limits;
mod model;
pub mod plan;
pub mod play;
pub mod player_list;
mod seeds;
pub mod store;
mod system;
pub mod tls;
mod trouble;
mod tutor;
pub mod web;
pub mod workshop;

use crate::gateway::GatewayState;
use crate::hub::{Hub, StartError};
use crate::plan::EventPlan;
use crate::play::pool::WorkerPool;
use crate::play::workers::Workers;
use crate::store::{AccountError, IfTaken, KeyKind, NewAccount, Store, StoreError};
use crate::tls::{Tls, TlsError};
use crate::workshop::{Workshop, WorkshopError};
use axum::Router;
use metrics_exporter_prometheus::PrometheusHandle;
use palestra_core::AnyGame;
use palestra_league::worker_pool::worker_cores;
use palestra_queue::QueueError;
use palestra_runner::{Cores, Guard, GuardError, Level};
use palestra_server::Library;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

/// The file in an event's folder that opens its organisers' commands on this machine.
pub const ORGANISER_KEY: &str = "organiser.key";

/// What somebody is called who plays without an account.
pub(crate) const GUEST: &str = "guest";

/// An arena that is open.
pub struct Arena {
    /// Where the site is.
    pub site: SocketAddr,
    /// Where the gateway is.
    pub gateway: Option<SocketAddr>,
    /// The organiser's name and password, if the account was made just now: told once, never kept.
    pub organiser: Option<(String, String)>,
    /// The way to everything that changes.
    pub hub: Hub,
    /// Where everything is kept.
    pub store: Store,
    guard: Arc<Guard>,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// Why an arena cannot open: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// Programs cannot be kept apart from the machine.
    #[error(
        "programs that people hand in cannot be kept apart from this machine: {0}; \
         see palestra doctor, or write submissions = false for every game"
    )]
    Guard(#[from] GuardError),
    /// A program with many processes could take all the memory.
    #[error(
        "this machine limits the memory of each process, but not of all that a program starts together; open the arena \
         with a control group of its own, `systemd-run --user --scope -p Delegate=yes palestra serve {}`, or accept it by \
         memory_by_process = true in the plan",
        .0.display()
    )]
    Memory(PathBuf),
    /// Bots would be shown something of the event's.
    #[error("{} lies in {}, which bots are shown; keep it elsewhere", path.display(), by.display())]
    Exposed {
        /// The private file or folder.
        path: PathBuf,
        /// The folder that bots are shown, in which it lies.
        by: PathBuf,
    },
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The hub does not start.
    #[error(transparent)]
    Hub(#[from] StartError),
    /// The organiser's account cannot be made.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The workshop does not open.
    #[error(transparent)]
    Workshop(#[from] WorkshopError),
    /// An address is taken, or not of this machine.
    #[error("failed to listen on {address}: {error}; write another address into the plan")]
    Listen {
        /// The one of the plan that cannot be opened.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// A file says no.
    #[error("{}: {why}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No match of programs could be played.
    #[error(
        "parallel = 0 leaves the matches of programs to workers; name their queue, --queue nats://host:4222, or in the plan"
    )]
    NobodyPlays,
    /// There is no queue for workers where the plan says.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// No threads to play in.
    #[error("failed to start: {0}")]
    Start(#[from] io::Error),
}

impl Arena {
    /// Opens the arena of an event. `games` are all that this program has; `metrics` is what it measures, if it does.
    pub async fn start(
        plan: EventPlan,
        games: &'static [&'static dyn AnyGame],
        metrics: Option<PrometheusHandle>,
    ) -> Result<Arena, ArenaError> {
        let submissions = plan.games.iter().any(|game| game.submissions);
        let tls = plan.tls.as_ref().map(|(certificate, key)| Tls::read(certificate, key)).transpose()?;
        let guard = Arc::new(if submissions { Guard::new(plan.sandbox)? } else { Guard::off() });
        if submissions {
            check_walls(&plan, &guard)?;
        }
        if plan.parallel == Some(0) && plan.queue.is_none() {
            return Err(ArenaError::NobodyPlays);
        }
        let if_taken = if plan.standby { IfTaken::Wait } else { IfTaken::Refuse };
        let store = Store::take(&plan.folder, plan.database.as_deref(), if_taken).await?;
        store.reserve_names(plan.built_in_names());
        store::make_folder(&plan.folder.join(workshop::FOLDER))?;
        guard.keep_private(&plan.private())?;
        store.forget_old_keys().await?;
        let organiser = open_account(&store).await?;
        let listener = listen(plan.site)?;
        let site = listener.local_addr()?;
        let gate = match plan.gateway {
            Some(address) => Some(listen(address)?),
            None => None,
        };
        let gateway = gate.as_ref().map(TcpListener::local_addr).transpose()?;
        // What was left to the system is settled now, and everybody is told the same.
        let plan = Arc::new(EventPlan { site, gateway, ..plan });
        let cores = worker_cores(1, plan.parallel);
        let workers = connect_workers(&plan, &store, !cores.is_empty()).await?;
        let measured = metrics.clone();
        let Inside { hub, actor, router, .. } = Inside::start(
            Arc::clone(&plan),
            store.clone(),
            Arc::clone(&guard),
            cores,
            workers,
            games,
            metrics,
        )
        .await?;
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        if let Some(measured) = measured {
            tasks.spawn(count_measurements(measured, until(stopped.clone())));
        }
        tasks.spawn(async move {
            // It ends after everybody who could ask something of it.
            let _ = actor.await;
        });
        if let Some(gate) = gate {
            let state = GatewayState::new(hub.clone(), store.clone(), plan, tls.clone(), games);
            tasks.spawn(gateway::serve(gate, state, until(stopped.clone())));
        }
        tasks.spawn(web::serve(listener, router, tls, until(stopped)));
        Ok(Arena { site, gateway, organiser, hub, store, guard, stop, tasks })
    }

    /// Closes it. Matches that are being played are played again when it opens the next time.
    pub async fn stop(self) {
        let Arena { stop, mut tasks, hub, store, guard, .. } = self;
        stop.send_replace(true);
        drop(hub);
        let _ =
            tokio::time::timeout(limits::STOP, async { while tasks.join_next().await.is_some() {} }).await;
        tasks.shutdown().await;
        if let Err(error) = store.close_work().await {
            tracing::error!(%error, "what was at work now will be taken for what ended the arena");
        }
        // Last, so that hardly anything is left that could take this for how a program ended by itself.
        guard.close();
    }
}

/// What an arena does, before anybody can reach it.
pub struct Inside {
    /// The way to everything that changes.
    pub hub: Hub,
    /// Ends when the hub does.
    pub actor: JoinHandle<()>,
    /// Matches for browsers.
    pub library: Arc<Library>,
    /// All addresses of the site.
    pub router: Router,
}

impl Inside {
    /// Begins it: programs are compiled within these walls, and play on these cores and with these workers.
    pub async fn start(
        plan: Arc<EventPlan>,
        store: Store,
        guard: Arc<Guard>,
        cores: Vec<Cores>,
        workers: Option<Arc<Workers>>,
        games: &'static [&'static dyn AnyGame],
        metrics: Option<PrometheusHandle>,
    ) -> Result<Inside, ArenaError> {
        let (news, heard) = mpsc::channel(limits::NEWS);
        let workshop = Workshop::start(store.clone(), Arc::clone(&plan), Arc::clone(&guard), news).await?;
        let library = Arc::new(web::library(games, store.clone()));
        let (hub, actor) = hub::start(hub::Needs {
            plan: Arc::clone(&plan),
            store: store.clone(),
            library: Arc::clone(&library),
            pool: WorkerPool::new(cores, guard, tokio::runtime::Handle::current())?,
            workers: workers.clone(),
            workshop: workshop.clone(),
            news: heard,
        })
        .await?;
        let (shown, ways) = (Arc::clone(&library), hub.clone());
        let router =
            web::router(web::Needs { plan, store, hub: ways, library: shown, workshop, workers, metrics });
        Ok(Inside { hub, actor, library, router })
    }
}

/// The queue of the workers, if the event has one. What a former process of the event had asked of them is taken back.
async fn connect_workers(
    plan: &EventPlan,
    store: &Store,
    plays_here: bool,
) -> Result<Option<Arc<Workers>>, ArenaError> {
    let Some(address) = plan.queue.clone() else { return Ok(None) };
    let (run, sandbox) = (store.queue_run().await?, plan.sandbox);
    // A standby takes over without anybody there who could do something about the queue.
    let patient = plan.standby;
    // It waits for the queue in its own runtime.
    let connecting =
        tokio::task::spawn_blocking(move || Workers::connect(&address, run, sandbox, plays_here, patient));
    Ok(Some(Arc::new(connecting.await.map_err(io::Error::other)??)))
}

/// What keeps programs away from the machine and the event must hold before the first one is started.
fn check_walls(plan: &EventPlan, guard: &Guard) -> Result<(), ArenaError> {
    if plan.sandbox != Level::Strict {
        return Ok(());
    }
    if !plan.memory_by_process && !guard.limits_memory() {
        return Err(ArenaError::Memory(plan.file.clone()));
    }
    match exposed(plan, guard)? {
        Some((path, by)) => Err(ArenaError::Exposed { path, by }),
        None => Ok(()),
    }
}

/// What of an event's private things lies in a folder that bots are shown, and in which one.
pub fn exposed(plan: &EventPlan, guard: &Guard) -> Result<Option<(PathBuf, PathBuf)>, ArenaError> {
    let shown = palestra_runner::Workshop::open(guard).map_err(WorkshopError::from)?.shown();
    Ok(palestra_runner::sandbox::exposed(&plan.private(), &shown)?)
}

/// Counts what was measured, until it is over: where nobody reads the measurements, every single one would be kept.
async fn count_measurements(measured: PrometheusHandle, over: impl Future<Output = ()>) {
    let mut beat = tokio::time::interval(limits::UPKEEP);
    let count = async {
        loop {
            beat.tick().await;
            measured.run_upkeep();
        }
    };
    tokio::select! {
        () = count => {}
        () = over => {}
    }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // Whoever could stop it is gone: that is a stop too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

fn listen(address: SocketAddr) -> Result<TcpListener, ArenaError> {
    let listen = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // An arena that is started again has its address back at once.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(limits::BACKLOG)
    };
    listen().map_err(|error| ArenaError::Listen { address, error })
}

/// The first organiser, and a key for the commands of whoever may read the event's folder.
async fn open_account(store: &Store) -> Result<Option<(String, String)>, ArenaError> {
    let organisers: Vec<_> =
        store.accounts().await?.into_iter().filter(|account| account.organiser).collect();
    let (account, told) = match organisers.into_iter().next() {
        Some(account) => (account, None),
        None => {
            let new = NewAccount { name: "organiser".to_owned(), password: None, organiser: true };
            let (account, password) = store.add_account(new).await?;
            (account.clone(), Some((account.name, password)))
        }
    };
    let path = store.folder().join(ORGANISER_KEY);
    let known = match std::fs::read_to_string(&path) {
        Ok(key) => store.key_owner(KeyKind::Token, key.trim()).await?.is_some(),
        Err(_) => false,
    };
    if !known {
        let (_, secret) = store.add_key(account.id, KeyKind::Token, "commands on this machine").await?;
        store::write_private(&path, secret.as_bytes())
            .map_err(|error| ArenaError::File { path, why: error.to_string() })?;
    }
    Ok(told)
}
