//! Browsers: the server that shows matches, and the one that is opened to look at them.

use crate::console;
use crate::failure::Failure;
use crate::games::GAMES;
use palestra_core::{AnyGame, Match, Seat};
use palestra_runner::Interrupt;
use palestra_server::{FeedPublisher, Library, Server};
use std::io::{IsTerminal as _, PipeWriter};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where matches are shown.
#[derive(clap::Args)]
#[command(next_help_heading = "Browser")]
pub(crate) struct ServeArgs {
    /// The address to serve on; 0.0.0.0 lets everybody in the network look
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port to serve on; 0 is any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

pub(crate) struct MatchServer {
    server: Server,
    /// Whether no browser is to be opened, or one has been: a tournament does not open one for every match.
    no_open: AtomicBool,
    /// Whether spectators may look at matches of people while they go on.
    open: bool,
}

impl MatchServer {
    pub(crate) fn new(args: &ServeArgs, open: bool) -> Result<MatchServer, Failure> {
        let address = SocketAddr::new(args.host, args.port);
        let server = Server::start(address, Library::new(GAMES)).map_err(Failure::input)?;
        Ok(MatchServer { server, no_open: AtomicBool::new(args.no_open), open })
    }

    pub(crate) fn library(&self) -> &Library {
        self.server.library()
    }

    /// Invites to a match that is about to begin; what comes back must be told of it.
    pub(crate) fn invite(
        &self,
        game: &'static dyn AnyGame,
        start: &Match,
        people: Vec<(Seat, PipeWriter)>,
    ) -> Result<FeedPublisher, Failure> {
        let start = start.recorded().clone();
        let open = self.open || people.is_empty();
        let (id, reporter, seats) =
            self.library().add_live(game, start, people, open).map_err(Failure::input)?;
        if open {
            self.announce("watch", &format!("/{id}"), seats.is_empty());
        }
        for (index, person) in seats.iter().enumerate() {
            self.announce(&format!("play seat {}", person.seat), &person.path, index == 0);
        }
        Ok(reporter)
    }

    /// Says where something is, and shows it if there is a browser.
    pub(crate) fn announce(&self, what: &str, path: &str, show: bool) {
        let url = format!("{}{path}", self.server.url());
        console::remark(&format!("{what}: {url}"));
        if show && !self.no_open.swap(true, Ordering::Relaxed) && somebody_looks() {
            // The address has been told; whoever has no browser can go there from elsewhere.
            let _ = open::that_detached(url);
        }
    }

    /// Goes on until somebody has seen enough.
    pub(crate) fn stay(&self, interrupt: &Interrupt) {
        console::remark("still serving; press Ctrl-C to end");
        interrupt.wait();
    }
}

/// A server for a browser of our own.
pub(crate) fn quiet_server() -> Result<Server, Failure> {
    Server::start(SocketAddr::from(([127, 0, 0, 1], 0)), Library::new(GAMES)).map_err(Failure::input)
}

/// Whether a browser would have a screen to appear on, and somebody sits there.
pub(crate) fn somebody_looks() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let screen = !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY");
    screen && std::io::stderr().is_terminal()
}
