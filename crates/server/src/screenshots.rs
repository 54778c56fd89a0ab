//! Screenshots and animations that a browser makes for the command line.

use crate::library::new_key;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// A picture or an animation, or what went wrong.
pub type Screenshot = Result<Vec<u8>, String>;

/// Pictures that somebody waits for, by the token in their address.
#[derive(Default)]
pub(crate) struct Screenshots {
    awaited: Mutex<BTreeMap<String, SyncSender<Screenshot>>>,
}

impl Screenshots {
    /// A token for the browser, and where its picture will come.
    pub(crate) fn expect(&self) -> (String, Receiver<Screenshot>) {
        let (sender, receiver) = sync_channel(1);
        let token = new_key();
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner).insert(token.clone(), sender);
        (token, receiver)
    }

    /// Hands a picture over; false if nobody waits for it.
    pub(crate) fn deliver(&self, token: &str, screenshot: Screenshot) -> bool {
        let sender = self.awaited.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        sender.is_some_and(|sender| sender.send(screenshot).is_ok())
    }
}
