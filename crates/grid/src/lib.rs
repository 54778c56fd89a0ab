//! What games on a board of cells share: where cells are ([`Board`]), who owns them and who sees them ([`Territory`],
//! [`Eyes`]), whose turn it is and who is out ([`Turns`]), walking distances ([`Flood`]), searches and plans for players
//! ([`Gather`], [`Planner`]), and the parts of map files and map generators that are alike ([`Sites`], [`Limits`], [`Terrain`]).
//!
//! The rules of the games are made of this, so what holds for them holds here: no float, clock, hash order or IO, and
//! nothing allocates once it is made.

mod best;
mod board;
mod flood;
mod gather;
mod owned;
mod planner;
mod sight;
mod sites;
mod terrain;
mod territory;
mod turns;
mod ways;
mod words;

pub use best::Best;
pub use board::Board;
pub use flood::{Flood, Look, NONE};
pub use gather::Gather;
pub use owned::Owned;
pub use planner::{Planner, worst};
pub use sight::{Count, Sight};
pub use sites::{Sites, refuse_overflow};
pub use terrain::{FAR, Terrain};
pub use territory::{COUNTERS, Eyes, Picture, Territory};
pub use turns::{Fall, Stayed, Turns};
pub use ways::{Arrived, Breadth};
pub use words::{Limits, hello, read_hello, read_test, write_lines};
