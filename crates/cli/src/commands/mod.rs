//! One module for each command: its arguments and what it does.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod connect;
pub(crate) mod doctor;
pub(crate) mod drive;
pub(crate) mod duel;
pub(crate) mod event;
pub(crate) mod games;
pub(crate) mod judge;
pub(crate) mod ladder;
pub(crate) mod learn;
pub(crate) mod map;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod shoot;
pub(crate) mod submit;
pub(crate) mod tournament;
pub(crate) mod view;
pub(crate) mod worker;
