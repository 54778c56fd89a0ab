//! A talk with one bot outside of any match, without a clock: for debuggers.

use crate::connection::{self, Connection, why_not_started};
use crate::driver::MatchError;
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::process::{Launch, Process};
use palestra_core::{Exit, Fault, Inbox, Parsed, Progress, Unit, limits};

/// A bot that is told things and asked for answers, for as long as it takes.
#[derive(Debug)]
pub struct Conversation {
    connection: Connection,
    inbox: Inbox,
}

impl Conversation {
    /// Starts the bot. It keeps this program's standard error, so that whoever debugs sees it at once.
    pub fn start(name: &str, launch: &Launch, guard: &Guard) -> Result<Conversation, MatchError> {
        let connection =
            Connection::start(&Launch { own_stderr: false, ..launch.clone() }, "conversation", guard)
                .map_err(|error| MatchError::Start {
                    name: name.to_owned(),
                    why: why_not_started(launch, &error),
                })?;
        Ok(Conversation { connection, inbox: Inbox::default() })
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.connection.process.as_ref().map_or(0, Process::number)
    }

    /// Tells it something.
    pub fn tell(&mut self, bytes: &[u8]) {
        self.connection.send(bytes);
    }

    /// Waits for an answer that `parse` takes for complete. `None` means that somebody interrupted.
    pub fn answer(
        &mut self,
        interrupt: &Interrupt,
        unit: Unit,
        mut parse: impl FnMut(&[u8], &mut Progress) -> Parsed,
    ) -> Option<Result<(), Fault>> {
        let mut buffer = [0; 16 << 10];
        let mut ended = false;
        loop {
            match self.inbox.read(unit, &mut parse) {
                Parsed::Done { .. } => return Some(Ok(())),
                Parsed::Malformed { why } => return Some(Err(Fault::malformed(why, self.inbox.unread()))),
                Parsed::NeedMore if self.inbox.unread().len() >= limits::ANSWER_BYTES => {
                    return Some(Err(Fault::too_long(self.inbox.unread())));
                }
                Parsed::NeedMore => {}
            }
            if ended {
                let exit = self.connection.wait_for_exit(crate::limits::EXIT_CODE);
                return Some(Err(Fault::Exited(exit.unwrap_or(Exit::ClosedOutput))));
            }
            let (ready, interrupted) = connection::poll(&[&self.connection], &[interrupt], None);
            if interrupted {
                return None;
            }
            let ready = &ready[0];
            if ready.stdin {
                self.connection.flush();
            }
            if ready.stdout || ready.ended {
                match self.connection.read_stdout(&mut buffer) {
                    Some(0) if !ready.ended => {}
                    Some(0) | None => {
                        ended = true;
                        self.inbox.add(b"\n");
                    }
                    Some(length) => self.inbox.add(&buffer[..length]),
                }
            }
        }
    }

    /// Says the last words and lets it leave.
    pub fn end(mut self, last_words: &[u8]) {
        self.connection.send(last_words);
        self.connection.leave(&mut [0; 4096]);
    }
}
