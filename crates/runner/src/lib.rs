//! Plays one match with real bots: finds or compiles them, starts them, moves bytes and clocks, ends them.
//!
//! The match itself is [`palestra_core::Match`], which knows neither processes nor time; this crate is the rim that
//! does. It knows no game by name. One bad bot never stops a match: whatever it does becomes a fault.

mod bounds;
mod build;
mod clock;
mod compiler;
mod connection;
mod conversation;
mod cores;
mod delegate;
mod driver;
mod files;
mod guard;
mod interrupt;
pub mod limits;
mod meter;
mod orphans;
mod platform;
mod process;
#[cfg_attr(not(target_os = "linux"), path = "run_queue/absent.rs")]
mod run_queue;
mod span;
mod spec;
mod stderr;
mod strays;
mod told;
mod toolchain;
mod transcript;
mod waiting;

pub use clock::{ClockSource, clock_source};
pub use conversation::Conversation;
pub use cores::{Cores, Pinned};
pub use delegate::{Delegate, Outside, Woken, wait};
pub use driver::{FaultReport, MatchError, Options, Overheard, Played, Watch, play};
pub use files::{
    FileError, folder_bytes, read_bytes, read_replay, read_text, write_atomically, write_replay,
};
pub use guard::{Asked, Guard, GuardError, Level};
pub use interrupt::Interrupt;
pub use orphans::{end_orphans, mark};
pub use palestra_sandbox as sandbox;
pub use platform::untrusted::remove_folder;
pub use platform::{Input, Output, Socket, find_on_path, modes, socket_of};
pub use process::Launch;
pub use spec::{Bot, BotError, Link, Listener, Resident, Workshop};
pub use strays::{adopt_strays, finds_strays};
pub use told::{Heard, Told};
pub use toolchain::ToolchainStatus;
pub use transcript::Transcripts;
pub use waiting::{Waiting, host_at_fault};
