//! Nim, as short as a game can be: plays a match, and verifies its replay.

#![expect(clippy::print_stdout, reason = "it is a program")]

#[allow(unreachable_pub, reason = "a game is a library; here it is part of a program")]
mod game;

use game::{Nim, played};
use palestra_core::{Replay, ReplayError};

fn main() -> Result<(), ReplayError> {
    let file = played(7).to_bytes()?;
    let turns = Replay::from_bytes(&file)?.verify(&Nim)?;
    println!("{} bytes hold {turns} turns, and the match ends as it did", file.len());
    Ok(())
}
