//! Replay files: read within the limits on memory, played again, looked at, written again.

use crate::within;
use palestra_core::{Replay, limits};
use palestra_games::{GAMES, by_id};

/// Beside the parts themselves, what a replay's head becomes at most: its bytes, its texts, and a few words for each
/// element of its lists.
const HEAD_MEMORY: usize = 2 * limits::REPLAY_HEAD_BYTES
    + limits::REPLAY_FAULTS * 64
    + limits::SEATS * limits::REPLAY_STDERR_PIECES * 40;

/// What a page asks for takes: moments to play on from, and the largest frames before they are sent.
const LOOK_MEMORY: usize = palestra_server::limits::KEYFRAME_BYTES + (256 << 20);

/// A file as somebody hands it in.
pub fn replay(file: &[u8]) {
    let memory = limits::REPLAY_FREE_BYTES + limits::REPLAY_RATIO * file.len() + HEAD_MEMORY;
    if let Ok(replay) = within(memory, || Replay::from_bytes(file)) {
        play_again(&replay);
        let again = Replay::from_bytes(&replay.to_bytes().expect("what was read can be written"));
        assert_eq!(again.expect("what was written can be read"), replay);
    }
    within(memory + LOOK_MEMORY, || palestra_server::fuzzing::look_through(GAMES, file));
}

/// The parts of a file before they are packed: the lengths of the head and of the answers in two bytes each, then head,
/// answers and times.
pub fn replay_unpacked(bytes: &[u8]) {
    let Some((&[a, b, c, d], rest)) = bytes.split_first_chunk() else { return };
    let cut = |length: [u8; 2], most: usize| usize::from(u16::from_le_bytes(length)).min(most);
    let (head, rest) = rest.split_at(cut([a, b], rest.len()));
    let (answers, times) = rest.split_at(cut([c, d], rest.len()));
    replay(&file([head, answers, times]));
}

/// The file format, as its documentation has it.
fn file(parts: [&[u8]; 3]) -> Vec<u8> {
    let mut file = b"PALESTRA\x01\x00".to_vec();
    file.extend(parts.iter().flat_map(|part| (part.len() as u32).to_le_bytes()));
    file.extend(zstd::encode_all(parts.concat().as_slice(), 1).expect("packing in memory"));
    file
}

fn play_again(replay: &Replay) {
    let Some(game) = by_id(&replay.head.game) else { return };
    // How long it took, however long each turn claims.
    let _ = replay.times().last();
    if replay.verify(game).is_ok() {
        for export in game.exports() {
            game.export(export.name, replay, &mut std::io::sink()).expect("a sound replay can be exported");
        }
    }
}
