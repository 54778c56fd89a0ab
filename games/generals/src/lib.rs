//! Generals.
