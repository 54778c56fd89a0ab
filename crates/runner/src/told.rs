//! What those who look on at a match have been told of it, so that each turn costs what it brought and no more.

use crate::driver::Overheard;
use palestra_core::replay::{Extent, Tail};
use palestra_core::{Replay, Seat};

/// What a bot wrote to its standard error, and in which turn.
pub type Heard = (Seat, u32, Vec<u8>);

/// How much of a match has been told.
#[derive(Clone, Debug)]
pub struct Told {
    recorded: Extent,
    /// By seat: pieces of standard error told, and bytes of the last of them.
    overheard: Vec<(usize, usize)>,
}

impl Told {
    /// Before the match: no seat has been told anything.
    pub fn new(seats: u8) -> Told {
        Told { recorded: Extent::default(), overheard: vec![(0, 0); seats.into()] }
    }

    /// Adds what has come since.
    pub fn add(&self, recorded: &Replay, overheard: Overheard<'_>, tail: &mut Tail, stderr: &mut Vec<Heard>) {
        tail.extend(recorded, self.recorded);
        for (index, (pieces, bytes)) in self.overheard.iter().enumerate() {
            let heard = overheard.stderr(Seat::at(index));
            // The last piece told may have grown since.
            for (number, (turn, text)) in heard.iter().enumerate().skip(pieces.saturating_sub(1)) {
                let known = if number + 1 == *pieces { *bytes } else { 0 };
                if text.len() > known {
                    stderr.push((Seat::at(index), *turn, text[known..].to_vec()));
                }
            }
        }
    }

    /// That has been told.
    pub fn advance(&mut self, recorded: &Replay, overheard: Overheard<'_>) {
        self.recorded = recorded.extent();
        for (index, told) in self.overheard.iter_mut().enumerate() {
            let heard = overheard.stderr(Seat::at(index));
            *told = (heard.len(), heard.last().map_or(0, |(_, piece)| piece.len()));
        }
    }
}
