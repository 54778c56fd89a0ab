//! The real program, as people, scripts and hostile bots use it.

mod arena;
mod commands;
mod connect;
mod hostile;
mod levels;
mod support;
mod tournament;
mod traces;
mod zoo;
