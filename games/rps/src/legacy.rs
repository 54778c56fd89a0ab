//! The contest's own log: what its clients write to `debug.log`. Its matches are set up by a server, so it has no
//! configuration file.

use crate::clients::LINES;
use crate::map::split_arena;
use crate::protocol::packet;
use crate::{Rps, State};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::legacy::{ClientLines, Export, Legacy, TestCase};
use palestra_core::replay::TypedReplay;
use palestra_core::{Catalog, Eye, Game as _, Input, Notes, Protocol as _, ReplayError, Seat, SetupError};
use std::io;

/// Packets and answers.
const PACKETS: Export = Export {
    name: "packets",
    file: "debug.log",
    summary: "every packet and every answer, as the clients log them",
};

impl Legacy for Rps {
    const EXPORTS: &'static [Export] = &[PACKETS];
    const CLIENT_LINES: Option<&'static ClientLines> = Some(&LINES);

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        let (arena, rest) = split_arena(text)?;
        Ok(TestCase { map: arena.write(), players: rest.split_whitespace().map(str::to_owned).collect() })
    }

    /// Writes every packet with its answer behind it, and at the end the last packets. A line before each says whose it is.
    fn export(_: &str, recording: &TypedReplay<'_, Rps>, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        let english = Catalog::english(&Rps::INFO);
        let mut notes = Notes::counted();
        let mut text = Vec::new();
        let end = recording.play(|state, seat, input| {
            // Who has left while the other one was to move was sent nothing.
            if state.to_move() == Some(seat) {
                push_packet(state, seat, &mut text);
            } else {
                push_head(seat, &mut text);
            }
            match input {
                Input::Answer(action) => Rps::write_answer(action, &mut text),
                Input::Fault(fault) => {
                    let said = english.say(&fault.message());
                    text.extend_from_slice(format!("({said})\n").as_bytes());
                }
            }
            text.push(b'\n');
            state.apply(seat, input, &mut notes);
            out.write_all(&text)?;
            text.clear();
            Ok(())
        })?;
        for seat in Seat::all(2) {
            push_packet(&end, seat, &mut text);
        }
        out.write_all(&text)?;
        Ok(())
    }
}

fn push_head(seat: Seat, text: &mut Vec<u8>) {
    text.extend_from_slice(format!("# seat {seat}\n").as_bytes());
}

fn push_packet(state: &State, seat: Seat, text: &mut Vec<u8>) {
    push_head(seat, text);
    packet(state.view(Eye::Seat(seat)), text);
    text.push(b'\n');
}
