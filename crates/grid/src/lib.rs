//! What games on a board of cells share: where cells are ([`Board`]), who owns them ([`Owned`]) and who sees them
//! ([`Sight`], [`Eyes`]), walking distances ([`Flood`]), and the parts of map files and map generators that are alike
//! ([`Limits`], [`Terrain`]).
//!
//! The rules of the games are made of this, so what holds for them holds here: no float, clock, hash order or IO, and
//! nothing allocates once it is made.

mod board;
mod flood;
mod owned;
mod sight;
mod terrain;
mod words;

pub use board::Board;
pub use flood::{Flood, Look, NONE};
pub use owned::Owned;
pub use sight::{Eyes, Sight};
pub use terrain::{FAR, Terrain};
pub use words::{Limits, hello, read_test};
