//! Everything that strangers send, as functions of arbitrary bytes that panic if something does not hold.
//!
//! libFuzzer calls them through `fuzz_targets/`, and the test `corpus` with every file it has left behind in `corpus/`
//! and `crashes/`. Each target takes plain bytes, so that a file found by the fuzzer can be handed to the program too.

mod answers;
mod archive;
mod event_log;
mod gateway;
mod legacy;
mod maps;
mod person;
mod plans;
mod replay;

pub use answers::answers;
pub use archive::archive;
pub use event_log::event_log;
pub use gateway::{gateway_bridge, gateway_classic};
pub use legacy::legacy;
pub use maps::maps;
pub use person::person;
pub use plans::plans;
pub use replay::{replay, replay_unpacked};

use palestra_core::AnyGame;
use palestra_testkit::{Counting, peak_of};

#[global_allocator]
static HEAP: Counting = Counting;

/// A function of arbitrary bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name in `fuzz_targets/` and `corpus/`.
    pub name: &'static str,
    /// Panics if something does not hold.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "answers", run: answers },
    Target { name: "archive", run: archive },
    Target { name: "event_log", run: event_log },
    Target { name: "gateway_bridge", run: gateway_bridge },
    Target { name: "gateway_classic", run: gateway_classic },
    Target { name: "legacy", run: legacy },
    Target { name: "maps", run: maps },
    Target { name: "person", run: person },
    Target { name: "plans", run: plans },
    Target { name: "replay", run: replay },
    Target { name: "replay_unpacked", run: replay_unpacked },
];

/// Takes the first byte as a choice among the games.
fn choose_game(bytes: &[u8]) -> Option<(&'static dyn AnyGame, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let games = palestra_games::GAMES;
    Some((games[usize::from(*first) % games.len()], rest))
}

/// Does this within so many bytes of the heap.
fn within<T>(limit: usize, work: impl FnOnce() -> T) -> T {
    let (done, peak) = peak_of(work);
    assert!(peak <= limit, "it took {peak} bytes of memory, and may take {limit}");
    done
}
