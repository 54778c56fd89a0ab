//! The sandbox on Linux.
//!
//! [`pool`] gives out cells and is what this process sees; [`link`] is its end of the line to one cell. The cell's end is
//! [`cell`], which builds its root folder by [`view`], gives up its rights by [`seal`], [`fence`] and [`calls`], and
//! gets a new [`scratch`] space for every program.

mod calls;
mod cell;
mod family;
mod fence;
mod halt;
mod idle;
mod kernel;
mod link;
mod owner;
mod pool;
mod private;
mod probe;
mod refusal;
mod scratch;
mod seal;
mod tree;
mod view;
mod wire;

pub use cell::{cell, cell_main};
pub use family::{children, descendants};
pub use halt::{continue_all, stop_all};
pub use idle::make_idle;
pub use link::{begin_cells_with, is_cell};
pub use pool::{Running, Sandbox};
pub use private::exposed;
pub use probe::probe;
