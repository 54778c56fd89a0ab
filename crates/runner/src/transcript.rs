//! `--logs`: what every bot was sent, what it wrote, and its standard error, turn by turn.

use crate::files;
use crate::stderr::StderrLog;
use palestra_core::Seat;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The transcripts of one match, one file for each outside seat. They get their names when the match is over.
#[derive(Debug)]
pub struct Transcripts {
    dir: PathBuf,
    files: Vec<BufWriter<NamedTempFile>>,
}

impl Transcripts {
    /// Begins a match with this many seats.
    pub fn new(dir: &Path, seats: u8) -> io::Result<Transcripts> {
        std::fs::create_dir_all(dir)?;
        let files: io::Result<Vec<_>> =
            (0..seats).map(|_| Ok(BufWriter::new(files::new_file(dir)?))).collect();
        Ok(Transcripts { dir: dir.to_owned(), files: files? })
    }

    pub(crate) fn turn(&mut self, seat: Seat, turn: u32) {
        self.write(seat, format!("--- turn {turn}\n").as_bytes());
    }

    pub(crate) fn sent(&mut self, seat: Seat, bytes: &[u8]) {
        self.lines(seat, b"> ", bytes);
    }

    pub(crate) fn received(&mut self, seat: Seat, bytes: &[u8]) {
        self.lines(seat, b"< ", bytes);
    }

    fn lines(&mut self, seat: Seat, prefix: &[u8], bytes: &[u8]) {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.write(seat, prefix);
            self.write(seat, line);
            if !line.ends_with(b"\n") {
                self.write(seat, b"\n");
            }
        }
    }

    fn write(&mut self, seat: Seat, bytes: &[u8]) {
        // A full disk must not end the match; what is missing is noticed when the file gets its name.
        let _ = self.files[seat.index()].write_all(bytes);
    }

    /// Names the files: `seat-1.transcript.txt` and `seat-1.stderr.txt`; seats that wrote nothing have none.
    pub(crate) fn finish(self, stderr: &[StderrLog]) -> io::Result<()> {
        for (index, file) in self.files.into_iter().enumerate() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            if file.as_file().metadata()?.len() > 0 {
                let path = self.dir.join(format!("seat-{}.transcript.txt", index + 1));
                file.persist(path).map_err(|error| error.error)?;
            }
            let log = &stderr[index];
            if !log.pieces().is_empty() {
                let path = self.dir.join(format!("seat-{}.stderr.txt", index + 1));
                let written =
                    files::write_atomically(&path, |out| write_stderr(out, log.pieces(), log.dropped()));
                written.map_err(|error| io::Error::other(error.to_string()))?;
            }
        }
        Ok(())
    }
}

fn write_stderr(out: &mut dyn io::Write, pieces: &[(u32, Vec<u8>)], dropped: u64) -> io::Result<()> {
    for (turn, piece) in pieces {
        writeln!(out, "--- turn {turn}")?;
        out.write_all(piece)?;
        if !piece.ends_with(b"\n") {
            writeln!(out)?;
        }
    }
    if dropped > 0 {
        writeln!(out, "--- {dropped} more bytes were not kept")?;
    }
    Ok(())
}
