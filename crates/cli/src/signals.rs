//! Ctrl-C and a polite kill end the match and its bots first; a second one ends the program at once.

use crate::failure::Failure;
use palestra_runner::Interrupt;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;

/// An interrupt that these signals raise.
pub(crate) fn interrupt() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::new()?;
    for signal in [SIGINT, SIGTERM] {
        // The order matters: at the second signal the flag is set already.
        signal_hook::flag::register_conditional_shutdown(signal, 130, interrupt.flag())?;
        signal_hook::flag::register(signal, Arc::clone(&interrupt.flag()))?;
        signal_hook::low_level::pipe::register(signal, interrupt.writer()?)?;
    }
    Ok(interrupt)
}
