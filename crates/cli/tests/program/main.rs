//! The real program, as people, scripts and hostile bots use it.

mod commands;
mod hostile;
mod support;
mod traces;
mod zoo;
