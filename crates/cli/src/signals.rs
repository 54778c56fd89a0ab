//! Ctrl-C and a polite kill end the match and its bots first; a second one ends the program at once.

use crate::failure::{Failure, INTERRUPTED};
use palestra_runner::Interrupt;
use std::io;
use std::thread;

/// An interrupt that these signals raise.
#[cfg(unix)]
pub(crate) fn interrupt() -> Result<Interrupt, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::sync::Arc;
    let interrupt = Interrupt::new()?;
    for signal in [SIGINT, SIGTERM] {
        // The order matters: at the second signal the flag is set already.
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED.into(), interrupt.flag())?;
        signal_hook::flag::register(signal, Arc::clone(&interrupt.flag()))?;
        signal_hook::low_level::pipe::register(signal, interrupt.writer()?)?;
    }
    Ok(interrupt)
}

/// An interrupt that Ctrl-C, Ctrl-Break and the end of the console raise.
#[cfg(windows)]
pub(crate) fn interrupt() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::new()?;
    raise_in_turn(vec![interrupt.clone()])?;
    Ok(interrupt)
}

/// Each signal raises the next of these; one more ends the program at once.
#[cfg(unix)]
pub(crate) fn raise_in_turn(stages: Vec<Interrupt>) -> Result<(), Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        let mut stages = stages.into_iter();
        signals.forever().for_each(|_| raise_next(&mut stages));
    });
    Ok(())
}

/// Each of them raises the next of these; one more ends the program at once.
#[cfg(windows)]
pub(crate) fn raise_in_turn(stages: Vec<Interrupt>) -> Result<(), Failure> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let within = runtime.enter();
    let (mut c, mut stop, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    drop(within);
    thread::spawn(move || {
        let mut stages = stages.into_iter();
        runtime.block_on(async {
            loop {
                tokio::select! {
                    _ = c.recv() => {}
                    _ = stop.recv() => {}
                    _ = close.recv() => {}
                }
                raise_next(&mut stages);
            }
        });
    });
    Ok(())
}

fn raise_next(stages: &mut impl Iterator<Item = Interrupt>) {
    match stages.next() {
        Some(stage) => stage.raise(),
        None => std::process::exit(INTERRUPTED.into()),
    }
}

/// Waits for Ctrl-C or a polite kill.
pub(crate) async fn told_to_end() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(windows)]
    tokio::signal::ctrl_c().await
}
