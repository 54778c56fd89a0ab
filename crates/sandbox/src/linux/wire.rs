//! What this process and a cell tell each other: one message, with open files, per packet of a local socket.

use crate::{Exit, Limits};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What a cell is told.
#[derive(Serialize, Deserialize, Debug)]
pub(super) enum Ask {
    /// The first: what its programs see and may use. With it come copies of the places, if this process may make them.
    Prepare(Setup),
    /// The user that the cell becomes is there now.
    Mapped,
    /// Start a program; with it come its three standard streams.
    Run { command: Vec<OsString>, environment: Vec<(OsString, OsString)>, folder: Option<OsString> },
    /// Stop everything but yourself.
    Stop,
    /// End everything but yourself.
    End,
}

/// What a cell's programs see and may use.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct Setup {
    /// Whether programs are kept apart from the machine; otherwise they are only limited, and see what the cell sees.
    pub(super) strict: bool,
    /// Whether this process gives the cell a user of its own; otherwise the cell's user is this process's.
    pub(super) other_user: bool,
    /// Whether memory must be limited process by process.
    pub(super) memory_by_process: bool,
    pub(super) places: Vec<Place>,
    pub(super) limits: Limits,
}

impl Setup {
    /// Whether a cell for the one does for the other.
    pub(super) fn is_like(&self, other: &Setup) -> bool {
        (&self.places, self.limits) == (&other.places, other.limits)
    }
}

/// A file or folder that programs see.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) path: OsString,
    pub(super) is_folder: bool,
    pub(super) writable: bool,
    /// The very file: another one of the same name is another place.
    pub(super) identity: (u64, u64),
}

#[derive(Serialize, Deserialize, Debug)]
pub(super) enum Reply {
    /// It has left this process's namespaces and waits for its user.
    Apart,
    /// It is ready for orders; with this comes a handle on its first process.
    Ready {
        /// Whether its programs have a `/proc`.
        has_proc: bool,
        /// Whether the next program will not be able to tell that there was one before it.
        reusable: bool,
    },
    /// The program runs; with this comes a handle on it.
    Started,
    /// The program could not be started, for this reason of the system's.
    Refused(i32),
    Exited(Exit),
    /// Every process of the program has been sent the signal to stop.
    Stopped,
    /// Nothing is left of the program.
    Ended {
        cpu_micros: u64,
    },
    /// The cell cannot go on.
    Broken(String),
}

/// One end of the line.
#[derive(Debug)]
pub(super) struct Wire {
    socket: OwnedFd,
    buffer: Vec<u8>,
}

/// The most open files that come with one message.
const FILES: usize = crate::limits::PLACES;

impl Wire {
    pub(super) fn new(socket: OwnedFd, longest: usize) -> Wire {
        Wire { socket, buffer: vec![0; longest] }
    }

    pub(super) fn send(&self, message: &impl Serialize, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let bytes = postcard::to_allocvec(message).map_err(io::Error::other)?;
        if bytes.len() > crate::limits::ORDER_BYTES {
            return Err(io::Error::other(format!(
                "the command and its environment have more than {} bytes",
                crate::limits::ORDER_BYTES
            )));
        }
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
            return Err(io::Error::other(format!(
                "a program may be shown {FILES} files and folders at most"
            )));
        }
        rustix::net::sendmsg(&self.socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// The next message and the files that came with it; waits for it. An end of file is an error.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> io::Result<(T, Vec<OwnedFd>)> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = loop {
            let mut parts = [IoSliceMut::new(&mut self.buffer)];
            match rustix::net::recvmsg(&self.socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(rustix::io::Errno::INTR) => {}
                received => break received?,
            }
        };
        if received.bytes == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut files = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                files.extend(received);
            }
        }
        let message = postcard::from_bytes(&self.buffer[..received.bytes]).map_err(io::Error::other)?;
        Ok((message, files))
    }
}

impl AsFd for Wire {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
