//! What a tournament looks like to people and to other programs: a page and tables of its [overview](crate::overview).
//!
//! Reports only show; every number in them was counted elsewhere.

pub mod csv;
pub mod limits;
pub mod page;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
