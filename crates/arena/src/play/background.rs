//! Where matches of people are played: one thread of low priority for all of them, so that whatever people and the
//! built-in players against them do, it takes no time from matches that count.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// How much less of a busy core the thread gets than any other.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// A runtime of one thread. Dropping it breaks off what goes on there.
pub(crate) struct Background {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    pub(crate) fn start() -> io::Result<Background> {
        let (stop, stopped) = oneshot::channel::<()>();
        let (made, there) = mpsc::channel();
        let thread = thread::Builder::new().name("people".to_owned()).spawn(move || {
            lower_priority();
            let runtime = Builder::new_current_thread().enable_time().build();
            let (runtime, handle) = match runtime {
                Ok(runtime) => {
                    let handle = runtime.handle().clone();
                    (Some(runtime), Ok(handle))
                }
                Err(error) => (None, Err(error)),
            };
            let _ = made.send(handle);
            if let Some(runtime) = runtime {
                // That nobody can stop it any more is a stop, too.
                let _ = runtime.block_on(stopped);
            }
        })?;
        let gone = |_| io::Error::other("the thread has ended");
        let handle = there.recv().map_err(gone)??;
        Ok(Background { handle, stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // What goes on there gives way within a turn.
            let _ = thread.join();
        }
    }
}

/// On Linux every thread has a priority of its own; elsewhere this would be that of the whole arena.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "matches of people have the same priority as all others");
    }
}

#[cfg(test)]
mod tests {
    use super::Background;

    #[tokio::test]
    async fn what_goes_on_there_ends_with_it_and_gives_way_to_everything_else() {
        let background = Background::start().unwrap();
        #[cfg(target_os = "linux")]
        {
            let there = background.handle().spawn(async { rustix::process::getpriority_process(None) });
            let here = rustix::process::getpriority_process(None).unwrap();
            assert_eq!(there.await.unwrap().unwrap(), (here + super::NICENESS).min(19));
        }
        let endless = background.handle().spawn(std::future::pending::<()>());
        drop(background);
        assert!(endless.await.unwrap_err().is_cancelled());
    }
}
