//! Auralux.
