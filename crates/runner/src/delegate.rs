//! A bot of this machine that plays somewhere else: whoever sends it there carries its bytes.

use crate::connection::{Connection, why_not_started};
use crate::driver::{MatchError, new_mark};
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::platform::{self, Socket, Waited};
use crate::process::{Launch, Process};
use crate::strays;
use palestra_core::Exit;
use std::time::Duration;

/// A bot that plays somewhere else. Dropping it ends it at once.
#[derive(Debug)]
pub struct Delegate {
    connection: Connection,
    mark: String,
    ended: bool,
}

/// What is waited for besides the bot.
#[derive(Clone, Copy, Debug)]
pub struct Outside<'a> {
    /// The way to where it plays, if there is one.
    pub socket: Option<Socket<'a>>,
    /// Whether something waits to be written there.
    pub writing: bool,
    /// A wish to stop.
    pub interrupt: Option<&'a Interrupt>,
    /// Waits no longer than this.
    pub timeout: Option<Duration>,
}

/// What a wait came to.
#[derive(Default, Debug)]
pub struct Woken {
    /// What the bot has written.
    pub output: Vec<u8>,
    /// The bot will write nothing more; said once.
    pub ended: bool,
    /// Somebody wants to stop.
    pub interrupted: bool,
}

impl Delegate {
    /// Starts the bot.
    pub fn start(name: &str, launch: &Launch, guard: &Guard) -> Result<Delegate, MatchError> {
        let mark = new_mark();
        let connection = Connection::start(launch, &mark, guard).map_err(|error| MatchError::Start {
            name: name.to_owned(),
            why: why_not_started(launch, &error),
        })?;
        Ok(Delegate { connection, mark, ended: false })
    }

    /// Tells it something.
    pub fn tell(&mut self, bytes: &[u8]) {
        self.connection.send(bytes);
    }

    /// Waits until it has started: has read what it was `told`, or has nothing left to do.
    pub fn get_ready(&mut self, told: bool, interrupt: Option<&Interrupt>) {
        self.connection.wait_until_started(told, interrupt);
    }

    /// How it ended, and the last lines of its standard error.
    pub fn last_words(&mut self) -> (Option<Exit>, Vec<String>) {
        let exit = self.connection.wait_for_exit(limits::EXIT_CODE);
        self.connection.read_stderr(0, &mut [0; STDERR_BYTES]);
        (exit, self.connection.log.last_lines())
    }

    /// Its match is over: it has a moment to leave by itself.
    pub fn end(mut self) {
        self.connection.leave(&mut [0; STDERR_BYTES]);
    }

    fn hear(&mut self, woken: &mut Woken, readable: bool, exited: bool) {
        let mut buffer = [0; OUTPUT_BYTES];
        let mut open = true;
        if readable || exited {
            // What it wrote before it ended counts, though not more at a time than fits.
            match self.connection.read_stdout(&mut buffer) {
                None => open = false,
                Some(length) => woken.output.extend_from_slice(&buffer[..length]),
            }
        }
        if !open || (exited && woken.output.is_empty()) {
            self.ended = true;
            woken.ended = true;
        }
    }
}

impl Drop for Delegate {
    fn drop(&mut self) {
        self.connection.end();
        strays::sweep(&self.mark);
    }
}

const OUTPUT_BYTES: usize = 16 << 10;
const STDERR_BYTES: usize = 16 << 10;
/// Between two looks whether a bot has ended, where the platform does not tell.
const LOOK: Duration = Duration::from_millis(20);

/// Waits until the bot has written something or ended, or something happens outside.
pub fn wait(bot: Option<&mut Delegate>, outside: Outside<'_>) -> Woken {
    let mut woken = Woken::default();
    let bot = bot.filter(|bot| !bot.ended);
    let connection = bot.as_ref().map(|bot| &bot.connection);
    let exit = connection.and_then(|connection| connection.process.as_ref()).and_then(Process::ends);
    let blind = connection.is_some() && exit.is_none();
    let timeout = if blind { Some(outside.timeout.unwrap_or(LOOK).min(LOOK)) } else { outside.timeout };
    // A connection that cannot be waited for is found to be broken when it is read.
    let socket = outside.socket.and_then(|socket| platform::socket(socket, outside.writing).ok());
    let watched = [
        socket,
        outside.interrupt.map(Interrupt::raised_bell),
        connection.and_then(|connection| connection.stdout.as_ref()).map(platform::readable),
        connection.and_then(|connection| connection.stderr.as_ref()).map(platform::readable),
        exit,
        connection
            .filter(|connection| !connection.unsent.is_empty())
            .and_then(|connection| connection.stdin.as_ref())
            .map(platform::writable),
    ];
    let present = watched.each_ref().map(Option::is_some);
    let mut polled: Vec<Waited<'_>> = watched.into_iter().flatten().collect();
    if platform::poll(&mut polled, timeout).is_err() {
        return woken;
    }
    let mut results = polled.iter();
    let [_, interrupted, stdout, stderr, exited, stdin] =
        present.map(|there| there && results.next().is_some_and(platform::is_ready));
    drop(polled);
    woken.interrupted = interrupted;
    if let Some(bot) = bot {
        let exited =
            exited || (blind && bot.connection.process.as_ref().is_some_and(|it| it.exited().is_some()));
        if stderr {
            bot.connection.read_stderr(0, &mut [0; STDERR_BYTES]);
        }
        if stdin {
            bot.connection.flush();
        }
        let stdout = stdout || (exited && platform::arrives(bot.connection.stdout.as_ref()));
        bot.hear(&mut woken, stdout, exited);
    }
    woken
}
