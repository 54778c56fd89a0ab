//! Servers and workers over a real queue.

mod support;

mod plain;
mod rights;
