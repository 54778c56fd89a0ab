//! The file around a replay's three parts: its header, and packing and unpacking within limits.

use super::{FORMAT, MAGIC, ReplayError};
use crate::limits;
use std::cell::Cell;
use std::io::{self, Read as _, Write as _};
use zstd::stream::raw::{CParameter, Encoder, Operation as _};
use zstd::stream::zio::Writer;

const HEADER_BYTES: usize = 8 + 2 + 4 + 4 + 4;
/// Level 5 saves five bytes of a hundred and takes three times as long; the strongest take as long as a quick match itself.
const ZSTD_LEVEL: i32 = 1;
/// How a zstd frame begins that decoders skip; its length follows.
const SKIPPED_FRAME: u32 = 0x184D_2A50;
/// The parts in the order of the file, and what each may unpack to.
const PARTS: [(&str, usize); 3] = [
    ("head", limits::REPLAY_HEAD_BYTES),
    ("answers", limits::REPLAY_COLUMN_BYTES),
    ("times", limits::REPLAY_COLUMN_BYTES),
];

/// The file of these parts, in this version of the format.
pub(super) fn pack(version: u16, parts: [&[u8]; 3]) -> Result<Vec<u8>, ReplayError> {
    let mut file = Vec::new();
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&version.to_le_bytes());
    let mut unpacked = 0;
    for (part, (what, limit)) in parts.iter().zip(PARTS) {
        check(what, part.len(), limit)?;
        unpacked += part.len();
        file.extend_from_slice(&(part.len() as u32).to_le_bytes());
    }
    let mut file = compress(file, parts)?;
    // A long match in which nothing happens becomes a file so small that no reader would take it.
    let least = unpacked.saturating_sub(limits::REPLAY_FREE_BYTES).div_ceil(limits::REPLAY_RATIO);
    if file.len() < least {
        let padding = least - file.len();
        file.extend_from_slice(&SKIPPED_FRAME.to_le_bytes());
        file.extend_from_slice(&(padding as u32).to_le_bytes());
        file.resize(file.len() + padding, 0);
    }
    Ok(file)
}

/// The format version and the parts of a file. What they take is known, and checked, before anything is unpacked.
pub(super) fn unpack(file: &[u8]) -> Result<(u16, [Vec<u8>; 3]), ReplayError> {
    let damaged = |what: &str| ReplayError::Damaged(what.to_owned());
    if !file.starts_with(MAGIC) {
        return Err(ReplayError::Foreign);
    }
    if file.len() < HEADER_BYTES {
        return Err(damaged("it ends in its header"));
    }
    let version = u16::from_le_bytes(file[8..10].try_into().expect("two bytes"));
    if version > FORMAT {
        return Err(ReplayError::Newer(version));
    }
    if version == 0 {
        return Err(damaged("there is no format version 0"));
    }
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
    let sizes = [number(10), number(14), number(18)];
    for (size, (what, limit)) in sizes.into_iter().zip(PARTS) {
        check(what, size, limit)?;
    }
    let limit = limits::REPLAY_FREE_BYTES + limits::REPLAY_RATIO * file.len();
    check("content, too much for so small a file", sizes.iter().sum(), limit)?;
    let mut unpacker = zstd::Decoder::new(&file[HEADER_BYTES..])?;
    unpacker.window_log_max(limits::REPLAY_WINDOW_LOG)?;
    let mut parts = [const { Vec::new() }; 3];
    for ((part, size), (what, _)) in parts.iter_mut().zip(sizes).zip(PARTS) {
        part.reserve_exact(size);
        match unpacker.by_ref().take(size as u64).read_to_end(part) {
            Ok(length) if length == size => {}
            Ok(_) => return Err(ReplayError::Damaged(format!("it ends in its {what}"))),
            Err(error) => return Err(ReplayError::Damaged(format!("{what}: {error}"))),
        }
    }
    // The checksum is only looked at when the end of the frame is read.
    match unpacker.read(&mut [0]) {
        Ok(0) => Ok((version, parts)),
        Ok(_) => Err(damaged("there is more in it than it declares")),
        Err(error) => Err(ReplayError::Damaged(error.to_string())),
    }
}

fn check(what: &'static str, size: usize, limit: usize) -> Result<(), ReplayError> {
    match size > limit {
        true => Err(ReplayError::TooLarge { what, size: size as u64, limit: limit as u64 }),
        false => Ok(()),
    }
}

/// Compresses these parts behind what is in the file already.
fn compress(file: Vec<u8>, parts: [&[u8]; 3]) -> io::Result<Vec<u8>> {
    thread_local! {
        // Making one takes as long as packing a small replay, so that each thread keeps its own.
        static ENCODER: Cell<Option<Encoder<'static>>> = const { Cell::new(None) };
    }
    let mut encoder = match ENCODER.take() {
        Some(mut encoder) => {
            encoder.reinit()?;
            encoder
        }
        None => Encoder::new(ZSTD_LEVEL)?,
    };
    encoder.set_parameter(CParameter::ChecksumFlag(true))?;
    // Known beforehand, a small replay costs little: tables for a large one take longer to clear than to use.
    encoder.set_pledged_src_size(Some(parts.iter().map(|part| part.len() as u64).sum()))?;
    let mut packer = Writer::new(file, encoder);
    for part in parts {
        packer.write_all(part)?;
    }
    packer.finish()?;
    let (file, encoder) = packer.into_inner();
    ENCODER.set(Some(encoder));
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, compress, pack, unpack};
    use crate::limits;

    /// A file that declares these sizes, around whatever was packed.
    fn crafted(sizes: [usize; 3], frame: &[u8]) -> Vec<u8> {
        let mut file = [&MAGIC[..], &[1, 0]].concat();
        file.extend(sizes.iter().flat_map(|size| (*size as u32).to_le_bytes()));
        [&file, frame].concat()
    }

    #[test]
    fn a_small_file_cannot_take_much_memory() {
        let column = vec![0; limits::REPLAY_FREE_BYTES];
        let frame = compress(Vec::new(), [&column, &column, &column]).unwrap();
        assert!(frame.len() < 20_000, "zeros pack well");
        let file = crafted([0, column.len() * 2, column.len()], &frame);
        let error = unpack(&file).unwrap_err().to_string();
        let limit = limits::REPLAY_FREE_BYTES + limits::REPLAY_RATIO * file.len();
        assert!(error.contains("so small a file") && error.contains(&limit.to_string()), "{error}");
    }

    #[test]
    fn a_window_beyond_the_limit_is_refused() {
        // A frame header of a window of 128 MB, and an empty last block.
        let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, (27 - 10) << 3, 0x01, 0x00, 0x00];
        let error = unpack(&crafted([0, 0, 0], &frame)).unwrap_err().to_string();
        assert!(error.contains("memory"), "{error}");
    }

    #[test]
    fn a_long_match_in_which_nothing_happens_can_be_kept() {
        let column = vec![0; limits::REPLAY_FREE_BYTES];
        let parts: [&[u8]; 3] = [b"head", &column, &column];
        let file = pack(1, parts).unwrap();
        let (version, unpacked) = unpack(&file).unwrap();
        assert_eq!((version, unpacked.each_ref().map(Vec::as_slice)), (1, parts));
        assert!(file.len() > limits::REPLAY_FREE_BYTES / limits::REPLAY_RATIO);
        assert!(pack(1, [b"head", b"answers", b"times"]).unwrap().len() < 60, "others are not padded");
    }
}
