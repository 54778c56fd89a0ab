//! Grifaki.
