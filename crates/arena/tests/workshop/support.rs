//! A small event with a workshop, and somebody who listens to its news as the hub does.

use futures_util::StreamExt as _;
use palestra_arena::api::{VersionState, VersionView};
use palestra_arena::ids::{AccountId, BotId, MatchId, VersionId};
use palestra_arena::limits;
use palestra_arena::plan::{self, EventPlan};
use palestra_arena::store::{NewAccount, Store};
use palestra_arena::workshop::{self, News, Update, Workshop, WorkshopError};
use palestra_core::AnyGame;
use palestra_runner::{Guard, Level};
use std::fs;
use std::future::Future;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

/// Opened once: it takes a moment.
static GUARD: LazyLock<Arc<Guard>> =
    LazyLock::new(|| Arc::new(Guard::new(Level::Strict).expect("a strict sandbox")));

const EVENT: &str = r#"
name = "Test"
[[game]]
id = "generals"
maps = ["duel"]
[[game]]
id = "rps"
submissions = false
"#;

pub(crate) fn guard() -> Arc<Guard> {
    Arc::clone(&GUARD)
}

pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

/// Runs a test on a runtime of its own.
pub(crate) fn on<F: Future<Output = ()>>(test: impl FnOnce(Event) -> F) {
    let runtime = runtime();
    let folder = tempfile::tempdir().expect("a folder");
    // Plans name their folders as seen from where somebody stands.
    std::env::set_current_dir(&folder).expect("a folder");
    runtime.block_on(async {
        let event = Event::new().await;
        test(event).await;
    });
    drop(runtime);
    // Whoever is at work when a workshop closes is left alone, and may still unpack something into the folder. Compiling may
    // take minutes, and writes nothing there.
    for _ in 0..100 {
        if !at_work() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    std::env::set_current_dir("/").expect("a folder");
}

/// Whether a thread of a workshop is left.
fn at_work() -> bool {
    let threads = fs::read_dir("/proc/self/task").expect("a list of threads");
    threads.flatten().any(|thread| {
        fs::read_to_string(thread.path().join("comm")).is_ok_and(|name| name.trim_end() == workshop::FOLDER)
    })
}

pub(crate) fn find(id: &str) -> Result<&'static dyn AnyGame, String> {
    let games: [&'static dyn AnyGame; 2] = [&palestra_generals::Generals, &palestra_rps::Rps];
    games.into_iter().find(|game| game.info().id == id).ok_or_else(|| format!("no game {id}"))
}

/// An event with two players.
pub(crate) struct Event {
    pub(crate) store: Store,
    pub(crate) plan: Arc<EventPlan>,
    pub(crate) anna: AccountId,
    pub(crate) bela: AccountId,
}

impl Event {
    async fn new() -> Event {
        let file = Path::new("event.toml");
        fs::write(file, EVENT).expect("a file");
        let plan = Arc::new(plan::read(file, find).expect("a plan"));
        let store = Store::open(Path::new("data"), None).await.expect("a store");
        let mut players = Vec::new();
        for name in ["anna", "bela"] {
            let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
            players.push(store.add_account(new).await.expect("a player").0.id);
        }
        Event { store, plan, anna: players[0], bela: players[1] }
    }

    /// Where everything is kept, as nobody else has to know it.
    pub(crate) fn folder(&self) -> String {
        self.store.folder().canonicalize().expect("a folder").display().to_string()
    }

    pub(crate) async fn open(&self) -> Shop {
        let (news, mut heard) = mpsc::channel(limits::NEWS);
        let workshop = Workshop::start(self.store.clone(), Arc::clone(&self.plan), guard(), news).await;
        let (sender, events) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(news) = heard.recv().await {
                let told = match news {
                    News::Active { bot } => Heard::Active(bot),
                    News::Settled { .. } => continue,
                    News::Smoke(smoke) => {
                        let faults = smoke.played.faults.len();
                        // As the hub does, which numbers its matches.
                        let _ = smoke.number.send(MatchId(4000 + smoke.version.id.0));
                        Heard::Smoke { version: smoke.version.id, faults }
                    }
                };
                let _ = sender.send(told);
            }
        });
        Shop { workshop: workshop.expect("a workshop"), heard: events }
    }
}

/// What the hub would have heard.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    Active(BotId),
    Smoke { version: VersionId, faults: usize },
}

pub(crate) struct Shop {
    pub(crate) workshop: Workshop,
    pub(crate) heard: mpsc::UnboundedReceiver<Heard>,
}

impl Shop {
    pub(crate) async fn hand_in(
        &self,
        player: AccountId,
        file: &str,
        content: &[u8],
    ) -> Result<VersionView, WorkshopError> {
        self.workshop.hand_in(player, "generals", file, content.to_vec()).await
    }

    /// Hands something in and waits until it is settled. Everything that was told on the way must make up its log.
    pub(crate) async fn settled(&self, player: AccountId, file: &str, content: &[u8]) -> VersionView {
        let version = self.hand_in(player, file, content).await.expect("it is taken");
        assert_eq!((version.state, version.active), (VersionState::Queued, false));
        self.followed(version.id).await
    }

    pub(crate) async fn followed(&self, version: VersionId) -> VersionView {
        let mut log = String::new();
        let mut pieces = std::pin::pin!(self.workshop.follow(version));
        let mut last = None;
        while let Some(piece) = pieces.next().await {
            match piece {
                Update::Log(text) => log.push_str(&text),
                Update::State(view) => last = Some(*view),
            }
        }
        let view = last.expect("it ends with how it stands");
        assert_eq!(view.log.as_deref(), Some(log.as_str()), "the pieces make up the log");
        view
    }
}

/// A starter kit of the repository.
pub(crate) fn kit(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(path)).expect("a starter kit")
}

/// A bot of the zoo.
pub(crate) fn beast(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../zoo").join(name)).expect("a bot of the zoo")
}
