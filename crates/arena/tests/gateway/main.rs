//! The gateway as clients meet it: real sockets, real matches, real clients of the starter kits, and hostile ones.

mod bridge;
mod classic;
mod hostile;
mod kits;
mod lobby;
mod remote;
mod stray;
mod support;
mod tls;
