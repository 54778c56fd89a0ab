//! The real program, as people, scripts and hostile bots use it.

mod arena;
mod bench;
mod commands;
mod connect;
mod contests;
mod deaths;
mod goodbye;
mod hostile;
mod kits;
mod learn;
mod levels;
mod organising;
mod queue;
mod stalled;
mod submit;
mod support;
mod tournament;
mod traces;
mod walls;
mod zoo;
