//! Waiting for several things at a time: for what threads of this program report, and for what the system does.

use super::raw::{self, Event, SocketEvent};
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::os::windows::io::{AsHandle as _, AsSocket as _, BorrowedHandle, BorrowedSocket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Handles that the system waits for at a time.
const HANDLES: usize = 64;
/// Between two looks, should there ever be more.
const LOOK: Duration = Duration::from_millis(20);

/// Something that a thread of this program makes happen.
pub(super) trait Happening: Send + Sync {
    fn has_happened(&self) -> bool;
    /// Those who wait for it.
    fn waiting(&self) -> &Waiting;
}

/// Those who wait for something.
#[derive(Default)]
pub(super) struct Waiting(Mutex<Vec<Arc<Event>>>);

impl Waiting {
    /// It may have happened.
    pub(super) fn wake(&self) {
        for event in lock(&self.0).iter() {
            event.set();
        }
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} waiting", lock(&self.0).len())
    }
}

/// Nothing that is kept here is left half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is waited for.
pub(crate) struct Waited<'a> {
    what: What<'a>,
    ready: bool,
}

enum What<'a> {
    Happening(&'a dyn Happening),
    Handle(BorrowedHandle<'a>),
    Socket(SocketEvent<'a>),
}

impl<'a> Waited<'a> {
    pub(super) fn happening(what: &'a dyn Happening) -> Waited<'a> {
        Waited { what: What::Happening(what), ready: false }
    }

    pub(super) fn handle(handle: BorrowedHandle<'a>) -> Waited<'a> {
        Waited { what: What::Handle(handle), ready: false }
    }

    fn object(&self) -> Option<BorrowedHandle<'_>> {
        match &self.what {
            What::Happening(_) => None,
            What::Handle(handle) => Some(*handle),
            What::Socket(socket) => Some(socket.as_handle()),
        }
    }

    fn has_happened(&self) -> bool {
        match &self.what {
            What::Happening(what) => what.has_happened(),
            What::Handle(handle) => raw::is_signalled(*handle),
            What::Socket(socket) => raw::is_signalled(socket.as_handle()),
        }
    }
}

/// A connection, to be waited for.
pub fn socket_of(stream: &TcpStream) -> BorrowedSocket<'_> {
    stream.as_socket()
}

/// Until something can be read from a connection, or written to it if that is wanted.
pub(crate) fn socket(socket: BorrowedSocket<'_>, writing: bool) -> io::Result<Waited<'_>> {
    Ok(Waited { what: What::Socket(SocketEvent::new(socket, writing)?), ready: false })
}

/// Waits until one of these has happened, or the time is over. Without a time it waits for as long as it takes. Now and
/// then it returns for nothing.
pub(crate) fn poll(waited: &mut [Waited<'_>], timeout: Option<Duration>) -> io::Result<()> {
    thread_local! {
        static OWN: io::Result<Arc<Event>> = Event::new().map(Arc::new);
    }
    let own = OWN.with(|own| own.as_ref().map(Arc::clone).map_err(|error| io::Error::from(error.kind())))?;
    let happenings: Vec<&dyn Happening> = waited
        .iter()
        .filter_map(|waited| match waited.what {
            What::Happening(what) => Some(what),
            _ => None,
        })
        .collect();
    for what in &happenings {
        lock(&what.waiting().0).push(Arc::clone(&own));
    }
    // Whatever happens from now on sets the event.
    let happened = happenings.iter().any(|what| what.has_happened());
    let mut handles = vec![own.as_handle()];
    handles.extend(waited.iter().filter_map(Waited::object));
    let look = if handles.len() > HANDLES { Some(LOOK) } else { None };
    handles.truncate(HANDLES);
    let timeout = if happened { Some(Duration::ZERO) } else { timeout.into_iter().chain(look).min() };
    let done = raw::wait_for_any(&handles, timeout);
    for what in &happenings {
        let mut waiting = lock(&what.waiting().0);
        if let Some(place) = waiting.iter().position(|event| Arc::ptr_eq(event, &own)) {
            waiting.swap_remove(place);
        }
    }
    for waited in waited {
        waited.ready = waited.has_happened();
    }
    done
}

/// Whether it had happened when it was last waited for.
pub(crate) fn is_ready(waited: &Waited<'_>) -> bool {
    waited.ready
}

/// Wakes whoever waits for it, from then on and for ever.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: Mutex<bool>,
    waiting: Waiting,
}

impl Bell {
    pub(crate) fn new() -> io::Result<Bell> {
        Ok(Bell::default())
    }

    pub(crate) fn ring(&self) {
        *lock(&self.rung) = true;
        self.waiting.wake();
    }

    /// Until it is rung.
    pub(crate) fn rung(&self) -> Waited<'_> {
        Waited::happening(self)
    }
}

impl Happening for Bell {
    fn has_happened(&self) -> bool {
        *lock(&self.rung)
    }

    fn waiting(&self) -> &Waiting {
        &self.waiting
    }
}
