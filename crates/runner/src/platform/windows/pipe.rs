//! Pipes of which nothing ever waits: a thread each reads or writes, and keeps as much as a pipe holds.
//!
//! A thread ends with its pipe. The far ends are in a job, and gone when that is ended.

use super::LATENCY;
use super::wait::{Happening, Waited, Waiting, lock};
use crate::platform::wait_until;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Bytes that are kept between a thread and who asks it.
const KEPT_BYTES: usize = 64 << 10;
/// Bytes that a thread reads or writes at a time.
const PIECE_BYTES: usize = 16 << 10;

/// The near end of a pipe that is written to.
#[derive(Debug)]
pub struct Input(Arc<Shared>);

/// The near end of a pipe that is read from.
#[derive(Debug)]
pub struct Output(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    kept: Mutex<Kept>,
    /// The thread may go on.
    go_on: Condvar,
    waiting: Waiting,
    /// Whether this is an input.
    is_input: bool,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Nobody asks any more.
    closed: bool,
    /// The pipe has ended.
    ended: bool,
}

impl Shared {
    fn new(is_input: bool) -> Arc<Shared> {
        let (kept, go_on, waiting) = (Mutex::default(), Condvar::new(), Waiting::default());
        Arc::new(Shared { kept, go_on, waiting, is_input })
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) {
        change(&mut lock(&self.kept));
        self.go_on.notify_one();
        self.waiting.wake();
    }

    /// Waits until the thread has something to do, and does it; `None` when there will be nothing more.
    fn next<T>(&self, mut something: impl FnMut(&mut Kept) -> Option<Option<T>>) -> Option<T> {
        let mut kept = lock(&self.kept);
        loop {
            if let Some(next) = something(&mut kept) {
                return next;
            }
            kept = self.go_on.wait(kept).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Happening for Shared {
    fn has_happened(&self) -> bool {
        let kept = lock(&self.kept);
        kept.ended || if self.is_input { kept.bytes.len() < KEPT_BYTES } else { !kept.bytes.is_empty() }
    }

    fn waiting(&self) -> &Waiting {
        &self.waiting
    }
}

/// From now on, what is written never waits.
pub(crate) fn to_input(mut pipe: PipeWriter) -> io::Result<Input> {
    let shared = Shared::new(true);
    let carrier = Arc::clone(&shared);
    let carry = move || {
        loop {
            let piece = carrier.next(|kept| match kept.bytes.is_empty() {
                false => {
                    let length = kept.bytes.len().min(PIECE_BYTES);
                    Some(Some(kept.bytes.drain(..length).collect::<Vec<u8>>()))
                }
                true => kept.closed.then_some(None),
            });
            let Some(piece) = piece else { return };
            carrier.waiting.wake();
            let written = pipe.write_all(&piece);
            if written.is_err() {
                carrier.change(|kept| kept.ended = true);
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(carry)?;
    Ok(Input(shared))
}

/// From now on, reading never waits.
pub(crate) fn to_output(mut pipe: PipeReader) -> io::Result<Output> {
    let shared = Shared::new(false);
    let carrier = Arc::clone(&shared);
    let carry = move || {
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let length = match pipe.read(&mut piece) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Ok(length) => length,
                Err(_) => 0,
            };
            if length == 0 {
                carrier.change(|kept| kept.ended = true);
                return;
            }
            let kept = carrier.next(|kept| match kept.bytes.len() + length > KEPT_BYTES {
                _ if kept.closed => Some(None),
                true => None,
                false => {
                    kept.bytes.extend(&piece[..length]);
                    Some(Some(()))
                }
            });
            if kept.is_none() {
                return;
            }
            carrier.waiting.wake();
        }
    };
    thread::Builder::new().name("output".to_owned()).spawn(carry)?;
    Ok(Output(shared))
}

impl Drop for Input {
    fn drop(&mut self) {
        self.0.change(|kept| kept.closed = true);
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.0.change(|kept| kept.closed = true);
    }
}

/// Writes what fits; an error of the kind `WouldBlock` if nothing does.
pub(crate) fn write(input: &Input, bytes: &[u8]) -> io::Result<usize> {
    let mut written = Err(ErrorKind::BrokenPipe.into());
    input.0.change(|kept| {
        if !kept.ended {
            let length = bytes.len().min(KEPT_BYTES.saturating_sub(kept.bytes.len()));
            kept.bytes.extend(&bytes[..length]);
            written = if length == 0 { Err(ErrorKind::WouldBlock.into()) } else { Ok(length) };
        }
    });
    written
}

/// Reads what there is; an error of the kind `WouldBlock` if there is nothing yet, and 0 at the end.
pub(crate) fn read(output: &Output, buffer: &mut [u8]) -> io::Result<usize> {
    let mut kept = lock(&output.0.kept);
    if kept.bytes.is_empty() {
        return if kept.ended { Ok(0) } else { Err(ErrorKind::WouldBlock.into()) };
    }
    let length = io::Read::read(&mut kept.bytes, buffer)?;
    drop(kept);
    output.0.go_on.notify_one();
    Ok(length)
}

/// Nobody knows what was read at the far end: to look into a pipe waits for whoever reads from it.
pub(crate) fn has_read_all(_: &Input) -> bool {
    false
}

/// Whether there is something to read, or will be as soon as it has arrived.
pub(crate) fn has_output(output: &Output) -> bool {
    wait_until(Instant::now() + LATENCY, readable(output)) && !lock(&output.0.kept).bytes.is_empty()
}

/// Until something can be read, or never will.
pub(crate) fn readable(output: &Output) -> Waited<'_> {
    Waited::happening(&*output.0)
}

/// Until something can be written, or never will.
pub(crate) fn writable(input: &Input) -> Waited<'_> {
    Waited::happening(&*input.0)
}
