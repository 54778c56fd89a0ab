//! Serves matches to browsers: replays, contests' logs, games that go on, and seats for people.
//!
//! A browser asks for what it wants to show, and the server plays the match again from the nearest moment it
//! remembers. Nothing is ever pushed that could pile up, so that a slow or stuck browser slows neither the match nor
//! other browsers. The server knows no game by name.

mod api;
mod assets;
mod delta;
mod feed;
mod folder;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod keyframes;
mod library;
pub mod limits;
mod measures;
mod overview;
mod palette;
mod playback;
pub mod problem;
mod room;
mod rules;
mod screenshots;
mod spectator_delay;
mod spectators;
#[cfg(test)]
mod tests;
mod trouble;

pub use assets::{report_page, site, site_is_there};
pub use feed::FeedPublisher;
pub use folder::REPORT;
pub use http::{ViewerRights, match_routes};
pub use library::{Library, PersonSeat, ReplaySource, Unreadable};
pub use measures::tell_measures;
pub use palette::SEAT_COLOURS;
pub use room::SeatedPerson;
pub use screenshots::Screenshot;
pub use spectator_delay::SpectatorDelay;
pub use trouble::Trouble;

use crate::http::AppState;
use crate::screenshots::Screenshots;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// A server that runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    library: Arc<Library>,
    screenshots: Arc<Screenshots>,
    runtime: Option<Runtime>,
}

/// Why a server does not run.
#[allow(missing_docs, reason = "the sentence of an error says what is in it")]
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("this palestra was built without its page; run `make web` and build it again")]
    NoPage,
    /// The address is taken, or not of this machine.
    #[error("failed to listen on {address}: {error}; try another with --listen")]
    Listen { address: SocketAddr, error: io::Error },
    /// No threads to run it.
    #[error("failed to start the server: {0}")]
    Start(#[from] io::Error),
}

impl Server {
    /// Starts a server in threads of its own; port 0 is any that is free.
    pub fn start(address: SocketAddr, library: Library) -> Result<Server, ServerError> {
        if !assets::there() {
            return Err(ServerError::NoPage);
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(limits::THREADS)
            .thread_name("server")
            .enable_all()
            .build()?;
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|error| ServerError::Listen { address, error })?;
        let address = listener.local_addr()?;
        let library = Arc::new(library);
        let app = AppState::new(Arc::clone(&library));
        let screenshots = Arc::clone(&app.screenshots);
        runtime.spawn(async move {
            // It only ends together with its runtime.
            let _ = axum::serve(listener, http::router(app)).await;
        });
        Ok(Server { address, library, screenshots, runtime: Some(runtime) })
    }

    /// Where it is: `http://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its matches.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// A token with which a browser can hand in a picture, and where that will come.
    pub fn expect_screenshot(&self) -> (String, Receiver<Screenshot>) {
        self.screenshots.expect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Browsers may hold their connections for ever; nobody waits for them.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
