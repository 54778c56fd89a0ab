//! Pictures and films that a browser makes for the command line.

use crate::library::new_key;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// A picture or film, or what went wrong.
pub type Shot = Result<Vec<u8>, String>;

/// Pictures that somebody waits for, by the token in their address.
#[derive(Default)]
pub(crate) struct Shots {
    awaited: Mutex<BTreeMap<String, SyncSender<Shot>>>,
}

impl Shots {
    /// A token for the browser, and where its picture will come.
    pub(crate) fn expect(&self) -> (String, Receiver<Shot>) {
        let (sender, receiver) = sync_channel(1);
        let token = new_key();
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner).insert(token.clone(), sender);
        (token, receiver)
    }

    /// Hands a picture over; false if nobody waits for it.
    pub(crate) fn deliver(&self, token: &str, shot: Shot) -> bool {
        let sender = self.awaited.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        sender.is_some_and(|sender| sender.send(shot).is_ok())
    }
}
