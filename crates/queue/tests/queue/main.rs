//! Servers and workers over a real queue.

mod aside;
mod by_hand;
mod deaths;
mod double_play;
mod encrypted;
mod forged;
mod lacks;
mod lost;
mod plain;
mod process;
mod rights;
mod support;
