//! Rules, protocol and players, in games that tests play move by move.

mod bots;
mod properties;
mod protocol;
mod rules;
mod support;
