//! Who may do what at the queue: keys, and a configuration of nats-server that knows them.
//!
//! A worker takes work, says that it is still at it, fetches programs and maps by subject, and hands in results, offers and
//! turns under its own name. It hands in no work, reads no results, and makes, changes or removes nothing: no stream, no
//! line, no object. It makes no consumers either, not even of objects: the queue would deliver for one wherever it says, past
//! these rights. It cannot list objects or count through them; those that a wildcard finds it cannot read
//! ([`crate::streams::OBJECTS`] are sealed).

use crate::address::WORKER_LINE;
use crate::streams::{self, NEWS, OBJECTS, WORK};
use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Somebody whom the queue lets in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// What it is called.
    pub name: String,
    /// The half of its key that the queue knows.
    pub public: String,
}

/// A new worker, and the text of the file that proves who it is.
pub fn new_worker(name: &str) -> (Member, String) {
    let (member, seed) = new_server(name);
    (member, format!("{WORKER_LINE}{name}\n{seed}"))
}

/// A new server, and the text of the file that proves who it is.
pub fn new_server(name: &str) -> (Member, String) {
    let pair = KeyPair::new_user();
    let seed = pair.seed().expect("a new key has its seed");
    (Member { name: name.to_owned(), public: pair.public_key() }, format!("{seed}\n"))
}

/// Subjects that a worker may publish to.
pub(crate) fn published_by(worker: &str) -> Vec<String> {
    vec![
        streams::result("*", worker),
        streams::offer(worker),
        format!("palestra.live.*.{worker}.*"),
        // To see which lines there are, to take from them, and to say what became of what was taken.
        format!("$JS.API.CONSUMER.LIST.{WORK}"),
        format!("$JS.API.CONSUMER.INFO.{WORK}.*"),
        format!("$JS.API.CONSUMER.MSG.NEXT.{WORK}.*"),
        format!("$JS.ACK.{WORK}.>"),
        // To fetch programs and maps, piece by piece.
        format!("$JS.API.DIRECT.GET.{OBJECTS}.palestra.object.*.*"),
    ]
}

/// Subjects that a worker may listen to.
pub(crate) fn heard_by(worker: &str) -> Vec<String> {
    vec![format!("{}.>", streams::inbox(worker)), streams::told(worker), NEWS.to_owned()]
}

/// The part of a configuration of nats-server that lets in a server, which may do everything, and workers.
pub fn authorization(server: &Member, workers: &[Member]) -> String {
    let list = |subjects: Vec<String>| {
        let quoted: Vec<String> = subjects.iter().map(|subject| format!("\"{subject}\"")).collect();
        quoted.join(", ")
    };
    let mut text =
        format!("authorization {{\n  users: [\n    # {}\n    {{ nkey: {} }}\n", server.name, server.public);
    for Member { name, public } in workers {
        let (publish, subscribe) = (list(published_by(name)), list(heard_by(name)));
        let _ = write!(
            text,
            "    # {name}\n    {{ nkey: {public}, permissions: {{\n      publish: {{ allow: [{publish}] }}\n      \
             subscribe: {{ allow: [{subscribe}] }}\n    }} }}\n"
        );
    }
    text + "  ]\n}\n"
}
