//! The gateway: clients that play through a connection of their own. Its first byte says whether a client speaks TLS, its
//! first line which dialect.
//!
//! Every connection is one small task that never waits for its client: what cannot be written at once waits within
//! limits, and whoever passes a limit is cut off. No client can cost another anything.

mod admission;
mod bridge;
mod dialect;
#[doc(hidden)]
pub mod fuzzing;
mod lines;
mod lobby;
mod login;
mod misdirected;
mod session;
mod standings;
mod throttle;
mod wire;

use crate::hub::Hub;
use crate::limits;
use crate::plan::EventPlan;
use crate::store::Store;
use crate::system::raise_open_files;
use crate::tls::Tls;
use admission::Admission;
use lines::Words;
use palestra_core::AnyGame;
use standings::StandingsCache;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// What all connections share.
pub(crate) struct GatewayState {
    hub: Hub,
    store: Store,
    plan: Arc<EventPlan>,
    tls: Option<Tls>,
    admission: Arc<Admission>,
    lists: StandingsCache,
    /// What clients speak that are no bridges.
    words: Option<Words>,
}

impl GatewayState {
    /// With nobody connected. Whoever begins with TLS is shown this certificate; `games` are all that this program has.
    pub(crate) fn new(
        hub: Hub,
        store: Store,
        plan: Arc<EventPlan>,
        tls: Option<Tls>,
        games: &[&'static dyn AnyGame],
    ) -> Arc<GatewayState> {
        let words = Words::of(games);
        let lists = StandingsCache::new(hub.clone(), words);
        Arc::new(GatewayState { hub, store, plan, tls, admission: Admission::new(), lists, words })
    }
}

/// Why a connection is ended from this side, or was from the other.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Disconnect {
    #[error("the connection is closed")]
    Gone,
    #[error("you do not read what you are sent")]
    Slow,
    #[error("you did not log in within {} seconds", limits::LOGIN_TIME.as_secs())]
    NoLogin,
    #[error("others want to come in, and you had not logged in")]
    Crowded,
    #[error("you sent a line of more than {} bytes", limits::LINE_BYTES)]
    LongLine,
    #[error("you sent more than {} bytes that are for no match", limits::IDLE_BYTES)]
    Flood,
    #[error("you answered none of {} pings", limits::UNANSWERED_PINGS)]
    Silent,
    #[error("you sent a line that means nothing")]
    Nonsense,
    #[error("you began TLS and did not go on with it")]
    Tls,
    #[error("you speak HTTP, which is for the site")]
    Http,
    #[error("you announced something else than up to {} bytes", limits::PIECE_BYTES)]
    LongPiece,
    #[error("you did not end your bot within {} seconds after the match", limits::BRIDGE_DONE.as_secs())]
    NotDone,
    #[error("{0}")]
    Left(String),
}

impl Disconnect {
    /// One word for the metrics.
    fn word(&self) -> &'static str {
        match self {
            Disconnect::Gone => "gone",
            Disconnect::Slow => "slow",
            Disconnect::NoLogin => "no_login",
            Disconnect::Crowded => "crowded",
            Disconnect::LongLine => "long_line",
            Disconnect::Flood => "flood",
            Disconnect::Silent => "silent",
            Disconnect::Nonsense => "nonsense",
            Disconnect::Tls => "tls",
            Disconnect::Http => "http",
            Disconnect::LongPiece => "long_piece",
            Disconnect::NotDone => "not_done",
            Disconnect::Left(_) => "left",
        }
    }
}

/// Takes connections until `stop` comes to its end, and closes them all then.
pub(crate) async fn serve(listener: TcpListener, gateway: Arc<GatewayState>, stop: impl Future<Output = ()>) {
    allow_many_files();
    let mut sessions = JoinSet::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            biased;
            () = &mut stop => break,
            Some(_) = sessions.join_next() => {}
            taken = listener.accept() => match taken {
                Ok((stream, address)) => match gateway.admission.enter(address.ip()) {
                    Some(visit) => {
                        sessions.spawn(session::run(stream, visit, Arc::clone(&gateway)));
                    }
                    None => metrics::counter!("palestra_gateway_turned_away_total").increment(1),
                },
                Err(error) => {
                    // Some are about one connection; others, like too many open files, about all of them.
                    tracing::warn!(%error, "a connection could not be taken");
                    gateway.admission.make_room();
                    tokio::time::sleep(limits::ACCEPT_PAUSE).await;
                }
            },
        }
    }
    sessions.shutdown().await;
}

/// Every connection is an open file, and many systems begin with room for a thousand.
pub fn allow_many_files() {
    if let Err(error) = raise_open_files() {
        tracing::warn!(%error, "the number of open files could not be raised");
    }
}
